package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Pages says how a method's pages are walked through. Each path leads from the request or the answer to a field.
type Pages struct {
	Method string // MentionsAll
	Style  string
	Item   string // the Go type of an entry
	Param  []*Field
	First  int // the number of the first page
	Size   []*Field
	Count  int
	Items  []*Field
	Next   []*Field
	Total  []*Field
	Pages  []*Field
}

func (p *planner) pages() {
	for _, m := range p.calls() {
		if m.Op.Pages != nil {
			m.Pages = p.pagination(m, m.Op.Pages)
		}
	}
}

func (p *planner) pagination(m *Method, from *spec.Pagination) *Pages {
	if m.Answer.Download || m.Answer.Value == nil || m.Answer.Value.Kind != Object || m.Request == nil {
		p.fault(from.Line, "drop it", "x-pagination on a call that has no pages: its request or its answer has no fields")
		return nil
	}
	pages := &Pages{Method: m.Name + "All", Style: from.Style, Count: from.Count, First: p.first(m.Op, from)}
	for _, other := range m.Service.Methods {
		if other.Name == pages.Method {
			p.fault(from.Line, "choose another x-sdk.method", "method %s.%s is that of operation %q", m.Service.Name, other.Name, other.Op.ID.Value)
		}
	}
	answer := p.declared[m.Answer.Value.Name]
	pages.Param = p.path(m.Request, from.Param, "x-pagination.param")
	pages.Size = p.path(m.Request, from.Size, "x-pagination.size")
	pages.Items = p.path(answer, from.Items, "x-pagination.items")
	pages.Next = p.path(answer, from.Next, "x-pagination.next")
	pages.Total = p.path(answer, from.Total, "x-pagination.total")
	pages.Pages = p.path(answer, from.Pages, "x-pagination.pages")
	p.checkPages(pages, from)
	return pages
}

// first returns the number of the first page. Without a word, a page 0 would never be asked for.
func (p *planner) first(op *spec.Operation, from *spec.Pagination) int {
	if n, err := strconv.Atoi(from.First.Value); err == nil {
		return n
	}
	fromZero := func(param *spec.Param) bool { return param.FromZero && param.Name == from.Param.Value }
	if from.Style == spec.PageStyle && slices.ContainsFunc(op.Params, fromZero) {
		p.fault(from.Line, "write first: 0, or first: 1 if that is the first page all the same",
			"x-pagination counts from 1, and parameter %s from 0 by what the spec says of it", from.Param.Value)
	}
	return 1
}

func (p *planner) checkPages(pages *Pages, from *spec.Pagination) {
	if f := last(pages.Items); f != nil {
		if f.Value.Kind == List {
			pages.Item = f.Value.Elem.element(f.Input)
		} else {
			p.fault(from.Items.Line, "name the list", "x-pagination.items %q is no list", from.Items.Value)
		}
	}
	if from.Style != spec.CursorStyle {
		p.checkNumber(pages.Param, from.Param, "x-pagination.param")
	}
	p.checkNumber(pages.Size, from.Size, "x-pagination.size")
	p.checkCount(pages, from)
	p.checkNumber(pages.Total, from.Total, "x-pagination.total")
	p.checkNumber(pages.Pages, from.Pages, "x-pagination.pages")
	p.checkCursor(pages.Param, from.Param)
	p.checkCursor(pages.Next, from.Next)
}

func (p *planner) checkCursor(path []*Field, at spec.Text) {
	if f := last(path); f != nil && !f.isCursor() {
		p.fault(at.Line, "name one", "%q of x-pagination is no text and no whole number", at.Value)
	}
}

// isCursor reports whether f can hold what says where the next page begins: a text, a whole number or a date.
func (f *Field) isCursor() bool {
	if f.Value.Kind == Time {
		return f.Value.Format == "date-time"
	}
	return f.Value.Single() && (f.Value.Type == "string" || f.Value.Type == "integer")
}

func (p *planner) checkNumber(path []*Field, at spec.Text, what string) {
	if f := last(path); f != nil && (f.Value.Kind != Scalar || f.Value.Type != "integer") {
		p.fault(at.Line, "name a whole number", "%s %q is no whole number", what, at.Value)
	}
}

// checkCount finds a size of pages that the platform does not give.
func (p *planner) checkCount(pages *Pages, from *spec.Pagination) {
	f := last(pages.Size)
	if f == nil || f.Value.Schema == nil || f.Value.Schema.Most == nil {
		return
	}
	if most := *f.Value.Schema.Most; from.Count > most {
		p.fault(from.Size.Line, fmt.Sprintf("write count: %d or less", most), "x-pagination.count is %d, and the maximum of %q is %d",
			from.Count, from.Size.Value, most)
	}
}

// path follows a dotted path from t. Every step but the last is an object.
func (p *planner) path(t *Type, at spec.Text, what string) []*Field {
	if at.Value == "" {
		return nil
	}
	var out []*Field
	for name := range strings.SplitSeq(at.Value, ".") {
		f := fieldNamed(t, name)
		if f == nil {
			p.fault(at.Line, "write the names on the wire, with dots between them", "%s %q leads to no field: there is no %q", what, at.Value, name)
			return nil
		}
		out = append(out, f)
		t = p.declared[f.Value.Name]
	}
	return out
}

func fieldNamed(t *Type, wire string) *Field {
	if t == nil {
		return nil
	}
	for _, f := range t.Fields {
		if f.Wire == wire {
			return f
		}
	}
	return nil
}

func last(path []*Field) *Field {
	if len(path) == 0 {
		return nil
	}
	return path[len(path)-1]
}
