package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// policies compares what the middleware goes by. No compiler and no test against a fake of yesterday shows such a change.
func policies(was, is []*document) []change {
	var out []change
	for _, p := range pairs(was, is) {
		if p.was == nil || p.is == nil {
			continue
		}
		out = append(out, p.operationPolicies()...)
		out = append(out, p.windows()...)
		out = append(out, p.groups()...)
		out = append(out, codes(p.platform, "x-errors", p.was.Errors, p.is.Errors)...)
		out = append(out, p.platformPolicies()...)
	}
	return out
}

// A policy is a property of an operation, in words, and what a change of it means.
type policy struct {
	name, was, is string
	breaks        bool
	meaning       string
}

func (p pair) operationPolicies() []change {
	var out []change
	for _, ops := range p.operations() {
		was, is := ops[0], ops[1]
		if was == nil || is == nil {
			continue
		}
		where := p.platform + " " + is.ID.Value
		for _, row := range p.compared(was, is) {
			if row.was != row.is {
				out = append(out, row.change(where))
			}
		}
		out = append(out, codes(where, "errors", was.Errors, is.Errors)...)
	}
	return out
}

func (p pair) compared(was, is *spec.Operation) []policy {
	again := map[bool]string{
		true:  "it is sent again now after an answer that was lost",
		false: "it is no longer sent again after an answer that was lost",
	}
	before, after := p.was.request(was), p.is.request(is)
	wayBefore, sizeBefore := pages(was)
	wayAfter, sizeAfter := pages(is)
	return []policy{
		{"scope", was.Scope, is.Scope, true, "it shares another cooldown, lane and circuit now"},
		{"idempotent", yes(was.Idempotent), yes(is.Idempotent), true, again[is.Idempotent]},
		{"operationId", was.ID.Value, is.ID.Value, true, "errors, events and Health name it otherwise"},
		{"authorized as", cmp.Or(was.Auth.Value, "nobody"), cmp.Or(is.Auth.Value, "nobody"), true, "it wants another credential"},
		{"from the credential", before.fromCredential, after.fromCredential, true, "callers give the others"},
		{"sent always", before.constants, after.constants, true, "callers give what is no constant any more"},
		{"pages", wayBefore, wayAfter, was.Pages != nil, ""},
		{"partial", list(was.Partial), list(is.Partial), lost(was.Partial, is.Partial), "other answers count as done in part"},
		{"request", was.HTTPMethod + " " + was.Path, is.HTTPMethod + " " + is.Path, false, ""},
		{"body", before.body, after.body, false, ""},
		{"lists with commas", before.commas, after.commas, false, ""},
		{"size of pages", sizeBefore, sizeAfter, false, ""},
		{"group", was.Group.Value, is.Group.Value, false, "other windows count it"},
		{"account", account(was), account(is), false, ""},
		{"cost", cost(was), cost(is), false, ""},
		{"tier", cmp.Or(was.Tier, "untiered"), cmp.Or(is.Tier, "untiered"), false, ""},
		{"timeout", cmp.Or(span(was.Timeout), "the client's"), cmp.Or(span(is.Timeout), "the client's"), false, ""},
		{"sensitive", yes(was.Sensitive), yes(is.Sensitive), false, ""},
		{"resets", cmp.Or(was.Resets, "nothing"), cmp.Or(is.Resets, "nothing"), false, ""},
		{"recipients", before.recipients, after.recipients, false, ""},
	}
}

func (p policy) change(where string) change {
	c := change{where: where, text: fmt.Sprintf("%s: %s -> %s", p.name, p.was, p.is)}
	if p.breaks {
		c.weight = breaks
	}
	if p.meaning != "" {
		c.text += " (" + p.meaning + ")"
	}
	return c
}

// windows compares the quotas, each with the operations that it holds for.
func (p pair) windows() []change {
	var out []change
	find := func(all []*spec.Window, name string) *spec.Window {
		if i := slices.IndexFunc(all, func(w *spec.Window) bool { return w.Name == name }); i >= 0 {
			return all[i]
		}
		return nil
	}
	for _, is := range p.is.Windows {
		where := p.platform + " window " + is.Name
		was := find(p.was.Windows, is.Name)
		if was == nil {
			out = append(out, change{where: where, text: "new: " + limit(is) + holds(p.is, is.Name)})
			continue
		}
		if a, b := limit(was), limit(is); a != b {
			out = append(out, change{where: where, text: a + " -> " + b + trend(was, is) + holds(p.is, is.Name)})
		}
		if a, b := nature(was), nature(is); a != b {
			out = append(out, change{where: where, text: a + " -> " + b + holds(p.is, is.Name)})
		}
	}
	for _, was := range p.was.Windows {
		if find(p.is.Windows, was.Name) == nil {
			out = append(out, change{where: p.platform + " window " + was.Name, text: "gone: " + limit(was) + holds(p.was, was.Name)})
		}
	}
	return out
}

// limit says a window's numbers as the middleware takes them.
func limit(w *spec.Window) string {
	text := fmt.Sprintf("%d per %s", w.Limit, span(w.Per))
	if w.Guard > 0 {
		text += fmt.Sprintf(" less a guard of %d", w.Guard)
	}
	return text
}

func trend(was, is *spec.Window) string {
	// Calls per time, without dividing: a/b < c/d as a*d < c*b.
	before := float64(was.Limit-was.Guard) * float64(is.Per)
	after := float64(is.Limit-is.Guard) * float64(was.Per)
	switch {
	case after < before:
		return " (lower)"
	case after > before:
		return " (higher)"
	default:
		return ""
	}
}

// nature says what a window counts and how.
func nature(w *spec.Window) string {
	words := []string{"counts by " + w.Key}
	if w.Aligned {
		words = append(words, "aligned")
	}
	if w.Offset != 0 {
		words = append(words, "offset "+span(w.Offset))
	}
	for _, mark := range []struct {
		on   bool
		word string
	}{{w.Smooth, "smooth"}, {w.Hard, "hard"}, {w.Apart, "apart"}} {
		if mark.on {
			words = append(words, mark.word)
		}
	}
	return strings.Join(words, ", ")
}

// holds names the operations that count against a window.
func holds(d *document, window string) string {
	var ids []string
	for _, op := range d.Operations {
		if slices.ContainsFunc(d.WindowsOf(op.Group.Value), func(w *spec.Window) bool { return w.Name == window }) {
			ids = append(ids, op.ID.Value)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return ", for " + several(ids)
}

func (p pair) groups() []change {
	windows := func(d *document) map[string]string {
		out := map[string]string{}
		for _, g := range d.Groups {
			out[g.Name] = cmp.Or(strings.Join(spec.Values(g.Windows), ", "), "no windows")
		}
		return out
	}
	was, is := windows(p.was), windows(p.is)
	var out []change
	for _, g := range p.is.Groups {
		if before, ok := was[g.Name]; ok && before != is[g.Name] {
			out = append(out, change{where: p.platform + " group " + g.Name, text: before + " -> " + is[g.Name]})
		}
	}
	return out // one that came or went shows in the operations that changed their group
}

// codes compares two tables of error codes.
func codes(where, table string, was, is []*spec.ErrorRow) []change {
	find := func(all []*spec.ErrorRow, code string) *spec.ErrorRow {
		if i := slices.IndexFunc(all, func(r *spec.ErrorRow) bool { return r.Code == code }); i >= 0 {
			return all[i]
		}
		return nil
	}
	var out []change
	say := func(code, format string, args ...any) {
		out = append(out, change{where: where, text: fmt.Sprintf("%s %q: ", table, code) + fmt.Sprintf(format, args...)})
	}
	for _, r := range is {
		switch old := find(was, r.Code); {
		case old == nil:
			say(r.Code, "new: %s", verdict(r))
		case verdict(old) != verdict(r):
			say(r.Code, "%s -> %s", verdict(old), verdict(r))
		}
	}
	for _, r := range was {
		if find(is, r.Code) == nil {
			say(r.Code, "gone: was %s", verdict(r))
		}
	}
	return out
}

// verdict says what a code does.
func verdict(r *spec.ErrorRow) string {
	text := r.Class
	if r.Cools != "scope" {
		text += ", cools " + r.Cools
	}
	switch {
	case r.Cool > 0:
		text += " for " + span(r.Cool)
	case r.Reset != "ladder":
		text += ", reset " + r.Reset
	}
	texts := []string{text}
	for _, said := range r.Says {
		texts = append(texts, fmt.Sprintf("with %q: %s", said.Code, verdict(said)))
	}
	return strings.Join(texts, "; ")
}

// platformPolicies compares what holds for all calls.
func (p pair) platformPolicies() []change {
	a, b := p.was.Envelope, p.is.Envelope
	words := func(s []string) string { return "[" + strings.Join(s, ", ") + "]" }
	var out []change
	for _, row := range []policy{
		{name: "server", was: p.was.BaseURL, is: p.is.BaseURL, breaks: true, meaning: "calls and credentials go there"},
		{name: "x-envelope.code", was: words(a.Code), is: words(b.Code)},
		{name: "x-envelope.subcode", was: words(a.Subcode), is: words(b.Subcode)},
		{name: "x-envelope.message", was: words(a.Message), is: words(b.Message)},
		{name: "x-envelope.request_id", was: words(a.RequestID), is: words(b.RequestID)},
		{name: "x-envelope.request_id_after", was: words(a.RequestIDAfter), is: words(b.RequestIDAfter)},
		{name: "x-envelope.success", was: words(a.Success), is: words(b.Success)},
		{name: "x-envelope.good", was: words(a.Good), is: words(b.Good)},
	} {
		if row.was != row.is {
			out = append(out, row.change(p.platform))
		}
	}
	return out
}

// lost reports whether something of before is not in after.
func lost(before, after []spec.Text) bool {
	return slices.ContainsFunc(before, func(t spec.Text) bool {
		return !slices.ContainsFunc(after, func(u spec.Text) bool { return t.Value == u.Value })
	})
}

func account(op *spec.Operation) string {
	if op.AnyAccount {
		return "any"
	}
	return "own"
}

func cost(op *spec.Operation) string { return strconv.Itoa(max(1, op.Cost)) }

func list(texts []spec.Text) string { return cmp.Or(strings.Join(spec.Values(texts), ", "), "none") }
