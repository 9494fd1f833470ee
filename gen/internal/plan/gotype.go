package plan

import "github.com/dujiang-go/dujiang/gen/internal/spec"

// A GoType is the Go type for a type and format of the spec.
type GoType struct {
	Type, Format string
	Go           string
	Kind         Kind
}

// GoTypes says how types and formats are written in Go. The first of a type is its default.
var GoTypes = []GoType{
	{"integer", "int64", "int64", Scalar},
	{"integer", "int32", "int", Scalar},
	{"integer", "number-or-text", "wire.Int", Scalar},
	{"integer", "unix-time", "wire.UnixTime", Time},
	{"number", "double", "float64", Scalar},
	{"number", "float", "float64", Scalar},
	{"number", "number-or-text", "wire.Float", Scalar},
	{"boolean", "", "bool", Scalar},
	{"boolean", "bool-or-text", "wire.Bool", Scalar},
	{"string", "", "string", Scalar},
	{"string", "id", "wire.ID", Text},
	{"string", "text-or-number", "wire.String", Scalar},
	{"string", "secret", "resilience.Secret", Secret},
	{"string", "binary", "wire.File", File},
	{"string", "pipe-list", "wire.Pipes", Pipes},
	{"string", "ruby-time", "wire.RubyTime", Time},
	{"string", "local-time", "wire.LocalTime", Time},
	{"string", "compact-time", "wire.CompactTime", Time},
	{"string", "date-time", "wire.DateTime", Time},
}

// goType finds the row for a type and format; formats that only document text are plain.
func goType(typ, format string) GoType {
	var fallback GoType
	for _, g := range GoTypes {
		if g.Type != typ {
			continue
		}
		if g.Format == format {
			return g
		}
		if fallback.Go == "" {
			fallback = g
		}
	}
	return fallback
}

// formatOf is the format of s, as far as it says anything about Go: a date that is one of a list of texts is one of them, and no date.
func formatOf(s *spec.Schema) string {
	if s.Format == "date-time" && len(s.Enum) > 0 {
		return ""
	}
	return s.Format
}

// scalar is the value of a schema that is one number, text or flag.
func scalar(s *spec.Schema) *Value {
	format := formatOf(s)
	return &Value{Kind: goType(s.Type, format).Kind, Type: s.Type, Format: format, Schema: s}
}

// Go returns the Go type of v inside an answer or, with input, inside what is sent, without the pointer of an optional field.
func (v *Value) Go(input bool) string {
	switch v.Kind {
	case Object:
		if input {
			return v.Name
		}
		return "wire.Maybe[" + v.Name + "]"
	case Enum:
		return v.Name
	case List:
		if v.Loose {
			return "wire.List[" + v.Elem.element(input) + "]"
		}
		return "[]" + v.Elem.element(input)
	case Map:
		return "map[string]" + v.Elem.element(input)
	case Raw:
		if input {
			return "any"
		}
		return "wire.Raw"
	default:
		return goType(v.Type, v.Format).Go
	}
}

// element is the type of an entry of a list or map: an object stands there as it is.
func (v *Value) element(input bool) string {
	if v.Kind == Object {
		return v.Name
	}
	return v.Go(input)
}

// Declared returns the Go type that a method returns for v: an object as it is.
func (v *Value) Declared() string { return v.element(false) }

// Pointer reports whether the field is a pointer: an optional scalar, whose zero means something, and every object and file that is
// sent, where nil is what the caller forgot.
func (f *Field) Pointer() bool {
	switch f.Value.Kind {
	case Object, File:
		return true
	case Scalar, Enum:
		return !f.Required || f.Nullable
	case Text, Secret, Time:
		return f.Nullable
	default:
		return false
	}
}

// Go returns the field's Go type.
func (f *Field) Go(input bool) string {
	if input && f.Pointer() {
		return "*" + f.Value.Go(input)
	}
	return f.Value.Go(input)
}

// Single reports whether v is one number, text or flag.
func (v *Value) Single() bool { return v.Kind == Scalar || v.Kind == Enum || v.Kind == Text }

// Textual reports whether v is a single value, dates among them, so that a list of it can travel as text.
func (v *Value) Textual() bool { return v.Single() || v.Kind == Time }
