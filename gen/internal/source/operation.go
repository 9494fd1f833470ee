package source

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// An operation is one that is being converted.
type operation struct {
	id, method, path string
	line             int
	node             *yaml.Node
	shared           *yaml.Node // parameters of its path
	paged            bool       // it has x-pagination, so that its answer is JSON
	twin             int        // the line of an operation before it with the same operationId; 0: none
	security         *scheme    // that of its credential; nil: none
	keys             []*scheme  // those that it wants besides
}

func (op *operation) place() string { return op.method + " " + op.path }

var oddMethods = []string{"head", "options", "trace"}

func (c *converter) paths(out *mapping) {
	p, ok := c.pair(c.root, "paths")
	if !ok {
		c.fault(c.root.Line, "name a document with operations", "the spec has no paths")
		out.set("paths", c.root.Line, c.mapping(c.root.Line).node)
		return
	}
	made := c.mapping(p.line)
	taken := map[string]*mapping{}
	for _, q := range c.pairs(c.target(p.value)) {
		if strings.HasPrefix(q.key, "x-") {
			continue
		}
		c.path(made, taken, q)
	}
	out.set("paths", p.line, made.node)
	c.tellCalls(c.root, "webhooks", "")
}

// tellCalls notes what the platform calls by itself: the webhooks of a spec, or the callbacks of an operation.
func (c *converter) tellCalls(n *yaml.Node, key, of string) {
	for _, p := range c.pairs(c.target(c.get(n, key))) {
		if !strings.HasPrefix(p.key, "x-") {
			c.notes.addNamed(p.line, calledBack, of+p.key)
		}
	}
}

// path converts the operations of one path. A path that is written twice, with and without its slash, is one.
func (c *converter) path(paths *mapping, taken map[string]*mapping, p pair) {
	item := c.target(p.value)
	if item == nil || c.full() {
		return
	}
	address := p.key
	if !strings.HasPrefix(address, "/") {
		address = "/" + address
	}
	out := taken[address]
	if out == nil {
		out = c.mapping(p.line)
		taken[address] = out
	}
	for _, q := range c.pairs(item) {
		if slices.Contains(oddMethods, q.key) {
			c.notes.addNamed(q.line, oddMethod, strings.ToUpper(q.key)+" "+address)
		}
		if !spec.IsMethod(q.key) {
			continue
		}
		op := &operation{method: strings.ToUpper(q.key), path: address, line: q.line, node: c.target(q.value), shared: c.get(item, "parameters")}
		if op.node == nil {
			continue
		}
		if out.has(q.key) {
			c.notes.addNamed(q.line, twinPath, op.place())
			continue
		}
		// A first conversion of what is left out costs little; its notes would be about nothing.
		kept := c.notes.copy()
		c.undo = nil
		made, why := c.operation(op, c.elsewhere(item))
		if made != nil {
			out.set(q.key, q.line, made)
			continue
		}
		c.notes = kept
		for _, forget := range c.undo {
			forget() // the next that uses it will be told
		}
		if why != nil {
			c.notes.addNamed(op.line, *why, op.id)
		}
	}
	if len(out.node.Content) > 0 && paths.at(address) == nil {
		paths.add(address, p.line, out.node)
	}
}

// tell remembers that what is to be said of a node is said, as long as the operation is not left out that it was said with.
func (c *converter) tell(done map[*yaml.Node]bool, n *yaml.Node) {
	if !done[n] {
		done[n] = true
		c.undo = append(c.undo, func() { delete(done, n) })
	}
}

// share remembers what a node became, and so that its notes are said.
func (c *converter) share(n *yaml.Node, made *sharedNode) {
	c.shared[n] = made
	c.undo = append(c.undo, func() { delete(c.shared, n) })
}

// operation returns nil for one that is left out, and why; without a reason the overlay has it so.
func (c *converter) operation(op *operation, elsewhere bool) (*yaml.Node, *change) {
	if c.get(op.node, "servers") != nil {
		elsewhere = c.elsewhere(op.node)
	}
	c.identify(op)
	out := c.mapping(op.line)
	x := c.lookUp(op)
	if x != nil && x.skip {
		return nil, nil
	}
	if elsewhere {
		return nil, &otherServer
	}
	if strings.ContainsAny(op.path, "?#") {
		return nil, &oddPath
	}
	c.texts(out, op)
	c.spot, _ = naming.Exported(op.id)
	c.where = op.id
	if p, ok := c.pair(op.node, "security"); ok {
		c.security(out, op, p.value, p.line)
	} else if p, ok := c.pair(c.root, "security"); ok {
		c.security(out, op, p.value, op.line)
	}
	if !c.parameters(out, op) {
		return nil, &needsParam
	}
	if why := c.body(out, op); why != nil {
		return nil, why
	}
	c.tellCalls(op.node, "callbacks", op.id+".")
	op.paged = c.isPaged(op, x)
	c.responses(out, op)
	c.extension(out, op)
	if !c.extended(out, op, x) {
		return nil, nil
	}
	return out.node, nil
}

// identify settles the id: the spec's own, or method and path where it has none or gives one twice.
func (c *converter) identify(op *operation) {
	op.id = c.text(op.node, "operationId")
	if op.twin = c.seen[op.id]; op.id == "" || op.twin > 0 {
		op.id = op.place()
		c.note(op.line, noID)
	}
	c.seen[op.id], c.seen[op.place()] = op.line, op.line
}

// extension takes over what the spec itself says in our words; what has other words is another's extension of the same name.
func (c *converter) extension(out *mapping, op *operation) {
	c.vendor(op.node, "x-sdk", "x-resilience", "x-pagination", "x-deprecated-reason")
	for _, x := range []struct{ key, ours string }{{"x-sdk", "method"}, {"x-resilience", "scope"}, {"x-pagination", "style"}} {
		p, ok := c.pair(op.node, x.key)
		if !ok {
			continue
		}
		if c.get(p.value, x.ours) == nil {
			c.note(p.line, oddExtension)
			continue
		}
		out.set(x.key, p.line, p.value)
	}
}

// isPaged reports whether the overlay or the spec itself says how the pages of an operation follow each other.
func (c *converter) isPaged(op *operation, x *extension) bool {
	return x != nil && slices.ContainsFunc(x.keys, func(p pair) bool { return p.key == "x-pagination" }) ||
		c.get(c.get(op.node, "x-pagination"), "style") != nil
}

func (c *converter) texts(out *mapping, op *operation) {
	at := op.line
	if p, ok := c.pair(op.node, "operationId"); ok {
		at = p.value.Line
	}
	out.text("operationId", op.id, at)
	out.copyText(op.node, "summary", "description", "x-deprecated-reason")
	out.copyFlag(op.node, "deprecated")
	if v := out.at("summary"); v == nil || strings.TrimSpace(v.Value) == "" {
		c.note(op.line, noSummary)
		out.set("summary", op.line, c.scalar(c.summary(out, op), op.line))
	}
	if p, ok := c.pair(op.node, "tags"); ok {
		var tags []*yaml.Node
		for _, n := range list(p.value) {
			if n = follow(n); n != nil && n.Kind == yaml.ScalarNode {
				tags = append(tags, n)
			}
		}
		out.set("tags", p.line, c.sequence(p.line, tags...))
	}
}

// summary makes one of the first line of the description, which then stands there no more if it was all.
func (c *converter) summary(out *mapping, op *operation) string {
	v := out.at("description")
	if v == nil {
		return "calls " + op.id
	}
	first, _, _ := strings.Cut(strings.TrimSpace(v.Value), "\n")
	if first = strings.TrimSpace(strings.TrimLeft(first, "# ")); first == "" {
		return "calls " + op.id
	}
	if strings.TrimSpace(v.Value) == first {
		out.set("description", v.Line, c.scalar("", v.Line))
	}
	return first
}
