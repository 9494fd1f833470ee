package source_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/source"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// enveloped is a spec whose good answers have an envelope, and whose errors are described nowhere. TOP is where our keys go.
const enveloped = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\nservers: [{url: https://a.example}]\n" + `TOP
paths:
  /a:
    get:
      operationId: a
      summary: reads
      x-sdk: {service: A, method: A}
      x-resilience: {scope: read, group: none, idempotent: true}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}
  /b:
    get:
      operationId: b
      summary: reads
      x-sdk: {service: A, method: B}
      x-resilience: {scope: read, group: none, idempotent: true}
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/B"}}}}}
  /c:
    get:
      operationId: c
      summary: reads
      x-sdk: {service: A, method: C}
      x-resilience: {scope: read, group: none, idempotent: true}
      responses:
        "200": {description: ok, content: {application/json: {schema: {$ref: "#/components/schemas/C"}}}}
        "500": {description: no, content: {application/json: {schema: {type: object, properties: {inner: {type: object, properties: {code: {type: string}}}}}}}}
components:
  schemas:
    Envelope:
      type: object
      properties: {code: {type: string}, msg: {type: string}, requestId: {type: string}}
    A: {allOf: [{$ref: "#/components/schemas/Envelope"}, {type: object, properties: {node: {type: string}}}]}
    B: {allOf: [{$ref: "#/components/schemas/Envelope"}, {type: object, properties: {flag: {type: string}}}]}
    C: {type: object, properties: {result: {$ref: "#/components/schemas/Envelope"}}}
`

// TestPathsOfAnEnvelope: a path of x-envelope that no answer has is a fault where it can only be a slip, and else a note, for errors may
// be described nowhere. A spec with our extensions inside it is not asked to describe them.
func TestPathsOfAnEnvelope(t *testing.T) {
	const nowhere = " is in no answer of the spec: "
	for _, c := range []struct{ name, envelope, fault, note string }{
		{"found", "{code: [code], message: [msg], request_id: [requestId]}", "", ""},
		{"in one answer", "{code: [result.code], message: node}", "", ""},
		{"of another status", "{code: [inner.code]}", "", ""},
		{"misspelt", "{code: [kode]}", `x-envelope.code "kode"` + nowhere + `did you mean "code"?`, ""},
		{"misspelt beside one that is right", "{message: [msg], request_id: [inner.code, request_id]}",
			`x-envelope.request_id "request_id"` + nowhere + `did you mean "requestId"?`, ""},
		{"misspelt, and the right one is there too", "{request_id: [request_id, requestId]}", "",
			`x-envelope.request_id "request_id"` + nowhere + "its errors have inner, inner.code"},
		{"misspelt in the errors", "{code: [innr.code]}", `x-envelope.code "innr.code"` + nowhere + `did you mean "inner.code"?`, ""},
		{"near what one answer has", "{subcode: [flak]}", "", `x-envelope.subcode "flak"` + nowhere + "its errors have inner, inner.code"},
		{"elsewhere", "{code: [error.code]}", "", `x-envelope.code "error.code"` + nowhere + `did you mean "inner.code"?`},
	} {
		t.Run(c.name, func(t *testing.T) {
			overlay := "x-platform: acme\nx-envelope: " + c.envelope + "\n"
			_, notes, faults := load(t, map[string]string{"acme.yaml": strings.Replace(enveloped, "TOP\n", "", 1), "acme.overlay.yaml": overlay})
			want := func(text, file string) []string {
				if text == "" {
					return nil
				}
				return []string{file + text}
			}
			if !slices.Equal(faults, want(c.fault, "acme.overlay.yaml:2: ")) || !slices.Equal(notes, want(c.note, "acme.overlay.yaml:2: note: ")) {
				t.Errorf("got %q and faults %q, want %q and %q", notes, faults, c.note, c.fault)
			}
			dir := folder(t, map[string]string{"acme.yaml": strings.Replace(enveloped, "TOP\n", overlay, 1)})
			_, notes, own, err := source.Load(source.Options{Spec: dir + "/acme.yaml"})
			if err != nil || len(notes) > 0 {
				t.Errorf("our own spec has the notes %q, error %v", notes, err)
			}
			var got []string
			for _, f := range own {
				got = append(got, strings.TrimPrefix(f.String(), dir+"/"))
			}
			if !slices.Equal(got, want(c.fault, "acme.yaml:5: ")) {
				t.Errorf("our own spec has the faults %q, want %q", got, c.fault)
			}
		})
	}
}

// TestSilentErrors: where no error is described, what the good answers have is told.
func TestSilentErrors(t *testing.T) {
	text := strings.Replace(strings.Replace(enveloped, "TOP\n", "", 1), `        "500"`, `        # "500"`, 1)
	overlay := "x-platform: acme\nx-envelope: {code: [error.number]}\n"
	_, notes, faults := load(t, map[string]string{"acme.yaml": text, "acme.overlay.yaml": overlay})
	want := `acme.overlay.yaml:2: note: x-envelope.code "error.number" is in no answer of the spec: ` +
		"it describes no errors, and its answers have code, flag, msg, node, requestId, result, result.code, result.msg, ..."
	if len(faults) > 0 || !slices.Equal(notes, []string{want}) {
		t.Errorf("got %q and %q, want %q", notes, faults, want)
	}
}

// TestCodesAreTexts: a code is what the platform writes, whatever YAML would make of it.
func TestCodesAreTexts(t *testing.T) {
	const table = "x-platform: acme\nx-envelope: {code: code, good: [00, 0x0, off]}\n" +
		"x-errors:\n  030001: {class: invalid}\n  0x1F: {class: invalid}\n  1e3: {class: invalid}\n  1_000: {class: invalid}\n  yes: {class: invalid}\n  -1: {class: invalid}\n"
	dir := folder(t, map[string]string{"own.yaml": strings.Replace(enveloped, "TOP\n", table, 1)})
	own, _, faults, err := source.Load(source.Options{Spec: dir + "/own.yaml"})
	if err != nil || len(faults) > 0 {
		t.Fatalf("%v, %v", faults, err)
	}
	foreign, _, texts := load(t, map[string]string{"acme.yaml": strings.Replace(enveloped, "TOP\n", "", 1), "acme.overlay.yaml": table})
	if len(texts) > 0 {
		t.Fatal(texts)
	}
	for _, doc := range []*spec.Document{own, foreign} {
		var codes []string
		for _, row := range doc.Errors {
			codes = append(codes, row.Code)
		}
		if want := []string{"030001", "0x1F", "1e3", "1_000", "yes", "-1"}; !slices.Equal(codes, want) {
			t.Errorf("the codes are %q, want %q", codes, want)
		}
		if want := []string{"00", "0x0", "off"}; !slices.Equal(doc.Envelope.Good, want) {
			t.Errorf("good are %q, want %q", doc.Envelope.Good, want)
		}
	}
}
