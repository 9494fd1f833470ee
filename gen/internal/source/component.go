package source

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A component is a schema that is referred to.
type component struct {
	name   string
	source *yaml.Node
	made   *yaml.Node
}

// reserve keeps the names that the document itself gives to its schemas.
func (c *converter) reserve() {
	schemas := c.get(c.root, "components")
	schemas = c.target(schemas)
	for _, p := range c.pairs(c.target(c.get(schemas, "schemas"))) {
		c.names[p.key] = true
		if n := c.target(p.value); n != nil && c.defined[n] == "" {
			c.defined[n] = p.key
		}
	}
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
		c.holder = part.name
	}
	c.spot, c.where = part.name, part.name
	made := c.inline(part.source, inAnswer)
	c.titled(made, part.source, part.name)
	c.holder = ""
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

// component registers a schema that is referred to, under a name like the one wished.
func (c *converter) component(source *yaml.Node, wish string) *component {
	if part, ok := c.components[source]; ok {
		return part
	}
	name := c.defined[source]
	if name == "" {
		name = wish
		for i := 2; c.names[name]; i++ {
			name = wish + strconv.Itoa(i)
		}
		c.names[name] = true
	}
	part := &component{name: name, source: source}
	c.components[source], c.named[name] = part, part
	return part
}

// lastName makes a name of a reference: of the last word of its pointer that is the author's own, or of its file.
func lastName(ref string) string {
	address, pointer, _ := strings.Cut(ref, "#")
	words := strings.Split(pointer, "/")
	for _, word := range slices.Backward(words) {
		switch word = spec.Unescape(word); word {
		case "", "schema", "items", "properties", "content", "allOf", "oneOf", "anyOf", "additionalProperties", "$defs", "definitions", "components",
			"schemas":
		default:
			if name, ok := naming.Exported(word); ok && !isWhole(word) {
				return name
			}
		}
	}
	base := path.Base(address)
	if name, ok := naming.Exported(strings.TrimSuffix(base, path.Ext(base))); ok {
		return name
	}
	return "Schema"
}

const refStart = "#/components/schemas/"

func (c *converter) refer(part *component, line int) *yaml.Node {
	out := c.mapping(line)
	out.text("$ref", refStart+strings.NewReplacer("~", "~0", "/", "~1").Replace(part.name), line)
	return out.node
}
