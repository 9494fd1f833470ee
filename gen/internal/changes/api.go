package changes

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A kind is what an exported name stands for, in the order in which what is gone is told.
type kind int

const (
	function kind = iota
	method
	typ
	field
	constant
	variable
)

// kinds are they in words.
var kinds = []string{"function", "method", "type", "field", "constant", "variable"}

// A name is something that a package exports.
type name struct {
	kind     kind
	of       string // the type of a field or method
	text     string // its type or value; of a function or method what it takes
	results  string
	required bool // of a field: a call without it fails, though its type does not say so
}

// changed says what callers of n, which is called key, find in its place.
func (n *name) changed(key string, now *name) []string {
	var out []string
	was, is := "was", "is"
	if n.kind == function || n.kind == method {
		was, is = "took", "takes"
	}
	if n.text != now.text {
		out = append(out, fmt.Sprintf("%s %s %s, %s %s", key, was, n.text, is, now.text))
	}
	if n.results != now.results {
		out = append(out, fmt.Sprintf("%s gave %s, gives %s", key, n.results, now.results))
	}
	if len(out) == 0 && now.required && !n.required {
		out = append(out, key+" is required now")
	}
	return out
}

// An api is what a package exports.
type api struct {
	name   string
	names  map[string]*name    // "WithToken", "UsersService.Get"; members of types that are not exported too, until promote
	calls  []*call             // in the order of the file
	embeds map[string][]string // types of this package that a type embeds
	needs  map[string]bool     // fields, without which a request is refused
}

func newAPI() *api {
	return &api{names: map[string]*name{}, embeds: map[string][]string{}, needs: map[string]bool{}}
}

// file adds what a Go file declares. What an earlier one has declared is replaced.
func (a *api) file(path string, data []byte) {
	file, _ := parser.ParseFile(token.NewFileSet(), path, data, parser.SkipObjectResolution)
	if file == nil {
		return
	}
	a.name = cmp.Or(file.Name.Name, a.name)
	for _, decl := range file.Decls {
		switch d := decl.(type) {
		case *ast.FuncDecl:
			a.function(d)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				a.declaration(d.Tok, s)
			}
		}
	}
}

func (a *api) add(key string, n name) { a.names[key] = &n }

func (a *api) function(d *ast.FuncDecl) {
	n := name{kind: function, text: "(" + list(d.Type.Params) + ")", results: "(" + list(d.Type.Results) + ")"}
	if d.Recv == nil {
		a.add(d.Name.Name, n)
		return
	}
	of := strings.TrimPrefix(list(d.Recv), "*")
	n.kind, n.of = method, of
	a.add(of+"."+d.Name.Name, n)
	if d.Name.Name == "Encode" && d.Body != nil {
		a.requirements(of, d.Body)
	}
}

// requirements finds the fields that a request misses: if r.Email == "" { e.Missing("email") }.
func (a *api) requirements(of string, body *ast.BlockStmt) {
	for _, s := range body.List {
		test, ok := s.(*ast.IfStmt)
		if !ok || !strings.Contains(written(test.Body), ".Missing(") {
			continue
		}
		ast.Inspect(test.Cond, func(n ast.Node) bool {
			if selected, ok := n.(*ast.SelectorExpr); ok && written(selected.X) == "r" {
				a.needs[of+"."+selected.Sel.Name] = true
			}
			return true
		})
	}
}

func (a *api) declaration(tok token.Token, s ast.Spec) {
	switch s := s.(type) {
	case *ast.TypeSpec:
		a.typ(s)
	case *ast.ValueSpec:
		for i, ident := range s.Names {
			n := name{kind: variable}
			if s.Type != nil {
				n.text = written(s.Type)
			}
			if tok == token.CONST {
				n.kind = constant
			}
			if i < len(s.Values) {
				if c := readCall(s.Values[i]); c != nil {
					a.calls = append(a.calls, c)
				} else if n.kind == constant {
					n.text = strings.TrimSpace(n.text + " " + written(s.Values[i]))
				}
			}
			a.add(ident.Name, n)
		}
	}
}

func (a *api) typ(s *ast.TypeSpec) {
	key := s.Name.Name
	body, ok := s.Type.(*ast.StructType)
	if !ok {
		a.add(key, name{kind: typ, text: written(s.Type)})
		return
	}
	a.add(key, name{kind: typ, text: "a struct"})
	for _, f := range body.Fields.List {
		of := written(f.Type)
		required := f.Tag != nil && strings.Contains(f.Tag.Value, `wire:"required"`)
		for _, ident := range f.Names {
			a.add(key+"."+ident.Name, name{kind: field, of: key, text: of, required: required})
		}
		if len(f.Names) == 0 {
			embedded := strings.TrimPrefix(of, "*")
			a.embeds[key] = append(a.embeds[key], embedded)
			a.add(key+"."+embedded[strings.LastIndexByte(embedded, '.')+1:], name{kind: field, of: key, text: of})
		}
	}
}

// plain are the types whose zero is sent like another value, where a field of a request that need not be there is a pointer.
var plain = []string{"string", "bool", "int", "int64", "float64"}

// promote gives what a type embeds to it, marks what requests require, and drops what others cannot see.
func (a *api) promote() {
	for of, all := range a.embeds {
		for _, embedded := range all {
			if ast.IsExported(embedded) {
				continue
			}
			for key, n := range a.names {
				if member, ok := strings.CutPrefix(key, embedded+"."); ok && a.names[of+"."+member] == nil {
					a.add(of+"."+member, name{kind: n.kind, of: of, text: n.text, results: n.results})
				}
			}
		}
	}
	for key, n := range a.names {
		if n.kind == field && (a.needs[key] || a.names[n.of+".Encode"] != nil && slices.Contains(plain, n.text)) {
			n.required = true
		}
		hidden := func(word string) bool { return !ast.IsExported(word) }
		if slices.ContainsFunc(strings.Split(key, "."), hidden) {
			delete(a.names, key)
		}
	}
}

// list writes the types of parameters, results or a receiver, without their names.
func list(fields *ast.FieldList) string {
	if fields == nil {
		return ""
	}
	var types []string
	for _, f := range fields.List {
		for range max(1, len(f.Names)) {
			types = append(types, written(f.Type))
		}
	}
	return strings.Join(types, ", ")
}

// written is a piece of Go on one line.
func written(n ast.Node) string {
	var b strings.Builder
	if err := format.Node(&b, token.NewFileSet(), n); err != nil {
		return fmt.Sprintf("%T", n)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
