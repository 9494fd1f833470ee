package wire

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// foreign returns how many bytes to skip beyond the first of s, which is not ASCII: the rest of a character. In GBK and GB18030 the
// second byte of a character may look like a backslash, which must not be taken for an escape.
func foreign(s []byte) int {
	r, size := utf8.DecodeRune(s)
	if r != utf8.RuneError || size > 1 {
		return size - 1
	}
	if len(s) > 1 && s[0] >= 0x81 && s[1] >= 0x40 {
		return 1
	}
	return 0
}

// unquote returns the text of a JSON string given with its quotes. Unlike encoding/json it keeps raw control bytes and the bytes of
// other charsets as they are.
func unquote(raw []byte) string {
	inner := raw[1 : len(raw)-1]
	i := 0
	for i < len(inner) && inner[i] != '\\' {
		if inner[i] >= 0x80 {
			i += foreign(inner[i:])
		}
		i++
	}
	if i >= len(inner) {
		return string(inner)
	}
	out := make([]byte, 0, len(inner))
	return string(unescape(append(out, inner[:i]...), inner[i:]))
}

func unescape(out, s []byte) []byte {
	for len(s) > 0 {
		c := s[0]
		n := 1
		switch {
		case c == '\\' && len(s) > 1 && s[1] == 'u':
			var r rune
			r, n = unicodeEscape(s)
			out = utf8.AppendRune(out, r)
		case c == '\\' && len(s) > 1:
			out = append(out, plainEscape(s[1]))
			n = 2
		case c >= 0x80:
			n += foreign(s)
			out = append(out, s[:n]...)
		default:
			out = append(out, c)
		}
		s = s[n:]
	}
	return out
}

func plainEscape(c byte) byte {
	switch c {
	case 'n':
		return '\n'
	case 't':
		return '\t'
	case 'r':
		return '\r'
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	default:
		return c // also what is no escape at all
	}
}

// unicodeEscape reads \uXXXX, or a pair of them, at the beginning of s and returns its length.
func unicodeEscape(s []byte) (r rune, n int) {
	r, ok := hex4(s)
	if !ok {
		return utf8.RuneError, 2
	}
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if low, ok := hex4(s[6:]); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(string(s[2:6]), 16, 16)
	return rune(uint16(n)), err == nil
}
