package weibotest

import (
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// An operation is one call that the fake knows. The table is written from the platform's documents, not from our spec, so that a
// mistake in the spec shows.
type operation struct {
	name, method, path string
	group              string // the counter that it draws on beside the user's
	uncounted          bool
	noToken            bool
	required           []string
	act                func(*Server, *request) resiliencetest.Answer
}

func operations() []operation {
	return []operation{
		{name: "oauth2/access_token", method: "POST", path: "/oauth2/access_token", uncounted: true, noToken: true,
			required: []string{"client_id", "client_secret", "grant_type"}, act: (*Server).accessToken},
		{name: "oauth2/get_token_info", method: "POST", path: "/oauth2/get_token_info", uncounted: true, act: (*Server).tokenInfo},
		{name: "oauth2/revokeoauth2", method: "POST", path: "/oauth2/revokeoauth2", uncounted: true, act: (*Server).revoke},
		{name: "account/rate_limit_status", method: "GET", path: "/2/account/rate_limit_status.json", uncounted: true,
			act: (*Server).rateLimitStatus},
		{name: "statuses/share", method: "POST", path: "/2/statuses/share.json", group: counterPosts,
			required: []string{"status", "rip"}, act: (*Server).share},
		{name: "statuses/count", method: "GET", path: "/2/statuses/count.json", required: []string{"ids"}, act: (*Server).count},
		{name: "statuses/mentions", method: "GET", path: "/2/statuses/mentions.json", act: (*Server).mentions},
		{name: "statuses/user_timeline", method: "GET", path: "/2/statuses/user_timeline.json", act: (*Server).userTimeline},
		{name: "comments/show", method: "GET", path: "/2/comments/show.json", required: []string{"id"}, act: (*Server).showComments},
		{name: "comments/create", method: "POST", path: "/2/comments/create.json", group: counterComments,
			required: []string{"comment", "id", "rip"}, act: (*Server).createComment},
		{name: "comments/reply", method: "POST", path: "/2/comments/reply.json", group: counterComments,
			required: []string{"cid", "id", "comment", "rip"}, act: (*Server).replyComment},
		{name: "users/show", method: "GET", path: "/2/users/show.json", act: (*Server).showUser},
	}
}

// operationAt returns the operation of a path, nil if there is none.
func operationAt(path string) *operation {
	for _, op := range operations() {
		if op.path == path {
			return &op
		}
	}
	return nil
}

func nameOf(r *http.Request) string {
	if op := operationAt(r.URL.Path); op != nil {
		return op.name
	}
	return ""
}

// opName returns how the fake calls op: "" for nil, which stands for all.
func opName(op *resilience.Operation) string {
	if op == nil {
		return ""
	}
	if known := operationAt(op.Path); known != nil {
		return known.name
	}
	return op.HTTPMethod + " " + op.Path
}

// A request is a call on its way through the fake.
type request struct {
	call  *resiliencetest.Call
	http  *http.Request
	text  string     // of the token
	token *token     // nil where none is needed
	value url.Values // parameters that travel where the platform reads them
}

// credential returns the token's text, from the header or the parameter, and the app that it belongs to.
func (s *Server) credential(r *http.Request) (secret, app string) {
	secret = tokenText(r)
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.people.tokens[secret]; t != nil {
		app = t.app.key
	}
	return secret, app
}

// tokenText returns what the call is authorized with; the oauth2 calls take a token as their argument, whoever asks.
func tokenText(r *http.Request) string {
	argument := r.Form.Get("access_token")
	if argument != "" && strings.HasPrefix(r.URL.Path, "/oauth2/") {
		return argument
	}
	if text, ok := strings.CutPrefix(r.Header.Get("Authorization"), "OAuth2 "); ok {
		return text
	}
	return argument
}

// admit checks path, method, token and quotas, and counts the call.
func (s *Server) admit(c *resiliencetest.Call, r *http.Request) *resiliencetest.Answer {
	op := operationAt(c.Path)
	if op == nil {
		return new(refuse(c, "10020", ""))
	}
	if op.method != c.Method {
		return new(refuse(c, "10021", ""))
	}
	if op.noToken {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	text := tokenText(r)
	t := s.people.tokens[text]
	if t == nil {
		return new(refuse(c, "21332", ""))
	}
	if code := t.fault(c.Time); code != "" {
		return new(refuse(c, code, ""))
	}
	if op.uncounted {
		return nil
	}
	if code := s.banned(text, op.name, c.Time); code != "" {
		return new(refuse(c, code, op.name))
	}
	if over := s.take(s.charges(op, t, address(r), c.Time)); over != nil {
		return new(refusal(c, over.code, over.text))
	}
	return nil
}

// address returns where a request came from, without the port.
func address(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// act checks parameters and carries the call out.
func (s *Server) act(c *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
	op := operationAt(c.Path)
	if op == nil {
		return refuse(c, "10020", "")
	}
	req := &request{call: c, http: r, text: tokenText(r), value: r.URL.Query()}
	if op.method == http.MethodPost {
		req.value = r.PostForm
		if kind := mediaType(r); kind != "" && kind != formType && kind != multipartType {
			return refuse(c, "10007", kind)
		}
	}
	for _, name := range op.required {
		if !req.value.Has(name) {
			return refuse(c, "10016", name)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	req.token = s.people.tokens[req.text]
	if req.token == nil && !op.noToken {
		return refuse(c, "21332", "")
	}
	return op.act(s, req)
}

const (
	formType      = "application/x-www-form-urlencoded"
	multipartType = "multipart/form-data"
)

func mediaType(r *http.Request) string {
	kind, _, _ := strings.Cut(r.Header.Get("Content-Type"), ";")
	return strings.ToLower(strings.TrimSpace(kind))
}

func (r *request) refuse(code, arg string) resiliencetest.Answer { return refuse(r.call, code, arg) }

// number returns an integer parameter: fallback if it is not there, false if it is no integer.
func (r *request) number(name string, fallback int64) (int64, bool) {
	text := r.value.Get(name)
	if text == "" {
		return fallback, true
	}
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil
}

// badAddress reports whether rip, the address of the user who acts, is no IPv4 address.
func (r *request) badAddress() bool {
	ip := net.ParseIP(r.value.Get("rip"))
	return ip == nil || ip.To4() == nil
}

// refuseAddress says what rip must be, in the words that the platform has for bad values.
func (r *request) refuseAddress() resiliencetest.Answer {
	return r.refuse("10017", "Parameter (rip)'s value invalid, expect (ip) , but get ("+r.value.Get("rip")+
		") , see doc for more info")
}

// ruby is how the platform writes instants in posts, comments and users.
func ruby(t time.Time) string { return t.In(china()).Format(time.RubyDate) }
