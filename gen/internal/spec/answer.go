package spec

import (
	"mime"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// answer reads what the lowest 2xx response holds.
func (r *reader) answer(op *Operation, f fields) {
	g, ok := f["responses"]
	if !ok {
		r.fault(op.Line, `add responses: {"200": ...}`, "operation %q has no responses", op.ID.Value)
		return
	}
	var good *entry
	for _, e := range r.entries(g.value, "responses") {
		if strings.HasPrefix(e.name, "2") && (good == nil || e.name < good.name) {
			good = &e
		}
	}
	if good == nil {
		r.fault(g.line, `add "200"`, "operation %q has no good response", op.ID.Value)
		return
	}
	op.Answer = r.response(*good)
	if r.as.Foreign {
		r.failures(op, g.value)
	}
}

// failures reads what else a call may be answered with, which only a draft is made from.
func (r *reader) failures(op *Operation, responses *yaml.Node) {
	for _, e := range r.entries(responses, "responses") {
		if strings.HasPrefix(e.name, "2") {
			continue
		}
		failure := &Failure{Line: e.line, Status: e.name}
		if headers := r.child(e.value, "headers"); headers != nil {
			for _, h := range r.entries(headers, "headers") {
				failure.Headers = append(failure.Headers, h.name)
			}
		}
		failure.Schema = r.response(e).Schema
		op.Failures = append(op.Failures, failure)
	}
}

func (r *reader) response(e entry) *Answer {
	a := &Answer{Line: e.line, Status: e.name}
	n := r.dereference(e.value, "responses", "the response")
	if n == nil {
		return a
	}
	f := r.object(n, "response "+e.name, "description", "content", "-headers", "-links")
	g, ok := f["content"]
	if !ok {
		return a
	}
	json := 0
	for _, c := range r.entries(g.value, "the response's content") {
		r.answerContent(a, c, &json)
	}
	return a
}

// answerContent settles what one media type says. Text with a schema is JSON under another name, if it can be.
func (r *reader) answerContent(a *Answer, c entry, json *int) {
	var s *Schema
	m := r.object(c.value, c.name, "schema", "-example", "-examples", "-encoding")
	if g, ok := m["schema"]; ok {
		s = r.schema(g.value, "the answer")
	}
	kind := MediaType(c.name)
	switch {
	case s != nil && r.isFile(s):
		a.download(kind)
	case IsJSON(kind), kind == "*/*", s != nil && MayBeJSON(kind):
		if *json++; *json > 1 {
			r.fault(c.line, "declare one: answers are read as JSON whatever their Content-Type says", "two JSON media types in one response")
			return
		}
		if s == nil {
			r.fault(c.line, "add schema", "%s has no schema", c.name)
		}
		if shown := r.shown(c.value); len(shown) > 0 {
			a.Example = shown[0]
		}
		if a.Schema = s; !a.Binary {
			a.Type = kind
		}
	default:
		if s != nil {
			r.fault(c.line, "write schema: {type: string, format: binary}, which makes it a download", "%s is no JSON, which its schema says", c.name)
		}
		a.download(kind)
	}
}

// isFile reports whether an answer is content, by itself or by the name of a schema that is.
func (r *reader) isFile(s *Schema) bool {
	if s.Ref == "" {
		return s.Type == "string" && s.Format == "binary"
	}
	format := r.child(r.part("schemas", s.Ref), "format")
	return format != nil && format.Value == "binary"
}

// download notes a media type that is content; the first of several counts.
func (a *Answer) download(kind string) {
	if !a.Binary {
		a.Binary, a.Type = true, kind
	}
}

// MediaType returns a media type in small letters and without its parameters.
func MediaType(name string) string {
	kind, _, err := mime.ParseMediaType(name)
	if err != nil {
		return strings.ToLower(strings.TrimSpace(name))
	}
	return kind
}

// MayBeJSON reports whether an answer of a media type, as MediaType returns it, is JSON where a schema says so.
func MayBeJSON(kind string) bool {
	return IsJSON(kind) || slices.Contains([]string{"*/*", "text/*", "text/plain", "text/html", "text/javascript"}, kind)
}

// IsJSON reports whether a media type, as MediaType returns it, is JSON or one of the formats that are written in it.
func IsJSON(kind string) bool {
	return kind == JSONBody || kind == "text/json" || strings.HasSuffix(kind, "+json")
}
