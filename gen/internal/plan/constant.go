package plan

import (
	"math"
	"slices"
	"strconv"
)

// constant takes a required field that can have one value only out of those of a request: a caller has nothing to say there.
func (p *planner) constant(t *Type, f *Field) {
	if p.hasOneValue(f) {
		t.Fields = slices.DeleteFunc(t.Fields, func(g *Field) bool { return g == f })
		t.Constants = append(t.Constants, f)
	}
}

// always marks the like in an object inside a request, which answers may hold too: there it stays a field, and a caller can leave it
// open.
func (p *planner) always(f *Field) {
	if f.Always = p.hasOneValue(f); f.Always && !f.IsZero() {
		f.Doc += ", which is sent where nothing is set"
	}
}

// IsZero reports whether a constant is what Go sends by itself.
func (f *Field) IsZero() bool {
	return f.Constant() == map[string]string{"integer": "0", "number": "0", "boolean": "false"}[f.Value.Type]
}

// hasOneValue reports whether f is a required text, number or flag with one value. An enum with a name of its own is left alone, since
// it may grow.
func (p *planner) hasOneValue(f *Field) bool {
	v := f.Value
	if !f.Required || f.Nullable || v.Kind != Scalar && v.Kind != Text || len(v.Schema.Enum) != 1 || v.Schema.Nullable {
		return false
	}
	only, bad, cure := v.Schema.Enum[0], false, ""
	switch v.Type {
	case "integer":
		_, err := strconv.ParseInt(only.Value, 10, 64)
		bad, cure = err != nil, "write a whole number of 64 bits"
	case "number":
		n, err := strconv.ParseFloat(only.Value, 64)
		bad, cure = err != nil || math.IsInf(n, 0) || math.IsNaN(n), "write a number"
	case "boolean":
		bad, cure = only.Value != "true" && only.Value != "false", "write true or false"
	}
	if bad {
		p.fault(only.Line, cure, "the one value %q of %q is no %s", only.Value, f.Wire, v.Type)
	}
	return true
}

// Constant returns the one value of a constant, as text: a number as JSON writes it, without what would make it octal in Go.
func (f *Field) Constant() string {
	text := f.Value.Schema.Enum[0].Value
	switch f.Value.Type {
	case "integer":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return strconv.FormatInt(n, 10)
		}
	case "number":
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return strconv.FormatFloat(n, 'f', -1, 64)
		}
	}
	return text
}
