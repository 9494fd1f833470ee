package spec

import (
	"net/url"
	"slices"
	"strconv"
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
	paginationKeys = []string{"style", "param", "first", "items", "next", "total", "pages", "size", "count"}
)

// TopKeys lists our keys at the top of a document.
func TopKeys() []string { return slices.Clone(topKeys) }

// OperationKeys lists our keys of an operation that say how it is called.
func OperationKeys() []string { return slices.Clone(operationKeys) }

// RecipientKey is the key of windows that count what one recipient gets.
const RecipientKey = "recipient"

// NoGroup is the group of calls that the platform does not count.
const NoGroup = "none"

func (r *reader) positive(n *yaml.Node, what string) time.Duration {
	d, ok := r.duration(n, what)
	if ok && d < 0 {
		r.fault(n.Line, "write a span such as 30s, 5m or 1h", "%s is negative", what)
	}
	return d
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
	if g, ok := f["first"]; ok {
		p.First = Text{strconv.Itoa(r.number(g.value, "x-pagination.first", 0)), g.line}
	}
	if g, ok := f["count"]; ok {
		p.Count = r.number(g.value, "x-pagination.count", 1)
	}
	if (p.Count > 0) != (p.Size.Value != "") {
		r.fault(line, "write both: size names the parameter, count what it is set to", "x-pagination has one of size and count")
	}
	for key, g := range f {
		if p.Style != "" && slices.Contains(uselessOfPagination[p.Style], key) {
			r.fault(g.line, "drop it", "x-pagination.%s says nothing about pages of style %s", key, p.Style)
		}
	}
	if p.Total.Value != "" && p.Pages.Value != "" && p.Style == PageStyle {
		r.fault(p.Pages.Line, "keep one of them", "x-pagination has both total and pages")
	}
	return p
}

// uselessOfPagination are the keys that say nothing of a style.
var uselessOfPagination = map[string][]string{
	PageStyle: {"next"}, OffsetStyle: {"next", "pages", "first"}, CursorStyle: {"total", "pages", "first"},
}

var missingOfPagination = map[string]string{
	"style": "add style: page, cursor or offset",
	"param": "add param: the request's page number, cursor or offset",
	"items": "add items: where the answer holds the list",
	"next":  "add next: where the answer holds the next cursor",
}
