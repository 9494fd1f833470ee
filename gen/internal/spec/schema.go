package spec

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// formats are the known formats of each type. Those of strings that say nothing about the Go type are kept as documentation.
var formats = map[string][]string{
	"integer": {"int32", "int64", "number-or-text", "unix-time"},
	"number":  {"float", "double", "number-or-text"},
	"boolean": {"bool-or-text"},
	"string": {
		"id", "text-or-number", "secret", "binary", "pipe-list", "ruby-time", "local-time", "compact-time",
		"byte", "date", "date-time", "email", "hostname", "ipv4", "ipv6", "password", "uri", "uuid",
	},
	"array":  {"object-or-list"},
	"object": nil,
}

var types = []string{"integer", "number", "boolean", "string", "array", "object"}

// schemaKeys are the keys that every schema may hold.
var schemaKeys = []string{
	"type", "format", "description", "properties", "required", "items", "minItems", "minLength", "allOf", "oneOf", "anyOf", "not",
	"enum", "additionalProperties", "deprecated", "x-go-name", "x-enum-varnames", "x-deprecated-reason",
	"nullable", "default", "maximum", "-title", "-example", "-readOnly", "-writeOnly", "-discriminator", "-xml", "-externalDocs",
	"-minimum", "-exclusiveMinimum", "-exclusiveMaximum", "-multipleOf", "-maxLength", "-pattern",
	"-maxItems", "-uniqueItems", "-minProperties", "-maxProperties",
}

func (r *reader) schema(n *yaml.Node, what string) *Schema {
	s, _ := r.described(n, what)
	return s
}

// property reads a field of an object: its schema, which may hold marks of ours beside its own keys.
func (r *reader) property(e entry) *Property {
	s, f := r.described(e.value, e.name, "x-from", "x-recipient")
	p := &Property{Line: e.line, Name: e.name, Schema: s}
	p.FromCredential, p.Recipient = r.marks(f, e.name)
	return p
}

// described reads a schema and returns its keys too. It may hold those in also beside the ones of every schema.
func (r *reader) described(n *yaml.Node, what string, also ...string) (*Schema, fields) {
	n = r.follow(n)
	if n == nil {
		return &Schema{Line: 1}, nil
	}
	s := &Schema{Line: n.Line}
	s.Examples = r.shown(n)
	leave, ok := r.deeper(n, what)
	defer leave()
	if !ok {
		return s, nil
	}
	if ref := r.child(n, "$ref"); ref != nil {
		return s, r.reference(s, n, ref, what, also...)
	}
	f := r.object(n, what, slices.Concat(schemaKeys, also)...)
	r.schemaTexts(s, f, what)
	r.schemaType(s, f, what)
	r.choices(f, what)
	r.nested(s, f, what)
	return s, f
}

// reference reads {$ref: ...}, beside which a description and a Go name may stand.
func (r *reader) reference(s *Schema, n, ref *yaml.Node, what string, also ...string) fields {
	if r.as.Foreign {
		also = append(also, "-example")
	}
	f := r.object(n, what, append(also, "$ref", "description", "x-go-name", "deprecated", "x-deprecated-reason")...)
	r.schemaTexts(s, f, what)
	target := r.text(ref, "$ref")
	name, ok := strings.CutPrefix(target.Value, "#/components/schemas/")
	s.Ref = Unescape(name)
	if !ok || r.part("schemas", s.Ref) == nil {
		r.unresolved(target, "schemas")
		s.Ref, s.Type = "", "object"
	}
	return f
}

// shown lists the examples of a foreign document, which package source has brought to a list of JSON texts.
func (r *reader) shown(n *yaml.Node) []string {
	if !r.as.Foreign {
		return nil
	}
	var out []string
	if list := r.child(n, "example"); list != nil {
		for _, one := range list.Content {
			out = append(out, one.Value)
		}
	}
	return out
}

func (r *reader) schemaTexts(s *Schema, f fields, what string) {
	if g, ok := f["description"]; ok {
		s.Doc = r.text(g.value, what+".description").Value
	}
	if g, ok := f["x-go-name"]; ok {
		s.GoName = r.text(g.value, what+".x-go-name")
	}
	if g, ok := f["nullable"]; ok {
		s.Nullable = r.boolean(g.value, what+".nullable")
	}
	if g, ok := f["deprecated"]; ok {
		s.Deprecated = r.boolean(g.value, what+".deprecated")
	}
	if g, ok := f["x-deprecated-reason"]; ok {
		s.DeprecatedReason = r.text(g.value, what+".x-deprecated-reason").Value
	}
}

func (r *reader) schemaType(s *Schema, f fields, what string) {
	if g, ok := f["type"]; ok {
		s.Type = r.word(g.value, "type", types)
	}
	if g, ok := f["format"]; ok {
		if known := formats[s.Type]; s.Type != "" {
			s.Format = r.word(g.value, "format of type "+s.Type, known)
		} else {
			r.fault(g.line, "add type", "%s has a format and no type", what)
		}
		return
	}
	if s.Type == "integer" || s.Type == "number" {
		r.fault(f["type"].line, "add format: "+strings.Join(formats[s.Type], ", "),
			"%s is a%s without a format, so nothing says how large it gets", what, map[string]string{"integer": "n integer", "number": " number"}[s.Type])
	}
}

// choices refuses what has no plain Go type.
func (r *reader) choices(f fields, what string) {
	for _, key := range []string{"oneOf", "anyOf", "not"} {
		if g, ok := f[key]; ok {
			r.fault(g.line, "use a format for both (number-or-text, text-or-number, bool-or-text, object-or-list), or no type for anything",
				"%s in %s has no Go type", key, what)
		}
	}
}

func (r *reader) nested(s *Schema, f fields, what string) {
	if g, ok := f["properties"]; ok {
		if s.Type == "" {
			s.Type = "object"
		}
		for _, e := range r.entries(g.value, what+".properties") {
			s.Properties = append(s.Properties, r.property(e))
		}
	}
	if g, ok := f["required"]; ok {
		s.Required = r.texts(g.value, what+".required")
	}
	if g, ok := f["items"]; ok {
		s.Items = r.schema(g.value, "items of "+what)
	}
	if s.Type == "array" && s.Items == nil {
		r.fault(s.Line, "add items: {type: ...}", "%s is a list without items", what)
		s.Items = &Schema{Line: s.Line}
	}
	if g, ok := f["minItems"]; ok {
		least := r.number(g.value, what+".minItems", 0)
		s.MinItems = &least
	}
	if s.Type == "integer" {
		s.Default, s.Most = r.whole(f["default"]), r.whole(f["maximum"])
	}
	if g, ok := f["minLength"]; ok {
		s.MayBeEmpty = r.number(g.value, what+".minLength", 0) == 0
	}
	if g, ok := f["allOf"]; ok {
		for _, part := range r.list(g.value, what+".allOf") {
			s.AllOf = append(s.AllOf, r.schema(part, what))
		}
	}
	if g, ok := f["additionalProperties"]; ok {
		switch n := r.follow(g.value); {
		case n.Kind == yaml.MappingNode:
			s.Values, s.More = r.schema(n, "values of "+what), g.line
		case n.Value != "false":
			s.More = g.line
		}
	}
	r.enum(s, f, what)
}

// whole reads a whole number that says how a platform takes a field; nil for none, and for what is none.
func (r *reader) whole(f field) *int {
	v := r.follow(f.value)
	if v == nil || v.Kind != yaml.ScalarNode {
		return nil
	}
	n, err := strconv.Atoi(v.Value)
	if err != nil {
		return nil
	}
	return &n
}

func (r *reader) enum(s *Schema, f fields, what string) {
	if g, ok := f["enum"]; ok {
		s.Enum = r.texts(g.value, what+".enum")
	}
	g, ok := f["x-enum-varnames"]
	if !ok {
		return
	}
	s.EnumNames = r.texts(g.value, what+".x-enum-varnames")
	if len(s.EnumNames) != len(s.Enum) {
		r.fault(g.line, "write one name for each value", "%s has %d values and %d names", what, len(s.Enum), len(s.EnumNames))
		s.EnumNames = nil
	}
}

// references finds schemas that are nothing but each other.
func (r *reader) references(doc *Document) {
	for _, s := range doc.Schemas {
		if s.Ref != "" && doc.Resolve(s) == nil {
			r.fault(s.Line, "define one of them", "schema %s refers to itself", s.Name)
			s.Ref, s.Type = "", "object"
		}
	}
}
