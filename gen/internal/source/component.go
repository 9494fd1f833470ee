package source

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A component is a schema that is referred to.
type component struct {
	name   string // its place under components/schemas, a number as long as not all are known
	called called
	own    bool // the document itself gives it its name
	source *yaml.Node
	made   *yaml.Node
	refs   []*yaml.Node // the texts that name it
}

// finish converts the schemas that the paths lead to, and those that they lead to, and lists them in the order of the files.
func (c *converter) finish(components *mapping, paths *yaml.Node) {
	reached := map[*yaml.Node]bool{}
	used := c.reach(paths, reached)
	for i := 0; i < len(used) && !c.full(); i++ {
		part := used[i]
		part.made = c.whole(part)
		used = append(used, c.reach(part.made, reached)...)
	}
	c.cutCircles(used)
	slices.SortStableFunc(used, func(a, b *component) int { return cmp.Compare(a.source.Line, b.source.Line) })
	c.nameComponents(used)
	schemas := c.mapping(c.root.Line)
	for _, part := range used {
		if part.made != nil {
			schemas.add(part.name, part.source.Line, part.made)
		}
	}
	components.set("schemas", c.root.Line, schemas.node)
}

// whole converts a component. An object that stands inside one that gets no type of its own gets a name after it.
func (c *converter) whole(part *component) *yaml.Node {
	if k := c.kind(part.source); k == kindArray || k == kindMap {
		c.holder = part.called
	}
	c.spot, c.where = part.called.short, part.called.short
	made := c.inline(part.source, inAnswer)
	c.titled(made, part.source, part.called.short)
	c.holder = called{}
	return made
}

// reach lists the components that a tree refers to and no tree before did.
func (c *converter) reach(n *yaml.Node, reached map[*yaml.Node]bool) []*component {
	if n == nil || reached[n] {
		return nil
	}
	reached[n] = true
	var out []*component
	if name, ok := referred(n); ok {
		if part := c.named[name]; part != nil && !reached[part.source] {
			reached[part.source] = true
			out = append(out, part)
		}
	}
	for _, child := range n.Content {
		if child.Kind != yaml.ScalarNode {
			out = append(out, c.reach(child, reached)...)
		}
	}
	return out
}

// referred is the name of the component that a converted schema is.
func referred(n *yaml.Node) (string, bool) {
	if n.Kind != yaml.MappingNode || len(n.Content) < 2 || n.Content[0].Value != "$ref" {
		return "", false
	}
	name, ok := strings.CutPrefix(n.Content[1].Value, refStart)
	return spec.Unescape(name), ok
}

// cutCircles finds lists and maps that hold themselves without a named object between, for which Go has no type.
func (c *converter) cutCircles(parts []*component) {
	state := map[*component]int{}
	var visit func(part *component)
	var inside func(n *yaml.Node)
	inside = func(n *yaml.Node) {
		if name, ok := referred(n); ok {
			switch part := c.named[name]; {
			case part == nil || part.made == nil || isNamed(part.made):
			case state[part] == 1:
				c.note(n.Line, ownCircle)
				n.Content = nil
			default:
				visit(part)
			}
			return
		}
		for _, child := range n.Content {
			inside(child)
		}
	}
	visit = func(part *component) {
		if state[part] != 0 {
			return
		}
		state[part] = 1
		inside(part.made)
		state[part] = 2
	}
	for _, part := range parts {
		if part.made != nil && !isNamed(part.made) {
			visit(part)
		}
	}
}

// isNamed reports whether a converted schema becomes a Go type of its own.
func isNamed(n *yaml.Node) bool {
	for i := 0; i+1 < len(n.Content); i += 2 {
		switch value := n.Content[i+1]; n.Content[i].Value {
		case "properties", "enum":
			return len(value.Content) > 0
		case "allOf":
			return len(value.Content) > 1
		}
	}
	return false
}

// component registers a schema that is referred to.
func (c *converter) component(source *yaml.Node, as called) *component {
	if part, ok := c.components[source]; ok {
		return part
	}
	part := &component{name: strconv.Itoa(len(c.named)), called: as, source: source}
	if name := c.defined[source]; name != "" {
		part.called, part.own = called{name, name}, true
	}
	c.components[source], c.named[part.name] = part, part
	return part
}

const refStart = "#/components/schemas/"

func (c *converter) refer(part *component, line int) *yaml.Node {
	out := c.mapping(line)
	ref := c.scalar(refStart+part.name, line)
	part.refs = append(part.refs, ref)
	out.set("$ref", line, ref)
	return out.node
}
