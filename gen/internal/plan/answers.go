package plan

// answers finds schemas without a description that are the answer of one method and nothing else: the method says what they are.
func (p *planner) answers() {
	held := map[string]bool{}
	of := map[string][]*Method{}
	for _, t := range p.plan.Types {
		for _, f := range t.Fields {
			if name := f.Value.held(); name != t.Name { // a tree is no part of something else
				held[name] = true
			}
		}
	}
	for _, m := range p.calls() {
		switch v := m.Answer.Value; {
		case v == nil:
		case v.Kind == Object:
			of[v.Name] = append(of[v.Name], m)
		default:
			held[v.held()] = true
		}
	}
	for _, t := range p.plan.Types {
		if methods := of[t.Name]; len(methods) == 1 && t.Doc == "" && !t.Input && !held[t.Name] {
			t.For = methods[0]
		}
	}
}

// held is the Go type that v names: its own, or that of the entries of a list or map. It is empty for plain values.
func (v *Value) held() string {
	for v.Elem != nil {
		v = v.Elem
	}
	return v.Name
}

// holdsDates reports whether v is a list or map of dates.
func (v *Value) holdsDates() bool {
	inner := v
	for inner.Elem != nil {
		inner = inner.Elem
	}
	return v.Elem != nil && inner.Kind == Time
}
