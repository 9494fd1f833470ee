package source

import (
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// A kind is what a schema comes to, whatever it is made of.
type kind uint8

const (
	kindAny     kind = iota // anything, or what has no plain Go type
	kindObject              // with fields
	kindMap                 // an object without
	kindArray               //
	kindText                //
	kindInteger             //
	kindNumber              //
	kindBoolean             //
)

// kind looks through references, allOf and choices.
func (c *converter) kind(n *yaml.Node) kind {
	n = c.target(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return kindAny
	}
	if k, known := c.kinds[n]; known {
		return k
	}
	c.kinds[n] = kindAny // of one that holds itself
	k := c.kindOf(n)
	c.kinds[n] = k
	return k
}

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
	if base != kindAny && base != kindMap {
		return base
	}
	if len(c.pairs(c.target(c.get(n, "properties")))) > 0 {
		return kindObject
	}
	for _, part := range list(c.get(n, "allOf")) {
		if k := c.kind(part); k == kindObject || base == kindAny && k != kindAny {
			base = k
		}
		if base == kindObject {
			return base
		}
	}
	if base != kindAny {
		return base
	}
	alternatives, _ := c.alternatives(n)
	return c.common(alternatives)
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

// common is the kind of a choice of schemas: a scalar that holds them all, or anything.
func (c *converter) common(alternatives []*yaml.Node) kind {
	found := map[kind]bool{}
	for _, n := range alternatives {
		found[c.kind(n)] = true
	}
	switch {
	case len(alternatives) == 1:
		return c.kind(alternatives[0])
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

// alternatives are the choices of oneOf and anyOf without "null", and whether that was one.
func (c *converter) alternatives(n *yaml.Node) (out []*yaml.Node, nullable bool) {
	for _, key := range []string{"oneOf", "anyOf"} {
		for _, one := range list(c.get(n, key)) {
			target := c.target(one)
			if target == nil {
				continue
			}
			if t := c.get(target, "type"); t != nil && t.Kind == yaml.ScalarNode && (t.Value == "null" || t.Tag == "!!null") {
				nullable = true
				continue
			}
			out = append(out, follow(one))
		}
	}
	return out, nullable
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
		case !contains(knownTypes, w.Value):
			return nil, nullable
		case !contains(types, w.Value):
			types = append(types, w.Value)
		}
	}
	if contains(types, "integer") && contains(types, "number") {
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
		if !contains(found, t) {
			found = append(found, t)
		}
	}
	if len(found) == 1 && found[0] != "" {
		return found
	}
	return nil
}

// A gathering is the fields of an object with those of its allOf and of its alternatives.
type gathering struct {
	fields   []pair
	at       map[string]int
	required map[string]bool
	mixed    bool // an alternative was among them, or something that only the platform sets
	other    bool // something that is no object is a part of it
	seen     map[*yaml.Node]bool
}

func (c *converter) gather(n *yaml.Node) *gathering {
	g := &gathering{at: map[string]int{}, required: map[string]bool{}, seen: map[*yaml.Node]bool{}}
	c.gatherInto(g, n, true)
	return g
}

// gatherInto adds n. What an alternative requires is not required of all.
func (c *converter) gatherInto(g *gathering, n *yaml.Node, binding bool) {
	n = c.target(n)
	if n == nil || g.seen[n] {
		return
	}
	g.seen[n] = true
	for _, part := range list(c.get(n, "allOf")) {
		if k := c.kind(part); k != kindObject && k != kindMap && k != kindAny {
			g.other = true
		}
		c.gatherInto(g, part, binding)
	}
	for _, p := range c.pairs(c.target(c.get(n, "properties"))) {
		if i, ok := g.at[p.key]; ok {
			g.fields[i] = p
			continue
		}
		g.at[p.key] = len(g.fields)
		g.fields = append(g.fields, p)
	}
	if binding {
		for _, name := range list(c.get(n, "required")) {
			if name = follow(name); name != nil {
				g.required[name.Value] = true
			}
		}
	}
	alternatives, _ := c.alternatives(n)
	for _, one := range alternatives {
		if k := c.kind(one); k == kindObject || k == kindMap {
			g.mixed = true
			c.gatherInto(g, one, binding && len(alternatives) == 1)
		}
	}
}

// writable reports whether a Go tag can hold a name.
func writable(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f || r >= 0x80 && r < 0xa0 || r == '"' || r == '`' || r == '\\' || r == ',' {
			return false
		}
	}
	return true
}

// isWhole reports whether text is a whole number.
func isWhole(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}
