package source_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestWhatIsLost: whatever a client cannot send or read is told of, and an operation that needs it is left out.
func TestWhatIsLost(t *testing.T) {
	body := func(kind, schema, more string) string {
		return "post: {operationId: a, summary: a, requestBody: {content: {" + kind + ": {schema: " + schema + more + "}}}, responses: {'204': {description: ok}}}"
	}
	query := func(rest string) string {
		return "get: {operationId: a, summary: a, parameters: [{name: p, in: query, " + rest + "}], responses: {'204': {description: ok}}}"
	}
	const form, parts = "application/x-www-form-urlencoded", "multipart/form-data"
	var wide strings.Builder
	for i := range 60 {
		fmt.Fprintf(&wide, "p%d: {$ref: '#/components/schemas/Self'}, ", i)
	}
	for _, c := range []struct {
		name, item string
		want       string
		operations int
	}{
		{"values beside properties", body("application/json", "{type: object, properties: {id: {type: string}}, additionalProperties: {type: string}}", ""),
			"what an object may hold beside its properties is neither read nor sent", 1},
		{"any values beside properties", body("application/json", "{type: object, properties: {id: {type: string}}, additionalProperties: true}", ""),
			"what an object may hold beside its properties is neither read nor sent", 1},
		{"values of a part", body("application/json", "{allOf: [{$ref: '#/components/schemas/Self'}, {type: object, additionalProperties: {type: string}}]}", ""),
			"what an object may hold beside its properties is neither read nor sent", 1},
		{"no values beside properties", body("application/json", "{type: object, properties: {id: {type: string}}, additionalProperties: false}", ""), "", 1},
		{"a name that no tag holds", body("application/json", `{type: object, properties: {"it's": {type: string}, "-": {type: string}, 名: {type: string}}}`, ""),
			"a field whose name no Go tag can hold is left out", 1},
		{"a required one", body("application/json", `{type: object, required: ["it's"], properties: {"it's": {type: string}}}`, ""),
			"an operation whose body needs a field that cannot be written is left out: a", 0},
		{"a form has no tags", body(form, `{type: object, required: ["it's"], properties: {"it's": {type: string}}}`, ""), "", 1},
		{"an encoding that is no JSON", body(parts, "{type: object, properties: {x: {type: object, properties: {a: {type: string}}}, y: {type: string}}}",
			", encoding: {x: {contentType: application/xml}, y: {contentType: text/plain}}"),
			"a field of a form whose encoding is no JSON, no list with commas and no repeated name is left out", 1},
		{"a style that only forms have", body(parts, "{type: object, properties: {x: {type: object, properties: {a: {type: string}}}}}", ", encoding: {x: {style: form}}"), "", 1},
		{"an object by its fields", body(form, "{type: object, required: [x], properties: {x: {type: object, properties: {a: {type: string}}}}}",
			", encoding: {x: {style: form, explode: true}}"),
			"an operation whose body needs a field that cannot be written is left out: a", 0},
		{"a list with signs between", body(form, "{type: object, properties: {x: {type: array, items: {type: string}}}}", ", encoding: {x: {style: pipeDelimited}}"),
			"a parameter that is an object or a list is given as text, as the platform writes it", 1},
		{"a form without end", body(form, "{type: object, properties: {x: {$ref: '#/components/schemas/Self'}}}", ", encoding: {x: {style: deepObject}}"),
			"an operation whose form unfolds to too many fields is left out: a", 0},
		{"a form that may be text", body(form, "{oneOf: [{type: object, properties: {x: {type: string}}}, {type: string}]}", ""),
			"of alternatives the objects are given by their fields: those that are none cannot be sent: a", 1},
		{"a field of a form that may be text", body(form, "{type: object, properties: {x: {oneOf: [{type: object, properties: {y: {type: string}}}, {type: string}]}}}",
			", encoding: {x: {style: deepObject}}"),
			"of alternatives the objects are given by their fields: those that are none cannot be sent: a.x", 1},
		{"a parameter that may be text", query("style: deepObject, schema: {oneOf: [{type: object, properties: {y: {type: string}}}, {type: string}]}"),
			"of alternatives the objects are given by their fields: those that are none cannot be sent: a.p", 1},
		{"a parameter that may be a list", query("schema: {oneOf: [{type: string}, {type: array, items: {type: string}}]}"),
			"a parameter of several types is given as text: its lists and objects cannot be sent otherwise: a.p", 1},
		{"a parameter that may be a flag", query("schema: {oneOf: [{type: string}, {type: boolean}]}"), "", 1},
		{"an allOf of what excludes each other", body("application/json", "{type: object, properties: {x: {allOf: [{type: string}, {type: boolean}]}}}", ""),
			`"a.x" is of types that exclude each other, and an allOf wants them all: it is read as anything (wire.Raw in answers, any in requests); correct one of them`, 1},
		{"a path twice", "get: {operationId: a, summary: a, responses: {'204': {description: ok}}}}, a: {get: {operationId: b, summary: b, responses: {'204': {description: ok}}}",
			"an operation whose path stands there twice, with and without its slash, is left out the second time: GET /a", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, notes, faults := load(t, map[string]string{"acme.yaml": head + "paths: {/a: {" + c.item + "}}\n" +
				"components: {schemas: {Self: {type: object, properties: {" + wide.String() + "q: {type: string}}}}}\n"})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if len(doc.Operations) != c.operations {
				t.Errorf("%d operations, want %d", len(doc.Operations), c.operations)
			}
			found := slices.ContainsFunc(notes, func(n string) bool { return strings.HasSuffix(n, ": note: "+c.want) })
			if c.want == "" && len(notes) > 0 || c.want != "" && !found {
				t.Errorf("got %q, want %q", notes, c.want)
			}
		})
	}
}

// TestNotesStay: what several operations share is told of, though the first that uses it is left out, and once.
func TestNotesStay(t *testing.T) {
	const (
		first = "  /up:\n    post: {operationId: up, summary: a, PARAMETERS, requestBody: {required: true, content: {application/octet-stream: {schema: {type: string, format: binary}}}}, RESPONSES}\n"
		then  = "  /NAME:\n    get: {operationId: NAME, summary: a, PARAMETERS, RESPONSES}\n"
		last  = `components:
  parameters:
    F: {name: f, in: query, schema: {type: array, items: {type: object, properties: {x: {type: string}}}}}
    G: {name: g, in: query, content: {application/json: {schema: {type: object, properties: {x: {type: [boolean, string]}}}}}}
  responses:
    R: {description: r, content: {application/json: {schema: {type: array, items: {type: color}}}}}
`
	)
	second, third := strings.ReplaceAll(then, "NAME", "list"), strings.ReplaceAll(then, "NAME", "show")
	use := strings.NewReplacer("PARAMETERS", "parameters: [{$ref: '#/components/parameters/F'}, {$ref: '#/components/parameters/G'}]",
		"RESPONSES", "responses: {'200': {$ref: '#/components/responses/R'}}")
	for _, order := range []string{first + second + third, second + first + third, second + third + first} {
		_, notes, faults := load(t, map[string]string{"acme.yaml": strings.Replace(head, "3.0.3", "3.1.0", 1) + "paths:\n" + use.Replace(order) + last})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		got := strings.Join(notes, "\n")
		for _, want := range []string{
			"note: an operation with a body that is neither JSON nor a form is left out: up",
			"13: note: an optional parameter that cannot be written is left out",
			"14: note: a choice of several types has no type in Go",
			"16: note: a type that OpenAPI does not know is read as anything",
		} {
			if strings.Count(got, want) != 1 {
				t.Errorf("got %s, want once %s", got, want)
			}
		}
	}
}

// TestWhatIsNamed: a note that a line says too little for names the fields, and what the platform calls is told of once.
func TestWhatIsNamed(t *testing.T) {
	_, notes, faults := load(t, map[string]string{"acme.yaml": strings.Replace(head, "3.0.3", "3.1.0", 1) + `paths:
  /a:
    post:
      operationId: a
      summary: a
      requestBody: {content: {application/json: {schema: {properties: {x: {type: [string, boolean]}, list: {items: {oneOf: [{type: string}, {type: boolean}]}}}}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}
      callbacks:
        paid: {"{$request.body#/url}": {post: {responses: {"200": {description: ok}}}}}
webhooks:
  refunded: {post: {responses: {"200": {description: ok}}}}
components: {schemas: {A: {properties: {map: {additionalProperties: {type: [array, boolean]}}}}}}
`})
	want := []string{
		"acme.yaml:9: note: 3 choices of several types have no type in Go (wire.Raw in answers, which json.Unmarshal reads; any in requests, " +
			"where you give what the alternative wants): a.x and a.list[] (also 15 A.map{})",
		"acme.yaml:12: note: what the platform calls by itself is left out, 2 webhooks or callbacks: handlers of yours take them: a.paid, refunded",
	}
	if len(faults) > 0 || !slices.Equal(notes, want) {
		t.Errorf("got %q and %q, want %q", notes, faults, want)
	}
}

// TestWhatIsSaidTwice: where several schemas speak of one field, what no Go type holds is told with the lines of all.
func TestWhatIsSaidTwice(t *testing.T) {
	const spec = `paths:
  /a:
    post:
      operationId: a
      summary: a
      requestBody: {content: {application/json: {schema: {properties: {x: SCHEMA}}}}}
      responses: {'204': {description: ok}}
components:
  schemas:
    T: {type: object, properties: {f: {type: string}}}
    M: {type: string, enum: [a]}
    D:
      properties: {g: {type: string}}
      KIND:
        - {properties: {f: {type: string}}}
        - {properties: {f: ONE}}
        - {properties: {f: TWO}}
`
	const asAlternatives = "an object with alternatives is read as one with the fields of all"
	for _, c := range []struct{ version, schema, kind, one, two, want string }{
		{"3.0.3", "D", "oneOf", "{type: string, maxLength: 5}", "{type: string, enum: [a]}", ""},
		{"3.0.3", "D", "oneOf", "{type: boolean}", "{type: array, items: {type: string}}",
			`18: "f" has no type that all its alternatives have (see line 19, 20): it is wire.Raw in answers and any in requests, where you give what the alternative wants`},
		{"3.0.3", "D", "allOf", "{description: what it is}", "{type: integer, format: int64}",
			`18: "f" is of types that exclude each other (see line 20), and an allOf wants them all: it is read as anything (wire.Raw in answers, any in requests); correct one of them`},
		{"3.0.3", "D", "allOf", "{type: string, enum: [a, b]}", "{type: string, enum: [c]}", "20: a field whose values in the parts of an allOf exclude each other is read without them"},
		{"3.0.3", "D", "allOf", "{type: string, enum: [a, b]}", "{type: string, enum: [b]}", ""},
		{"3.0.3", "{$ref: '#/components/schemas/T', required: [f]}", "allOf", "{}", "{}", "9: what stands beside a $ref is ignored, as OpenAPI 3.0 has it: write an allOf of both"},
		{"3.1.0", "{$ref: '#/components/schemas/T', required: [f]}", "allOf", "{}", "{}", ""},
		{"3.0.3", "{$ref: '#/components/schemas/T', description: t, deprecated: true}", "allOf", "{}", "{}", ""},
	} {
		schema := c.schema
		if schema == "D" {
			schema = "{$ref: '#/components/schemas/D'}"
		}
		text := strings.NewReplacer("SCHEMA", schema, "KIND", c.kind, "ONE", c.one, "TWO", c.two).Replace(spec)
		_, notes, faults := load(t, map[string]string{"acme.yaml": strings.Replace(head, "3.0.3", c.version, 1) + text})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var got []string
		for _, n := range notes {
			if _, n, _ = strings.Cut(n, "acme.yaml:"); !strings.Contains(n, asAlternatives) {
				got = append(got, strings.Replace(n, ": note", "", 1))
			}
		}
		if all := strings.Join(got, "; "); all != c.want {
			t.Errorf("%s %s of %s and %s: got %q, want %q", c.schema, c.kind, c.one, c.two, all, c.want)
		}
	}
}

// TestSpreadParameters: each name once: a parameter of its own before the field of an object, and of two fields the required one.
func TestSpreadParameters(t *testing.T) {
	const object = "schema: {type: object, required: [limit], properties: {limit: {type: TYPE}}}}"
	parameter := func(name, kind, more string) string {
		return "{name: " + name + ", in: query, " + more + strings.Replace(object, "TYPE", kind, 1)
	}
	const own = "{name: limit, in: query, required: true, schema: {type: integer}}"
	for name, c := range map[string]struct{ parameters, want string }{
		"behind":         {parameter("f", "string", "") + ", " + own, "limit integer true"},
		"before":         {own + ", " + parameter("f", "string", ""), "limit integer true"},
		"two":            {parameter("f", "string", "") + ", " + parameter("g", "boolean", ""), "limit string false"},
		"the required":   {parameter("f", "string", "") + ", " + parameter("g", "boolean", "required: true, "), "limit boolean true"},
		"in brackets":    {parameter("f", "string", "style: deepObject, ") + ", " + own, "f[limit] string false, limit integer true"},
		"header's cases": {"{name: X-A, in: header, schema: {type: string}}, {name: x-a, in: header, schema: {type: boolean}}", "x-a boolean false"},
	} {
		doc, _, faults := load(t, map[string]string{"acme.yaml": head + "paths: {/a: {get: {operationId: a, parameters: [" + c.parameters + "], responses: {'204': {description: ok}}}}}\n"})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var got []string
		for _, p := range doc.Operations[0].Params {
			got = append(got, fmt.Sprint(p.Name, " ", p.Schema.Type, " ", p.Required))
		}
		if all := strings.Join(got, ", "); all != c.want {
			t.Errorf("%s: got %s, want %s", name, all, c.want)
		}
	}
}

// TestTitles: what has no description is described by its title, unless that only repeats its name.
func TestTitles(t *testing.T) {
	for _, c := range []struct{ schema, want, field string }{
		{"{title: 店铺, properties: {user_id: {type: string, title: who owns it}}}", "店铺", "who owns it"},
		{"{title: Shop, properties: {user_id: {type: string, title: User Id}}}", "", ""},
		{"{title: 店铺, description: a shop, properties: {user_id: {type: string, title: who, description: its owner}}}", "a shop", "its owner"},
		{"{title: 店铺, allOf: [{$ref: '#/components/schemas/Other'}, {properties: {user_id: {title: 谁, type: string}}}]}", "店铺", "谁"},
	} {
		doc, _, faults := load(t, map[string]string{"acme.yaml": head + `paths: {/a: {get: {operationId: a, summary: a,
  responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/Shop"}}}}}}}}
components: {schemas: {Shop: ` + c.schema + `, Other: {properties: {b: {type: string}}}}}
`})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		shop := doc.Named("Shop")
		props, _ := doc.Properties(shop)
		if field := props[len(props)-1]; shop.Doc != c.want || field.Schema.Doc != c.field {
			t.Errorf("%s: got %q and %q of %s, want %q and %q", c.schema, shop.Doc, field.Schema.Doc, field.Name, c.want, c.field)
		}
	}
}
