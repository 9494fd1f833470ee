package plan

// partials finds marks of partial success that no answer holds.
func (p *planner) partials() {
	for _, m := range p.calls() {
		p.partial(m)
	}
}

func (p *planner) partial(m *Method) {
	for _, at := range m.Op.Partial {
		if m.Answer.Value == nil || m.Answer.Value.Kind != Object {
			p.fault(at.Line, "describe the answer, or drop partial", "x-resilience.partial %q on a call whose answer has no fields", at.Value)
			continue
		}
		p.path(p.declared[m.Answer.Value.Name], at, "x-resilience.partial")
	}
}
