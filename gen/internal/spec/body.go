package spec

import "net/http"

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
			b.Plain = true
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
