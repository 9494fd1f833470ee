package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestForeignSpecs generates from specs of other people's tastes, each with its overlay, and runs the case's own test of how that
// behaves. What -init prints for the same spec has to do too, once its guesses are reviewed.
func TestForeignSpecs(t *testing.T) {
	specs, err := filepath.Glob("testdata/foreign/*/spec.*")
	if err != nil || len(specs) != 7 {
		t.Fatalf("%d cases (%v), want 7", len(specs), err)
	}
	module := scratch(t)
	for _, spec := range specs {
		folder := filepath.Dir(spec)
		name := filepath.Base(folder)
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(module, name)
			generate(t, spec, out)
			put(t, filepath.Join(out, "behaviour_test.go"), read(t, filepath.Join(folder, "behaviour_test.go")))
			put(t, filepath.Join(out, "fake_test.go"), read(t, "testdata/fake_test.go.txt"))

			code, skeleton, said := gen("-init", "-spec", spec)
			if code != 0 {
				t.Fatalf("-init: exit code %d: %s", code, said)
			}
			overlay := filepath.Join(module, name+".yaml")
			put(t, overlay, reviews.ReplaceAll([]byte(skeleton), nil))
			if code, _, said := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", filepath.Join(module, name+"_guessed")); code != 0 {
				t.Errorf("with the guesses: exit code %d: %s", code, said)
			}
		})
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "./...")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the generated packages do not behave: %v\n%s", err, said)
	}
}
