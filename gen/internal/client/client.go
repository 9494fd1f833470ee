// Package client writes the parts of a package that own platforms have by hand: the client with its options and its authorizer, and a
// fake platform for tests. They are for users who bring a spec of their own, so that they write no plumbing.
package client

import (
	"bytes"
	"embed"
	"fmt"
	"go/format"
	"slices"
	"strconv"
	"strings"
	"text/template"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

//go:embed templates/*.tmpl
var templates embed.FS

// Fake returns the name of the package that holds the fake of pkg, which is its folder too.
func Fake(pkg string) string { return pkg + "test" }

// An Output is what is written, and what is to be said about it.
type Output struct {
	Files  map[string][]byte // by name below the package's folder
	Notes  []string
	Faults []spec.Fault
}

// Files writes the client and its fake. taken and fakeTaken are what the hand-written files of the two packages declare: a hand-written
// client or fake wins, and is said.
func Files(p *plan.Plan, h render.Header, taken, fakeTaken plan.Taken) (Output, error) {
	m := newModel(p, h)
	out := Output{Files: map[string][]byte{}}
	if at := handWritten(taken, "Client", "New"); at != "" {
		out.Notes = append(out.Notes, fmt.Sprintf("client.gen.go is not written: the package has a client of its own at %s", at))
	} else {
		out.Faults = m.check(taken)
		if err := out.add("client.gen.go", "client.tmpl", m); err != nil {
			return out, err
		}
	}
	name := Fake(p.Package) + "/server.gen.go"
	if at := handWritten(fakeTaken, "Server", "NewServer"); at != "" {
		out.Notes = append(out.Notes, fmt.Sprintf("%s is not written: the package has a fake of its own at %s", name, at))
		return out, nil
	}
	return out, out.add(name, "server.tmpl", m)
}

// handWritten returns where one of the names is declared; empty for none.
func handWritten(taken plan.Taken, names ...string) string {
	for _, name := range names {
		if at, ok := taken.Names[name]; ok {
			return at
		}
	}
	return ""
}

func (o *Output) add(name, from string, m *model) error {
	t, err := template.New(from).Funcs(template.FuncMap{"quote": strconv.Quote, "raw": raw}).ParseFS(templates, "templates/"+from)
	if err != nil {
		return fmt.Errorf("template %s: %w", from, err)
	}
	var b bytes.Buffer
	if err := t.Execute(&b, m); err != nil {
		return fmt.Errorf("template %s: %w", from, err)
	}
	code, err := format.Source(b.Bytes())
	if err != nil {
		return fmt.Errorf("%s: the generator wrote bad Go, which is its fault and not the spec's: %w\n%s", name, err, b.String())
	}
	o.Files[name] = code
	return nil
}

// raw writes a text as Go, without escapes where that is possible.
func raw(text string) string {
	if strconv.CanBackquote(strings.ReplaceAll(text, "\n", "")) {
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// A model is what the templates see.
type model struct {
	*plan.Plan
	Version, Module, Spec string
	Title                 string
	Form                  bool // the API's bodies are forms
	Schemes               []*scheme
	Calls                 []*call

	Code, Message, Success string // where the fake's refusals say so
	InBand                 bool   // refusals come with HTTP 200
}

func newModel(p *plan.Plan, h render.Header) *model {
	m := &model{
		Plan: p, Version: render.Version, Module: render.Module, Spec: h.Spec, Title: strings.Join(strings.Fields(p.Doc.Title), " "),
		Form: isForm(p.Doc), Code: "code", Message: "message", InBand: len(p.Doc.Envelope.Good) > 0,
	}
	if m.Title == "" {
		m.Title = p.Doc.Platform
	}
	e := p.Doc.Envelope
	for _, at := range []struct {
		paths []string
		name  *string
	}{{e.Code, &m.Code}, {e.Message, &m.Message}, {e.Success, &m.Success}} {
		if len(at.paths) > 0 {
			*at.name = at.paths[0]
		}
	}
	m.Schemes = schemes(p.Doc)
	m.Calls = m.calls()
	return m
}

// isForm reports whether the API takes parameters: in forms, or nowhere but in paths and queries.
func isForm(doc *spec.Document) bool {
	forms, bodies := 0, 0
	for _, op := range doc.Operations {
		switch {
		case op.Body == nil:
		case op.Body.Kind == spec.JSONBody:
			bodies++
		default:
			forms++
		}
	}
	return forms >= bodies
}

// check finds names that cannot be: of services that the client's methods would hide, of what is written by hand or made of schemas.
func (m *model) check(taken plan.Taken) []spec.Fault {
	var faults []spec.Fault
	fault := func(line int, cure, format string, args ...any) {
		faults = append(faults, m.Doc.Fault(line, cure, format, args...))
	}
	for _, s := range m.Services {
		if naming.HidesService(s.Name) && len(s.Methods) > 0 {
			fault(s.Methods[0].Op.Service.Line, "choose another x-sdk.service", "service %s is hidden by the client's method of that name", s.Name)
		}
		for _, method := range s.Methods {
			m.fromCredential(method, fault)
		}
	}
	for _, name := range m.names() {
		if at, ok := taken.Names[name]; ok {
			fault(1, "rename the hand-written one", "name %s is declared at %s and is generated", name, at)
		}
	}
	return faults
}

// fromCredential finds what no caller gives, and only an authorizer written by hand would fill in.
func (m *model) fromCredential(method *plan.Method, fault func(line int, cure, text string, args ...any)) {
	const cure = "drop x-from, so that callers give it, or write a Client of your own beside the generated files"
	names := slices.Clone(method.FromCredential)
	for _, p := range method.Op.Params {
		if p.FromCredential && !slices.Contains(names, p.Name) {
			names = append(names, p.Name) // of the path
		}
	}
	for _, name := range names {
		fault(m.lineOf(method.Op, name), cure, "%s of %s is from the credential, and the client that is generated does not know it",
			name, method.Op.ID.Value)
	}
}

// lineOf is where a parameter or field of the body stands.
func (m *model) lineOf(op *spec.Operation, name string) int {
	for _, p := range op.Params {
		if p.Name == name && p.FromCredential {
			return p.Line
		}
	}
	if op.Body == nil {
		return op.Line
	}
	props, _ := m.Doc.Properties(op.Body.Schema)
	for _, p := range props {
		if p.Name == name {
			return p.Line
		}
	}
	return op.Body.Line
}

// names are what client.gen.go declares beside Client and New.
func (m *model) names() []string {
	if len(m.Schemes) == 0 {
		return nil
	}
	out := []string{"auth"}
	if m.HasTokens() {
		out = append(out, "credentials")
	}
	for _, s := range m.Schemes {
		out = append(out, s.Option, s.Const)
	}
	return out
}

// Options are the names of the client's options, and what each is.
func Options(doc *spec.Document) map[string]string {
	out := map[string]string{}
	for _, s := range schemes(doc) {
		out[s.Option] = "an option of the client"
	}
	return out
}
