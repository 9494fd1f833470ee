package source_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestOverlayJoinsSpec: what the spec says in our words holds as far as the overlay does not speak of the same thing.
func TestOverlayJoinsSpec(t *testing.T) {
	const (
		own = head + `x-platform: theirs
x-envelope: {code: [code], message: [text]}
x-errors: {"100": {class: duplicate-content}, "200": {class: throttled, cool: 1m}}
x-quotas:
  windows: {w: {limit: 1, per: 1s, key: app, source: the docs}, v: {limit: 2, per: 1s, key: app, source: the docs}}
  groups: {g: [w], h: [v]}
paths:
  /a:
    put:
      operationId: a
      summary: does it
      x-sdk: {service: Z, method: Put}
      x-resilience: {scope: write, group: g, idempotent: false, sensitive: true, errors: {"5": {class: not-found}, "6": {class: invalid}}}
      responses: {"204": {description: ok}}
  /b:
    get:
      operationId: b
      summary: does it
      x-sdk: {service: Z, method: Get}
      x-resilience: {scope: read, group: h, idempotent: true}
      responses: {"204": {description: ok}}
`
		over = `x-platform: acme
x-envelope: {message: [message]}
x-errors: {"200": {class: quota-exhausted, reset: day}, "300": {class: invalid}}
x-quotas: {windows: {w: {limit: 9, per: 1s, key: app, source: our mail}}}
operations:
  a:
    x-sdk: {method: Change}
    x-resilience: {timeout: 5s, errors: {"6": {class: forbidden}}}
`
	)
	doc, _, faults := load(t, map[string]string{"acme.yaml": own, "acme.overlay.yaml": over})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	a, b := doc.Operations[0], doc.Operations[1]
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"platform", doc.Platform, "acme"},
		{"envelope", fmt.Sprint(doc.Envelope.Code, doc.Envelope.Message), "[code] [message]"},
		{"codes", codes(doc.Errors), "100 duplicate-content, 200 quota-exhausted, 300 invalid"},
		{"a row is a whole one", doc.Errors[1].Cool, "0s"},
		{"windows", fmt.Sprint(len(doc.Windows), doc.Windows[0].Limit, doc.Windows[1].Limit), "2 9 2"},
		{"groups", len(doc.Groups), 2},
		{"method", a.Service.Value + "." + a.Method.Value, "Z.Change"},
		{"policy", fmt.Sprint(a.Scope, " ", a.Group.Value, " ", a.Idempotent, a.Sensitive, a.Timeout), "write g false true 5s"},
		{"codes of the operation", codes(a.Errors), "5 not-found, 6 forbidden"},
		{"an operation that only the spec speaks of", b.Service.Value + "." + b.Method.Value, "Z.Get"},
	} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

func codes(rows []*spec.ErrorRow) string {
	words := make([]string, len(rows))
	for i, row := range rows {
		words[i] = row.Code + " " + row.Class
	}
	return strings.Join(words, ", ")
}

// TestMergeKeysOfAnOverlay: an overlay may merge mappings (<<) wherever a spec may.
func TestMergeKeysOfAnOverlay(t *testing.T) {
	doc, _, faults := load(t, map[string]string{
		"acme.yaml": head + `paths:
  /a: {get: {operationId: a, responses: {"204": {description: ok}}}}
  /b: {get: {operationId: b, responses: {"204": {description: ok}}}}
`,
		"acme.overlay.yaml": `x-platform: acme
x-quotas:
  windows: {w: &w {limit: 1, per: 1s, key: app, source: the docs}, v: {<<: *w, <<: {per: 2s, guard: 1}, limit: 3}}
  groups: {g: [w, v]}
operations:
  a: &a {x-sdk: {service: A, method: A}, x-resilience: &r {scope: read, group: g, idempotent: true}}
  b: {<<: *a, x-sdk: {service: A, method: B}, x-resilience: {<<: *r, idempotent: false}}
`,
	})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	if b := doc.Operations[1]; b.Method.Value != "B" || b.Scope != "read" || b.Idempotent || b.Group.Value != "g" {
		t.Errorf("got %+v", b)
	}
	if v := doc.Windows[1]; v.Limit != 3 || v.Per.String() != "1s" || v.Guard != 1 || v.Source != "the docs" {
		t.Errorf("got %+v", v)
	}
}
