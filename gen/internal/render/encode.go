package render

import (
	"fmt"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
)

// encoders writes how each request fills the wire.
func (w *writer) encoders() (string, error) {
	var b strings.Builder
	for _, t := range w.plan.Types {
		if t.For == nil || !t.Input {
			b.WriteString(selfWriting(t))
			continue
		}
		b.WriteString("\n// Encode writes the parameters into e. Those of a nil request are not set.\n")
		b.WriteString(encoder(t))
	}
	for _, s := range w.plan.Services {
		for _, m := range s.Methods {
			b.WriteString(fixedParams(m))
		}
	}
	text, err := execute("encode.tmpl", nil, helpersIn(b.String()))
	if err != nil {
		return "", err
	}
	return b.String() + text, nil
}

// helpers are the functions of encode.tmpl that code calls.
type helpers struct {
	Commas   bool
	Optional []string // the encoder's methods
}

func helpersIn(code string) helpers {
	h := helpers{Commas: strings.Contains(code, " commas(")}
	for _, call := range []string{"Query", "Form", "Header"} {
		if strings.Contains(code, "optional"+call+"(") {
			h.Optional = append(h.Optional, call)
		}
	}
	return h
}

func encoder(t *plan.Type) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func (r *%s) Encode(e *wire.Encoder) {\n", t.Name)
	fmt.Fprintf(&b, "if r == nil {\nr = new(%s)\n}\n", t.Name)
	b.WriteString(encodeConstants(t))
	for _, f := range t.Fields {
		b.WriteString(encodeField(f))
		b.WriteString(complete(f))
	}
	if t.JSON {
		b.WriteString(encodeJSON(t))
	}
	b.WriteString("}\n")
	return b.String()
}

// encodeField writes one parameter: a required one that is not set is a fault, an optional one is left out. What stands in a JSON body
// travels with it.
func encodeField(f *plan.Field) string {
	send, set := recipients(f), isSet(f)
	if f.In != plan.InJSON {
		send = sending(f) + send
	}
	switch {
	case f.In == plan.InJSON && (!f.Required || f.Nullable) && send == "":
		return ""
	case f.In == plan.InPath, f.Value.Kind == plan.File && !f.Required:
		return send // the encoder itself refuses an empty path, and takes no file for none
	case f.Required && set == "":
		return send
	case f.Required && !f.Nullable:
		return missing(f, set) + send
	case f.Pointer() && f.Value.Single() && !f.Recipient && f.In != plan.InJSON && f.In != plan.InBody:
		return fmt.Sprintf("optional%s(e, %q, r.%s)\n", calls[f.In], f.Wire, f.Name)
	case f.Value.Kind == plan.List && strings.HasPrefix(send, "for "):
		return send // of an empty list nothing
	default:
		return fmt.Sprintf("if %s {\n%s}\n", set, send)
	}
}

// complete looks at the required fields inside what a field holds.
func complete(f *plan.Field) string {
	if !f.Inside {
		return ""
	}
	name := f.Wire
	if f.In == plan.InBody {
		name = ""
	}
	return fmt.Sprintf("e.Complete(%q, r.%s)\n", name, f.Name)
}

func missing(f *plan.Field, set string) string {
	return fmt.Sprintf("if %s {\ne.Missing(%q)\n}\n", negated(set), f.Wire)
}

// isSet is the condition under which a field holds something; empty where each value does.
func isSet(f *plan.Field) string {
	name := "r." + f.Name
	if f.Nullable {
		return name + " != nil"
	}
	switch f.Value.Kind {
	case plan.Object, plan.File, plan.Map, plan.Raw:
		return name + " != nil"
	case plan.Pipes:
		return "len(" + name + ") > 0"
	case plan.List:
		if f.In != plan.InBody && (f.Required || usesCommas(f) || f.In == plan.InQuery) {
			return "len(" + name + ") > 0"
		}
		return name + " != nil"
	case plan.Time:
		return "!" + name + ".IsZero()"
	case plan.Text, plan.Secret:
		return name + ` != ""`
	case plan.Scalar, plan.Enum:
		if !f.Required {
			return name + " != nil"
		}
		if f.Value.Type == "string" && !f.MayBeEmpty() {
			return name + ` != ""`
		}
	}
	return ""
}

func negated(condition string) string {
	if inner, ok := strings.CutPrefix(condition, "!"); ok {
		return inner
	}
	return strings.NewReplacer(" != ", " == ", " > 0", " == 0").Replace(condition)
}

// calls are the encoder's methods for what travels outside a JSON body.
var calls = map[string]string{plan.InPath: "Path", plan.InQuery: "Query", plan.InHeader: "Header", plan.InForm: "Form"}

// sending is the statement that writes a field that is set.
func sending(f *plan.Field) string {
	name := "r." + f.Name
	call := calls[f.In]
	if f.In == plan.InBody {
		return "e.JSON(" + name + ")\n"
	}
	switch f.Value.Kind {
	case plan.File:
		return fmt.Sprintf("e.File(%q, %s)\n", f.Wire, name)
	case plan.List:
		if usesCommas(f) {
			return fmt.Sprintf("e.%s(%q, %s)\n", call, f.Wire, joined(f, name))
		}
		if (f.In == plan.InQuery || f.Repeats) && f.Value.Elem.Textual() {
			return fmt.Sprintf("for _, v := range %s {\ne.%s(%q, %s)\n}\n", name, call, f.Wire, sent(f, f.Value.Elem, "v"))
		}
		return fmt.Sprintf("e.%sJSON(%q, %s)\n", call, f.Wire, name)
	case plan.Object, plan.Map, plan.Raw:
		return fmt.Sprintf("e.%sJSON(%q, %s)\n", call, f.Wire, name)
	case plan.Scalar, plan.Enum:
		if !f.Required {
			name = "*" + name
		}
	case plan.Text, plan.Secret, plan.Time, plan.Pipes: // the last travel in JSON alone
	}
	return fmt.Sprintf("e.%s(%q, %s)\n", call, f.Wire, sent(f, f.Value, name))
}

// usesCommas reports whether a list travels in one value, with commas.
func usesCommas(f *plan.Field) bool {
	return f.Value.Kind == plan.List && f.Commas && f.Value.Elem.Textual() && f.In != plan.InJSON
}

// joined is the expression for the one text of a list, by the function of encode.tmpl where its entries are no dates.
func joined(f *plan.Field, name string) string {
	if f.Value.Elem.Kind == plan.Time {
		return fmt.Sprintf("e.Commas(%q, wire.DateTexts(e, %q, %s))", f.Wire, f.Wire, name)
	}
	return fmt.Sprintf("commas(e, %q, %s)", f.Wire, name)
}

// sent is text for what a field sends: no date that cannot be written, and no secret that errors may show.
func sent(f *plan.Field, v *plan.Value, expr string) string {
	switch v.Kind {
	case plan.Secret:
		return "e.Reveal(" + expr + ")"
	case plan.Time:
		return fmt.Sprintf("wire.DateText(e, %q, %s)", f.Wire, expr)
	default:
		return text(v, expr)
	}
}

// text is the expression for a single value's text.
func text(v *plan.Value, expr string) string {
	switch v.Kind {
	case plan.Secret:
		return expr + ".Reveal()"
	case plan.Time:
		return expr + ".Text()"
	case plan.Text:
		return "string(" + expr + ")"
	default:
		switch {
		case v.Type == "string" && v.Kind == plan.Scalar && v.Format != "text-or-number":
			return expr
		case v.Type == "string":
			return "string(" + expr + ")"
		default:
			return "wire.Text(" + expr + ")"
		}
	}
}
