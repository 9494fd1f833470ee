package examples_test

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/weibo"
)

const (
	module  = "github.com/dujiang-go/dujiang"
	version = "v0.1.0"
)

// program is what a stranger writes first: a client and a call.
const program = `package main

import (
	"context"
	"fmt"
	"log"

	"github.com/dujiang-go/dujiang/weibo"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

func main() {
	srv := weibotest.NewServer()
	defer srv.Close()
	client, err := weibo.New(append(srv.Options(), weibo.WithAccount("wall", "tok-1"))...)
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	post, err := client.Statuses.Share(context.Background(), &weibo.StatusesShareRequest{
		Status: "notice https://wall.example/1", RIP: "203.0.113.7",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s, one of %d operations\n", post.Text, len(weibo.Operations()))
}
`

// TestStrangerInstallsTheModule does what somebody does who has only heard of the module: go get, build, run. It takes the module
// as a proxy would serve it, so that what is missing from the release, or comes only by a replace, shows here.
func TestStrangerInstallsTheModule(t *testing.T) {
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	// What the module needs comes from wherever this machine gets modules, and is then served to the stranger from the cache.
	run(t, root, nil, "mod", "download")
	proxy := t.TempDir()
	release(t, root, proxy)
	env := []string{
		"GOPROXY=" + fileURL(proxy) + "," + fileURL(filepath.Join(strings.TrimSpace(run(t, root, nil, "env", "GOMODCACHE")), "cache", "download")),
		"GONOSUMDB=" + module, // a version that was never published has no public checksum
		"GOPRIVATE=", "GONOPROXY=",
		"GOMODCACHE=" + t.TempDir(), // or the machine would keep this v0.1.0 for its own
		"GOFLAGS=-modcacherw",       // or the test could not remove it
		"GOWORK=off",
	}

	stranger := t.TempDir()
	write(t, filepath.Join(stranger, "main.go"), []byte(program))
	// The other modules are checked against our sums, so that no checksum database need be reached.
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(stranger, "go.sum"), sums)
	run(t, stranger, env, "mod", "init", "example.com/stranger")
	run(t, stranger, env, "get", module+"/weibo@"+version)
	run(t, stranger, env, "build", "-o", "program", ".")

	out, err := exec.CommandContext(t.Context(), filepath.Join(stranger, "program")).CombinedOutput()
	// To ask the package itself makes this test run again when the package changes: the go command does not see that the test reads it.
	want := fmt.Sprintf("notice https://wall.example/1, one of %d operations\n", len(weibo.Operations()))
	if got := string(out); err != nil || got != want {
		t.Errorf("the stranger's program: got %q (%v), want %q", got, err, want)
	}
	var deps []string
	for line := range strings.Lines(run(t, stranger, env, "version", "-m", "program")) {
		if f := strings.Fields(line); len(f) > 2 && f[0] == "dep" {
			deps = append(deps, f[1])
		}
	}
	if len(deps) == 0 || len(deps) > 6 {
		t.Errorf("the stranger's program holds %d modules besides its own, want 1 to 6: %v", len(deps), deps)
	}
}

// run runs the go command in dir and returns what it prints.
func run(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, stderr.String())
	}
	return string(out)
}

// release writes the root module below proxy, in the layout in which module proxies serve.
func release(t *testing.T, root, proxy string) {
	t.Helper()
	goMod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(dir, 0o750); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "list"), []byte(version+"\n"))
	write(t, filepath.Join(dir, version+".info"), fmt.Appendf(nil, `{"Version":%q}`, version))
	write(t, filepath.Join(dir, version+".mod"), goMod)
	write(t, filepath.Join(dir, version+".zip"), zipped(t, root))
}

// zipped returns the files of the module whose folder is root: without nested modules, and without hidden folders and build output.
func zipped(t *testing.T, root string) []byte {
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
		file, err := w.Create(module + "@" + version + "/" + path)
		if err != nil {
			return err
		}
		content, err := tree.Open(path)
		if err != nil {
			return err
		}
		defer content.Close()
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

func write(t *testing.T, path string, content []byte) {
	t.Helper()
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
}

// fileURL returns the address of a folder, on Windows too.
func fileURL(dir string) string { return "file:///" + strings.TrimPrefix(filepath.ToSlash(dir), "/") }
