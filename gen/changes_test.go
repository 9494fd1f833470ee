package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestAnotherRunSaysWhatChanges: once the spec has changed, what callers must do stands on standard error, policies first. The first run
// says nothing of it, nor does one without changes.
func TestAnotherRunSaysWhatChanges(t *testing.T) {
	module := scratch(t)
	spec, overlay, out := filepath.Join(module, "acme.yaml"), filepath.Join(module, "o.yaml"), filepath.Join(module, "acme")
	text := string(foreignSpec("{a: {type: http, scheme: bearer}}", "[{a: []}]"))
	run := func(spoken ...string) {
		t.Helper()
		code, _, said := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", out)
		var got []string
		for line := range strings.Lines(said) {
			if rest, ok := strings.CutPrefix(line, "gen: "); ok {
				got = append(got, strings.TrimSpace(rest))
			}
		}
		if code != 0 || strings.Join(got, "\n") != strings.Join(spoken, "\n") {
			t.Errorf("exit code %d, got\n%s\nwant\n%s", code, said, strings.Join(spoken, "\n"))
		}
	}
	put(t, spec, []byte(text))
	put(t, overlay, []byte(reviewedOverlay))
	run()
	run()

	put(t, spec, []byte(strings.NewReplacer("name: page, in: query", "name: page, in: query, required: true", "name: {type: string}", "name: {type: string}, note: {type: string}",
		"scheme: bearer", "scheme: basic").Replace(text)))
	put(t, overlay, []byte(strings.NewReplacer("idempotent: false", "idempotent: true", "x-pagination: {style: page, param: page, items: users}", "").Replace(reviewedOverlay)))
	run("calls of acme are treated otherwise now: Users.Create was never sent again after an answer that was lost, and is sent again now",
		"callers of acme must change: WithToken is gone; UsersService.ListAll is gone; UsersListRequest.Page was *int64, is int64",
		"acme has 1 new function, 1 new field")

	// What the package has by hand now is there still.
	put(t, filepath.Join(out, "own.go"), []byte("package acme\n\ntype Client struct{ services }\n\nfunc New() {}\n\nfunc WithBasic(user, password string) {}\n"))
	put(t, filepath.Join(out, "acmetest", "own.go"), []byte("package acmetest\n\n// To be continued\nfunc NewServer( {\n"))
	code, _, said := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", out)
	for _, want := range []string{"callers of acme must change: New took (...stack.Option), takes (); New gave (*Client, error), gives ();", "Client.Do is gone", "callers of acmetest must change: "} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, %s lacks %q", code, said, want)
		}
	}
	if strings.Contains(said, "Client.Users") {
		t.Errorf("the services of a Client by hand are taken for gone: %s", said)
	}
}
