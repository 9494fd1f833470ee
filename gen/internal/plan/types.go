package plan

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A place is where a value stands: what a type that has no name of its own is called, and what its fields may be.
type place struct {
	name  string // for an object that stands there
	is    string // what such an object is, in words
	in    string // the part of the Go API that holds it, as a doc link
	what  string // for faults
	input bool
	json  bool // inside JSON, where a secret would be written as REDACTED

	travels string // of a request's field: path, query, header, or the body
}

// value plans the type of what s describes.
func (p *planner) value(s *spec.Schema, at place) *Value {
	if s.Ref != "" {
		return p.reference(s, at)
	}
	switch {
	case p.isStruct(s):
		return &Value{Kind: Object, Name: p.hoist(s, at), Schema: s}
	case len(s.AllOf) == 1:
		return p.value(s.AllOf[0], at)
	case s.Type == "object" && s.Values != nil:
		at.name, at.is, at.json = at.name+"Value", "a value of "+at.in, true
		return &Value{Kind: Map, Elem: p.value(s.Values, at), Schema: s}
	case s.Type == "array":
		at.name, at.is, at.json = at.name+"Item", "an entry of "+at.in, true // of what is no single value
		return &Value{Kind: List, Elem: p.value(s.Items, at), Loose: s.Format == "object-or-list", Schema: s}
	case s.Type == "" || s.Type == "object":
		return &Value{Kind: Raw, Schema: s}
	}
	v := scalar(s)
	p.checkScalar(v, at)
	return v
}

func (p *planner) reference(s *spec.Schema, at place) *Value {
	target := p.doc.Resolve(s)
	if target == nil {
		return &Value{Kind: Raw, Schema: s}
	}
	name, ok := p.schemas[target.Name]
	if !ok {
		return p.written(target, at)
	}
	p.used[target.Name] = true
	kind := Object
	if len(target.Enum) > 0 {
		kind = Enum
	}
	return &Value{Kind: kind, Type: target.Type, Format: formatOf(target), Name: name, Schema: target}
}

// written plans a schema that has no Go type of its own, where it is used.
func (p *planner) written(s *spec.Schema, at place) *Value {
	if p.open[s] {
		p.fault(s.Line, "make it an object with a property that holds the list", "schema %s holds itself and is no object", s.Name)
		return &Value{Kind: Raw, Schema: s}
	}
	p.open[s] = true
	defer delete(p.open, s)
	if name := p.fieldName(s.Name, s); name != "" { // what stands inside is called after the schema, and not after who happens to hold it first
		at.name, at.in = name, name
	}
	return p.value(s, at)
}

func (p *planner) checkScalar(v *Value, at place) {
	if v.Kind == Secret && at.input && at.json {
		p.fault(v.Schema.Line, "send it as a form field or query parameter of its own, or drop the format",
			"%s is a secret inside JSON, where it would be sent as REDACTED", at.what)
	}
	if v.Kind == File && (at.json || !at.input) {
		p.fault(v.Schema.Line, "use it in "+spec.MultipartBody+", or as the whole answer", "%s is a file inside JSON", at.what)
	}
}

// hoist makes a type of an object that stands inside another.
func (p *planner) hoist(s *spec.Schema, at place) string {
	if t, ok := p.hoisted[s]; ok {
		return t.Name
	}
	t := &Type{Line: s.Line, Name: p.settled(cmp.Or(p.called[s], at.name)), Doc: s.Doc, Part: at.is, Input: at.input || p.inside[s], JSON: true}
	p.hoisted[s] = t
	p.declare(t.Name, s.Line, at.what, "move it to components/schemas under a name of its own")
	p.add(t)
	p.fields(t, s)
	return t.Name
}

// fields plans an object's fields.
func (p *planner) fields(t *Type, s *spec.Schema) {
	props, required := p.doc.Properties(s)
	for _, prop := range props {
		p.foresee(t, p.fieldName(prop.Name, prop.Schema), wire{name: prop.Name})
	}
	for _, prop := range props {
		p.checkMarks(prop)
		f := p.field(t, prop.Name, prop.Schema, prop.Line, "property "+prop.Name, place{input: t.Input, json: true})
		if f == nil {
			continue
		}
		f.Required = required[prop.Name] > 0
		if t.Input {
			p.nullable(f, prop.Schema)
			p.always(f)
			f.clearing(t)
			p.checkInput(f, required[prop.Name])
		}
	}
	p.checkParts(s, props)
}

// checkParts finds what an object, and each part of its allOf that has no name, says beside the fields and holds for none of them.
func (p *planner) checkParts(s *spec.Schema, props []*spec.Property) {
	for _, name := range s.Required {
		if !slices.ContainsFunc(props, func(q *spec.Property) bool { return q.Name == name.Value }) {
			p.fault(name.Line, "add it to properties, or take it out of required", "required names %q, which is no property", name.Value)
		}
	}
	if s.More > 0 && len(props) > 0 {
		p.fault(s.More, "keep one of them, or take the type out for an object that can hold anything",
			"properties and additionalProperties in one object: no Go type holds both")
	}
	for _, part := range s.AllOf {
		target := p.doc.Resolve(part)
		switch {
		case part.Ref == "":
			p.checkParts(part, props)
		case target != nil && target.More > 0 && !p.isStruct(target):
			p.checkParts(&spec.Schema{More: part.Line}, props)
		}
	}
}

// field adds a field to t that is called name on the wire; nil where it can have none.
func (p *planner) field(t *Type, on string, s *spec.Schema, line int, what string, at place) *Field {
	name := p.settledField(t, p.fieldName(on, s), wire{on, at.travels})
	if !naming.IsExported(name) {
		p.fault(line, "add x-go-name", "%s gives no Go name", what)
		return nil
	}
	if at.json && !naming.IsTag(on) {
		p.fault(line, "check it: letters, digits and signs such as _ - . $ are possible",
			"%s holds a character that no JSON tag of Go can, so that it would travel under another name", what)
		return nil
	}
	if strings.ContainsFunc(on, unicode.IsControl) {
		p.fault(line, "check it: no platform uses such names", "%s holds a control character", what)
		return nil
	}
	if t.Input && name == t.writes() {
		p.fault(line, "add x-go-name", "Go name %s of %s is that of the method that sends the request", name, what)
		return nil
	}
	if other := t.names[name]; other != nil {
		p.fault(line, "add x-go-name to one of them", "Go name %s of %s is that of %q (line %s)", name, what, other.Wire, p.doc.Where(other.Line))
		return nil
	}
	at.name, at.what = t.Name+name, what
	at.in = "[" + t.Name + "." + name + "]"
	at.is = "what " + at.in + " holds"
	f := &Field{
		Line: line, Name: name, Wire: on, Doc: documentation(s), Value: p.value(s, at),
		Deprecated: s.Deprecated, DeprecatedReason: s.DeprecatedReason,
	}
	t.add(f)
	return f
}

// documentation is what the spec says about a field, with the values that it may have.
func documentation(s *spec.Schema) string {
	if len(s.Enum) == 0 || s.Name != "" {
		return s.Doc
	}
	words := make([]string, len(s.Enum))
	for i, v := range s.Enum {
		words[i] = v.Value
		if strings.TrimSpace(v.Value) == "" {
			words[i] = strconv.Quote(v.Value)
		}
	}
	values := strings.Join(words, ", ")
	doc := strings.TrimSpace(s.Doc)
	switch end, _ := utf8.DecodeLastRuneInString(doc); {
	case doc == "":
		return "one of " + values
	case strings.ContainsRune(".!?。！？", end):
		return doc + " One of " + values
	default:
		return strings.TrimSuffix(doc, ":") + ": one of " + values
	}
}

// credentials are the names, without separators, of what the credential gives: no caller passes it as a parameter.
var credentials = []string{
	"accesstoken", "token", "sign", "sig", "signature", "aopsignature", "aoptimestamp", "clientsecret", "appsecret", "secret",
	"secretkey", "corpsecret", "componentaccesstoken", "componentappsecret", "suiteaccesstoken", "suitesecret", "provideraccesstoken",
	"refreshtoken", "authorizerrefreshtoken",
}

// checkInput finds what a caller should not give, and what cannot be told from a mistake.
func (p *planner) checkInput(f *Field, required int) {
	plain := strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(f.Wire))
	named := f.Value.Schema != nil && f.Value.Schema.GoName.Value != "" // by somebody who knows better
	if slices.Contains(credentials, plain) && !p.doc.Foreign && f.Value.Kind != Secret && !named {
		p.fault(f.Line, "make it a security scheme; add format: secret if it is what the call is about, or x-go-name if it is no secret",
			"%q is a token or signature, and a parameter", f.Wire)
	}
	if f.Value.Kind == List && f.Required && !f.Nullable && (f.Value.Schema.MinItems == nil || *f.Value.Schema.MinItems < 1) {
		p.fault(max(f.Line, required), "add minItems: 1, or take it out of required",
			"list %q is required and may be empty, which nobody can tell from forgotten", f.Wire)
	}
}
