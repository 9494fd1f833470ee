package source

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// object converts an object with fields: as it is, or with the fields of all its alternatives.
func (c *converter) object(out *mapping, n *yaml.Node) {
	alternatives, _ := c.alternatives(n)
	own := c.pairs(c.target(c.get(n, "properties")))
	parts := c.parts(n)
	c.tellMore(n)
	only := c.only(own, parts, alternatives)
	if only != nil && c.requiresMore(n, only) {
		c.flat(out, c.gather(n), n.Line, inAnswer, false)
		return
	}
	if len(own) == 0 && len(parts) == 0 && len(alternatives) == 1 {
		out.set("allOf", n.Line, c.sequence(n.Line, c.schema(alternatives[0], inAnswer)))
		return
	}
	if c.withFields(alternatives) || only == nil && c.partsWithChoices(parts) {
		c.note(n.Line, merged)
		c.flat(out, c.gather(n), n.Line, inAnswer, false)
		return
	}
	if c.overlap(own, parts) {
		c.flat(out, c.gather(n), n.Line, inAnswer, false)
		return
	}
	out.text("type", "object", n.Line)
	var made []*yaml.Node
	extra := map[string]bool{}
	for _, part := range parts {
		switch k := c.kind(part); {
		case k == kindObject:
			made = append(made, c.schema(part, inAnswer))
		case len(c.pairs(c.target(part))) > 0:
			c.bare(extra, part)
		}
	}
	if len(made) > 0 {
		out.set("allOf", n.Line, c.sequence(n.Line, made...))
	}
	c.properties(out, own, inAnswer)
	if len(own) > 0 || len(made) > 1 {
		c.required(out, n, extra)
	}
}

// overlap reports whether two parts, or a part and the object itself, say different things of one field.
func (c *converter) overlap(own []pair, parts []*yaml.Node) bool {
	if len(parts) == 0 {
		return false
	}
	values := map[string]*yaml.Node{}
	differs := func(p pair) bool {
		other := values[p.key]
		values[p.key] = p.value
		return other != nil && !c.alike(p.value, other)
	}
	for _, part := range parts {
		if slices.ContainsFunc(c.gather(part).fields, differs) {
			return true
		}
	}
	return slices.ContainsFunc(own, differs)
}

// only returns the one object that an object is but another name for; nil where it is more.
func (c *converter) only(own []pair, parts, alternatives []*yaml.Node) *yaml.Node {
	if len(own) > 0 || len(parts) > 0 && len(alternatives) > 0 {
		return nil
	}
	var found *yaml.Node
	for _, part := range append(slices.Clip(parts), alternatives...) {
		switch {
		case c.kind(part) != kindObject:
		case found != nil:
			return nil
		default:
			found = part
		}
	}
	return found
}

// requiresMore reports whether n requires fields of its part that the part itself does not. It is a type of its own then.
func (c *converter) requiresMore(n, part *yaml.Node) bool {
	whole, inner := c.gather(n), c.gather(part)
	for name := range whole.required {
		if !inner.required[name] && c.isRequired(whole, name, inAnswer) {
			return true
		}
	}
	return false
}

// tellMore notes an object with fields that may hold others besides.
func (c *converter) tellMore(n *yaml.Node) {
	for i, one := range append([]*yaml.Node{n}, c.parts(n)...) {
		if one = c.target(one); i > 0 && c.kind(one) != kindMap {
			continue // told by itself
		}
		for _, key := range []string{"additionalProperties", "patternProperties"} {
			if p, ok := c.pair(one, key); ok && (p.value.Kind == yaml.MappingNode || p.value.Value == "true") {
				c.note(p.line, moreValues)
				break
			}
		}
	}
}

// bare takes what a part without fields requires.
func (c *converter) bare(required map[string]bool, part *yaml.Node) {
	target := c.target(part)
	for _, name := range list(c.get(target, "required")) {
		required[follow(name).Value] = true
	}
	if alternatives, _ := c.alternatives(target); len(alternatives) > 0 {
		c.note(target.Line, oddPart)
	}
}

func (c *converter) withFields(alternatives []*yaml.Node) bool {
	for _, one := range alternatives {
		if c.kind(one) == kindObject {
			return true
		}
	}
	return false
}

// partsWithChoices reports whether a part of an allOf is a choice of objects.
func (c *converter) partsWithChoices(parts []*yaml.Node) bool {
	for _, part := range parts {
		if k := c.kind(part); k != kindAny && k != kindObject {
			continue
		}
		if alternatives, _ := c.alternatives(c.target(part)); c.withFields(alternatives) {
			return true
		}
	}
	return false
}

func (c *converter) properties(out *mapping, own []pair, at place) {
	if len(own) == 0 {
		return
	}
	made := c.mapping(out.node.Line)
	for _, p := range own {
		if !fits(p.key, at) {
			c.note(p.line, oddName)
			continue
		}
		step, _ := naming.Exported(p.key)
		c.within(step, "."+p.key, func() { made.add(p.key, p.line, c.titled(c.schema(p.value, at), p.value, p.key)) })
	}
	out.set("properties", out.node.Line, made.node)
}

// required keeps the names of fields. A list that must be there and may be empty is left out: nobody could send an empty one.
func (c *converter) required(out *mapping, n *yaml.Node, extra map[string]bool) {
	names := list(c.get(n, "required"))
	if len(names) == 0 && len(extra) == 0 {
		return
	}
	g := c.gather(n)
	var made []*yaml.Node
	add := func(name string, line int) {
		if c.isRequired(g, name, inAnswer) {
			made = append(made, c.scalar(name, line))
		}
	}
	for _, name := range names {
		name = follow(name)
		delete(extra, name.Value)
		add(name.Value, name.Line)
	}
	for _, f := range g.fields {
		if extra[f.key] {
			add(f.key, n.Line)
		}
	}
	if len(made) > 0 {
		out.set("required", made[0].Line, c.sequence(made[0].Line, made...))
	}
}

// isRequired reports whether a caller must give a field. What only the platform sets is required of answers alone, and an object that is
// sent may be one of an answer too.
func (c *converter) isRequired(g *gathering, name string, at place) bool {
	i, ok := g.at[name]
	if !ok || !fits(name, at) {
		return false
	}
	value := g.fields[i].value
	return !c.mayBeEmpty(value) && !c.isReadOnly(value)
}

// isReadOnly reports whether only the platform sets a field.
func (c *converter) isReadOnly(n *yaml.Node) bool {
	return c.text(n, "readOnly") == "true" || c.text(c.target(n), "readOnly") == "true"
}

// fits reports whether Go can write a name where it stands.
func fits(name string, at place) bool {
	if at == inAnswer {
		return naming.IsTag(name)
	}
	return writable(name)
}

// mayBeEmpty reports whether a field is a list that may hold nothing.
func (c *converter) mayBeEmpty(n *yaml.Node) bool {
	if n = c.target(n); c.kind(n) != kindArray {
		return false
	}
	least := c.text(c.united(n), "minItems")
	return least == "" || least == "0"
}

// flat writes the fields of a gathering.
func (c *converter) flat(out *mapping, g *gathering, line int, at place, sent bool) {
	out.text("type", "object", line)
	var fields []pair
	for _, f := range g.fields {
		if sent && c.isReadOnly(f.value) {
			c.note(f.line, readOnly)
			continue
		}
		fields = append(fields, f)
	}
	c.properties(out, fields, at)
	var names []*yaml.Node
	for _, f := range fields {
		if g.required[f.key] && c.isRequired(g, f.key, at) {
			names = append(names, c.scalar(f.key, f.line))
		}
	}
	if len(names) > 0 {
		out.set("required", line, c.sequence(line, names...))
	}
}

// writable reports whether a parameter or a field of a form can be sent under a name: one with quotes, commas or control characters no
// platform means, and some of them end a name on the way. In JSON there is naming.IsTag.
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
