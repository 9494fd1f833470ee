package spec

import (
	"fmt"
	"time"
)

// A Text is a piece of text and where it stands.
type Text struct {
	Value string
	Line  int
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
