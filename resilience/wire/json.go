package wire

import (
	"bytes"
	"cmp"
	"encoding/json"
	"unicode/utf8"
)

// rawJSON writes v as JSON with <, > and & as they are, and without a newline at its end, which would be signed and sent.
func rawJSON(v any) ([]byte, error) {
	return new(jsonText).marshal(v)
}

// jsonText is what an encoder has written: encoding/json does it all at once, so that it is as long as it must be.
type jsonText []byte

func (w *jsonText) Write(p []byte) (int, error) {
	*w = append(*w, p...)
	return len(p), nil
}

// marshal is rawJSON.
func (w *jsonText) marshal(v any) ([]byte, error) {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	text := *w
	*w = nil
	return text[:len(text)-1], nil
}

// isNull reports whether the text is JSON's word for nothing, which nil maps and pointers become.
func isNull(text []byte) bool { return string(text) == "null" }

// unescaped turns the \u escapes that encoding/json has written into the characters themselves. fault says what must not travel, ""
// if nothing.
func unescaped(text []byte) (raw []byte, fault string) {
	if !utf8.Valid(text) { // a json.RawMessage, or a type that writes itself
		return text, "text that is not UTF-8"
	}
	if !bytes.Contains(text, []byte(`\u`)) {
		return text, ""
	}
	raw = make([]byte, 0, len(text))
	for s := text; len(s) > 0; {
		n := 1
		switch {
		case s[0] == '\\' && s[1] == 'u':
			var r rune
			r, n = unicodeEscape(s)
			if r == utf8.RuneError || r < ' ' {
				fault = cmp.Or(fault, whatIs(r, s))
			}
			raw = appendJSONRune(raw, r, s[:n])
		case s[0] == '\\':
			n = 2
			raw = append(raw, s[:n]...)
		default:
			raw = append(raw, s[0])
		}
		s = s[n:]
	}
	return raw, fault
}

func whatIs(r rune, escape []byte) string {
	if r == utf8.RuneError { // what encoding/json puts in the place of broken bytes
		return "text that is not UTF-8"
	}
	return "the control character " + string(escape[:6]) + ", which platforms refuse: take it out"
}

// appendJSONRune writes what an escape stands for, or the escape where JSON needs it.
func appendJSONRune(raw []byte, r rune, escape []byte) []byte {
	if r < ' ' || r == '"' || r == '\\' {
		return append(raw, escape...)
	}
	return utf8.AppendRune(raw, r)
}
