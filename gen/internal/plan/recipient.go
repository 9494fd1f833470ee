package plan

import (
	"slices"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// checkRecipient finds what cannot say who gets something.
func (p *planner) checkRecipient(f *Field) {
	if f.Recipient && !f.Value.names() {
		p.fault(f.Line, "mark a text, a pipe-list or a list of texts", "%q is x-recipient, and holds no names", f.Wire)
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

// recipients finds calls that count by recipient and name none.
func (p *planner) recipients() {
	for _, m := range p.calls() {
		windows := p.doc.WindowsOf(m.Op.Group.Value)
		i := slices.IndexFunc(windows, func(w *spec.Window) bool { return w.Key == spec.RecipientKey })
		if i >= 0 && len(m.Recipients()) == 0 {
			p.fault(m.Op.Group.Line, "add x-recipient: true to what says who gets it, or take another group",
				"operation %q names no recipient, by whom window %s of group %s counts", m.Op.ID.Value, windows[i].Name, m.Op.Group.Value)
		}
	}
}
