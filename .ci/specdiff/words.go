package main

import (
	"fmt"
	"strings"
	"time"
)

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// span writes a time as a spec does; none is the empty text.
func span(d time.Duration) string {
	if d == 0 {
		return ""
	}
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// several names a few and counts the rest.
func several(words []string) string {
	const most = 4
	if len(words) <= most {
		return strings.Join(words, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(words[:most], ", "), len(words)-most)
}
