package spec_test

import (
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

const merging = `openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
paths:
  /a:
    get: &get
      operationId: a
      summary: reads
      x-sdk: {service: A, method: A}
      x-resilience: &read {scope: read, group: none, idempotent: true}
      security: []
      responses: {"200": {description: done}}
  /b:
    get:
      <<: [{x-resilience: {<<: [*read, {timeout: 5s, scope: write}], idempotent: false}}, *get]
      operationId: b
      x-sdk: {<<: {service: B, method: A}, service: A, method: B}
`

// TestMergeKeys: what << brings holds as far as nothing nearer says otherwise.
func TestMergeKeys(t *testing.T) {
	doc, faults := spec.Parse("acme.yaml", []byte(merging))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	b := doc.Operations[1]
	if b.ID.Value != "b" || b.Summary != "reads" || b.Service.Value != "A" || b.Method.Value != "B" || b.Scope != "read" || b.Idempotent ||
		b.Timeout.String() != "5s" {
		t.Errorf("got %+v", b)
	}
	_, faults = spec.Parse("acme.yaml", []byte(strings.Replace(merging, "timeout: 5s", "timeuot: 5s", 1)))
	if want := `acme.yaml:16: unknown key "timeuot" in x-resilience: did you mean "timeout"?`; len(faults) != 1 || faults[0].String() != want {
		t.Errorf("got %v, want %s", faults, want)
	}
	_, faults = spec.Parse("acme.yaml", []byte(strings.Replace(merging, "&read {", "&read {<<: *read, ", 1)))
	if len(faults) == 0 || !strings.Contains(faults[0].String(), "nested more than") {
		t.Errorf("of what merges itself: got %v, want a fault", faults)
	}
}
