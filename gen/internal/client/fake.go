package client

import (
	"cmp"
	"net/http"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A call is a row of the fake's table.
type call struct {
	ID, Method, Path, Auth string
	Status                 int    // of its answer; 0 for 200
	Kind                   string // content type; empty for JSON
	Body                   string // the example
	Page, First, Last      string // the parameter of pages as a dotted path, its first value, and what is answered for the others
}

const content = "application/octet-stream"

// calls lists the table, exact paths before those with more parameters: /users/me before /users/{id}.
func (m *model) calls() []*call {
	var out []*call
	for _, s := range m.Services {
		for _, method := range s.Methods {
			out = append(out, m.call(method))
		}
	}
	slices.SortStableFunc(out, func(a, b *call) int { return strings.Count(a.Path, "{") - strings.Count(b.Path, "{") })
	return out
}

func (m *model) call(method *plan.Method) *call {
	op := method.Op
	c := &call{ID: op.ID.Value, Method: op.HTTPMethod, Path: op.Path, Auth: op.Auth.Value}
	if !slices.ContainsFunc(m.Schemes, func(s *scheme) bool { return s.Name == c.Auth }) {
		c.Auth = ""
	}
	c.Status = success(op)
	switch {
	case c.Status == http.StatusNoContent || c.Status == http.StatusResetContent || op.Answer == nil:
	case op.Answer.Binary:
		c.Kind, c.Body = contentType(op.Answer.Type), "content"
	case op.Answer.Schema != nil:
		if kind := op.Answer.Type; kind != spec.JSONBody && !strings.Contains(kind, "*") {
			c.Kind = kind
		}
		m.paged(c, op)
	}
	return c
}

// contentType is what a download is sent as. A range says nothing, and JSON would be taken for a refusal.
func contentType(kind string) string {
	if strings.Contains(kind, "*") || kind == spec.JSONBody || !strings.Contains(kind, "/") {
		return content
	}
	return kind
}

// paged gives a call its example, and one of numbered pages a last page, so that a walk through all of them ends.
func (m *model) paged(c *call, op *spec.Operation) {
	text, count := example(m.Doc, op, "", 1), 1
	if op.Pages != nil {
		if count = entries(text, op.Pages.Items.Value); count != 1 {
			text = example(m.Doc, op, "", count)
		}
	}
	c.Body = layOut([]byte(text), "")
	if op.Pages == nil || op.Pages.Style == spec.CursorStyle {
		return
	}
	c.Page, c.First = op.Pages.Param.Value, cmp.Or(op.Pages.First.Value, "1")
	if op.Pages.Style == spec.OffsetStyle {
		c.First = "0"
	}
	c.Last = layOut([]byte(example(m.Doc, op, op.Pages.Items.Value, count)), "")
}

// HasPages reports whether the fake knows of pages.
func (m *model) HasPages() bool {
	return slices.ContainsFunc(m.Calls, func(c *call) bool { return c.Page != "" })
}
