package wire

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// An Int is a whole number that a platform sends as a number or as text. It is exact; null and "" are 0.
type Int int64

// A Float is a number that a platform sends as a number or as text. null and "" are 0. Money that must be exact is a [String].
type Float float64

// A Bool is a truth value that a platform sends as true, "true", 1 or "1" and their opposites. null and "" are false.
type Bool bool

// A String is text that a platform sometimes sends as a number or a truth value, which it holds exactly as sent. null is "".
type String string

// An ID is an identifier that a platform sends as a number or as text, exactly as sent. null is "".
type ID string

// A Pipes is a list of texts that travels as one, joined by |. Answers that write a list or a number instead are read too.
type Pipes []string

// MarshalJSON writes the texts as one. A text that holds | itself is an error.
func (p Pipes) MarshalJSON() ([]byte, error) {
	for _, text := range p {
		if strings.Contains(text, "|") {
			return nil, fmt.Errorf("the entry %q holds |, which stands between entries", text)
		}
	}
	return rawJSON(strings.Join(p, "|"))
}

// UnmarshalJSON never fails: what is neither text nor a list is empty.
func (p *Pipes) UnmarshalJSON(data []byte) error { return alone(p, data) }

func (p *Pipes) decode(d *decoder, depth int) bool {
	*p = nil
	if d.space() == '[' {
		return d.list(depth, func(int) bool {
			return leaf(d, depth+1, new(string), func(raw []byte) (string, bool) {
				text, ok := d.idOf(raw)
				*p = append(*p, text)
				return text, ok
			})
		})
	}
	return leaf(d, depth, new(string), func(raw []byte) (string, bool) {
		text, ok := d.idOf(raw)
		if text != "" {
			*p = strings.Split(text, "|")
		}
		return text, ok
	})
}

// Int64 returns the id as a number; an error if it is not one.
func (id ID) Int64() (int64, error) {
	n, err := strconv.ParseInt(string(id), 10, 64)
	if err != nil {
		return 0, fmt.Errorf("id %q is not a whole number of 64 bits", string(id))
	}
	return n, nil
}

// UnmarshalJSON never fails: what is not a whole number is 0.
func (n *Int) UnmarshalJSON(data []byte) error { return alone(n, data) }

// UnmarshalJSON never fails: what is not a number is 0.
func (f *Float) UnmarshalJSON(data []byte) error { return alone(f, data) }

// UnmarshalJSON never fails: what is no truth value is false.
func (b *Bool) UnmarshalJSON(data []byte) error { return alone(b, data) }

// UnmarshalJSON never fails: objects and lists are "".
func (s *String) UnmarshalJSON(data []byte) error { return alone(s, data) }

// UnmarshalJSON never fails: what is neither a number nor text is "".
func (id *ID) UnmarshalJSON(data []byte) error { return alone(id, data) }

func (n *Int) decode(d *decoder, depth int) bool {
	return leaf(d, depth, (*int64)(n), intOf)
}

func (f *Float) decode(d *decoder, depth int) bool {
	return leaf(d, depth, (*float64)(f), floatOf)
}

func (b *Bool) decode(d *decoder, depth int) bool {
	return leaf(d, depth, (*bool)(b), boolOf)
}

func (s *String) decode(d *decoder, depth int) bool {
	return leaf(d, depth, (*string)(s), d.textOf)
}

func (id *ID) decode(d *decoder, depth int) bool {
	return leaf(d, depth, (*string)(id), d.idOf)
}

// alone reads one value for encoding/json.
func alone(t tolerant, data []byte) error {
	d := decoder{scanner: scanner{data: data}}
	t.decode(&d, 0)
	return nil
}

// leaf reads the next value by read.
func leaf[T any](d *decoder, depth int, into *T, read func(raw []byte) (T, bool)) bool {
	raw := d.value(depth)
	if raw == nil {
		return false
	}
	value, ok := read(raw)
	*into = value
	if !ok {
		d.fault()
	}
	return true
}

// textOf reads text; numbers and truth values as they are written.
func textOf(raw []byte) (string, bool) { return new(decoder).textOf(raw) }

// textOf is textOf for what is kept.
func (d *decoder) textOf(raw []byte) (string, bool) {
	switch raw[0] {
	case '"':
		if inner := raw[1 : len(raw)-1]; bytes.IndexByte(inner, '\\') < 0 {
			return d.keep(inner), true
		}
		return unquote(raw), true
	case '{', '[':
		return "", false
	case 'n':
		return "", true
	default:
		return d.keep(raw), true
	}
}

func (d *decoder) idOf(raw []byte) (string, bool) {
	if raw[0] == 't' || raw[0] == 'f' {
		return "", false
	}
	return d.textOf(raw)
}

// bare returns what stands in a text, or a number or literal as it is; empty for null.
func bare(raw []byte) []byte {
	switch raw[0] {
	case '"':
		return bytes.TrimSpace(raw[1 : len(raw)-1])
	case 'n':
		return nil
	default:
		return raw
	}
}

func intOf(raw []byte) (int64, bool) {
	text := bare(raw)
	if len(text) == 0 {
		return 0, true
	}
	if n, ok := digits(text); ok {
		return n, true
	}
	if n, err := strconv.ParseInt(string(text), 10, 64); err == nil {
		return n, true
	}
	// 5.0 and 1e3 are whole too, as far as a float64 is exact.
	const exact = 1 << 53
	f, ok := parseFloat(text)
	if !ok || f != math.Trunc(f) || math.Abs(f) >= exact {
		return 0, false
	}
	return int64(f), true
}

// digits reads the usual number without allocating.
func digits(text []byte) (int64, bool) {
	if len(text) > 18 {
		return 0, false
	}
	n := int64(0)
	for _, c := range text {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, true
}

func floatOf(raw []byte) (float64, bool) {
	text := bare(raw)
	if len(text) == 0 {
		return 0, true
	}
	return parseFloat(text)
}

// parseFloat reads a decimal number; neither the words nor the hexadecimal forms of Go.
func parseFloat(text []byte) (float64, bool) {
	if bytes.ContainsFunc(text, func(r rune) bool { return !strings.ContainsRune("0123456789+-.eE", r) }) {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(text), 64)
	if err != nil {
		return 0, false
	}
	return f, true
}

func boolOf(raw []byte) (bool, bool) {
	text := bare(raw)
	switch string(text) {
	case "true", "1":
		return true, true
	case "false", "0", "":
		return false, true
	}
	switch string(bytes.ToLower(text)) {
	case "true":
		return true, true
	case "false":
		return false, true
	default:
		return false, false
	}
}
