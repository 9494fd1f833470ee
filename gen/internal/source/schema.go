package source

import (
	"strings"
	"unicode"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// A place is where a schema stands, as far as it decides on what is possible there.
type place uint8

const (
	inAnswer place = iota // in JSON
	inParameter
	inForm
	inMultipart // a field of the body
)

// maxDepth is how deep schemas may stand inside each other.
const maxDepth = 150

// schema converts a schema where it stands.
func (c *converter) schema(n *yaml.Node, at place) *yaml.Node {
	n = follow(n)
	if n == nil || n.Kind != yaml.MappingNode || c.full() { // true and false are schemas too
		return c.mapping(max(1, lineOf(n))).node
	}
	ref := c.reference(n)
	if ref == nil {
		return c.standing(n, at)
	}
	target := c.target(n)
	if target == nil || target.Kind != yaml.MappingNode {
		return c.mapping(n.Line).node
	}
	if at == inMultipart && c.isFile(target) || at == inParameter && c.isPlain(target) || at >= inForm && c.kind(target) == kindArray {
		return c.inline(target, at)
	}
	out := &mapping{c.refer(c.component(target, c.calledBy(n)), n.Line), c}
	out.copyText(n, "description", "x-deprecated-reason")
	out.copyFlag(n, "deprecated")
	if c.joins {
		c.shown(out, n)
	}
	return out.node
}

// standing converts a schema that stands where it is used. One that holds itself gets a name.
func (c *converter) standing(n *yaml.Node, at place) *yaml.Node {
	place, inside := c.opened[n]
	if inside {
		return c.refer(c.component(n, c.calledInside(n, place)), n.Line)
	}
	if c.components[n] == nil {
		c.opened[n] = c.spot
		defer delete(c.opened, n)
		if made := c.inline(n, at); c.components[n] == nil {
			return made
		}
	}
	return c.refer(c.components[n], n.Line)
}

// within does what is to be done at a place inside the one where the conversion is: step is its part of a name, word what it is called.
func (c *converter) within(step, word string, do func()) {
	spot, where := c.spot, c.where
	c.spot, c.where = c.spot+step, c.where+word
	do()
	c.spot, c.where = spot, where
}

func lineOf(n *yaml.Node) int {
	if n == nil {
		return 1
	}
	return n.Line
}

// isPlain reports whether a schema is a plain value, which a parameter takes as it is: it does not get a type only for a limit on its size.
func (c *converter) isPlain(n *yaml.Node) bool {
	return c.kind(n).isScalar() && c.get(n, "enum") == nil
}

func (c *converter) isFile(n *yaml.Node) bool {
	return c.text(n, "format") == "binary" || c.get(n, "contentMediaType") != nil && c.get(n, "contentEncoding") == nil
}

// inline converts a schema that is no reference.
func (c *converter) inline(n *yaml.Node, at place) *yaml.Node {
	out := c.mapping(n.Line)
	if c.depth >= maxDepth {
		c.fault(n.Line, "give what stands inside a name of its own under components/schemas, and use $ref, or skip the operations that use it", "a schema is nested more than %d levels deep", maxDepth)
		return out.node
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.told[n] {
		c.muted++ // what is written out twice is told once
		defer func() { c.muted-- }()
	}
	c.tell(c.told, n)
	c.vendor(n, "x-from", "x-recipient", "x-go-name", "x-enum-varnames", "x-deprecated-reason")
	c.described(out, n)
	switch k := c.kind(n); k {
	case kindObject:
		c.object(out, n)
	case kindMap:
		c.values(out, n)
	case kindArray:
		c.array(out, n, at)
	case kindAny:
		c.anything(n)
	default:
		c.plain(out, n, k, at)
	}
	return out.node
}

func (c *converter) described(out *mapping, n *yaml.Node) {
	out.copyText(n, "description", "x-deprecated-reason", "x-from")
	out.copyFlag(n, "deprecated", "nullable", "x-recipient")
	c.shown(out, n)
	if name := c.text(n, "x-go-name"); naming.IsExported(name) {
		out.copyText(n, "x-go-name")
	}
	if c.isNullable(n) && !out.has("nullable") {
		out.text("nullable", "true", n.Line)
	}
}

// titled describes what has a name by its title where it has no description. A title that only repeats the name, as some generators write
// it, says nothing.
func (c *converter) titled(made, source *yaml.Node, name string) *yaml.Node {
	out := &mapping{made, c}
	if out.has("description") {
		return made
	}
	plain := func(text string) string {
		return strings.ToLower(strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsNumber(r) {
				return r
			}
			return -1
		}, text))
	}
	if title := c.text(source, "title"); plain(title) != plain(name) {
		out.text("description", title, made.Line)
	}
	return made
}

// anything tells of choices that have no Go type. A schema that says nothing is meant as anything.
func (c *converter) anything(n *yaml.Node) {
	if n = c.united(n); c.tellDisputed(n) {
		return
	}
	types, _ := c.types(n)
	alternatives, _ := c.alternatives(n)
	said := c.get(n, "type")
	switch {
	case len(types) > 1 || len(alternatives) > 1:
		c.noteField(n.Line, anyType)
	case said != nil && said.Kind == yaml.ScalarNode && said.Value != "null" && len(types) == 0:
		c.note(said.Line, oddType)
	}
}

func (c *converter) array(out *mapping, n *yaml.Node, at place) {
	n = c.united(n)
	out.text("type", "array", n.Line)
	items := c.get(n, "items")
	switch {
	case at == inMultipart && items != nil && c.isFile(c.target(items)):
		c.note(n.Line, filesAtOnce)
		out.text("type", "string", n.Line)
		out.text("format", "binary", n.Line)
		return
	case items == nil || items.Kind != yaml.MappingNode:
		c.note(n.Line, oddItems)
		out.set("items", n.Line, c.mapping(n.Line).node)
	case c.holder.short != "" && c.reference(items) == nil && c.kind(items) == kindObject:
		out.set("items", n.Line, c.refer(c.component(items, c.holder.with("Item")), items.Line))
	default:
		c.within("Item", "[]", func() { out.set("items", n.Line, c.schema(items, inAnswer)) })
	}
	if v := c.text(n, "minItems"); isWhole(v) && !strings.HasPrefix(v, "-") {
		out.copyText(n, "minItems")
	}
}

// itemsOf is what a list holds; nil where it does not say so.
func (c *converter) itemsOf(n *yaml.Node) *yaml.Node {
	if items := c.get(c.united(n), "items"); items != nil && items.Kind == yaml.MappingNode {
		return items
	}
	return nil
}

// mapValues is what a map holds; nil where it does not say so.
func (c *converter) mapValues(n *yaml.Node) *yaml.Node {
	n = c.united(n)
	if values := c.get(n, "additionalProperties"); values != nil && values.Kind == yaml.MappingNode {
		return values
	}
	if patterns := c.pairs(c.get(n, "patternProperties")); len(patterns) == 1 {
		return patterns[0].value
	}
	return nil
}

// values converts an object without fields: a map, if it says of what.
func (c *converter) values(out *mapping, n *yaml.Node) {
	if alternatives, _ := c.alternatives(n); c.withFields(alternatives) {
		c.noteField(n.Line, anyType)
	}
	n = c.united(n)
	out.text("type", "object", n.Line)
	values := c.mapValues(n)
	switch {
	case values == nil:
	case c.holder.short != "" && c.reference(values) == nil && c.kind(values) == kindObject:
		out.set("additionalProperties", n.Line, c.refer(c.component(follow(values), c.holder.with("Value")), values.Line))
	default:
		c.within("Value", "{}", func() { out.set("additionalProperties", n.Line, c.schema(values, inAnswer)) })
	}
}
