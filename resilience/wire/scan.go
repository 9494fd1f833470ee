package wire

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// maxDepth bounds nesting. The platforms stay below 20.
const maxDepth = 1000

// byteOrderMark stands before some UTF-8 texts.
const byteOrderMark = "\xef\xbb\xbf"

// A scanner steps through JSON text without building anything. It is exact about structure and lenient about what stands inside
// strings: raw control bytes and bytes of other charsets occur in live answers.
type scanner struct {
	data []byte
	pos  int
}

// space skips white space and returns the next byte, 0 at the end.
func (s *scanner) space() byte {
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; c {
		case ' ', '\t', '\r', '\n':
			s.pos++
		default:
			return c
		}
	}
	return 0
}

// accept skips white space and c.
func (s *scanner) accept(c byte) bool {
	if s.space() != c {
		return false
	}
	s.pos++
	return true
}

// value skips one value and returns its text; nil where there is none.
func (s *scanner) value(depth int) []byte {
	first := s.space()
	start := s.pos
	if !s.skip(first, depth) {
		return nil
	}
	return s.data[start:s.pos]
}

func (s *scanner) skip(first byte, depth int) bool {
	switch first {
	case '"':
		return s.text() != nil
	case '{':
		return s.members(depth, func([]byte) bool { return s.value(depth+1) != nil })
	case '[':
		return s.items(depth, func(int) bool { return s.value(depth+1) != nil })
	case 't':
		return s.literal("true")
	case 'f':
		return s.literal("false")
	case 'n':
		return s.literal("null")
	default:
		return s.number()
	}
}

func (s *scanner) literal(word string) bool {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(word)) {
		return false
	}
	s.pos += len(word)
	return true
}

// text skips a string and returns it with its quotes, still escaped; nil if it does not end.
func (s *scanner) text() []byte {
	start := s.pos
	for i := start + 1 + plainRun(s.data[start+1:]); i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.pos = i + 1
			return s.data[start:s.pos]
		case c == '\\':
			i++
		case c >= 0x80:
			i += foreign(s.data[i:])
		}
	}
	return nil
}

// plainRun returns a length up to which data is ASCII without a quote or a backslash; the next byte is none, or among the last eight. It
// looks at eight bytes at a time, which is where half of the time of reading an answer would go otherwise.
func plainRun(data []byte) int {
	const ones, tops = 0x0101010101010101, 0x8080808080808080
	n := 0
	for ; len(data)-n >= 8; n += 8 {
		x := binary.LittleEndian.Uint64(data[n:])
		quote, slash := x^ones*'"', x^ones*'\\' // a zero byte where there is one
		// The top bit of a byte is set where that is zero. Bytes behind it may have it set wrongly, those before it not.
		if found := (x | (quote-ones)&^quote | (slash-ones)&^slash) & tops; found != 0 {
			return n + bits.TrailingZeros64(found)/8
		}
	}
	return n
}

// number skips a number as JSON defines it.
func (s *scanner) number() bool {
	if s.pos < len(s.data) && s.data[s.pos] == '-' {
		s.pos++
	}
	whole := s.digits()
	if whole == 0 || whole > 1 && s.data[s.pos-whole] == '0' {
		return false
	}
	if s.at('.') {
		s.pos++
		if s.digits() == 0 {
			return false
		}
	}
	if s.at('e') || s.at('E') {
		s.pos++
		if s.at('+') || s.at('-') {
			s.pos++
		}
		return s.digits() > 0
	}
	return true
}

func (s *scanner) at(c byte) bool { return s.pos < len(s.data) && s.data[s.pos] == c }

func (s *scanner) digits() int {
	start := s.pos
	for s.pos < len(s.data) && '0' <= s.data[s.pos] && s.data[s.pos] <= '9' {
		s.pos++
	}
	return s.pos - start
}

// members walks through the object that begins here. read is called with each member's name, without quotes, when its value is next,
// and consumes the value; the walk ends when read returns false, as if the text were not JSON.
func (s *scanner) members(depth int, read func(name []byte) bool) bool {
	if depth >= maxDepth || !s.accept('{') {
		return false
	}
	if s.accept('}') {
		return true
	}
	for {
		if s.space() != '"' {
			return false
		}
		name := s.text()
		if name == nil || !s.accept(':') || !read(plainName(name)) {
			return false
		}
		if s.accept('}') {
			return true
		}
		if !s.accept(',') {
			return false
		}
	}
}

// plainName takes the quotes and the escapes off a member's name.
func plainName(name []byte) []byte {
	if bytes.IndexByte(name, '\\') < 0 {
		return name[1 : len(name)-1]
	}
	return []byte(unquote(name))
}

// items walks through the array that begins here, as members does.
func (s *scanner) items(depth int, read func(i int) bool) bool {
	if depth >= maxDepth || !s.accept('[') {
		return false
	}
	if s.accept(']') {
		return true
	}
	for i := 0; ; i++ {
		if !read(i) {
			return false
		}
		if s.accept(']') {
			return true
		}
		if !s.accept(',') {
			return false
		}
	}
}

// end reports whether nothing but white space is left.
func (s *scanner) end() bool {
	s.space()
	return s.pos == len(s.data)
}
