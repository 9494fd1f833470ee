package plan

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Taken is what the hand-written files of a package declare, with the place of each: a generated name must be another.
type Taken struct {
	Names   map[string]string            // of the package
	Members map[string]map[string]string // methods and fields by type
	Options map[string]string            // of the generated client, and what each is: it keeps its name, and another gets one of its own
}

// ReadTaken reads the hand-written files in dir: all Go files but tests and *.gen.go. A folder that is not there holds nothing. A file
// with an error in it counts as far as it can be read: the compiler will tell its user.
func ReadTaken(dir string) (Taken, error) {
	taken := Taken{Names: map[string]string{}, Members: map[string]map[string]string{}}
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return taken, nil
	}
	if err != nil {
		return taken, fmt.Errorf("the output folder cannot be read: %w", err)
	}
	files := token.NewFileSet()
	for _, e := range entries {
		name := e.Name()
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, ".gen.go") || strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, _ := parser.ParseFile(files, filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if file == nil {
			continue
		}
		for _, decl := range file.Decls {
			taken.declaration(files, decl)
		}
	}
	return taken, nil
}

func (t Taken) declaration(files *token.FileSet, decl ast.Decl) {
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			t.name(files, d.Name)
		} else if len(d.Recv.List) == 1 {
			t.member(files, receiver(d.Recv.List[0].Type), d.Name)
		}
	case *ast.GenDecl:
		for _, s := range d.Specs {
			t.spec(files, s)
		}
	}
}

func (t Taken) spec(files *token.FileSet, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		t.name(files, s.Name)
		if body, ok := s.Type.(*ast.StructType); ok {
			for _, f := range body.Fields.List {
				for _, name := range f.Names {
					t.member(files, s.Name.Name, name)
				}
			}
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			t.name(files, name)
		}
	}
}

func (t Taken) name(files *token.FileSet, id *ast.Ident) {
	if id.Name != "_" && id.Name != "init" {
		t.Names[id.Name] = where(files, id)
	}
}

func (t Taken) member(files *token.FileSet, typ string, id *ast.Ident) {
	if t.Members[typ] == nil {
		t.Members[typ] = map[string]string{}
	}
	t.Members[typ][id.Name] = where(files, id)
}

func where(files *token.FileSet, id *ast.Ident) string {
	pos := files.Position(id.Pos())
	return fmt.Sprintf("%s:%d", filepath.Base(pos.Filename), pos.Line)
}

// receiver returns the name of a method's type.
func receiver(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.StarExpr:
		return receiver(e.X)
	case *ast.IndexExpr:
		return receiver(e.X)
	case *ast.IndexListExpr:
		return receiver(e.X)
	default:
		return ""
	}
}

// Unexported names that every generated package holds.
var generated = []string{
	"services", "newServices", "errorRules", "quotas", "envelope", "baseURL", "commas", "commaDates", "optionalQuery", "optionalForm", "optionalHeader",
}

// handWritten compares all generated names with the hand-written ones.
func (p *planner) handWritten() {
	const rename = "rename the hand-written one"
	for _, name := range append([]string{"Operations"}, generated...) {
		if at, ok := p.taken.Names[name]; ok {
			p.fault(1, rename, "name %s is declared at %s and is generated", name, at)
		}
	}
	for _, t := range p.plan.Types {
		p.free(t.Name, t.Line, "add x-go-name, or "+rename)
		for _, v := range t.Enum {
			p.free(v.Const, t.Line, "add x-enum-varnames, or "+rename)
		}
	}
	for _, row := range p.doc.Errors {
		if row.Name.Value != "" {
			p.free("Code"+row.Name.Value, row.Name.Line, "choose another name")
		}
	}
	for _, s := range p.plan.Services {
		p.freeService(s)
	}
}

func (p *planner) freeService(s *Service) {
	const cure = "choose another x-sdk.service or x-sdk.method, or rename the hand-written one"
	if len(s.Methods) == 0 {
		return
	}
	line := s.Methods[0].Op.Service.Line
	p.free(s.Type, line, cure)
	if at, ok := p.taken.Members["Client"][s.Name]; ok {
		p.fault(line, cure, "service %s is hidden by Client.%s at %s", s.Name, s.Name, at)
	}
	for _, m := range s.Methods {
		p.free(m.Var, m.Op.Method.Line, cure)
		if m.Fixed != nil && m.Fixed.Name != "" {
			p.free(m.Fixed.Name, m.Op.Method.Line, cure)
		}
		names := []string{m.Name}
		if m.Pages != nil {
			names = append(names, m.Pages.Method)
		}
		for _, name := range names {
			if at, ok := p.taken.Members[s.Type][name]; ok {
				p.fault(m.Op.Method.Line, cure, "method %s.%s is declared at %s", s.Type, name, at)
			}
		}
	}
}

func (p *planner) free(name string, line int, cure string) {
	if at, ok := p.taken.Names[name]; ok {
		p.fault(line, cure, "Go name %s is declared by hand at %s", name, at)
	}
}
