package spec_test

import (
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestSpecOfOthers: a spec without any of our keys was meant with an overlay, and that alone is said.
func TestSpecOfOthers(t *testing.T) {
	const text = `# a comment
openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: /v1}]
paths:
  /users:
    parameters: []
    get:
      operationId: listUsers
      responses: {"200": {description: ok, content: {application/json: {schema: {type: integer}}}}}
`
	const want = "acme.yaml:2: the spec has none of our keys, such as x-sdk and x-resilience: they stand in an overlay: " +
		"give it with -overlay FILE; gen -init -spec acme.yaml prints one"
	for _, one := range []string{text, strings.Replace(text, "3.0.3", "3.1.0", 1)} {
		doc, faults := spec.Parse("acme.yaml", []byte(one))
		if doc != nil || len(faults) != 1 || faults[0].String() != want {
			t.Errorf("got %v, %v\nwant %s", doc, faults, want)
		}
	}
	for _, ours := range []string{"x-platform: acme\npaths:", "x-platfrom: acme\npaths:"} {
		if _, faults := spec.Parse("acme.yaml", []byte(strings.Replace(text, "paths:", ours, 1))); len(faults) < 2 {
			t.Errorf("with %q: got %v, want all faults", ours, faults)
		}
	}
	one := strings.Replace(text, "      operationId", "      x-resilience: {}\n      operationId", 1)
	if _, faults := spec.Parse("acme.yaml", []byte(one)); len(faults) < 2 {
		t.Errorf("with x-resilience: got %v, want all faults", faults)
	}
}
