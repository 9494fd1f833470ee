package spec

import (
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
		op.Description = r.prose(g.value, "description")
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
