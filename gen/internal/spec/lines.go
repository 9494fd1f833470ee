package spec

import (
	"slices"
	"strconv"
)

// Lines numbers the lines of several files in a row, so that one number says file and line: those of the first file are its own.
type Lines struct {
	starts []int // the number before the first line of each file
	files  []string
	next   int
}

// Add gives numbers to the lines of file, and returns what is added to each.
func (l *Lines) Add(file string, count int) int {
	start := l.next
	l.starts, l.files = append(l.starts, start), append(l.files, file)
	l.next += max(1, count)
	return start
}

// Place returns the file and the line in it that a number stands for.
func (l *Lines) Place(number int) (file string, line int) {
	at := l.at(number)
	if at < 0 {
		return "", max(1, number)
	}
	return l.files[at], max(1, number-l.starts[at])
}

// Text names a line inside a message about the line at: 12, or common.yaml:12 where that is in another file.
func (l *Lines) Text(number, at int) string {
	file, line := l.Place(number)
	if l.at(number) == l.at(at) || file == "" {
		return strconv.Itoa(line)
	}
	return file + ":" + strconv.Itoa(line)
}

func (l *Lines) at(number int) int {
	at, exact := slices.BinarySearch(l.starts, number)
	if exact && at > 0 || !exact {
		at-- // a file's first line is one more than its start
	}
	return at
}
