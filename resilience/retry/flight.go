package retry

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/dujiang-go/dujiang/resilience"
)

// A flight is one call on its way through go-retryablehttp. It is the context of the shell's request, so that the shell's hooks find
// it, and pooled: request and response are made once. Nothing but the shell sees this context; the job has the caller's own.
//
// The shell only ever sees "200 OK": the outcome is in the flight. A real answer would be drained, logged or redirected on the way.
type flight struct {
	context.Context //nolint:containedctx // a flight is a context: it lends the caller's to the shell for one call

	retrier  *Retrier
	request  *retryablehttp.Request
	response http.Response

	op       *resilience.Operation
	job      Job
	schedule Schedule
	deadline time.Time
	history  history
	out      *Outcome // of the latest attempt
	answered bool     // the shell has got out as its answer
	repeats  int      // granted
	wait     time.Duration
	due      bool  // a repeat was granted and has not been made
	held     int64 // tokens that it took
	why      error // what ended the repeats, if it was not the outcome
}

func newFlight(r *Retrier) *flight {
	f := &flight{retrier: r, Context: context.Background()}
	f.response = http.Response{StatusCode: http.StatusOK, Status: "200 OK", Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{}, Body: http.NoBody}
	// A fixed address, since the shell may show it.
	shell := &http.Request{Method: http.MethodGet, URL: &url.URL{Scheme: "http", Host: "retry.invalid", Path: "/"}, Header: http.Header{}}
	f.request = (&retryablehttp.Request{Request: shell}).WithContext(f)
	return f
}

// newShell returns the loop. All its decisions are the flight's; it neither waits, logs nor gives up by itself.
func newShell() *retryablehttp.Client {
	return &retryablehttp.Client{
		HTTPClient: &http.Client{Transport: runway{}},
		RetryMax:   math.MaxInt,
		CheckRetry: func(ctx context.Context, _ *http.Response, err error) (bool, error) {
			f, ok := ctx.(*flight)
			return ok && err == nil && f.judge(), err
		},
		Backoff: func(_, _ time.Duration, _ int, _ *http.Response) time.Duration { return 0 },
		PrepareRetry: func(req *http.Request) error {
			f, ok := req.Context().(*flight)
			if !ok {
				return errForeign
			}
			return f.sleep()
		},
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
}

// errForeign stops requests of the shell that are no flights; there are none.
var errForeign = errors.New("request without a flight")

// A runway is where flights make their attempts. It has no CloseIdleConnections: the shell calls that after each failed call, and it
// would close the connections of all others.
type runway struct{}

// RoundTrip makes the next attempt. The first request is answered with the attempt that was made before the shell was entered.
func (runway) RoundTrip(req *http.Request) (*http.Response, error) {
	f, ok := req.Context().(*flight)
	if !ok {
		return nil, errForeign
	}
	if f.answered {
		f.attempt()
	}
	f.answered = true
	return &f.response, nil
}

func (f *flight) depart(ctx context.Context, call *resilience.Call, deadline time.Time, job Job, out *Outcome, h *history) {
	if d, ok := ctx.Deadline(); ok && d.Before(deadline) {
		deadline = d
	}
	f.Context, f.op, f.job, f.schedule, f.deadline = ctx, call.Op, job, f.retrier.schedule(call), deadline
	f.out, f.history = out, *h
}

// judge decides whether the call is repeated after its latest attempt. It is the only judge.
func (f *flight) judge() bool {
	if !repeatable(f.op, f.out) || f.repeats >= f.schedule.Repeats {
		return false
	}
	now := time.Now()
	wait, ok := f.schedule.wait(f.out, f.repeats, now, f.retrier.random)
	if !ok || !now.Add(wait).Before(f.deadline) {
		return false // the error at hand says more, and says when, than a time-out at the end of the wait
	}
	cost := f.retrier.cost(f.out)
	if !f.budget().take(cost) {
		f.why = fmt.Errorf("%w (%s, %d tokens left)", ErrBudget, f.op.Scope, f.budget().tokens.Load())
		return false
	}
	f.held, f.wait, f.due = cost, wait, true
	f.repeats++
	return true
}

// cost returns what a repeat after out takes from the budget. Where the platform answered there is no outage to be multiplied.
func (r *Retrier) cost(out *Outcome) int64 {
	if out.Class == resilience.Transient {
		return int64(r.cfg.Budget.Repeat)
	}
	return int64(r.cfg.Budget.Throttled)
}

// sleep waits before a granted repeat. An error ends the repeats.
func (f *flight) sleep() error {
	var timer <-chan time.Time
	if f.wait > 0 {
		t := time.NewTimer(f.wait)
		defer t.Stop()
		timer = t.C
	}
	for waiting := f.wait > 0; ; {
		changed := f.retrier.changed() // before the gate is asked, so that no change falls between
		if f.Err() != nil {
			f.why = endOf(f.Context)
			return f.why
		}
		if err := f.job.Gate(); err != nil {
			f.why = err
			return err
		}
		if !waiting {
			return nil
		}
		select {
		case <-timer:
			waiting = false
		case <-f.Done():
		case <-changed:
		}
	}
}

// attempt makes a granted repeat.
func (f *flight) attempt() {
	f.due, f.out = false, nil
	defer f.settle()
	f.out = f.history.attempt(f.op, f.job)
}

// settle gives the repeat's tokens back if the platform answered it, whatever it said, or if it was not sent by our own doing.
func (f *flight) settle() {
	if panicked := f.out == nil; panicked || f.out.succeeded() || f.out.Refused || f.out.answered() {
		f.budget().give(f.held)
	}
	f.held = 0
}

// end returns the call's outcome.
func (f *flight) end() *Outcome {
	if f.due && f.why == nil { // the shell itself saw that the context had ended, before the wait
		f.why = endOf(f.Context)
	}
	return f.history.end(f.out, f.why)
}

// land gives back what a repeat that was not made has taken, and the flight itself to the pool if it ended as it should.
func (f *flight) land(reuse bool) {
	f.budget().give(f.held)
	if !reuse {
		return
	}
	*f = flight{retrier: f.retrier, request: f.request, response: f.response, Context: context.Background()}
	f.retrier.flights.Put(f)
}

func (f *flight) budget() *budget { return f.retrier.budget(f.op.Scope) }

// endOf returns why the context ended: its error, and its cause where that says more.
func endOf(ctx context.Context) error {
	err, cause := ctx.Err(), context.Cause(ctx)
	if err == nil || cause == nil || errors.Is(err, cause) {
		return err
	}
	return fmt.Errorf("%w: %w", err, cause)
}
