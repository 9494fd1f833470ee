package output

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// errVersions says that the go command of the module is another than the one that gen was built with, and writes what it has compiled
// in a way that is not known here.
var errVersions = errors.New("the compiler's files cannot be read")

// imported lists what packages import.
func imported(packages map[string][]*ast.File) []string {
	paths := map[string]bool{}
	for _, files := range packages {
		for _, file := range files {
			for _, spec := range file.Imports {
				if p, err := strconv.Unquote(spec.Path.Value); err == nil && p != "unsafe" {
					paths[p] = true
				}
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

// list asks the go command for the compiled form of packages, which it keeps in its cache. Lenient, it takes those that there are.
func (c *checker) list(packages []string, lenient bool) error {
	packages = slices.DeleteFunc(packages, func(p string) bool {
		_, own := c.own[p]
		return own
	})
	if len(packages) == 0 {
		return nil
	}
	args := []string{"list", "-export", "-json=ImportPath,Export"}
	if lenient {
		args = append(args, "-e")
	}
	var complaint bytes.Buffer
	cmd := exec.Command("go", append(args, packages...)...) //nolint:gosec,noctx // a local tool that ends by itself
	cmd.Dir, cmd.Stderr = c.folder.root, &complaint
	said, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return fmt.Errorf("the go command is not found, which checks what is written: %w", err)
	}
	if err != nil && !lenient {
		return c.broken(strings.TrimSpace(complaint.String()))
	}
	for d := json.NewDecoder(bytes.NewReader(said)); ; {
		var p struct{ ImportPath, Export string }
		err := d.Decode(&p)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("the check: go list: %w", err)
		}
		c.exports[p.ImportPath] = p.Export
	}
}

// importers find what is imported: packages that are generated here, and compiled ones.
type importers struct {
	own        map[string]*types.Package
	exports    map[string]string // import path -> the compiler's file
	compiled   types.Importer
	unreadable bool
}

// Import returns the package at path.
func (i *importers) Import(path string) (*types.Package, error) {
	if p := i.own[path]; p != nil {
		return p, nil
	}
	if i.exports[path] == "" && path != "unsafe" {
		return nil, errors.New("it is not there")
	}
	p, err := i.compiled.Import(path)
	if err != nil {
		i.unreadable = true
	}
	return p, err
}

func (i *importers) open(path string) (io.ReadCloser, error) { return os.Open(i.exports[path]) }

// build lets the go command compile the packages: slower, and it can always read its own files. It sees the new files through an
// overlay; the package itself lies in a folder beside the real one, where there is nothing hand-written, and which exists in the
// overlay only: what is internal to the module stays reachable.
func (c *checker) build(files map[string][]byte) error {
	temporary, err := os.MkdirTemp("", "gen-")
	if err != nil {
		return fmt.Errorf("no place for the check: %w", err)
	}
	defer func() { _ = os.RemoveAll(temporary) }()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	dirs := map[string]bool{}
	beside := c.folder.Path + "_gencheck"
	for i, name := range slices.Sorted(maps.Keys(files)) {
		if filepath.Ext(name) != ".go" {
			continue
		}
		stored := filepath.Join(temporary, fmt.Sprintf("%d.go", i))
		if err := os.WriteFile(stored, files[name], 0o600); err != nil {
			return fmt.Errorf("the check's copy of %s: %w", name, err)
		}
		overlay.Replace[c.folder.place(name)] = stored
		if strings.Contains(name, "/") {
			dirs[filepath.Dir(c.folder.place(name))] = true
			continue
		}
		overlay.Replace[filepath.Join(beside, name)] = stored
		dirs[beside] = true
	}
	text, err := json.Marshal(overlay)
	if err != nil {
		return fmt.Errorf("the check's overlay: %w", err)
	}
	list := filepath.Join(temporary, "overlay.json")
	if err := os.WriteFile(list, text, 0o600); err != nil {
		return fmt.Errorf("the check's overlay: %w", err)
	}
	args := []string{"build", "-overlay", list}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		inside, err := filepath.Rel(c.folder.root, dir)
		if err != nil {
			return fmt.Errorf("the check: %w", err)
		}
		args = append(args, "./"+filepath.ToSlash(inside))
	}
	cmd := exec.Command("go", args...) //nolint:gosec,noctx // as above
	cmd.Dir = c.folder.root
	if said, err := cmd.CombinedOutput(); err != nil {
		return c.broken(string(bytes.TrimSpace(said)))
	}
	return nil
}
