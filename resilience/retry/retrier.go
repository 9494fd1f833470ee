// Package retry decides whether a call may be repeated, and when.
//
// What may be repeated is the table of classes: a throttled call always, a failed one if its operation is idempotent or if it is
// proven that nothing was sent, a write with an unknown outcome never. How often and after which waits is the tier's [Schedule]. A
// [Budget] for each scope keeps repeats from multiplying an outage. A wait ends with its context, and at once when the world changes:
// see [Retrier.Wake].
//
// # Errors
//
// The result of a call that was repeated is the error of its last attempt that departed. What ended the repeats is joined to it: the
// context's error, a refusal of the chain, or [ErrBudget]. errors.Is and errors.AsType find both. A wait that does not fit the
// deadline is not begun: the call ends at once with the error it has.
//
// The loop itself is github.com/hashicorp/go-retryablehttp.
package retry

import (
	"context"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Retrier repeats the calls of one platform. It is safe for concurrent use and starts no goroutine.
type Retrier struct {
	cfg       Config
	schedules [resilience.Tiers]Schedule
	random    func(n int64) int64
	budgets   [2]budget // by resilience.Scope
	shell     *retryablehttp.Client
	flights   sync.Pool

	mu    sync.Mutex
	world chan struct{} // closed when the world changes
}

// An Option changes a Retrier.
type Option func(*Retrier)

// WithRandom draws the random share of waits from random, which returns a number in [0, n), n > 0, and may be called by many
// goroutines. Tests use it.
func WithRandom(random func(n int64) int64) Option {
	return func(r *Retrier) {
		if random != nil {
			r.random = random
		}
	}
}

// New returns a Retrier with full budgets.
func New(cfg Config, opts ...Option) *Retrier {
	cfg.Budget = cfg.Budget.withDefaults()
	r := &Retrier{cfg: cfg, random: rand.Int64N, shell: newShell(), world: make(chan struct{})}
	for tier := range r.schedules {
		r.schedules[tier] = cfg.Schedule(resilience.Tier(tier))
	}
	for scope := range r.budgets {
		r.budgets[scope].init(cfg.Budget)
	}
	for _, opt := range opts {
		opt(r)
	}
	r.flights.New = func() any { return newFlight(r) }
	return r
}

// Do makes the call and repeats it as far as its operation, the outcomes, the tier's schedule, the budget and the deadline allow. It
// returns the job's own Outcome, with what ended the repeats joined to its error. A zero deadline means the schedule's total from now;
// the deadline of ctx holds as well.
func (r *Retrier) Do(ctx context.Context, call *resilience.Call, deadline time.Time, job Job) *Outcome {
	if deadline.IsZero() {
		deadline = time.Now().Add(r.schedule(call).Total)
	}
	// The first attempt needs none of the loop's machinery, and most calls need no second one.
	var h history
	out := h.attempt(call.Op, job)
	switch {
	case out.succeeded():
		r.budget(call.Op.Scope).give(1)
	case !r.cfg.Off && repeatable(call.Op, out):
		return r.repeat(ctx, call, deadline, job, out, &h)
	}
	return h.end(out, nil)
}

// repeat enters the shell with out as the answer to its first request.
func (r *Retrier) repeat(
	ctx context.Context, call *resilience.Call, deadline time.Time, job Job, out *Outcome, h *history,
) *Outcome {
	f, _ := r.flights.Get().(*flight)
	f.depart(ctx, call, deadline, job, out, h)
	landed := false
	defer func() { f.land(landed) }() // after a panic of the job too, but then the flight is not used again
	resp, err := r.shell.Do(f.request)
	if err == nil { // an error only tells the shell to stop; what happened stands in the flight
		_ = resp.Body.Close()
	}
	result := f.end()
	landed = true
	return result
}

// Wake makes all waits ask their Gate again, at once.
func (r *Retrier) Wake() {
	r.mu.Lock()
	defer r.mu.Unlock()
	close(r.world)
	r.world = make(chan struct{})
}

// changed returns a channel that is closed when the world changes.
func (r *Retrier) changed() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.world
}

// Budget returns how many tokens the scope's budget holds.
func (r *Retrier) Budget(s resilience.Scope) int { return int(r.budget(s).tokens.Load()) }

func (r *Retrier) budget(s resilience.Scope) *budget {
	if s == resilience.Read {
		return &r.budgets[resilience.Read]
	}
	return &r.budgets[resilience.Write]
}

func (r *Retrier) schedule(call *resilience.Call) Schedule {
	tier := call.Tier
	if tier == resilience.Untiered {
		tier = call.Op.Tier
	}
	if int(tier) >= len(r.schedules) {
		tier = resilience.Untiered
	}
	return r.schedules[tier]
}
