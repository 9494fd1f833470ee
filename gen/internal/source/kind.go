package source

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// A kind is what a schema comes to, whatever it is made of.
type kind uint8

const (
	kindAny    kind = iota // anything, or what has no plain Go type
	kindObject             // with fields
	kindMap                // an object without
	kindArray
	kindText
	kindInteger
	kindNumber
	kindBoolean
)

// isScalar reports whether k is a text, a number or a flag.
func (k kind) isScalar() bool { return k >= kindText }

// kind looks through references, allOf and choices.
func (c *converter) kind(n *yaml.Node) kind {
	n = c.target(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return kindAny
	}
	if _, known := c.kinds[n]; !known {
		(&circles{c: c, met: map[*yaml.Node]int{}}).visit(n)
	}
	return c.kinds[n]
}

// kindOf is the kind of a schema of whose parts and alternatives it is known.
func (c *converter) kindOf(n *yaml.Node) kind {
	types, _ := c.types(n)
	base := kindAny
	switch {
	case len(types) == 1:
		base = map[string]kind{
			"object": kindMap, "array": kindArray, "string": kindText, "integer": kindInteger, "number": kindNumber, "boolean": kindBoolean,
		}[types[0]]
	case len(types) > 1:
		return c.together(types)
	}
	open := base == kindAny || base == kindMap
	if open && len(c.pairs(c.target(c.get(n, "properties")))) > 0 {
		return kindObject
	}
	excluded := false
	for _, part := range c.parts(n) {
		switch k := c.kind(part); {
		case k == kindObject && open:
			return kindObject
		case k == kindAny || k == base:
		case base == kindAny:
			base = k
		case isNumber(k) && isNumber(base):
			base = kindInteger
		default:
			excluded = true
		}
	}
	if excluded {
		return kindAny
	}
	alternatives, _ := c.alternatives(n)
	if choice := c.common(alternatives); base == kindAny || base == kindMap && choice == kindObject {
		return choice
	}
	return base
}

func isNumber(k kind) bool { return k == kindInteger || k == kindNumber }

// parts are the schemas of an allOf, and before them that of a $ref beside which more is said.
func (c *converter) parts(n *yaml.Node) []*yaml.Node {
	n = follow(n)
	ref := c.written(n)
	if ref == nil || c.reference(n) != nil {
		return list(c.get(n, "allOf"))
	}
	if c.beside[n] == nil {
		only := c.mapping(ref.Line)
		only.add("$ref", ref.Line, ref)
		c.beside[n] = only.node
	}
	return append([]*yaml.Node{c.beside[n]}, list(c.get(n, "allOf"))...)
}

// together is the kind of a choice of types.
func (c *converter) together(types []string) kind {
	for _, t := range types {
		switch t {
		case "string", "integer", "number":
		default:
			return kindAny
		}
	}
	if slices.Contains(types, "string") {
		return kindText
	}
	return kindNumber
}

// common is the kind of a choice of schemas: a scalar that holds them all, an object with the fields of all, or anything.
func (c *converter) common(alternatives []*yaml.Node) kind {
	found := map[kind]bool{}
	for _, n := range alternatives {
		found[c.kind(n)] = true
	}
	switch {
	case len(alternatives) == 1:
		return c.kind(alternatives[0])
	case c.areObjects(alternatives):
		return kindObject
	case len(found) == 1 && (found[kindText] || found[kindInteger] || found[kindNumber] || found[kindBoolean]):
		return c.kind(alternatives[0])
	case len(found) == 0 || found[kindAny] || found[kindObject] || found[kindMap] || found[kindArray] || found[kindBoolean]:
		return kindAny
	case found[kindText]:
		return kindText
	default:
		return kindNumber
	}
}

// areObjects reports whether all alternatives are objects with fields, or with nothing at all: one that may hold anything is no Go type's.
func (c *converter) areObjects(alternatives []*yaml.Node) bool {
	return c.withFields(alternatives) && !slices.ContainsFunc(alternatives, func(n *yaml.Node) bool {
		k := c.kind(n)
		return k != kindObject && (k != kindMap || c.text(c.target(n), "additionalProperties") != "false")
	})
}

// alternatives are the choices of oneOf and anyOf without "null", and whether that was one.
func (c *converter) alternatives(n *yaml.Node) (out []*yaml.Node, nullable bool) {
	for _, key := range []string{"oneOf", "anyOf"} {
		for _, one := range list(c.get(n, key)) {
			target := c.target(one)
			if target == nil {
				continue
			}
			if c.isNull(target) {
				nullable = true
				continue
			}
			out = append(out, follow(one))
		}
	}
	return out, nullable
}

// isNull reports whether a schema is null alone, by its type or, as some generators write it, by its only value.
func (c *converter) isNull(n *yaml.Node) bool {
	if t := c.get(n, "type"); t != nil {
		return t.Kind == yaml.ScalarNode && (t.Value == "null" || t.Tag == "!!null")
	}
	values := c.enumOf(n)
	return len(values) > 0 && !slices.ContainsFunc(values, func(v *yaml.Node) bool { return follow(v) == nil || follow(v).ShortTag() != "!!null" })
}

var knownTypes = []string{"object", "array", "string", "integer", "number", "boolean"}

// types are a schema's types without "null". A schema that says none is of the type that its other keys are about.
func (c *converter) types(n *yaml.Node) (types []string, nullable bool) {
	said := c.get(n, "type")
	words := list(said)
	if said != nil && said.Kind == yaml.ScalarNode {
		words = []*yaml.Node{said}
	}
	for _, w := range words {
		w = follow(w)
		switch {
		case w == nil:
		case w.Value == "null" || w.Tag == "!!null":
			nullable = true
		case !slices.Contains(knownTypes, w.Value):
			return nil, nullable
		case !slices.Contains(types, w.Value):
			types = append(types, w.Value)
		}
	}
	if slices.Contains(types, "integer") && slices.Contains(types, "number") {
		types = slices.DeleteFunc(types, func(t string) bool { return t == "integer" })
	}
	if len(types) > 0 || len(words) > 0 {
		return types, nullable
	}
	return c.implied(n), nullable
}

func (c *converter) implied(n *yaml.Node) []string {
	for _, key := range []string{"properties", "additionalProperties", "patternProperties"} {
		if v := c.get(n, key); v != nil && v.Kind == yaml.MappingNode {
			return []string{"object"}
		}
	}
	if c.get(n, "items") != nil || c.get(n, "prefixItems") != nil {
		return []string{"array"}
	}
	values := list(c.get(n, "enum"))
	if v := c.get(n, "const"); v != nil {
		values = append(values, v)
	}
	var found []string
	for _, v := range values {
		v = follow(v)
		t := map[string]string{"!!str": "string", "!!int": "integer", "!!float": "number", "!!bool": "boolean"}[v.ShortTag()]
		if v.Kind != yaml.ScalarNode || v.ShortTag() == "!!null" {
			continue
		}
		if !slices.Contains(found, t) {
			found = append(found, t)
		}
	}
	if len(found) == 1 && found[0] != "" {
		return found
	}
	return nil
}
