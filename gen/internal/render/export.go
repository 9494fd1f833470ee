package render

// Comment writes paragraphs as a doc comment, for the other writers of generated code.
func Comment(paragraphs ...string) string { return comment("", paragraphs...) }
