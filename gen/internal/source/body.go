package source

import (
	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// jsonBody converts what a JSON body holds. The fields of an object become those of the request; anything else is its Body. It is nil
// where a required one cannot be written.
func (c *converter) jsonBody(n *yaml.Node, line int) *yaml.Node {
	target := c.target(n)
	if target == nil || target.Kind != yaml.MappingNode {
		return c.mapping(line).node
	}
	g := c.gather(target)
	for _, f := range g.fields {
		if g.required[f.key] && !naming.IsTag(f.key) && !c.isReadOnly(f.value) {
			return nil
		}
	}
	if len(g.fields) == 0 || g.other || c.kind(target) == kindArray {
		return c.schema(n, inAnswer)
	}
	if c.reference(n) != nil && c.isPlainObject(target, g) {
		return c.schema(n, inAnswer)
	}
	if g.mixed {
		c.note(target.Line, merged)
	}
	c.tellMore(target)
	out := c.mapping(line)
	out.copyText(target, "description")
	c.flat(out, g, target.Line, inAnswer, true)
	return out.node
}

// isPlainObject reports whether a body can be the component that it refers to.
func (c *converter) isPlainObject(target *yaml.Node, g *gathering) bool {
	if g.mixed || c.kind(target) != kindObject {
		return false
	}
	for _, f := range g.fields {
		if c.isReadOnly(f.value) {
			return false
		}
	}
	return true
}
