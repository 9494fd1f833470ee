package source_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/source"
)

// TestDuplicate: an operationId that two operations have since the overlay was written is what is wrong, and no misspelt name.
func TestDuplicate(t *testing.T) {
	check(t, map[string]string{
		"acme.yaml": head + `paths:
  /users:
    post: {operationId: createUser, responses: {"204": {description: ok}}}
    put: {operationId: createUser, responses: {"204": {description: ok}}} #
`,
		"acme.overlay.yaml": `x-platform: acme
operations:
  createUser: {x-sdk: {service: Users, method: Create}, x-resilience: {scope: write, group: none, idempotent: false}}
  replaceUser: #
    x-sdk: {service: Users, method: Replace}
    x-resilience: {scope: write, group: none, idempotent: true}
`,
	}, []string{
		"the spec has no operation replaceUser: remove it, or if its operationId has become a duplicate name it PUT /users",
		`operationId "createUser" is a duplicate, line 6 has it already, and PUT /users is not in acme.overlay.yaml: ` +
			"give it an operationId of its own, or name it PUT /users in the overlay",
	})
}

// TestDraftOfAnUpdate: a draft with an overlay tells which operations that one has. What it says of operations that are gone is noted.
func TestDraftOfAnUpdate(t *testing.T) {
	spec := strings.Replace(foreign, "    delete:", "    get: {operationId: getUser, responses: {}}\n    delete:", 1)
	dir := folder(t, map[string]string{
		"acme.yaml": spec, "acme.overlay.yaml": overlay + "  listGroups: {x-sdk: {service: Groups, method: List}, review: look}\n  getUzer: {skip: true}\n",
	})
	doc, notes, faults, err := source.Load(source.Options{
		Spec: filepath.Join(dir, "acme.yaml"), Overlay: filepath.Join(dir, "acme.overlay.yaml"), Draft: true,
	})
	if err != nil || len(faults) > 0 {
		t.Fatal(faults, err)
	}
	var given []string
	for _, op := range doc.Operations {
		if op.Given {
			given = append(given, op.ID.Value+" "+op.Service.Value+"."+op.Method.Value)
		}
	}
	if want := []string{"listUsers Users.List", "DELETE /users/{id} Users.Delete"}; len(doc.Operations) != 3 || !slices.Equal(given, want) {
		t.Errorf("of %d operations %v are given, want %v of 3", len(doc.Operations), given, want)
	}
	for _, want := range []string{
		"acme.overlay.yaml:14: note: the spec has no operation listGroups: remove it, or correct its name",
		`acme.overlay.yaml:15: note: the spec has no operation getUzer: did you mean "getUser"?`,
	} {
		if !slices.ContainsFunc(notes, func(n string) bool { return strings.HasSuffix(n, string(filepath.Separator)+want) }) {
			t.Errorf("no note %q in %q", want, notes)
		}
	}
}

// TestCodesOfTheSpec: what an overlay says of errors is compared with what the spec does.
func TestCodesOfTheSpec(t *testing.T) {
	const spec = head + `paths:
  /a:
    get:
      operationId: a
      summary: reads
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: object, properties: {state: {type: string}}}}}}
        default: {description: no, content: {application/problem+json: {schema: {$ref: "#/components/schemas/Error"}}}}
components:
  schemas:
    Error:
      type: object
      properties:
        code: {type: string, enum: [rate_limited, not_found]}
        detail: {type: object, properties: {text: {type: string}}}
`
	const rest = "\noperations: {a: {x-sdk: {service: A, method: A}, x-resilience: {scope: read, group: none, idempotent: true}}}\n"
	for _, c := range []struct{ name, overlay, want string }{
		{"as the spec has it", "x-envelope: {code: code, message: [detail.text], success: state}\nx-errors: {rate_limited: {class: throttled}, not_*: {class: not-found}}", ""},
		{"a path with more", "x-envelope: {code: [error.code]}", `x-envelope.code "error.code" is in no answer of the spec: did you mean "code"?`},
		{"another path", "x-envelope: {request_id: [request]}", `x-envelope.request_id "request" is in no answer of the spec: its errors have code, detail, detail.text`},
		{"a misspelt code", "x-envelope: {code: [code]}\nx-errors: {rate_limit: {class: throttled}}",
			`code "rate_limit" of x-errors is none of those that the spec lists: did you mean "rate_limited"?`},
		{"another code", "x-envelope: {code: [code]}\nx-errors: {\"45009\": {class: throttled}}",
			`code "45009" of x-errors is none of those that the spec lists: they are rate_limited, not_found`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, notes, faults := load(t, map[string]string{"acme.yaml": spec, "acme.overlay.yaml": "x-platform: acme\n" + c.overlay + rest})
			want := "acme.overlay.yaml:2: note: " + c.want
			if strings.Contains(c.overlay, "\n") {
				want = "acme.overlay.yaml:3: note: " + c.want
			}
			if len(faults) > 0 || c.want == "" && len(notes) > 0 || c.want != "" && !slices.Equal(notes, []string{want}) {
				t.Errorf("got %q and faults %v, want %q", notes, faults, want)
			}
		})
	}
	open := strings.Replace(spec, ", enum: [rate_limited, not_found]", "", 1)
	if _, notes, _ := load(t, map[string]string{"acme.yaml": open, "acme.overlay.yaml": "x-platform: acme\nx-envelope: {code: [code]}\nx-errors: {any: {class: throttled}}" + rest}); len(notes) > 0 {
		t.Errorf("got %q where the spec lists no codes", notes)
	}
}

// TestUnsent: what a request cannot say is noted, and nothing of answers.
func TestUnsent(t *testing.T) {
	const text = head + `paths:
  /a:
    patch:
      operationId: patchA
      summary: changes
      requestBody: {content: {application/merge-patch+json: {schema: {$ref: "#/components/schemas/A"}}}}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/B"}}}}}
    get:
      operationId: getText
      summary: reads
      responses: {"200": {description: ok, content: {text/plain: {schema: {type: string}}}}}
    put:
      operationId: putA
      summary: replaces
      requestBody: {content: {text/csv: {schema: {type: string}}}}
      responses: {"204": {description: ok}}
    head: {responses: {}}
components:
  schemas:
    A:
      type: object
      required: [tags, inner]
      properties:
        tags: {type: array, items: {type: string}}
        note: {type: string, nullable: true}
        made: {type: string, nullable: true, readOnly: true}
        inner: {type: object, properties: {more: {type: string, nullable: true}}}
    B:
      type: object
      required: [tags]
      properties:
        tags: {type: array, items: {type: string}}
        note: {type: string, nullable: true}
`
	doc, notes, faults := load(t, map[string]string{"acme.yaml": text})
	if len(faults) > 0 || len(doc.Operations) != 2 || doc.Operations[1].Body == nil {
		t.Fatalf("got %d operations and %v, want two, and a body", len(doc.Operations), faults)
	}
	all := strings.Join(notes, "\n")
	for _, want := range []string{
		"acme.yaml:9: note: a body of a JSON type of its own is sent as application/json, which the platform may refuse: patchA",
		"acme.yaml:14: note: an answer of plain text is a download: the method gives a stream",
		"acme.yaml:15: note: an operation with a body that is neither JSON nor a form is left out: putA",
		"acme.yaml:20: note: a HEAD, OPTIONS or TRACE is left out: HEAD /a",
		"acme.yaml:27: note: a required list of a request that may be empty is an optional field: an empty one is sent, nil is not",
		"acme.yaml:28: note: 2 optional fields of requests that may be null are left out, and never sent as null; client.Do(ctx, op, body, &out) sends a body as it is, with resilience.WithParam for a path (also 30)",
	} {
		if !strings.Contains(all, want) {
			t.Errorf("no note %q in\n%s", want, all)
		}
	}
	if strings.Contains(all, "acme.yaml:3") {
		t.Errorf("notes about answers:\n%s", all)
	}
}

// TestPlaces: a note names its first places, and how many more there are.
func TestPlaces(t *testing.T) {
	var text strings.Builder
	text.WriteString(head + "paths:\n  /a:\n    get:\n      operationId: a\n      summary: reads\n      parameters:\n")
	for _, name := range []string{"a", "b", "c", "d", "e", "f", "g"} {
		text.WriteString("      - {name: " + name + ", in: query, schema: {type: integer}}\n")
	}
	_, notes, _ := load(t, map[string]string{"acme.yaml": text.String() + "      responses: {\"204\": {description: ok}}\n"})
	want := "acme.yaml:10: note: 7 numbers without a format are read as int64 or float64 (also 11, 12, 13, 14 and 2 more)"
	if len(notes) != 1 || notes[0] != want {
		t.Errorf("got %q, want %q", notes, want)
	}
}

// TestFirstPage: whether a number counts from 0.
func TestFirstPage(t *testing.T) {
	for schema, want := range map[string]bool{
		"{type: integer, minimum: 0, default: 0}": true, "{type: integer, default: 0}": true, "{type: integer, minimum: 0}": true,
		"{type: integer, minimum: 0, default: 1}": false, "{type: integer}": false, "{$ref: '#/components/schemas/Page'}": true,
		"{type: integer}, description: Zero-based page index": true, "{type: integer}, description: page": false,
	} {
		doc, _, faults := load(t, map[string]string{"acme.yaml": head + "paths: {/a: {get: {operationId: a, parameters: [{name: page, in: query, schema: " +
			schema + "}], responses: {'204': {description: ok}}}}}\ncomponents: {schemas: {Page: {type: integer, minimum: 0}}}\n"})
		if len(faults) > 0 || doc.Operations[0].Params[0].FromZero != want {
			t.Errorf("%s: got %v, want %t; faults %v", schema, doc.Operations[0].Params[0].FromZero, want, faults)
		}
	}
}
