// Package breaker answers one question: is the service itself down? One [Breaker] is the circuit of one platform and scope.
//
// After 15 failures in a row the circuit opens: calls are refused for 30 s and nothing is sent. Then one call, the probe, may try;
// everybody else is still refused. If it succeeds the circuit closes, if it fails the circuit is open for another 30 s. Throttles,
// cancelled calls and refusals of the chain say nothing about the service and are not counted; see [Verdict].
//
// The state machine is github.com/sony/gobreaker; this package adds what it leaves to its user: a probe that hangs is cut, a probe that
// learned nothing frees its place at once, the state can be read without moving it, and changes are told outside its lock.
package breaker

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// A Breaker is the circuit of one platform and scope. It is safe for concurrent use.
type Breaker struct {
	cfg      Config
	circuit  *gobreaker.CircuitBreaker[Verdict]
	onChange func(State, time.Time)

	// The gate mirrors the circuit for readers. It is written only when the circuit changes, under gobreaker's lock, so reading it costs
	// no lock and moves nothing: gobreaker's own State() moves an open circuit to half-open.
	epoch time.Time    // instants below are nanoseconds after it, by the monotonic clock
	gate  atomic.Int64 // gateClosed, gateHalfOpen, or the instant at which an open circuit lets a probe pass
	probe atomic.Int64 // the instant at which the running probe is cut; 0 without one

	untold atomic.Int32 // len(changes), so that a call without news takes no lock
	mu     sync.Mutex
	// changes wait to be told; telling marks that a goroutine is at it, so that they are told in order and without a lock.
	changes []change
	telling bool
}

type change struct {
	state State
	until time.Time
}

const (
	gateClosed   = 0
	gateHalfOpen = -1
)

// What an attempt tells gobreaker. errNothing, and whatever error gobreaker makes of a panic, is excluded from its counts.
var (
	errFailed  = errors.New("service failed")
	errNothing = errors.New("nothing learned")
)

// ErrProbeCut is the cause of a probe's context that ended because the probe took too long. The context's error is
// context.DeadlineExceeded.
var ErrProbeCut = errors.New("probe of an open circuit took too long")

// New returns a closed circuit. onChange, which may be nil, is told of each change in order, with the end of an open state (zero
// else). It runs outside all locks, in a goroutine that is about to make a call or has just made one.
func New(cfg Config, onChange func(state State, until time.Time)) *Breaker {
	b := &Breaker{cfg: cfg.withDefaults(), onChange: onChange, epoch: time.Now()}
	failures := b.cfg.Failures
	b.circuit = gobreaker.NewCircuitBreaker[Verdict](gobreaker.Settings{
		MaxRequests: 1, // a total per half-open period, and as many successes in a row to close: two let one hanging probe block the rest
		Timeout:     b.cfg.Open,
		ReadyToTrip: func(counts gobreaker.Counts) bool { return int64(counts.ConsecutiveFailures) >= int64(failures) },
		IsExcluded:  func(err error) bool { return err != nil && !errors.Is(err, errFailed) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			b.changed(to)
		},
	})
	return b
}

// Refused says whether a call would be refused at now, and when to ask again. It changes nothing. While a probe runs that time is the
// probe's end at the latest.
//
// Refused is a quick look before a call is prepared; Do decides.
func (b *Breaker) Refused(now time.Time) (retryAt time.Time, refused bool) {
	switch gate := b.gate.Load(); gate {
	case gateClosed:
		return time.Time{}, false
	case gateHalfOpen:
		end := b.probe.Load()
		if end == 0 {
			return time.Time{}, false
		}
		return b.instant(end), true
	default:
		if b.offset(now) >= gate {
			return time.Time{}, false
		}
		return b.instant(gate), true
	}
}

// State returns the circuit's state at now and the end of an open state (zero else). An open circuit whose time is over is half-open:
// the next call is a probe. Reading the state moves nothing.
func (b *Breaker) State(now time.Time) (state State, until time.Time) {
	switch gate := b.gate.Load(); {
	case gate == gateClosed:
		return Closed, time.Time{}
	case gate == gateHalfOpen || b.offset(now) >= gate:
		return HalfOpen, time.Time{}
	default:
		return Open, b.instant(gate)
	}
}

// Do runs attempt if the circuit lets it, and reports whether it did. attempt gets ctx and, if it is the probe, a context that ends
// after the probe timeout with the cause [ErrProbeCut]; it must end with its context. A probe that was cut and brought no answer is a
// failure. A panic of attempt goes on to the caller and says nothing about the service.
func (b *Breaker) Do(ctx context.Context, attempt func(ctx context.Context, probe bool) Verdict) (ran bool) {
	if b.cfg.Off {
		attempt(ctx, false)
		return true
	}
	if b.gate.Load() != gateClosed {
		// Moves an open circuit whose time is over to half-open here and not inside Execute, so that onChange hears of it before the
		// probe starts, and a panic of onChange is no result of the probe.
		b.circuit.State()
		b.tell()
	}
	defer b.tell()
	// The error only says again what the attempt said, or that it did not run.
	_, _ = b.circuit.Execute(func() (Verdict, error) {
		ran = true
		// Half-open and let in means the probe: it holds the only place until its result is in.
		if b.gate.Load() == gateHalfOpen {
			return b.runProbe(ctx, attempt)
		}
		return result(attempt(ctx, false))
	})
	return ran
}

func (b *Breaker) runProbe(ctx context.Context, attempt func(context.Context, bool) Verdict) (Verdict, error) {
	b.probe.Store(b.offset(time.Now()) + int64(b.cfg.ProbeTimeout))
	defer b.probe.Store(0)
	bounded, cancel := context.WithTimeoutCause(ctx, b.cfg.ProbeTimeout, ErrProbeCut)
	defer cancel()

	verdict := attempt(bounded, true)
	switch {
	case verdict == Answered:
		// Else a platform that throttles probes would keep the circuit half-open for ever.
		verdict = Success
	case verdict == Neutral && errors.Is(context.Cause(bounded), ErrProbeCut):
		verdict = Failure
	}
	return result(verdict)
}

func result(v Verdict) (Verdict, error) {
	switch v {
	case Success:
		return v, nil
	case Failure:
		return v, errFailed
	default:
		return v, errNothing
	}
}

// changed runs under gobreaker's lock: it must not ask the circuit anything.
func (b *Breaker) changed(to gobreaker.State) {
	var c change
	switch to {
	case gobreaker.StateClosed:
		b.gate.Store(gateClosed)
	case gobreaker.StateHalfOpen:
		b.gate.Store(gateHalfOpen)
		c.state = HalfOpen
	case gobreaker.StateOpen:
		// gobreaker lets the first call pass strictly after its time-out, so the gate opens a nanosecond after it.
		end := b.offset(time.Now()) + int64(b.cfg.Open) + 1
		b.gate.Store(end)
		c = change{Open, b.instant(end)}
	}
	if b.onChange == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.changes = append(b.changes, c)
	b.untold.Add(1)
}

// tell reports the changes that nobody has been told of. One goroutine tells at a time; it also takes what others leave meanwhile.
func (b *Breaker) tell() {
	for b.untold.Load() > 0 {
		c, ok := b.nextChange()
		if !ok {
			return
		}
		b.tellOne(c)
	}
}

func (b *Breaker) nextChange() (change, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.telling || len(b.changes) == 0 {
		return change{}, false
	}
	c := b.changes[0]
	b.changes = b.changes[1:]
	b.untold.Add(-1)
	b.telling = true
	return c, true
}

func (b *Breaker) tellOne(c change) {
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.telling = false
	}()
	b.onChange(c.state, c.until)
}

func (b *Breaker) offset(t time.Time) int64       { return int64(t.Sub(b.epoch)) }
func (b *Breaker) instant(offset int64) time.Time { return b.epoch.Add(time.Duration(offset)) }
