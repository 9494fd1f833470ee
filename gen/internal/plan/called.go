package plan

import "github.com/dujiang-go/dujiang/gen/internal/spec"

// nameInside settles what the objects inside named schemas are called: after the schema that declares them and the fields on the way,
// and not after who happens to hold them first, such as a request that has the schema for its body, or another schema's allOf.
func (p *planner) nameInside() {
	for _, s := range p.doc.Schemas {
		if s.Ref != "" {
			continue
		}
		name, ok := p.schemas[s.Name]
		if !ok {
			name = p.fieldName(s.Name, s)
		}
		if name != "" {
			p.callFields(s, s, name)
			p.callHeld(s, name)
		}
	}
}

// call names an object that stands somewhere, and those inside it.
func (p *planner) call(s *spec.Schema, name string) {
	switch {
	case s == nil || s.Ref != "":
	case p.isStruct(s):
		p.called[s] = name
		p.callFields(s, s, name)
	case len(s.AllOf) == 1:
		p.call(s.AllOf[0], name)
	default:
		p.callHeld(s, name)
	}
}

// callHeld names what a list or map holds.
func (p *planner) callHeld(s *spec.Schema, name string) {
	p.call(s.Items, name+"Item")
	p.call(s.Values, name+"Value")
}

// callFields names what the fields of part hold, an object of which it is all or a part without a name.
func (p *planner) callFields(whole, part *spec.Schema, name string) {
	t := &Type{}
	props, _ := p.doc.Properties(whole)
	for _, prop := range props {
		p.foresee(t, p.fieldName(prop.Name, prop.Schema), wire{name: prop.Name})
	}
	for _, prop := range part.Properties {
		if field := p.settledField(t, p.fieldName(prop.Name, prop.Schema), wire{name: prop.Name}); field != "" {
			p.call(prop.Schema, name+field)
		}
	}
	for _, inner := range part.AllOf {
		if inner.Ref == "" {
			p.callFields(whole, inner, name)
		}
	}
}
