package output

import (
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

// Check compiles files as packages of the folder's module, without writing them there, up to where the compiler would make machine
// code of them, which takes most of its time and finds nothing more. The hand-written files of the package are left out, since they
// may wait for a name that these bring; a package in a folder inside it sees them.
func (f *Folder) Check(files map[string][]byte) error {
	c, err := newChecker(f)
	if err != nil {
		return err
	}
	packages, err := c.parse(files)
	if err != nil {
		return err
	}
	for dir := range packages {
		c.own[c.importPath(dir)] = nil
		if err := c.neighbours(dir, packages[dir][0].Name.Name, files); err != nil {
			return err
		}
	}
	if err := c.list(imported(packages), false); err != nil {
		return err
	}
	for _, dir := range slices.Sorted(maps.Keys(packages)) { // the package itself is "." and comes first
		if err := c.check(dir, packages[dir]); errors.Is(err, errVersions) {
			return c.build(files)
		} else if err != nil {
			return err
		}
		if dir == "." && len(packages) > 1 {
			c.complete(packages[dir], files)
		}
	}
	return nil
}

// maxShown bounds the compiler's complaints: the first ones tell, the others follow from them.
const maxShown = 20

// A checker compiles the packages of one folder.
type checker struct {
	folder  *Folder
	files   *token.FileSet
	module  string // its path
	version string // of Go, which the module asks for
	exports map[string]string
	own     map[string]*types.Package // the packages that are compiled here; nil before they are
}

func newChecker(f *Folder) (*checker, error) {
	text, err := os.ReadFile(filepath.Join(f.root, "go.mod"))
	if err != nil {
		return nil, fmt.Errorf("the check: %w", err)
	}
	mod, err := modfile.ParseLax(filepath.Join(f.root, "go.mod"), text, nil)
	if err != nil {
		return nil, fmt.Errorf("the check: %w", err)
	}
	c := &checker{folder: f, files: token.NewFileSet(), exports: map[string]string{}, own: map[string]*types.Package{}}
	if mod.Module != nil {
		c.module = mod.Module.Mod.Path
	}
	if mod.Go != nil {
		c.version = "go" + mod.Go.Version
	}
	return c, nil
}

// importPath is that of the package in a folder inside ours.
func (c *checker) importPath(dir string) string {
	inside, err := filepath.Rel(c.folder.root, c.folder.place(dir))
	if err != nil {
		return dir
	}
	return path.Join(c.module, filepath.ToSlash(inside))
}

// parse reads the Go files, by folder.
func (c *checker) parse(files map[string][]byte) (map[string][]*ast.File, error) {
	out := map[string][]*ast.File{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if path.Ext(name) != ".go" {
			continue
		}
		file, err := parser.ParseFile(c.files, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			return nil, c.broken(err.Error())
		}
		out[path.Dir(name)] = append(out[path.Dir(name)], file)
	}
	return out, nil
}

// neighbours finds a hand-written file that makes dir another package's folder.
func (c *checker) neighbours(dir, pkg string, files map[string][]byte) error {
	for _, name := range c.folder.handWritten(dir, files) {
		file, err := parser.ParseFile(c.files, c.folder.place(name), nil, parser.PackageClauseOnly)
		if err == nil && file.Name.Name != pkg {
			return fmt.Errorf("%s is of package %s, which is not %s, nothing written: name another folder with -out",
				c.folder.place(name), file.Name.Name, pkg)
		}
	}
	return nil
}

// check compiles the package in dir.
func (c *checker) check(dir string, files []*ast.File) error {
	var wrong []string
	p, from, err := c.compile(dir, files, func(err error) { wrong = append(wrong, err.Error()) })
	if from.unreadable {
		return errVersions
	}
	if err != nil {
		return c.broken(wrong...)
	}
	c.own[p.Path()] = p
	return nil
}

func (c *checker) compile(dir string, files []*ast.File, wrong func(error)) (*types.Package, *importers, error) {
	from := &importers{own: c.own, exports: c.exports}
	from.compiled = importer.ForCompiler(c.files, "gc", from.open)
	config := types.Config{GoVersion: c.version, Importer: from, Sizes: types.SizesFor("gc", build.Default.GOARCH), Error: wrong}
	p, err := config.Check(c.importPath(dir), c.files, files, nil)
	return p, from, err
}

// complete adds the hand-written files to the package, for those that import it. What is wrong in them is for their author to see.
func (c *checker) complete(generated []*ast.File, files map[string][]byte) {
	all := slices.Clone(generated)
	for _, name := range c.folder.handWritten(".", files) {
		if file, err := parser.ParseFile(c.files, c.folder.place(name), nil, parser.SkipObjectResolution); err == nil {
			all = append(all, file)
		}
	}
	if len(all) == len(generated) {
		return
	}
	if err := c.list(imported(map[string][]*ast.File{".": all}), true); err != nil {
		return
	}
	if p, _, _ := c.compile(".", all, func(error) {}); p != nil {
		c.own[p.Path()] = p
	}
}

// broken is the error of code that does not compile.
func (c *checker) broken(said ...string) error {
	cure := cureOf(strings.Join(said, "\n"))
	if len(said) > maxShown {
		said = append(said[:maxShown:maxShown], fmt.Sprintf("and %d more", len(said)-maxShown))
	}
	return fmt.Errorf("the generated code does not compile in module %s, nothing written; %s\n%s", c.folder.root, cure, strings.Join(said, "\n"))
}

// cureOf is what to do about what the go command or the compiler has said. To tidy a module in which nothing imports the middleware yet
// would take its requirement away.
func cureOf(said string) string {
	const middleware = "github.com/dujiang-go/dujiang/resilience/stack"
	has := func(parts ...string) bool {
		return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(said, part) })
	}
	switch {
	case has("missing go.sum entry", "updates to go.mod needed"):
		return "go.mod or go.sum lacks what the middleware needs, which this adds: go build -mod=mod " + middleware
	case has("no required module provides", "cannot find module providing"):
		return "the module does not require the middleware, run: go get " + middleware + "@latest"
	default:
		return "if a package is not found or too old, run: go get " + middleware + "@latest"
	}
}
