package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestOwnWords: what a spec of somebody else says in our words holds, and -init does not guess it again.
func TestOwnWords(t *testing.T) {
	module := scratch(t)
	dir := filepath.Join(module, "acme")
	spec, overlay := filepath.Join(dir, "acme.yaml"), filepath.Join(dir, "acme.overlay.yaml")
	const text = `openapi: 3.0.3
info: {title: Some API, version: "1"}
servers: [{url: "https://api.acme.example"}]
x-platform: acme-cloud
x-envelope: {code: [code]}
x-quotas: {windows: {w: {limit: 1, per: 1s, key: app, source: the docs}}, groups: {g: [w]}}
paths:
  /a:
    put:
      operationId: putA
      x-sdk: {service: Z, method: Put}
      x-resilience: {scope: write, group: g, idempotent: false, sensitive: true, errors: {"5": {class: not-found}}}
      parameters: [{name: appkey, in: query, required: true, x-from: credential, schema: {type: string}}]
      responses: {"204": {description: ok}}
    get:
      operationId: getA
      x-resilience: {scope: read, group: g, idempotent: true}
      responses: {"204": {description: ok}}
    post:
      operationId: postA
      x-sdk: {service: Z, method: Post}
      responses: {"204": {description: ok}}
`
	put(t, spec, []byte(text))
	code, printed, said := gen("-init", "-spec", spec)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	_, operations, _ := strings.Cut(printed, "\noperations:")
	for _, want := range []string{
		"  # the spec itself says its x-sdk and x-resilience, which hold\n",
		"  getA:\n    x-sdk: {service: A, method: Get}\n    review:", "  postA:\n    x-resilience: {scope: write, group: g, idempotent: false}\n    review:",
	} {
		if !strings.Contains(operations, want) {
			t.Errorf("-init printed no %q:\n%s", want, operations)
		}
	}
	if strings.Contains(operations, "putA:") || !strings.Contains(printed, "\nx-platform: acme-cloud ") {
		t.Errorf("-init printed what the spec says already:\n%s", printed)
	}
	put(t, overlay, reviews.ReplaceAll([]byte(printed), nil))
	args := []string{"-spec", spec, "-overlay", overlay, "-package", "acme", "-out", dir}
	code, _, said = gen(args...)
	want := spec + ":13: appkey of putA is from the credential, and the client that is generated does not know it: " +
		"drop x-from, so that callers give it, or write a Client of your own beside the generated files\n"
	if code != 1 || !strings.Contains(said, want) {
		t.Errorf("exit code %d: %s, want %s", code, said, want)
	}
	put(t, filepath.Join(dir, "own.go"), []byte("package acme\n\ntype Client struct{ services }\n"))
	put(t, filepath.Join(dir, "acmetest", "own.go"), []byte("package acmetest\n\nfunc NewServer() {}\n"))
	if code, _, said = gen(args...); code != 0 {
		t.Fatalf("with a client of our own: exit code %d: %s", code, said)
	}
	made := string(read(t, filepath.Join(dir, "operations.gen.go")))
	for _, want := range []string{`Group: "g"`, "Sensitive: true", `"5"`, `"appkey"`} {
		if !strings.Contains(made, want) {
			t.Errorf("operations.gen.go lacks %s:\n%s", want, made)
		}
	}
	put(t, spec, []byte(strings.Split(text, "    get:")[0]))
	code, printed, _ = gen("-init", "-spec", spec)
	if want := "\noperations: # the spec itself says all of its operations\n"; code != 0 || !strings.Contains(printed, want) {
		t.Errorf("exit code %d: %s, want %s", code, printed, want)
	}
	put(t, overlay, []byte(printed))
	put(t, spec, []byte(text))
	code, more, said := gen("-init", "-spec", spec, "-overlay", overlay)
	put(t, overlay, []byte(printed+reviews.ReplaceAllString(more, "")))
	if code != 0 || !strings.Contains(more, "x-sdk:") {
		t.Fatalf("exit code %d: %s", code, said)
	}
	if code, _, said := gen(args...); code != 0 {
		t.Errorf("with what was appended: exit code %d: %s", code, said)
	}
}
