package render

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A shape is how one style of paging fits the iterators of package wire.
type shape struct {
	open  string // the call of the iterator up to the next page's parameters
	param string // the expression of what Param is set to
	kind  string // its Go type
	none  string // what is returned beside no entries and an error
}

// walk writes the body of a method that walks through pages.
func walk(m *plan.Method) string {
	p := m.Pages
	s := shapeOf(p)
	var b strings.Builder
	fmt.Fprintf(&b, "return wire.%s {\n", s.open)
	fmt.Fprintf(&b, "var r %s\nif req != nil {\nr = *req\n}\n", m.Request.Name)
	b.WriteString(setParam(p, s))
	if p.Count > 0 {
		b.WriteString(inside(p.Size, func(target string, f *plan.Field) string {
			return fmt.Sprintf("if %s == %s {\n%s}\n", target, unset(f), assign(target, f, fmt.Sprint(p.Count), "int"))
		}))
	}
	fmt.Fprintf(&b, "out, err := s.%s(ctx, &r, opts...)\nif err != nil {\nreturn nil, %s, err\n}\n", m.Name, s.none)
	a := answer{text: &b, known: map[string]string{}}
	items := a.read(p.Items)
	b.WriteString(following(p, &a, items))
	b.WriteString("})\n")
	return b.String()
}

func shapeOf(p *plan.Pages) shape {
	const head = "(ctx context.Context, %s) ([]%s, %s, error)"
	switch {
	case p.Style == spec.CursorStyle:
		return shape{"Pages(ctx, func" + fmt.Sprintf(head, "cursor string", p.Item, "string"), "cursor", "string", `""`}
	case p.Style == spec.OffsetStyle:
		return shape{"Offsets(ctx, func" + fmt.Sprintf(head, "offset int", p.Item, "bool"), "offset", "int", "false"}
	case len(p.Total) > 0:
		return shape{fmt.Sprintf("CountedPages(ctx, %d, func", p.First) + fmt.Sprintf(head, "page int", p.Item, "int, int"), "page", "int", "0, 0"}
	default:
		return shape{fmt.Sprintf("NumberedPages(ctx, %d, func", p.First) + fmt.Sprintf(head, "page int", p.Item, "bool"), "page", "int", "false"}
	}
}

// setParam writes page, offset or cursor into the request. The first page is asked for without a cursor.
func setParam(p *plan.Pages, s shape) string {
	set := inside(p.Param, func(target string, f *plan.Field) string { return assign(target, f, s.param, s.kind) })
	if p.Style == spec.CursorStyle {
		return "if cursor != \"\" {\n" + set + "}\n"
	}
	return set
}

// inside writes a statement on the last field of a path. The objects on the way are copied, so that the caller's stay as they are.
func inside(path []*plan.Field, statement func(target string, f *plan.Field) string) string {
	var b strings.Builder
	target := "r"
	for _, f := range path[:len(path)-1] {
		copied := localName(f.Name)
		fmt.Fprintf(&b, "var %s %s\nif %s.%s != nil {\n%s = *%s.%s\n}\n%s.%s = &%s\n",
			copied, f.Value.Name, target, f.Name, copied, target, f.Name, target, f.Name, copied)
		target = copied
	}
	last := path[len(path)-1]
	b.WriteString(statement(target+"."+last.Name, last))
	if len(path) > 1 {
		return "{\n" + b.String() + "}\n"
	}
	return b.String()
}

// assign writes expr, which is an int or a string, into a field.
func assign(target string, f *plan.Field, expr, kind string) string {
	typ := f.Value.Go(true)
	if f.Value.Kind == plan.Time {
		made := ""
		if f.Pointer() {
			made = fmt.Sprintf("%s = new(%s)\n", target, typ)
		}
		return made + fmt.Sprintf("if err := %s.UnmarshalText([]byte(%s)); err != nil {\nreturn nil, \"\", err\n}\n", target, expr)
	}
	if kind == "string" && f.Value.Type == "integer" {
		return fmt.Sprintf("n, err := strconv.ParseInt(%s, 10, 64)\nif err != nil {\nreturn nil, \"\", err\n}\n%s",
			expr, assign(target, f, "n", "int64"))
	}
	if kind == "int" && f.Value.Type == "string" {
		expr, kind = "strconv.Itoa("+expr+")", "string"
	}
	if typ != kind {
		expr = typ + "(" + expr + ")"
	}
	if f.Pointer() {
		expr = "new(" + expr + ")"
	}
	return fmt.Sprintf("%s = %s\n", target, expr)
}

// unset is what a field holds that the caller leaves open.
func unset(f *plan.Field) string {
	if f.Pointer() {
		return "nil"
	}
	return "0"
}

// An answer reads fields of the answer out. What on the way is not there is as good as what is empty: the entries of a page
// count though nothing says whether there is another. Without a cursor that ends the walk; without a count an empty page does.
type answer struct {
	text  *strings.Builder
	known map[string]string // path -> variable
}

// read returns the expression for the field at the end of path.
func (a *answer) read(path []*plan.Field) string {
	at, key := "out", ""
	for _, f := range path[:len(path)-1] {
		key += "." + f.Name
		variable, ok := a.known[key]
		if !ok {
			variable = a.free(localName(strings.ReplaceAll(key[1:], ".", "")))
			fmt.Fprintf(a.text, "%s := %s\n", variable, orZero(at+"."+f.Name, f))
			a.known[key] = variable
		}
		at = variable
	}
	end := last(path)
	return orZero(at+"."+end.Name, end)
}

// orZero is the expression for what a field of an answer holds. Types that are sent too have pointers.
func orZero(expr string, f *plan.Field) string {
	switch {
	case f.Input && f.Pointer():
		return "wire.OrZero(" + expr + ")"
	case f.Value.Kind == plan.Object:
		return expr + ".OrZero()"
	default:
		return expr
	}
}

// free returns name, or the first of name2, name3, ... that is no variable yet: A.BC and AB.C give one name.
func (a *answer) free(name string) string {
	taken := slices.Collect(maps.Values(a.known))
	next := name
	for i := 2; slices.Contains(taken, next); i++ {
		next = name + strconv.Itoa(i)
	}
	return next
}

// following writes the return of a page with what says whether there is another.
func following(p *plan.Pages, a *answer, items string) string {
	switch {
	case p.Style == spec.CursorStyle:
		next := a.read(p.Next)
		return fmt.Sprintf("return %s, %s, nil\n", items, text(last(p.Next).Value, next))
	case p.Style == spec.OffsetStyle && len(p.Total) > 0:
		return fmt.Sprintf("return %s, wire.More(offset+len(%s), %s), nil\n", items, items, integer(a.read(p.Total), last(p.Total)))
	case p.Style == spec.OffsetStyle:
		return fmt.Sprintf("return %s, true, nil\n", items)
	case len(p.Total) > 0:
		return fmt.Sprintf("return %s, %s, %s, nil\n", items, size(p), integer(a.read(p.Total), last(p.Total)))
	case len(p.Pages) > 0:
		done := "page"
		if p.First != 1 {
			done = fmt.Sprintf("page+%d", 1-p.First)
		}
		return fmt.Sprintf("return %s, wire.More(%s, %s), nil\n", items, done, integer(a.read(p.Pages), last(p.Pages)))
	default:
		return fmt.Sprintf("return %s, true, nil\n", items)
	}
}

// size is the expression for how many entries a page may have, 0 where nothing says it. It was set above.
func size(p *plan.Pages) string {
	if p.Count == 0 {
		return "0"
	}
	f := last(p.Size)
	expr := "r." + names(p.Size)
	if f.Pointer() {
		expr = "*" + expr
	}
	if f.Value.Go(true) == "int" {
		return expr
	}
	return "int(" + expr + ")"
}

func integer(expr string, f *plan.Field) string {
	if f.Value.Go(false) == "int" {
		return expr
	}
	return "int(" + expr + ")"
}

func last(path []*plan.Field) *plan.Field { return path[len(path)-1] }
