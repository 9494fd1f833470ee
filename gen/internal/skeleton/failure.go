package skeleton

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

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

// A limit is what the spec tells of a quota.
type limit struct {
	calls   int // that may answer 429
	op      string
	line    int
	headers []string // of their answers, that speak of rates
	number  int      // found in a text; 0 for none
	per     string
	quote   string
}

func limits(doc *spec.Document, ops []*operation) limit {
	var l limit
	l.find(doc.Description)
	for _, op := range ops {
		counted := false
		for _, f := range op.Failures {
			for _, h := range f.Headers {
				if name := plain(h); strings.Contains(name, "ratelimit") || name == "retryafter" || strings.Contains(name, "quota") {
					if !slices.Contains(l.headers, h) {
						l.headers = append(l.headers, h)
					}
				}
			}
			if f.Status != "429" || counted {
				continue
			}
			counted = true
			if l.calls++; l.calls == 1 {
				l.op, l.line = op.name(), f.Line
			}
		}
		l.find(op.Description)
		l.find(op.Summary)
	}
	return l
}

var perTime = regexp.MustCompile(`(?i)\b([0-9][0-9,]*)\s+(?:api\s+)?(?:requests|calls|queries|reqs?)\s*(?:per|/|an?|in\s+an?|in\s+one|every|each)\s*(second|minute|hour|day)\b`)

// find looks for a number of calls per time in a text.
func (l *limit) find(text string) {
	if l.number > 0 {
		return
	}
	m := perTime.FindStringSubmatch(text)
	if m == nil {
		return
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil || n < 1 {
		return
	}
	l.number, l.quote = n, line(m[0], 80)
	l.per = map[string]string{"second": "1s", "minute": "1m", "hour": "1h", "day": "24h"}[strings.ToLower(m[2])]
}
