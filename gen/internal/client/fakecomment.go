package client

import (
	"fmt"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
)

// FakeComment documents the package of the fake.
func (m *model) FakeComment() string {
	var b strings.Builder
	b.WriteString(render.Comment(fmt.Sprintf("Package %s is a fake %s for tests: it checks method, path and that a credential is there, answers each "+
		"operation with the spec's example or what fits its types, or as [Server.Answer] and [Server.Handle] say, and does wrong what [Server.Fail] says.",
		Fake(m.Package), m.Title)))
	b.WriteString("//\n//\t" + strings.Join(m.fakeExample(), "\n//\t") + "\n")
	b.WriteString("//\n" + render.Comment("Test inside testing/synctest: the fake listens in memory, and waits are exact there and pass at once. "+
		"Outside they are real: a 429 holds a read for as long as Retry-After says, or for 10 to 60 seconds. Where a test cannot be inside, "+
		"stack.WithConfig(stack.Config{Retry: retry.Config{Off: true}}) makes calls fail at once instead of being repeated.",
		"The fake keeps no state and no quotas: what it should remember is for a test to set."))
	return b.String()
}

// ServerComment documents the fake itself.
func (m *model) ServerComment() string {
	return render.Comment(fmt.Sprintf("A Server is a fake %s. It is safe for concurrent use. Close it.", m.Title))
}

// fakeExample is a test in Go.
func (m *model) fakeExample() []string {
	options := "srv.Options()"
	if len(m.Schemes) > 0 {
		s := m.Schemes[0]
		options = fmt.Sprintf(`append(srv.Options(), %s.%s("me", "any-%s"))`, m.Package, s.Option, s.Word())
	}
	lines := []string{
		"synctest.Test(t, func(t *testing.T) {",
		"\tsrv := " + Fake(m.Package) + ".NewServer()", "\tdefer srv.Close()",
		fmt.Sprintf("\tclient, err := %s.New(%s...)", m.Package, options),
		"\tif err != nil {", "\t\tt.Fatal(err)", "\t}", "\tdefer client.Close()",
	}
	if first := m.first(); first != nil {
		op := m.Package + "." + first.Var
		lines = append(lines,
			fmt.Sprintf("\tsrv.Fail(%s, %s.Fault{Status: 503, Times: 2})", op, Fake(m.Package)),
			fmt.Sprintf("\tsrv.Answer(%s, 0, `...`)", op),
			"\t"+strings.Replace(exampleCall(m.Package, first), "(ctx", "(t.Context()", 1))
	}
	return append(lines, "})")
}

// HandleComment documents Handle, with an answer that depends on a parameter of the first call that has one.
func (m *model) HandleComment() string {
	op, value := m.Package+".Op...", `r.FormValue("page")`
	if method, f := m.asked(); method != nil {
		op = m.Package + "." + method.Var
		value = fmt.Sprintf("r.FormValue(%q)", f.Wire)
		if f.In == plan.InPath {
			value = fmt.Sprintf("r.PathValue(%q)", f.Wire)
		}
	}
	example := []string{
		fmt.Sprintf("srv.Handle(%s, func(w http.ResponseWriter, r *http.Request) {", op),
		"\tif " + value + ` == "2" {`,
		"\t\tw.WriteHeader(http.StatusBadGateway)",
		"\t\tfmt.Fprint(w, `<html>bad gateway</html>`)",
		"\t\treturn",
		"\t}",
		"\tfmt.Fprint(w, `{...}`)",
		"})",
	}
	return render.Comment("Handle sets who answers calls of op from now on, by what they ask for:") +
		"//\n//\t" + strings.Join(example, "\n//\t") + "\n//\n" +
		render.Comment("PathValue holds the parameters of the path, FormValue those of query and form, Body is the request's JSON. What the handler "+
			"leaves open is as in the spec: status and Content-Type. A nil handler brings the example back. An op that the package does not have, as for "+
			"Client.Do, is known from then on, and a nil one means every operation that has nothing of its own.")
}

// FailComment documents Fail.
func (m *model) FailComment() string {
	status := "the HTTP status of its class in x-errors, 400 for one that is not there"
	if m.InBand {
		status = "HTTP 200"
	}
	return render.Comment(fmt.Sprintf("Fail makes the fake do wrong with calls of op what the faults say, one after the other; nil means every operation. "+
		"A fault's Code is answered in the platform's form, as far as the spec tells it, with %s, unless the fault has a Status.", status))
}

// asked returns a read that takes a parameter outside of a JSON body, and the parameter; nil where there is none.
func (m *model) asked() (*plan.Method, *plan.Field) {
	for _, s := range m.Services {
		for _, method := range s.Methods {
			if method.Request == nil || method.Op.Scope != "read" || method.Op.Deprecated {
				continue
			}
			for _, f := range method.Request.Fields {
				if f.In == plan.InPath || f.In == plan.InQuery || f.In == plan.InForm {
					return method, f
				}
			}
		}
	}
	return nil, nil
}
