package render

import "strings"

// Comment writes paragraphs as a doc comment, for the other writers of generated code.
func Comment(paragraphs ...string) string { return comment("", paragraphs...) }

// Listed joins words as a sentence does; conjunction, which is "and" or "or", stands before the last.
func Listed(words []string, conjunction string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + conjunction + " " + words[last]
}

// Closed ends a text with a full stop, where it does not end with a sign of that kind already.
func Closed(text string) string { return closed(text) }
