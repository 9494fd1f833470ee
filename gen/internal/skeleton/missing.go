package skeleton

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Missing returns what the overlay of a draft lacks, to be appended to its text as it is: the blocks of the operations that it does not
// have yet, as deep as those that it has. The faults say why nothing can be appended to that text, which stands at path.
func Missing(doc *spec.Document, path string) (string, Summary, []spec.Fault) {
	w := newWriter(doc)
	for _, op := range w.ops {
		if !op.Given {
			w.blank()
			w.operation(op)
		}
	}
	if w.summary.Operations == 0 {
		return "", w.summary, nil
	}
	root, faults := spec.Tree(path, doc.Overlay)
	if len(faults) > 0 {
		return "", w.summary, faults
	}
	e, fault := endOf(root)
	if fault == nil {
		text := e.fitted(readable(w.text.String()))
		if e.takes(slices.Concat(doc.Overlay, []byte(text)), w.summary.Operations) {
			return text, w.summary, nil
		}
		fault = &spec.Fault{Line: e.line, Message: "what the overlay ends with takes no more operations", Cure: inBlocks}
	}
	fault.File = path
	return "", w.summary, []spec.Fault{*fault}
}

const (
	operationsKey = "operations"
	inBlocks      = "let it end with operations, and write each of them on lines of its own, with blanks before what it holds"
)

// An end is where an overlay takes more operations.
type end struct {
	line  int // of operations, or of the overlay's first key
	has   int // operations; less than 0 if there is no such key
	top   int // blanks before the keys of the overlay
	name  int // before the name of an operation
	inner int // before its keys
}

// endOf finds the end. What is appended to a file belongs to what stands last there.
func endOf(root *yaml.Node) (end, *spec.Fault) {
	if !isBlock(root) {
		return end{}, &spec.Fault{Line: root.Line, Message: "the overlay is no block of YAML, to which more could be appended", Cure: inBlocks}
	}
	first, last := root.Content[0], root.Content[len(root.Content)-2]
	top := first.Column - 1
	e := end{line: first.Line, has: -1, top: top, name: top + 2, inner: top + 4}
	at := slices.IndexFunc(root.Content, func(n *yaml.Node) bool { return n.Value == operationsKey && n.Column == first.Column })
	if at < 0 {
		return e, nil
	}
	if root.Content[at] != last {
		next := root.Content[at+2]
		return e, &spec.Fault{Line: next.Line, Message: "operations have to stand last for more to be appended, and " + next.Value + " follows",
			Cure: "move it above operations"}
	}
	e.line, e.has = last.Line, 0
	if all := root.Content[at+1]; isBlock(all) {
		e.has, e.name = len(all.Content)/2, all.Content[0].Column-1
		e.inner = 2*e.name - top
	}
	return e, nil
}

// isBlock reports whether a mapping stands over lines, one for each key.
func isBlock(n *yaml.Node) bool {
	return n.Kind == yaml.MappingNode && n.Style&yaml.FlowStyle == 0 && len(n.Content) > 0
}

// fitted brings blocks to the depth of those in the overlay.
func (e end) fitted(blocks string) string {
	var b strings.Builder
	if e.has < 0 {
		b.WriteString("\n" + strings.Repeat(" ", e.top) + operationsKey + ":")
	}
	for line := range strings.Lines(blocks) {
		blanks := map[int]int{0: 0, 2: e.name, 4: e.inner}
		text := strings.TrimLeft(line, " ")
		b.WriteString(strings.Repeat(" ", blanks[len(line)-len(text)]) + text)
	}
	return b.String()
}

// takes reports whether an overlay has so many operations more than before, whatever its lines looked like.
func (e end) takes(overlay []byte, more int) bool {
	root, faults := spec.Tree("", overlay)
	if len(faults) > 0 {
		return false
	}
	now, fault := endOf(root)
	return fault == nil && now.has == max(0, e.has)+more
}
