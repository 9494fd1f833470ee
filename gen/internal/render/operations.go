package render

import (
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// operations writes the tables: what the chain goes by.
func (w *writer) operations() (string, error) {
	return execute("operations.tmpl", template.FuncMap{
		"quote":            strconv.Quote,
		"operationComment": w.operationComment,
		"operation":        w.operation,
		"codes":            w.codes,
		"rule":             rule,
		"trailing":         trailing,
		"window":           window,
		"windowVar":        windowVar,
		"texts":            texts,
		"module":           func() string { return Module },
	}, w.plan)
}

func (w *writer) operationComment(m *plan.Method) string {
	group := "not counted"
	if g := m.Op.Group.Value; g != spec.NoGroup {
		group = "group " + g
	}
	facts := append([]string{m.Op.Scope, group}, outcomes(m)...)
	return comment("", fmt.Sprintf("%s is %s: %s.", m.Var, m.Op.ID.Value, strings.Join(facts, ", ")))
}

// operation writes the fields of a resilience.Operation that are not zero, and always the scope.
func (w *writer) operation(m *plan.Method) string {
	op := m.Op
	var b strings.Builder
	who := fmt.Sprintf("Platform: %q, ID: %q, Service: %q, Method: %q,", w.plan.Doc.Platform, op.ID.Value, m.Service.Name, m.Name)
	where := fmt.Sprintf("HTTPMethod: %q, Path: %q,\n", op.HTTPMethod, op.Path)
	if len(who)+len(where) <= columns {
		b.WriteString(who + " " + where)
	} else {
		b.WriteString(who + "\n" + where)
	}
	marks := []string{"Scope: resilience." + capital(op.Scope)}
	if op.Group.Value != spec.NoGroup {
		marks = append(marks, fmt.Sprintf("Group: %q", op.Group.Value))
	}
	for _, mark := range []struct {
		name string
		is   bool
	}{{"Idempotent", op.Idempotent}, {"AnyAccount", op.AnyAccount}} {
		if mark.is {
			marks = append(marks, mark.name+": true")
		}
	}
	if op.Cost > 1 {
		marks = append(marks, fmt.Sprintf("Cost: %d", op.Cost))
	}
	if op.Auth.Value != "" {
		marks = append(marks, fmt.Sprintf("Auth: %q", op.Auth.Value))
	}
	if op.Tier != "" && op.Tier != "untiered" {
		marks = append(marks, "Tier: resilience."+capital(op.Tier))
	}
	if op.Timeout > 0 {
		marks = append(marks, "Timeout: "+duration(op.Timeout))
	}
	if op.Sensitive {
		marks = append(marks, "Sensitive: true")
	}
	if w.plan.Doc.Foreign && op.Answer.Schema == nil && !op.Answer.Binary {
		marks = append(marks, "NoContent: true")
	}
	if op.Body != nil && op.Body.Kind == spec.MultipartBody && !op.Body.Plain {
		marks = append(marks, "Multipart: true")
	}
	b.WriteString(strings.Join(marks, ", ") + ",\n")
	b.WriteString(named(m))
	if len(op.Errors) > 0 {
		b.WriteString("Errors: map[string]resilience.Rule{\n")
		for _, row := range op.Errors {
			fmt.Fprintf(&b, "%q: %s,%s\n", row.Code, rule(row), trailing(row.Doc))
		}
		b.WriteString("},\n")
	}
	return b.String()
}

// named writes the fields that name what travels: in the answer, in the request.
func named(m *plan.Method) string {
	var fields []string
	if m.Op.Resets != "" {
		fields = append(fields, "Resets: resilience.Reset"+capital(m.Op.Resets))
	}
	if len(m.Op.Partial) > 0 {
		fields = append(fields, "Partial: "+texts(spec.Values(m.Op.Partial)))
	}
	if len(m.FromCredential) > 0 {
		fields = append(fields, "FromCredential: "+texts(m.FromCredential))
	}
	if len(fields) == 0 {
		return ""
	}
	return strings.Join(fields, ", ") + ",\n"
}

func capital(word string) string {
	name, _ := naming.Exported(word)
	return name
}

// codes are the rows whose codes have names.
func (w *writer) codes() []*spec.ErrorRow {
	var out []*spec.ErrorRow
	for _, row := range w.plan.Doc.Errors {
		if row.Name.Value != "" {
			out = append(out, row)
		}
	}
	return out
}

// rule writes the fields of a resilience.Rule.
func rule(row *spec.ErrorRow) string {
	fields := []string{"Class: resilience." + className(row.Class)}
	if row.Cools != "scope" {
		fields = append(fields, "Cools: resilience.Cool"+capital(row.Cools))
	}
	if row.Reset != "ladder" {
		fields = append(fields, "Reset: resilience.Reset"+capital(row.Reset))
	}
	if row.Cool > 0 {
		fields = append(fields, "Cool: "+duration(row.Cool))
	}
	if len(row.Says) > 0 {
		var texts strings.Builder
		for _, said := range row.Says {
			fmt.Fprintf(&texts, "%q: %s,%s\n", said.Code, rule(said), trailing(said.Doc))
		}
		// On lines of their own: gofmt would set every comment of the table behind them.
		fields = append(fields, "Says: map[string]resilience.Rule{\n"+texts.String()+"}")
	}
	return "{" + strings.Join(fields, ", ") + "}"
}

func className(class string) string {
	if class == "ok" {
		return "OK"
	}
	return capital(class)
}

// trailing is a comment at a line's end.
func trailing(doc string) string {
	if words := strings.Fields(readable(doc)); len(words) > 0 {
		return " // " + strings.Join(words, " ")
	}
	return ""
}

// window writes the fields of a resilience.Window that are not zero.
func window(w *spec.Window) string {
	var b strings.Builder
	fmt.Fprintf(&b, "Name: %q, Limit: %d, Per: %s, Key: resilience.Per%s", w.Name, w.Limit, duration(w.Per), capital(w.Key))
	if w.Offset != 0 {
		fmt.Fprintf(&b, ", Offset: %s", duration(w.Offset))
	}
	if w.Guard > 0 {
		fmt.Fprintf(&b, ", Guard: %d", w.Guard)
	}
	for _, mark := range []struct {
		name string
		is   bool
	}{{"Aligned", w.Aligned}, {"Smooth", w.Smooth}, {"Hard", w.Hard}, {"Apart", w.Apart}} {
		if mark.is {
			b.WriteString(", " + mark.name + ": true")
		}
	}
	fmt.Fprintf(&b, ",\nSource: %q,\n", w.Source)
	return b.String()
}

func windowVar(name string) string {
	exported, _ := naming.Exported(name)
	return localName(exported)
}

// duration writes a time as Go does: 5 * time.Minute.
func duration(d time.Duration) string {
	for _, unit := range []struct {
		size time.Duration
		name string
	}{{time.Hour, "time.Hour"}, {time.Minute, "time.Minute"}, {time.Second, "time.Second"}, {time.Millisecond, "time.Millisecond"}} {
		switch {
		case d == unit.size:
			return unit.name
		case d%unit.size == 0:
			return fmt.Sprintf("%d * %s", d/unit.size, unit.name)
		}
	}
	return fmt.Sprintf("%d * time.Nanosecond", d)
}

// texts writes a []string.
func texts(list []string) string {
	quoted := make([]string, len(list))
	for i, t := range list {
		quoted[i] = strconv.Quote(t)
	}
	return "[]string{" + strings.Join(quoted, ", ") + "}"
}
