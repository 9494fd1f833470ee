package skeleton

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

func (w *writer) operations() {
	w.blank()
	switch {
	case len(w.ops) == 0:
		w.line("operations: # the spec has none")
	case !slices.ContainsFunc(w.ops, func(op *operation) bool { return !op.isWhole() }):
		w.line("operations: # the spec itself says all of its operations")
	default:
		w.line("operations:")
		for i, op := range w.ops {
			if i > 0 {
				w.blank()
			}
			w.operation(op)
		}
	}
}

// operation writes the block of one: what the spec itself does not say of it in our words, for that holds already.
func (w *writer) operation(op *operation) {
	what := op.HTTPMethod + " " + op.Path
	if op.Summary != "" && op.Summary != op.ID.Value && op.Summary != what {
		what += ": " + op.Summary
	}
	w.line("  # %s (%s)", line(what, 100), w.at(op.Line))
	if op.isWhole() {
		w.line("  # the spec itself says its x-sdk and x-resilience, which hold")
		return
	}
	w.summary.Operations++
	w.line("  %s:", scalar(op.name()))
	service, method := op.Service.Value, op.Method.Value
	if !op.hasPlace() {
		service, method = w.names.name(op)
		w.line("    x-sdk: {service: %s, method: %s}", service, method)
	}
	reasons := append(w.resilience(op), op.remarks()...)
	if p := pagination(w.doc, op); p != nil && op.Pages == nil && w.names.takeAll(service, method) {
		w.line("    x-pagination: %s", pageText(p))
		how := "pages guessed from " + p.Param.Value + " and " + p.Items.Value
		if p.Style == spec.PageStyle {
			how += ", counted from " + cmp.Or(p.First.Value, "1")
		}
		if p.Total.Value != "" {
			how += ", until as many entries came as " + p.Total.Value + " says"
		}
		reasons = append(reasons, how)
	}
	w.line("    review: %s", scalar(strings.Join(reasons, "; ")))
}

// resilience writes what a call is taken for, and returns why.
func (w *writer) resilience(op *operation) []string {
	if op.hasPolicy() {
		return []string{"its x-resilience is the spec's own, its method is guessed"}
	}
	g := take(op)
	c := w.counting(g.scope)
	if g.odd || c.odd {
		w.summary.Odd++
	}
	if c.odd && !g.odd {
		g.review = "CHECK: " + g.review
	}
	w.line("    x-resilience: {scope: %s, group: %s, idempotent: %t}", g.scope, scalar(c.group), g.idempotent)
	if c.review == "" {
		return []string{g.review}
	}
	return []string{g.review, c.review}
}

// A counting is what a call is taken to count against, and why.
type counting struct {
	group  string
	review string // empty where no call is counted
	odd    bool   // the others do not tell
}

// counting takes a call to count against what most calls of its scope do of which that is known: one that is not counted beside others
// that are would pass a limit that is known, and nothing shows it.
func (w *writer) counting(scope string) counting {
	if len(w.doc.Groups) == 0 {
		return counting{group: spec.NoGroup}
	}
	calls, of := map[string]int{}, 0
	for _, op := range w.ops {
		if op.Scope == scope && op.Group.Value != "" {
			calls[op.Group.Value]++
			of++
		}
	}
	for group, n := range calls {
		switch {
		case 2*n <= of:
		case group == spec.NoGroup:
			return counting{group: group, review: fmt.Sprintf("not counted, like %d of %s", n, spec.Count(of, scope))}
		default:
			return counting{group: group, review: fmt.Sprintf("group %s guessed, that of %d of %s", group, n, spec.Count(of, scope))}
		}
	}
	var names []string
	for _, g := range w.doc.Groups {
		names = append(names, g.Name)
	}
	return counting{spec.NoGroup, "not counted, though others are: choose among the groups " + strings.Join(names, ", ") + ", or leave none", true}
}

// hasPlace reports whether the spec itself says where the operation stands in the Go API.
func (o *operation) hasPlace() bool { return o.Service.Value != "" && o.Method.Value != "" }

// hasPolicy reports whether the spec itself says what may be done with a call.
func (o *operation) hasPolicy() bool { return o.Scope != "" }

func (o *operation) isWhole() bool { return o.hasPlace() && o.hasPolicy() }
