package stack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A Stack is the middleware of one client. Safe for concurrent use; it implements wire.Caller. Two clients that use the same
// credentials in one process do not know of each other: make one and share it.
type Stack struct {
	platform  Platform
	config    Config
	transport http.RoundTripper
	owned     *http.Transport // nil: the transport is the user's
	userAgent []string        // as a header holds it; all requests share it
	observers []resilience.Observer
	pool      *tokenpool.Pool
	breakers  [2]*breaker.Breaker // by scope
	within    *breaker.Breaker    // of calls that other calls wait for
	retrier   *retry.Retrier
	keys      *retry.Keys
	skew      atomic.Int64 // nanoseconds that the platform's clock is ahead of ours
	flights   flights
}

// New returns the stack of a client of the platform. Every fault of the options is in the error.
func New(p Platform, opts ...Option) (*Stack, error) {
	o := options{baseURL: p.BaseURL, config: Production(), userAgent: "dujiang", proxy: http.ProxyFromEnvironment}
	var faults []error
	for _, opt := range opts {
		if opt == nil {
			faults = append(faults, errors.New("nil Option"))
			continue
		}
		faults = append(faults, opt(&o))
	}
	faults = append(faults, o.checkBase())
	s := &Stack{platform: p, config: o.config.withDefaults(), userAgent: []string{o.userAgent}, observers: o.observers}
	s.platform.BaseURL = o.baseURL
	if o.logger != nil {
		s.observers = append(s.observers, log(o.logger))
	}
	quotas, err := s.config.quotas(&p)
	faults = append(faults, err)
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	pool := tokenpool.Config{Platform: p.Name, Groups: quotas, Settings: s.config.Pool, Observer: s.observe}
	if p.Auth != nil {
		pool.Serves = p.Auth.Serves
	}
	if s.pool, err = tokenpool.New(pool, o.credentials...); err != nil {
		return nil, fmt.Errorf("%s: %w", p.Name, err)
	}
	s.retrier = retry.New(s.config.Retry)
	s.keys = retry.NewKeys(s.config.KeyTTL)
	for i := range s.breakers {
		s.breakers[i] = s.newBreaker(resilience.Scope(i))
	}
	s.within = breaker.New(s.config.Breaker, nil)
	if s.transport = o.transport; s.transport == nil {
		s.owned = newTransport(o.proxy)
		s.transport = s.owned
	}
	s.flights.stack = s
	return s, nil
}

func (s *Stack) newBreaker(scope resilience.Scope) *breaker.Breaker {
	// What the circuit's events belong to: a scope of the platform, no single operation.
	op := &resilience.Operation{Platform: s.platform.Name, ID: "*", Scope: scope}
	return breaker.New(s.config.Breaker, func(state breaker.State, until time.Time) {
		if state == breaker.Open {
			s.pool.Flush(scope, func(op *resilience.Operation) error { return circuitOpen(op, until) })
			s.retrier.Wake()
		}
		if state != breaker.HalfOpen {
			s.observe(resilience.Event{Kind: resilience.EventCircuit, Time: time.Now(), Op: op, Scope: scope, Until: until})
		}
	})
}

func circuitOpen(op *resilience.Operation, until time.Time) *resilience.RefusedError {
	return &resilience.RefusedError{Op: op, Reason: resilience.ErrCircuitOpen, Detail: "the service failed many times in a row", RetryAt: until}
}

// Do makes a call. The error is a *RefusedError if nothing was sent, an *APIError else; what ended the repeats may be joined to it.
func (s *Stack) Do(ctx context.Context, call *resilience.Call) (*resilience.Response, error) {
	if call.Op == nil {
		return nil, &resilience.RefusedError{Reason: resilience.ErrInvalidRequest, Detail: "the call names no operation"}
	}
	if err := checkOperation(call.Op); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, &resilience.RefusedError{Op: call.Op, Reason: resilience.ErrInvalidRequest, Detail: "the caller had left", Cause: context.Cause(ctx)}
	}
	f := s.flights.take(ctx, call)
	resp, err := f.run()
	if call.Response != nil && resp != nil {
		*call.Response = *resp
	}
	s.flights.give(f)
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// checkOperation finds what is missing in operations that callers make themselves.
func checkOperation(op *resilience.Operation) error {
	detail := ""
	switch {
	case !strings.HasPrefix(op.Path, "/"):
		detail = fmt.Sprintf("the operation's Path %q does not begin with a slash", op.Path)
	case op.HTTPMethod == "":
		detail = "the operation has no HTTPMethod: want GET or POST"
	default:
		return nil
	}
	return &resilience.RefusedError{Op: op, Reason: resilience.ErrInvalidRequest, Detail: detail}
}

// DecodeFaults tells the observers of an answer of which some fields could not be read.
func (s *Stack) DecodeFaults(call *resilience.Call, resp *resilience.Response) {
	s.observe(resilience.Event{
		Kind: resilience.EventDecodeFault, Time: time.Now(), Op: call.Op, Scope: call.Op.Scope, Credential: resp.Credential, Count: len(resp.Faults),
	})
}

var _ wire.FaultObserver = (*Stack)(nil)

func (s *Stack) observe(e resilience.Event) {
	for _, f := range s.observers {
		f(e)
	}
}

// Put adds a credential, or changes the one of the same ID and brings it back into use.
func (s *Stack) Put(c resilience.Credential) error { return s.pool.Put(c) }

// Remove takes a credential out. Calls that it is making go on.
func (s *Stack) Remove(id string) { s.pool.Remove(id) }

// Reconfigure replaces the numbers of windows and cooldowns; what was spent stays spent, and waiting calls are decided anew at once.
// The times of attempts, the circuit and the repeats are fixed at New. An invalid configuration changes nothing.
func (s *Stack) Reconfigure(cfg Config) error {
	if err := cfg.Validate(); err != nil {
		return fmt.Errorf("%s: %w", s.platform.Name, err)
	}
	quotas, err := cfg.quotas(&s.platform)
	if err != nil {
		return fmt.Errorf("%s: %w", s.platform.Name, err)
	}
	if err := s.pool.Reconfigure(quotas, cfg.Pool); err != nil {
		return fmt.Errorf("%s: %w", s.platform.Name, err)
	}
	s.retrier.Wake()
	return nil
}

// A Target says what is paused. Each empty field means all.
type Target = tokenpool.Target

// Pause stops calls until the time, or until Resume if it is zero. Waiting calls are refused at once with ErrPaused; attempts that are
// still dialing are cancelled, unsent; none begins after Pause returns. What departed goes on.
func (s *Stack) Pause(target Target, reason, by string, until time.Time) {
	s.pool.Pause(target, reason, by, until)
	s.retrier.Wake()
}

// Resume ends the pause of exactly this target, and reports whether there was one.
func (s *Stack) Resume(target Target) bool { return s.pool.Resume(target) }

// Close refuses all that wait and all that comes with ErrClosed, and frees idle connections. Calls that departed go on.
func (s *Stack) Close() error {
	s.pool.Close()
	s.retrier.Wake()
	if s.owned != nil {
		s.owned.CloseIdleConnections()
	}
	return nil
}
