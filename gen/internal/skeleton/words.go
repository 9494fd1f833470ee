package skeleton

import (
	"slices"
	"strings"
	"unicode"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// words splits a name at everything that is no letter or digit and at changes of case, and makes all of it small.
//
//	getUserByID -> get user by id; repos/list-for-org -> repos list for org
func words(name string) []string {
	var out []string
	var word []rune
	runes := []rune(name)
	for i, r := range runes {
		letter := unicode.IsLetter(r) || unicode.IsDigit(r)
		begins := letter && unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && !isPlural(runes[i+1:]))
		if (!letter || begins) && len(word) > 0 {
			out, word = append(out, strings.ToLower(string(word))), nil
		}
		if letter {
			word = append(word, r)
		}
	}
	if len(word) > 0 {
		out = append(out, strings.ToLower(string(word)))
	}
	return out
}

// isPlural reports whether what follows a run of capitals is its plural's s and no more, as in IDs.
func isPlural(rest []rune) bool {
	return rest[0] == 's' && (len(rest) == 1 || !unicode.IsLower(rest[1]))
}

// goName makes an exported Go name of words, of what in them everybody can type; empty where they give none.
func goName(list []string) string {
	name, _ := naming.Exported(naming.Latin(strings.Join(list, "_")))
	return name
}

// singular drops the end of an English plural.
func singular(word string) string {
	switch {
	case strings.HasSuffix(word, "ies") && len(word) > 4:
		return word[:len(word)-3] + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"):
		return word[:len(word)-2]
	case strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") && len(word) > 2:
		return word[:len(word)-1]
	default:
		return word
	}
}

// without drops every place in list where all words of what stand, in the singular or the plural.
func without(list, what []string) []string {
	for i := 0; len(what) > 0 && i+len(what) <= len(list); {
		if slices.EqualFunc(list[i:i+len(what)], what, func(a, b string) bool { return singular(a) == singular(b) }) {
			list = slices.Concat(list[:i], list[i+len(what):])
			continue
		}
		i++
	}
	return list
}
