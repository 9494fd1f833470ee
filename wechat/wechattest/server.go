package wechattest

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A Fault is what the fake does wrong with a call.
type Fault = resiliencetest.Fault

// A Server is a fake WeChat. It is safe for concurrent use. Close it.
type Server struct {
	fake *resiliencetest.Fake
	http *resiliencetest.Server
	cfg  config

	refusals atomic.Int64 // answered so far; each has a request id of its own

	mu        sync.Mutex
	apps      map[string]*app   // by appid
	tokens    map[string]*token // by the token's text, also those that ended
	users     map[string]*user  // by openid
	order     []*user           // as they came
	templates map[string]bool
	delivered map[clientMessage]int64 // the msgid that a caller's id got
	sent      []Message               // by time
	files     map[string]*file        // by media id
	logins    map[string]*login       // by code
	menu      []byte
	counted   counters
	issued    int   // texts made up so far
	lastID    int64 // of a message
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

// firstID has 19 digits: a reader that takes ids for floating point numbers gets others.
const firstID = 1988810812324364291

func newServer(opts []Option) *Server {
	s := &Server{
		cfg: defaults(), apps: map[string]*app{}, tokens: map[string]*token{}, users: map[string]*user{},
		templates: map[string]bool{TemplateID: true}, delivered: map[clientMessage]int64{}, files: map[string]*file{},
		logins: map[string]*login{}, counted: counters{}, lastID: firstID - 1,
	}
	for _, opt := range opts {
		opt(&s.cfg)
	}
	s.fake = &resiliencetest.Fake{Name: nameOf, Credential: s.credential, Admit: s.admit, Act: s.act, Refuse: s.refusal}
	s.apps[AppID] = &app{id: AppID, secret: AppSecret}
	s.addFollowers(time.Now())
	return s
}

// Close ends the fake: connections are cut and nothing of it runs any more.
func (s *Server) Close() { s.http.Close() }

// URL returns the fake's base address, in place of https://api.weixin.qq.com.
func (s *Server) URL() string { return s.http.URL() }

// Transport returns a new transport that reaches the fake.
func (s *Server) Transport() *http.Transport { return s.http.Transport() }

// Listener returns the network in memory, to make dials slow or fail; nil on loopback.
func (s *Server) Listener() *resiliencetest.Listener { return s.http.Listener() }

// Fail makes the fake do wrong with calls of op what the faults say, one after the other; nil means every operation. A fault's
// Code is answered in WeChat's error form, with a request id behind its Text. Other operations than the generated ones are found
// by method and path.
func (s *Server) Fail(op *resilience.Operation, faults ...Fault) { s.fake.Fail(opName(op), faults...) }

// Heal ends the faults of op; nil ends all.
func (s *Server) Heal(op *resilience.Operation) { s.fake.Heal(opName(op)) }

// Seed starts the random source of faults with a Rate anew.
func (s *Server) Seed(seed uint64) { s.fake.Seed(seed) }

// Calls returns the calls of op that arrived so far, in their order; nil means all. App is the appid that the token belongs to,
// or that the call names.
func (s *Server) Calls(op *resilience.Operation) []resiliencetest.Call {
	return s.fake.Log().Calls(opName(op))
}

// Log returns the log of all calls.
func (s *Server) Log() *resiliencetest.Log { return s.fake.Log() }
