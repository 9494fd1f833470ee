package skeleton

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// The names, in small letters without separators, that parameters and fields of paging have.
var (
	pageNames   = []string{"page", "pagenumber", "pageno", "pagenum", "pageindex", "currentpage", "pagenr"}
	offsetNames = []string{"offset", "skip", "start", "startat", "startindex"}
	cursorNames = []string{
		"cursor", "pagetoken", "nexttoken", "nextcursor", "nextpagetoken", "continuation", "continuationtoken", "marker", "startingafter", "after",
		"next",
	}
	nextNames = []string{
		"nextcursor", "nextpagetoken", "nexttoken", "cursor", "next", "continuation", "continuationtoken", "nextmarker", "marker", "endcursor",
		"nextpage", "after",
	}
	sizeNames  = []string{"pagesize", "perpage", "limit", "size", "count", "pagelimit", "pagecount", "maxresults", "rows"}
	totalNames = []string{"total", "totalcount", "totalitems", "totalresults", "totalelements", "totalnumber", "totalsize", "totalrecords", "totalrows"}
	pagesNames = []string{"totalpages", "pagecount", "pages", "lastpage", "pagestotal", "numpages"}
)

// pagination guesses how the call's pages are walked through; nil where that is not clear: where the answer does not hold exactly one
// list, or no parameter leads to the next page.
func pagination(doc *spec.Document, op *operation) *spec.Pagination {
	if op.Answer == nil || op.Answer.Binary || op.Answer.Schema == nil || kind(doc, op.Answer.Schema) != "object" {
		return nil
	}
	fields := places(doc, op.Answer.Schema)
	items := onlyList(fields)
	if items == "" {
		return nil
	}
	p := &spec.Pagination{Items: spec.Text{Value: items}}
	cursor, next := request(doc, op, cursorNames, isCursor), field(fields, nextNames, isCursor)
	page, offset := request(doc, op, pageNames, isInteger), request(doc, op, offsetNames, isInteger)
	switch {
	case cursor != "" && next != "":
		p.Style, p.Param.Value, p.Next.Value = spec.CursorStyle, cursor, next
	case page != "":
		if countsFromZero(op, page) {
			p.First.Value = "0"
		}
		p.Style, p.Param.Value, p.Pages.Value = spec.PageStyle, page, beside(items, fields, pagesNames)
		if p.Pages.Value == "" {
			countEntries(doc, op, p, fields)
		}
	case offset != "":
		p.Style, p.Param.Value, p.Total.Value = spec.OffsetStyle, offset, beside(items, fields, totalNames)
	default:
		return nil
	}
	return p
}

// countEntries names what counts the entries of all pages, and what says how many a page has, if the spec tells how many that are.
func countEntries(doc *spec.Document, op *operation, p *spec.Pagination, fields []place) {
	if p.Total.Value = beside(p.Items.Value, fields, totalNames); p.Total.Value == "" {
		return
	}
	size := request(doc, op, sizeNames, isInteger)
	if s := requested(doc, op, size); s != nil && s.Default != nil && *s.Default > 0 {
		p.Size.Value, p.Count = size, *s.Default
	}
}

// requested is the schema of what a caller can give under a name.
func requested(doc *spec.Document, op *operation, name string) *spec.Schema {
	for _, p := range op.Params {
		if p.In == "query" && p.Name == name {
			return doc.Resolve(p.Schema)
		}
	}
	if op.Body == nil || name == "" {
		return nil
	}
	props, _ := doc.Properties(op.Body.Schema)
	for _, p := range props {
		if p.Name == name {
			return doc.Resolve(p.Schema)
		}
	}
	return nil
}

// beside is field of a whole number: one that stands in the object of the list comes first.
func beside(items string, fields []place, names []string) string {
	parent := items[:strings.LastIndex(items, ".")+1]
	var near []place
	for _, f := range fields {
		if strings.HasPrefix(f.path, parent) && !strings.Contains(f.path[len(parent):], ".") {
			near = append(near, f)
		}
	}
	return cmp.Or(field(near, names, isInteger), field(fields, names, isInteger))
}

// countsFromZero reports whether the first page has the number 0, as far as the spec tells.
func countsFromZero(op *operation, param string) bool {
	return slices.ContainsFunc(op.Params, func(p *spec.Param) bool {
		return p.Name == param && p.FromZero
	})
}

func isInteger(kind string) bool { return kind == "integer" }
func isCursor(kind string) bool  { return kind == "integer" || kind == "string" }

// onlyList returns the path of the one list that the answer holds at its top or, if there is none, one level below.
func onlyList(fields []place) string {
	var top, below []string
	for _, f := range fields {
		switch depth := strings.Count(f.path, "."); {
		case f.kind != "array":
		case depth == 0:
			top = append(top, f.path)
		case depth == 1:
			below = append(below, f.path)
		}
	}
	for _, found := range [][]string{top, below} {
		if len(found) > 0 {
			if len(found) > 1 {
				return ""
			}
			return found[0]
		}
	}
	return ""
}

// field returns the path of the first of the names that the answer has. An address is no value to send.
func field(fields []place, names []string, fits func(kind string) bool) string {
	for _, name := range names {
		for _, f := range fields {
			if f.name == name && fits(f.kind) && f.schema.Format != "uri" && f.schema.Format != "url" {
				return f.path
			}
		}
	}
	return ""
}

// request returns the first of the names that a caller can give: in the query, or at the top of the body.
func request(doc *spec.Document, op *operation, names []string, fits func(kind string) bool) string {
	for _, name := range names {
		for _, p := range op.Params {
			if p.In == "query" && !strings.Contains(p.Name, ".") && plain(p.Name) == name && fits(kind(doc, p.Schema)) && choosable(p.Schema) {
				return p.Name
			}
		}
		if op.Body == nil {
			continue
		}
		props, _ := doc.Properties(op.Body.Schema)
		for _, p := range props {
			if plain(p.Name) == name && fits(kind(doc, p.Schema)) && choosable(p.Schema) && !strings.Contains(p.Name, ".") {
				return p.Name
			}
		}
	}
	return ""
}

// choosable reports whether a value is more than a constant.
func choosable(s *spec.Schema) bool { return len(s.Enum) != 1 }

// pageText writes a pagination as the overlay does.
func pageText(p *spec.Pagination) string {
	var b strings.Builder
	fmt.Fprintf(&b, "{style: %s, param: %s", p.Style, scalar(p.Param.Value))
	if p.First.Value != "" {
		b.WriteString(", first: " + p.First.Value)
	}
	b.WriteString(", items: " + scalar(p.Items.Value))
	for _, more := range []struct{ key, value string }{{"next", p.Next.Value}, {"total", p.Total.Value}, {"pages", p.Pages.Value}} {
		if more.value != "" {
			fmt.Fprintf(&b, ", %s: %s", more.key, scalar(more.value))
		}
	}
	if p.Count > 0 {
		fmt.Fprintf(&b, ", size: %s, count: %d", scalar(p.Size.Value), p.Count)
	}
	return b.String() + "}"
}
