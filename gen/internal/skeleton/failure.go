package skeleton

import (
	"cmp"
	"regexp"
	"slices"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// The names that fields of errors have, the surest first.
var (
	codeNames      = []string{"errorcode", "errcode", "code", "errortype", "type", "error"}
	messageNames   = []string{"errormessage", "errmsg", "message", "msg", "errordescription", "detail", "title", "description"}
	requestIDNames = []string{"requestid", "traceid", "correlationid", "errorid"}
)

// An envelope is where errors say what is wrong, as far as the spec tells.
type envelope struct {
	code, message, requestID string
	codes                    []string // that the spec lists
	line                     int      // where the first such answer stands
	calls                    int      // that may answer so
	clash                    string   // a call whose good answer has a field at the code's path too
}

// failures looks at what the spec says of answers that are no success. ok is false where it describes none of them.
func failures(doc *spec.Document, ops []*operation) (e envelope, ok bool) {
	for _, op := range ops {
		counted := false
		for _, f := range op.Failures {
			if f.Schema == nil || kind(doc, f.Schema) != "object" {
				continue
			}
			found := places(doc, f.Schema)
			code, message := first(found, codeNames), first(found, messageNames)
			if code == nil && message == nil {
				continue
			}
			if !ok {
				e.line, ok = f.Line, true
				e.requestID = path(first(found, requestIDNames))
				if e.code, e.message = path(code), path(message); code != nil {
					e.codes = values(doc, code.schema)
				}
			}
			if !counted && e.code == path(code) && e.message == path(message) {
				e.calls++
				counted = true
			}
		}
	}
	e.clash = clash(doc, ops, e.code)
	return e, ok
}

func first(fields []place, names []string) *place {
	for _, name := range names {
		for i := range fields {
			if fields[i].name == name && isSingle(fields[i].kind) && fields[i].schema.Format != "uri" {
				return &fields[i]
			}
		}
	}
	return nil
}

func path(p *place) string {
	if p == nil {
		return ""
	}
	return p.path
}

func values(doc *spec.Document, s *spec.Schema) []string {
	const most = 100
	var out []string
	if s = doc.Resolve(s); s != nil {
		for _, v := range s.Enum {
			if len(out) < most && v.Value != "" {
				out = append(out, v.Value)
			}
		}
	}
	return out
}

// clash returns the first call whose good answer has a field where errors have their code: it would be taken for a refusal.
func clash(doc *spec.Document, ops []*operation, code string) string {
	if code == "" {
		return ""
	}
	for _, op := range ops {
		if op.Answer == nil || op.Answer.Schema == nil || kind(doc, op.Answer.Schema) != "object" {
			continue
		}
		if slices.ContainsFunc(places(doc, op.Answer.Schema), func(p place) bool { return p.path == code }) {
			return op.name()
		}
	}
	return ""
}

// successes find what a text says of a code that means success: "0 is success", "0 为成功", "OK: done", "success: 0".
var successes = []*regexp.Regexp{
	regexp.MustCompile(before + `(-?[0-9]+)` + quote + ` ?(?:` + means + `|(?i:for|on|-|–))? ?` + done),
	regexp.MustCompile(before + `([A-Z][A-Z0-9_]+)` + quote + ` ?(?:` + means + `|(?i:for)) ?` + done),
	regexp.MustCompile(`(?i:success(?:ful)?|成功)(?:时)? ?` + means + ` ?` + quote + `(-?[0-9]+|[A-Z][A-Z0-9_]+)(?:\W|$)`),
}

const (
	quote  = `["'\x60]?`
	before = `(?:^|[^\w.-])` + quote
	means  = `(?i:=+|:|：|\||is|means|indicates|returns|为|表示|代表|是|即|返回)`
	done   = `(?i:an? |the )?(?i:success(?:ful|fully)?\b|succeed|ok\b|成功)`
)

// meansSuccess returns the code that a text says to mean success; empty where it does not say.
func meansSuccess(text string) string {
	for _, pattern := range successes {
		if m := pattern.FindStringSubmatch(text); m != nil {
			return m[1]
		}
	}
	return ""
}

// good guesses the codes that mean success, as a list of YAML, and says what tells so: what the schema of a good answer's code says, and
// else what is usual.
func (w *writer) good() (list, why string) {
	const usual = `"0", "OK"`
	for _, op := range w.ops {
		if w.failures.code == "" || op.Answer == nil || op.Answer.Schema == nil || kind(w.doc, op.Answer.Schema) != "object" {
			continue
		}
		for _, p := range places(w.doc, op.Answer.Schema) {
			s := w.doc.Resolve(p.schema)
			if p.path != w.failures.code || s == nil {
				continue
			}
			if code := meansSuccess(cmp.Or(p.schema.Doc, s.Doc)); code != "" {
				return quoted(code), "its description at " + w.at(p.schema.Line) + " says so"
			}
			if len(s.Enum) == 1 {
				return quoted(s.Enum[0].Value), "its only value at " + w.at(s.Line)
			}
		}
	}
	return usual, "A GUESS, look at the platform's documentation"
}
