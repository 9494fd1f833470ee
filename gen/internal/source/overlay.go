package source

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// An overlay is what a user says about a foreign spec, beside it.
type overlay struct {
	path       string
	text       []byte
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
	to   []spec.Text // what of the request says who gets it
	used string      // the operation that it was taken for
}

var (
	overlayKeys   = append(spec.TopKeys(), "server", "operations")
	extensionKeys = append(spec.OperationKeys(), "recipients", "review", "skip")
)

// readOverlay reads an overlay file, whose path is the user's own and may lie anywhere.
func (c *converter) readOverlay(path string) (ok bool, err error) {
	f, err := os.Open(path) //nolint:gosec // the file that the user names
	if err != nil {
		return false, spec.Unreadable("the overlay", path, "-overlay", err)
	}
	defer func() { _ = f.Close() }()
	data, err := c.limited(f)
	if err != nil {
		return false, spec.Unreadable("the overlay", path, "-overlay", err)
	}
	o := &overlay{path: path, text: data, operations: map[string]*extension{}}
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

// known returns a mapping's pairs. Unknown keys are faults; one that can only be a misspelt key is taken for it, so that nothing is said
// of what then seems to be missing.
func (c *converter) known(n *yaml.Node, what string, keys []string) []pair {
	if m := follow(n); m == nil || m.Kind != yaml.MappingNode {
		c.fault(n.Line, "write it as key: value", "%s is not a mapping", what)
		return nil
	}
	var out []pair
	for _, p := range c.pairs(n) {
		if slices.Contains(keys, p.key) {
			out = append(out, p)
			continue
		}
		c.fault(p.line, spec.UnknownKey(p.key, keys), "unknown key %q in %s", p.key, what)
		meant := spec.Misspelt(p.key, keys)
		if _, given := c.pair(n, meant); meant != "" && !given {
			out = append(out, pair{meant, p.line, p.value})
		}
	}
	return out
}

func (c *converter) extensions(o *overlay, n *yaml.Node) {
	m := follow(n)
	if m != nil && m.Kind == yaml.ScalarNode && m.Tag == "!!null" {
		return // as -init prints it where the spec itself says all of its operations
	}
	if m == nil || m.Kind != yaml.MappingNode {
		c.fault(n.Line, "write operations: {operationId: {...}}", "operations is not a mapping")
		return
	}
	for _, p := range c.pairs(n) {
		if slices.Contains(spec.TopKeys(), p.key) {
			c.fault(p.line, "it belongs at the top of the overlay, beside operations", "%s is no operation", p.key)
			o.platform = append(o.platform, p)
			continue
		}
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
	case "recipients":
		x.to = c.recipients(x, p)
	default:
		x.keys = append(x.keys, p)
	}
}

// recipients reads the names of what x-recipient would mark in a spec of ours.
func (c *converter) recipients(x *extension, p pair) []spec.Text {
	var out []spec.Text
	for _, n := range texts(p.value) {
		if n.Value != "" && n.Tag != "!!null" {
			out = append(out, spec.Text{Value: n.Value, Line: n.Line})
		}
	}
	if len(out) == 0 {
		c.fault(p.line, "write [NAME] of a parameter, or of a field at the top of the body", "recipients of operation %s has no name", x.name)
	}
	return out
}

// reviewed refuses a guess that nobody has looked at.
func (c *converter) reviewed(x *extension, n *yaml.Node) {
	if p, ok := c.pair(n, "review"); ok && !x.skip && !c.draft {
		c.fault(p.line, "check scope and idempotent, then delete this line", "operation %s is a guess (%q)", x.name, c.text(n, "review"))
	}
}

// lookUp finds what the overlay says about an operation, by its id or by its method and path; nil for nothing.
func (c *converter) lookUp(op *operation) *extension {
	if c.overlay == nil {
		return nil
	}
	place := op.place()
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
	whole := out.has("x-sdk") && out.has("x-resilience") // the spec itself says all that there is to say
	if c.draft {
		c.given[op.place()] = x != nil || whole
	}
	switch {
	case x == nil && whole:
		return true
	case x == nil:
		c.missing(op)
		return c.draft
	}
	c.recipientsOf[op.place()] = x.to
	for _, p := range x.keys {
		out.set(p.key, p.line, c.merged(p.key, out.at(p.key), p.value))
	}
	for _, key := range []string{"x-sdk", "x-resilience"} {
		if !out.has(key) && !c.draft {
			c.fault(x.line, "add "+key+", as gen -init prints it, or write skip: true", "operation %s has no %s", x.name, key)
			return false
		}
	}
	return true
}

// missing keeps an operation that the overlay lacks, to be told of when it is known what else is said there.
func (c *converter) missing(op *operation) {
	if op.twin > 0 && !c.draft {
		c.doubles = append(c.doubles, op.place())
		c.fault(op.line, "give it an operationId of its own, or name it "+op.place()+" in the overlay",
			"operationId %q is a duplicate, line %s has it already, and %s is not in %s",
			c.text(op.node, "operationId"), c.lines.Text(op.twin, op.line), op.place(), c.overlay.path)
		return
	}
	c.wanting = append(c.wanting, op)
}

// unused finds what the overlay says about operations that the spec has not, and then what it lacks. A name can only be meant for one that
// it lacks. A draft is there to be corrected, so that it is only noted.
func (c *converter) unused() {
	if c.overlay == nil {
		return
	}
	otherwise := "remove it, or correct its name"
	if len(c.doubles) > 0 {
		otherwise = "remove it, or if its operationId has become a duplicate name it " + strings.Join(c.doubles, " or ")
	}
	var names []string
	for _, op := range c.wanting {
		names = append(names, op.id)
	}
	meant := map[string]bool{}
	for _, x := range c.overlay.order {
		if x.used != "" || c.seen[x.name] > 0 {
			continue
		}
		meant[spec.Nearest(x.name, names)] = true
		cure := spec.Suggestion(x.name, names, otherwise)
		if c.draft {
			c.notes.say(x.line, fmt.Sprintf("the spec has no operation %s: %s", x.name, cure))
			continue
		}
		c.fault(x.line, cure, "the spec has no operation %s", x.name)
	}
	for _, op := range c.wanting {
		if !c.draft && !meant[op.id] {
			c.fault(op.line, "append what gen -init -spec SPEC -overlay "+c.overlay.path+" prints, or write skip: true for it there",
				"operation %s is not in %s", op.id, c.overlay.path)
		}
	}
}
