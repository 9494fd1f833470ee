package source

import (
	"mime"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// An operation is one that is being converted.
type operation struct {
	id, method, path string
	line             int
	node             *yaml.Node
	shared           *yaml.Node // parameters of its path
	twin             int        // the line of an operation before it with the same operationId; 0: none
	security         *scheme    // that of its credential; nil: none
	keys             []*scheme  // those that it wants besides
}

func (op *operation) place() string { return op.method + " " + op.path }

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
			c.notes.name(q.line, oddMethod, strings.ToUpper(q.key)+" "+address)
		}
		if !contains(methods, q.key) {
			continue
		}
		op := &operation{method: strings.ToUpper(q.key), path: address, line: q.line, node: c.target(q.value), shared: c.get(item, "parameters")}
		if op.node == nil {
			continue
		}
		if out.has(q.key) {
			c.notes.name(q.line, twinPath, op.place())
			continue
		}
		// A first conversion of what is left out costs little; its notes would be about nothing.
		kept := c.notes.copy()
		made, why := c.operation(op, c.elsewhere(item))
		switch {
		case why != nil:
			c.notes = kept
			c.notes.name(op.line, *why, op.id)
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
	if kind == jsonKind {
		c.tellOtherJSON(mediaType(media.key), media.line, op)
	}
	if media == nil {
		// A body without content, as some generators write it, is none.
		if len(c.pairs(c.get(n, "content"))) == 0 || c.text(n, "required") != "true" && op.method == "DELETE" {
			return nil
		}
		return &oddBody
	}
	if kind != jsonKind && c.isEmpty(c.get(media.value, "schema")) {
		return nil // some generators write an empty form for nothing
	}
	made := c.mapping(media.line)
	if kind == jsonKind {
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

// The media types of bodies.
const (
	jsonKind      = "application/json"
	formKind      = "application/x-www-form-urlencoded"
	multipartKind = "multipart/form-data"
)

// bodyMedia chooses one media type.
func (c *converter) bodyMedia(content *yaml.Node) (*pair, string) {
	kinds := c.pairs(content)
	is := func(kind string) func(pair) bool { return func(p pair) bool { return mediaType(p.key) == kind } }
	for _, one := range []struct {
		kind string
		fits func(pair) bool
	}{{jsonKind, is(jsonKind)}, {jsonKind, c.isJSONBody}, {formKind, is(formKind)}, {multipartKind, is(multipartKind)}} {
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
	case jsonKind:
	case "*/*":
		c.note(line, anyBody)
	default:
		c.notes.name(line, otherJSON, op.id)
	}
}

// isJSONBody reports whether a body may be sent as application/json though its type is another.
func (c *converter) isJSONBody(media pair) bool {
	name := mediaType(media.key)
	if name == "*/*" {
		schema := c.target(c.get(media.value, "schema"))
		return schema != nil && !c.isFile(schema)
	}
	return isJSON(name)
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
