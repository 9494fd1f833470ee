package main

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// A brokenPipe is a stream whose reader has left.
type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, syscall.EPIPE }

// TestNobodyListens: what is said on the way has no reader any more. The package is written whole, or not at all.
func TestNobodyListens(t *testing.T) {
	module := scratch(t)
	spec, err := filepath.Abs("testdata/pages/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	good := string(read(t, spec))
	t.Chdir(module)
	args := []string{"-spec", spec, "-package", "acme", "-out", "acme"}
	if code := run(args, brokenPipe{}, brokenPipe{}); code != 0 {
		t.Errorf("exit code %d, want 0: all is written", code)
	}
	before := written(t, module)
	if len(before) < 3 {
		t.Errorf("%d files were written", len(before))
	}
	put(t, "bad.yaml", []byte(strings.Replace(good, "scope: read", "scope: raed", 1)))
	args[1] = "bad.yaml"
	if code := run(args, brokenPipe{}, brokenPipe{}); code != 1 {
		t.Errorf("a faulty spec: exit code %d, want 1", code)
	}
	for name, text := range written(t, module) {
		if before[name] != text {
			t.Errorf("%s was changed", name)
		}
	}
}

// TestFolderThatCannotBeWritten: each of them is an error that says which folder, and nothing is left behind.
func TestFolderThatCannotBeWritten(t *testing.T) {
	module := scratch(t)
	spec, err := filepath.Abs("testdata/pages/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(module)
	put(t, filepath.Join("taken", "operations.gen.go", "x"), []byte("x"))
	put(t, "file", []byte("x"))
	for _, out := range []string{"taken", "file", filepath.Join("file", "acme")} {
		var stderr strings.Builder
		if code := run([]string{"-spec", spec, "-package", "acme", "-out", out}, brokenPipe{}, &stderr); code != 1 {
			t.Errorf("%s: exit code %d, want 1", out, code)
		}
		if !strings.Contains(stderr.String(), "folder") && !strings.Contains(stderr.String(), "file") {
			t.Errorf("%s: got %q, want what is in the way", out, stderr.String())
		}
	}
	left, err := os.ReadDir("taken")
	if err != nil || len(left) != 1 {
		t.Errorf("%d files are left in the folder, want the one that was there: %v", len(left), err)
	}
}
