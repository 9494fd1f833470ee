package source_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestChoiceOfObjects: a choice whose alternatives are all objects is an object with the fields of all, wherever it stands, and the
// values by which a caller tells the alternatives apart are known.
func TestChoiceOfObjects(t *testing.T) {
	const (
		refs = `[{$ref: "#/components/schemas/A"}, {$ref: "#/components/schemas/B"}]`
		open = `[{$ref: "#/components/schemas/C"}, {$ref: "#/components/schemas/D"}]`
		all  = "kind=a,b a b"
	)
	inline := func(a, b string) string {
		return "[{properties: {kind: " + a + ", a: {type: string}}}, {type: object, properties: {kind: " + b + ", b: {type: string}}}]"
	}
	for _, c := range []struct{ name, schema, want string }{
		{"references", "{oneOf: " + refs + "}", all},
		{"any of them", "{anyOf: " + refs + "}", all},
		{"a type beside", "{type: object, oneOf: " + refs + "}", all},
		{"a discriminator", "{oneOf: " + refs + ", discriminator: {propertyName: kind}}", all},
		{"its mapping", `{oneOf: ` + open + `, discriminator: {propertyName: kind, mapping: {c: "#/components/schemas/C", d: "#/components/schemas/D"}}}`, "kind=c,d c d"},
		{"no mapping", "{oneOf: " + open + ", discriminator: {propertyName: kind}}", "kind c d"},
		{"a mapping of one", `{oneOf: ` + open + `, discriminator: {propertyName: kind, mapping: {c: "#/components/schemas/C"}}}`, "kind c d"},
		{"enums", "{oneOf: " + inline("{type: string, enum: [a]}", "{enum: [b]}") + "}", all},
		{"constants", "{oneOf: " + inline("{const: a}", "{type: string, const: b}") + "}", all},
		{"numbers", "{oneOf: " + inline("{const: 1}", "{type: integer, const: 2}") + "}", "kind=1,2 a b"},
		{"a parent that leaves them open", "{type: object, properties: {kind: {type: string}, id: {type: string}}, oneOf: " + refs + "}", "kind=a,b id a b"},
		{"a parent that knows more", "{type: object, properties: {kind: {type: string, enum: [a, b, x]}}, oneOf: " + refs + "}", "kind=a,b,x a b"},
		{"a named choice", `{$ref: "#/components/schemas/Choice"}`, all},
		{"a part", `{allOf: [{$ref: "#/components/schemas/Choice"}, {properties: {more: {type: string}}}]}`, "kind=a,b a b more"},
		{"choices of choices", `{oneOf: [{$ref: "#/components/schemas/Choice"}, {$ref: "#/components/schemas/C"}]}`, "kind a b c"},
		{"nothing at all", `{oneOf: [{$ref: "#/components/schemas/A"}, {type: object, additionalProperties: false}]}`, "kind=a a"},
		{"anything", `{oneOf: [{$ref: "#/components/schemas/A"}, {type: object}]}`, ""},
		{"a text", `{oneOf: [{$ref: "#/components/schemas/A"}, {type: string}]}`, ""},
	} {
		for _, version := range []string{"3.0.3", "3.1.0"} {
			for _, place := range []string{"S", "{type: array, items: S}", "{type: object, additionalProperties: S}", "{properties: {f: S}}"} {
				text := strings.Replace(head, "3.0.3", version, 1) + `paths: {/a: {post: {operationId: a, summary: a,
  parameters: [{name: p, in: query, content: {application/json: {schema: ` + c.schema + `}}}],
  responses: {"200": {description: ok, content: {application/json: {schema: {properties: {x: ` + strings.Replace(place, "S", c.schema, 1) + `}}}}}}}}}
components:
  schemas:
    A: {type: object, required: [kind], properties: {kind: {type: string, enum: [a]}, a: {type: string}}}
    B: {type: object, required: [kind], properties: {kind: {type: string, enum: [b]}, b: {type: string}}}
    C: {type: object, properties: {kind: {type: string}, c: {type: string}}}
    D: {type: object, properties: {kind: {type: string}, d: {type: string}}}
    Choice: {oneOf: ` + refs + "}\n"
				doc, _, faults := load(t, map[string]string{"acme.yaml": text})
				if len(faults) > 0 {
					t.Fatal(faults)
				}
				got := fieldsOf(doc, doc.Operations[0].Answer.Schema.Properties[0].Schema)
				if got != c.want {
					t.Errorf("%s in %s as %s: got %q, want %q", c.name, version, place, got, c.want)
				}
				if got := fieldsOf(doc, doc.Operations[0].Params[0].Schema); got != c.want && c.want != "" {
					t.Errorf("%s in %s as a parameter: got %q, want %q", c.name, version, got, c.want)
				}
			}
		}
	}
}

// fieldsOf lists the fields of the object that s is, or holds, each with its values; empty for what has none.
func fieldsOf(doc *spec.Document, s *spec.Schema) string {
	if s = doc.Resolve(s); s == nil {
		return ""
	}
	for _, held := range []*spec.Schema{s.Items, s.Values} {
		if held != nil {
			return fieldsOf(doc, held)
		}
	}
	props, _ := doc.Properties(s)
	if len(props) == 1 && props[0].Name == "f" {
		return fieldsOf(doc, props[0].Schema)
	}
	var words []string
	for _, p := range props {
		word := p.Name
		if values := spec.Values(doc.Resolve(p.Schema).Enum); len(values) > 0 {
			word += "=" + strings.Join(values, ",")
		}
		words = append(words, word)
	}
	return strings.Join(words, " ")
}

// TestManyAlternatives: each alternative is looked at, not each pair of them, which takes minutes.
func TestManyAlternatives(t *testing.T) {
	var fields, all strings.Builder
	for i := range 60 {
		fmt.Fprintf(&fields, "f%d: {type: string}, ", i)
	}
	for i := range 1500 {
		fmt.Fprintf(&all, "{type: object, properties: {kind: {type: string, enum: [k%d]}, data: {type: object, properties: {<<: *fields, z: {type: string, enum: [z%d]}}}}}, ", i, i)
	}
	doc, _, faults := load(t, map[string]string{"acme.yaml": head + "x-fields: &fields {" + fields.String() + "}\n" + `paths: {/a: {post: {operationId: a, summary: a, responses: {"204": {description: ok}},
  requestBody: {content: {application/json: {schema: {oneOf: [` + all.String() + `]}}}}}}}
`})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if props := doc.Operations[0].Body.Schema.Properties; len(props) != 2 || len(props[0].Schema.Enum) != 1500 {
		t.Errorf("got %d fields, want kind with 1,500 values and data", len(props))
	}
}

// TestManyParts: a large spec may say something beside each of its references.
func TestManyParts(t *testing.T) {
	var fields strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&fields, "f%d: {allOf: [{$ref: '#/components/schemas/L'}], minItems: %d}, ", i, i+1)
	}
	doc, _, faults := load(t, map[string]string{"acme.yaml": head + `paths: {/a: {post: {operationId: a, summary: a, responses: {"204": {description: ok}},
  requestBody: {content: {application/json: {schema: {properties: {` + fields.String() + `}}}}}}}}
components: {schemas: {L: {type: array, items: {type: string}}}}
`})
	if len(faults) > 0 {
		t.Fatalf("%.300v", faults)
	}
	if s := doc.Operations[0].Body.Schema.Properties[2999].Schema; s.Items == nil || s.MinItems == nil || *s.MinItems != 3000 {
		t.Errorf("got %+v, want a list of 3,000 texts or more", s)
	}
}

// TestCircles: what schemas are that are made of each other depends neither on which of them is asked for first nor on who stands first.
func TestCircles(t *testing.T) {
	a, b, c := `    A: {allOf: [{$ref: "#/components/schemas/B"}, {properties: {a: {type: string}}}]}`+"\n",
		`    B: {anyOf: [{$ref: "#/components/schemas/C"}, {type: "null"}]}`+"\n", `    C: {allOf: [{$ref: "#/components/schemas/A"}]}`+"\n"
	fields := []string{`a: {$ref: "#/components/schemas/A"}`, `b: {$ref: "#/components/schemas/B"}`, `c: {$ref: "#/components/schemas/C"}`}
	for _, schemas := range []string{a + b + c, c + b + a, b + a + c} {
		for i := range fields {
			text := strings.Replace(head, "3.0.3", "3.1.0", 1) + `paths: {/a: {post: {operationId: a, summary: a, responses: {"204": {description: ok}},
  requestBody: {content: {application/json: {schema: {properties: {` + strings.Join(append(slices.Clone(fields[i:]), fields[:i]...), ", ") + `}}}}}}}}
components:
  schemas:
` + schemas
			doc, notes, faults := load(t, map[string]string{"acme.yaml": text})
			if len(faults) > 0 {
				t.Fatal(faults, notes)
			}
			for _, p := range doc.Operations[0].Body.Schema.Properties {
				if got := fieldsOf(doc, p.Schema); got != "a" {
					t.Errorf("%s of %s is %q, want an object with the field a", p.Name, text, got)
				}
			}
		}
	}
}
