package source

import (
	"slices"

	"go.yaml.in/yaml/v3"
)

// A gathering is the fields of an object with those of its allOf and of its alternatives.
type gathering struct {
	fields   []pair
	at       map[string]int
	required map[string]bool
	mixed    bool // an alternative was among them, or something that only the platform sets
	other    bool // something that is no object is a part of it
	lost     bool // an alternative of it is no object
	said     map[string]*sayings
	seen     map[*yaml.Node]bool
	left     *int // how many more schemas are looked at
}

// sayings are what is said of one field.
type sayings struct {
	line   int
	all    []*yaml.Node // by the parts of an allOf
	chosen []*yaml.Node // by alternatives, each being what they come to together
	loose  bool         // some of which do not speak of it
}

// maxGathered is how many schemas may make one object: alternatives of alternatives have no end.
const maxGathered = 2000

// gather lists what an object holds: each field once, whoever speaks of it.
func (c *converter) gather(n *yaml.Node) *gathering {
	n = c.target(n)
	if g, known := c.gathered[n]; known {
		return g
	}
	left := maxGathered
	g := newGathering(&left)
	c.gatherInto(g, n, true)
	c.settle(g)
	if left < 0 {
		c.fault(n.Line, "write out fewer alternatives, or skip the operations that use it", "the alternatives of an object unfold to more than %d schemas", maxGathered)
	}
	c.gathered[n] = g
	return g
}

func newGathering(left *int) *gathering {
	return &gathering{at: map[string]int{}, required: map[string]bool{}, said: map[string]*sayings{}, seen: map[*yaml.Node]bool{}, left: left}
}

// of returns what is said of a field.
func (g *gathering) of(p pair) *sayings {
	s := g.said[p.key]
	if s == nil {
		s = &sayings{line: p.line}
		g.said[p.key], g.at[p.key] = s, len(g.fields)
		g.fields = append(g.fields, p)
	}
	return s
}

// gatherInto adds n. What an alternative requires is not required of all.
func (c *converter) gatherInto(g *gathering, n *yaml.Node, binding bool) {
	n = c.target(n)
	if n == nil || g.seen[n] {
		return
	}
	if *g.left--; *g.left < 0 {
		return
	}
	g.seen[n] = true
	if name := c.defined[n]; name != "" {
		c.mark(n, goName(name))
	}
	for _, part := range c.parts(n) {
		if k := c.kind(part); k != kindObject && k != kindMap && k != kindAny {
			g.other = true
		}
		c.gatherInto(g, part, binding)
	}
	for _, p := range c.pairs(c.target(c.get(n, "properties"))) {
		s := g.of(p)
		s.line, s.all = p.line, append(s.all, p.value)
	}
	if binding {
		for _, name := range list(c.get(n, "required")) {
			if name = follow(name); name != nil {
				g.required[name.Value] = true
			}
		}
	}
	c.gatherChoice(g, n, binding)
}

// gatherChoice adds the alternatives of n.
func (c *converter) gatherChoice(g *gathering, n *yaml.Node, binding bool) {
	alternatives, _ := c.alternatives(n)
	var each []*gathering
	for _, one := range alternatives {
		if c.isLost(one) {
			g.lost = true
		}
		if inner, _ := c.alternatives(c.target(one)); c.kind(one).isScalar() || c.kind(one) == kindArray || c.kind(one) == kindAny && !c.withFields(inner) {
			continue
		}
		g.mixed = true
		if len(alternatives) == 1 {
			c.gatherInto(g, one, binding)
			return
		}
		alone := newGathering(g.left)
		for seen := range g.seen {
			alone.seen[seen] = true
		}
		c.gatherInto(alone, one, false)
		c.settle(alone)
		each = append(each, alone)
	}
	c.choose(g, each)
	if len(each) > 0 {
		c.chooseByName(g, n)
	}
}

// isLost reports whether an alternative is no object with fields, so that the fields of all are not what it says.
func (c *converter) isLost(one *yaml.Node) bool {
	k := c.kind(one)
	return k != kindObject && !c.isSilent(one) && (k != kindMap || c.text(c.target(one), "additionalProperties") != "false")
}

// chooseByName adds the names that the mapping of a discriminator gives to the alternatives, where these do not say their values themselves.
func (c *converter) chooseByName(g *gathering, n *yaml.Node) {
	names := c.get(n, "discriminator")
	s := g.said[c.text(names, "propertyName")]
	mapped := c.pairs(c.get(names, "mapping"))
	if s == nil || len(mapped) < 2 { // one name alone would be a constant
		return
	}
	for _, value := range append(slices.Clip(s.all), s.chosen...) {
		if c.kind(value) != kindText || len(c.knownValues(value)) > 0 {
			return
		}
	}
	if c.mapped[names] == nil {
		values := make([]*yaml.Node, len(mapped))
		for i, p := range mapped {
			values[i] = c.scalar(p.key, p.line)
		}
		out := c.plainText(mapped[0].line)
		out.set("enum", mapped[0].line, c.sequence(mapped[0].line, values...))
		c.mapped[names] = out.node
	}
	s.chosen = append(s.chosen, c.mapped[names])
}

// choose adds what alternatives say of each field.
func (c *converter) choose(g *gathering, each []*gathering) {
	var fields []pair
	values := map[string][]*yaml.Node{}
	for _, alone := range each {
		for _, f := range alone.fields {
			if values[f.key] == nil {
				fields = append(fields, f)
			}
			values[f.key] = append(values[f.key], f.value)
		}
	}
	for _, f := range fields {
		s := g.of(f)
		s.chosen = append(s.chosen, c.compose(oneOf, f.key, values[f.key]))
		s.loose = s.loose || len(values[f.key]) < len(each)
	}
}

// settle makes one schema of all that is said of a field. Of a plain value the base says what is possible, which alternatives only narrow.
func (c *converter) settle(g *gathering) {
	for i := range g.fields {
		f := &g.fields[i]
		s := g.said[f.key]
		f.line, f.value = s.line, nil
		if len(s.all) > 0 {
			f.value = c.compose(together, f.key, s.all)
			switch {
			case !c.holdsChosen(f.value, s.chosen):
				s.chosen = append([]*yaml.Node{f.value}, s.chosen...)
			case !c.learns(f.value, s.chosen):
				continue
			default:
				s.chosen = append(slices.Clip(s.chosen), f.value) // its own description comes last, and so holds
			}
		}
		f.value = c.compose(together, f.key, s.chosen)
		if s.loose && g.required[f.key] {
			f.value = c.loosened(f.key, f.value)
		}
	}
}

// holdsChosen reports whether a field is a plain value of the type that its alternatives have too.
func (c *converter) holdsChosen(value *yaml.Node, chosen []*yaml.Node) bool {
	if len(chosen) == 0 {
		return true
	}
	return c.kind(value).isScalar() && c.areScalars(together, append([]*yaml.Node{value}, chosen...))
}

// learns reports whether a plain value gets its known values from the alternatives: by them a caller tells which one is meant.
func (c *converter) learns(value *yaml.Node, chosen []*yaml.Node) bool {
	k := c.kind(value)
	return (k == kindText || k == kindInteger) && len(c.knownValues(value)) == 0 && len(chosen) > 0 &&
		!slices.ContainsFunc(chosen, func(n *yaml.Node) bool { return c.kind(n) != k || len(c.knownValues(n)) == 0 })
}
