package spec

import (
	"net/url"
	"slices"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// The words of our extensions. They are the names that package resilience gives to the same things.
var (
	classes = []string{
		"ok", "accepted-late", "partial", "throttled", "quota-exhausted", "penalized", "source-limited", "token-expired",
		"credential-invalid", "misconfigured", "clock-skew", "forbidden", "invalid", "not-found", "rejected", "duplicate-content",
		"transient", "unknown-outcome",
	}
	levels   = []string{"scope", "group", "credential", "account", "source", "none"}
	resets   = []string{"ladder", "minute", "hour", "day", "minute-then-hour", "hour-then-day"}
	spans    = []string{"hour", "day"} // of the budgets that a success gives back
	scopes   = []string{"read", "write"}
	accounts = []string{"own", "any"}
	tiers    = []string{"untiered", "instant", "bulk", "sync"}
	keys     = []string{"credential", "account", "source", "app", RecipientKey}
	styles   = []string{PageStyle, CursorStyle, OffsetStyle}
	origins  = []string{"credential"} // of parameters that no caller gives
)

// Classes lists what a code can mean, in the words of x-errors.
func Classes() []string { return slices.Clone(classes) }

// Where our keys stand.
var (
	topKeys        = []string{"x-platform", "x-envelope", "x-errors", "x-quotas"}
	operationKeys  = []string{"x-sdk", "x-resilience", "x-pagination"}
	quotaKeys      = []string{"windows", "groups"}
	sdkKeys        = []string{"service", "method", "doc"}
	resilienceKeys = []string{
		"scope", "group", "idempotent", "account", "cost", "tier", "timeout", "sensitive", "resets", "partial", "errors",
	}
	paginationKeys = []string{"style", "param", "items", "next", "total", "pages", "size", "count"}
)

// TopKeys lists our keys at the top of a document.
func TopKeys() []string { return slices.Clone(topKeys) }

// OperationKeys lists our keys of an operation that say how it is called.
func OperationKeys() []string { return slices.Clone(operationKeys) }

// RecipientKey is the key of windows that count what one recipient gets.
const RecipientKey = "recipient"

// NoGroup is the group of calls that the platform does not count.
const NoGroup = "none"

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

func (r *reader) positive(n *yaml.Node, what string) time.Duration {
	d, ok := r.duration(n, what)
	if ok && d < 0 {
		r.fault(n.Line, "write a span such as 30s, 5m or 1h", "%s is negative", what)
	}
	return d
}

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

// sdk reads where an operation stands in the Go API.
func (r *reader) sdk(op *Operation, n *yaml.Node, line int) {
	f := r.object(n, "x-sdk", sdkKeys...)
	for _, key := range []string{"service", "method"} {
		if _, ok := f[key]; !ok {
			r.fault(line, "add "+key+": a Go name such as Statuses or Share", "x-sdk has no %s", key)
		}
	}
	if g, ok := f["service"]; ok {
		op.Service = r.text(g.value, "x-sdk.service")
	}
	if g, ok := f["method"]; ok {
		op.Method = r.text(g.value, "x-sdk.method")
	}
	if g, ok := f["doc"]; ok {
		link := r.text(g.value, "x-sdk.doc")
		if u, err := url.Parse(link.Value); err != nil || u.Scheme == "" || u.Host == "" {
			r.fault(link.Line, "write the address of the operation's page, or drop it", "x-sdk.doc %q is no address", link.Value)
		}
		op.Link = link.Value
	}
}

func (r *reader) resilience(doc *Document, op *Operation, n *yaml.Node, line int) {
	f := r.object(n, "x-resilience", resilienceKeys...)
	for _, key := range []string{"scope", "group", "idempotent"} {
		if _, ok := f[key]; !ok {
			r.fault(line, missingOfResilience[key], "x-resilience has no %s", key)
		}
	}
	if g, ok := f["scope"]; ok {
		op.Scope = r.word(g.value, "scope", scopes)
	}
	if g, ok := f["group"]; ok {
		op.Group = r.operationGroup(doc, g.value)
	}
	if g, ok := f["idempotent"]; ok {
		op.Idempotent = r.boolean(g.value, "x-resilience.idempotent")
	}
	if g, ok := f["account"]; ok {
		op.AnyAccount = r.word(g.value, "account", accounts) == "any"
	}
	if g, ok := f["cost"]; ok {
		op.Cost = r.number(g.value, "x-resilience.cost", 1)
		r.fits(doc, op, g.line)
	}
	if g, ok := f["tier"]; ok {
		op.Tier = r.word(g.value, "tier", tiers)
	}
	if g, ok := f["timeout"]; ok {
		op.Timeout = r.positive(g.value, "x-resilience.timeout")
	}
	if g, ok := f["sensitive"]; ok {
		op.Sensitive = r.boolean(g.value, "x-resilience.sensitive")
	}
	r.outcomes(op, f)
}

// outcomes reads what an operation's answers mean beside what those of all operations do.
func (r *reader) outcomes(op *Operation, f fields) {
	if g, ok := f["resets"]; ok {
		op.Resets = r.word(g.value, "resets", spans)
	}
	if g, ok := f["partial"]; ok {
		op.Partial = r.texts(g.value, "x-resilience.partial")
		for _, t := range op.Partial {
			if t.Value == "" {
				r.fault(t.Line, "write a path such as invaliduser or result.failed", "x-resilience.partial has an empty path")
			}
		}
	}
	if g, ok := f["errors"]; ok {
		op.Errors = r.errorRows(g.value, "x-resilience.errors")
		for _, row := range op.Errors {
			if row.Name.Value != "" {
				r.fault(row.Name.Line, "name the code under x-errors", "code %q is named in an operation", row.Code)
			}
		}
	}
}

var missingOfResilience = map[string]string{
	"scope":      "add scope: read or write; it says which cooldown and lane the call belongs to",
	"group":      "add group: the name of its windows in x-quotas, or none if the platform does not count the call",
	"idempotent": "add idempotent: true if a second execution does no harm, else false; it alone decides on repeats",
}

func (r *reader) operationGroup(doc *Document, n *yaml.Node) Text {
	t := r.text(n, "x-resilience.group")
	names := []string{NoGroup}
	for _, g := range doc.Groups {
		names = append(names, g.Name)
	}
	if !slices.Contains(names, t.Value) {
		r.fault(t.Line, Suggestion(t.Value, names, "define it under x-quotas.groups, or write none"), "unknown group %q", t.Value)
	}
	return t
}

// fits finds a call that costs more than one of its windows will ever admit.
func (r *reader) fits(doc *Document, op *Operation, line int) {
	for _, g := range doc.Groups {
		if g.Name != op.Group.Value {
			continue
		}
		for _, name := range g.Windows {
			for _, w := range doc.Windows {
				if w.Name == name.Value && op.Cost > w.Limit-w.Guard {
					r.fault(line, "lower the cost or take another group", "a cost of %d never fits window %s", op.Cost, w.Name)
				}
			}
		}
	}
}

func (r *reader) pagination(n *yaml.Node, line int) *Pagination {
	f := r.object(n, "x-pagination", paginationKeys...)
	p := &Pagination{Line: line}
	required := []string{"style", "param", "items"}
	if g, ok := f["style"]; ok {
		p.Style = r.word(g.value, "style", styles)
	}
	if p.Style == CursorStyle {
		required = append(required, "next")
	}
	for _, key := range required {
		if _, ok := f[key]; !ok {
			r.fault(line, missingOfPagination[key], "x-pagination has no %s", key)
		}
	}
	for key, text := range map[string]*Text{
		"param": &p.Param, "items": &p.Items, "next": &p.Next, "total": &p.Total, "pages": &p.Pages, "size": &p.Size,
	} {
		if g, ok := f[key]; ok {
			*text = r.text(g.value, "x-pagination."+key)
		}
	}
	if g, ok := f["count"]; ok {
		p.Count = r.number(g.value, "x-pagination.count", 1)
	}
	if (p.Count > 0) != (p.Size.Value != "") {
		r.fault(line, "write both: size names the parameter, count what it is set to", "x-pagination has one of size and count")
	}
	if p.Total.Value != "" && p.Style == PageStyle && p.Count == 0 {
		r.fault(p.Total.Line, "add size and count", "x-pagination.total of pages needs their size")
	}
	return p
}

var missingOfPagination = map[string]string{
	"style": "add style: page, cursor or offset",
	"param": "add param: the request's page number, cursor or offset",
	"items": "add items: where the answer holds the list",
	"next":  "add next: where the answer holds the next cursor",
}
