package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
)

// TestFolders: no package is written beside another, and none is taken away that is another.
func TestFolders(t *testing.T) {
	module := scratch(t)
	dir := filepath.Join(module, "acme")
	spec, overlay := filepath.Join(module, "acme.yaml"), filepath.Join(module, "acme.overlay.yaml")
	put(t, spec, foreignSpec("{a: {type: http, scheme: bearer}}", "[{a: []}]"))
	put(t, overlay, []byte(reviewedOverlay))
	if code, _, _ := gen("-spec", spec, "-overlay", overlay, "-package", "main", "-out", filepath.Join(module, "program")); code == 0 {
		t.Error("a package main was written, which does not compile: it has no func main")
	}
	put(t, filepath.Join(module, "there", "own.go"), []byte("package there\n"))
	if code, _, _ := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", filepath.Join(module, "there")); code == 0 {
		t.Error("package acme was written into the folder of package there, which does not compile any more")
	}
	for _, args := range [][]string{{"-package", "acme", "-out", dir}, {"-package", "sandbox", "-out", filepath.Join(dir, "sandbox")}, {"-package", "acme", "-out", dir}} {
		put(t, overlay, []byte(strings.Replace(reviewedOverlay, "method: Create", "method: Create"+args[1], 1)))
		if args[1] == "acme" {
			put(t, overlay, []byte(strings.Replace(reviewedOverlay, "method: Create", fmt.Sprintf("method: Create%v", exists(dir)), 1)))
		}
		if code, _, said := gen(append([]string{"-spec", spec, "-overlay", overlay}, args...)...); code != 0 {
			t.Fatalf("exit code %d: %s", code, said)
		}
	}
	if !exists(filepath.Join(dir, "sandbox", "models.gen.go")) {
		t.Error("package sandbox inside acme, made from the same spec, was taken away")
	}
}
