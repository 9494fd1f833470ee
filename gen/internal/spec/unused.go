package spec

import "slices"

// What nobody means: parts of a document that hold for nothing. Each looks as if it did something.

// unusedWindows finds limits that hold for nothing.
func (r *reader) unusedWindows(doc *Document) {
	used := map[string]bool{}
	for _, g := range doc.Groups {
		for _, w := range g.Windows {
			used[w.Value] = true
		}
	}
	for _, w := range doc.Windows {
		if !used[w.Name] {
			r.fault(w.Line, "add it to the groups under x-quotas.groups that it holds for, or drop it", "window %s is in no group", w.Name)
		}
	}
}

// unusedGroups finds groups that no operation counts against. Where an operation's own group is unknown, that is said instead.
func (r *reader) unusedGroups(doc *Document) {
	if r.as.Draft || r.as.Partial {
		return
	}
	used := map[string]bool{}
	for _, op := range doc.Operations {
		isKnown := op.Group.Value == NoGroup || slices.ContainsFunc(doc.Groups, func(g *Group) bool { return g.Name == op.Group.Value })
		if !isKnown {
			return
		}
		used[op.Group.Value] = true
	}
	for _, g := range doc.Groups {
		if !used[g.Name] {
			r.fault(g.Line, "write group: "+g.Name+" in the x-resilience of the operations that count against it, or drop it",
				"group %s is that of no operation", g.Name)
		}
	}
}

// deadErrors finds tables of codes that nothing is looked up in, since no answer is known to carry a code.
func (r *reader) deadErrors(doc *Document) {
	e := doc.Envelope
	if r.as.Draft || len(e.Code)+len(e.Subcode)+len(e.Success) > 0 {
		return
	}
	const cure = "add x-envelope: {code: [error.code]} with the path at which answers carry it, or drop the table"
	if len(doc.Errors) > 0 {
		r.fault(doc.Errors[0].Line, cure, "x-errors is never looked at: no x-envelope says where answers carry their code")
		return
	}
	for _, op := range doc.Operations {
		if len(op.Errors) > 0 {
			r.fault(op.Errors[0].Line, cure, "x-resilience.errors is never looked at: no x-envelope says where answers carry their code")
		}
	}
}
