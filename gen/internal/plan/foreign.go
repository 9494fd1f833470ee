package plan

import (
	"strconv"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// Nobody can add x-go-name to a foreign spec. There, names that clash are told apart by a number, in the order of the spec, and what
// gives no Go name is numbered too. In our own specs both are faults.

// settled returns name, or the first of name2, name3, ... that no other declaration of the package has.
func (p *planner) settled(name string) string {
	return p.numbered(p.plan, name, func(name string) bool { _, taken := p.names[name]; return taken })
}

// settledField returns the name of a field that t has not yet.
func (p *planner) settledField(t *Type, name string) string {
	if p.doc.Foreign && !naming.IsExported(name) {
		name = "Field" + strconv.Itoa(len(t.Fields)+len(t.Constants)+1)
	}
	return p.numbered(t, name, func(name string) bool { return name == "Encode" || name == t.writes() || t.names[name] != nil })
}

// A clash is a name that is taken: of a field of a *Type, or of a declaration of the *Plan.
type clash struct {
	in   any
	name string
}

// numbered gives a name that is taken a number, going on from the last that the name got: what was given stays taken.
func (p *planner) numbered(in any, name string, taken func(string) bool) string {
	if !p.doc.Foreign || !taken(name) {
		return name
	}
	for i := max(2, p.clashes[clash{in, name}]); ; i++ {
		if next := name + strconv.Itoa(i); !taken(next) {
			p.clashes[clash{in, name}] = i
			return next
		}
	}
}
