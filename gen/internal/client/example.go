package client

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// texts are examples of texts, by format.
var texts = map[string]string{
	"id": "1", "text-or-number": "1", "secret": "secret", "password": "secret", "pipe-list": "a|b", "byte": "dGV4dA==",
	"ruby-time": "Thu Jan 01 00:00:00 +0800 2026", "local-time": "2026-01-01 00:00:00", "compact-time": "20260101000000000+0800",
	"date": "2026-01-01", "date-time": "2026-01-01T00:00:00Z", "email": "user@host.example", "hostname": "host.example", "ipv4": "192.0.2.1",
	"ipv6": "2001:db8::1", "uri": "https://host.example/", "uuid": "00000000-0000-4000-8000-000000000000",
}

// The bounds of an example: it shows an answer's shape, and nobody reads 100 kB.
const (
	deepest = 8
	longest = 4 << 10
	widest  = 64 << 10 // of one that lies flat already
	shown   = 32 << 10 // of what the spec shows itself
)

// A sampler makes examples of one operation's answer.
type sampler struct {
	doc   *spec.Document
	op    *spec.Operation
	empty string // the path of a list that has no entries
	count int    // how many entries a page is said to have
	depth int
	room  int             // how many bytes may still be written, those of what is given up included
	left  int             // how many bytes of the spec's own examples may still be looked at
	open  map[string]bool // schemas that are being written
}

// example returns JSON of the answer's shape that the envelope takes for a success and that ends a walk through pages, of count entries in
// all: what the spec shows, as far as it has that shape, and otherwise what is made of the schema. empty is the path of a list that is to
// have no entries.
func example(doc *spec.Document, op *spec.Operation, empty string, count int) string {
	for depth := deepest; ; depth -= 2 {
		e := sampler{doc: doc, op: op, empty: empty, count: count, depth: depth, room: longest, left: shown, open: map[string]bool{}}
		if depth <= 2 {
			e.room = widest
		}
		text, ok := e.shown(op.Answer.Schema, []string{op.Answer.Example}, "")
		if !ok {
			text, ok = e.value(op.Answer.Schema, "", 0)
		}
		switch {
		case e.room < 0 && depth > 2: // what unfolds to millions of fields is not written to its end
		case !ok:
			return "{}"
		default:
			return text
		}
	}
}

// value writes a value; false where it would hold itself, lies too deep or has no room.
func (e *sampler) value(s *spec.Schema, path string, depth int) (text string, ok bool) {
	if s == nil || depth > e.depth || e.room < 0 {
		return "", false
	}
	if text, ok := e.shown(s, s.Examples, path); ok {
		return text, true
	}
	if s.Ref != "" {
		if e.open[s.Ref] {
			return "", false
		}
		e.open[s.Ref] = true
		defer delete(e.open, s.Ref)
		return e.value(e.doc.Named(s.Ref), path, depth)
	}
	switch {
	case len(s.Properties) > 0 || len(s.AllOf) > 1:
		return e.object(s, path, depth), true
	case len(s.AllOf) == 1:
		return e.value(s.AllOf[0], path, depth)
	case s.Type == "array":
		item, ok := e.value(s.Items, path, depth+1)
		if !ok || path == e.empty && path != "" {
			return "[]", true
		}
		return "[" + item + "]", true
	case s.Type == "object" && s.Values != nil:
		value, ok := e.value(s.Values, path+".key", depth+1)
		if !ok {
			return "{}", true
		}
		return `{"key":` + value + "}", true
	default:
		text = e.scalar(s, path)
		e.room -= len(text)
		return text, true
	}
}

func (e *sampler) object(s *spec.Schema, path string, depth int) string {
	var members []string
	props, _ := e.doc.Properties(s)
	parts := e.parts(s)
	for _, p := range props {
		at := join(path, p.Name)
		if e.leaveOut(at) {
			continue
		}
		e.room -= len(p.Name) + len(`"":,`)
		value, ok := e.shown(p.Schema, []string{parts[p.Name]}, at)
		if !ok {
			value, ok = e.value(p.Schema, at, depth+1)
		}
		if ok {
			members = append(members, spec.Quoted(p.Name)+":"+value)
		}
	}
	return "{" + strings.Join(members, ",") + "}"
}

// leaveOut reports whether a field would make of the example a refusal, half a success, or a page with another one behind it.
func (e *sampler) leaveOut(path string) bool {
	envelope := e.doc.Envelope
	if slices.Contains(envelope.Code, path) && len(envelope.Good) == 0 || slices.Contains(envelope.Subcode, path) {
		return true
	}
	if slices.ContainsFunc(e.op.Partial, func(t spec.Text) bool { return t.Value == path }) {
		return true
	}
	return e.op.Pages != nil && e.op.Pages.Next.Value == path
}

func (e *sampler) scalar(s *spec.Schema, path string) string {
	if text, ok := e.decided(s.Type, path); ok {
		return text
	}
	if len(s.Enum) > 0 {
		return typed(s.Type, s.Enum[0].Value)
	}
	switch s.Type {
	case "integer":
		if s.Format == "unix-time" {
			return "1767225600"
		}
		return "1"
	case "number":
		return "1.5"
	case "boolean":
		return "true"
	case "string":
		if text, ok := texts[s.Format]; ok {
			return spec.Quoted(text)
		}
		return `"text"`
	default:
		return "{}"
	}
}

// decided is the value at a path that decides on success, or on the end of a walk through pages, whatever the spec shows there.
func (e *sampler) decided(kind, path string) (text string, ok bool) {
	switch pages := e.op.Pages; {
	case path == "":
		return "", false
	case slices.Contains(e.doc.Envelope.Code, path):
		return typed(kind, e.doc.Envelope.Good[0]), true
	case slices.Contains(e.doc.Envelope.Success, path):
		return typed(kind, "true"), true
	case pages != nil && pages.Total.Value == path:
		return typed(kind, strconv.Itoa(e.count)), true
	case pages != nil && pages.Pages.Value == path:
		return typed(kind, "1"), true
	default:
		return "", false
	}
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// typed writes a value of the spec as JSON of the type.
func typed(kind, value string) string {
	if kind != "string" && json.Valid([]byte(value)) {
		return value
	}
	return spec.Quoted(value)
}
