package spec

import (
	"cmp"
	"fmt"
	"slices"
)

// A Fault is one thing that is wrong in a spec, where, and what to do about it.
type Fault struct {
	File    string
	Line    int
	Message string
	Cure    string
}

// String returns "file:line: message: cure", which editors and terminals can jump to.
func (f Fault) String() string {
	return fmt.Sprintf("%s:%d: %s: %s", f.File, f.Line, f.Message, f.Cure)
}

// Fault makes a fault of the line that a number stands for.
func (l *Lines) Fault(number int, cure, format string, args ...any) Fault {
	file, line := l.Place(number)
	return Fault{File: file, Line: line, Message: fmt.Sprintf(format, args...), Cure: cure}
}

// Fault makes a fault of a Line of the document.
func (d *Document) Fault(line int, cure, format string, args ...any) Fault {
	f := d.lines.Fault(line, cure, format, args...)
	f.File, f.Line = d.Place(line)
	return f
}

// Sort orders faults as a reader meets them, and drops the second of two equal ones.
func Sort(faults []Fault) []Fault {
	slices.SortStableFunc(faults, func(a, b Fault) int {
		return cmp.Or(cmp.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(faults)
}

// Nearest returns the known word that a misspelt one probably means, or "".
func Nearest(word string, known []string) string {
	best, least := "", max(2, len(word)/3)+1
	for _, k := range known {
		if d := distance(word, k); d < least {
			best, least = k, d
		}
	}
	return best
}

// Suggestion is a cure for a word that is none of the known: the nearest of them, or otherwise.
func Suggestion(word string, known []string, otherwise string) string {
	if best := Nearest(word, known); best != "" {
		return fmt.Sprintf("did you mean %q?", best)
	}
	return otherwise
}

// Misspelt returns the known key that an unknown one can only be; "" where that is not sure.
func Misspelt(key string, known []string) string {
	if best := Nearest(key, known); best != "" && Near(key, best, max(1, len(key)/4)) {
		return best
	}
	return ""
}

// UnknownKey is the cure for a key that is none of the known: where it belongs, if it is ours and stands in the wrong place, or what it
// probably means.
func UnknownKey(key string, known []string) string {
	holds := func(ours string) bool { return slices.Contains(known, ours) }
	switch {
	case holds("x-sdk") && slices.Contains(resilienceKeys, key):
		return "it belongs inside x-resilience"
	case holds("x-sdk") && slices.Contains(sdkKeys, key):
		return "it belongs inside x-sdk"
	case holds("x-sdk") && slices.Contains(paginationKeys, key):
		return "it belongs inside x-pagination"
	case holds("x-sdk") && slices.Contains(topKeys, key):
		return "it belongs at the top"
	case holds("x-quotas") && slices.Contains(quotaKeys, key):
		return "it belongs inside x-quotas"
	case holds("x-quotas") && slices.Contains(operationKeys, key):
		return "it belongs inside an operation"
	case holds("idempotent") && key == "recipients":
		return "it stands beside x-resilience in an overlay; a spec of ours says x-recipient: true at the parameter or field"
	}
	return Suggestion(key, known, "remove it")
}

// distance counts the letters to insert, drop or change to turn a into b.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// Near reports whether two words differ by at most letters letters, and differ.
func Near(a, b string, letters int) bool {
	d := distance(a, b)
	return d > 0 && d <= letters
}
