package source

import (
	"mime"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An operation is one that is being converted.
type operation struct {
	id, method, path string
	line             int
	node             *yaml.Node
	shared           *yaml.Node // parameters of its path
}

var (
	methods    = []string{"get", "post", "put", "delete", "patch"}
	oddMethods = []string{"head", "options", "trace"}
)

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
		if contains(oddMethods, q.key) {
			c.note(q.line, oddMethod)
		}
		if !contains(methods, q.key) {
			continue
		}
		op := &operation{method: strings.ToUpper(q.key), path: address, line: q.line, node: c.target(q.value), shared: c.get(item, "parameters")}
		if op.node == nil {
			continue
		}
		// A first conversion of what is left out costs little; its notes would be about nothing.
		kept := c.notes.copy()
		made, why := c.operation(op, c.elsewhere(item))
		switch {
		case why != nil:
			c.notes = kept
			c.note(op.line, *why)
		case made == nil:
			c.notes = kept
		default:
			out.set(q.key, q.line, made)
		}
	}
	if len(out.node.Content) > 0 && paths.at(address) == nil {
		paths.add(address, p.line, out.node)
	}
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
	if p, ok := c.pair(op.node, "security"); ok {
		c.security(out, p.value, p.line)
	} else if p, ok := c.pair(c.root, "security"); ok {
		c.security(out, p.value, op.line)
	}
	if !c.parameters(out, op) {
		return nil, &needsParam
	}
	if !c.body(out, op) {
		return nil, &oddBody
	}
	c.responses(out, op)
	c.extension(out, op)
	c.ids = append(c.ids, op.id)
	if !c.extended(out, op, x) {
		return nil, nil
	}
	return out.node, nil
}

// identify settles the id: the spec's own, or method and path where it has none or gives one twice.
func (c *converter) identify(op *operation) {
	place := op.method + " " + op.path
	op.id = c.text(op.node, "operationId")
	if op.id == "" || c.seen[op.id] {
		op.id = place
		c.note(op.line, noID)
	}
	c.seen[op.id], c.seen[place] = true, true
}

// extension takes over what the spec itself says in our words; what has other words is another's extension of the same name.
func (c *converter) extension(out *mapping, op *operation) {
	c.vendor(op.node, "x-sdk", "x-resilience", "x-pagination", "x-deprecated-reason")
	for _, key := range []string{"x-sdk", "x-resilience", "x-pagination"} {
		p, ok := c.pair(op.node, key)
		if !ok {
			continue
		}
		if ours := map[string]string{"x-sdk": "method", "x-resilience": "scope", "x-pagination": "style"}[key]; c.get(p.value, ours) == nil {
			c.note(p.line, oddExtension)
			continue
		}
		out.set(key, p.line, p.value)
	}
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

// body converts what an operation sends; false for what cannot be sent.
func (c *converter) body(out *mapping, op *operation) bool {
	p, ok := c.pair(op.node, "requestBody")
	if !ok {
		return true
	}
	n := c.target(p.value)
	if n == nil {
		return true
	}
	if op.method == "GET" {
		c.note(p.line, bodyOfGet)
		return true
	}
	media, kind := c.bodyMedia(c.get(n, "content"))
	if media == nil {
		// A body without content, as some generators write it, is none.
		return len(c.pairs(c.get(n, "content"))) == 0 || c.text(n, "required") != "true" && op.method == "DELETE"
	}
	if kind != jsonKind && c.isEmpty(c.get(media.value, "schema")) {
		return true // some generators write an empty form for nothing
	}
	made := c.mapping(media.line)
	if kind == jsonKind {
		made.set("schema", media.line, c.jsonBody(c.get(media.value, "schema"), media.line))
	} else if !c.formBody(made, media, kind) {
		return false
	}
	content, body := c.mapping(media.line), c.mapping(p.line)
	content.add(kind, media.line, made.node)
	body.copyFlag(n, "required")
	body.set("content", media.line, content.node)
	out.set("requestBody", p.line, body.node)
	return true
}

// The media types of bodies.
const (
	jsonKind      = "application/json"
	formKind      = "application/x-www-form-urlencoded"
	multipartKind = "multipart/form-data"
)

// bodyMedia chooses one media type.
func (c *converter) bodyMedia(content *yaml.Node) (*pair, string) {
	kinds := c.pairs(content)
	for _, kind := range []string{jsonKind, formKind, multipartKind} {
		for i := range kinds {
			name := mediaType(kinds[i].key)
			if name != kind && (kind != jsonKind || !c.isJSONBody(name, kinds[i])) {
				continue
			}
			if len(kinds) > 1 {
				c.note(kinds[i].line, oneBody)
			}
			if kind == jsonKind && name != jsonKind {
				c.note(kinds[i].line, otherJSON)
			}
			return &kinds[i], kind
		}
	}
	return nil, ""
}

// isJSONBody reports whether a body may be sent as application/json though its type is another. A patch is read by its type.
func (c *converter) isJSONBody(name string, media pair) bool {
	if name == "*/*" {
		schema := c.target(c.get(media.value, "schema"))
		return schema != nil && !c.isFile(schema)
	}
	return isJSON(name) && !strings.HasSuffix(name, "patch+json")
}

// isEmpty reports whether a schema is an object that holds nothing.
func (c *converter) isEmpty(n *yaml.Node) bool {
	n = c.target(n)
	if n == nil || c.kind(n) != kindMap || len(list(c.get(n, "allOf"))) > 0 {
		return false
	}
	values := c.get(n, "additionalProperties")
	return values == nil || values.Kind != yaml.MappingNode
}

func mediaType(name string) string {
	kind, _, err := mime.ParseMediaType(name)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return kind
}

func isJSON(kind string) bool {
	return kind == jsonKind || kind == "text/json" || strings.HasSuffix(kind, "+json")
}
