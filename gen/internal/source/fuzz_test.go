package source_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/source"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// FuzzLoad: whatever two files and an overlay hold, no panic; each fault has a place and a cure, each note a place; and what is read
// without a fault, as a draft and then with everything in an overlay, is planned without one.
func FuzzLoad(f *testing.F) {
	f.Add([]byte(foreign), []byte("A: {type: string}"), []byte(overlay))
	f.Add([]byte(head+"paths: {/a: {$ref: 'b.yaml#/A'}}"), []byte("A: {get: {responses: {default: {$ref: '#/A'}}}}"), []byte(""))
	f.Add([]byte(`{"openapi": "3.1.0", "paths": {"/": {"post": {"requestBody": {"content": {"*/*": {"schema": {"$ref": "b.yaml"}}}}}}}}`),
		[]byte(`{"oneOf": [{"type": ["string", "null"]}, {"allOf": [{"$ref": "#"}]}], "properties": {"+1": true, "-1": {"items": {"$ref": "#"}}}}`), []byte("x-platform: [a"))
	f.Add([]byte("swagger: '2.0'"), []byte("&a [*a]"), []byte("operations: {a: &a {<<: *a}}"))
	for _, name := range []string{"json30/spec.json", "yaml31/spec.yaml", "ugly/spec.yaml", "extensions/spec.yaml"} {
		text, err := os.ReadFile(filepath.Join("../../testdata/foreign", filepath.FromSlash(name)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text, []byte(""), []byte(overlay))
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, main, other, over []byte) {
		work := filepath.Join(dir, fmt.Sprint(os.Getpid()))
		if err := os.MkdirAll(work, 0o750); err != nil {
			t.Fatal(err)
		}
		for name, data := range map[string][]byte{"acme.yaml": main, "b.yaml": other, "o.yaml": over} {
			if err := os.WriteFile(filepath.Join(work, name), data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		acme := filepath.Join(work, "acme.yaml")
		whole(t, source.Options{Spec: acme, Overlay: filepath.Join(work, "o.yaml")})
		doc, ok := whole(t, source.Options{Spec: acme, Draft: true})
		if !ok {
			return
		}
		if err := os.WriteFile(filepath.Join(work, "o.yaml"), []byte(overlayOf(doc)), 0o600); err != nil {
			t.Fatal(err)
		}
		doc, ok = whole(t, source.Options{Spec: acme, Overlay: filepath.Join(work, "o.yaml")})
		if !ok {
			if ours(main) || ours(other) {
				return
			}
			t.Fatal("there are faults with an overlay and none without")
		}
		if _, faults := plan.New(doc, "acme", plan.Taken{}); len(faults) > 0 && !ours(main) && !ours(other) {
			t.Errorf("what was read without a fault cannot be planned: %v", faults)
		}
	})
}

// ours reports whether a text may hold an extension of ours, which is not for the reader to mend.
func ours(text []byte) bool {
	return strings.Contains(string(text), "x-") || strings.Contains(string(text), "\\")
}

// overlayOf makes an overlay with all operations of a draft.
func overlayOf(doc *spec.Document) string {
	var b strings.Builder
	b.WriteString("x-platform: acme\nserver: https://a.example\noperations:\n")
	for i, op := range doc.Operations {
		fmt.Fprintf(&b, "  %q: {x-sdk: {service: All, method: M%d}, x-resilience: {scope: write, group: none, idempotent: false}}\n", op.HTTPMethod+" "+op.Path, i)
	}
	if len(doc.Operations) == 0 {
		b.WriteString("  {}\n")
	}
	return b.String()
}

func whole(t *testing.T, o source.Options) (*spec.Document, bool) {
	t.Helper()
	doc, notes, faults, err := source.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	if doc == nil && len(faults) == 0 {
		t.Error("neither a document nor a fault")
	}
	for _, f := range faults {
		if f.Line < 1 || f.File == "" || f.Message == "" || f.Cure == "" {
			t.Errorf("fault without file, line, message or cure: %+v", f)
		}
	}
	for _, n := range notes {
		if !strings.Contains(n, ": note: ") || strings.Contains(n, "%!") {
			t.Errorf("bad note %q", n)
		}
	}
	return doc, doc != nil && len(faults) == 0
}
