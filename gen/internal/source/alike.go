package source

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// documenting are the keys of a schema that say nothing about its type.
var documenting = []string{"title", "description", "example", "examples", "default", "externalDocs", "xml"}

// A digest is that of all that a schema says. Thousands of schemas are told apart by it, each being looked at once.
type digest [sha256.Size]byte

// A digested is a node as it was read: a mapping of fields has no keys that only document it.
type digested struct {
	node   *yaml.Node
	fields bool
}

// alike reports whether two schemas say the same. Those of two names are two, whatever they say.
func (c *converter) alike(a, b *yaml.Node) bool {
	return c.target(a) == c.target(b) || c.digest(a, false) == c.digest(b, false)
}

// digest sums up what may stand in a schema, or the fields of one.
func (c *converter) digest(n *yaml.Node, fields bool) digest {
	if n = follow(n); n == nil {
		return digest{}
	}
	key := digested{n, fields}
	if known, ok := c.digests[key]; ok {
		return known
	}
	c.digests[key] = digest{} // of one that holds itself
	sum := sha256.Sum256([]byte(c.spelled(n, fields)))
	c.digests[key] = sum
	return sum
}

// spelled is what a node says, with digests for what it holds. The order of keys says nothing.
func (c *converter) spelled(n *yaml.Node, fields bool) string {
	if c.reference(n) != nil {
		return fmt.Sprintf("%p", c.target(n))
	}
	if n.Kind == yaml.ScalarNode {
		return n.ShortTag() + " " + n.Value
	}
	var words []string
	for _, p := range c.pairs(n) {
		if fields || !slices.Contains(documenting, p.key) {
			words = append(words, fmt.Sprintf("%q %x", p.key, c.digest(p.value, p.key == "properties")))
		}
	}
	slices.Sort(words)
	if n.Kind == yaml.SequenceNode {
		for _, inner := range n.Content {
			words = append(words, fmt.Sprintf("%x", c.digest(inner, false)))
		}
	}
	return fmt.Sprint(n.Kind, " ", strings.Join(words, " "))
}
