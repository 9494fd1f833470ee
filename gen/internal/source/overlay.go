package source

import (
	"bytes"
	"io"
	"os"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// An overlay is what a user says about a foreign spec, beside it.
type overlay struct {
	path       string
	line       int
	platform   []pair // the keys that go to the top of the document
	server     *yaml.Node
	operations map[string]*extension
	order      []*extension
}

// An extension is what the overlay says about one operation.
type extension struct {
	name string
	line int
	keys []pair // x-sdk, x-resilience, x-pagination
	skip bool
	used string // the operation that it was taken for
}

var (
	overlayKeys   = []string{"x-platform", "server", "x-envelope", "x-errors", "x-quotas", "operations"}
	extensionKeys = []string{"x-sdk", "x-resilience", "x-pagination", "review", "skip"}
)

// readOverlay reads an overlay file, whose path is the user's own and may lie anywhere.
func (c *converter) readOverlay(path string) (ok bool, err error) {
	f, err := os.Open(path) //nolint:gosec // the file that the user names
	if err != nil {
		return false, readError("the overlay", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, maxSize))
	if err != nil {
		return false, readError("the overlay", err)
	}
	o := &overlay{path: path, operations: map[string]*extension{}}
	c.overlay = o
	if len(bytes.TrimSpace(data)) == 0 {
		base := c.lines.Add(path, 1)
		c.fault(base+1, "print one with gen -init -spec SPEC", "the overlay is empty")
		return false, nil
	}
	root := c.adopt("overlay of "+path, path, data)
	if root == nil {
		return false, nil
	}
	o.line = root.Line
	if root = follow(root); root.Kind != yaml.MappingNode {
		c.fault(root.Line, "print one with gen -init -spec SPEC", "the overlay is not a mapping")
		return false, nil
	}
	for _, p := range c.known(root, "the overlay", overlayKeys) {
		switch p.key {
		case "server":
			o.server = follow(p.value)
		case "operations":
			c.extensions(o, p.value)
		default:
			o.platform = append(o.platform, p)
		}
	}
	return true, nil
}

// known returns a mapping's pairs, those of unknown keys not, which are faults.
func (c *converter) known(n *yaml.Node, what string, keys []string) []pair {
	if m := follow(n); m == nil || m.Kind != yaml.MappingNode {
		c.fault(n.Line, "write it as key: value", "%s is not a mapping", what)
		return nil
	}
	var out []pair
	for _, p := range c.pairs(n) {
		if contains(keys, p.key) {
			out = append(out, p)
			continue
		}
		c.fault(p.line, spec.Suggestion(p.key, keys, "remove it"), "unknown key %q in %s", p.key, what)
	}
	return out
}

func (c *converter) extensions(o *overlay, n *yaml.Node) {
	if m := follow(n); m == nil || m.Kind != yaml.MappingNode {
		c.fault(n.Line, "write operations: {operationId: {...}}", "operations is not a mapping")
		return
	}
	for _, p := range c.pairs(n) {
		x := &extension{name: p.key, line: p.line}
		o.operations[p.key] = x
		o.order = append(o.order, x)
		for _, q := range c.known(p.value, "operation "+p.key, extensionKeys) {
			c.extensionKey(x, q)
		}
		c.reviewed(x, p.value)
	}
}

func (c *converter) extensionKey(x *extension, p pair) {
	switch p.key {
	case "review":
	case "skip":
		v := follow(p.value)
		if v.Kind != yaml.ScalarNode || v.Value != "true" && v.Value != "false" {
			c.fault(p.line, "write true or false", "skip of operation %s is no yes or no", x.name)
			return
		}
		x.skip = v.Value == "true"
	default:
		x.keys = append(x.keys, p)
	}
}

// reviewed refuses a guess that nobody has looked at.
func (c *converter) reviewed(x *extension, n *yaml.Node) {
	if p, ok := c.pair(n, "review"); ok && !x.skip {
		c.fault(p.line, "check scope and idempotent, then delete this line", "operation %s is a guess (%q)", x.name, c.text(n, "review"))
	}
}

// lookUp finds what the overlay says about an operation, by its id or by its method and path; nil for nothing.
func (c *converter) lookUp(op *operation) *extension {
	if c.overlay == nil {
		return nil
	}
	place := op.method + " " + op.path
	x, other := c.overlay.operations[op.id], c.overlay.operations[place]
	if x == nil || x.used != "" && x.used != place {
		x, other = other, nil
	}
	if x == nil {
		return nil
	}
	if other != nil && other != x {
		c.fault(other.line, "keep one of them", "operation %s is that of line %s", other.name, c.lines.Text(x.line, other.line))
		other.used = place
	}
	x.used = place
	return x
}

// extended merges what the overlay says into an operation, and reports whether that is enough.
func (c *converter) extended(out *mapping, op *operation, x *extension) bool {
	if c.draft {
		return true
	}
	if x == nil {
		c.fault(op.line, "add it under operations, as gen -init prints it, or write skip: true there", "operation %s is not in %s", op.id, c.overlay.path)
		return false
	}
	for _, p := range x.keys {
		out.set(p.key, p.line, p.value)
	}
	for _, key := range extensionKeys[:2] {
		if !out.has(key) {
			c.fault(x.line, "add "+key+", as gen -init prints it, or write skip: true", "operation %s has no %s", x.name, key)
			return false
		}
	}
	return true
}

// unused finds what the overlay says about operations that the spec has not.
func (c *converter) unused() {
	if c.overlay == nil {
		return
	}
	for _, x := range c.overlay.order {
		if x.used == "" && !c.seen[x.name] {
			c.fault(x.line, spec.Suggestion(x.name, c.ids, "remove it, or correct its operationId"), "the spec has no operation %s", x.name)
		}
	}
}
