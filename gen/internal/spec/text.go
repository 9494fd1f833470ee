package spec

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// A Text is a piece of text and where it stands.
type Text struct {
	Value string
	Line  int
}

// A Prose is a description, and where it stands.
type Prose struct {
	Text  string
	Line  int
	block bool // its lines are those of the file, from the one after Line
}

// At returns the line of the document for one of the text, which are counted from 0.
func (p Prose) At(line int) int {
	if p.block {
		return p.Line + 1 + line
	}
	return p.Line
}

// prose reads a description.
func (r *reader) prose(n *yaml.Node, what string) Prose {
	t := r.text(n, what)
	n = r.follow(n)
	return Prose{t.Value, t.Line, n != nil && n.Style&yaml.LiteralStyle != 0}
}

// Values returns texts without their places.
func Values(texts []Text) []string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = t.Value
	}
	return out
}

// Span names a time in words: "hour", "5 minutes".
func Span(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}, {time.Second, "second"}} {
		switch {
		case d == unit.size:
			return unit.name
		case d%unit.size == 0:
			return fmt.Sprintf("%d %ss", d/unit.size, unit.name)
		}
	}
	return d.String()
}

// Count says how many there are: "1 call", "2 calls".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Quoted writes a text as JSON.
func Quoted(text string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(text); err != nil {
		return `""` // no text fails
	}
	return strings.TrimSuffix(b.String(), "\n")
}
