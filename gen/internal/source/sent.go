package source

import (
	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// tellUnsent notes what a JSON body says in the spec otherwise than in Go: a list that may be empty, and null in the place of an optional
// field. Each schema is told of once, however many requests hold it.
func (c *converter) tellUnsent(n *yaml.Node) {
	n = c.target(n)
	if n == nil || c.sent[n] || c.full() {
		return
	}
	c.tell(c.sent, n)
	switch c.kind(n) {
	case kindObject:
		g := c.gather(n)
		for _, f := range g.fields {
			c.tellField(f, g.required[f.key])
		}
	case kindArray:
		c.tellUnsent(c.itemsOf(n))
	case kindMap:
		c.tellUnsent(c.mapValues(n))
	case kindAny, kindText, kindInteger, kindNumber, kindBoolean:
	}
}

func (c *converter) tellField(f pair, required bool) {
	if !naming.IsTag(f.key) || c.isReadOnly(f.value) {
		return
	}
	switch {
	case required && c.mayBeEmpty(f.value):
		c.note(f.line, emptyList)
	case !required && c.isNullable(f.value):
		c.note(f.line, neverNull)
	}
	c.tellUnsent(f.value)
}
