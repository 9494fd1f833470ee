package spec

import (
	"strings"

	"go.yaml.in/yaml/v3"
)

func (r *reader) envelope(n *yaml.Node) Envelope {
	f := r.object(n, "x-envelope", "code", "subcode", "message", "request_id", "request_id_after", "success", "good")
	read := func(key string) []string {
		g, ok := f[key]
		if !ok {
			return nil
		}
		var out []string
		for _, t := range r.texts(g.value, "x-envelope."+key) {
			switch {
			case t.Value != "" || key == "good":
			case key == "request_id_after":
				r.fault(t.Line, "write what stands before the request id, such as rid:", "x-envelope.%s has an empty text", key)
			default:
				r.fault(t.Line, "write a path such as error_code or result.code", "x-envelope.%s has an empty path", key)
			}
			out = append(out, t.Value)
		}
		return out
	}
	return Envelope{
		Code: read("code"), Subcode: read("subcode"), Message: read("message"), RequestID: read("request_id"),
		RequestIDAfter: read("request_id_after"), Success: read("success"), Good: read("good"),
	}
}

// errorRows reads a table of codes. A code that ends in * is the beginning of codes; the empty code is a refusal without one.
func (r *reader) errorRows(n *yaml.Node, what string) []*ErrorRow {
	var out []*ErrorRow
	for _, e := range r.entries(n, what) {
		if i := strings.IndexByte(e.name, '*'); i >= 0 && i != len(e.name)-1 {
			r.fault(e.line, "end it with the *", "code %q has a * that is not its end", e.name)
		}
		out = append(out, r.errorRow(e, what+" "+e.name))
	}
	return out
}

func (r *reader) errorRow(e entry, what string) *ErrorRow {
	f := r.object(e.value, what, "class", "cools", "reset", "cool", "says", "name", "doc")
	row := r.meaning(e, f, what)
	if g, ok := f["name"]; ok {
		row.Name = r.text(g.value, what+".name")
	}
	if g, ok := f["says"]; ok {
		row.Says = r.says(g.value, what+".says")
	}
	return row
}

// says reads what a code means instead where the platform's message holds a text.
func (r *reader) says(n *yaml.Node, what string) []*ErrorRow {
	var out []*ErrorRow
	for _, e := range r.entries(n, what) {
		if e.name == "" || e.name != strings.ToLower(e.name) {
			r.fault(e.line, "write it in small letters: the message is compared so", "text %q of %s is never found", e.name, what)
		}
		what := what + " " + e.name
		f := r.object(e.value, what, "class", "cools", "reset", "cool", "doc")
		out = append(out, r.meaning(e, f, what))
	}
	return out
}

// meaning reads the fields that a code's row and a text's row have both.
func (r *reader) meaning(e entry, f fields, what string) *ErrorRow {
	row := &ErrorRow{Line: e.line, Code: e.name, Cools: levels[0], Reset: resets[0]}
	if g, ok := f["class"]; ok {
		row.Class = r.word(g.value, "class", classes)
	} else {
		r.fault(e.line, "add class: one of "+strings.Join(classes, ", "), "%s has no class", what)
	}
	if g, ok := f["cools"]; ok {
		row.Cools = r.word(g.value, "cools", levels)
	}
	if g, ok := f["reset"]; ok {
		row.Reset = r.word(g.value, "reset", resets)
	}
	if g, ok := f["cool"]; ok {
		row.Cool = r.positive(g.value, what+".cool")
		if at, both := f["reset"]; both {
			r.fault(at.line, "keep one of reset and cool", "%s has both a reset and a cool", what)
		}
	}
	if g, ok := f["doc"]; ok {
		row.Doc = r.text(g.value, what+".doc").Value
	}
	return row
}
