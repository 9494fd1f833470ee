package plan

import (
	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Where a field of a request travels.
const (
	InPath   = "path"
	InQuery  = "query"
	InHeader = "header"
	InForm   = "form"
	InJSON   = "json"
	InFile   = "file"
	InBody   = "body" // is all of the body, as JSON
)

// request plans what a method sends. The type of its parameters is nil if a caller has none to give, and then fixed is what is sent
// all the same.
func (p *planner) request(m *Method) (request, fixed *Type) {
	op := m.Op
	t := &Type{Line: op.Line, Name: p.settled(m.Service.Name + m.Name + "Request"), Input: true, For: m}
	t.JSON = op.Body != nil && op.Body.Kind == spec.JSONBody
	before := len(p.plan.Types)
	p.foreseeRequest(t, op)
	p.foreseePlaces(t)
	for _, param := range op.Params {
		if !p.fromCredential(m, param) {
			p.parameter(t, param)
		}
	}
	if op.Body != nil {
		p.body(t, op.Body)
	}
	if len(t.Fields) == 0 {
		return nil, p.fixed(t)
	}
	p.declare(t.Name, op.Line, "the request of "+op.ID.Value, "rename the schema, or choose another x-sdk.method")
	// The request stands before the types that it holds.
	held := append([]*Type{t}, p.plan.Types[before:]...)
	p.plan.Types = append(p.plan.Types[:before], held...)
	p.declared[t.Name] = t
	return t, nil
}

// foreseeRequest finds what the fields of a request will be called, before the first is; all of a body travel in it.
func (p *planner) foreseeRequest(t *Type, op *spec.Operation) {
	for _, param := range op.Params {
		if !param.FromCredential {
			p.foresee(t, p.fieldName(param.Name, param.Schema), wire{param.Name, param.In})
		}
	}
	if op.Body == nil {
		return
	}
	props, _ := p.doc.Properties(op.Body.Schema)
	for _, prop := range props {
		if !prop.FromCredential {
			p.foresee(t, p.fieldName(prop.Name, prop.Schema), wire{prop.Name, InBody})
		}
	}
	if p.isWholeBody(op.Body, props) {
		p.foresee(t, p.fieldName("Body", op.Body.Schema), wire{"Body", InBody})
	}
}

// isWholeBody reports whether a body is no object with fields, so that one field of the request is all of it.
func (p *planner) isWholeBody(b *spec.Body, props []*spec.Property) bool {
	return p.doc.Foreign && b.Kind == spec.JSONBody && len(props) == 0
}

// fixed makes of a request without fields what is sent in each call: nil for nothing. It has a name where it needs a type of its own,
// for constants.
func (p *planner) fixed(t *Type) *Type {
	if len(t.Constants) == 0 && !t.JSON {
		return nil
	}
	t.Name = ""
	if len(t.Constants) > 0 {
		t.Name = p.settled(naming.Unexported(t.For.Service.Name + t.For.Name + "Params"))
		p.declare(t.Name, t.Line, "what "+t.For.Op.ID.Value+" sends", "choose another x-sdk.service or x-sdk.method")
	}
	return t
}

// fromCredential reports whether the authorizer fills in a parameter. Those of the path stand in the operation's path already.
func (p *planner) fromCredential(m *Method, param *spec.Param) bool {
	if !param.FromCredential {
		return false
	}
	p.checkFromCredential(param.Schema, param.Line, "parameter "+param.Name)
	if param.In == InHeader {
		p.fault(param.Line, "drop it: the authorizer writes its headers by itself", "parameter %s is a header, and from the credential", param.Name)
	}
	if param.In != InPath {
		m.FromCredential = append(m.FromCredential, param.Name)
	}
	return true
}

func (p *planner) checkFromCredential(s *spec.Schema, line int, what string) {
	if s = p.doc.Resolve(s); s == nil || s.Type != "string" && s.Type != "integer" {
		p.fault(line, "drop x-from, or write type: string or type: integer", "%s is from the credential, and no text or whole number", what)
	}
}

func (p *planner) parameter(t *Type, param *spec.Param) {
	what := "parameter " + param.Name
	f := p.field(t, param.Name, param.Schema, param.Line, what, place{input: true, travels: param.In})
	if f == nil {
		return
	}
	f.In, f.Required, f.Commas = param.In, param.Required, param.Commas
	if param.Doc != "" {
		f.Doc = param.Doc
	}
	f.Deprecated = f.Deprecated || param.Deprecated
	p.checkInput(f, param.Line)
	p.recipient(t.For.Op, f, param.Recipient)
	kind := f.Value.Kind
	if param.In == InPath && (kind == Object || kind == List || kind == Map || kind == Raw || kind == File) {
		p.fault(param.Line, "write a text or a number", "%s of the path is no single value", what)
	}
	if param.In == InHeader && (kind == Object || kind == Map || kind == Raw || kind == List && !f.Value.Elem.Textual()) {
		p.fault(param.Line, "write a text, a number or a list of them", "%s of a header is no single value", what)
	}
	if kind == File {
		p.fault(param.Line, "move it to a "+spec.MultipartBody+" body", "%s is a file", what)
	}
	if param.In == InQuery && param.Commas && !f.Value.parted() && !f.Value.Textual() {
		p.fault(param.Line, "drop explode: it travels as JSON text", "%q is no list of text or numbers, which commas could part", f.Wire)
	}
	p.checkPipes(f)
	p.constant(t, f)
}

// body plans the fields of a body. A form's text and numbers travel as they are, objects and lists as JSON text in one value.
func (p *planner) body(t *Type, b *spec.Body) {
	s := p.doc.Resolve(b.Schema)
	if s == nil {
		return
	}
	props, required := p.doc.Properties(s)
	if p.isWholeBody(b, props) {
		p.wholeBody(t, b)
		return
	}
	// An empty JSON object is something to send; an empty form is not.
	if empty := b.Kind == spec.JSONBody && s.Type == "object" && s.Values == nil; len(props) == 0 && !empty {
		p.fault(b.Line, "describe its fields under properties", "the body of %s is no object with properties", b.Kind)
		return
	}
	for _, prop := range props {
		if prop.FromCredential {
			p.checkFromCredential(prop.Schema, prop.Line, "field "+prop.Name)
			t.For.FromCredential = append(t.For.FromCredential, prop.Name)
			continue
		}
		p.bodyField(t, b, prop, required[prop.Name])
	}
	p.checkParts(s, props)
	for name := range b.Commas {
		if fieldNamed(t, name) == nil {
			p.fault(b.Line, "name one of the body's fields", "encoding of %q, which is no field", name)
		}
	}
}

// wholeBody plans the one field that is all of a body.
func (p *planner) wholeBody(t *Type, b *spec.Body) {
	t.JSON = false
	if f := p.field(t, "Body", b.Schema, b.Line, "the body", place{input: true, json: true, travels: InBody}); f != nil {
		f.In, f.Required = InBody, b.Required
	}
}

// bodyField plans one of them; required is the line at which it is, or 0.
func (p *planner) bodyField(t *Type, b *spec.Body, prop *spec.Property, required int) {
	f := p.field(t, prop.Name, prop.Schema, prop.Line, "field "+prop.Name, place{input: true, json: b.Kind == spec.JSONBody, travels: InBody})
	if f == nil {
		return
	}
	f.Required, f.Commas = required > 0, b.Commas[prop.Name]
	f.Repeats = b.Repeats[prop.Name] && f.Value.Kind == List && f.Value.Elem.Textual()
	f.In = InForm
	switch {
	case b.Kind == spec.JSONBody:
		f.In = InJSON
		p.nullable(f, prop.Schema)
	case f.Value.Kind == File:
		f.In = InFile
	}
	f.clearing(t)
	p.checkInput(f, required)
	p.checkForm(f, b)
	p.recipient(t.For.Op, f, prop.Recipient)
	p.constant(t, f)
}

// clearing says in an optional list or map of JSON that is sent how it is emptied, which who changes something has to know.
func (f *Field) clearing(t *Type) {
	if kind := f.Value.Kind; t.JSON && (f.In == "" || f.In == InJSON) && !f.Required && (kind == List || kind == Map) {
		f.remark("an empty one is sent, nil is not")
	}
}

// checkPipes: only JSON refuses an entry that holds a | itself.
func (p *planner) checkPipes(f *Field) {
	if f.Value.Kind == Pipes && f.In != InJSON {
		p.fault(f.Line, "write type: string, or send it in a JSON body", "%q is a pipe-list outside JSON", f.Wire)
	}
}

func (p *planner) checkForm(f *Field, b *spec.Body) {
	p.checkPipes(f)
	if f.Value.Kind == File && b.Kind == spec.FormBody {
		p.fault(f.Line, "use "+spec.MultipartBody, "file %q in a form that is not multipart", f.Wire)
	}
	if f.Commas && !f.Value.parted() {
		p.fault(f.Line, "drop the encoding", "%q is no list of text or numbers, which commas could part", f.Wire)
	}
}

// parted reports whether v is a list that can travel in one value, with commas.
func (v *Value) parted() bool { return v.Kind == List && v.Elem.Textual() }
