package docs

import (
	"net/url"
	"strings"
)

// marks are the signs that mean something in a table of Markdown.
var marks = strings.NewReplacer(
	`\`, `\\`, "|", `\|`, "<", "&lt;", ">", "&gt;", "*", `\*`, "_", `\_`, "`", "\\`", "[", `\[`, "]", `\]`, "&", "&amp;",
)

// plain writes a text of the spec, in one line, so that no sign in it means anything.
func plain(text string) string {
	return marks.Replace(strings.Join(strings.Fields(text), " "))
}

// code writes a name as it is. A bar ends a table's cell even there, and a backtick the name.
func code(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if strings.Contains(text, "`") {
		return plain(text)
	}
	return "`" + strings.ReplaceAll(text, "|", `\|`) + "`"
}

func codes(texts []string) string {
	out := make([]string, len(texts))
	for i, t := range texts {
		out[i] = code(t)
	}
	return strings.Join(out, ", ")
}

// webPage writes the target of a link, without the signs that end it. What is no page of the web is not linked.
func webPage(link string) (target string, ok bool) {
	u, err := url.Parse(link)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return "", false
	}
	return strings.NewReplacer("(", "%28", ")", "%29", "|", "%7C", " ", "%20", "<", "%3C", ">", "%3E").Replace(u.String()), true
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}
