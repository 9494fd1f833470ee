package spec

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

func (r *reader) quotas(doc *Document, n *yaml.Node) {
	f := r.object(n, "x-quotas", quotaKeys...)
	if g, ok := f["windows"]; ok {
		for _, e := range r.entries(g.value, "x-quotas.windows") {
			doc.Windows = append(doc.Windows, r.window(e))
		}
	}
	if g, ok := f["groups"]; ok {
		for _, e := range r.entries(g.value, "x-quotas.groups") {
			doc.Groups = append(doc.Groups, r.group(doc, e))
		}
	}
	r.unusedWindows(doc)
}

func (r *reader) window(e entry) *Window {
	what := "window " + e.name
	w := &Window{Line: e.line, Name: e.name, Key: keys[0]}
	f := r.object(e.value, what, "limit", "per", "key", "aligned", "offset", "guard", "smooth", "hard", "apart", "source")
	for _, key := range []string{"limit", "per", "key", "source"} {
		if _, ok := f[key]; !ok {
			r.fault(e.line, missingOfWindow[key], "%s has no %s", what, key)
		}
	}
	if g, ok := f["limit"]; ok {
		w.Limit = r.number(g.value, what+".limit", 1)
	}
	if g, ok := f["per"]; ok {
		var ok bool
		if w.Per, ok = r.duration(g.value, what+".per"); ok && w.Per <= 0 {
			r.fault(g.line, "write a span such as 1s, 5m or 1h", "%s.per is not positive", what)
		}
	}
	if g, ok := f["key"]; ok {
		w.Key = r.word(g.value, "window key", keys)
	}
	if g, ok := f["source"]; ok {
		w.Source = r.text(g.value, what+".source").Value
	}
	r.windowMarks(w, f, what)
	return w
}

var missingOfWindow = map[string]string{
	"limit":  "add limit: how many calls",
	"per":    "add per: the span, such as 1h",
	"key":    "add key: whose calls are counted together: " + strings.Join(keys, ", "),
	"source": "add source: where the number is from",
}

func (r *reader) windowMarks(w *Window, f fields, what string) {
	for key, mark := range map[string]*bool{"aligned": &w.Aligned, "smooth": &w.Smooth, "hard": &w.Hard, "apart": &w.Apart} {
		if g, ok := f[key]; ok {
			*mark = r.boolean(g.value, what+"."+key)
		}
	}
	if g, ok := f["guard"]; ok {
		if w.Guard = r.number(g.value, what+".guard", 0); w.Guard >= w.Limit && w.Limit > 0 {
			r.fault(g.line, "leave at least one call", "%s.guard is %d of a limit of %d", what, w.Guard, w.Limit)
		}
	}
	if g, ok := f["offset"]; ok {
		w.Offset, _ = r.duration(g.value, what+".offset")
		if !w.Aligned {
			r.fault(g.line, "add aligned: true, or drop the offset", "%s has an offset and rolls", what)
		}
		if w.Per > 0 && w.Offset.Abs() >= w.Per {
			r.fault(g.line, "write less than per", "%s.offset is not less than its per", what)
		}
	}
}

func (r *reader) group(doc *Document, e entry) *Group {
	g := &Group{Line: e.line, Name: e.name}
	if e.name == NoGroup {
		r.fault(e.line, "choose another name", "group %q is the word for calls that are not counted", NoGroup)
	}
	names := make([]string, len(doc.Windows))
	for i, w := range doc.Windows {
		names[i] = w.Name
	}
	for _, t := range r.texts(e.value, "group "+e.name) {
		if !slices.Contains(names, t.Value) {
			r.fault(t.Line, Suggestion(t.Value, names, "define it under x-quotas.windows"), "unknown window %q in group %s", t.Value, e.name)
			continue
		}
		g.Windows = append(g.Windows, t)
	}
	return g
}

// fits finds a call that costs more than one of its windows will ever admit.
func (r *reader) fits(doc *Document, op *Operation, line int) {
	for _, w := range doc.WindowsOf(op.Group.Value) {
		if op.Cost > w.Limit-w.Guard {
			r.fault(line, "lower the cost or take another group", "a cost of %d never fits window %s", op.Cost, w.Name)
		}
	}
}
