package source

import "go.yaml.in/yaml/v3"

// levels says how far what the overlay says joins what the spec itself says in our words: a row of x-errors, a window and a group are
// whole ones, and what is not here replaces the spec's.
var levels = map[string]int{"x-envelope": 1, "x-errors": 1, "x-quotas": 2, "x-sdk": 1, "x-resilience": 2}

// merged is what holds under a key that spec and overlay have both: of one thing the overlay's word, and all that it does not speak of.
func (c *converter) merged(key string, own, over *yaml.Node) *yaml.Node {
	return c.mergedTo(own, over, levels[key])
}

func (c *converter) mergedTo(own, over *yaml.Node, levels int) *yaml.Node {
	own, over = follow(own), follow(over)
	if levels == 0 || own == nil || over == nil || own.Kind != yaml.MappingNode || over.Kind != yaml.MappingNode {
		return over
	}
	out := c.mapping(over.Line)
	for _, p := range c.pairs(own) {
		out.add(p.key, p.line, p.value)
	}
	for _, p := range c.pairs(over) {
		out.set(p.key, p.line, c.mergedTo(out.at(p.key), p.value, levels-1))
	}
	return out.node
}
