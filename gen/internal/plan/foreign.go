package plan

import (
	"cmp"
	"maps"
	"strconv"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Nobody can add x-go-name to a foreign spec. There, of schemas, fields and values of an enum that clash, and of what has no letter or
// digit, the name is spelled as it is on the wire, so that a spec that grows gives the name of one to no other. Only what the plan itself
// calls after a place gets a number where a schema has its name: who takes one for the other is told by the compiler. In our own specs
// all of it is a fault.

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

// schemaName is the Go name of a schema: what the spec says, or what its name gives.
func (p *planner) schemaName(s *spec.Schema) string { return cmp.Or(s.GoName.Value, p.goName(s.Name)) }

// settledSchema returns the name of a schema's type; counts says how many have one Go name.
func (p *planner) settledSchema(s *spec.Schema, counts map[string]int) string {
	name := p.schemaName(s)
	if !p.doc.Foreign || s.GoName.Value != "" {
		return p.settled(name)
	}
	if _, taken := p.names[name]; taken || counts[name] > 1 || !naming.IsExported(name) {
		name = spelled(s.Name)
	}
	return p.settled(name)
}

// spelled is a Go name that is like no other.
func spelled(wire string) string { return "X" + naming.Verbatim(wire) }

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

// foreseePlaces finds the names that fields get which are told apart by where they travel.
func (p *planner) foreseePlaces(t *Type) {
	for name, wires := range maps.Clone(t.wires) {
		for _, w := range wires {
			if same, _ := t.rivals(name, w); same > 1 {
				p.foresee(t, name+w.place(), w)
			}
		}
	}
}

// rivals counts the fields that would have one Go name: those of the name that w has on the wire, w among them, and those of another.
func (t *Type) rivals(name string, w wire) (same, others int) {
	for _, other := range t.wires[name] {
		if other.name == w.name {
			same++
		} else {
			others++
		}
	}
	return same, others
}

// place is the end of a name that says where a field travels.
func (w wire) place() string {
	place, _ := naming.Exported("in " + w.in)
	return place
}

// settledField returns the name of a field of t: two of one name on the wire are told apart by where they travel.
func (p *planner) settledField(t *Type, name string, w wire) string {
	if !p.doc.Foreign {
		return name
	}
	same, others := t.rivals(name, w)
	if others > 0 || !naming.IsExported(name) || name == "Encode" || name == t.writes() {
		name = spelled(w.name)
	}
	if same < 2 {
		return name
	}
	if _, others := t.rivals(name+w.place(), w); others > 0 {
		name = spelled(w.name)
	}
	return name + w.place()
}
