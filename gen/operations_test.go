package main

import (
	"bytes"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/docs"
)

// TestOperationsFile: the listing stands beside the package, and one that someone wrote stays.
func TestOperationsFile(t *testing.T) {
	spec, err := filepath.Abs("testdata/pages/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(scratch(t), "acme")
	listing := filepath.Join(out, docs.Name)
	generate(t, spec, out)
	first := string(read(t, listing))
	if !strings.Contains(first, "| `Users.List` | `users/list` | `GET /users` | read | yes | all: hour (100 per hour and credential) | user |") {
		t.Errorf("the listing lacks its call:\n%s", first)
	}
	put(t, listing, []byte("# Mine\n"))
	var stderr bytes.Buffer
	if code := run([]string{"-spec", spec, "-package", "acme", "-out", out}, io.Discard, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
	if got := string(read(t, listing)); got != "# Mine\n" {
		t.Errorf("it was written over: %q", got)
	}
	if !strings.Contains(stderr.String(), docs.Name+" is written by hand") {
		t.Errorf("nothing is said of it: %q", stderr.String())
	}
	put(t, listing, []byte(docs.Head+"v0.0.1 -->\n"))
	generate(t, spec, out)
	if got := string(read(t, listing)); got != first {
		t.Errorf("the old listing was not replaced: %q", got)
	}
}
