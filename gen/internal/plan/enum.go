package plan

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// isEnum reports whether s becomes a type with constants. A flag or a rate with a list of values is a fault where somebody can mend it.
func (p *planner) isEnum(s *spec.Schema) bool {
	return len(s.Enum) > 0 && (!p.doc.Foreign || s.Type == "string" || s.Type == "integer")
}

// enum names the known values after the type, always: a name that depended on neighbours would change when the spec grows.
func (p *planner) enum(t *Type, s *spec.Schema) {
	if s.Type != "string" && s.Type != "integer" {
		p.fault(s.Line, "write type: string or type: integer", "enum %s is of type %q", s.Name, s.Type)
	}
	if t.Base.Kind == Pipes {
		p.fault(s.Line, "make it the enum of a text, and the list a field of its own", "enum %s is a pipe-list", s.Name)
	}
	if t.Base.Kind == Time || t.Base.Kind == File {
		p.fault(s.Line, "drop the format: Go has no constants of it", "enum %s is of the format %s", s.Name, s.Format)
	}
	names := p.enumNames(s)
	for i, v := range s.Enum {
		if names[i] == "" {
			p.fault(v.Line, "add x-enum-varnames", "value %q of enum %s gives no Go name", v.Value, s.Name)
			continue
		}
		constant := p.settled(t.Name + names[i])
		p.declare(constant, v.Line, fmt.Sprintf("value %q of %s", v.Value, s.Name), "add x-enum-varnames")
		t.Enum = append(t.Enum, EnumValue{constant, p.enumValue(s, v)})
	}
}

// enumNames are the ends of the constants' names; empty for a value that gives none.
func (p *planner) enumNames(s *spec.Schema) []string {
	names, alike := make([]string, len(s.Enum)), map[string]int{}
	for i, v := range s.Enum {
		word := signWord(v.Value)
		if len(s.EnumNames) > 0 {
			word = s.EnumNames[i].Value
		}
		if p.goName(word) != "" {
			names[i] = strings.TrimPrefix(p.goName("x "+word), "X") // after the type's name a digit needs no letter before it
		}
		alike[names[i]]++
	}
	for i, v := range s.Enum {
		if p.doc.Foreign && (names[i] == "" || alike[names[i]] > 1) {
			names[i] = naming.Verbatim(v.Value)
		}
	}
	return names
}

// enumValue is a value as Go writes it: 010 would be eight there.
func (p *planner) enumValue(s *spec.Schema, v spec.Text) string {
	if s.Type != "integer" {
		return v.Value
	}
	n, err := strconv.ParseInt(v.Value, 10, 64)
	if err != nil {
		p.fault(v.Line, "write a whole number of 64 bits", "value %q of enum %s is no integer", v.Value, s.Name)
	}
	return strconv.FormatInt(n, 10)
}

// signWord spells out what a name would lose: a sign, which tells two orders apart, and nothing at all.
func signWord(value string) string {
	switch {
	case value == "":
		return "Empty"
	case strings.TrimSpace(value) == "":
		return "Blank"
	case value[0] == '-':
		return "Minus " + value[1:]
	case value[0] == '+':
		return "Plus " + value[1:]
	default:
		return value
	}
}
