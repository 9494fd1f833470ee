package source

import (
	"slices"
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
		c.tellText(good.value)
		made.add(code, good.line, c.sharedResponse(good.value))
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
	case count > 1:
		c.note(full.line, goodAnswers)
	}
	return full
}

// nameOf is the name that a schema gets which stands inside what n refers to; empty for what stands in the operation itself.
func (c *converter) nameOf(n *yaml.Node) string {
	if ref := c.reference(n); ref != nil {
		return lastName(ref.Value)
	}
	return ""
}

// response converts one, whose schema gets a name of its own if several operations refer to it.
func (c *converter) response(n *yaml.Node, name string) *yaml.Node {
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
	media := c.answerMedia(c.get(n, "content"))
	if media == nil {
		return out.node
	}
	kind, isRange := spec.MediaType(media.key), strings.Contains(media.key, "*")
	schema := c.get(media.value, "schema")
	made := c.mapping(media.line)
	switch {
	case !c.isContent(schema) && (spec.IsJSON(kind) || kind == "*/*"), spec.MayBeJSON(kind) && c.holdsJSON(schema):
		if isRange {
			kind = spec.JSONBody
		}
		made.set("schema", media.line, c.answerSchema(schema, media.line, name))
	default:
		binary := c.plainText(media.line)
		binary.text("format", "binary", media.line)
		made.set("schema", media.line, binary.node)
		if isRange || !strings.Contains(kind, "/") {
			kind = "application/octet-stream"
		}
	}
	content := c.mapping(media.line)
	content.add(kind, media.line, made.node)
	out.set("content", media.line, content.node)
	return out.node
}

// tellText notes a good answer that is no JSON: plain text, which has no type of its own, and what has one that Go cannot read.
func (c *converter) tellText(n *yaml.Node) {
	kinds := c.pairs(c.get(c.target(n), "content"))
	if len(kinds) == 0 || slices.ContainsFunc(kinds, func(p pair) bool { return spec.IsJSON(spec.MediaType(p.key)) }) {
		return
	}
	kind, holdsJSON := spec.MediaType(kinds[0].key), c.holdsJSON(c.get(kinds[0].value, "schema"))
	switch {
	case holdsJSON && !spec.MayBeJSON(kind):
		c.note(kinds[0].line, otherAnswer)
	case !holdsJSON && strings.HasPrefix(kind, "text/"):
		c.note(kinds[0].line, textAnswer)
	}
}

func (c *converter) answerSchema(schema *yaml.Node, line int, name string) *yaml.Node {
	if schema == nil {
		return c.mapping(line).node
	}
	if name != "" && c.reference(schema) == nil && c.kind(schema) == kindObject {
		return c.refer(c.component(schema, name), schema.Line)
	}
	return c.schema(schema, inAnswer)
}

// isContent reports whether an answer is a file, whatever its media type.
func (c *converter) isContent(schema *yaml.Node) bool {
	schema = c.target(schema)
	return c.text(schema, "format") == "binary" && (c.kind(schema) == kindText || c.kind(schema) == kindAny)
}

// holdsJSON reports whether a text/... answer is JSON under another name.
func (c *converter) holdsJSON(schema *yaml.Node) bool {
	k := c.kind(schema)
	return k == kindObject || k == kindMap || k == kindArray
}

// answerMedia chooses one media type: JSON, else text that is JSON, else what comes first.
func (c *converter) answerMedia(content *yaml.Node) *pair {
	kinds := c.pairs(content)
	if len(kinds) == 0 {
		return nil
	}
	chosen := &kinds[0]
	for i := range kinds {
		if kind := spec.MediaType(kinds[i].key); spec.IsJSON(kind) {
			chosen = &kinds[i]
			break
		}
	}
	if len(kinds) > 1 {
		c.note(chosen.line, oneAnswer)
	}
	return chosen
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
	c.shared[target] = &sharedNode{nodes: []*yaml.Node{made}, size: c.made - before}
	return made
}
