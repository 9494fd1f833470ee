package source

import "go.yaml.in/yaml/v3"

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
