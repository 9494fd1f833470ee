package client

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// PackageComment is the package's documentation: what it is, how it is used, what it counts and which errors come back.
func (m *model) PackageComment() string {
	var b strings.Builder
	write := func(paragraphs ...string) {
		if b.Len() > 0 {
			b.WriteString("//\n")
		}
		b.WriteString(render.Comment(paragraphs...))
	}
	write(fmt.Sprintf("Package %s is a client of %s that keeps to its limits, repeats only what may be repeated, and says of every failure "+
		"whether anything was sent.", m.Package, m.Title), about(m.Doc.Description.Text))
	b.WriteString("//\n" + m.example())
	b.WriteString("//\n// # Credentials\n")
	write(m.credentials()...)
	b.WriteString("//\n// # Quotas\n")
	write(m.quotaText())
	b.WriteString("//\n// # Errors\n")
	write("See package resilience: a *resilience.RefusedError means that nothing was sent, a *resilience.APIError carries the platform's status, "+
		"code and text, and when to ask again. errors.Is tells what it means: resilience.ErrThrottled, ErrUnauthorized, ErrNotFound and others. "+
		"A call that is not idempotent is never repeated when its answer was lost: that is resilience.ErrUnknownOutcome, and it may have been "+
		"carried out.",
		fmt.Sprintf("Package %s is a fake for tests.", Fake(m.Package)))
	return b.String()
}

// about returns the first paragraph of a description if it is plain text of a bearable length.
func about(description string) string {
	const most = 400
	text, _, _ := strings.Cut(strings.ReplaceAll(strings.TrimSpace(description), "\r\n", "\n"), "\n\n")
	text = strings.Join(strings.Fields(text), " ")
	if strings.ContainsAny(text, "<>#|`*") || strings.Contains(text, "](") || utf8.RuneCountInString(text) > most {
		return ""
	}
	if strings.HasSuffix(text, ":") {
		return text
	}
	return render.Closed(text)
}

// example is a first call in Go, indented as code is in comments.
func (m *model) example() string {
	first := m.first()
	lines := []string{
		fmt.Sprintf("client, err := %s.New(%s)", m.Package, m.exampleOption(first)),
		"if err != nil {", "\treturn err", "}", "defer client.Close()",
	}
	if first != nil {
		lines = append(lines, exampleCall(m.Package, first))
	}
	return "//\t" + strings.Join(lines, "\n//\t") + "\n"
}

// exampleOption gives the credential that a call needs.
func (m *model) exampleOption(method *plan.Method) string {
	for _, s := range m.Schemes {
		switch {
		case method == nil || s.Name != method.Op.Auth.Value:
		case s.Kind == basicKind:
			return fmt.Sprintf(`%s.%s(user, password)`, m.Package, s.Option)
		default:
			return fmt.Sprintf(`%s.%s("me", %s)`, m.Package, s.Option, s.Word())
		}
	}
	return ""
}

// first is the call to show: a read with an answer if there is one.
func (m *model) first() *plan.Method {
	var other *plan.Method
	for _, s := range m.Services {
		for _, method := range s.Methods {
			if method.Op.Scope == "read" && method.Answer.Value != nil && !method.Answer.Download && !method.Op.Deprecated {
				return method
			}
			if other == nil {
				other = method
			}
		}
	}
	return other
}

func exampleCall(pkg string, m *plan.Method) string {
	args := "ctx"
	if m.Request != nil {
		var fields []string
		for _, f := range m.Request.Fields {
			if value := map[string]string{"string": `"..."`, "int64": "1", "int": "1", "bool": "true"}[f.Go(true)]; f.Required && value != "" {
				fields = append(fields, f.Name+": "+value)
			}
		}
		args += fmt.Sprintf(", &%s.%s{%s}", pkg, m.Request.Name, strings.Join(fields, ", "))
	}
	left := "answer, err := "
	if m.Answer.Value == nil && !m.Answer.Download {
		left = "err = "
	}
	return fmt.Sprintf("%sclient.%s.%s(%s)", left, m.Service.Name, m.Name, args)
}

// credentials says who makes the calls.
func (m *model) credentials() []string {
	if len(m.Schemes) == 0 {
		return []string{"No call needs a credential."}
	}
	var out []string
	for _, s := range m.Schemes {
		text := fmt.Sprintf("[%s] gives the %s of scheme %s, which travels in %s.", s.Option, s.Word(), s.Name, s.Where())
		out = append(out, text)
	}
	out = append(out, "Calls rotate through the credentials of one account, each with quotas and cooldowns of its own. With several accounts each "+
		"call names its own by resilience.WithAccount. A credential that the platform refuses, or that has expired, is out of use until "+
		"client.Stack().Put brings a new one: its option shows how.")
	return out
}

func (m *model) quotaText() string {
	if len(m.Doc.Windows) == 0 {
		return "No limits of the platform are known to this package: x-quotas of its overlay would say them. When the platform answers 429, the " +
			"credential cools for as long as Retry-After says, or 10 to 60 seconds, and other credentials go on. PerSecond of stack.Config caps the " +
			"calls of each credential besides."
	}
	return "The numbers stand in the generated table with their sources, and in the comment of each method. Calls wait for their turn, so that none " +
		"is sent that would be refused: for at most MaxWait of stack.Config, 30 s unless set, within the time of the whole call, 60 s unless " +
		"resilience.WithTimeout gives more. One whose turn comes later fails at once, and nothing was sent. Windows of stack.Config changes a " +
		"number. The platform has the last word: what answers 429 cools for as long as Retry-After says."
}

// ClientComment documents the client.
func (m *model) ClientComment() string {
	names := make([]string, len(m.Services))
	for i, s := range m.Services {
		names[i] = s.Name
	}
	return render.Comment(fmt.Sprintf("A Client calls %s. Its services are fields: %s. Safe for concurrent use; make one for all calls of a program, "+
		"since two clients of one credential do not know of each other's calls.", m.Title, render.Listed(names, "and")))
}

// NewComment documents New.
func (m *model) NewComment() string {
	if len(m.Schemes) == 0 {
		return render.Comment("New returns a client. The error names every faulty option.")
	}
	options := make([]string, len(m.Schemes))
	for i, s := range m.Schemes {
		options[i] = "[" + s.Option + "]"
	}
	free := slices.ContainsFunc(m.Doc.Operations, func(op *spec.Operation) bool { return op.Auth.Value == "" })
	without := "Without a credential it cannot make a call"
	if free {
		without = "Without a credential it can only make the calls that need none"
	}
	return render.Comment(fmt.Sprintf("New returns a client. %s: give it %s. The error names every faulty option.", without, render.Listed(options, "or")))
}

// OptionComment documents the option of a scheme.
func (m *model) OptionComment(s *scheme) string {
	doc := about(s.Doc)
	if s.Kind == basicKind {
		agent := ""
		if s.Mark {
			agent = fmt.Sprintf("Agent: %q, ", s.Name)
		}
		return render.Comment(fmt.Sprintf("%s adds a user with the password, sent in %s. The credential is named like the user.", s.Option, s.Where()), doc) +
			putComment("password", "ID: user, Account: user, App: user, "+agent+"Secret: fresh")
	}
	id := "account/1, account/2 ..."
	fields := `ID: "me/1", Account: "me", `
	if s.Mark {
		id = fmt.Sprintf("account/%s/1, account/%s/2 ...", s.Name, s.Name)
		fields = fmt.Sprintf(`ID: %q, Account: "me", Agent: %q, `, "me/"+s.Name+"/1", s.Name)
	}
	return render.Comment(fmt.Sprintf("%s adds an account by its %ss, sent in %s. The account's name is yours to choose, mostly one is enough. "+
		"Calls rotate through the %ss of an account; as credentials they are named %s in their order.", s.Option, s.Word(), s.Where(), s.Word(), id),
		doc) + putComment(s.Word(), fields+s.Field()+": fresh")
}

// putComment says how a secret that has ended is followed by another.
func putComment(word, fields string) string {
	return "//\n" + render.Comment(fmt.Sprintf("A %s that expires is yours to renew: put a new one in its place before it ends, or when calls fail with "+
		"resilience.ErrUnauthorized:", word)) + "//\n//\terr := client.Stack().Put(resilience.Credential{" + fields + "})\n"
}

// DoComment documents Do.
func (m *model) DoComment() string {
	auth := ""
	if len(m.Schemes) > 0 {
		auth = fmt.Sprintf(" An operation with Auth %q is authorized as those of the package are.", m.Schemes[0].Name)
	}
	if m.Form {
		return render.Comment("Do makes a call that this package does not know, through the same chain. params are text values: those that the "+
			"operation's path names in {} fill it, the others travel in the query of a GET and in the form of anything else. out is a pointer that the answer "+
			"is read into, or nil.", auth)
	}
	return render.Comment("Do makes a call that this package does not know, through the same chain. body travels as JSON ({} if it is nil; a GET has "+
		"none), further parameters in the query by resilience.WithParam; out is a pointer that the answer is read into, or nil.", auth)
}
