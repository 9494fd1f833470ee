package source

import (
	"cmp"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// responses keeps one good answer: the first with content. A draft gets the others too.
func (c *converter) responses(out *mapping, op *operation) {
	p, ok := c.pair(op.node, "responses")
	line := op.line
	if ok {
		line = p.line
	}
	made := c.mapping(line)
	all := c.pairs(c.target(p.value))
	good := c.good(all, op.line)
	if good == nil {
		empty := c.mapping(line)
		empty.text("description", "done", line)
		made.add("200", line, empty.node)
	} else {
		code := good.key
		if !strings.HasPrefix(code, "2") {
			code = "200"
		}
		c.tellAnswer(op, good.value)
		made.add(code, good.line, c.either(op, good, all))
	}
	for _, q := range all {
		if c.draft && !strings.HasPrefix(q.key, "2") && (good == nil || q.key != good.key) && !strings.HasPrefix(q.key, "x-") {
			made.add(q.key, q.line, c.sharedResponse(q.value))
		}
	}
	out.set("responses", line, made.node)
}

// good chooses the answer of a success; nil where nothing is known of it.
func (c *converter) good(all []pair, line int) *pair {
	var first, full, fallback *pair
	count := 0
	for i, p := range all {
		switch {
		case p.key == "default":
			fallback = &all[i]
		case !strings.HasPrefix(p.key, "2"):
			continue
		default:
			count++
			if first == nil || p.key < first.key {
				first = &all[i]
			}
			if len(c.pairs(c.get(c.target(p.value), "content"))) > 0 && (full == nil || p.key < full.key) {
				full = &all[i]
			}
		}
	}
	switch {
	case count == 0:
		c.note(line, noGoodAnswer)
		return fallback
	case full == nil:
		return first
	default:
		return full
	}
}

// nameOf is what a schema is called which stands inside what n refers to; empty for what stands in the operation itself.
func (c *converter) nameOf(n *yaml.Node) called {
	if c.reference(n) != nil {
		return c.calledBy(n)
	}
	return called{}
}

// response converts one, whose schema gets a name of its own if several operations refer to it.
func (c *converter) response(n *yaml.Node, name called) *yaml.Node {
	out := c.mapping(n.Line)
	out.text("description", "an answer", n.Line)
	out.copyText(n, "description")
	if p, ok := c.pair(n, "headers"); ok {
		headers := c.mapping(p.line)
		for _, h := range c.pairs(p.value) {
			headers.add(h.key, h.line, c.mapping(h.line).node)
		}
		out.set("headers", p.line, headers.node)
	}
	json, download := c.answerMedia(c.get(n, "content"))
	if json == nil && download == nil {
		return out.node
	}
	content := c.mapping(cmp.Or(json, download).line)
	if json != nil {
		kind, made := spec.MediaType(json.key), c.mapping(json.line)
		if strings.Contains(kind, "*") {
			kind = spec.JSONBody
		}
		made.set("schema", json.line, c.answerSchema(c.get(json.value, "schema"), json.line, name))
		c.mediaExample(made, json.value)
		content.add(kind, json.line, made.node)
	}
	if download != nil {
		kind, made, binary := spec.MediaType(download.key), c.mapping(download.line), c.plainText(download.line)
		if strings.Contains(kind, "*") || !strings.Contains(kind, "/") || content.has(kind) {
			kind = octets
		}
		binary.text("format", "binary", download.line)
		made.set("schema", download.line, binary.node)
		content.add(kind, download.line, made.node)
	}
	out.set("content", content.node.Line, content.node)
	return out.node
}

func (c *converter) answerSchema(schema *yaml.Node, line int, name called) *yaml.Node {
	if schema == nil {
		return c.mapping(line).node
	}
	if name.short != "" && c.reference(schema) == nil && c.kind(schema) == kindObject {
		return c.refer(c.component(schema, name), schema.Line)
	}
	return c.schema(schema, inAnswer)
}

// sharedResponse converts a response, to which several operations may refer, only once. It counts again each time, since it will be read
// again.
func (c *converter) sharedResponse(n *yaml.Node) *yaml.Node {
	target := c.target(n)
	if target == nil {
		empty := c.mapping(n.Line)
		empty.text("description", "unknown", n.Line)
		return empty.node
	}
	if known, ok := c.shared[target]; ok {
		c.made += known.size
		return known.nodes[0]
	}
	before := c.made
	made := c.response(target, c.nameOf(n))
	c.share(target, &sharedNode{nodes: []*yaml.Node{made}, size: c.made - before})
	return made
}
