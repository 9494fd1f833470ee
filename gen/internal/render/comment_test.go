package render_test

import (
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestSignsThatGoRefuses: texts are copied out of editors, with the mark that begins a file and more that nobody sees.
func TestSignsThatGoRefuses(t *testing.T) {
	const text = `openapi: 3.0.3
info: {title: "Ac@me", version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
x-envelope: {code: ["co@de"]}
x-errors: {"1": {class: throttled, name: One, doc: "a@b", says: {x: {class: invalid, doc: "@c"}}}}
x-quotas: {windows: {w: {limit: 1, per: 1m, key: credential, source: "so@"}}, groups: {g: [w]}}
paths:
  /a:
    get:
      operationId: "a@"
      summary: "re@turns a"
      description: "so@ it is"
      x-sdk: {service: A, method: Get}
      x-resilience: {scope: read, group: g, idempotent: true, errors: {"2": {class: invalid, doc: "d@"}}}
      security: []
      parameters: [{name: "b@", in: query, description: "a@b", schema: {type: string, enum: ["@"]}}]
      responses: {"200": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/A"}}}}}
components:
  schemas:
    A: {type: object, description: "a@ thing", properties: {c: {type: string, description: "@c@"}, k: {$ref: "#/components/schemas/K"}}}
    K: {type: string, description: "@", enum: ["a@"], x-enum-varnames: [A]}
`
	for _, sign := range []string{`\ufeff`, `\0`, `\a`, `\x7f`, `\N`, `\L`, `\r`, `\u200b`, `\U0010ffff`} {
		t.Run(sign, func(t *testing.T) {
			doc, faults := spec.Parse("acme.yaml", []byte(strings.ReplaceAll(text, "@", sign)))
			if doc == nil {
				t.Fatal(faults)
			}
			p, _ := plan.New(doc, "acme", plan.Taken{}) // some of the signs are faults in names, and none may be in a text
			if _, err := render.Files(p, render.Header{Spec: "acme.yaml"}); err != nil {
				t.Errorf("%.300s", err)
			}
		})
	}
}
