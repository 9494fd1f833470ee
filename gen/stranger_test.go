package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/render"
)

// strangersProgram is what somebody writes against the package that was generated from a spec of their own.
const strangersProgram = `package main

import (
	"context"
	"fmt"
	"log"

	"example.com/stranger/acme"
	"example.com/stranger/acme/acmetest"
)

func main() {
	srv := acmetest.NewServer()
	defer srv.Close()
	client, err := acme.New(append(srv.Options(), acme.WithBearerAuth("me", "any-token"))...)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	user, err := client.Users.Get(context.Background(), &acme.UsersGetRequest{ID: "42"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(user.Email, len(srv.Calls(acme.OpUsersGet)))
}
`

// TestStrangerBringsASpec does what README says to somebody who has a spec and has only heard of the module: print the overlay, review
// it, generate, write a program, run it. The two modules come as a proxy serves them, so that what a release lacks, or what comes only by
// a replace, shows here.
func TestStrangerBringsASpec(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	s := stranger{dir: t.TempDir()}
	// What the modules need is taken from this machine's cache, against whose go.sum files it is checked here.
	s.run(t, root, "mod", "download")
	s.run(t, filepath.Join(root, "gen"), "mod", "download")
	cache := filepath.Join(strings.TrimSpace(s.run(t, root, "env", "GOMODCACHE")), "cache", "download")
	proxy := t.TempDir()
	release(t, proxy, render.Module, root)
	release(t, proxy, render.Module+"/gen", filepath.Join(root, "gen"))
	s.env = append(os.Environ(),
		"GOPROXY="+fileURL(proxy)+","+fileURL(cache), "GOSUMDB=off", "GONOSUMDB=", "GOPRIVATE=", "GONOPROXY=",
		"GOMODCACHE="+t.TempDir(), // or the machine would keep these versions for its own
		"GOFLAGS=-modcacherw -trimpath", "GOWORK=off",
	)
	gen := render.Module + "/gen@" + render.Version
	put(t, filepath.Join(s.dir, "acme.yaml"), read(t, "testdata/whole_client/spec.yaml"))

	overlay := s.run(t, s.dir, "run", gen, "-init", "-spec", "acme.yaml")
	reviewed := regexp.MustCompile(`(?m)^ +review: .*\n`).ReplaceAllString(overlay, "")
	if reviewed == overlay {
		t.Fatalf("nothing is marked for review:\n%s", overlay)
	}
	put(t, filepath.Join(s.dir, "acme.overlay.yaml"), []byte(reviewed))
	s.run(t, s.dir, "mod", "init", "example.com/stranger")
	s.run(t, s.dir, "get", render.Module+"/resilience/stack@"+render.Version)
	s.run(t, s.dir, "run", gen, "-spec", "acme.yaml", "-overlay", "acme.overlay.yaml", "-package", "acme", "-out", "acme")
	put(t, filepath.Join(s.dir, "main.go"), []byte(strangersProgram))
	if got, want := s.run(t, s.dir, "run", "."), "user@host.example 1\n"; got != want {
		t.Errorf("the stranger's program says %q, want %q", got, want)
	}
}

// A stranger works in a folder of their own.
type stranger struct {
	dir string
	env []string
}

// run runs the go command in dir and returns what it prints.
func (s *stranger) run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = dir, s.env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// release writes the module whose folder is root below proxy, in the layout in which module proxies serve.
func release(t *testing.T, proxy, module, root string) {
	t.Helper()
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	put(t, filepath.Join(dir, "list"), []byte(render.Version+"\n"))
	put(t, filepath.Join(dir, render.Version+".info"), fmt.Appendf(nil, `{"Version":%q}`, render.Version))
	put(t, filepath.Join(dir, render.Version+".mod"), read(t, filepath.Join(root, "go.mod")))
	put(t, filepath.Join(dir, render.Version+".zip"), zipped(t, module, root))
}

// zipped returns the files of a module: without the modules nested in it, hidden folders and build output.
func zipped(t *testing.T, module, root string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	tree := os.DirFS(root)
	err := fs.WalkDir(tree, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != ".":
			_, nested := fs.Stat(tree, path+"/go.mod")
			if nested == nil || strings.HasPrefix(d.Name(), ".") || path == "bin" {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		file, err := w.Create(module + "@" + render.Version + "/" + path)
		if err != nil {
			return err
		}
		content, err := tree.Open(path)
		if err != nil {
			return err
		}
		defer func() { _ = content.Close() }()
		_, err = io.Copy(file, content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// fileURL returns the address of a folder, on Windows too.
func fileURL(dir string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(dir), "/") }
