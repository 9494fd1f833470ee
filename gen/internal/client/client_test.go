package client_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/client"
	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

const frame = `openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
ENVELOPE
paths:
  /a:
    get:
      operationId: a
      summary: does it
      x-sdk: {service: Things, method: A}
      x-resilience: {scope: read, group: none, idempotent: true}
      responses: {"200": {description: done, content: {application/json: {schema: SCHEMA}}}}
components:
  schemas:
    Tree: {type: object, properties: {name: {type: string}, left: {$ref: "#/components/schemas/Tree"}, children: {type: array, items: {$ref: "#/components/schemas/Tree"}}}}
`

var body = regexp.MustCompile("(?s)body: `(.*?)`}")

// made returns the example that the fake of a spec answers.
func made(t *testing.T, envelope, schema string, components ...string) string {
	t.Helper()
	text := strings.NewReplacer("ENVELOPE", envelope, "SCHEMA", schema).Replace(frame) + strings.Join(components, "")
	doc, faults := spec.Parse("acme.yaml", []byte(text))
	p, more := plan.New(doc, "acme", plan.Taken{})
	if faults = append(faults, more...); len(faults) > 0 {
		t.Fatal(faults)
	}
	out, err := client.Files(p, render.Header{Spec: "acme.yaml"}, plan.Taken{}, plan.Taken{})
	if err != nil || len(out.Faults) > 0 {
		t.Fatal(err, out.Faults)
	}
	m := body.FindSubmatch(out.Files["acmetest/server.gen.go"])
	if m == nil {
		t.Fatalf("no example in %s", out.Files["acmetest/server.gen.go"])
	}
	if !json.Valid(m[1]) {
		t.Errorf("%s is no JSON", m[1])
	}
	return string(m[1])
}

// TestExamples: each shape of an answer, as the fake answers it.
func TestExamples(t *testing.T) {
	tests := []struct{ name, envelope, schema, want string }{
		{"numbers", "", "{type: object, properties: {a: {type: integer, format: int64}, b: {type: number, format: double}, c: {type: integer, format: unix-time}}}",
			`{"a":1,"b":1.5,"c":1767225600}`},
		{"texts", "", "{type: object, properties: {a: {type: string}, b: {type: string, format: date}, c: {type: string, format: id}, d: {type: boolean}}}",
			`{"a":"text","b":"2026-01-01","c":"1","d":true}`},
		{"enum", "", "{type: object, properties: {a: {type: string, enum: [x, y]}, b: {type: integer, format: int64, enum: [7]}}}", `{"a":"x","b":7}`},
		{"list and map", "", "{type: object, properties: {a: {type: array, items: {type: string}}, b: {type: object, additionalProperties: {type: boolean}}, c: {}}}",
			`{"a":["text"],"b":{"key":true},"c":{}}`},
		{"a list alone", "", "{type: array, items: {type: integer, format: int32}}", "[1]"},
		{"holds itself", "", `{$ref: "#/components/schemas/Tree"}`, `{"name":"text","children":[]}`},
		{"allOf", "", `{allOf: [{type: object, properties: {a: {type: string}, b: {type: string}}}, {type: object, properties: {b: {type: boolean}}}]}`,
			`{"a":"text","b":true}`},
		{"good code", `x-envelope: {code: [code], good: ["0"]}`, "{type: object, properties: {code: {type: integer, format: int64}}}", `{"code":0}`},
		{"good code of text", `x-envelope: {code: [r.code], good: ["00"]}`, "{type: object, properties: {r: {type: object, properties: {code: {type: string}}}}}",
			`{"r":{"code":"00"}}`},
		{"no code means success", `x-envelope: {code: [code]}`, "{type: object, properties: {code: {type: string}, a: {type: string}}}", `{"a":"text"}`},
		{"success", `x-envelope: {success: [ok]}`, "{type: object, properties: {ok: {type: string}}}", `{"ok":"true"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := made(t, tt.envelope, tt.schema); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestExamplesAreSmall: a wide and deep answer shows its beginning.
func TestExamplesAreSmall(t *testing.T) {
	var wide strings.Builder
	for i := range 40 {
		fmt.Fprintf(&wide, "f%d: {type: string}, ", i)
	}
	schema := "{type: string}"
	for range 7 {
		schema = "{type: object, properties: {" + wide.String() + "in: " + schema + "}}"
	}
	got := made(t, "", schema)
	if len(got) > 5<<10 || !strings.Contains(got, `"f39":"text"`) {
		t.Errorf("%d bytes", len(got))
	}
	lines := strings.Split(got, "\n")
	for _, line := range lines {
		if len(line) > 120 {
			t.Errorf("a line of %d bytes: %s", len(line), line)
		}
	}
	if len(lines) > 60 || lines[1] != `  "f0":"text","f1":"text","f2":"text","f3":"text","f4":"text","f5":"text","f6":"text","f7":"text","f8":"text",` {
		t.Errorf("%d lines: %s", len(lines), got)
	}
	list := made(t, "", `{type: object, properties: {a: {type: string}, b: {type: array, items: {type: object, properties: {`+wide.String()+`}}}, c: {type: string}}}`)
	if !strings.HasPrefix(list, "{\n  \"a\":\"text\",\n  \"b\":[\n    {\n      \"f0\"") || !strings.HasSuffix(list, "\"\n    }\n  ],\n  \"c\":\"text\"\n}") {
		t.Errorf("got %s", list)
	}
}

// TestDocumentation: the description goes into the package's documentation if it is plain text.
func TestDocumentation(t *testing.T) {
	for description, want := range map[string]bool{"Calls about notes": true, "# Heading": false, "<b>x</b>": false, "see [page](x)": false, strings.Repeat("long ", 100): false} {
		text := strings.Replace(frame, "{title: Acme,", "{title: Acme, description: '"+description+"',", 1)
		doc, _ := spec.Parse("acme.yaml", []byte(strings.NewReplacer("ENVELOPE", "", "SCHEMA", "{type: string}").Replace(text)))
		p, _ := plan.New(doc, "acme", plan.Taken{})
		out, err := client.Files(p, render.Header{}, plan.Taken{}, plan.Taken{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(out.Files["client.gen.go"]), "// "+description); got != want {
			t.Errorf("%q in the documentation: %t, want %t", description, got, want)
		}
	}
}

// TestSignsThatGoRefuses: texts are copied out of editors, with signs that nobody sees. None of them is in a text of Go, and in a name it is
// a fault or written with its escape.
func TestSignsThatGoRefuses(t *testing.T) {
	const text = `openapi: 3.0.3
info: {title: "Ac@me", description: "calls@ things", version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
x-envelope: {code: ["co@de"], message: ["m@"], good: ["@"]}
x-errors: {"a@b": {class: throttled}, "@*": {class: rejected}}
security: [{"tok@en": []}]
tags: [{name: "t@", description: "about@ it"}]
paths:
  /a:
    get:
      operationId: "a@"
      summary: "re@turns a"
      tags: ["t@"]
      x-sdk: {service: A, method: Get}
      x-resilience: {scope: read, group: none, idempotent: true}
      parameters: [{name: "page", in: query, description: "a@b", schema: {type: string}}]
      responses: {"200": {description: done, content: {application/json: {schema: {type: string, enum: ["x@"]}}}}}
  /b:
    get:
      operationId: b
      summary: "@"
      security: [{"k@": []}]
      x-sdk: {service: A, method: B}
      x-resilience: {scope: read, group: none, idempotent: true}
      responses: {"200": {description: done, content: {text/plain: {schema: {type: object, properties: {"f@": {type: string}}}}}}}
components:
  securitySchemes:
    "tok@en": {type: http, scheme: bearer, description: "from@ there"}
    "k@": {type: apiKey, in: query, name: "k@y", description: "@"}
`
	for _, sign := range []string{`\ufeff`, `\0`, `\a`, `\x7f`, `\N`, `\L`, `\r`, `\n`, `\u200b`, `\U0010ffff`, "`", `*/`, `\"`} {
		t.Run(sign, func(t *testing.T) {
			doc, faults := spec.Parse("acme.yaml", []byte(strings.ReplaceAll(text, "@", sign)))
			if doc == nil {
				t.Fatal(faults)
			}
			p, _ := plan.New(doc, "acme", plan.Taken{})
			if _, err := client.Files(p, render.Header{Spec: "acme.yaml"}, plan.Taken{}, plan.Taken{}); err != nil {
				t.Errorf("%.300s", err)
			}
		})
	}
}

// TestNamesOfOptions: they depend on what the spec declares, and not on which operations there are.
func TestNamesOfOptions(t *testing.T) {
	const token, key, clash = "main: {type: http, scheme: bearer}", "app-key: {type: apiKey, in: header, name: X-Key}", "app_key: {type: http, scheme: basic}"
	option := regexp.MustCompile(`(?m)^func (With\w+)\(`)
	for _, c := range []struct {
		name, schemes string
		used          []string
		want          []string
		id            string // of a credential
	}{
		{"one", token, []string{"main"}, []string{"WithToken"}, `account + "/" + id`},
		{"two", token + ", " + key, []string{"main", "app-key"}, []string{"WithMain", "WithAppKey"}, `account + "/" + schemeMain + "/" + id`},
		{"the first of two", token + ", " + key, []string{"main"}, []string{"WithMain"}, `account + "/" + schemeMain + "/" + id`},
		{"the second of two", token + ", " + key, []string{"app-key"}, []string{"WithAppKey"}, `account + "/" + schemeAppKey + "/" + id`},
		{"two of one name", key + ", " + clash, []string{"app-key", "app_key"}, []string{"WithX_app_U2D_key", "WithX_app_key"},
			`account + "/" + schemeX_app_U2D_key + "/" + id`},
		{"one of two of one name", clash + ", " + key, []string{"app-key"}, []string{"WithX_app_U2D_key"},
			`account + "/" + schemeX_app_U2D_key + "/" + id`},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, _ := spec.Parse("acme.yaml", []byte(strings.NewReplacer("ENVELOPE", "", "SCHEMA", "{type: string}").Replace(frame)+
				"  securitySchemes: {"+c.schemes+"}\n"))
			a := doc.Operations[0]
			doc.Operations = nil
			for _, scheme := range c.used {
				op := *a
				op.Auth.Value = scheme
				op.Method.Value, _ = naming.Exported("by_" + scheme)
				op.ID.Value = scheme
				doc.Operations = append(doc.Operations, &op)
			}
			p, _ := plan.New(doc, "acme", plan.Taken{})
			out, err := client.Files(p, render.Header{Spec: "acme.yaml"}, plan.Taken{}, plan.Taken{})
			if err != nil {
				t.Fatal(err)
			}
			made := string(out.Files["client.gen.go"])
			var got []string
			for _, m := range option.FindAllStringSubmatch(made, -1) {
				got = append(got, m[1])
			}
			if !slices.Equal(got, c.want) || !strings.Contains(made, "ID: "+c.id+",") {
				t.Errorf("got the options %q, want %q, with credentials named %s:\n%s", got, c.want, c.id, made)
			}
		})
	}
}
