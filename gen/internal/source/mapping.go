package source

import "go.yaml.in/yaml/v3"

// A mapping is one that is being made: node by node it becomes the document that package spec reads.
type mapping struct {
	node *yaml.Node
	c    *converter
}

// maxNodes is what a document may unfold to: aliases of aliases grow without bound.
const maxNodes = 1_000_000

func (c *converter) mapping(line int) *mapping {
	return &mapping{c.node(yaml.MappingNode, "", line), c}
}

func (c *converter) node(kind yaml.Kind, value string, line int) *yaml.Node {
	if c.made++; c.made == maxNodes {
		c.fault(line, "use $ref in the place of YAML aliases", "the spec unfolds to more than %d values", maxNodes)
	}
	n := &yaml.Node{Kind: kind, Value: value, Line: line}
	if kind == yaml.ScalarNode {
		n.Tag = "!!str"
	}
	return n
}

func (c *converter) scalar(value string, line int) *yaml.Node {
	return c.node(yaml.ScalarNode, value, line)
}

func (c *converter) sequence(line int, content ...*yaml.Node) *yaml.Node {
	n := c.node(yaml.SequenceNode, "", line)
	n.Content = content
	return n
}

// plainText is the schema of a text.
func (c *converter) plainText(line int) *mapping {
	out := c.mapping(line)
	out.text("type", "string", line)
	return out
}

// full reports that no more is to be unfolded.
func (c *converter) full() bool { return c.made >= maxNodes }

// set puts a value under key, in the place of one that stands there.
func (m *mapping) set(key string, line int, value *yaml.Node) {
	if value == nil {
		return
	}
	for i := 0; i < len(m.node.Content); i += 2 {
		if m.node.Content[i].Value == key {
			m.node.Content[i] = m.c.scalar(key, line)
			m.node.Content[i+1] = value
			return
		}
	}
	m.add(key, line, value)
}

// add is set for a key that is known to be new.
func (m *mapping) add(key string, line int, value *yaml.Node) {
	m.node.Content = append(m.node.Content, m.c.scalar(key, line), value)
}

func (m *mapping) text(key, value string, line int) {
	if value != "" {
		m.set(key, line, m.c.scalar(value, line))
	}
}

func (m *mapping) has(key string) bool { return m.at(key) != nil }

func (m *mapping) at(key string) *yaml.Node {
	for i := 0; i+1 < len(m.node.Content); i += 2 {
		if m.node.Content[i].Value == key {
			return m.node.Content[i+1]
		}
	}
	return nil
}

// copyText takes texts over as they are.
func (m *mapping) copyText(from *yaml.Node, keys ...string) {
	for _, key := range keys {
		if p, ok := m.c.pair(from, key); ok && p.value.Kind == yaml.ScalarNode && p.value.Tag != "!!null" {
			m.set(key, p.line, p.value)
		}
	}
}

// copyFlag takes a true over.
func (m *mapping) copyFlag(from *yaml.Node, keys ...string) {
	for _, key := range keys {
		if p, ok := m.c.pair(from, key); ok && p.value.Value == "true" {
			m.set(key, p.line, m.c.scalar("true", p.line))
		}
	}
}
