package stack

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/token"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

// A flight is one call on its way through the chain. Flights are used again; what may outlive its attempt (traces, streams) holds the
// attempt and never the flight.
type flight struct {
	*Stack
	ctx      context.Context //nolint:containedctx // a flight is the call's own life
	call     *resilience.Call
	op       *resilience.Operation
	began    time.Time
	deadline time.Time
	request  tokenpool.Request

	departures int
	renewed    bool // the token, once a call
	skewed     bool // the clock, once a call
	stale      bool // repeated on account of a dead connection, once a call
	response   *resilience.Response
	outcome    retry.Outcome

	// Of the current attempt:
	number  int
	current *attempt
	held    bool // its permit is still ours to release
	cred    *resilience.Credential
	token   resilience.Secret
	renew   bool // the token is to be renewed when the breaker is left
	send    func(ctx context.Context, probe bool) breaker.Verdict
	alarm   *alarm // of this attempt, the next and the next call's; nil until it is needed
}

// flights keeps flights for the next calls.
type flights struct {
	stack *Stack
	pool  sync.Pool
}

func (fs *flights) take(ctx context.Context, call *resilience.Call) *flight {
	f, ok := fs.pool.Get().(*flight)
	if !ok {
		f = &flight{Stack: fs.stack}
		f.send = f.attempt // made once: a method value is an allocation
	}
	f.ctx, f.call, f.op = ctx, call, call.Op
	f.began = time.Now()
	tier := call.Tier
	if tier == resilience.Untiered {
		tier = call.Op.Tier
	}
	total := call.Timeout
	if total <= 0 {
		total = f.config.Retry.Schedule(tier).Total
	}
	f.deadline = f.began.Add(total)
	if d, ok := ctx.Deadline(); ok && d.Before(f.deadline) {
		f.deadline = d
	}
	f.request = tokenpool.Request{Op: f.op, Account: call.Account, Credential: call.Credential, Tier: tier,
		Recipients: call.Request.Recipients, Within: call.Within}
	return f
}

func (fs *flights) give(f *flight) {
	*f = flight{Stack: f.Stack, send: f.send, alarm: f.alarm}
	fs.pool.Put(f)
}

// run makes the call.
func (f *flight) run() (*resilience.Response, error) {
	err := f.open()
	if err == nil {
		out := f.retrier.Do(f.ctx, f.call, f.deadline, f)
		err = out.Err
		f.settleKey(err, out)
	}
	if len(f.observers) > 0 {
		f.tell(err)
	}
	return f.response, err
}

// settleKey says what became of the call's key.
func (f *flight) settleKey(err error, out *retry.Outcome) {
	switch {
	case f.call.Key == "":
	case err != nil && (out.Unexecuted || f.departures == 0):
		f.keys.Free(f.call.Key, f.began)
	default:
		f.keys.Settle(f.call.Key, f.began, err != nil)
	}
}

// keyUsed is the refusal of a call whose key is claimed.
func (f *flight) keyUsed(by retry.Use) error {
	detail := "a call with this key began and is not done: "
	switch {
	case by.Unknown:
		detail = "nobody knows whether the call with this key was carried out: "
	case by.Settled:
		detail = "a call with this key was carried out: "
	}
	return &resilience.RefusedError{
		Op: f.op, Reason: resilience.ErrDuplicate, Detail: detail + by.At.Format(time.RFC3339), RetryAt: by.Ends,
	}
}

// open is the gate before the first attempt: a key is claimed only by a call that has a chance.
func (f *flight) open() error {
	if f.call.Key == "" {
		return nil // Attempt and the pool ask the rest
	}
	if err := f.Gate(); err != nil {
		return err
	}
	if earlier, ok := f.keys.Claim(f.call.Key, f.began); !ok {
		return f.keyUsed(earlier)
	}
	return nil
}

// Gate returns the refusal that the call would meet now.
func (f *flight) Gate() error {
	if until, refused := f.circuit().Refused(time.Now()); refused {
		return circuitOpen(f.op, until)
	}
	return f.pool.Check(f.request)
}

// circuit is that of the call's scope. Calls within others have one of their own: that reads fail says nothing of the tokens that
// writes need.
func (f *flight) circuit() *breaker.Breaker {
	if f.call.Within {
		return f.within
	}
	return f.breakers[f.op.Scope]
}

// timeForAnswer is what a wait for quota leaves of the call's time, if it has that much: a write that departs at the last moment is
// carried out, and its caller does not get to know.
const timeForAnswer = time.Second

// Attempt makes attempt n: quota and credential, token, circuit, and then on the wire.
func (f *flight) Attempt(n int) *retry.Outcome {
	now := f.began
	if n > 1 {
		now = time.Now()
	}
	f.number, f.outcome = n, retry.Outcome{}
	circuit := f.circuit()
	if until, refused := circuit.Refused(now); refused {
		return f.refuse(circuitOpen(f.op, until))
	}
	f.request.Deadline = now.Add(f.config.MaxWait)
	if latest := f.deadline.Add(-min(timeForAnswer, f.deadline.Sub(now)/4)); latest.Before(f.request.Deadline) {
		f.request.Deadline = latest
	}
	permit, err := f.pool.Acquire(f.ctx, f.request)
	if err != nil {
		return f.refuse(err)
	}
	f.current = &attempt{permit: permit}
	f.cred, f.held = permit.Credential(), true
	defer f.release() // whatever happens, a panic of an authorizer or a transport included
	if err := f.prepare(); err != nil {
		return f.refuse(err)
	}
	if !circuit.Do(f.ctx, f.send) {
		until, _ := circuit.Refused(time.Now())
		return f.refuse(circuitOpen(f.op, until))
	}
	if f.renew {
		f.renewToken()
	}
	return &f.outcome
}

func (f *flight) refuse(err error) *retry.Outcome {
	f.outcome.Err, f.outcome.Refused = err, true
	return &f.outcome
}

// release gives the permit back if nobody has.
func (f *flight) release() {
	if f.held {
		f.held = false
		f.current.permit.GiveBack()
	}
}

// settle tells the pool how the attempt ended, and returns when the call can be served again.
func (f *flight) settle(o tokenpool.Outcome) (ready time.Time) {
	f.held = false
	return f.current.permit.Release(o)
}

// prepare gets the access token. It waits for a fetch here, outside the circuit.
func (f *flight) prepare() error {
	f.token = ""
	if f.platform.Auth == nil || f.op.Auth == "" {
		return nil
	}
	ctx := &f.current.patience
	ctx.Context, ctx.until = f.ctx, f.deadline
	got, err := f.platform.Auth.Token(ctx, f.op, f.cred)
	ctx.end()
	if err != nil {
		return f.noToken(err)
	}
	f.token = got
	return nil
}

// noToken is the refusal of a call that cannot be authorized.
func (f *flight) noToken(err error) error {
	refusal := &resilience.RefusedError{
		Op: f.op, Reason: resilience.ErrNoCredential, Detail: "no access token", Credential: f.cred.ID, RetryAt: retryAt(err), Cause: err,
	}
	//nolint:errorlint // the outermost only: what it says of the token is said here
	if e, ok := err.(*resilience.RefusedError); ok && e.Op == nil {
		refusal.Reason, refusal.Cause = e.Reason, e.Cause
	} else if ok && e.Op == f.op {
		return e
	}
	return refusal
}

// retryAt returns when a failed call may be asked again.
func retryAt(err error) time.Time {
	// A refusal may stand around the platform's answer, and then knows better.
	if e, ok := errors.AsType[*resilience.RefusedError](err); ok && !e.RetryAt.IsZero() {
		return e.RetryAt
	}
	if e, ok := errors.AsType[*resilience.APIError](err); ok {
		return e.RetryAt
	}
	return time.Time{}
}

// renewToken replaces the token that the platform called expired, and lets the call be made again with the new one. Where there is no
// new one the credential cools down: every call would meet the same.
func (f *flight) renewToken() {
	f.renew = false
	ctx, cancel := context.WithDeadline(f.ctx, f.deadline)
	defer cancel()
	err := f.platform.Auth.Renew(ctx, f.op, f.cred, f.token)
	if err == nil {
		f.outcome.Again = true
		f.settle(tokenpool.Outcome{Class: resilience.TokenExpired})
		return
	}
	o := tokenpool.Outcome{Class: resilience.TokenExpired}
	if api, ok := errors.AsType[*resilience.APIError](f.outcome.Err); ok {
		o.Code = api.Code
		until := retryAt(err)
		if errors.Is(err, token.ErrSame) || !until.IsZero() {
			o.Class, o.Renews = resilience.CredentialInvalid, true
			o.Hint = max(0, time.Until(until)) // to when a token may be asked for; by the ladder if it is not the token
		}
		if errors.Is(err, token.ErrSame) {
			o.Hint = 0
		}
		ready := f.settle(o)
		api.Class, api.RetryAt, f.outcome.Class, f.outcome.Ready = o.Class, ready, o.Class, ready
	}
	f.outcome.Err = errors.Join(f.outcome.Err, err)
}

// tell tells the observers how the call ended.
func (f *flight) tell(err error) {
	e := resilience.Event{
		Kind: resilience.EventCall, Time: time.Now(), Op: f.op, Scope: f.op.Scope, Account: f.call.Account, Attempt: f.departures,
		Class: f.outcome.Class, Err: err, Took: time.Since(f.began),
	}
	if f.cred != nil {
		e.Credential, e.Account = f.cred.ID, f.cred.Account
	}
	if api, ok := errors.AsType[*resilience.APIError](err); ok {
		e.Class, e.Code = api.Class, api.Code
	}
	f.observe(e)
}
