package plan_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestManyClashes: thousands of names of one Go name are told apart in no time, as they are spelled.
func TestManyClashes(t *testing.T) {
	const many = 2500
	var properties, schemas strings.Builder
	for i := range many {
		name := "street" + strings.NewReplacer("0", "-", "1", "_").Replace(fmt.Sprintf("%b", i))
		fmt.Fprintf(&properties, "        %q: {type: string}\n", name)
		fmt.Fprintf(&schemas, "    %q: {type: object, properties: {a: {type: string}}}\n", name)
	}
	const street = "        street: {type: string}\n"
	doc, faults := spec.Parse("acme.yaml", []byte(strings.Replace(sound, street, properties.String()+schemas.String(), 1)))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	doc.Foreign = true
	begun := time.Now()
	p, faults := plan.New(doc, "acme", plan.Taken{})
	if took := time.Since(begun); len(faults) > 0 || took > 5*time.Second {
		t.Fatalf("it took %v, and got %v", took, faults)
	}
	types, fields := map[string]bool{}, map[string]bool{}
	for _, typ := range p.Types {
		types[typ.Name] = strings.HasPrefix(typ.Name, "X_street")
		for _, f := range typ.Fields {
			fields[f.Name] = strings.HasPrefix(f.Name, "X_street")
		}
	}
	if len(types) < many || !types["X_street__"] || len(fields) < many || !fields["X_street__"] {
		t.Errorf("%d types and %d fields are spelled, want %d", len(types), len(fields), many)
	}
}

// TestGrownSpec: what a name means in a spec, it means or is gone in one that has grown: a caller's code never sends something else.
func TestGrownSpec(t *testing.T) {
	const (
		street = "        street: {type: string}\n"
		values = "enum: [plain, vip]"
		body   = "      requestBody:\n        content:\n          application/x-www"
		query  = "      parameters: [{name: name, in: query, schema: {type: string}}]\n"
	)
	for _, c := range []struct{ name, old, before, after, want string }{
		{"letters of another alphabet", street, "        城市: {type: string}\n", "        城市: {type: string}\n        收货人: {type: string}\n", "Address.X城市=城市"},
		{"no letters", street, "        _: {type: string}\n", "        \"@\": {type: string}\n        _: {type: string}\n", "Address.X__=_"},
		{"a clash", street, "        nameClash: {type: string}\n", "        name_clash: {type: string}\n        nameClash: {type: string}\n", "Address.NameClash=nameClash"},
		{"another clash", street, "        a_b: {type: string}\n        a-b: {type: string}\n",
			"        a.b: {type: string}\n        a_b: {type: string}\n        a-b: {type: string}\n", "Address.X_a_U2D_b=a-b"},
		{"the name of a method", street, "        marshal_JSON: {type: string}\n", "        x: {type: string}\n        marshal_JSON: {type: string}\n", "Address.X_marshal_JSON=marshal_JSON"},
		{"a parameter like a field", body, body, query + body, "UsersCreateRequest.Name=name"},
		{"a field like a parameter", body, query + body, query + body, "UsersCreateRequest.NameInBody=name"},
		{"a name of a place", body, "      parameters: [{name: name, in: query, schema: {type: string}}]\n" + body,
			"      parameters: [{name: name, in: query, schema: {type: string}}, {name: name_in_query, in: query, schema: {type: string}}]\n" + body,
			"UsersCreateRequest.NameInQuery=name"},
		{"a schema of one Go name with another", street, street + "    street_b: {type: object, properties: {b: {type: string}}}\n",
			street + "    street-b: {type: object, properties: {c: {type: string}}}\n    street_b: {type: object, properties: {b: {type: string}}}\n", "StreetB.B=b"},
		{"a schema like an option", street, street + "    WithToken: {type: object, properties: {b: {type: string}}}\n", street, "X_WithToken.B=b"},
		{"values without letters", values, "enum: [\"<\"]", "enum: [\">\", \"<\"]", "Kind__U3C_=<"},
		{"values that clash", values, "enum: [aB]", "enum: [a_b, aB]", "KindAB=aB"},
		{"values of another alphabet", values, "enum: [演示]", "enum: [演, 演示]", "Kind演示=演示"},
	} {
		t.Run(c.name, func(t *testing.T) {
			before, after := meanings(t, c.old, c.before), meanings(t, c.old, c.after)
			name, wire, _ := strings.Cut(c.want, "=")
			if before[name] != wire {
				t.Errorf("got %v, want %s", before, c.want)
			}
			for name, wire := range before {
				if now, ok := after[name]; ok && now != wire {
					t.Errorf("%s was %q and is %q", name, wire, now)
				}
			}
		})
	}
}

// TestNamesStay: an object inside a schema is called after that, whoever holds or sends it, and an option of the client keeps its name.
func TestNamesStay(t *testing.T) {
	const (
		user = "    User:\n"
		base = "    Base: {type: object, properties: {meta: {type: object, properties: {b: {type: string}}}, rows: {type: array, items: {properties: {c: {type: string}}}}}}\n"
		end  = "components:\n  securitySchemes:\n    user: {type: http, scheme: bearer}\n  schemas:\n" // of the paths
		send = `  /bases:
    post:
      operationId: bases/create
      summary: makes a base
      x-sdk: {service: Bases, method: Create}
      x-resilience: {scope: write, group: none, idempotent: false}
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Base'}}}}
      responses: {"204": {description: done}}
`
	)
	books := strings.NewReplacer("bases/", "books/", "/bases", "/books", "Bases", "Books").Replace(send)
	for _, c := range []struct{ name, old, before, after, want string }{
		{"a schema that holds it", user, base + user, "    Admin: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {a: {type: string}}}]}\n" + base + user, "BaseMeta.B=b"},
		{"another request that is it", end, send + end + base, books + send + end + base, "BaseMeta.B=b"},
		{"a list", end, end + base, send + end + base, "BaseRowsItem.C=c"},
		{"an option", user, "    WithToken: {type: object, properties: {b: {type: string}}}\n" + user, "    WithToken: {type: object, properties: {b: {type: string}}}\n" + base + user, "X_WithToken.B=b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name, wire, _ := strings.Cut(c.want, "=")
			for _, text := range []string{c.before, c.after} {
				if got := meanings(t, c.old, text); got[name] != wire {
					t.Errorf("got %v, want %s", got, c.want)
				}
			}
		})
	}
}

// meanings are what the names of fields and constants are on the wire.
func meanings(t *testing.T, old, with string) map[string]string {
	t.Helper()
	if !strings.Contains(sound, old) {
		t.Fatalf("the sound spec lacks %q", old)
	}
	doc, faults := spec.Parse("acme.yaml", []byte(strings.Replace(sound, old, with, 1)))
	doc.Foreign = true
	p, more := plan.New(doc, "acme", plan.Taken{Options: map[string]string{"WithToken": "an option"}})
	if faults = append(faults, more...); len(faults) > 0 {
		t.Fatal(faults)
	}
	out := map[string]string{}
	for _, typ := range p.Types {
		for _, f := range typ.Fields {
			out[typ.Name+"."+f.Name] = f.Wire
		}
		for _, v := range typ.Enum {
			out[v.Const] = v.Value
		}
	}
	return out
}
