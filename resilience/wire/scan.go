package wire

import "bytes"

// maxDepth bounds nesting. The platforms stay below 20.
const maxDepth = 1000

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
	switch {
	case first == '"':
		return s.text() != nil
	case first == '{':
		return s.object(depth, func(_, _ []byte) bool { return true })
	case first == '[':
		return s.array(depth, func(_ []byte) bool { return true })
	case first == 't':
		return s.literal("true")
	case first == 'f':
		return s.literal("false")
	case first == 'n':
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
	for i := start + 1; i < len(s.data); i++ {
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

// object walks through an object. Keys come with their quotes, values as text. visit ends the walk by returning false, which counts
// as a fault.
func (s *scanner) object(depth int, visit func(key, value []byte) bool) bool {
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
		key := s.text()
		if key == nil || !s.accept(':') {
			return false
		}
		value := s.value(depth + 1)
		if value == nil || !visit(key, value) {
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

// array walks through an array, as object does.
func (s *scanner) array(depth int, visit func(value []byte) bool) bool {
	if depth >= maxDepth || !s.accept('[') {
		return false
	}
	if s.accept(']') {
		return true
	}
	for {
		value := s.value(depth + 1)
		if value == nil || !visit(value) {
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
