package alibaba1688test

import (
	"net/http"
	"sync"
	"time"

	"github.com/dujiang-go/dujiang/alibaba1688"
	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

// A Fault is what the fake does wrong with a call.
type Fault = resiliencetest.Fault

// A Server is a fake 1688. It is safe for concurrent use. Close it.
type Server struct {
	fake *resiliencetest.Fake
	http *resiliencetest.Server
	cfg  config

	mu       sync.Mutex
	apps     map[string]*app    // by AppKey
	tokens   map[string]*token  // by the token's text
	refresh  map[string]*token  // refresh tokens
	codes    map[string]*token  // authorization codes
	issued   int                // tokens and codes made up so far
	requests int                // ids of refusals so far
	traffic  map[string]*record // by AppKey
	goods    []Offer
	orders   []*order // by time
}

// NewServer starts a fake in memory. It works inside a testing/synctest bubble.
func NewServer(opts ...Option) *Server {
	s := newServer(opts)
	s.http = resiliencetest.Serve(s.fake)
	return s
}

// NewLoopback starts a fake on a free port of 127.0.0.1, for programs that are to talk to it over a socket.
func NewLoopback(opts ...Option) (*Server, error) {
	s := newServer(opts)
	var err error
	if s.http, err = resiliencetest.ServeLoopback(s.fake); err != nil {
		return nil, err
	}
	return s, nil
}

func newServer(opts []Option) *Server {
	s := &Server{
		cfg:  config{perSecond: 20, perFiveMinutes: 900, ban: 24 * time.Hour},
		apps: map[string]*app{}, tokens: map[string]*token{}, refresh: map[string]*token{}, codes: map[string]*token{},
		traffic: map[string]*record{}, goods: catalogue(),
	}
	for _, opt := range opts {
		opt(&s.cfg)
	}
	s.fake = &resiliencetest.Fake{Name: nameOf, Credential: s.credential, Admit: s.admit, Act: s.act, Refuse: s.refusal}
	a := &app{key: AppKey, secret: AppSecret}
	s.apps[AppKey] = a
	s.tokens[AccessToken] = &token{app: a, lasting: true}
	s.refresh[RefreshToken] = &token{app: a, expires: time.Now().Add(refreshLife)}
	return s
}

// Close ends the fake: connections are cut and nothing of it runs any more.
func (s *Server) Close() { s.http.Close() }

// URL returns the fake's base address, in place of https://gw.open.1688.com/openapi.
func (s *Server) URL() string { return s.http.URL() + root }

// Transport returns a new transport that reaches the fake.
func (s *Server) Transport() *http.Transport { return s.http.Transport() }

// Listener returns the network in memory, to make dials slow or fail; nil on loopback.
func (s *Server) Listener() *resiliencetest.Listener { return s.http.Listener() }

// Options returns what a client needs to call the fake instead of 1688. The AppKey is extra: alibaba1688.WithAppKey(srv.AppKey()).
func (s *Server) Options() []stack.Option {
	return []stack.Option{stack.WithTransport(s.Transport()), stack.WithBaseURL(s.URL()), stack.WithLoopbackHTTP()}
}

// AppKey returns the AppKey that the fake knows, with the member's lasting token. Set Aged yourself if the fake has [WithAgedKey].
func (s *Server) AppKey() alibaba1688.AppKey {
	return alibaba1688.AppKey{Key: AppKey, Secret: AppSecret, Token: AccessToken}
}

// RefreshingAppKey returns the same AppKey with the refresh token in place of the lasting token: the client fetches access tokens,
// which live ten hours.
func (s *Server) RefreshingAppKey() alibaba1688.AppKey {
	return alibaba1688.AppKey{Key: AppKey, Secret: AppSecret, RefreshToken: RefreshToken}
}

// Fail makes the fake do wrong with calls of op what the faults say, one after the other; nil means every operation. A fault's Code is
// answered in the gateway's form if it is the gateway's (gw.*, 401, 403, 404, 405), else in the operation's own form with status 200.
// Other operations than the generated ones are found by their path.
func (s *Server) Fail(op *resilience.Operation, faults ...Fault) { s.fake.Fail(opName(op), faults...) }

// Heal ends the faults of op; nil ends all.
func (s *Server) Heal(op *resilience.Operation) { s.fake.Heal(opName(op)) }

// Seed starts the random source of faults with a Rate anew.
func (s *Server) Seed(seed uint64) { s.fake.Seed(seed) }

// Calls returns the calls of op that arrived so far, in their order; nil means all. App is the AppKey of the path.
func (s *Server) Calls(op *resilience.Operation) []resiliencetest.Call {
	return s.fake.Log().Calls(opName(op))
}

// Log returns the log of all calls.
func (s *Server) Log() *resiliencetest.Log { return s.fake.Log() }
