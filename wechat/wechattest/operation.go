package wechattest

import (
	"bytes"
	"io"
	"net/http"
	"net/url"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// An operation is one call that the fake knows. The table is written from the platform's documents, not from our spec, so that a
// mistake in the spec shows.
type operation struct {
	name, method, path string
	form               bool   // the body is multipart, else a POST carries JSON
	grant              string // the grant type of calls that name appid and secret in place of a token
	act                func(*Server, *request) resiliencetest.Answer
}

func operations() []operation {
	return []operation{
		{name: "cgi-bin/token", method: "GET", path: "/cgi-bin/token", grant: "client_credential", act: (*Server).plainToken},
		{name: "cgi-bin/stable_token", method: "POST", path: "/cgi-bin/stable_token", grant: "client_credential",
			act: (*Server).stableToken},
		{name: "cgi-bin/clear_quota", method: "POST", path: "/cgi-bin/clear_quota", act: (*Server).clearQuota},
		{name: "cgi-bin/openapi/quota/get", method: "POST", path: "/cgi-bin/openapi/quota/get", act: (*Server).getQuota},
		{name: "cgi-bin/message/custom/send", method: "POST", path: "/cgi-bin/message/custom/send", act: (*Server).sendCustom},
		{name: "cgi-bin/message/template/send", method: "POST", path: "/cgi-bin/message/template/send", act: (*Server).sendTemplate},
		{name: "cgi-bin/media/upload", method: "POST", path: "/cgi-bin/media/upload", form: true, act: (*Server).upload},
		{name: "cgi-bin/media/get", method: "GET", path: pathDownload, act: (*Server).download},
		{name: "cgi-bin/user/info", method: "GET", path: "/cgi-bin/user/info", act: (*Server).userInfo},
		{name: "cgi-bin/user/get", method: "GET", path: "/cgi-bin/user/get", act: (*Server).userList},
		{name: "cgi-bin/menu/create", method: "POST", path: "/cgi-bin/menu/create", act: (*Server).createMenu},
		{name: opLogin, method: "GET", path: "/" + opLogin, grant: "authorization_code", act: (*Server).codeToSession},
		{name: "wxa/msg_sec_check", method: "POST", path: "/wxa/msg_sec_check", act: (*Server).checkText},
	}
}

const (
	opLogin      = "sns/jscode2session"
	pathDownload = "/cgi-bin/media/get"
)

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
	op    *operation
	query url.Values
	body  object // of a call that carries JSON
	app   *app
}

// value returns a parameter from where the operation has it: the query of a GET, the JSON of a POST.
func (r *request) value(name string) string {
	if r.op.method == http.MethodPost {
		return r.body.text(name)
	}
	return r.query.Get(name)
}

// credential returns what authorizes a call, a token or an account's secret, and the account.
func (s *Server) credential(r *http.Request) (secret, appid string) {
	op, query := operationAt(r.URL.Path), r.URL.Query()
	switch {
	case op == nil || op.grant == "":
		s.mu.Lock()
		defer s.mu.Unlock()
		secret = query.Get("access_token")
		if t := s.tokens[secret]; t != nil {
			appid = t.app.id
		}
		return secret, appid
	case op.method == http.MethodPost:
		body, _ := io.ReadAll(r.Body) // it is memory
		r.Body = io.NopCloser(bytes.NewReader(body))
		named, _ := parse(body)
		return named.text("secret"), named.text("appid")
	default:
		return query.Get("secret"), query.Get("appid")
	}
}

// admit checks the request's form, path, method and credential, and counts the call.
func (s *Server) admit(c *resiliencetest.Call, r *http.Request) *resiliencetest.Answer {
	if len(r.TransferEncoding) > 0 {
		return &resiliencetest.Answer{Status: http.StatusPreconditionFailed, ContentType: textType}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	req, code := s.open(c, r)
	if code == "" {
		code = s.take(s.charges(req))
	}
	if code != "" {
		return new(s.refuse(c, code))
	}
	return nil
}

// act carries the call out.
func (s *Server) act(c *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	req, code := s.open(c, r)
	var answer resiliencetest.Answer
	if code == "" {
		answer = req.op.act(s, req)
	} else { // the account's secret changed after the call arrived
		answer = s.refuse(c, code)
	}
	if answer.Code != "" {
		s.giveBack(s.charges(req))
	}
	return answer
}

// open takes a request apart and finds who calls. It returns the code of what is wrong with it, "" if nothing is; then the
// request has an account.
func (s *Server) open(c *resiliencetest.Call, r *http.Request) (*request, string) {
	op := operationAt(c.Path)
	switch {
	case op == nil:
		return nil, "40066"
	case op.method != c.Method && op.method == http.MethodGet:
		return nil, "43001"
	case op.method != c.Method:
		return nil, "43002"
	}
	req := &request{call: c, op: op, query: r.URL.Query()}
	if op.grant == "" {
		t, code := s.token(req.query.Get("access_token"), c.Time)
		if t != nil {
			req.app = t.app
		}
		if code != "" {
			return req, code
		}
	}
	if op.method == http.MethodPost {
		if code := req.read(); code != "" {
			return req, code
		}
	}
	if op.grant != "" {
		return req, s.identify(req)
	}
	return req, ""
}
