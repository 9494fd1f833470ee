package source

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// areScalars reports whether parts are plain values that one type holds.
func (c *converter) areScalars(how joining, parts []*yaml.Node) bool {
	switch {
	case c.areAll(parts, kindText), c.areAll(parts, kindBoolean), c.areAll(parts, kindInteger, kindNumber):
		return true
	default:
		return how == oneOf && c.areAll(parts, kindText, kindInteger, kindNumber)
	}
}

// composeScalar writes a plain value: the narrower type and the values that all parts of an allOf allow, or the wider type and the values
// of all alternatives.
func (c *converter) composeScalar(out *mapping, how joining, parts []*yaml.Node) {
	line := out.node.Line
	said := make([]*yaml.Node, len(parts))
	for i, part := range parts {
		said[i] = c.scalarOf(part, c.kind(part))
	}
	mixed := slices.ContainsFunc(said, c.isMixed)
	switch {
	case c.areAll(parts, kindText) && how == together && mixed:
		mixed = !slices.ContainsFunc(said, func(n *yaml.Node) bool { return !c.isMixed(n) })
	case !c.areAll(parts, kindText) && !c.areAll(parts, kindBoolean) && !c.areAll(parts, kindInteger, kindNumber):
		mixed = true
	}
	switch {
	case mixed:
		out.set("type", line, c.sequence(line, c.scalar("string", line), c.scalar("number", line)))
		return
	case c.areAll(parts, kindText):
		out.text("type", "string", line)
	case c.areAll(parts, kindBoolean):
		out.text("type", "boolean", line)
	case c.areAll(parts, kindInteger), how == together && !c.areAll(parts, kindNumber):
		out.text("type", "integer", line)
	default:
		out.text("type", "number", line)
	}
	out.text("format", c.commonFormat(how, said), line)
	if zero := func(n *yaml.Node) bool { return c.text(n, "minLength") == "0" }; slices.ContainsFunc(said, zero) {
		out.text("minLength", "0", line)
	}
	if values := c.commonValues(how, parts, said); len(values) > 0 {
		out.set("enum", values[0].Line, c.sequence(values[0].Line, values...))
	}
}

// commonFormat is the format that all agree on; an allOf may leave it to one of its parts.
func (c *converter) commonFormat(how joining, said []*yaml.Node) string {
	var found []string
	for _, n := range said {
		format := c.text(n, "format")
		if (format != "" || how == oneOf) && !slices.Contains(found, format) {
			found = append(found, format)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// commonValues are the values that are possible, as far as they are known.
func (c *converter) commonValues(how joining, parts, said []*yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	known := false
	for i := range parts {
		values := c.enumOf(c.target(parts[i]), said[i])
		has := func(list []*yaml.Node, v *yaml.Node) bool {
			return slices.ContainsFunc(list, func(o *yaml.Node) bool { return follow(o).Value == follow(v).Value })
		}
		switch {
		case len(values) == 0 && how == oneOf:
			return nil
		case len(values) == 0:
		case !known:
			out, known = slices.Clone(values), true
		case how == oneOf:
			for _, v := range values {
				if !has(out, v) {
					out = append(out, v)
				}
			}
		default:
			out = slices.DeleteFunc(out, func(v *yaml.Node) bool { return !has(values, v) })
		}
	}
	if known && len(out) == 0 {
		c.note(parts[len(parts)-1].Line, noValue)
	}
	return out
}

// loosened is a value without the one that it has in some alternatives only.
func (c *converter) loosened(name string, n *yaml.Node) *yaml.Node {
	k := c.kind(n)
	if !k.isScalar() {
		return n
	}
	said := c.scalarOf(n, k)
	if len(c.enumOf(c.target(n), said)) != 1 {
		return n
	}
	return c.compose(oneOf, name, []*yaml.Node{n, c.withoutValues(said)})
}

// withoutValues is a plain value as it would be without its enum.
func (c *converter) withoutValues(n *yaml.Node) *yaml.Node {
	if made, ok := c.loose[n]; ok {
		return made
	}
	out := c.mapping(n.Line)
	types, _ := c.types(n)
	words := make([]*yaml.Node, len(types))
	for i, t := range types {
		words[i] = c.scalar(t, n.Line)
	}
	out.set("type", n.Line, c.sequence(n.Line, words...))
	out.copyText(n, "format", "minLength", "description")
	c.loose[n] = out.node
	return out.node
}
