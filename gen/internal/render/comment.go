package render

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// columns is how wide comments get.
const columns = 118

// comment writes paragraphs as a doc comment, with the indentation of what follows.
func comment(indent string, paragraphs ...string) string {
	var b strings.Builder
	first := true
	for _, p := range paragraphs {
		words := strings.Fields(readable(p))
		if len(words) == 0 {
			continue
		}
		if !first {
			b.WriteString(indent + "//\n")
		}
		first = false
		line := indent + "//"
		for i, word := range words {
			// A # or - that begins a line would be a heading or a list.
			fits := utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) <= columns
			if i > 0 && !fits && !strings.ContainsAny(word[:1], "#-*+0123456789") {
				b.WriteString(line + "\n")
				line = indent + "//"
			}
			line += " " + word
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

// readable takes out what nobody can read and Go source must not hold: control characters, the mark that begins files, broken UTF-8.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && !unicode.IsSpace(r) || r == '\ufeff' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
}

// sentence makes a sentence that begins with subject, the name that is documented. A text that begins with a small letter goes on
// with it; another follows after verb.
func sentence(subject, verb, text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return subject + " " + verb + "."
	}
	if first, _ := utf8.DecodeRuneInString(text); unicode.IsLower(first) {
		return subject + " " + closed(text)
	}
	return subject + " " + verb + ": " + closed(text)
}

// closed ends a text with a full stop.
func closed(text string) string {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(text); text == "" || strings.ContainsRune(".!?。！？", last) {
		return text
	}
	return text + "."
}

// typeComment documents a declared type.
func (w *writer) typeComment(t *plan.Type) string {
	switch {
	case t.For != nil && t.Input:
		head := fmt.Sprintf("%s holds the parameters of [%s.%s].", t.Name, t.For.Service.Type, t.For.Name)
		if always := constants(t); always != "" {
			head += " Sent besides, each time: " + always + "."
		}
		return comment("", head)
	case t.For != nil && t.Doc == "":
		return comment("", fmt.Sprintf("%s is the answer of [%s.%s].", t.Name, t.For.Service.Type, t.For.Name))
	case t.Doc != "":
		return comment("", typeSentence(t.Name, t.Doc))
	case t.Schema == "":
		return comment("", t.Name+" is "+t.Part+".")
	default:
		return comment("", fmt.Sprintf("%s is the schema %s of the spec.", t.Name, t.Schema))
	}
}

// typeSentence says what a type is. The spec gives a noun, "a post", or a sentence, which may begin with the name.
func typeSentence(name, doc string) string {
	for _, article := range []string{"", "A ", "An ", "The "} {
		if strings.HasPrefix(doc, article+name+" ") {
			return closed(doc)
		}
	}
	if first, _ := utf8.DecodeRuneInString(doc); unicode.IsLower(first) {
		return name + " is " + closed(doc)
	}
	for _, article := range []string{"A ", "An ", "The "} {
		if rest, ok := strings.CutPrefix(doc, article); ok {
			doc = strings.ToLower(article) + rest
		}
	}
	return name + ": " + closed(doc)
}

// fieldComment returns a field's comment: at the end of its line where it fits there, else above it.
func fieldComment(f *plan.Field, line string) (above, behind string) {
	doc := strings.Join(strings.Fields(readable(f.Doc)), " ")
	if f.Deprecated {
		reason := f.DeprecatedReason
		if reason == "" {
			reason = "the platform has dropped it."
		}
		return comment("\t", doc, "Deprecated: "+closed(reason)), ""
	}
	if doc == "" {
		return "", ""
	}
	if len(line)+utf8.RuneCountInString(doc) <= 96 {
		return "", " // " + doc
	}
	return comment("\t", doc), ""
}

// methodComment documents a method: what it does, what the platform calls it, what it counts against, where to read on.
func (w *writer) methodComment(m *plan.Method) string {
	op := m.Op
	paragraphs := []string{sentence(m.Name, "calls "+op.ID.Value, op.Summary)}
	for p := range strings.SplitSeq(strings.ReplaceAll(op.Description.Text, "\r\n", "\n"), "\n\n") {
		paragraphs = append(paragraphs, p)
	}
	paragraphs = append(paragraphs, w.facts(m))
	if limits := w.limits(op); limits != "" {
		paragraphs = append(paragraphs, limits)
	}
	if op.Link != "" {
		paragraphs = append(paragraphs, "Documentation: "+op.Link)
	}
	if op.Deprecated {
		reason := op.DeprecatedReason
		if reason == "" {
			reason = "the platform's documentation says so"
		}
		paragraphs = append(paragraphs, "Deprecated: "+closed(reason))
	}
	return comment("", paragraphs...)
}

// facts is the line of what the chain goes by.
func (w *writer) facts(m *plan.Method) string {
	op := m.Op
	facts := []string{op.HTTPMethod + " " + op.Path, "scope " + op.Scope}
	if op.Group.Value != spec.NoGroup {
		facts = append(facts, "group "+op.Group.Value)
	} else {
		facts = append(facts, "not counted")
	}
	if op.Idempotent {
		facts = append(facts, "idempotent")
	} else {
		facts = append(facts, "never repeated blindly")
	}
	facts = append(facts, credential(m)...)
	if op.AnyAccount {
		facts = append(facts, "any account")
	}
	if op.Cost > 1 {
		facts = append(facts, fmt.Sprintf("cost %d", op.Cost))
	}
	facts = append(facts, outcomes(m)...)
	return fmt.Sprintf("%s operation %s: %s.", w.plan.Doc.Title, op.ID.Value, strings.Join(facts, ", "))
}

// credential says what a call takes of one.
func credential(m *plan.Method) []string {
	var out []string
	if len(m.FromCredential) > 0 {
		out = append(out, Listed(m.FromCredential, "and")+" from the credential")
	}
	switch auth := m.Op.Auth.Value; {
	case auth == "" && len(m.FromCredential) == 0:
		out = append(out, "without credential")
	case auth != "" && auth != "user":
		out = append(out, "authorized as "+auth)
	}
	return out
}

// outcomes says whom a call reaches and what its answer does beside what every answer does.
func outcomes(m *plan.Method) []string {
	var out []string
	if to := m.Recipients(); len(to) > 0 {
		out = append(out, "to "+Listed(to, "and"))
	}
	if m.Op.Resets != "" {
		out = append(out, "gives the "+m.Op.Resets+"'s budgets back")
	}
	if len(m.Op.Partial) > 0 {
		out = append(out, "partial by "+Listed(spec.Values(m.Op.Partial), "and"))
	}
	return out
}

// limits lists the windows of an operation by the names under which a Config changes them, with the source of each number.
func (w *writer) limits(op *spec.Operation) string {
	var texts []string
	for _, win := range w.plan.Doc.WindowsOf(op.Group.Value) {
		whose := " and " + win.Key
		if win.Apart {
			whose = ", " + win.Key + " and group"
		}
		text := fmt.Sprintf("%s, %d per %s%s", win.Name, win.Limit, spec.Span(win.Per), whose)
		if win.Source != "" {
			text += " (" + strings.TrimSuffix(win.Source, ".") + ")"
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return ""
	}
	return "Limits: " + strings.Join(texts, "; ") + "."
}

// serviceComment documents a service.
func serviceComment(s *plan.Service) string {
	if s.About == "" {
		return comment("", fmt.Sprintf("%s makes the calls that a client has under %s.", s.Type, s.Name))
	}
	return comment("", fmt.Sprintf("%s makes the calls about %s", s.Type, closed(lowered(s.About))))
}

// lowered begins a text with a small letter, unless it begins with a word of capitals.
func lowered(text string) string {
	text = strings.TrimSpace(text)
	if len(text) > 1 && unicode.IsUpper(rune(text[0])) && unicode.IsLower(rune(text[1])) {
		return strings.ToLower(text[:1]) + text[1:]
	}
	return text
}
