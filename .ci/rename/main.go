// Command rename gives the project another module path: in go.mod files, imports, specs, documents, and in what the generator writes
// and has written.
//
//	make rename MODULE=example.com/x/dujiang
package main

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"go/format"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "rename:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("rename", flag.ContinueOnError)
	flags.SetOutput(stderr)
	to := flags.String("module", "", "the new module path")
	dir := flags.String("dir", ".", "the project's folder")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := allowed(*to); err != nil {
		return err
	}
	from, err := modulePath(*dir)
	if err != nil {
		return err
	}
	if from == *to {
		return fmt.Errorf("the module is called %s already", from)
	}
	changed, modules, err := rename(*dir, from, *to)
	if err != nil {
		return err
	}
	// The lists of required modules are kept in order, and the new name has another place in it.
	for _, module := range modules {
		if err := tidy(ctx, module); err != nil {
			return fmt.Errorf("%w; the files have the new name: git restore . takes it back", err)
		}
	}
	fmt.Fprintf(stdout, "rename: %s is %s now, in %d files: run make check\n", from, *to, changed)
	return nil
}

// Capitals would be escaped in module caches and proxies, where this project's tests look files up.
var (
	element = regexp.MustCompile(`^[a-z0-9_~-]+(\.[a-z0-9_~-]+)*$`)
	major   = regexp.MustCompile(`(/|\.)v[0-9]+$`)
)

// allowed says why a path can be none of a module with nested ones.
func allowed(path string) error {
	elements := strings.Split(path, "/")
	for _, e := range elements {
		if !element.MatchString(e) {
			return fmt.Errorf("MODULE=%q: write small letters, digits, dots, dashes and slashes, such as example.com/x/dujiang", path)
		}
	}
	if !strings.Contains(elements[0], ".") {
		return fmt.Errorf("MODULE=%q: begin with a host, such as example.com", path)
	}
	if major.MatchString(path) {
		return fmt.Errorf("MODULE=%q: leave the version out", path)
	}
	return nil
}

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)\s*$`)

func modulePath(dir string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod")) //nolint:gosec // a file of the project
	if err != nil {
		return "", err
	}
	m := moduleLine.FindSubmatch(text)
	if m == nil {
		return "", errors.New("go.mod names no module")
	}
	return string(m[1]), nil
}

// rename rewrites the files in dir and counts them: all are read before the first is written. It returns the folders of the modules
// that it has met.
func rename(dir, from, to string) (changed int, modules []string, err error) {
	// As a whole only: what follows must not go on with the name.
	name := regexp.MustCompile(regexp.QuoteMeta(from) + `([^A-Za-z0-9_~-]|$)`)
	var files []file
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if path != dir && skipped(d.Name()) {
				return filepath.SkipDir
			}
			return nil
		}
		if !d.Type().IsRegular() {
			return nil
		}
		if d.Name() == "go.mod" && !strings.Contains(filepath.ToSlash(path), "/testdata/") {
			modules = append(modules, filepath.Dir(path))
		}
		f, hit, err := rewritten(path, name, to)
		if hit {
			files = append(files, f)
		}
		return err
	})
	if err != nil {
		return 0, nil, err
	}
	for _, f := range files {
		if err := os.WriteFile(f.path, f.text, f.mode); err != nil {
			return 0, nil, fmt.Errorf("%w; some files have the new name: git restore . takes it back", err)
		}
	}
	return len(files), modules, nil
}

// skipped are folders that hold nothing of the project's own.
func skipped(name string) bool { return name == ".git" || name == ".tools" || name == "bin" }

// A file is what one becomes.
type file struct {
	path string
	text []byte
	mode os.FileMode
}

// rewritten returns a file with the new name in it, if it is text and holds the old one.
func rewritten(path string, name *regexp.Regexp, to string) (f file, hit bool, err error) {
	text, err := os.ReadFile(path) //nolint:gosec // a file of the project
	if err != nil || bytes.IndexByte(text, 0) >= 0 || !name.Match(text) {
		return file{}, false, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return file{}, false, err
	}
	f = file{path, name.ReplaceAll(text, []byte(strings.ReplaceAll(to, "$", "$$")+"${1}")), info.Mode().Perm()}
	if strings.HasSuffix(path, ".go") {
		// Imports are in order, and comments behind code in columns. Test data may be no Go at all, and is not touched further.
		if formatted, err := format.Source(f.text); err == nil {
			f.text = formatted
		}
	}
	return f, true, nil
}

func tidy(ctx context.Context, module string) error {
	cmd := exec.CommandContext(ctx, "go", "mod", "tidy")
	cmd.Dir = module
	if said, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go mod tidy in %s: %w: %s", module, err, bytes.TrimSpace(said))
	}
	return nil
}
