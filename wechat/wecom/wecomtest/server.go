package wecomtest

import (
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A Fault is what the fake does wrong with a call.
type Fault = resiliencetest.Fault

// A Server is a fake WeCom. It is safe for concurrent use. Close it.
type Server struct {
	fake  *resiliencetest.Fake
	http  *resiliencetest.Server
	cfg   config
	hints atomic.Int64 // how many errors were answered

	mu        sync.Mutex
	apps      apps
	people    people
	media     map[string]upload // by media id
	traffic   map[string]*traffic
	running   map[string]int // calls at work by operation
	sent      map[string]repeat
	desk      desk
	delivered []Message
	issued    int // message ids
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
		cfg: defaults(), apps: newApps(), people: newPeople(), media: map[string]upload{}, traffic: map[string]*traffic{},
		running: map[string]int{}, sent: map[string]repeat{}, desk: newDesk(),
	}
	for _, opt := range opts {
		opt(&s.cfg)
	}
	s.fake = &resiliencetest.Fake{Name: nameOf, Credential: s.credential, Admit: s.admit, Act: s.act, Refuse: s.refusal}
	return s
}

// Close ends the fake: connections are cut and nothing of it runs any more.
func (s *Server) Close() { s.http.Close() }

// URL returns the fake's base address, in place of https://qyapi.weixin.qq.com.
func (s *Server) URL() string { return s.http.URL() }

// Transport returns a new transport that reaches the fake.
func (s *Server) Transport() *http.Transport { return s.http.Transport() }

// Listener returns the network in memory, to make dials slow or fail; nil on loopback.
func (s *Server) Listener() *resiliencetest.Listener { return s.http.Listener() }

// Fail makes the fake do wrong with calls of op what the faults say, one after the other; nil means every operation. A fault's Code is
// answered in WeCom's error form. Other operations than the generated ones are found by method and path.
func (s *Server) Fail(op *resilience.Operation, faults ...Fault) { s.fake.Fail(opName(op), faults...) }

// Heal ends the faults of op; nil ends all.
func (s *Server) Heal(op *resilience.Operation) { s.fake.Heal(opName(op)) }

// Seed starts the random source of faults with a Rate anew.
func (s *Server) Seed(seed uint64) { s.fake.Seed(seed) }

// Calls returns the calls of op that arrived so far, in their order; nil means all. App is the enterprise and the application that the
// token or the secret belongs to: "ww0000000000000001/1000002".
func (s *Server) Calls(op *resilience.Operation) []resiliencetest.Call {
	return s.fake.Log().Calls(opName(op))
}

// Log returns the log of all calls.
func (s *Server) Log() *resiliencetest.Log { return s.fake.Log() }

// A Message is one that reached somebody. A send to three members is three of them with one MsgID.
type Message struct {
	Member   string // the userid, or the external_userid of a customer
	Agent    int64  // the application that sent it; 0 for customer service
	OpenKFID string // the customer-service account that sent it; empty for an application's message
	Type     string // the msgtype
	Text     string // what is read first: the content, the first title or, of media, the media id
	MsgID    string
	Time     time.Time
}

// Delivered returns the messages that reached somebody so far, in their order. What the platform drops in silence is not among them.
func (s *Server) Delivered() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.delivered)
}
