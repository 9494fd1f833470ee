package main

import (
	"bytes"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/*/want")

// A scratch is a module outside the clone that generated code goes to. It takes the root module from the clone.
func scratch(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	// The requirements of the root module hold here too, so that nothing needs to be looked up.
	_, requires, _ := strings.Cut(string(mod), "\n")
	put(t, filepath.Join(dir, "go.mod"), []byte("module example.com/stranger\n"+requires+
		"\nrequire github.com/dujiang-go/dujiang v0.1.0\n\nreplace github.com/dujiang-go/dujiang => "+root+"\n"))
	sum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "go.sum"), sum)
	return dir
}

func put(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
}

func generate(t *testing.T, spec, out string) {
	t.Helper()
	var stderr bytes.Buffer
	if code := run([]string{"-spec", spec, "-package", "acme", "-out", out}, io.Discard, &stderr); code != 0 {
		t.Fatalf("exit code %d: %s", code, stderr.String())
	}
}

// TestGolden compares what each case's spec becomes with what is kept, and runs the case's own test of how that behaves.
func TestGolden(t *testing.T) {
	specs, err := filepath.Glob("testdata/*/spec.yaml")
	if err != nil || len(specs) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	module := scratch(t)
	for _, spec := range specs {
		name := filepath.Base(filepath.Dir(spec))
		t.Run(name, func(t *testing.T) {
			out := filepath.Join(module, name)
			generate(t, spec, out)
			compare(t, out, filepath.Join(filepath.Dir(spec), "want"))
			behaviour, err := os.ReadFile(filepath.Join(filepath.Dir(spec), "behaviour_test.go"))
			if err != nil {
				t.Fatal(err)
			}
			put(t, filepath.Join(out, "behaviour_test.go"), behaviour)
		})
	}
	cmd := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "./...")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the generated packages do not behave: %v\n%s", err, said)
	}
}

func compare(t *testing.T, out, want string) {
	t.Helper()
	made, err := filepath.Glob(filepath.Join(out, "*.gen.go"))
	if err != nil || len(made) != 3 {
		t.Fatalf("%d files were written (%v), want 3", len(made), err)
	}
	for _, path := range made {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		kept := filepath.Join(want, filepath.Base(path))
		if *update {
			put(t, kept, got)
			continue
		}
		expected, err := os.ReadFile(kept)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, expected) {
			t.Errorf("%s is not what testdata has: run go test -update and read the diff", filepath.Base(path))
		}
	}
}

// TestSameBytesEverywhere generates in other folders, with one and with many processors, and in another locale.
func TestSameBytesEverywhere(t *testing.T) {
	spec, err := filepath.Abs("testdata/json_in_form/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var first map[string]string
	modules := []string{scratch(t), scratch(t)} // before the folder changes
	for i, processors := range []int{1, 16} {
		module := modules[i]
		put(t, filepath.Join(module, "specs", "acme.yaml"), read(t, spec))
		t.Chdir(module)
		t.Setenv("LC_ALL", "zh_CN.GBK")
		t.Setenv("TZ", "Asia/Shanghai")
		before := runtime.GOMAXPROCS(processors)
		generate(t, "specs/acme.yaml", "acme")
		runtime.GOMAXPROCS(before)
		files := map[string]string{}
		for _, name := range []string{"models.gen.go", "services.gen.go", "operations.gen.go"} {
			files[name] = string(read(t, filepath.Join("acme", name)))
			if strings.Contains(files[name], module) || !strings.Contains(files[name], "specs/acme.yaml") {
				t.Errorf("%s names a folder of this machine, or not its spec", name)
			}
		}
		if first == nil {
			first = files
			continue
		}
		for name := range first {
			if first[name] != files[name] {
				t.Errorf("%s differs between two runs", name)
			}
		}
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestFaultySpecWritesNothing: every fault with its line, exit code 1, and the folder as it was.
func TestFaultySpecWritesNothing(t *testing.T) {
	module := scratch(t)
	good := string(read(t, "testdata/pages/spec.yaml"))
	bad := strings.NewReplacer("group: all,", "group: al,", "scope: read,", "scope: raed,").Replace(good)
	put(t, filepath.Join(module, "acme.yaml"), []byte(bad))
	put(t, filepath.Join(module, "acme", "models.gen.go"), []byte("// Code generated by gen v0.0.1 from acme.yaml; DO NOT EDIT.\n\npackage acme\n"))
	t.Chdir(module)
	var stderr bytes.Buffer
	if code := run([]string{"-spec", "acme.yaml", "-package", "acme", "-out", "acme"}, io.Discard, &stderr); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	line := strings.Count(good[:strings.Index(good, "x-resilience")], "\n") + 1
	for _, want := range []string{fmt.Sprintf("acme.yaml:%d: ", line), `"al"`, `"raed"`, "nothing written"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q lacks %q", stderr.String(), want)
		}
	}
	if left, _ := os.ReadDir("acme"); len(left) != 1 {
		t.Errorf("%d files in the folder, want the one that was there", len(left))
	}
}

// TestWhatDoesNotCompileIsNotWritten: a module whose middleware is too old for the generated code.
func TestWhatDoesNotCompileIsNotWritten(t *testing.T) {
	spec, err := filepath.Abs("testdata/pages/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	module := t.TempDir()
	put(t, filepath.Join(module, "go.mod"), []byte("module example.com/stranger\n\ngo 1.26\n"))
	t.Chdir(module)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	var stderr bytes.Buffer
	if code := run([]string{"-spec", spec, "-package", "acme", "-out", "acme"}, io.Discard, &stderr); code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
	if !strings.Contains(stderr.String(), "does not compile") || !strings.Contains(stderr.String(), "go get github.com/dujiang-go/dujiang") {
		t.Errorf("got %q, want what is wrong and the cure", stderr.String())
	}
	if left, _ := os.ReadDir("acme"); len(left) != 0 {
		t.Errorf("%d files were written", len(left))
	}
}

func TestCommandLine(t *testing.T) {
	for _, args := range [][]string{nil, {"-spec", "a.yaml"}, {"-spec", "a.yaml", "-package", "a-b", "-out", "x"}, {"extra"}} {
		var stderr bytes.Buffer
		if code := run(args, io.Discard, &stderr); code != 2 || stderr.Len() == 0 {
			t.Errorf("%v: exit code %d with %q, want 2 and a word why", args, code, stderr.String())
		}
	}
}
