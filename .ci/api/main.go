// Command api prints the exported API of all packages below the working directory, one declaration a line, so that a change of it
// shows in review as a short diff.
//
// Packages that nobody else can import (main, internal) are left out. It reads what the compiler exported, so the packages must
// build, and it reports types and constants as the compiler sees them, whatever the source looks like.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
)

func main() {
	if err := run(context.Background(), os.Stdout, "."); err != nil {
		fmt.Fprintln(os.Stderr, "api:", err)
		os.Exit(1)
	}
}

// run writes the API of the packages in dir and below it.
func run(ctx context.Context, w io.Writer, dir string) error {
	pkgs, err := list(ctx, dir)
	if err != nil {
		return err
	}
	exports := make(map[string]string, len(pkgs))
	for _, p := range pkgs {
		exports[p.ImportPath] = p.Export
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if exports[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(exports[path])
	})
	for _, p := range pkgs {
		if p.DepOnly || p.Name == "main" || slices.Contains(strings.Split(p.ImportPath, "/"), "internal") {
			continue
		}
		pkg, err := imp.Import(p.ImportPath)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		prefix := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
		for _, decl := range declarations(pkg) {
			if _, err := fmt.Fprintf(w, "%s: %s\n", prefix, decl); err != nil {
				return err
			}
		}
	}
	return nil
}

// A listed package is what go list says of it.
type listed struct {
	ImportPath string
	Name       string
	Export     string // the file of its export data
	DepOnly    bool   // whether it is here only because another imports it
	Module     struct{ Path string }
}

// list returns the packages in dir, below it, and all that these import, sorted by import path.
func list(ctx context.Context, dir string) ([]listed, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-export", "-deps", "-json=ImportPath,Name,Export,DepOnly,Module", "./...")
	cmd.Dir = dir
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
	slices.SortFunc(pkgs, func(a, b listed) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return pkgs, nil
}

// declarations returns what the package exports, in the order of names; a type's fields and methods follow the type.
func declarations(pkg *types.Package) []string {
	var decls []string
	short := func(p *types.Package) string {
		if p == pkg {
			return ""
		}
		return p.Name()
	}
	for _, name := range pkg.Scope().Names() {
		obj := pkg.Scope().Lookup(name)
		if !obj.Exported() {
			continue
		}
		switch obj := obj.(type) {
		case *types.Const:
			decls = append(decls, types.ObjectString(obj, short)+" = "+obj.Val().ExactString())
		case *types.TypeName:
			decls = append(decls, typeDeclarations(obj, short)...)
		default:
			decls = append(decls, types.ObjectString(obj, short))
		}
	}
	return decls
}

// typeDeclarations returns the type itself without its members, then one line for each exported member.
func typeDeclarations(obj *types.TypeName, short types.Qualifier) []string {
	name := obj.Name()
	named, ok := obj.Type().(*types.Named)
	if !ok || obj.IsAlias() {
		return []string{types.ObjectString(obj, short)}
	}
	var members []string
	kind := types.TypeString(named.Underlying(), short)
	switch under := named.Underlying().(type) {
	case *types.Struct:
		kind = "struct"
		members = fields(name, under, short)
	case *types.Interface:
		kind = "interface"
		members = interfaceMembers(name, under, short)
	}
	decls := append([]string{"type " + types.TypeString(named, short) + " " + kind}, members...)
	for m := range named.Methods() {
		if m.Exported() {
			decls = append(decls, method(m, short))
		}
	}
	slices.Sort(decls[1+len(members):])
	return decls
}

// fields returns a struct's exported fields in their order, which matters to literals without names, with their tags.
func fields(name string, s *types.Struct, short types.Qualifier) []string {
	var decls []string
	for i := range s.NumFields() {
		f := s.Field(i)
		if !f.Exported() {
			continue
		}
		decl := fmt.Sprintf("field %s.%s %s", name, f.Name(), types.TypeString(f.Type(), short))
		if f.Embedded() {
			decl += " (embedded)"
		}
		if tag := s.Tag(i); tag != "" {
			decl += " `" + tag + "`"
		}
		decls = append(decls, decl)
	}
	return decls
}

// interfaceMembers returns the methods and embedded types; an unexported method keeps others from filling the interface.
func interfaceMembers(name string, iface *types.Interface, short types.Qualifier) []string {
	var decls []string
	for m := range iface.ExplicitMethods() {
		if !m.Exported() {
			decls = append(decls, fmt.Sprintf("interface %s has unexported methods", name))
			continue
		}
		sig := strings.TrimPrefix(types.TypeString(m.Type(), short), "func")
		decls = append(decls, fmt.Sprintf("method %s.%s%s", name, m.Name(), sig))
	}
	for t := range iface.EmbeddedTypes() {
		decls = append(decls, fmt.Sprintf("interface %s embeds %s", name, types.TypeString(t, short)))
	}
	return slices.Compact(decls)
}

// method returns a method with its receiver.
func method(m *types.Func, short types.Qualifier) string {
	sig := m.Signature()
	return fmt.Sprintf("method (%s) %s%s", types.TypeString(sig.Recv().Type(), short), m.Name(),
		strings.TrimPrefix(types.TypeString(sig, short), "func"))
}
