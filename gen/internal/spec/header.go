package spec

import (
	"regexp"
	"slices"
	"strings"
)

// madeHeaders are those that no operation takes: the client, its transport or the platform's authorizer write them.
var madeHeaders = []string{
	"accept", "accept-charset", "accept-encoding", "authorization", "connection", "content-encoding", "content-length", "content-type",
	"cookie", "expect", "host", "keep-alive", "proxy-authorization", "proxy-connection", "te", "trailer", "transfer-encoding", "upgrade",
	"user-agent",
}

var headerWord = regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

// IsHeaderName reports whether a header can have the name.
func IsHeaderName(name string) bool { return headerWord.MatchString(name) }

// IsMadeHeader reports whether a header is one that no operation takes.
func IsMadeHeader(name string) bool { return slices.Contains(madeHeaders, strings.ToLower(name)) }

// headerName finds names that no operation can take, or that no header can have.
func (r *reader) headerName(p *Param, what string) {
	open := r.as.Foreign && strings.EqualFold(p.Name, "Authorization") // it is one that no scheme writes
	if IsMadeHeader(p.Name) && !open {
		r.fault(p.Line, "drop it; a token or key is a security scheme", "%s is a header that the client itself writes", what)
	}
	if !IsHeaderName(p.Name) {
		r.fault(p.Line, "write letters, digits and hyphens", "%s is no name of a header", what)
	}
}
