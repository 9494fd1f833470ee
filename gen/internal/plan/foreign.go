package plan

import (
	"slices"
	"strconv"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// Nobody can add x-go-name to a foreign spec. There, names that clash are told apart by a number, in the order of the spec, and what
// gives no Go name is numbered too. In our own specs both are faults.

// settled returns name, or the first of name2, name3, ... that no other declaration of the package has.
func (p *planner) settled(name string) string {
	return p.numbered(name, func(name string) bool { _, taken := p.names[name]; return taken })
}

// settledField returns the name of a field that t has not yet.
func (p *planner) settledField(t *Type, name string) string {
	if p.doc.Foreign && !naming.IsExported(name) {
		name = "Field" + strconv.Itoa(len(t.Fields)+len(t.Constants)+1)
	}
	return p.numbered(name, func(name string) bool {
		return name == "Encode" || slices.ContainsFunc(slices.Concat(t.Fields, t.Constants), func(f *Field) bool { return f.Name == name })
	})
}

func (p *planner) numbered(name string, taken func(string) bool) string {
	if !p.doc.Foreign || !taken(name) {
		return name
	}
	for i := 2; ; i++ {
		if next := name + strconv.Itoa(i); !taken(next) {
			return next
		}
	}
}
