package main

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestRenameOfTheProject gives a copy of this project another name. make rename-test proves the copy with make check besides.
func TestRenameOfTheProject(t *testing.T) {
	dir := copied(t, filepath.Join("..", ".."))
	from, err := modulePath(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	// Before and after github.com in the alphabet: imports and requirements change their places.
	for _, to := range []string{"aa.example/x/dujiang", "zz.example/y"} {
		if err := run(t.Context(), []string{"-module", to, "-dir", dir}, &out, &out); err != nil {
			t.Fatal(err)
		}
		if found := holding(t, dir, from); len(found) > 0 {
			t.Errorf("%s is still in %v", from, found)
		}
		from = to
	}
	for _, module := range []string{".", "gen"} { // the others take long
		command(t, filepath.Join(dir, module), "go", "build", "-trimpath", "./...")
	}
	if left := command(t, dir, "gofmt", "-l", "."); left != "" {
		t.Errorf("not formatted: %s", left)
	}
}

func command(t *testing.T, dir, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOWORK=off")
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %v in %s: %v\n%s", name, args, dir, err, said)
	}
	return string(said)
}

// copied returns a folder with the project's own files.
func copied(t *testing.T, from string) string {
	t.Helper()
	to := t.TempDir()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		inside, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			if skipped(d.Name()) {
				return filepath.SkipDir
			}
			return os.MkdirAll(filepath.Join(to, inside), 0o750)
		}
		if !d.Type().IsRegular() {
			return nil
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, inside), data, 0o600)
	})
	if err != nil {
		t.Fatal(err)
	}
	return to
}

// holding lists the files that hold a text.
func holding(t *testing.T, dir, text string) []string {
	t.Helper()
	var out []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if bytes.Contains(data, []byte(text)) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestRename(t *testing.T) {
	tests := []struct{ name, file, text, want string }{
		{"go.mod", "go.mod", "module a.example/sdk\n\ngo 1.26\n", "module b.example/new\n\ngo 1.26\n"},
		{"imports in order", "x.go", "package x\n\nimport (\n\t\"a.example/sdk/y\"\n\t\"a.example/zoo\"\n)\n\nvar _, _ = y.A, zoo.A\n",
			"package x\n\nimport (\n\t\"a.example/zoo\"\n\t\"b.example/new/y\"\n)\n\nvar _, _ = y.A, zoo.A\n"},
		{"no Go", "testdata/x.go", "package x\n\nimport \"a.example/sdk/y\n", "package x\n\nimport \"b.example/new/y\n"},
		{"text", "README.md", "go get a.example/sdk/y@latest, a.example/sdk.", "go get b.example/new/y@latest, b.example/new."},
		{"another's name", "README.md", "a.example/sdk2 and a.example/sdk-go", "a.example/sdk2 and a.example/sdk-go"},
		{"dots are dots", "README.md", "axexample/sdk", "axexample/sdk"},
		{"not text", "x.bin", "a.example/sdk\x00", "a.example/sdk\x00"},
		{"not ours", "bin/notes.md", "a.example/sdk", "a.example/sdk"},
		{"hidden, but ours", ".ci/notes.md", "a.example/sdk", "b.example/new"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, test.file)
			if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(test.text), 0o600); err != nil {
				t.Fatal(err)
			}
			changed, _, err := rename(dir, "a.example/sdk", "b.example/new")
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(path)
			if err != nil || string(got) != test.want || (changed == 1) != (test.text != test.want) {
				t.Errorf("got %q, %d changed (%v), want %q", got, changed, err, test.want)
			}
		})
	}
}

// TestAFileThatCannotBeRead leaves all others as they are.
func TestAFileThatCannotBeRead(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root reads every file whatever its mode: run this as another user")
	}
	dir := t.TempDir()
	for name, mode := range map[string]os.FileMode{"a.md": 0o600, "b.md": 0} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("a.example/sdk"), mode); err != nil {
			t.Fatal(err)
		}
	}
	if _, _, err := rename(dir, "a.example/sdk", "b.example/new"); err == nil {
		t.Error("it was renamed without what could not be read")
	}
	if text, err := os.ReadFile(filepath.Join(dir, "a.md")); err != nil || string(text) != "a.example/sdk" {
		t.Errorf("got %s, %v", text, err)
	}
}

func TestPathsThatAreRefused(t *testing.T) {
	for path, want := range map[string]string{
		"": "write small letters", "example.com/x y": "write small letters", "example.com//x": "write small letters",
		"example.com/x/": "write small letters", "example.com/../x": "write small letters", "github.com/Acme/x": "write small letters",
		"dujiang": "begin with a host", "example.com/x/v2": "leave the version out", "gopkg.in/x.v1": "leave the version out",
	} {
		var out bytes.Buffer
		if err := run(t.Context(), []string{"-module", path, "-dir", t.TempDir()}, &out, &out); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %q", path, err, want)
		}
	}
}
