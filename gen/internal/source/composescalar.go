package source

import (
	"slices"
	"strconv"

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
// of all alternatives. Limits are what parts of an allOf say that say no type.
func (c *converter) composeScalar(out *mapping, how joining, parts, limits []*yaml.Node) {
	line := out.node.Line
	said := make([]*yaml.Node, len(parts))
	for i, part := range parts {
		said[i] = c.united(part)
	}
	if c.areMixed(how, parts, said) {
		out.set("type", line, c.sequence(line, c.scalar("string", line), c.scalar("number", line)))
		return
	}
	switch {
	case c.areAll(parts, kindText):
		out.text("type", "string", line)
	case c.areAll(parts, kindBoolean):
		out.text("type", "boolean", line)
	case c.areAll(parts, kindInteger), how == together && !c.areAll(parts, kindNumber):
		out.text("type", "integer", line)
	default:
		out.text("type", "number", line)
	}
	limits = append(slices.Clip(said), limits...)
	out.text("format", c.commonFormat(how, limits), line)
	out.text("minLength", c.bound(how, limits, "minLength"), line)
	if how == together {
		out.text("maximum", c.bound(oneOf, limits, "maximum"), line)
	}
	values, excluded := c.allValues(said), false
	if how == together {
		values, excluded = c.commonValues(said)
	}
	if excluded {
		c.excluded[out.node] = parts[len(parts)-1].Line
	}
	if len(values) > 0 {
		out.set("enum", values[0].Line, c.sequence(values[0].Line, values...))
	}
}

// areMixed reports whether plain values are texts or numbers, all together.
func (c *converter) areMixed(how joining, parts, said []*yaml.Node) bool {
	mixed := slices.ContainsFunc(said, c.isMixed)
	switch {
	case c.areAll(parts, kindText) && how == together && mixed:
		return !slices.ContainsFunc(said, func(n *yaml.Node) bool { return !c.isMixed(n) })
	case !c.areAll(parts, kindText) && !c.areAll(parts, kindBoolean) && !c.areAll(parts, kindInteger, kindNumber):
		return true
	default:
		return mixed
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

// bound is what a limit from below comes to, of those that say one: the largest holds for all parts of an allOf, and the smallest for
// some alternative.
func (c *converter) bound(how joining, said []*yaml.Node, key string) string {
	found := ""
	best := 0.0
	for _, n := range said {
		text := c.text(n, key)
		v, err := strconv.ParseFloat(text, 64)
		if err == nil && (found == "" || how == together && v > best || how == oneOf && v < best) {
			found, best = text, v
		}
	}
	return found
}

// allValues are the values of all alternatives; none where one of them takes any.
func (c *converter) allValues(said []*yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	has := map[string]bool{}
	for _, n := range said {
		values := c.enumOf(n)
		if len(values) == 0 {
			return nil
		}
		for _, v := range values {
			if text := valueOf(v); !has[text] {
				out, has[text] = append(out, v), true
			}
		}
	}
	return out
}

// commonValues are the values that all parts of an allOf allow, and whether they exclude each other.
func (c *converter) commonValues(said []*yaml.Node) (out []*yaml.Node, excluded bool) {
	known := false
	for _, n := range said {
		values := c.enumOf(n)
		switch {
		case len(values) == 0:
		case !known:
			out, known = slices.Clone(values), true
		default:
			has := map[string]bool{}
			for _, v := range values {
				has[valueOf(v)] = true
			}
			out = slices.DeleteFunc(out, func(v *yaml.Node) bool { return !has[valueOf(v)] })
		}
	}
	return out, known && len(out) == 0
}

func valueOf(n *yaml.Node) string {
	if n = follow(n); n == nil {
		return ""
	}
	return n.Value
}

// loosened is a value without the one that it has in some alternatives only.
func (c *converter) loosened(name string, n *yaml.Node) *yaml.Node {
	if !c.kind(n).isScalar() {
		return n
	}
	said := c.united(n)
	if len(c.enumOf(said)) != 1 {
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
