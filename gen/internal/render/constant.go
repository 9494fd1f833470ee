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
			fields, values = append(fields, fmt.Sprintf("%s %s `json:%q`\n", f.Name, typ, f.Wire)), append(values, value)
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
	if f.Value.Type == "integer" {
		n, _ := strconv.ParseInt(f.Constant(), 10, 64) // the plan has read it; 007 is octal in Go
		return "int64", strconv.FormatInt(n, 10)
	}
	return "string", strconv.Quote(f.Constant())
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
	return enumerated(texts)
}
