package source

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// octets is the media type of content that has no other.
const octets = "application/octet-stream"

// answerMedia chooses what of an answer is read as JSON and what is a download; nil for what it is not. JSON by its name comes before what
// holds it under another, and of several the first.
func (c *converter) answerMedia(content *yaml.Node) (json, download *pair) {
	kinds := c.pairs(content)
	for i := range kinds {
		if c.isJSON(kinds[i]) && (json == nil || !spec.IsJSON(spec.MediaType(json.key)) && spec.IsJSON(spec.MediaType(kinds[i].key))) {
			json = &kinds[i]
		}
	}
	for i := range kinds {
		if !c.isJSON(kinds[i]) && download == nil && (json == nil || !c.isSame(kinds[i], *json)) {
			download = &kinds[i]
		}
	}
	return json, download
}

// isJSON reports whether an answer of a media type is read as JSON: by its name, or since its schema says so and the type does not forbid it.
func (c *converter) isJSON(media pair) bool {
	kind, schema := spec.MediaType(media.key), c.get(media.value, "schema")
	return !c.isContent(schema) && (spec.IsJSON(kind) || kind == "*/*") || spec.MayBeJSON(kind) && c.holdsJSON(schema)
}

// isSame reports whether a media type is only another notation of what the JSON says, such as XML, which comes to who asks for it: its
// schema is that of the JSON, or has fields too and the type is no text.
func (c *converter) isSame(media, json pair) bool {
	kind, schema := spec.MediaType(media.key), c.get(media.value, "schema")
	if c.holdsJSON(schema) && !c.isJSON(media) && !strings.HasPrefix(kind, "text/") {
		return true
	}
	return schema != nil && !c.isSilent(schema) && c.alike(schema, c.get(json.value, "schema"))
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

// either converts the good answer of an operation. Where it is JSON and another good one a download, or the other way round, it is one of
// both. Pages are JSON in any case.
func (c *converter) either(op *operation, good *pair, all []pair) *yaml.Node {
	made := c.sharedResponse(good.value)
	content, lost := c.pairs(c.get(made, "content")), 0
	for _, p := range all {
		if p.key == good.key || !strings.HasPrefix(p.key, "2") {
			continue
		}
		other := c.completing(content, p.value)
		if other == nil {
			lost++
			continue
		}
		content = append(slices.Clip(content), *other)
	}
	if lost > 0 {
		c.notes.addField(good.line, goodAnswers, op.id)
	}
	if len(content) == 2 && op.paged {
		c.notes.addField(good.line, pagesOnly, op.id)
		content = slices.DeleteFunc(slices.Clone(content), c.isDownload)
	}
	return c.withContent(made, content)
}

// completing finds in another good answer what content is not: JSON for a download, and a download for JSON.
func (c *converter) completing(content []pair, other *yaml.Node) *pair {
	if len(content) != 1 {
		return nil
	}
	json, download := c.answerMedia(c.get(c.target(other), "content"))
	if wanted := c.isDownload(content[0]); wanted && json == nil || !wanted && download == nil {
		return nil
	}
	for _, p := range c.pairs(c.get(c.sharedResponse(other), "content")) {
		if c.isDownload(p) != c.isDownload(content[0]) && p.key != content[0].key {
			return &p
		}
	}
	return nil
}

// isDownload reports whether a converted media type is one.
func (c *converter) isDownload(media pair) bool {
	return c.text(c.get(media.value, "schema"), "format") == "binary"
}

// withContent is a converted answer with other content.
func (c *converter) withContent(made *yaml.Node, content []pair) *yaml.Node {
	if len(content) == len(c.pairs(c.get(made, "content"))) {
		return made
	}
	out, kinds := c.mapping(made.Line), c.mapping(made.Line)
	for _, p := range c.pairs(made) {
		out.add(p.key, p.line, p.value)
	}
	for _, p := range content {
		kinds.add(p.key, p.line, p.value)
	}
	out.set("content", made.Line, kinds.node)
	return out.node
}

// tellAnswer notes what of a good answer is not read as the spec has it: another notation of its JSON, plain text, which has no type of its
// own, and what has one that Go cannot read.
func (c *converter) tellAnswer(op *operation, n *yaml.Node) {
	kinds := c.pairs(c.get(c.target(n), "content"))
	json, download := c.answerMedia(c.get(c.target(n), "content"))
	if json != nil && slices.ContainsFunc(kinds, func(p pair) bool { return c.isUnread(p, *json) }) {
		c.notes.addField(json.line, oneAnswer, op.id)
	}
	if json != nil || download == nil {
		return
	}
	kind, schema := spec.MediaType(download.key), c.get(download.value, "schema")
	switch {
	case c.holdsJSON(schema):
		c.note(download.line, otherAnswer)
	case strings.HasPrefix(kind, "text/"):
		c.note(download.line, textAnswer)
	}
}

// isUnread reports whether an answer that comes as a media type beside the JSON would not be read: it is neither a download nor JSON of the
// same shape.
func (c *converter) isUnread(media, json pair) bool {
	return media.key != json.key && c.isSame(media, json) != c.isJSON(media)
}
