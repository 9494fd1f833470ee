package wire

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/dujiang-go/dujiang/resilience"
)

// An Envelope says where a platform's answers carry their code, text, request id and success flag. Each is a list of names, of which
// the first that is present wins; a name with dots ("result.code") lies deeper. The zero Envelope finds nothing, so that the HTTP
// status decides.
type Envelope struct {
	Code      []string
	Subcode   []string
	Message   []string
	RequestID []string
	Success   []string // true or false, also as text; trusted over any code of an HTTP 2xx
	Good      []string // codes that mean success: "0", "200", "S0000"

	// RequestIDAfter are texts after which the request id stands in the message, where it has no field of its own: "rid: ".
	RequestIDAfter []string
}

// A Verdict is what an answer means.
type Verdict struct {
	Rule       resilience.Rule
	Code       string // as sent; empty for a success that needs no word
	Subcode    string
	Message    string // the platform's text as sent, in the answer's own charset; ours where it gives none that could be read
	RequestID  string
	RetryAfter time.Duration // the answer's Retry-After; 0 means none
}

// Classify says what an answer means. It looks for a code in a JSON body whatever the status and the content type; now is needed for
// a Retry-After that is a date.
//
// The code is looked up in op.Errors, then in rules, then among the longest keys of both that end in "*" and begin the code ("gw.*",
// "*"); the key "" is for a refusal without a code. A code that nobody knows, and an answer without one, is judged by the HTTP
// status; an unknown refusal with HTTP 2xx is Rejected. An HTTP 2xx without a code whose body is not JSON is Transient.
//
// Whether a Transient is an UnknownOutcome is not decided here: that needs to know what has left.
func (e *Envelope) Classify(
	op *resilience.Operation, rules map[string]resilience.Rule, status int, header http.Header, body []byte, now time.Time,
) Verdict {
	var a answer
	a.open(e, body)
	v := Verdict{RequestID: a.first(e.RequestID), RetryAfter: RetryAfter(header, now)}
	success := status >= 200 && status < 300
	code, refused := e.refusal(&a, success)
	if refused {
		v.Code, v.Subcode, v.Message = code, a.first(e.Subcode), a.first(e.Message)
		v.RequestID = cmp.Or(v.RequestID, e.requestIDIn(v.Message))
		if rule, ok := lookUp(op, rules, code); ok {
			v.Rule = said(rule, v.Message)
			return v
		}
		if success {
			v.Rule.Class = resilience.Rejected
			return v
		}
	}
	v.Rule.Class = byStatus(status)
	if success && isPartial(op, body) {
		v.Rule.Class = resilience.Partial
	}
	switch {
	case status >= 300 && status < 400:
		v.Message = "unexpected redirect to " + maskAddress(header.Get("Location"))
	case success && !a.isJSON && status != http.StatusNoContent && (!op.NoContent || isPage(header)):
		v.Rule.Class = resilience.Transient
		v.Message = fmt.Sprintf("HTTP %d, %s: JSON was expected", status, describeBody(header, body))
	case !success && v.Message == "" && a.isJSON:
		v.Message = a.first(e.Message)
	case !success && v.Message == "":
		v.Message = describeBody(header, body)
	}
	return v
}

// isPage reports whether the answer is a page for people to read, which a proxy puts in the place of the platform's.
func isPage(header http.Header) bool {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	return strings.EqualFold(strings.TrimSpace(kind), "text/html")
}

// requestIDIn returns what stands in the message after the first of the texts that it holds, up to the end of the word.
func (e *Envelope) requestIDIn(message string) string {
	for _, before := range e.RequestIDAfter {
		if _, rest, ok := strings.Cut(message, before); ok {
			if end := strings.IndexFunc(rest, endsWord); end >= 0 {
				rest = rest[:end]
			}
			return rest
		}
	}
	return ""
}

func endsWord(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(",;])", r)
}

// isPartial reports whether the answer names something that was not done.
func isPartial(op *resilience.Operation, body []byte) bool {
	for _, path := range op.Partial {
		value := bytes.TrimPrefix(body, []byte(byteOrderMark))
		for name := range strings.SplitSeq(path, ".") {
			if value = member(value, name); value == nil {
				break
			}
		}
		if namesSomething(value) {
			return true
		}
	}
	return false
}

// namesSomething reports whether a value is more than a word for nothing, or a list of such words.
func namesSomething(value []byte) bool {
	s := scanner{data: value}
	if s.space() != '[' {
		switch string(bytes.Join(bytes.Fields(value), nil)) {
		case "", `""`, "{}", "null", "0", "false":
			return false
		default:
			return true
		}
	}
	found := false
	s.items(0, func(int) bool {
		entry := s.value(1)
		found = found || string(entry) != "null" && string(entry) != `""`
		return entry != nil
	})
	return found
}

// describeBody says what came in the place of JSON.
func describeBody(header http.Header, body []byte) string {
	if len(body) == 0 {
		return "empty answer"
	}
	return fmt.Sprintf("%d bytes of %s", len(body), contentTypeOr(header.Get("Content-Type"), "an unnamed type"))
}

// refusal returns the answer's code and whether it is a refusal.
func (e *Envelope) refusal(a *answer, success bool) (code string, refused bool) {
	code = a.first(e.Code)
	if success {
		if flag, ok := a.flag(e.Success); ok {
			return code, !flag
		}
	} else if flag, ok := a.flag(e.Success); ok && !flag {
		return code, true
	}
	return code, code != "" && !slices.Contains(e.Good, code)
}

// byStatus is the class of an answer whose body does not say more.
func byStatus(status int) resilience.Class {
	switch {
	case status >= 200 && status < 300:
		return resilience.OK
	case status >= 300 && status < 400:
		return resilience.Rejected
	case status == http.StatusTooManyRequests:
		return resilience.Throttled
	case status == http.StatusRequestTimeout, status < 200, status >= 500:
		return resilience.Transient
	case status == http.StatusUnauthorized:
		return resilience.CredentialInvalid
	case status == http.StatusForbidden:
		return resilience.Forbidden
	case status == http.StatusNotFound, status == http.StatusGone:
		return resilience.NotFound
	default:
		return resilience.Invalid
	}
}

func lookUp(op *resilience.Operation, rules map[string]resilience.Rule, code string) (resilience.Rule, bool) {
	if rule, ok := op.Errors[code]; ok {
		return rule, true
	}
	if rule, ok := rules[code]; ok {
		return rule, true
	}
	own, others := longestPrefix(op.Errors, code), longestPrefix(rules, code)
	if own == "" && others == "" {
		return resilience.Rule{}, false
	}
	if len(own) >= len(others) {
		return op.Errors[own], true
	}
	return rules[others], true
}

// said returns what the rule means with the message: the longest text that it holds decides.
func said(rule resilience.Rule, message string) resilience.Rule {
	if len(rule.Says) == 0 {
		return rule
	}
	message = strings.ToLower(message)
	longest := ""
	for text := range rule.Says {
		if strings.Contains(message, text) && (len(text) > len(longest) || len(text) == len(longest) && text < longest) {
			longest = text
		}
	}
	if longest == "" {
		return rule
	}
	return rule.Says[longest]
}

// longestPrefix returns the longest key of rules that ends in "*" and begins the code, empty if there is none.
func longestPrefix(rules map[string]resilience.Rule, code string) string {
	longest := ""
	for key := range maps.Keys(rules) {
		prefix, wild := strings.CutSuffix(key, "*")
		if wild && len(key) > len(longest) && strings.HasPrefix(code, prefix) {
			longest = key
		}
	}
	return longest
}

// maxFound is how many names of the envelope are remembered from one answer.
const maxFound = 16

// An answer is what of a body the envelope's names lead to.
type answer struct {
	isJSON bool
	found  [maxFound]field
	count  int
}

type field struct {
	name  string
	value []byte
}

// open walks once through the top of body and keeps the values that the envelope's names begin with.
func (a *answer) open(e *Envelope, body []byte) {
	s := scanner{data: bytes.TrimPrefix(body, []byte(byteOrderMark))}
	if s.space() != '{' {
		a.isJSON = s.value(0) != nil && s.end()
		return
	}
	whole := s.members(0, func(name []byte) bool {
		value := s.value(1)
		if head := e.wants(name); head != "" && value != nil && a.count < maxFound {
			a.found[a.count] = field{head, value}
			a.count++
		}
		return value != nil
	})
	a.isJSON = whole && s.end()
}

// wants returns name, where one of the envelope's names begins with it, else nothing.
func (e *Envelope) wants(name []byte) string {
	for _, list := range [...][]string{e.Code, e.Success, e.Message, e.RequestID, e.Subcode} {
		for _, wanted := range list {
			n := len(name)
			if len(wanted) >= n && wanted[:n] == string(name) && (len(wanted) == n || wanted[n] == '.') {
				return wanted[:n]
			}
		}
	}
	return ""
}

// first returns the first value among names that is a text or a number and not empty, as text.
func (a *answer) first(names []string) string {
	for _, name := range names {
		raw := a.at(name)
		if len(raw) == 0 {
			continue
		}
		switch raw[0] {
		case '"':
			if text := unquote(raw); text != "" {
				return text
			}
		case '{', '[', 'n', 'f', 't':
		default:
			return string(raw)
		}
	}
	return ""
}

// flag returns the first value among names that is true or false, also as text.
func (a *answer) flag(names []string) (value, ok bool) {
	for _, name := range names {
		switch string(bytes.Trim(a.at(name), `"`)) {
		case "true", "TRUE", "True":
			return true, true
		case "false", "FALSE", "False":
			return false, true
		}
	}
	return false, false
}

// at returns the value that a dotted name leads to, nil if there is none.
func (a *answer) at(name string) []byte {
	head, rest, deeper := strings.Cut(name, ".")
	var value []byte
	for _, f := range a.found[:a.count] {
		if f.name == head {
			value = f.value // the last of several, as JSON readers do
		}
	}
	for deeper && value != nil {
		head, rest, deeper = strings.Cut(rest, ".")
		value = member(value, head)
	}
	return value
}

// member returns what stands under name in an object.
func member(object []byte, name string) []byte {
	var found []byte
	s := scanner{data: object}
	if s.space() != '{' {
		return nil
	}
	s.members(0, func(n []byte) bool {
		value := s.value(1)
		if string(n) == name {
			found = value
		}
		return value != nil
	})
	return found
}
