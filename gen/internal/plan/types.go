package plan

import (
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A place is where a value stands: what a type that has no name of its own is called, and what its fields may be.
type place struct {
	name  string // for an object that stands there
	what  string // for faults
	line  int
	input bool
	json  bool // inside JSON, where a secret would be written as REDACTED
}

// value plans the type of what s describes.
func (p *planner) value(s *spec.Schema, at place) *Value {
	if s.Ref != "" {
		return p.reference(s, at)
	}
	switch {
	case len(s.AllOf) == 1 && len(s.Properties) == 0:
		return p.value(s.AllOf[0], at)
	case p.isStruct(s):
		return &Value{Kind: Object, Name: p.hoist(s, at), Schema: s}
	case s.Type == "object" && s.Values != nil:
		at.name += "Value"
		return &Value{Kind: Map, Elem: p.value(s.Values, at), Schema: s}
	case s.Type == "array":
		at.name += "Item"
		return &Value{Kind: List, Elem: p.value(s.Items, at), Loose: s.Format == "object-or-list", Schema: s}
	case s.Type == "" || s.Type == "object":
		return &Value{Kind: Raw, Schema: s}
	}
	v := &Value{Kind: goType(s.Type, s.Format).Kind, Type: s.Type, Format: s.Format, Schema: s}
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
	return &Value{Kind: kind, Type: target.Type, Format: target.Format, Name: name, Schema: target}
}

// written plans a schema that has no Go type of its own, where it is used.
func (p *planner) written(s *spec.Schema, at place) *Value {
	if p.open[s] {
		p.fault(s.Line, "make it an object with a property that holds the list", "schema %s holds itself and is no object", s.Name)
		return &Value{Kind: Raw, Schema: s}
	}
	p.open[s] = true
	defer delete(p.open, s)
	return p.value(s, at)
}

func (p *planner) checkScalar(v *Value, at place) {
	if v.Kind == Secret && at.input && at.json {
		p.fault(v.Schema.Line, "send it as a form field or query parameter, or drop the format",
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
	t := &Type{Line: s.Line, Name: p.settled(at.name), Doc: s.Doc, Input: at.input, JSON: true}
	p.hoisted[s] = t
	p.declare(t.Name, s.Line, at.what, "move it to components/schemas under a name of its own")
	p.add(t)
	p.fields(t, s)
	return t.Name
}

// fields plans an object's fields.
func (p *planner) fields(t *Type, s *spec.Schema) {
	props, required := p.properties(s, map[*spec.Schema]bool{})
	for _, prop := range props {
		p.checkMarks(prop)
		f := p.field(t, prop.Name, prop.Schema, prop.Line, "property "+prop.Name, place{input: t.Input, json: true})
		if f == nil {
			continue
		}
		f.Required = required[prop.Name] > 0
		if t.Input {
			p.nullable(f, prop.Schema)
			p.checkInput(f, required[prop.Name])
		}
	}
	p.checkRequired(s)
}

// properties gathers an object's properties with those of its allOf; a later one replaces an earlier one of the same name. The map
// gives the line at which a name is required.
func (p *planner) properties(s *spec.Schema, seen map[*spec.Schema]bool) ([]*spec.Property, map[string]int) {
	if s = p.doc.Resolve(s); s == nil || seen[s] {
		return nil, nil
	}
	seen[s] = true
	var props []*spec.Property
	required := map[string]int{}
	put := func(prop *spec.Property) {
		same := func(q *spec.Property) bool { return q.Name == prop.Name }
		if i := slices.IndexFunc(props, same); i >= 0 {
			props[i] = prop
		} else {
			props = append(props, prop)
		}
	}
	for _, part := range s.AllOf {
		inner, names := p.properties(part, seen)
		for _, prop := range inner {
			put(prop)
		}
		maps.Copy(required, names)
	}
	for _, prop := range s.Properties {
		put(prop)
	}
	for _, name := range s.Required {
		required[name.Value] = name.Line
	}
	return props, required
}

func (p *planner) checkRequired(s *spec.Schema) {
	props, _ := p.properties(s, map[*spec.Schema]bool{})
	for _, name := range s.Required {
		if !slices.ContainsFunc(props, func(q *spec.Property) bool { return q.Name == name.Value }) {
			p.fault(name.Line, "add it to properties, or take it out of required", "required names %q, which is no property", name.Value)
		}
	}
}

// field adds a field called wire to t; nil where it can have none.
func (p *planner) field(t *Type, wire string, s *spec.Schema, line int, what string, at place) *Field {
	name := s.GoName.Value
	if name == "" {
		name, _ = naming.Exported(wire)
	}
	name = p.settledField(t, name)
	if !naming.IsExported(name) {
		p.fault(line, "add x-go-name", "%s gives no Go name", what)
		return nil
	}
	if strings.ContainsFunc(wire, func(r rune) bool { return strings.ContainsRune("\"`\\,", r) || unicode.IsControl(r) }) {
		p.fault(line, "no platform uses such names: check it", "%s holds a character that no Go tag can", what)
		return nil
	}
	if name == "Encode" && t.Input && t.For != nil {
		p.fault(line, "add x-go-name", "Go name Encode of %s is that of the method that sends the request", what)
		return nil
	}
	for _, other := range slices.Concat(t.Fields, t.Constants) {
		if other.Name == name {
			p.fault(line, "add x-go-name to one of them", "Go name %s of %s is that of %q (line %s)", name, what, other.Wire, p.doc.Where(other.Line))
			return nil
		}
	}
	at.name, at.what, at.line = t.Name+name, what, line
	f := &Field{
		Line: line, Name: name, Wire: wire, Doc: documentation(s), Value: p.value(s, at),
		Deprecated: s.Deprecated, DeprecatedReason: s.DeprecatedReason,
	}
	t.Fields = append(t.Fields, f)
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
	}
	values := "one of " + strings.Join(words, ", ")
	if s.Doc == "" {
		return values
	}
	return s.Doc + ": " + values
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
