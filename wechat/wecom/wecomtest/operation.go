package wecomtest

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// An operation is one call that the fake knows. The table is written from the platform's documents, not from our spec, so that a
// mistake in the spec shows.
type operation struct {
	name, method, path string
	uncounted          bool // not in the base frequency
	noToken            bool
	emptyText          []string // what an error answers too, with nothing in it
	emptyList          []string
	emptyObject        []string
	act                func(*Server, *request) resiliencetest.Answer
}

func operations() []operation {
	return []operation{
		{name: "gettoken", method: http.MethodGet, path: "/cgi-bin/gettoken", noToken: true,
			emptyText: []string{"access_token"}, act: (*Server).getToken},
		{name: "message/send", method: http.MethodPost, path: "/cgi-bin/message/send", uncounted: true,
			emptyText: []string{"invaliduser", "invalidparty", "invalidtag", "unlicenseduser", "msgid"}, act: (*Server).send},
		{name: "media/upload", method: http.MethodPost, path: "/cgi-bin/media/upload",
			emptyText: []string{"type", "media_id"}, act: (*Server).upload},
		{name: "user/get", method: http.MethodGet, path: "/cgi-bin/user/get",
			emptyText: []string{"userid", "name"}, emptyList: []string{"department", "order", "is_leader_in_dept", "direct_leader"},
			emptyObject: []string{"extattr", "external_profile"}, act: (*Server).getUser},
		{name: "department/list", method: http.MethodGet, path: "/cgi-bin/department/list",
			emptyList: []string{"department"}, act: (*Server).listDepartments},
		{name: "kf/send_msg", method: http.MethodPost, path: "/cgi-bin/kf/send_msg",
			emptyText: []string{"msgid"}, act: (*Server).kfSend},
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
	server *Server
	call   *resiliencetest.Call
	http   *http.Request
	app    *app // nil where no token is needed
	query  url.Values
	body   document // of a JSON call
	now    time.Time
}

// admit checks path, method, token and quotas, and counts the call.
func (s *Server) admit(c *resiliencetest.Call, r *http.Request) *resiliencetest.Answer {
	op := operationAt(c.Path)
	switch {
	case slices.Contains(r.TransferEncoding, "chunked"):
		return &resiliencetest.Answer{Status: http.StatusPreconditionFailed, ContentType: "text/plain"}
	case op == nil: // no code for these two is documented
		return plain(http.StatusNotFound)
	case op.method != c.Method:
		return plain(http.StatusMethodNotAllowed)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if code := s.admission(op, r, time.Now()); code != "" {
		return new(s.refusal(c, code, ""))
	}
	return nil
}

func plain(status int) *resiliencetest.Answer {
	return &resiliencetest.Answer{Status: status, ContentType: "text/plain", Body: []byte(http.StatusText(status))}
}

// admission returns the code that a call is refused with when it arrives, "" if it is let in.
func (s *Server) admission(op *operation, r *http.Request, now time.Time) string {
	query, ip := r.URL.Query(), address(r)
	var code string
	if op.noToken {
		code = s.tokenAdmission(query, ip, now)
	} else {
		_, code = s.apps.bearer(query.Get("access_token"), now)
	}
	switch {
	case code != "":
		return code
	case !s.take(op, ip, now):
		return "45009"
	case !s.enter(op):
		return "45033"
	}
	return ""
}

// address returns where a request came from, without the port.
func address(r *http.Request) string {
	if host, _, err := net.SplitHostPort(r.RemoteAddr); err == nil {
		return host
	}
	return r.RemoteAddr
}

// act carries the call out. Only calls that were let in come here, so that each entry has its exit.
func (s *Server) act(c *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
	op := operationAt(c.Path)
	if op == nil {
		return *plain(http.StatusNotFound)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	defer s.leave(op)
	req := &request{server: s, call: c, http: r, query: r.URL.Query(), now: time.Now()}
	if !op.noToken {
		// Looked up again: the token may have ended during a delay.
		a, code := s.apps.bearer(req.query.Get("access_token"), req.now)
		if code != "" {
			return s.refusal(c, code, "")
		}
		req.app = a
	}
	return op.act(s, req)
}
