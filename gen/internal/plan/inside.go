package plan

// insides marks the fields of requests whose objects have required fields of their own, and lists of dates, which all have to be set: these
// are looked at before anything is sent.
func (p *planner) insides() {
	demanding := p.demanding()
	for _, t := range p.plan.Types {
		if t.IsRequest() {
			for _, f := range t.Fields {
				f.Inside = demanding[f.Value.held()] || f.Value.holdsDates()
			}
		}
	}
}

// demanding finds the types that have required fields, or hold such types.
func (p *planner) demanding() map[string]bool {
	out := map[string]bool{}
	for grows := true; grows; {
		grows = false
		for _, t := range p.plan.Types {
			if out[t.Name] || !t.Input || t.IsRequest() {
				continue
			}
			for _, f := range t.Fields {
				if f.Demanded() || f.Value.holdsDates() || out[f.Value.held()] {
					out[t.Name], grows = true, true
					break
				}
			}
		}
	}
	return out
}

// MayBeEmpty reports whether an empty text is as good as another. Where the spec does not say so, it is taken for a forgotten one.
func (f *Field) MayBeEmpty() bool {
	return f.Value.Kind == Scalar && f.Value.Type == "string" && f.Value.Schema != nil && f.Value.Schema.MayBeEmpty
}

// IsRequest reports whether t holds the parameters of a method.
func (t *Type) IsRequest() bool { return t.For != nil && t.Input }

// Demanded reports whether a field inside what is sent must be set, and can be left open: every number and flag says something.
func (f *Field) Demanded() bool {
	if !f.Required || f.Nullable || f.Always || f.MayBeEmpty() {
		return false
	}
	return f.Value.Kind != Scalar && f.Value.Kind != Enum || f.Value.Type == "string"
}
