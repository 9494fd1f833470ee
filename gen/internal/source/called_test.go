package source_test

import (
	"slices"
	"strings"
	"testing"
)

// TestNamesOfSchemas: what a schema is called depends neither on who uses it, nor on what another definition makes of the first place.
func TestNamesOfSchemas(t *testing.T) {
	get := func(id, schema string) string {
		return "  /" + id + ": {get: {operationId: " + id + ", summary: gets, responses: {'200': {description: d, content: {application/json: {schema: " + schema + "}}}}}}\n"
	}
	send := func(id string) string {
		return "  /" + id + ": {post: {operationId: " + id + ", summary: sends, requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/U'}}}}, responses: {'204': {description: d}}}}\n"
	}
	const (
		own  = "components:\n  schemas:\n"
		base = "    Base: &base {type: object, properties: {a: {type: string}}}\n"
		toA  = "{$ref: '#/x-a/meta'}"
		toB  = "{$ref: '#/x-b/meta'}"
		both = "x-a: {meta: {type: object, properties: {a: {type: string}}}}\nx-b: {meta: {type: object, properties: {b: {type: string}}}}\n"
		tree = own + "    U: {oneOf: [{properties: {node: {$ref: '#/components/schemas/N'}}}, {properties: {node: {$ref: '#/components/schemas/O'}}}]}\n" +
			"    N: {type: object, properties: {next: {$ref: '#/components/schemas/N'}}}\n    O: {type: object, properties: {next: {$ref: '#/components/schemas/O'}}}\n"
	)
	for _, c := range []struct {
		name, spec string
		want       []string
	}{
		{"another name for it", "paths:\n" + get("a", "{$ref: '#/components/schemas/Base'}") + own + "    Alias: {$ref: '#/components/schemas/Base'}\n" + base, []string{"Base"}},
		{"a YAML alias", "paths:\n" + get("a", "{$ref: '#/components/schemas/Y'}") + own + base + "    Y: *base\n", []string{"Y"}},
		{"a definition elsewhere", "paths:\n" + get("a", toA) + both, []string{"Meta"}},
		{"two of one last name", "paths:\n" + get("a", toA) + get("b", toB) + both, []string{"XAMeta", "XBMeta"}},
		{"in another order", "paths:\n" + get("b", toB) + get("a", toA) + both, []string{"XAMeta", "XBMeta"}},
		{"one of the document's own name", "paths:\n" + get("a", toA) + both + own + "    meta: {type: object, properties: {c: {type: string}}}\n", []string{"XAMeta"}},
		{"other files", "paths:\n" + get("a", "{$ref: more/user.yaml}") + get("b", "{$ref: 'other/user.yaml#/of/user'}"), []string{"MoreUser", "OtherUserOfUser"}},
		{"entries of lists", "paths:\n" + get("a", "{$ref: '#/x-a/list'}") + get("b", "{$ref: '#/x-b/list'}") +
			"x-a: {list: {type: array, items: {properties: {a: {type: string}}}}}\nx-b: {list: {type: array, items: {properties: {b: {type: string}}}}}\n",
			[]string{"XAList", "XAListItem", "XBList", "XBListItem"}},
		{"alternatives that hold themselves", "paths:\n" + send("a") + tree, []string{"NOrO"}},
		{"with another request", "paths:\n" + send("b") + send("a") + tree, []string{"NOrO"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, _, faults := load(t, map[string]string{
				"acme.yaml": head + c.spec, "more/user.yaml": "properties: {a: {type: string}}\n", "other/user.yaml": "of: {user: {properties: {b: {type: string}}}}\n",
			})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			var got []string
			for _, s := range doc.Schemas {
				got = append(got, s.Name)
			}
			slices.Sort(got)
			if !slices.Equal(got, c.want) {
				t.Errorf("got %s, want %s", strings.Join(got, ", "), strings.Join(c.want, ", "))
			}
		})
	}
}
