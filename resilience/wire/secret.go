package wire

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Secrets are texts that must not show. A platform, a proxy or a package of Go echoes them as they are, or escapes any of their signs for
// an address, JSON, HTML or a quotation, each in its own way and case: so a secret is looked for sign by sign.
type secrets []string

// mask replaces all secrets in text. Where several begin at one place the longest counts: what begins another one must not leave the rest
// of it behind.
func (s secrets) mask(text string) string {
	var b strings.Builder
	done := 0
	for i := 0; i < len(text); {
		size := 0
		for _, secret := range s {
			size = max(size, echo(secret, text[i:]))
		}
		if size == 0 {
			i++
			continue
		}
		b.WriteString(text[done:i])
		b.WriteString(redacted)
		i += size
		done = i
	}
	if done == 0 {
		return text
	}
	return b.String() + text[done:]
}

// echo returns how many bytes at the start of text are the secret, escaped or not; 0 if it is not there. The ends that the signs so far
// may have are followed at once, since a sign such as % is itself and may begin an escape too.
func echo(secret, text string) int {
	ends := []int{0}
	for secret != "" {
		_, size := utf8.DecodeRuneInString(secret)
		var next []int
		for _, at := range ends {
			next = appendSign(next, text, at, secret[:size])
		}
		secret = secret[size:]
		if len(next) == 0 {
			return 0
		}
		slices.Sort(next)
		ends = slices.Compact(next)
	}
	return ends[len(ends)-1]
}

// appendSign appends the ends of all ways in which text has the sign raw at a place.
func appendSign(ends []int, text string, at int, raw string) []int {
	rest := text[at:]
	if rest == "" {
		return ends
	}
	sign, _ := utf8.DecodeRuneInString(raw)
	if strings.HasPrefix(rest, raw) {
		ends = append(ends, at+len(raw))
	}
	switch rest[0] {
	case '+':
		if raw == " " {
			ends = append(ends, at+1)
		}
	case '%':
		if size := percents(rest, raw); size > 0 {
			ends = append(ends, at+size)
		}
	case '\\':
		if strings.HasPrefix(rest[1:], raw) { // \/
			ends = append(ends, at+1+len(raw))
		}
		if size := backslashed(rest, sign); size > 0 {
			ends = append(ends, at+size)
		}
	case '&':
		if size := entity(rest, sign); size > 0 {
			ends = append(ends, at+size)
		}
	}
	return ends
}

// percents returns the length of raw as an address has it, %E4 for each byte.
func percents(text, raw string) int {
	for i := range len(raw) {
		at := 3 * i
		if len(text) < at+3 || text[at] != '%' || number(text[at+1:at+3], 16) != rune(raw[i]) {
			return 0
		}
	}
	return 3 * len(raw)
}

// backslashed returns the length of a sign as JSON or Go quote it by its number: \u002B, \x2b.
func backslashed(text string, sign rune) int {
	code := func(mark string, digits int) rune { // the code after a mark at the start of text
		if len(text) < len(mark)+digits || !strings.HasPrefix(text, mark) {
			return -1
		}
		return number(text[len(mark):len(mark)+digits], 16)
	}
	const unit = len(`\u002B`)
	switch first := code(`\u`, 4); {
	case first == sign:
		return unit
	case code(`\x`, 2) == sign:
		return len(`\x2b`)
	case code(`\U`, 8) == sign:
		return len(`\U0000002b`)
	case first >= 0 && len(text) > unit && text[unit] == '\\':
		text = text[unit:]
		if utf16.DecodeRune(first, code(`\u`, 4)) == sign && sign != utf8.RuneError {
			return 2 * unit
		}
	}
	return 0
}

// entity returns the length of a sign as HTML has it: &amp;, &#43;, &#x2B;.
func entity(text string, sign rune) int {
	const longest = len("&#x10FFFF;")
	end := strings.IndexByte(text[:min(len(text), longest)], ';')
	if end < 0 {
		return 0
	}
	var code rune
	switch name := text[1:end]; {
	case strings.HasPrefix(name, "#x"), strings.HasPrefix(name, "#X"):
		code = number(name[2:], 16)
	case strings.HasPrefix(name, "#"):
		code = number(name[1:], 10)
	default:
		code = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}[name]
	}
	if code != sign {
		return 0
	}
	return end + 1
}

// number reads digits; -1 if they are none.
func number(digits string, base int) rune {
	n, err := strconv.ParseInt(digits, base, 32)
	if err != nil || strings.ContainsAny(digits, "+-") {
		return -1
	}
	return rune(n)
}
