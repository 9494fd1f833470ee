package render

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
)

// encodeConstants writes what is sent with one value always, but for what stands in a JSON body.
func encodeConstants(t *plan.Type) string {
	var b strings.Builder
	for _, f := range t.Constants {
		if f.In != plan.InJSON {
			fmt.Fprintf(&b, "e.%s(%q, %q)\n", calls[f.In], f.Wire, f.Constant())
		}
		if f.Recipient {
			fmt.Fprintf(&b, "e.Recipient(%q)\n", f.Constant())
		}
	}
	return b.String()
}

// encodeJSON writes the body: the request, with its constants beside it. A request without fields of the body is an empty object.
func encodeJSON(t *plan.Type) string {
	var fields, values []string
	for _, f := range t.Constants {
		if f.In == plan.InJSON {
			typ, value := literal(f)
			fields, values = append(fields, fmt.Sprintf("%s %s%s\n", f.Name, typ, jsonTag(f.Wire, ""))), append(values, value)
		}
	}
	if len(fields) == 0 && hasJSON(t) {
		return "e.JSON(r)\n"
	}
	if len(fields) == 0 {
		return "e.JSON(struct{}{})\n"
	}
	if hasJSON(t) {
		fields, values = append(fields, "*"+t.Name+"\n"), append(values, "r")
	}
	return "e.JSON(struct {\n" + strings.Join(fields, "") + "}{" + strings.Join(values, ", ") + "})\n"
}

func hasJSON(t *plan.Type) bool {
	for _, f := range t.Fields {
		if f.In == plan.InJSON {
			return true
		}
	}
	return false
}

// literal is a constant in Go, with its type.
func literal(f *plan.Field) (typ, value string) {
	switch f.Value.Type {
	case "integer":
		return "int64", f.Constant()
	case "number":
		return "float64", f.Constant()
	case "boolean":
		return "bool", f.Constant()
	default:
		return "string", strconv.Quote(f.Constant())
	}
}

// selfWriting writes the method by which objects inside requests carry what has one value.
func selfWriting(t *plan.Type) string {
	var said []string
	var set strings.Builder
	for _, f := range t.Fields {
		if !f.Always || f.IsZero() {
			continue
		}
		_, value := literal(f)
		said = append(said, f.Wire+" "+value)
		condition := fmt.Sprintf("v.%s == %s", f.Name, zeroOf(f))
		if f.Value.Type == "boolean" {
			condition = "!v." + f.Name
		}
		fmt.Fprintf(&set, "if %s {\nv.%s = %s\n}\n", condition, f.Name, value)
	}
	if len(said) == 0 {
		return ""
	}
	return "\n" + comment("", fmt.Sprintf("MarshalJSON writes v, with %s where they are not set.", Listed(said, "and"))) +
		fmt.Sprintf("func (v %s) MarshalJSON() ([]byte, error) {\ntype plain %s\n%sreturn wire.Marshal(plain(v))\n}\n", t.Name, t.Name, set.String())
}

func zeroOf(f *plan.Field) string {
	if f.Value.Type == "string" {
		return `""`
	}
	return "0"
}

// fixedParams writes the type of what a method sends that takes no request, where there is something.
func fixedParams(m *plan.Method) string {
	t := m.Fixed
	if t == nil || len(t.Constants) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString("\n" + comment("", fmt.Sprintf("%s is what [%s.%s] sends each time: %s.", t.Name, m.Service.Type, m.Name, constants(t))))
	fmt.Fprintf(&b, "type %s struct{}\n\n// Encode writes it into e.\nfunc (%s) Encode(e *wire.Encoder) {\n", t.Name, t.Name)
	b.WriteString(encodeConstants(t))
	if t.JSON {
		b.WriteString(encodeJSON(t))
	}
	b.WriteString("}\n")
	return b.String()
}

// constants lists what is sent although no caller gives it; empty for nothing.
func constants(t *plan.Type) string {
	texts := make([]string, len(t.Constants))
	for i, f := range t.Constants {
		_, value := literal(f)
		texts[i] = f.Wire + " " + value
	}
	return Listed(texts, "and")
}
