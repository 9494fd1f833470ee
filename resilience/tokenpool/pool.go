package tokenpool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// A Pool grants calls the credentials of one platform. Safe for concurrent use.
type Pool struct {
	Config
	epoch time.Time

	mu       sync.Mutex
	last     quota.Instant
	closed   bool
	creds    map[string]*cred
	gone     map[string]*cred // removed, but what they spent still counts
	accounts map[string]*owner
	sources  map[string]*owner
	apps     map[string]*owner
	nobody   *cred // makes the calls that need no credential
	lanes    map[laneKey]*lane
	byOp     map[*resilience.Operation]*lane // where a call names neither account nor credential
	wakes    heap[byWake]
	due      heap[byHead]
	timer    *time.Timer
	timerAt  int64 // 0: not set
	numbers  uint64
	flying   list[*grant] // granted, not departed
	free     []*grant
	pauses   []*pause
	alerts   [2]alert
	forgetAt int                // how many accounts, sources and apps there may be before the next look for those of nobody
	events   []resilience.Event // to be told when the lock is free
	aborts   []func()           // likewise
}

// New returns a pool of the credentials. The configuration and the credentials must be valid; every fault is in the error.
func New(cfg Config, credentials ...resilience.Credential) (*Pool, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	cfg.Settings = cfg.Settings.withDefaults()
	p := &Pool{
		Config:   cfg,
		epoch:    time.Now(),
		creds:    map[string]*cred{},
		gone:     map[string]*cred{},
		accounts: map[string]*owner{},
		sources:  map[string]*owner{},
		apps:     map[string]*owner{},
		lanes:    map[laneKey]*lane{},
		byOp:     map[*resilience.Operation]*lane{},
	}
	p.nobody = p.newCred(&resilience.Credential{})
	var faults []error
	for _, c := range credentials {
		faults = append(faults, p.add(c))
	}
	if err := errors.Join(faults...); err != nil {
		return nil, err
	}
	return p, nil
}

// A Request says which call wants a credential.
type Request struct {
	Op         *resilience.Operation
	Account    string   // empty: the only one, or any where the operation allows it
	Credential string   // exactly this one
	Recipients []string // who gets it
	Tier       resilience.Tier
	Within     bool      // for a call that waits for this one: takes no place in flight, and probations do not hold it up
	Deadline   time.Time // the wait must end before; zero means that it may last for ever
}

// A waiter is a call that stands in a lane.
type waiter struct {
	req    Request
	lane   *lane
	place  node[*waiter]
	number uint64        // of arrival
	done   chan struct{} // closed when permit or err is set
	permit Permit
	err    error
}

// Acquire grants the call a credential with a place in each of its windows, or waits for one in its lane until the request's
// deadline. It returns a *RefusedError: ErrLimited when the wait would not fit the deadline (known at once, or the deadline came),
// ErrNoCredential when all cool or none exists, ErrPaused, ErrClosed, ErrInvalidRequest. A granted Permit must be released.
func (p *Pool) Acquire(ctx context.Context, req Request) (Permit, error) {
	p.mu.Lock()
	t := p.now()
	l, err := p.admit(t, req)
	if err != nil {
		p.unlock()
		return Permit{}, err
	}
	permit, err := p.atOnce(l, t, req)
	if err != nil || permit.grant != nil {
		p.unlock()
		return permit, err
	}
	w := p.enqueue(l, t, req)
	p.unlock()
	return p.await(ctx, w)
}

// atOnce grants the call what there is now, or says why it may not wait for it either. With neither it has to wait.
func (p *Pool) atOnce(l *lane, t quota.Instant, req Request) (Permit, error) {
	if l.waiting == 0 {
		if m := l.pick(p, t); m != nil {
			return p.grant(l, m, t, req)
		}
	}
	if l.account != nil {
		if _, err := p.recipients(l, l.account, t, req); err != nil {
			return Permit{}, err
		}
	}
	return Permit{}, p.refuse(l, t, req)
}

// admit finds the call's lane, or says why there is none for it now.
func (p *Pool) admit(t quota.Instant, req Request) (*lane, error) {
	if p.closed {
		return nil, refused(req, resilience.ErrClosed, "the client was closed")
	}
	if pause := p.paused(t.Mono, req); pause != nil {
		return nil, pause.refusal(req)
	}
	return p.lane(t, req)
}

// refuse returns why a call that cannot go now may not wait either.
func (p *Pool) refuse(l *lane, t quota.Instant, req Request) error {
	if back, idle := l.idle(t); idle {
		p.alert(l.scope, req.Op, t)
		return p.idleRefusal(l, t, req, back)
	}
	if g := l.tooDear(); g != nil {
		return g.refusal(req)
	}
	ahead := l.ahead(req.Tier)
	wait := l.expect(t, ahead)
	tooLong := !req.Deadline.IsZero() && p.time(t.Mono+wait).After(req.Deadline)
	if !tooLong && l.waiting < p.Queue {
		return nil
	}
	e := refused(req, resilience.ErrLimited, "")
	e.RetryAt, e.Position, e.ExpectedWait = p.retryTime(t.Mono+wait), ahead, time.Duration(wait)
	e.Detail = fmt.Sprintf("the queue of %d is full", p.Queue)
	if tooLong {
		may := max(0, req.Deadline.Sub(p.time(t.Mono)))
		e.Detail = fmt.Sprintf("a wait of %v for quota is longer than this call may wait, %v (max_wait, or what is left of its time-out)%s",
			rounded(time.Duration(wait)), rounded(may), l.fullest(t))
	}
	return e
}

// rounded keeps what a reader looks at.
func rounded(d time.Duration) time.Duration {
	if d < time.Second {
		return d
	}
	return d.Round(time.Millisecond)
}

// idleRefusal is the answer when every credential of the lane is out of use; back is when the first returns, 0 if nobody knows.
func (p *Pool) idleRefusal(l *lane, t quota.Instant, req Request, back int64) error {
	pause := p.pauseOf(t.Mono, l)
	e := refused(req, resilience.ErrNoCredential, "every credential is cooling down or out of use")
	if pause != nil {
		e.Reason, e.Detail = resilience.ErrPaused, pause.text()
	}
	if len(l.members) == 1 {
		e.Credential = l.members[0].cred.ID
		if pause == nil {
			detail, class := l.members[0].trouble(t.Mono)
			e.Detail, e.Class = cmp.Or(detail, e.Detail), class
		}
	}
	if back > 0 {
		e.RetryAt = p.retryTime(back)
	}
	return e
}

func refused(req Request, reason error, detail string) *resilience.RefusedError {
	return &resilience.RefusedError{Op: req.Op, Reason: reason, Detail: detail, Credential: req.Credential}
}

// refusal is the answer to a call that costs more than the window ever holds.
func (g *gauge) refusal(req Request) error {
	w := g.Window()
	return refused(req, resilience.ErrLimited, fmt.Sprintf("a cost of %d never fits into window %q of %d", req.Op.Weight(), w.Name, w.Room()))
}

func (p *Pool) enqueue(l *lane, t quota.Instant, req Request) *waiter {
	p.numbers++
	w := &waiter{req: req, lane: l, number: p.numbers, done: make(chan struct{})}
	w.place.value = w
	l.queues[rank(req.Tier)].push(&w.place)
	l.waiting++
	p.look(l, t)
	return w
}

// await waits for the waiter's turn, the caller's end or the deadline.
func (p *Pool) await(ctx context.Context, w *waiter) (Permit, error) {
	var late <-chan time.Time
	if !w.req.Deadline.IsZero() {
		timer := time.NewTimer(max(1, time.Until(w.req.Deadline)))
		defer timer.Stop()
		late = timer.C
	}
	select {
	case <-w.done:
		return w.permit, w.err
	case <-ctx.Done():
	case <-late:
	}
	return p.abandon(ctx, w)
}

// abandon takes a waiter out whose caller is gone or late; what it was granted meanwhile goes back.
func (p *Pool) abandon(ctx context.Context, w *waiter) (Permit, error) {
	p.mu.Lock()
	t := p.now()
	select {
	case <-w.done:
		p.mu.Unlock()
		if ctx.Err() == nil || w.err != nil {
			return w.permit, w.err // it came at the last moment
		}
		w.permit.GiveBack()
	default:
		p.dequeue(w)
		p.look(w.lane, t)
		p.unlock()
	}
	e := refused(w.req, resilience.ErrLimited, "the wait for quota was longer than this call may wait (max_wait, or what is left of its time-out)")
	if err := ctx.Err(); err != nil {
		e.Detail, e.Cause = "the caller left while it waited for quota", context.Cause(ctx)
		if !errors.Is(e.Cause, err) {
			e.Cause = errors.Join(err, e.Cause)
		}
	}
	return Permit{}, e
}

func (p *Pool) dequeue(w *waiter) {
	w.place.leave()
	w.lane.waiting--
}

// finish answers a waiter.
func (p *Pool) finish(w *waiter, permit Permit, err error) {
	p.dequeue(w)
	w.permit, w.err = permit, err
	close(w.done)
}

// serve gives the lanes that are due what there is, the oldest and most urgent call first.
func (p *Pool) serve(t quota.Instant) {
	for len(p.due) > 0 {
		l := p.due[0].lane
		w := l.head()
		if w == nil {
			p.due.remove(byHead{l})
			p.arm(l, t)
			continue
		}
		if m := l.pick(p, t); m != nil {
			permit, err := p.grant(l, m, t, w.req)
			p.finish(w, permit, err)
			p.due.fix(byHead{l})
			continue
		}
		if back, idle := l.idle(t); idle {
			p.alert(l.scope, w.req.Op, t)
			p.finish(w, Permit{}, p.idleRefusal(l, t, w.req, back))
			p.due.fix(byHead{l})
			continue
		}
		p.due.remove(byHead{l})
		p.arm(l, t)
	}
}

// wake marks a lane to be served.
func (p *Pool) wake(l *lane) {
	if l.waiting > 0 {
		p.due.fix(byHead{l})
	}
}

// look serves or re-times one lane after a change of its queue.
func (p *Pool) look(l *lane, t quota.Instant) {
	if l.waiting > 0 {
		p.due.fix(byHead{l})
		p.serve(t)
		return
	}
	p.arm(l, t)
}

// arm sets when to look at a lane again.
func (p *Pool) arm(l *lane, t quota.Instant) {
	at := int64(0)
	if l.waiting > 0 {
		at = l.next(t)
	}
	if at == 0 {
		p.wakes.remove(byWake{l})
	} else {
		l.wakeAt = max(at, t.Mono+1)
		p.wakes.fix(byWake{l})
	}
	p.setTimer(t)
}

func (p *Pool) setTimer(t quota.Instant) {
	if len(p.wakes) == 0 || p.closed {
		return // a timer that fires for nothing does no harm
	}
	at := p.wakes[0].wakeAt
	if p.timerAt != 0 && p.timerAt <= at {
		return
	}
	p.timerAt = at
	wait := time.Duration(max(1, at-t.Mono))
	if p.timer == nil {
		p.timer = time.AfterFunc(wait, p.tick)
		return
	}
	p.timer.Reset(wait)
}

func (p *Pool) tick() {
	p.mu.Lock()
	defer p.unlock()
	p.timerAt = 0
	if p.closed {
		return
	}
	t := p.now()
	for len(p.wakes) > 0 && p.wakes[0].wakeAt <= t.Mono {
		l := p.wakes[0].lane
		p.wakes.remove(byWake{l})
		p.wake(l)
	}
	p.serve(t)
	p.setTimer(t)
}

// heard settles the members that waited for an event, and serves the lanes that can go on.
func (p *Pool) heard(event *list[*member], t quota.Instant) {
	for n := event.n; n > 0; n-- {
		m := event.first.value
		m.settle(p, t)
		p.wake(m.lane)
	}
}

// now is the pool's clock: it never goes back.
func (p *Pool) now() quota.Instant {
	now := time.Now()
	mono := max(p.last.Mono, int64(now.Sub(p.epoch))+1)
	p.last = quota.Instant{Mono: mono, Wall: now.UnixNano()}
	return p.last
}

// time is the wall time of an instant of the pool's clock.
func (p *Pool) time(mono int64) time.Time {
	if mono == math.MaxInt64 {
		return time.Time{}
	}
	return time.Unix(0, p.last.Wall+(mono-p.last.Mono))
}

// retryTime is time for those who are told to come back: rounded up, so that they are not early by what the two clocks differ.
func (p *Pool) retryTime(mono int64) time.Time {
	at := p.time(mono)
	if rounded := at.Truncate(time.Millisecond); !rounded.Equal(at) {
		return rounded.Add(time.Millisecond)
	}
	return at
}

// unlock ends a change; then, outside the lock, it ends the attempts that must not go on and tells the observer what happened.
func (p *Pool) unlock() {
	events, aborts := p.events, p.aborts
	p.events, p.aborts = nil, nil
	p.mu.Unlock()
	for _, abort := range aborts {
		abort()
	}
	for i := range events {
		p.Observer(events[i])
	}
}

func (p *Pool) tell(e resilience.Event, t quota.Instant) {
	if p.Observer != nil {
		e.Time = time.Unix(0, t.Wall)
		p.events = append(p.events, e)
	}
}

// Close refuses all that wait and all that comes. Permits that are out may still be released.
func (p *Pool) Close() {
	p.mu.Lock()
	defer p.unlock()
	if p.closed {
		return
	}
	p.closed = true
	if p.timer != nil {
		p.timer.Stop()
	}
	for _, l := range p.lanes {
		for w := l.head(); w != nil; w = l.head() {
			p.finish(w, Permit{}, refused(w.req, resilience.ErrClosed, "the client was closed"))
		}
	}
	p.abort(func(*grant) bool { return true }, resilience.RefusedError{Reason: resilience.ErrClosed, Detail: "the client was closed"})
}
