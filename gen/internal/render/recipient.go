package render

import (
	"fmt"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
)

// recipients is the statement that names who gets it, where a field that is set says so.
func recipients(f *plan.Field) string {
	name := "r." + f.Name
	switch {
	case !f.Recipient:
		return ""
	case f.Value.Kind == plan.Pipes, f.Value.Kind == plan.List && f.Value.Elem.Go(true) == "string":
		return fmt.Sprintf("e.Recipient(%s...)\n", name)
	case f.Value.Kind == plan.List:
		return fmt.Sprintf("for _, v := range %s {\ne.Recipient(%s)\n}\n", name, sent(f, f.Value.Elem, "v"))
	case f.Pointer():
		name = "*" + name
	}
	return fmt.Sprintf("e.Recipient(%s)\n", sent(f, f.Value, name))
}
