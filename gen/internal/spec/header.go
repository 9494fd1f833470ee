package spec

import (
	"regexp"
	"slices"
	"strings"
)

// made are the headers that no operation takes: the client, its transport or the platform's authorizer write them.
var made = []string{
	"accept", "accept-charset", "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
	"cookie", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
	"user-agent",
}

var headerWord = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// IsMadeHeader reports whether a header is one that no operation takes.
func IsMadeHeader(name string) bool { return slices.Contains(made, strings.ToLower(name)) }

// headerName finds names that no operation can take, or that no header can have.
func (r *reader) headerName(p *Param, what string) {
	open := r.as.Foreign && strings.EqualFold(p.Name, "Authorization") // it is one that no scheme writes
	if IsMadeHeader(p.Name) && !open {
		r.fault(p.Line, "drop it; a token or key is a security scheme", "%s is a header that the client itself writes", what)
	}
	if !headerWord.MatchString(p.Name) {
		r.fault(p.Line, "write letters, digits and hyphens", "%s is no name of a header", what)
	}
}
