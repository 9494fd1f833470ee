package skeleton

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

var plainScalar = regexp.MustCompile(`^[A-Za-z/_][A-Za-z0-9/_.{}-]*$`)

// scalar writes text so that YAML reads the same text back, with quotes only where they are needed.
func scalar(text string) string {
	if plainScalar.MatchString(text) && !strings.ContainsAny(text, "{}") && isText(text) {
		return text
	}
	var b strings.Builder
	enc := json.NewEncoder(&b) // what is a text in JSON is one in YAML
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return `""` // no text fails
	}
	return escaped(strings.TrimSuffix(b.String(), "\n"))
}

// escaped writes what JSON takes as it is and YAML does not.
func escaped(quoted string) string {
	var b strings.Builder
	for _, r := range quoted {
		if isReadable(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "\\u%04x", r)
		}
	}
	return b.String()
}

// readable drops what no YAML holds from a text. Such signs stand in its comments only, as the spec has them in a summary.
func readable(text string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || isReadable(r) {
			return r
		}
		return -1
	}, text)
}

// isReadable reports whether a sign stands for itself in YAML: it is neither a control character nor a mark of byte order, nor a line end
// of its own kind.
func isReadable(r rune) bool {
	return !unicode.IsControl(r) && r != '\u2028' && r != '\u2029' && r != '\ufeff' && r != '\ufffe' && r != '\uffff'
}

// isText reports whether YAML takes a plain word for a text, and not for true, null or a number.
func isText(word string) bool {
	var n yaml.Node
	return yaml.Unmarshal([]byte(word), &n) == nil && len(n.Content) == 1 && n.Content[0].Kind == yaml.ScalarNode && n.Content[0].Tag == "!!str"
}

// shellWord writes a path as a shell takes it for one word.
func shellWord(path string) string {
	if !strings.ContainsAny(path, " \t\"'$`\\&;()<>|*?[]#~!{}") {
		return path
	}
	return "'" + strings.ReplaceAll(path, "'", `'\''`) + "'"
}

// line makes one line of a text, of at most so many characters.
func line(text string, most int) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	return strings.TrimSpace(string([]rune(text)[:most-1])) + "…"
}

// wrapped writes a text as comment lines.
func wrapped(text string) string {
	const columns = 118
	var b strings.Builder
	out := "#"
	for word := range strings.FieldsSeq(text) {
		if out != "#" && utf8.RuneCountInString(out)+1+utf8.RuneCountInString(word) > columns {
			b.WriteString(out + "\n")
			out = "#"
		}
		out += " " + word
	}
	b.WriteString(out + "\n")
	return b.String()
}
