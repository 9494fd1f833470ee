package plan

import (
	"strconv"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Nobody can add x-go-name to a foreign spec. There, types whose names clash are told apart by a number, in the order of the spec: who
// takes one for another is told by the compiler. Fields and the values of an enum are not: of those that clash, and of what has no letter
// or digit, the name is spelled as it is on the wire, so that a spec that grows gives the name of one to no other. In our own specs all
// of it is a fault.

// goName makes a Go name of one on the wire; empty where our own specs have to say one, which everybody can type.
func (p *planner) goName(wire string) string {
	if _, ok := naming.Exported(naming.Latin(wire)); !ok && !p.doc.Foreign {
		return ""
	}
	name, _ := naming.Exported(wire)
	return name
}

// settled returns name, or the first of name2, name3, ... that no other declaration of the package has.
func (p *planner) settled(name string) string {
	if _, taken := p.names[name]; !p.doc.Foreign || !taken {
		return name
	}
	for i := max(2, p.clashes[name]); ; i++ { // what was given stays taken
		next := name + strconv.Itoa(i)
		if _, taken := p.names[next]; !taken {
			p.clashes[name] = i
			return next
		}
	}
}

// A wire is what a field is on the way: its name, and where it travels in a request.
type wire struct{ name, in string }

// fieldName is the Go name of a field: what the spec says, or what its name on the wire gives, as in Plus1 for +1.
func (p *planner) fieldName(name string, s *spec.Schema) string {
	if s.GoName.Value != "" {
		return s.GoName.Value
	}
	return p.goName(signWord(name))
}

// foresee finds the fields of t that have one Go name.
func (p *planner) foresee(t *Type, name string, w wire) {
	if t.wires == nil {
		t.wires = map[string][]wire{}
	}
	t.wires[name] = append(t.wires[name], w)
}

// settledField returns the name of a field of t: two of one name on the wire are told apart by where they travel.
func (p *planner) settledField(t *Type, name string, w wire) string {
	same, others := 0, 0
	for _, other := range t.wires[name] {
		if other.name == w.name {
			same++
		} else {
			others++
		}
	}
	if !p.doc.Foreign {
		return name
	}
	if others > 0 || !naming.IsExported(name) || name == "Encode" || name == t.writes() {
		name = "X" + naming.Verbatim(w.name)
	}
	if same > 1 {
		place, _ := naming.Exported("in " + w.in)
		name += place
	}
	return name
}
