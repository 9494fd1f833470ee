package output_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/output"
)

// module makes a module without requirements and returns its folder.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	put(t, dir, map[string]string{"go.mod": "module example.com/stranger\n\ngo 1.26\n"})
	put(t, dir, files)
	return dir
}

func put(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t *testing.T, dir string) *output.Folder {
	t.Helper()
	f, err := output.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return fmt.Sprint(out)
}

func TestOpen(t *testing.T) {
	dir := module(t, map[string]string{"file": "x"})
	if f := open(t, filepath.Join(dir, "a", "b")); f.Path != filepath.Join(dir, "a", "b") {
		t.Errorf("got %s", f.Path)
	}
	for _, c := range []struct{ dir, want string }{
		{filepath.Join(dir, "file"), "is a file: name a folder"},
		{filepath.Join(t.TempDir(), "a"), "belongs to no module: run go mod init"},
	} {
		if _, err := output.Open(c.dir); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", c.dir, err, c.want)
		}
	}
}

// TestName: the name in the head of files does not depend on where gen runs, and shows no folder outside the module.
func TestName(t *testing.T) {
	dir := module(t, map[string]string{"a/x": "", "specs/acme.yaml": ""})
	f := open(t, filepath.Join(dir, "a"))
	elsewhere := filepath.Join(t.TempDir(), "other", "acme.yaml")
	for _, c := range []struct{ cwd, spec, want string }{
		{dir, "specs/acme.yaml", "specs/acme.yaml"},
		{filepath.Join(dir, "a"), "../specs/acme.yaml", "specs/acme.yaml"},
		{dir, filepath.Join(dir, "specs/acme.yaml"), "specs/acme.yaml"},
		{dir, elsewhere, "acme.yaml"},
	} {
		t.Chdir(c.cwd)
		if got := f.Name(c.spec); got != c.want {
			t.Errorf("%s from %s: got %s, want %s", c.spec, c.cwd, got, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	dir := module(t, map[string]string{"acme/client.go": "package acme\n\nvar _ = NotThereYet\n"})
	f := open(t, filepath.Join(dir, "acme"))
	good := map[string][]byte{"models.gen.go": []byte("package acme\n\ntype User struct{}\n"), "services.gen.go": []byte("package acme\n\nvar _ User\n")}
	if err := f.Check(good); err != nil {
		t.Errorf("good files beside hand-written ones that wait for others: %v", err)
	}
	bad := map[string][]byte{"models.gen.go": []byte("package acme\n\nvar _ User\n")}
	for name, check := range map[string]func(map[string][]byte) error{"Check": f.Check, "Build": f.Build} {
		if err := check(good); err != nil {
			t.Errorf("%s of good files: %v", name, err)
		}
		err := check(bad)
		if err == nil || !strings.Contains(err.Error(), "undefined: User") || !strings.Contains(err.Error(), "nothing written") {
			t.Errorf("%s: got %v, want what the compiler says", name, err)
		}
	}
	if got := names(t, dir) + names(t, f.Path); got != "[acme go.mod][client.go]" {
		t.Errorf("the check left %s", got)
	}
}

// TestCheckOfSeveralPackages: a fake beside the package sees the hand-written files, which may not compile yet.
func TestCheckOfSeveralPackages(t *testing.T) {
	dir := module(t, map[string]string{
		"acme/client.go": "package acme\n\nimport \"example.com/stranger/inside\"\n\ntype Client struct{ inside.Part }\n\nvar _ = NotThereYet\n",
		"inside/part.go": "package inside\n\ntype Part struct{}\n\nfunc (Part) Close() {}\n",
	})
	f := open(t, filepath.Join(dir, "acme"))
	files := map[string][]byte{
		"models.gen.go":          []byte("package acme\n\nimport \"time\"\n\ntype User struct{ At time.Time }\n"),
		"acmetest/server.gen.go": []byte("package acmetest\n\nimport \"example.com/stranger/acme\"\n\nvar Server acme.User\n\nfunc End(c acme.Client) { c.Close() }\n"),
		"OPERATIONS.md":          []byte("# Operations\n"),
	}
	if err := f.Check(files); err != nil {
		t.Error(err)
	}
	files["acmetest/server.gen.go"] = []byte("package acmetest\n\nimport \"example.com/stranger/acme\"\n\nvar _ acme.Group\n")
	if err := f.Check(files); err == nil || !strings.Contains(err.Error(), "undefined: acme.Group") {
		t.Errorf("got %v, want that there is no Group", err)
	}
	files["acmetest/server.gen.go"] = []byte("package acmetest\n\nimport \"example.com/stranger/acme\"\n\nvar _ acme.User\n")
	put(t, filepath.Join(dir, "acme"), map[string]string{"client.go": "package acme\n"})
	if err := f.Build(files); err != nil {
		t.Errorf("by the go command: %v", err)
	}
}

// TestCheckHoldsToTheModule: its version of Go, and what it has.
func TestCheckHoldsToTheModule(t *testing.T) {
	dir := module(t, map[string]string{"go.mod": "module example.com/stranger\n\ngo 1.20\n"})
	f := open(t, filepath.Join(dir, "acme"))
	for _, c := range []struct{ text, want string }{
		{"package acme\n\nvar _ = new(5)\n", "go1.26"},
		{"package acme\n\nimport \"example.com/elsewhere\"\n\nvar _ elsewhere.T\n", "example.com/elsewhere"},
		{"package acme\n\nimport \"time\"\n", "imported and not used"},
		{"package acme\n\nvar = 1\n", "models.gen.go:3"},
		{"package acme\n" + strings.Repeat("\nvar _ T\n", 30), "and 10 more"},
	} {
		if err := f.Check(map[string][]byte{"models.gen.go": []byte(c.text)}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: got %v, want it to say %q", c.text, err, c.want)
		}
	}
}

func TestWrite(t *testing.T) {
	const head = "// Code generated by gen v0.0.1 from acme.yaml; DO NOT EDIT.\n\npackage acme\n"
	dir := module(t, map[string]string{
		"[acme]/models.gen.go": head, "[acme]/old.gen.go": head,
		"[acme]/other.gen.go": "// Code generated by another tool; DO NOT EDIT.\n\npackage acme\n",
		"[acme]/client.go":    "package acme\n", "[acme]/copied.go": head,
	})
	f := open(t, filepath.Join(dir, "[acme]"))
	if err := f.Write(map[string][]byte{"models.gen.go": []byte("new"), "services.gen.go": []byte("more")}); err != nil {
		t.Fatal(err)
	}
	if got, want := names(t, f.Path), "[client.go copied.go models.gen.go other.gen.go services.gen.go]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if data, _ := os.ReadFile(filepath.Join(f.Path, "models.gen.go")); string(data) != "new" {
		t.Errorf("got %q", data)
	}
	fresh := open(t, filepath.Join(dir, "new", "package"))
	if err := fresh.Write(map[string][]byte{"a.gen.go": []byte("a")}); err != nil || names(t, fresh.Path) != "[a.gen.go]" {
		t.Errorf("a new folder: %v", err)
	}
}
