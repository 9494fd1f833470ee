package source

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// jsonBody converts what a JSON body holds. The fields of an object become those of the request; anything else is its Body. It is nil
// where a required one cannot be written.
func (c *converter) jsonBody(n *yaml.Node, line int) *yaml.Node {
	target := c.target(n)
	if target == nil || target.Kind != yaml.MappingNode {
		return c.mapping(line).node
	}
	if c.kind(target) != kindObject {
		return c.schema(n, inAnswer)
	}
	g := c.gather(target)
	for _, f := range g.fields {
		if g.required[f.key] && !naming.IsTag(f.key) && !c.isReadOnly(f.value) {
			return nil
		}
	}
	if len(g.fields) == 0 || g.other {
		return c.schema(n, inAnswer)
	}
	if c.reference(n) != nil && c.isPlainObject(g) {
		return c.schema(n, inAnswer)
	}
	if g.mixed {
		c.note(target.Line, merged)
	}
	c.tellMore(target)
	out := c.mapping(line)
	out.copyText(target, "description")
	c.flat(out, g, target.Line, inAnswer, true)
	return out.node
}

// isPlainObject reports whether a body can be the component that it refers to.
func (c *converter) isPlainObject(g *gathering) bool {
	if g.mixed {
		return false
	}
	for _, f := range g.fields {
		if c.isReadOnly(f.value) {
			return false
		}
	}
	return true
}

// body converts what an operation sends, and says why it cannot be sent.
func (c *converter) body(out *mapping, op *operation) *change {
	p, ok := c.pair(op.node, "requestBody")
	if !ok {
		return nil
	}
	n := c.target(p.value)
	if n == nil {
		return nil
	}
	if op.method == "GET" {
		c.note(p.line, bodyOfGet)
		return nil
	}
	media, kind := c.bodyMedia(c.get(n, "content"))
	if kind == spec.JSONBody {
		c.tellOtherJSON(spec.MediaType(media.key), media.line, op)
	}
	if media == nil {
		kinds := c.pairs(c.get(n, "content"))
		switch {
		case len(kinds) == 0: // as some generators write it, for none
			return nil
		case c.text(n, "required") != "true" && op.method == "DELETE": // what is gone is named by the path
			c.notes.addNamed(kinds[0].line, bodyOfDelete, op.id)
			return nil
		}
		return &oddBody
	}
	if kind != spec.JSONBody && c.isEmpty(c.get(media.value, "schema")) {
		return nil // some generators write an empty form for nothing
	}
	made := c.mapping(media.line)
	if kind == spec.JSONBody {
		schema := c.jsonBody(c.get(media.value, "schema"), media.line)
		if schema == nil {
			return &needsField
		}
		made.set("schema", media.line, schema)
		c.tellUnsent(c.get(media.value, "schema"))
	} else if why := c.formBody(made, media, kind); why != nil {
		return why
	}
	content, body := c.mapping(media.line), c.mapping(p.line)
	content.add(kind, media.line, made.node)
	body.copyFlag(n, "required")
	body.set("content", media.line, content.node)
	out.set("requestBody", p.line, body.node)
	return nil
}

// bodyMedia chooses one media type.
func (c *converter) bodyMedia(content *yaml.Node) (*pair, string) {
	kinds := c.pairs(content)
	is := func(kind string) func(pair) bool { return func(p pair) bool { return spec.MediaType(p.key) == kind } }
	for _, one := range []struct {
		kind string
		fits func(pair) bool
	}{{spec.JSONBody, is(spec.JSONBody)}, {spec.JSONBody, c.isJSONBody}, {spec.FormBody, is(spec.FormBody)}, {spec.MultipartBody, is(spec.MultipartBody)}} {
		if i := slices.IndexFunc(kinds, one.fits); i >= 0 {
			if len(kinds) > 1 {
				c.note(kinds[i].line, oneBody)
			}
			return &kinds[i], one.kind
		}
	}
	return nil, ""
}

// tellOtherJSON notes a body that is sent as JSON though the spec gives it another type.
func (c *converter) tellOtherJSON(kind string, line int, op *operation) {
	switch kind {
	case spec.JSONBody:
	case "*/*":
		c.note(line, anyBody)
	default:
		c.notes.addNamed(line, otherJSON, op.id)
	}
}

// isJSONBody reports whether a body may be sent as application/json though its type is another.
func (c *converter) isJSONBody(media pair) bool {
	name := spec.MediaType(media.key)
	if name == "*/*" {
		schema := c.target(c.get(media.value, "schema"))
		return schema != nil && !c.isFile(schema)
	}
	return spec.IsJSON(name)
}

// isEmpty reports whether a schema is an object that holds nothing, as far as is said.
func (c *converter) isEmpty(n *yaml.Node) bool {
	n = c.target(n)
	if n == nil || c.kind(n) != kindMap || len(c.parts(n)) > 0 {
		return false
	}
	values := c.get(n, "additionalProperties")
	return values == nil || values.Kind != yaml.MappingNode && values.Value != "true"
}
