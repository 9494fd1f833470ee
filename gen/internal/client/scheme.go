package client

import (
	"slices"
	"strconv"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// The kinds of credentials.
const (
	tokenKind = "token"
	keyKind   = "key"
	basicKind = "basic"
)

// A scheme is a security scheme that operations use.
type scheme struct {
	*spec.Scheme
	Kind   string
	Const  string // schemeBearer
	Option string // WithToken
	Mark   bool   // the spec declares several schemes, so that its credentials name it
}

// schemes lists the security schemes in use. Where the spec declares one alone that a client can use, it has a plain option, and else
// each is named after itself: whether operations use the others has no say, so that an option keeps its name as operations come and go.
func schemes(doc *spec.Document) []*scheme {
	used := map[string]bool{}
	for _, op := range doc.Operations {
		used[op.Auth.Value] = true
	}
	var declared []*scheme
	words := map[string]int{}
	for _, s := range doc.Schemes {
		kind := kindOf(s)
		if kind == "" || slices.ContainsFunc(declared, func(o *scheme) bool { return o.Name == s.Name }) {
			continue
		}
		declared = append(declared, &scheme{Scheme: s, Kind: kind})
		word, _ := naming.Exported(s.Name)
		words[word]++
	}
	for _, s := range declared {
		word, ok := naming.Exported(s.Name)
		if !ok || words[word] > 1 {
			word = "X" + naming.Verbatim(s.Name)
		}
		s.Const, s.Option, s.Mark = "scheme"+word, "With"+word, len(declared) > 1
		if !s.Mark {
			s.Option = map[string]string{tokenKind: "WithToken", keyKind: "WithKey", basicKind: "WithBasic"}[s.Kind]
		}
	}
	return slices.DeleteFunc(declared, func(s *scheme) bool { return !used[s.Name] })
}

func kindOf(s *spec.Scheme) string {
	switch {
	case s.Type == "apiKey" && (s.In == "header" || s.In == "query") && s.Param != "":
		return keyKind
	case s.Type == "http" && s.Scheme == "basic":
		return basicKind
	case s.Type == "http" && s.Scheme == "bearer", s.Type == "oauth2", s.Type == "openIdConnect":
		return tokenKind
	default:
		return ""
	}
}

// Field is the field of a credential that holds the scheme's secret.
func (s *scheme) Field() string {
	if s.Kind == tokenKind {
		return "Token"
	}
	return "Secret"
}

// Word names the scheme's secret.
func (s *scheme) Word() string {
	return map[string]string{tokenKind: "token", keyKind: "key", basicKind: "password"}[s.Kind]
}

// Where says where the secret travels.
func (s *scheme) Where() string {
	switch {
	case s.Kind == basicKind:
		return "the Authorization header, as Basic"
	case s.Kind == tokenKind:
		return "the Authorization header, as Bearer"
	case s.In == "query":
		return "the query, as " + s.Param
	default:
		return "the header " + s.Param
	}
}

// Serves is the Go condition under which a credential is one of the scheme.
func (s *scheme) Serves() string {
	condition := "c." + s.Field() + ` != ""`
	if s.Kind == basicKind {
		condition = `c.App != "" && ` + condition
	}
	if s.Mark {
		condition = "c.Agent == " + s.Const + " && " + condition
	}
	return condition
}

// Authorize is the Go statement that adds the credential c, or its token, to an attempt.
func (s *scheme) Authorize() string {
	switch {
	case s.Kind == basicKind:
		return `out.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(c.App+":"+c.Secret.Reveal())))`
	case s.Kind == tokenKind:
		return `out.Header.Set("Authorization", "Bearer "+token.Reveal())`
	case s.In == "query":
		return "out.Query = wire.Set(out.Query, " + strconv.Quote(s.Param) + ", c.Secret.Reveal())"
	default:
		return "out.Header.Set(" + strconv.Quote(s.Param) + ", c.Secret.Reveal())"
	}
}

// Secret is the Go expression, in the fake, for what authorizes the request r.
func (s *scheme) Secret() string {
	switch {
	case s.Kind == basicKind:
		return `after(r, "Basic ")`
	case s.Kind == tokenKind:
		return `after(r, "Bearer ")`
	case s.In == "query":
		return "r.URL.Query().Get(" + strconv.Quote(s.Param) + ")"
	default:
		return "r.Header.Get(" + strconv.Quote(s.Param) + ")"
	}
}

func (m *model) has(kinds ...string) bool {
	return slices.ContainsFunc(m.Schemes, func(s *scheme) bool { return slices.Contains(kinds, s.Kind) })
}

// HasTokens reports whether there are accounts with several secrets.
func (m *model) HasTokens() bool { return m.has(tokenKind, keyKind) }

// HasKeys reports whether keys are sent.
func (m *model) HasKeys() bool { return m.has(keyKind) }

// HasBasic reports whether users and passwords are sent.
func (m *model) HasBasic() bool { return m.has(basicKind) }

// HasBearer reports whether tokens are sent.
func (m *model) HasBearer() bool { return m.has(tokenKind) }

// HasHeader reports whether the Authorization header is one of the places of a credential.
func (m *model) HasHeader() bool { return m.has(tokenKind, basicKind) }
