package skeleton

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// said are the words of titles that name no platform.
var said = []string{
	"api", "apis", "rest", "restful", "openapi", "swagger", "spec", "specification", "the", "public", "web", "service", "services", "http",
	"https", "reference", "documentation", "docs", "v", "version", "beta", "preview", "for", "of", "and", "an", "a", "simple", "sample", "example",
	"definition", "json", "server",
}

var number = regexp.MustCompile(`^v?[0-9]+[a-z]?[0-9]*$`)

// platform guesses the platform's short name: from the title, else from the host.
func platform(doc *spec.Document) string {
	if doc.Platform != "" {
		return doc.Platform // the spec's own word
	}
	var kept []string
	for _, word := range strings.FieldsFunc(strings.ToLower(doc.Title), func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9')
	}) {
		if !slices.Contains(said, word) && !number.MatchString(word) && word[0] >= 'a' {
			kept = append(kept, word)
		}
	}
	const most = 2
	if len(kept) > 0 {
		return strings.Join(kept[:min(len(kept), most)], "-")
	}
	return fromHost(doc.BaseURL)
}

// fromHost returns the last but one part of the host's name, or what is not "www" or "api" before it.
func fromHost(address string) string {
	if u, err := url.Parse(address); err == nil {
		parts := strings.Split(strings.ToLower(u.Hostname()), ".")
		if len(parts) > 1 {
			if name := parts[len(parts)-2]; name != "" && name[0] >= 'a' && name[0] <= 'z' {
				return strings.Trim(strings.Map(nameRune, name), "-")
			}
		}
	}
	return "platform"
}

func nameRune(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return -1
}

// server says which address the calls go to, and whether the overlay has to give it.
func server(doc *spec.Document) (address string, given bool) {
	if doc.BaseURL != "" {
		return doc.BaseURL, true
	}
	// A name that leads nowhere: whoever forgets to write the real one sends nothing to anybody.
	return "https://write-the-address.invalid", false
}
