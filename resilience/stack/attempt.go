package stack

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// An attempt is one request on the wire, and all that it needs in one allocation. Its trace may be called late and from other
// goroutines, so it is never used again.
//
// It is its request's context, with a deadline and the trace in it.
type attempt struct {
	context.Context //nolint:containedctx // it is a context

	permit   tokenpool.Permit
	patience patience // of its token
	deadline time.Time
	cancel   context.CancelCauseFunc
	seen     atomic.Uint32
	refusal  atomic.Pointer[resilience.RefusedError] // why it was ended before it departed
	trace    httptrace.ClientTrace
	response resilience.Response
}

// What the trace has seen.
const (
	sawGetConn uint32 = 1 << iota // the transport tells its trace
	sawConn
	sawReused
	sawFirstByte
)

// begin makes the attempt a context under ctx.
func (a *attempt) begin(ctx context.Context, deadline time.Time) {
	a.trace.GetConn = func(string) { a.seen.Or(sawGetConn) }
	a.trace.GotConn = a.gotConn
	a.trace.WroteHeaders = func() { a.permit.Depart() }
	a.trace.GotFirstResponseByte = func() { a.seen.Or(sawFirstByte) }
	a.deadline = deadline
	a.Context, a.cancel = context.WithCancelCause(httptrace.WithClientTrace(ctx, &a.trace))
}

func (a *attempt) gotConn(info httptrace.GotConnInfo) {
	a.seen.Or(sawConn)
	if info.Reused {
		a.seen.Or(sawReused)
	}
}

func (a *attempt) saw(what uint32) bool { return a.seen.Load()&what != 0 }

// unsent reports whether it is proven that nothing left: the transport looked for a connection and got none. A transport that
// ignores traces proves nothing.
func (a *attempt) unsent() bool { return a.saw(sawGetConn) && !a.saw(sawConn) }

// stop ends the attempt because of a pause or Close.
func (a *attempt) stop(refusal *resilience.RefusedError) {
	a.refusal.Store(refusal)
	a.cancel(nil)
}

// attempt sends the call once and judges the answer. It runs inside the circuit, so nothing waits here but the wire.
func (f *flight) attempt(ctx context.Context, probe bool) breaker.Verdict {
	began := time.Now()
	a := f.current
	if probe && f.call.Stream {
		defer f.pastProbe(ctx, began)()
	} else {
		a.begin(ctx, f.attemptDeadline(began))
	}
	f.setAlarm(began)
	keep := false // a stream outlives this function
	defer func() {
		if !keep {
			a.cancel(nil)
			f.stopAlarm()
		}
	}()
	out, err := f.outgoing(began)
	if err != nil {
		return f.cannotSend(err)
	}
	if err := checkHeader(out.Header); err != nil {
		return f.cannotSend(err)
	}
	req, err := out.HTTP(a)
	if err != nil {
		return f.cannotSend(err)
	}
	if err := a.permit.Begin(a.stop); err != nil {
		f.refuse(err)
		return breaker.Neutral
	}
	if err := a.Err(); err != nil {
		// A transport would say so too, but not that nothing had left.
		return f.tooLate(a, err)
	}
	resp, err := f.transport.RoundTrip(req)
	if err != nil {
		return f.failed(a, out, began, err)
	}
	a.permit.Depart() // an answer proves it, if no trace has told
	if resp.Body == nil {
		resp.Body = http.NoBody // net/http never leaves it out, others may
	}
	if f.call.Stream && isContent(resp) {
		keep = true
		return f.stream(a, resp, began)
	}
	body, err := wire.ReadSized(resp.Body, resp.ContentLength, f.config.AnswerLimit)
	_ = resp.Body.Close()
	if err != nil {
		return f.failed(a, out, began, err)
	}
	return f.answered(a, resp, body, began)
}

// pastProbe begins an attempt that ends with the probe's context until it is released: the circuit ends that one when it has its
// verdict, and a download goes on.
func (f *flight) pastProbe(probe context.Context, began time.Time) (release func() bool) {
	a := f.current
	a.begin(f.ctx, f.attemptDeadline(began))
	return context.AfterFunc(probe, func() { a.cancel(context.Cause(probe)) })
}

// setAlarm lets the attempt end at its deadline.
func (f *flight) setAlarm(now time.Time) {
	left := f.current.deadline.Sub(now)
	if left <= 0 {
		f.current.cancel(context.DeadlineExceeded)
	}
	if f.alarm == nil {
		f.alarm = new(alarm)
	}
	f.alarm.set(f.current, left)
}

func (f *flight) stopAlarm() {
	if !f.alarm.stop() {
		f.alarm = nil
	}
}

func (f *flight) attemptDeadline(now time.Time) time.Time {
	if d := now.Add(f.attemptTimeout()); d.Before(f.deadline) {
		return d
	}
	return f.deadline
}

func (f *flight) attemptTimeout() time.Duration {
	switch {
	case f.op.Timeout > 0:
		return f.op.Timeout
	case len(f.call.Request.Files) > 0 || f.call.Stream:
		return f.config.UploadTimeout
	default:
		return f.config.AttemptTimeout
	}
}

// outgoing prepares the attempt's request: the same data each time, authorized anew.
func (f *flight) outgoing(now time.Time) (*wire.Outgoing, error) {
	out := wire.NewOutgoing(f.platform.BaseURL, f.op, &f.call.Request)
	out.Header[userAgent] = f.userAgent
	if f.platform.Auth == nil || f.op.Auth == "" {
		return out, nil
	}
	return out, f.platform.Auth.Authorize(out, f.cred, f.token, now.Add(time.Duration(f.skew.Load())))
}

// checkHeader refuses what net/http would refuse too, but before the attempt counts as sent.
func checkHeader(h http.Header) error {
	if agent := h[userAgent]; len(h) == 1 && len(agent) > 0 {
		return checkValues(userAgent, agent) // mostly there is nothing else, and to range over a map takes longer
	}
	for name, values := range h {
		if err := checkValues(name, values); err != nil {
			return err
		}
	}
	return nil
}

func checkValues(name string, values []string) error {
	for _, value := range values {
		for i := range len(value) {
			if c := value[i]; c < ' ' && c != '\t' || c == 0x7f {
				return fmt.Errorf("header %s has a control character: is there a line break in a token?", name)
			}
		}
	}
	return nil
}

const userAgent = "User-Agent"

func (f *flight) cannotSend(err error) breaker.Verdict {
	f.refuse(&resilience.RefusedError{
		Op: f.op, Reason: resilience.ErrInvalidRequest, Credential: f.cred.ID, Cause: wire.MaskError(err, f.op.HTTPMethod, f.op.Path, f.secrets()...),
	})
	return breaker.Neutral
}

// tooLate refuses an attempt whose time was over, or that was stopped, before it began.
func (f *flight) tooLate(a *attempt, err error) breaker.Verdict {
	if refusal := a.refusal.Load(); refusal != nil {
		f.refuse(refusal)
		return breaker.Neutral
	}
	e := &resilience.RefusedError{Op: f.op, Reason: resilience.ErrLimited, Credential: f.cred.ID, Detail: "no time was left to send it", Cause: err}
	if cause := context.Cause(f.ctx); cause != nil && f.ctx.Err() != nil {
		e.Detail, e.Cause = "the caller left before it was sent", errors.Join(f.ctx.Err(), cause)
	}
	f.refuse(e)
	return breaker.Neutral
}

// failed judges an attempt that brought no answer.
func (f *flight) failed(a *attempt, out *wire.Outgoing, began time.Time, err error) breaker.Verdict {
	unsent := a.unsent()
	if errors.Is(err, context.Canceled) && errors.Is(a.Err(), context.DeadlineExceeded) {
		// A transport that derives contexts of its own sees that the attempt's was cancelled, and not by what.
		err = fmt.Errorf("%w (%w)", context.DeadlineExceeded, err)
	}
	if refusal := a.refusal.Load(); refusal != nil && unsent {
		f.refuse(refusal) // the permit goes back whole
		return breaker.Neutral
	}
	class, verdict := f.classOf(a, unsent, began, err)
	if unsent {
		f.release()
	} else {
		a.permit.Depart()
		f.departures++
		f.settle(tokenpool.Outcome{Class: class})
	}
	f.outcome.Class, f.outcome.Departed = class, !unsent
	f.outcome.Err = &resilience.APIError{
		Op: f.op, Credential: f.cred.ID, Class: class, Attempts: f.departures, Key: f.call.Key,
		Cause: wire.MaskError(err, f.op.HTTPMethod, out.Masked(), f.secrets()...),
	}
	f.tellAttempt(began, "")
	return verdict
}

// classOf says what a transport's error means.
func (f *flight) classOf(a *attempt, unsent bool, began time.Time, err error) (resilience.Class, breaker.Verdict) {
	verdict := breaker.Failure
	switch {
	case errors.Is(f.ctx.Err(), context.Canceled) || a.refusal.Load() != nil:
		verdict = breaker.Neutral // the caller left, or the operator: that says nothing about the service
	case errors.Is(err, context.DeadlineExceeded) && time.Since(began) < f.attemptTimeout()/2:
		verdict = breaker.Neutral // nor does a caller in a hurry
	case !unsent && a.saw(sawReused) && !a.saw(sawFirstByte) && isDeadConn(err):
		// The server had closed the idle connection: housekeeping, not an outage.
		verdict = breaker.Neutral
		if f.op.Idempotent && !f.stale {
			f.stale, f.outcome.Again = true, true
		}
	}
	if _, ok := errors.AsType[*tls.CertificateVerificationError](err); ok {
		return resilience.Rejected, verdict // it fails the same way each time
	}
	if errors.Is(err, wire.ErrTooLarge) && f.op.Idempotent {
		return resilience.Rejected, breaker.Success
	}
	if unsent || f.op.Idempotent {
		return resilience.Transient, verdict
	}
	return resilience.UnknownOutcome, verdict
}

// isDeadConn reports whether a connection ended, as against a time-out.
func isDeadConn(err error) bool {
	return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) ||
		err.Error() == "http: server closed idle connection" // net/http exports no error for it
}

// secrets are the texts that no error may show: those of the credential, and those that the caller sends.
func (f *flight) secrets() []string {
	out := []string{f.token.Reveal(), f.cred.Token.Reveal(), f.cred.Secret.Reveal(), f.cred.Refresh.Reveal()}
	for _, s := range f.call.Request.Secrets {
		out = append(out, s.Reveal())
	}
	return out
}

func (f *flight) tellAttempt(began time.Time, code string) {
	if len(f.observers) == 0 {
		return
	}
	now := time.Now()
	f.observe(resilience.Event{
		Kind: resilience.EventAttempt, Time: now, Op: f.op, Scope: f.op.Scope, Account: f.cred.Account, Credential: f.cred.ID,
		Attempt: f.number, Class: f.outcome.Class, Code: code, Err: f.outcome.Err, Took: now.Sub(began),
	})
}
