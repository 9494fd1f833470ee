package plan

import (
	"slices"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// recipient notes whether a field of a request says who gets it, marked in the spec or named in the overlay, and finds one that cannot.
func (p *planner) recipient(op *spec.Operation, f *Field, marked bool) {
	if f.Recipient = marked; marked && !f.Value.names() {
		p.fault(f.Line, "mark a text, a pipe-list or a list of texts", "%q is x-recipient, and holds no names", f.Wire)
	}
	for _, to := range op.Recipients {
		if to.Value != f.Wire {
			continue
		}
		if f.Recipient = true; !f.Value.names() {
			p.fault(to.Line, "name a text or a list of texts", "%q of recipients holds no names", f.Wire)
		}
	}
}

// names reports whether v can name recipients.
func (v *Value) names() bool {
	switch v.Kind {
	case Pipes:
		return true
	case List:
		return v.Elem.Single() && v.Elem.Type == "string"
	default:
		return v.Single() && v.Type == "string"
	}
}

// checkMarks finds marks on what is no field of a request itself, where nothing would come of them.
func (p *planner) checkMarks(prop *spec.Property) {
	const cure = "mark a parameter, or a field at the top of a request's body"
	if prop.Recipient {
		p.fault(prop.Line, cure, "property %s is x-recipient, and no field of a request", prop.Name)
	}
	if prop.FromCredential {
		p.fault(prop.Line, cure, "property %s is x-from, and no field of a request", prop.Name)
	}
}

// Recipients are the names on the wire of what says who gets it.
func (m *Method) Recipients() []string {
	var out []string
	for _, t := range []*Type{m.Request, m.Fixed} {
		if t == nil {
			continue
		}
		for _, f := range slices.Concat(t.Constants, t.Fields) {
			if f.Recipient {
				out = append(out, f.Wire)
			}
		}
	}
	return out
}

// recipients finds calls that count by recipient and name none, and what an overlay names and is no field.
func (p *planner) recipients() {
	cure := "add x-recipient: true to what says who gets it, or take another group"
	if p.doc.Foreign {
		cure = "write recipients: [NAME] beside its x-resilience, of the parameter or field of the body that says who gets it, or take another group"
	}
	for _, m := range p.calls() {
		p.unknownRecipients(m)
		windows := p.doc.WindowsOf(m.Op.Group.Value)
		i := slices.IndexFunc(windows, func(w *spec.Window) bool { return w.Key == spec.RecipientKey })
		if i >= 0 && len(m.Recipients())+len(m.Op.Recipients) == 0 {
			p.fault(m.Op.Group.Line, cure,
				"operation %q names no recipient, by whom window %s of group %s counts", m.Op.ID.Value, windows[i].Name, m.Op.Group.Value)
		}
	}
}

// unknownRecipients finds names in the overlay that no field of the request has.
func (p *planner) unknownRecipients(m *Method) {
	var known, names []string
	for _, t := range []*Type{m.Request, m.Fixed} {
		if t == nil {
			continue
		}
		for _, f := range slices.Concat(t.Constants, t.Fields) {
			known = append(known, f.Wire)
			if f.Value.names() {
				names = append(names, f.Wire)
			}
		}
	}
	for _, to := range m.Op.Recipients {
		if !slices.Contains(known, to.Value) {
			p.fault(to.Line, spec.Suggestion(to.Value, names, "name a parameter, or a field at the top of the body"),
				"recipients of operation %q: its request has no %q", m.Op.ID.Value, to.Value)
		}
	}
}
