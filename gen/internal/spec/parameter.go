package spec

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

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
	p.FromZero = r.isFromZero(g.value) || fromZero.MatchString(p.Doc)
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

var fromZero = regexp.MustCompile(`(?i)\b(zero|0)[ -](based|indexed)\b` +
	`|\b(starts?|starting|begins?|counts?|counted) (at|from|with) (zero|0)\b|\bfirst page is (zero|0)\b`)

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
