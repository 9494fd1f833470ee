package spec

import (
	"net/http"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// methods are the keys of a path that are operations.
var methods = []string{"get", "post", "put", "delete", "patch"}

// IsMethod reports whether a key of a path is an operation.
func IsMethod(key string) bool { return slices.Contains(methods, key) }

func (r *reader) paths(doc *Document, root fields) {
	f, ok := root["paths"]
	if !ok {
		r.fault(1, "add paths", "the document has no paths")
		return
	}
	known := slices.Concat(methods, []string{"parameters", "-summary", "-description", "-servers"})
	ids := map[string]int{}
	for _, e := range r.entries(f.value, "paths") {
		if !strings.HasPrefix(e.name, "/") {
			r.fault(e.line, "begin it with /", "path %q does not begin with a slash", e.name)
		}
		item := r.object(e.value, "path "+e.name, known...)
		for _, method := range methods {
			g, ok := item[method]
			if !ok {
				continue
			}
			op := &Operation{Line: g.line, HTTPMethod: strings.ToUpper(method), Path: e.name}
			r.operation(doc, op, g.value, item["parameters"].value, root["security"].value)
			doc.Operations = append(doc.Operations, op)
			r.once(ids, op)
		}
	}
}

func (r *reader) once(ids map[string]int, op *Operation) {
	if op.ID.Value == "" {
		return
	}
	if first, ok := ids[op.ID.Value]; ok {
		r.fault(op.ID.Line, "give each operation its own id", "operationId %q stands at line %s already", op.ID.Value, r.lines.Text(first, op.ID.Line))
		return
	}
	ids[op.ID.Value] = op.ID.Line
}

func (r *reader) operation(doc *Document, op *Operation, n, shared, security *yaml.Node) {
	f := r.object(n, "the operation", "operationId", "summary", "description", "parameters", "requestBody", "responses", "security",
		"deprecated", "-tags", "-externalDocs", "x-sdk", "x-resilience", "x-pagination", "x-deprecated-reason")
	r.operationTexts(op, f)
	if g, ok := f["tags"]; ok && r.as.Foreign {
		for _, t := range r.texts(g.value, "tags") {
			op.Tags = append(op.Tags, t.Value)
		}
	}
	if g, ok := f["x-sdk"]; ok {
		r.sdk(op, g.value, g.line)
	} else if !r.as.Draft {
		r.fault(op.Line, "add x-sdk: {service: ..., method: ...}", "operation %q has no x-sdk", op.ID.Value)
	}
	if g, ok := f["x-resilience"]; ok {
		r.resilience(doc, op, g.value, g.line)
	} else if !r.as.Draft {
		r.fault(op.Line, "add x-resilience: {scope: ..., group: ..., idempotent: ...}", "operation %q has no x-resilience", op.ID.Value)
	}
	if g, ok := f["security"]; ok {
		security = g.value
	}
	op.Auth = r.security(doc, security)
	r.parameters(op, shared, f["parameters"].value)
	if g, ok := f["requestBody"]; ok {
		op.Body = r.body(op, g)
	}
	r.answer(op, f)
	if g, ok := f["x-pagination"]; ok {
		op.Pages = r.pagination(g.value, g.line)
	}
}

func (r *reader) operationTexts(op *Operation, f fields) {
	if g, ok := f["operationId"]; ok {
		op.ID = r.text(g.value, "operationId")
	}
	if op.ID.Value == "" {
		r.fault(op.Line, "add operationId: the platform's own name of the call", "the operation has no operationId")
	}
	if g, ok := f["summary"]; ok {
		op.Summary = r.text(g.value, "summary").Value
	}
	if op.Summary == "" {
		r.fault(op.Line, "add summary: what the call does, in one sentence", "operation %q has no summary", op.ID.Value)
	}
	if g, ok := f["description"]; ok {
		op.Description = r.text(g.value, "description").Value
	}
	if g, ok := f["deprecated"]; ok {
		op.Deprecated = r.boolean(g.value, "deprecated")
	}
	if g, ok := f["x-deprecated-reason"]; ok {
		op.DeprecatedReason = r.text(g.value, "x-deprecated-reason").Value
	}
}

// security reads which scheme authorizes a call: one, or none.
func (r *reader) security(doc *Document, n *yaml.Node) Text {
	var found []Text
	for _, choice := range r.list(n, "security") {
		for _, e := range r.entries(choice, "a security requirement") {
			found = append(found, Text{e.name, e.line})
		}
	}
	if len(found) == 0 {
		return Text{}
	}
	scheme := found[0]
	if len(found) > 1 {
		r.fault(found[1].Line, "keep the one that the call uses", "security names %d schemes", len(found))
	}
	names := make([]string, len(doc.Schemes))
	for i, s := range doc.Schemes {
		names[i] = s.Name
	}
	if !slices.Contains(names, scheme.Value) {
		r.fault(scheme.Line, Suggestion(scheme.Value, names, "define it under components/securitySchemes"),
			"unknown security scheme %q", scheme.Value)
	}
	return scheme
}

// parameters reads those that all operations of a path share, then the operation's own, which replace them.
func (r *reader) parameters(op *Operation, shared, own *yaml.Node) {
	params := r.parameterList(shared)
	for _, p := range r.parameterList(own) {
		if at := slices.IndexFunc(params, p.same); at >= 0 {
			params[at] = p
		} else {
			params = append(params, p)
		}
	}
	op.Params = params
	r.pathParameters(op)
}

func (r *reader) parameterList(list *yaml.Node) []*Param {
	var out []*Param
	for _, n := range r.list(list, "parameters") {
		p := r.parameter(n)
		if p == nil {
			continue
		}
		if at := slices.IndexFunc(out, p.same); at >= 0 {
			r.fault(n.Line, "keep one of them", "parameter %q stands at line %s already", p.Name, r.lines.Text(out[at].Line, n.Line))
			continue
		}
		out = append(out, p)
	}
	return out
}

// same reports whether p and q are one parameter. The names of headers are the same in any case of letters.
func (p *Param) same(q *Param) bool {
	return p.In == q.In && (p.Name == q.Name || p.In == "header" && strings.EqualFold(p.Name, q.Name))
}

func (r *reader) parameter(n *yaml.Node) *Param {
	n = r.dereference(n, "parameters", "the parameter")
	if n == nil {
		return nil
	}
	f := r.object(n, "a parameter", "name", "in", "description", "required", "deprecated", "style", "explode", "schema",
		"-allowEmptyValue", "-allowReserved", "-example", "-examples", "x-from", "x-recipient", "x-go-name")
	p := &Param{Line: n.Line}
	if g, ok := f["name"]; ok {
		t := r.text(g.value, "a parameter's name")
		p.Name, p.Line = t.Value, t.Line
	}
	if p.Name == "" {
		r.fault(p.Line, "add name", "the parameter has no name")
		return nil
	}
	what := "parameter " + p.Name
	if g, ok := f["in"]; ok {
		p.In = r.text(g.value, what+".in").Value
	}
	switch p.In {
	case "path", "query":
	case "header":
		r.headerName(p, what)
	default:
		r.fault(p.Line, "write in: path, query or header; form fields stand in requestBody, cookies are not sent", "%s is in %q", what, p.In)
	}
	r.parameterTexts(p, f, what)
	r.parameterSchema(p, f, what)
	return p
}

func (r *reader) parameterTexts(p *Param, f fields, what string) {
	if g, ok := f["description"]; ok {
		p.Doc = r.text(g.value, what+".description").Value
	}
	if g, ok := f["required"]; ok {
		p.Required = r.boolean(g.value, what+".required")
	}
	if p.In == "path" && !p.Required {
		r.fault(p.Line, "add required: true", "%s of the path is not required", what)
	}
	if g, ok := f["deprecated"]; ok {
		p.Deprecated = r.boolean(g.value, what+".deprecated")
	}
	p.FromCredential, p.Recipient = r.marks(f, what)
}

// marks reads where the value of a parameter or property is from, and whether it is a recipient.
func (r *reader) marks(f fields, what string) (fromCredential, recipient bool) {
	from, given := f["x-from"]
	if given {
		fromCredential = r.word(from.value, "x-from", origins) == "credential"
	}
	if g, ok := f["x-recipient"]; ok {
		recipient = r.boolean(g.value, what+".x-recipient")
	}
	if given && recipient {
		r.fault(from.line, "keep one of x-from and x-recipient", "%s is a recipient, and from the credential", what)
	}
	return fromCredential, recipient
}

func (r *reader) parameterSchema(p *Param, f fields, what string) {
	g, ok := f["schema"]
	if !ok {
		r.fault(p.Line, "add schema: {type: ...}", "%s has no schema", what)
		p.Schema = &Schema{Line: p.Line, Type: "string"}
		return
	}
	p.Schema = r.schema(g.value, what)
	if r.as.Draft {
		p.FromZero = r.isFromZero(g.value)
	}
	if name, ok := f["x-go-name"]; ok {
		p.Schema.GoName = r.text(name.value, what+".x-go-name")
	}
	explode, style := p.In == "query", "form"
	if p.In != "query" {
		style = "simple"
	}
	if s, ok := f["style"]; ok {
		r.word(s.value, "style", []string{style})
	}
	if e, ok := f["explode"]; ok {
		explode = r.boolean(e.value, what+".explode")
	}
	p.Commas = !explode || p.In == "header"
}

// isFromZero reports whether a number counts from 0: that is its default, or its least where it has none.
func (r *reader) isFromZero(schema *yaml.Node) bool {
	for _, key := range []string{"default", "minimum"} {
		if v := r.follow(r.child(schema, key)); v != nil {
			return v.Value == "0"
		}
	}
	return false
}

var braces = regexp.MustCompile(`\{([^{}]*)\}`)

// PathNames lists what stands in {} in a path, in its order.
func PathNames(path string) []string {
	var out []string
	for _, m := range braces.FindAllStringSubmatch(path, -1) {
		out = append(out, m[1])
	}
	return out
}

// pathParameters compares the {names} of the path with the parameters.
func (r *reader) pathParameters(op *Operation) {
	used := map[string]bool{}
	for _, name := range PathNames(op.Path) {
		used[name] = true
		if !slices.ContainsFunc(op.Params, func(p *Param) bool { return p.In == "path" && p.Name == name }) {
			r.fault(op.Line, "add it to parameters with in: path", "{%s} of the path is no parameter", name)
		}
	}
	for _, p := range op.Params {
		if p.In == "path" && !used[p.Name] {
			r.fault(p.Line, "write {"+p.Name+"} into the path, or drop it", "path parameter %q is not in %s", p.Name, op.Path)
		}
	}
}

func (r *reader) body(op *Operation, at field) *Body {
	n := r.dereference(at.value, "requestBodies", "the body")
	if n == nil {
		return nil
	}
	if op.HTTPMethod == http.MethodGet {
		r.fault(at.line, "send its fields as query parameters", "a GET has a body")
	}
	f := r.object(n, "the body", "content", "-description", "-required")
	g, ok := f["content"]
	if !ok {
		r.fault(at.line, "add content", "the body has no content")
		return nil
	}
	b := r.bodyContent(r.entries(g.value, "the body's content"), g.line)
	if must, ok := f["required"]; ok && b != nil && r.as.Foreign {
		b.Required = r.boolean(must.value, "the body's required")
	}
	return b
}

func (r *reader) bodyContent(kinds []entry, line int) *Body {
	found := map[string]entry{}
	for _, e := range kinds {
		kind := MediaType(e.name)
		if kind != FormBody && kind != MultipartBody && !IsJSON(kind) {
			r.fault(e.line, "use "+FormBody+", "+MultipartBody+" or "+JSONBody, "a body of %q cannot be sent", e.name)
			continue
		}
		if IsJSON(kind) {
			kind = JSONBody
		}
		if first, ok := found[kind]; ok {
			r.fault(e.line, "keep one of them", "two %s media types: the first stands at line %s", kind, r.lines.Text(first.line, e.line))
			continue
		}
		found[kind] = e
	}
	if json, ok := found[JSONBody]; ok && len(found) > 1 {
		r.fault(json.line, "keep the one that the platform documents", "the body is both JSON and a form")
	}
	for _, kind := range []string{MultipartBody, FormBody, JSONBody} {
		e, ok := found[kind]
		if !ok {
			continue
		}
		b := &Body{Line: e.line, Kind: kind, Commas: map[string]bool{}, Repeats: map[string]bool{}}
		r.media(b, e)
		if form, both := found[FormBody]; both && kind == MultipartBody {
			r.media(&Body{Line: form.line, Kind: FormBody, Commas: map[string]bool{}, Repeats: map[string]bool{}}, form)
		}
		return b
	}
	if len(kinds) == 0 {
		r.fault(line, "add "+FormBody+", "+MultipartBody+" or "+JSONBody, "the body has no media type")
	}
	return nil
}

func (r *reader) media(b *Body, e entry) {
	f := r.object(e.value, e.name, "schema", "encoding", "-example", "-examples")
	g, ok := f["schema"]
	if !ok {
		r.fault(e.line, "add schema", "%s has no schema", e.name)
		b.Schema = &Schema{Line: e.line, Type: "object"}
		return
	}
	b.Schema = r.schema(g.value, "the body")
	enc, ok := f["encoding"]
	if !ok {
		return
	}
	for _, part := range r.entries(enc.value, "encoding") {
		p := r.object(part.value, "encoding of "+part.name, "style", "explode", "contentType", "-headers", "-allowReserved")
		_, isList := p["style"]
		if !isList {
			continue
		}
		r.word(p["style"].value, "style", []string{"form"})
		ex, ok := p["explode"]
		repeats := !ok || r.boolean(ex.value, "explode")
		if repeats && r.as.Foreign {
			b.Repeats[part.name] = true
			continue
		}
		if repeats {
			r.fault(part.line, "add explode: false for a list with commas; without encoding a list is sent as JSON text",
				"encoding of %s would repeat the field", part.name)
		}
		b.Commas[part.name] = true
	}
}
