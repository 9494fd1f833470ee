package client_test

import (
	"bytes"
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/client"
	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/source"
)

const shownFrame = `openapi: VERSION
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
paths:
  /a: {get: {operationId: a, parameters: [{name: page, in: query, schema: {type: integer}}], responses: {"200": {description: done, content: {application/json: MEDIA}}}}}
components:
  examples: {Kept: {value: {a: kept}}, Far: {externalValue: "https://acme.example/far.json"}}
  schemas:
    Named: {type: string, example: named}
    Base: {type: object, properties: {a: {type: string}, b: {type: integer}}, example: {a: base, b: 7}}
    Card: {type: object, properties: {kind: {type: string}, card: {type: string}}, example: {kind: card, card: c1}}
    Cash: {type: object, properties: {kind: {type: string}, cash: {type: integer}}, example: {kind: cash, cash: 5}}
    Tree: {type: object, properties: {a: {type: string}, next: {$ref: "#/components/schemas/Tree"}}, example: {a: up, next: {a: down, next: {a: [no text]}}}}
`

var anyBody = regexp.MustCompile("(?s)body: +(`.*?`|\".*?[^\\\\]\")[,}]")

// shownBody returns what the fake of a foreign spec answers.
func shownBody(t *testing.T, version, overlay, media string) string {
	t.Helper()
	dir := t.TempDir()
	spec, over := filepath.Join(dir, "acme.yaml"), filepath.Join(dir, "o.yaml")
	for path, text := range map[string]string{
		spec: strings.NewReplacer("VERSION", version, "MEDIA", media).Replace(shownFrame),
		over: "x-platform: acme\noperations: {a: {x-sdk: {service: Things, method: A}, x-resilience: {scope: read, group: none, idempotent: true" + overlay,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	doc, _, faults, err := source.Load(source.Options{Spec: spec, Overlay: over})
	if err != nil || len(faults) > 0 {
		t.Fatal(err, faults)
	}
	p, faults := plan.New(doc, "acme", plan.Taken{})
	out, err := client.Files(p, render.Header{Spec: "acme.yaml"}, plan.Taken{}, plan.Taken{})
	if err != nil || len(out.Faults)+len(faults) > 0 {
		t.Fatal(err, faults, out.Faults)
	}
	code := out.Files["acmetest/server.gen.go"]
	if _, err := parser.ParseFile(token.NewFileSet(), "server.gen.go", code, 0); err != nil {
		t.Fatal(err)
	}
	_, rows, _ := bytes.Cut(code, []byte("func operations()"))
	m := anyBody.FindSubmatch(rows)
	if m == nil {
		t.Fatalf("no example in %s", code)
	}
	text, err := strconv.Unquote(string(m[1]))
	if err != nil {
		t.Fatalf("%s: %v", m[1], err)
	}
	var b bytes.Buffer
	if err := json.Compact(&b, []byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return b.String()
}

// TestShownExamples: the fake answers what the spec shows, as far as the answer's type takes it and the middleware takes it for a success.
func TestShownExamples(t *testing.T) {
	const (
		none = "}}}\n"
		v30  = "3.0.3"
		v31  = "3.1.0"
	)
	object := func(props string) string { return "{schema: {type: object, properties: {" + props + "}}}" }
	tests := []struct{ name, version, overlay, media, want string }{
		{"of a whole answer", v30, none, `{schema: {$ref: "#/components/schemas/Base"}, example: {b: 2, a: x, more: [1, {c: null}]}}`,
			`{"b":2,"a":"x","more":[1,{"c":null}]}`},
		{"the first that stands in the spec", v30, none, `{schema: {$ref: "#/components/schemas/Base"}, examples: {far: {$ref: "#/components/examples/Far"}, ` +
			`kept: {$ref: "#/components/examples/Kept"}, last: {value: {a: z}}}}`, `{"a":"kept"}`},
		{"of a whole answer, of another shape", v30, none, `{schema: {type: object, properties: {a: {type: string}}}, example: [1]}`, `{"a":"text"}`},
		{"of a whole answer, with a field of another shape", v30, none, `{schema: {type: object, properties: {a: {type: integer}, b: {type: array, items: {type: string}}}}, ` +
			`example: {a: many, b: {c: 1}}}`, `{"a":1,"b":["text"]}`},
		{"of fields", v30, none, object(`a: {type: string, example: x}, b: {type: integer, example: 42}, c: {type: number, example: 2.50}, d: {type: boolean, example: false}, ` +
			`e: {type: array, items: {type: string}, example: [p, q]}, f: {type: array, items: {type: string, example: r}}, g: {type: object, additionalProperties: {type: integer}, example: {k: 3}}`),
			`{"a":"x","b":42,"c":2.50,"d":false,"e":["p","q"],"f":["r"],"g":{"k":3}}`},
		{"of another type", v30, none, object(`a: {type: integer, example: 1.5}, b: {type: number, example: x}, c: {type: boolean, example: "true"}, d: {type: array, items: {type: integer}, example: x}, ` +
			`e: {type: string, example: [x]}, f: {type: string, format: date-time, example: today}, g: {type: string, enum: [on, "off"], example: up}, h: {type: integer, example: 99999999999999999999}`),
			`{"a":1,"b":1.5,"c":true,"d":[1],"e":"text","f":"2026-01-01T00:00:00Z","g":"on","h":1}`},
		{"texts without quotes", v30, none, object(`a: {type: string, example: 0012}, b: {type: string, example: true}, c: {type: string, format: date, example: 2026-02-03}, ` +
			`d: {type: string, format: date-time, example: 2026-02-03T04:05:06Z}, e: {type: string, example: null}, f: {type: string, enum: ["1", "2"], example: 2}`),
			`{"a":"0012","b":"true","c":"2026-02-03","d":"2026-02-03T04:05:06Z","e":"text","f":"2"}`},
		{"defaults", v30, none, object(`a: {type: string, default: d}, b: {type: integer, default: 0}, c: {type: array, items: {type: string}, default: []}, d: {type: string, default: ""}, ` +
			`e: {type: string, default: d, example: x}, f: {type: string, enum: [p, q], default: q}`), `{"a":"d","b":0,"c":["text"],"d":"text","e":"x","f":"q"}`},
		{"examples, const and a word beside a reference", v31, none, object(`a: {type: string, examples: [x, y]}, b: {const: 3}, c: {$ref: "#/components/schemas/Named"}, ` +
			`d: {$ref: "#/components/schemas/Named", example: beside}, e: {type: [string, "null"], examples: [null], default: d}`), `{"a":"x","b":3,"c":"named","d":"beside","e":"d"}`},
		{"beside a reference of 3.0", v30, none, object(`a: {$ref: "#/components/schemas/Named", example: beside}`), `{"a":"named"}`},
		{"through an allOf", v30, none, `{schema: {allOf: [{$ref: "#/components/schemas/Base"}, {type: object, properties: {c: {type: string, example: z}}}]}}`,
			`{"a":"base","b":7,"c":"z"}`},
		{"another name", v30, none, `{schema: {allOf: [{$ref: "#/components/schemas/Base"}]}}`, `{"a":"base","b":7}`},
		{"of a plain value's part", v30, none, object(`a: {allOf: [{$ref: "#/components/schemas/Named"}], nullable: true}, b: {oneOf: [{type: string}, {type: string, example: y}]}`),
			`{"a":"named","b":"y"}`},
		{"of the first alternative", v30, none, `{schema: {oneOf: [{$ref: "#/components/schemas/Card"}, {$ref: "#/components/schemas/Cash"}]}}`, `{"kind":"card","card":"c1"}`},
		{"of what holds itself", v30, none, `{schema: {$ref: "#/components/schemas/Tree"}}`, `{"a":"up","next":{"a":"down","next":{"a":"text"}}}`},
		{"a refusal", v30, "}}}\nx-envelope: {code: [code], good: [\"0\"], success: [ok]}\n",
			`{schema: {type: object, properties: {code: {type: integer}, ok: {type: boolean}, a: {type: string}}}, example: {code: 40001, ok: false, a: x}}`, `{"code":0,"ok":true,"a":"x"}`},
		{"no code", v30, "}}}\nx-envelope: {code: [r.code], good: [\"00\"]}\n",
			`{schema: {type: object, properties: {r: {type: object, properties: {code: {type: string, example: "500"}}}, a: {type: string}}}, example: {a: x}}`, `{"a":"x","r":{"code":"00"}}`},
		{"a code that is null", v30, "}}}\nx-envelope: {code: [r.code], good: [\"00\"]}\n",
			`{schema: {type: object, properties: {r: {type: object, nullable: true, properties: {code: {type: string}}}}}, example: {r: null}}`, `{"r":{"code":"00"}}`},
		{"a code that is no property", v30, "}}}\nx-envelope: {code: [r.code], good: [\"00\"]}\n",
			`{schema: {type: object, properties: {a: {type: string}}}, example: {r: {code: "500", n: 1}}}`, `{"r":{"code":"00","n":1}}`},
		{"a code means a refusal", v30, "}}}\nx-envelope: {code: [error]}\n",
			`{schema: {type: object, properties: {error: {type: string}, a: {type: string}}}, example: {error: bad, a: x}}`, `{"a":"x"}`},
		{"half a success", v30, ", partial: [bad]}}}\n", `{schema: {type: object, properties: {bad: {type: array, items: {type: string}}, a: {type: string}}}, example: {bad: [x], a: x}}`, `{"a":"x"}`},
		{"a cursor", v30, "}, x-pagination: {style: cursor, param: page, items: list, next: next}}}\n",
			`{schema: {type: object, properties: {list: {type: array, items: {type: integer}}, next: {type: integer}}}, example: {list: [4, 5], next: 9}}`, `{"list":[4,5]}`},
		{"a count", v30, "}, x-pagination: {style: offset, param: page, items: list, total: total}}}\n",
			`{schema: {type: object, properties: {total: {type: integer, example: 900}, list: {type: array, items: {type: integer}, example: [4, 5]}}}}`, `{"total":2,"list":[4,5]}`},
		{"text that is unsafe in Go", v30, none, object("a: {type: string, example: \"`\\n\\r\\u2028\\ufeff\\0\\\\ </script> ${x} %s\"}"),
			`{"a":"` + "`" + `\n\r\u2028` + "\ufeff" + `\u0000\\ </script> ${x} %s"}`},
		{"merged members", v30, none, `{schema: {$ref: "#/components/schemas/Base"}, example: {<<: {a: m, b: 1}, b: 2}}`, `{"b":2,"a":"m"}`},
		{"no number of JSON", v30, none, object(`a: {type: number, example: .inf}, b: {type: integer, example: 0x10}, c: {type: integer, example: +5}`), `{"a":1.5,"b":16,"c":5}`},
		{"too large", v30, none, object(`a: {type: string, example: ` + strings.Repeat("x", 3<<20) + `}, b: {type: string, example: ` + strings.Repeat("y", 1000) + `}`),
			`{"a":"text","b":"` + strings.Repeat("y", 1000) + `"}`},
		{"holds itself without end", v30, none, `{schema: {type: object, properties: {a: {type: string}}}, example: &e {a: x, e: *e}}`, `{"a":"text"}`},
		{"aliases of aliases", v30, none, `{schema: {type: object, properties: {a: {type: string}}}, example: {a: x, b: &b [1,1,1,1,1,1,1,1], c: &c [*b,*b,*b,*b,*b,*b,*b,*b], ` +
			`d: &d [*c,*c,*c,*c,*c,*c,*c,*c], e: &e [*d,*d,*d,*d,*d,*d,*d,*d], f: &f [*e,*e,*e,*e,*e,*e,*e,*e], g: &g [*f,*f,*f,*f,*f,*f,*f,*f], h: [*g,*g,*g,*g,*g,*g,*g,*g]}}`, `{"a":"text"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := shownBody(t, tt.version, tt.overlay, tt.media); got != tt.want {
				t.Errorf("got  %.600s\nwant %.600s", got, tt.want)
			}
		})
	}
}

// TestShownExamplesAreSmall: many examples of a bearable size are no more than a few of them in code.
func TestShownExamplesAreSmall(t *testing.T) {
	var props strings.Builder
	for i := range 200 {
		props.WriteString("f" + strconv.Itoa(i) + ": {type: string, example: " + strings.Repeat("x", 8000) + "}, ")
	}
	if got := shownBody(t, "3.0.3", "}}}\n", "{schema: {type: object, properties: {"+props.String()+"}}}"); len(got) > 64<<10 || !strings.Contains(got, "xxxx") || !strings.Contains(got, `"f199":"text"`) {
		t.Errorf("%d bytes", len(got))
	}
}
