package source

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A parameter is one that is being converted.
type parameter struct {
	name, in string
	source   *yaml.Node
	made     []*yaml.Node
	fine     bool // false: it is required and cannot be written
	spread   bool // made are its fields
}

// parameters converts those of the path and of the operation, which replace them; false where a required one cannot be written.
func (c *converter) parameters(out *mapping, op *operation) bool {
	all := c.gatherParameters(op)
	var kept []*parameter
	inPath := map[string]bool{}
	for _, name := range spec.PathNames(op.path) {
		inPath[name] = true
	}
	for _, p := range all {
		if p.in == "path" && !inPath[p.name] {
			c.note(p.source.Line, pathParam)
			continue
		}
		if p.in == "path" {
			delete(inPath, p.name)
		}
		c.convertParameter(p)
		if !p.fine {
			return false
		}
		kept = append(kept, p)
	}
	made := c.distinct(kept)
	for _, name := range spec.PathNames(op.path) {
		if inPath[name] {
			delete(inPath, name)
			c.note(op.line, pathParam)
			made = append(made, c.pathParameter(name, op.line))
		}
	}
	for _, s := range op.keys {
		made = append(made, c.keyParameter(s, op.line))
	}
	if len(made) > 0 {
		out.set("parameters", op.line, c.sequence(op.line, made...))
	}
	return true
}

// distinct lists what parameters became, each name once. One of its own is meant before the field of an object, and of two fields the
// required one.
func (c *converter) distinct(all []*parameter) []*yaml.Node {
	key := func(n *yaml.Node) string { return c.text(n, "in") + " " + c.text(n, "name") }
	own := map[string]bool{}
	for _, p := range all {
		for _, n := range p.made {
			own[key(n)] = own[key(n)] || !p.spread
		}
	}
	var made []*yaml.Node
	at := map[string]int{}
	for _, p := range all {
		for _, n := range p.made {
			name := key(n)
			i, twice := at[name]
			switch {
			case p.spread && own[name]:
				c.note(p.source.Line, spreadTwin)
			case !twice:
				at[name] = len(made)
				made = append(made, n)
			case p.spread:
				c.note(p.source.Line, spreadTwin)
				if c.text(n, "required") == "true" && c.text(made[i], "required") != "true" {
					made[i] = n
				}
			}
		}
	}
	return made
}

func (c *converter) pathParameter(name string, line int) *yaml.Node {
	p := c.mapping(line)
	p.text("name", name, line)
	p.text("in", "path", line)
	p.text("required", "true", line)
	p.set("schema", line, c.plainText(line).node)
	return p.node
}

// gatherParameters lists what is to be converted: each name once, without those that the client or the credential gives.
func (c *converter) gatherParameters(op *operation) []*parameter {
	var out []*parameter
	for _, from := range []*yaml.Node{op.shared, c.get(op.node, "parameters")} {
		for _, n := range list(from) {
			source := c.target(n)
			p := &parameter{name: c.text(source, "name"), in: c.text(source, "in"), source: source}
			if source == nil || p.name == "" || !c.isGiven(op, p) {
				continue
			}
			replaced := false
			for i, q := range out {
				if q.in == p.in && (q.name == p.name || p.in == "header" && strings.EqualFold(q.name, p.name)) {
					out[i], replaced = p, true
				}
			}
			if !replaced {
				out = append(out, p)
			}
		}
	}
	return out
}

// isGiven reports whether the caller gives a parameter. What a scheme of another operation fills in has nothing to do with it.
func (c *converter) isGiven(op *operation, p *parameter) bool {
	isHeader := p.in == "header"
	switch {
	case p.in == "cookie":
		c.note(p.source.Line, cookie)
	case op.security.writes(p.in, p.name):
		c.note(p.source.Line, fromScheme)
	case slices.ContainsFunc(op.keys, func(s *scheme) bool { return s.writes(p.in, p.name) }): // given as the scheme's
	case isHeader && strings.EqualFold(p.name, "Authorization"):
		c.note(p.source.Line, openHeader)
		return true
	case isHeader && spec.IsMadeHeader(p.name):
		c.note(p.source.Line, madeHeader)
	default:
		return true
	}
	return false
}

// convertParameter does it once for each definition.
func (c *converter) convertParameter(p *parameter) {
	if known, ok := c.shared[p.source]; ok {
		c.made += known.size
		p.made, p.fine, p.spread = known.nodes, known.fine, known.spread
		return
	}
	before := c.made
	p.fine = true
	c.vendor(p.source, "x-from", "x-recipient", "x-go-name")
	schema := c.get(p.source, "schema")
	media := c.pairs(c.get(p.source, "content"))
	switch {
	case !writable(p.name) || p.in == "header" && !spec.IsHeaderName(p.name):
		c.unwritten(p)
	case p.in == "header" && strings.EqualFold(p.name, "Authorization"):
		c.makeParameter(p, p.name, c.secret(p.source.Line), "")
	case schema == nil && len(media) > 0:
		c.mediaParameter(p, media[0])
	default:
		c.styled(p, schema)
	}
	c.share(p.source, &sharedNode{nodes: p.made, size: c.made - before, fine: p.fine, spread: p.spread})
}

// unwritten leaves a parameter out, and the operation with it if it needs it.
func (c *converter) unwritten(p *parameter) {
	if c.text(p.source, "required") == "true" || p.in == "path" {
		p.fine = false
		return
	}
	c.note(p.source.Line, oddParam)
}

// mediaParameter: an object as JSON text is what an object in our query is; anything else is written by the caller.
func (c *converter) mediaParameter(p *parameter, media pair) {
	schema := c.get(media.value, "schema")
	k := c.kind(schema)
	if spec.IsJSON(spec.MediaType(media.key)) && p.in == "query" && (k == kindObject || k == kindMap || k == kindAny) {
		c.within("", "."+p.name, func() { c.makeParameter(p, p.name, c.schema(schema, inParameter), "") })
		return
	}
	c.asText(p, "")
}

// between says in a description what parts the values of a list.
var between = map[string]string{"pipeDelimited": " (with | between its parts)", "spaceDelimited": " (with blanks between its parts)"}

func (c *converter) asText(p *parameter, how string) {
	c.note(p.source.Line, joined)
	c.makeParameter(p, p.name, c.plainText(p.source.Line).node, how)
}

// styled converts a parameter by how it is written on the wire.
func (c *converter) styled(p *parameter, named *yaml.Node) {
	schema := c.target(named)
	style, explode := c.text(p.source, "style"), c.text(p.source, "explode")
	k := c.kind(schema)
	if k == kindAny && style == "deepObject" {
		if object := c.objectAmong(schema); object != nil {
			c.within("", "."+p.name, func() { c.noteField(p.source.Line, oddChoice) })
			schema, k = object, kindObject
		}
	}
	single := k != kindObject && k != kindMap && k != kindArray
	switch {
	case p.in == "path" && (style == "label" || style == "matrix"):
		p.fine = false
	case single && k != kindAny:
		made := c.schema(named, inParameter) // by its name, if that is an enum's
		if _, isNamed := referred(made); !isNamed {
			(&mapping{made, c}).copyText(schema, "minimum", "default") // they tell where pages begin
		}
		c.makeParameter(p, p.name, made, "")
	case k == kindAny:
		c.makeParameter(p, p.name, c.textOf(schema, p.name, p.source.Line), "")
	case p.in == "header" && k == kindArray && c.ofScalars(schema):
		c.makeParameter(p, p.name, c.listSchema(schema, p.name), "")
	case p.in != "query":
		c.asText(p, " (with commas between its parts)")
	case k == kindObject && (style == "deepObject" || (style == "" || style == "form") && explode != "false"):
		c.spreadOut(p, schema, style == "deepObject")
	case k == kindArray && (style == "" || style == "form"):
		c.listParameter(p, schema, explode)
	case k == kindArray && (style == "pipeDelimited" || style == "spaceDelimited"):
		c.asText(p, between[style])
	case k == kindArray && style == "deepObject":
		c.makeParameter(p, p.name+"[]", c.listSchema(schema, p.name), "")
	default:
		c.unwritten(p)
	}
}

func (c *converter) listParameter(p *parameter, schema *yaml.Node, explode string) {
	k := c.kind(c.itemsOf(schema))
	if k == kindObject || k == kindMap || k == kindArray {
		c.unwritten(p)
		return
	}
	made := c.listSchema(schema, p.name)
	n := c.makeParameter(p, p.name, made, "")
	if explode == "false" {
		n.text("explode", "false", p.source.Line)
	}
}

// listSchema is a list of single values; what has no type is text there.
func (c *converter) listSchema(schema *yaml.Node, name string) *yaml.Node {
	made := c.mapping(schema.Line)
	made.text("type", "array", schema.Line)
	if items := c.itemsOf(schema); c.kind(items).isScalar() {
		made.set("items", schema.Line, c.schema(items, inParameter))
	} else {
		made.set("items", schema.Line, c.textOf(items, name+"[]", schema.Line))
	}
	made.copyText(schema, "description")
	if v := c.text(c.united(schema), "minItems"); v != "" && v != "0" {
		made.text("minItems", v, schema.Line)
	} else {
		made.text("minItems", "1", schema.Line) // an empty list is no parameter at all
	}
	return made.node
}

func (c *converter) makeParameter(p *parameter, name string, schema *yaml.Node, how string) *mapping {
	out := c.mapping(p.source.Line)
	at := p.source.Line
	if q, ok := c.pair(p.source, "name"); ok {
		at = q.line
	}
	out.set("name", at, c.scalar(name, at))
	out.set("in", at, c.scalar(p.in, at))
	out.copyText(p.source, "description")
	if how != "" {
		out.text("description", strings.TrimSpace(c.text(p.source, "description")+how), at)
	}
	out.copyFlag(p.source, "required", "deprecated", "x-recipient")
	if p.in == "path" {
		if !out.has("required") {
			c.note(at, pathParam)
		}
		out.text("required", "true", at)
	}
	out.copyText(p.source, "x-from")
	out.set("schema", at, schema)
	p.made = append(p.made, out.node)
	return out
}

// textOf is the text that stands for what has no type of its own. Of alternatives it is any that is a plain value.
func (c *converter) textOf(n *yaml.Node, name string, line int) *yaml.Node {
	n = c.united(n)
	types, _ := c.types(n)
	alternatives, _ := c.alternatives(n)
	if slices.Contains(types, "array") || slices.Contains(types, "object") ||
		slices.ContainsFunc(alternatives, func(one *yaml.Node) bool { return !c.kind(one).isScalar() }) {
		c.within("", "."+name, func() { c.noteField(line, textForAll) })
	}
	return c.plainText(line).node
}

// objectAmong finds the object in a choice, as in a date that is a number or a range.
func (c *converter) objectAmong(schema *yaml.Node) *yaml.Node {
	for _, key := range []string{"anyOf", "oneOf"} {
		for _, n := range list(c.get(schema, key)) {
			if c.kind(n) == kindObject {
				return c.target(n)
			}
		}
	}
	return nil
}

// spreadOut gives an object by its fields: a[b]=1, or b=1 where the style has it so.
func (c *converter) spreadOut(p *parameter, schema *yaml.Node, deep bool) {
	g := c.gather(schema)
	required := c.text(p.source, "required") == "true"
	p.spread = true
	for _, f := range g.fields {
		name := f.key
		if deep {
			name = p.name + "[" + f.key + "]"
		}
		must := required && g.required[f.key]
		if k := c.kind(f.value); k == kindObject || k == kindMap || k == kindArray || !writable(name) {
			if must {
				p.fine = false
				return
			}
			c.note(p.source.Line, oddParam)
			continue
		}
		c.fieldParameter(p, f, name, must)
	}
	if len(g.fields) == 0 {
		c.unwritten(p)
		return
	}
	c.note(p.source.Line, spread)
}

func (c *converter) fieldParameter(p *parameter, f pair, name string, must bool) {
	out := c.mapping(f.line)
	out.text("name", name, f.line)
	out.text("in", p.in, f.line)
	if must {
		out.text("required", "true", f.line)
	}
	var made *yaml.Node
	if c.kind(f.value) == kindAny {
		made = c.textOf(f.value, name, f.line)
	} else {
		made = c.schema(f.value, inParameter)
	}
	out.set("schema", f.line, made)
	p.made = append(p.made, out.node)
}
