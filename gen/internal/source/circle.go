package source

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// Circles finds schemas that are made of each other, as parts or alternatives: what one of them is depends on what all others are, and must
// not on which of them somebody asked for first. The way is Tarjan's: a schema closes a circle if nothing that it leads to leads further back.
type circles struct {
	c    *converter
	met  map[*yaml.Node]int // in which order
	path []*yaml.Node       // what is in no closed circle yet
}

// visit settles n and all that it leads to, and returns the earliest schema that it leads back to.
func (s *circles) visit(n *yaml.Node) int {
	at, start := len(s.met), len(s.path)
	s.met[n], s.path = at, append(s.path, n)
	earliest := at
	for _, next := range s.c.madeFrom(n) {
		if _, settled := s.c.kinds[next]; settled {
			continue
		}
		back, seen := s.met[next]
		if !seen {
			back = s.visit(next)
		}
		earliest = min(earliest, back)
	}
	if earliest == at {
		s.c.settleKinds(s.path[start:])
		s.c.settleNulls(s.path[start:])
		s.path = s.path[:start]
	}
	return earliest
}

// madeFrom lists the parts and alternatives of a schema.
func (c *converter) madeFrom(n *yaml.Node) []*yaml.Node {
	alternatives, _ := c.alternatives(n)
	var out []*yaml.Node
	for _, inner := range [][]*yaml.Node{c.parts(n), alternatives} {
		for _, one := range inner {
			if one = c.target(one); one != nil && one.Kind == yaml.MappingNode {
				out = append(out, one)
			}
		}
	}
	return out
}

// maxRounds is how often schemas of a circle are asked again, since another one has become something.
const maxRounds = 100

// settleKinds begins with anything for all schemas of a circle, and asks all at once until none becomes something else.
func (c *converter) settleKinds(circle []*yaml.Node) {
	for _, n := range circle {
		c.kinds[n] = kindAny
	}
	found := make([]kind, len(circle))
	for range maxRounds {
		changed := false
		for i, n := range circle {
			found[i] = c.kindOf(n)
			changed = changed || found[i] != c.kinds[n]
		}
		for i, n := range circle {
			c.kinds[n] = found[i]
		}
		if !changed {
			return
		}
	}
}

func (c *converter) settleNulls(circle []*yaml.Node) {
	for range maxRounds {
		changed := false
		for _, n := range circle {
			if !c.nulls[n] && c.allowsNull(n) {
				c.nulls[n], changed = true, true
			}
		}
		if !changed {
			return
		}
	}
}

// isNullable reports whether a schema, or the one that it refers to, allows null.
func (c *converter) isNullable(n *yaml.Node) bool {
	c.kind(n)
	return c.text(n, "nullable") == "true" || c.nulls[c.target(n)]
}

// allowsNull reports whether a schema says so itself, or where it says no type, whether all parts of its allOf and one of its alternatives do.
func (c *converter) allowsNull(n *yaml.Node) bool {
	types, byType := c.types(n)
	alternatives, byChoice := c.alternatives(n)
	if byType || byChoice || c.text(n, "nullable") == "true" {
		return true
	}
	typed, _ := c.parted(together, c.parts(n))
	if len(types) > 0 || c.get(n, "type") != nil || len(typed)+len(alternatives) == 0 {
		return false
	}
	for _, part := range typed {
		if !c.isNullable(part) {
			return false
		}
	}
	return len(alternatives) == 0 || slices.ContainsFunc(alternatives, c.isNullable)
}
