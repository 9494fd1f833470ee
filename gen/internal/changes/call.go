package changes

import (
	"fmt"
	"go/ast"
	"strings"
)

// A call is a row of the table of operations: its fields as they are written in Go.
type call struct{ fields map[string]string }

func (c *call) id() string    { return c.fields["ID"] }
func (c *call) place() string { return c.fields["HTTPMethod"] + " " + c.fields["Path"] }

// method is the Go name of the method that makes the call.
func (c *call) method() string { return c.text("Service") + "Service." + c.text("Method") }

func (c *call) text(field string) string { return strings.Trim(c.fields[field], `"`) }

// names are those that a package has for this call alone.
func (c *call) names() []string {
	both := c.text("Service") + c.text("Method")
	return []string{c.method(), c.method() + "All", "Op" + both, both + "Request", both + "Result"}
}

// readCall reads &resilience.Operation{...}; nil for what is none.
func readCall(value ast.Expr) *call {
	address, ok := value.(*ast.UnaryExpr)
	if !ok {
		return nil
	}
	literal, ok := address.X.(*ast.CompositeLit)
	if !ok || !strings.HasSuffix(written(literal.Type), ".Operation") {
		return nil
	}
	c := &call{map[string]string{}}
	for _, e := range literal.Elts {
		if pair, ok := e.(*ast.KeyValueExpr); ok {
			c.fields[written(pair.Key)] = written(pair.Value)
		}
	}
	return c
}

// differences says what no compiler shows: the same call is treated in another way.
func differences(was, is *call) []string {
	var out []string
	name := is.text("Service") + "." + is.text("Method")
	say := func(format string, args ...any) { out = append(out, name+" "+fmt.Sprintf(format, args...)) }
	switch again := is.fields["Idempotent"] == "true"; {
	case again == (was.fields["Idempotent"] == "true"):
	case again:
		say("was never sent again after an answer that was lost, and is sent again now")
	default:
		say("was sent again after an answer that was lost, and is never sent again now")
	}
	scope := func(c *call) string { return strings.ToLower(strings.TrimPrefix(c.fields["Scope"], "resilience.")) }
	if scope(was) != scope(is) {
		say("was a %s, is a %s", scope(was), scope(is))
	}
	group := func(c *call) string {
		if c.fields["Group"] == "" {
			return "nothing"
		}
		return c.fields["Group"]
	}
	if group(was) != group(is) {
		say("counted against %s, counts against %s", group(was), group(is))
	}
	auth := func(c *call) string {
		if c.fields["Auth"] == "" {
			return "no credential"
		}
		return "a credential of " + c.fields["Auth"]
	}
	if auth(was) != auth(is) {
		say("took %s, takes %s", auth(was), auth(is))
	}
	return out
}
