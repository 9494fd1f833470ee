package render

import (
	"cmp"
	"fmt"
	"strings"
	"text/template"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// services writes a struct for each service, with its methods.
func (w *writer) services() (string, error) {
	return execute("services.tmpl", template.FuncMap{
		"serviceComment": serviceComment,
		"methodComment":  w.methodComment,
		"signature":      signature,
		"call":           call,
		"pages":          pagesMethod,
	}, w.plan)
}

// signature writes the head of a method, over several lines if it gets long.
func signature(m *plan.Method) string {
	return head(m, m.Name, results(m))
}

func head(m *plan.Method, name, results string) string {
	receiver := fmt.Sprintf("func (s *%s) %s(", m.Service.Type, name)
	params := "ctx context.Context, "
	if m.Request != nil {
		params += "req *" + m.Request.Name + ", "
	}
	params += "opts ...resilience.CallOption"
	if line := receiver + params + ") " + results + " {"; len(line) <= 130 {
		return line
	}
	return receiver + "\n\t" + params + ",\n) " + results + " {"
}

func results(m *plan.Method) string {
	switch a := m.Answer; {
	case a.Download && a.Value != nil:
		return "(*wire.Content[" + a.Value.Declared() + "], error)"
	case a.Download:
		return "(*resilience.Response, error)"
	case a.Value == nil:
		return "error"
	case a.Value.Kind == plan.Object:
		return "(*" + a.Value.Declared() + ", error)"
	default:
		return "(" + a.Value.Declared() + ", error)"
	}
}

// call writes the body of a method.
func call(m *plan.Method) string {
	args := fmt.Sprintf("ctx, s.caller, %s, %s", m.Var, params(m))
	switch a := m.Answer; {
	case a.Download && a.Value != nil:
		return fmt.Sprintf("return wire.DownloadOr[%s](%s, opts)", a.Value.Declared(), args)
	case a.Download:
		return "return wire.Download(" + args + ", opts)"
	case a.Value == nil:
		return "return wire.Call(" + args + ", nil, opts)"
	case a.Value.Kind == plan.Object:
		return fmt.Sprintf("return wire.Do[%s](%s, opts)", a.Value.Declared(), args)
	default:
		typ := a.Value.Declared()
		return fmt.Sprintf("var out %s\nif err := wire.Call(%s, &out, opts); err != nil {\nreturn %s, err\n}\nreturn out, nil",
			typ, args, zero(a.Value))
	}
}

// params is the expression for what a method sends.
func params(m *plan.Method) string {
	switch {
	case m.Request != nil:
		return "req"
	case m.Fixed == nil:
		return "nil"
	case len(m.Fixed.Constants) > 0:
		return m.Fixed.Name + "{}"
	default:
		return "wire.JSON(nil)"
	}
}

// zero is the value that a method returns beside an error.
func zero(v *plan.Value) string {
	switch v.Kind {
	case plan.List, plan.Map, plan.Raw, plan.Pipes:
		return "nil"
	case plan.Time:
		return v.Declared() + "{}"
	default:
		return cmp.Or(map[string]string{"string": `""`, "boolean": "false"}[v.Type], "0")
	}
}

// pagesMethod writes the method that walks through all pages of m.
func pagesMethod(m *plan.Method) string {
	p := m.Pages
	var b strings.Builder
	doc := fmt.Sprintf("%s walks through all pages of [%s.%s], asking for each when its entries are needed. An error ends the walk.",
		p.Method, m.Service.Type, m.Name)
	b.WriteString(comment("", doc, pagesNote(p)))
	b.WriteString(head(m, p.Method, "iter.Seq2["+p.Item+", error]") + "\n")
	b.WriteString(walk(m))
	b.WriteString("}\n")
	return b.String()
}

func pagesNote(p *plan.Pages) string {
	note := "It sets " + names(p.Param) + " of the request itself, from "
	switch p.Style {
	case spec.CursorStyle:
		note = "It starts at " + names(p.Param) + " of the request where that is set, and sets it itself from the second page on"
	case spec.OffsetStyle:
		note += "0 on"
	default:
		note += fmt.Sprintf("%d on", p.First)
	}
	if p.Count > 0 {
		note += fmt.Sprintf(", and %s to %d where it is not set", names(p.Size), p.Count)
	}
	return note + "." + pagesEnd(p)
}

// pagesEnd says when a walk ends. That of cursors goes without saying.
func pagesEnd(p *plan.Pages) string {
	switch {
	case p.Style == spec.CursorStyle:
		return ""
	case p.Style == spec.PageStyle && len(p.Total) > 0 && p.Count > 0:
		return " The walk ends when as many entries came as there are in all, or with an empty page: one before as many were due is not the last."
	case len(p.Total) > 0:
		return " The walk ends when as many entries came as there are in all, or with an empty page."
	case len(p.Pages) > 0:
		return " The walk ends with the last page by the answer's own count, or with an empty one."
	default:
		return " The walk ends with an empty page."
	}
}

func names(path []*plan.Field) string {
	out := make([]string, len(path))
	for i, f := range path {
		out[i] = f.Name
	}
	return strings.Join(out, ".")
}
