package plan

import (
	"slices"
	"strconv"
)

// constant takes a required text or whole number that can have one value only out of the fields: a caller has nothing to say there. An
// enum with a name of its own is left alone, since it may grow.
func (p *planner) constant(t *Type, f *Field) {
	v := f.Value
	if !f.Required || f.Nullable || v.Kind != Scalar && v.Kind != Text || v.Type != "string" && v.Type != "integer" || len(v.Schema.Enum) != 1 {
		return
	}
	only := v.Schema.Enum[0]
	if v.Type == "integer" {
		if _, err := strconv.ParseInt(only.Value, 10, 64); err != nil {
			p.fault(only.Line, "write a whole number of 64 bits", "the one value %q of %q is no integer", only.Value, f.Wire)
		}
	}
	t.Fields = slices.DeleteFunc(t.Fields, func(g *Field) bool { return g == f })
	t.Constants = append(t.Constants, f)
}

// Constant returns the one value of a constant, as text.
func (f *Field) Constant() string { return f.Value.Schema.Enum[0].Value }
