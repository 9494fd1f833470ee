package source

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

// jsonBody converts what a JSON body holds. The fields of an object become those of the request; anything else is its Body.
func (c *converter) jsonBody(n *yaml.Node, line int) *yaml.Node {
	target := c.target(n)
	if target == nil || target.Kind != yaml.MappingNode {
		return c.mapping(line).node
	}
	g := c.gather(target)
	if len(g.fields) == 0 || g.other || c.kind(target) == kindArray {
		return c.schema(n, inAnswer)
	}
	if c.reference(n) != nil && c.isPlainObject(target, g) {
		return c.schema(n, inAnswer)
	}
	if g.mixed {
		c.note(target.Line, merged)
	}
	out := c.mapping(line)
	out.copyText(target, "description")
	c.flat(out, g, target.Line, inAnswer, true)
	return out.node
}

// isPlainObject reports whether a body can be the component that it refers to.
func (c *converter) isPlainObject(target *yaml.Node, g *gathering) bool {
	if g.mixed || c.kind(target) != kindObject {
		return false
	}
	for _, f := range g.fields {
		if c.text(c.target(f.value), "readOnly") == "true" {
			return false
		}
	}
	return true
}

// formBody converts the fields of a form. It is false for what is no object with fields.
func (c *converter) formBody(media *mapping, from *pair, kind string) bool {
	n := c.get(from.value, "schema")
	target := c.target(n)
	g := c.gather(target)
	if len(g.fields) == 0 || g.other {
		return false
	}
	if g.mixed {
		c.note(target.Line, merged)
	}
	at := inForm
	if kind == multipartKind {
		at = inMultipart
	}
	encoding := c.get(from.value, "encoding")
	g = c.deep(g, encoding)
	if g == nil {
		return false
	}
	out := c.mapping(from.line)
	out.copyText(target, "description")
	c.flat(out, g, target.Line, at, true)
	media.set("schema", from.line, out.node)
	c.encoding(media, g, encoding, kind)
	return out.has("properties")
}

// encoding says which lists travel with commas, and which repeat their name. Without it they would be JSON text.
func (c *converter) encoding(media *mapping, g *gathering, said *yaml.Node, kind string) {
	made := c.mapping(media.node.Line)
	for _, f := range g.fields {
		if c.kind(f.value) != kindArray || !c.ofScalars(f.value) || c.text(c.target(f.value), "readOnly") == "true" || !writable(f.key) {
			continue
		}
		how := c.get(said, f.key)
		style, explode := c.text(how, "style"), "true"
		switch {
		case c.text(how, "explode") == "false" && (style == "" || style == "form"):
			explode = "false"
		case isJSON(mediaType(c.text(how, "contentType"))), kind == multipartKind && c.isFile(c.target(c.get(c.arrayOf(c.target(f.value)), "items"))):
			continue
		}
		entry := c.mapping(f.line)
		entry.text("style", "form", f.line)
		entry.text("explode", explode, f.line)
		made.add(f.key, f.line, entry.node)
	}
	if len(made.node.Content) > 0 {
		media.set("encoding", media.node.Line, made.node)
	}
}

// ofScalars reports whether a list holds texts, numbers or booleans.
func (c *converter) ofScalars(n *yaml.Node) bool {
	switch c.kind(c.get(c.arrayOf(c.target(n)), "items")) {
	case kindText, kindInteger, kindNumber, kindBoolean:
		return true
	default:
		return false
	}
}

// maxSpread is how deep the objects of a form are written out as a[b][c]=1.
const maxSpread = 4

// deep writes out the fields that travel as a[b]=1; nil where a required one cannot.
func (c *converter) deep(g *gathering, encoding *yaml.Node) *gathering {
	out := &gathering{at: map[string]int{}, required: map[string]bool{}}
	add := func(f pair, must bool) {
		if _, twice := out.at[f.key]; twice {
			return
		}
		out.at[f.key] = len(out.fields)
		out.fields = append(out.fields, f)
		out.required[f.key] = must
	}
	for _, f := range g.fields {
		if c.text(c.get(encoding, f.key), "style") != "deepObject" {
			add(f, g.required[f.key])
			continue
		}
		if !c.spreadField(f, g.required[f.key], maxSpread, add) {
			return nil
		}
	}
	return out
}

func (c *converter) spreadField(f pair, must bool, levels int, add func(pair, bool)) bool {
	value := c.target(f.value)
	k := c.kind(value)
	if k == kindAny {
		if object := c.objectAmong(value); object != nil {
			value, k = object, kindObject
		}
	}
	switch {
	case k == kindObject && levels > 0:
		inner := c.gather(value)
		c.note(f.line, spread)
		for _, p := range inner.fields {
			p.key = f.key + "[" + p.key + "]"
			if !c.spreadField(p, must && inner.required[strings.TrimSuffix(strings.TrimPrefix(p.key, f.key+"["), "]")], levels-1, add) {
				return false
			}
		}
	case k == kindArray && c.ofScalars(value):
		f.key += "[]"
		add(f, must)
	case k == kindObject || k == kindMap || k == kindArray || k == kindAny:
		if must {
			return false
		}
		c.note(f.line, oddParam)
	default:
		add(f, must)
	}
	return true
}
