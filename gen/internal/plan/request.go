package plan

import (
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Where a field of a request travels.
const (
	InPath  = "path"
	InQuery = "query"
	InForm  = "form"
	InJSON  = "json"
	InFile  = "file"
)

// request plans the type of a method's parameters; nil if it has none.
func (p *planner) request(m *Method) *Type {
	op := m.Op
	t := &Type{Line: op.Line, Name: m.Service.Name + m.Name + "Request", Input: true, For: m}
	t.JSON = op.Body != nil && op.Body.Kind == spec.JSONBody
	before := len(p.plan.Types)
	for _, param := range op.Params {
		if !param.FromCredential {
			p.parameter(t, param)
		}
	}
	if op.Body != nil {
		p.body(t, op.Body)
	}
	if len(t.Fields) == 0 {
		return nil
	}
	p.declare(t.Name, op.Line, "the request of "+op.ID.Value, "rename the schema, or choose another x-sdk.method")
	// The request stands before the types that it holds.
	held := append([]*Type{t}, p.plan.Types[before:]...)
	p.plan.Types = append(p.plan.Types[:before], held...)
	p.declared[t.Name] = t
	return t
}

func (p *planner) parameter(t *Type, param *spec.Param) {
	what := "parameter " + param.Name
	f := p.field(t, param.Name, param.Schema, param.Line, what, place{input: true})
	if f == nil {
		return
	}
	f.In, f.Required, f.Commas = param.In, param.Required, param.Commas
	if param.Doc != "" {
		f.Doc = param.Doc
	}
	f.Deprecated = f.Deprecated || param.Deprecated
	p.checkInput(f, param.Line)
	kind := f.Value.Kind
	if param.In == InPath && (kind == Object || kind == List || kind == Map || kind == Raw || kind == File) {
		p.fault(param.Line, "write a text or a number", "%s of the path is no single value", what)
	}
	if kind == File {
		p.fault(param.Line, "move it to a "+spec.MultipartBody+" body", "%s is a file", what)
	}
}

// body plans the fields of a body. A form's text and numbers travel as they are, objects and lists as JSON text in one value.
func (p *planner) body(t *Type, b *spec.Body) {
	s := p.doc.Resolve(b.Schema)
	if s == nil {
		return
	}
	props, required := p.properties(s, map[*spec.Schema]bool{})
	if len(props) == 0 {
		p.fault(b.Line, "describe its fields under properties", "the body of %s is no object with properties", b.Kind)
		return
	}
	for _, prop := range props {
		f := p.field(t, prop.Name, prop.Schema, prop.Line, "field "+prop.Name, place{input: true, json: b.Kind == spec.JSONBody})
		if f == nil {
			continue
		}
		f.Required, f.Commas = required[prop.Name] > 0, b.Commas[prop.Name]
		f.In = InForm
		switch {
		case b.Kind == spec.JSONBody:
			f.In = InJSON
		case f.Value.Kind == File:
			f.In = InFile
		}
		p.checkInput(f, required[prop.Name])
		p.checkForm(f, b)
	}
	p.checkRequired(s)
	for name := range b.Commas {
		if !containsField(t, name) {
			p.fault(b.Line, "name one of the body's fields", "encoding of %q, which is no field", name)
		}
	}
}

func (p *planner) checkForm(f *Field, b *spec.Body) {
	if f.Value.Kind == File && b.Kind == spec.FormBody {
		p.fault(f.Line, "use "+spec.MultipartBody, "file %q in a form that is not multipart", f.Wire)
	}
	if f.Commas && (f.Value.Kind != List || !f.Value.Elem.Single()) {
		p.fault(f.Line, "drop the encoding", "%q is no list of text or numbers, which commas could part", f.Wire)
	}
}

func containsField(t *Type, wire string) bool {
	for _, f := range t.Fields {
		if f.Wire == wire {
			return true
		}
	}
	return false
}
