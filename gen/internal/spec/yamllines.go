package spec

import (
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// yamlLines holds, for each line as the YAML reader counts them, its number for everybody else; nil where both are the same.
type yamlLines []int

// lineEnds counts the lines of data. For YAML 1.1 the signs U+0085, U+2028, U+2029 and a carriage return alone end a line too; for editors
// and for [Lines] only a line feed does.
func lineEnds(data []byte) yamlLines {
	lines, line, odd := yamlLines{1}, 1, false
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		i += size
		switch {
		case r == '\n':
			line++
		case r == '\r' && i < len(data) && data[i] == '\n':
			continue // the two are one end
		case r == '\r', r == '\u0085', r == '\u2028', r == '\u2029':
			odd = true
		default:
			continue
		}
		lines = append(lines, line)
	}
	if !odd {
		return nil
	}
	return lines
}

// line returns the number that everybody else has for a line of the YAML reader.
func (l yamlLines) line(counted int) int {
	if counted < 1 || len(l) == 0 {
		return counted
	}
	return l[min(counted, len(l))-1]
}

// correct renumbers a tree.
func (l yamlLines) correct(n *yaml.Node) {
	if len(l) == 0 {
		return
	}
	n.Line = l.line(n.Line)
	for _, child := range n.Content {
		l.correct(child)
	}
}
