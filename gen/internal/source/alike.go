package source

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// documenting are the keys of a schema that say nothing about its type.
var documenting = []string{"title", "description", "example", "examples", "default", "externalDocs", "xml"}

// maxAlike is how many values are compared before two schemas are taken for different ones: aliases of aliases have no end.
const maxAlike = 1000

// alike reports whether two schemas say the same. Those of two names are two, whatever they say.
func (c *converter) alike(a, b *yaml.Node) bool {
	budget := maxAlike
	return c.target(a) == c.target(b) || c.alikeIn(a, b, documenting, &budget)
}

// alikeIn compares what may stand in a schema, but for some keys of a mapping.
func (c *converter) alikeIn(a, b *yaml.Node, without []string, budget *int) bool {
	a, b = follow(a), follow(b)
	if *budget--; a == b || a == nil || b == nil || *budget < 0 {
		return a == b
	}
	if c.reference(a) != nil || c.reference(b) != nil {
		return c.reference(a) != nil && c.reference(b) != nil && c.target(a) == c.target(b)
	}
	if a.Kind != b.Kind || a.Value != b.Value || len(a.Content) == 0 != (len(b.Content) == 0) {
		return false
	}
	if a.Kind != yaml.MappingNode {
		return slices.EqualFunc(a.Content, b.Content, func(a, b *yaml.Node) bool { return c.alikeIn(a, b, documenting, budget) })
	}
	said := func(n *yaml.Node) []pair {
		return slices.DeleteFunc(slices.Clone(c.pairs(n)), func(p pair) bool { return slices.Contains(without, p.key) })
	}
	left, right := said(a), said(b)
	if len(left) != len(right) {
		return false
	}
	for _, p := range left {
		i := slices.IndexFunc(right, func(q pair) bool { return q.key == p.key })
		inner := documenting
		if p.key == "properties" {
			inner = nil // there they are fields
		}
		if i < 0 || !c.alikeIn(p.value, right[i].value, inner, budget) {
			return false
		}
	}
	return true
}
