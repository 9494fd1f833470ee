package retry

import (
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Job is one call being made.
type Job interface {
	// Attempt makes attempt n, counted from 1, and returns how it ended. The Outcome stays the job's own, to be used again.
	Attempt(n int) *Outcome
	// Gate is asked before each wait, whenever Wake says that the world has changed, and after the wait. An error is a refusal (the
	// platform is paused, the circuit open, the client closed): it ends the call's repeats at once.
	Gate() error
}

// An Outcome is how an attempt ended. Do may change the Outcome that it returns.
type Outcome struct {
	Class    resilience.Class
	Err      error         // an *resilience.APIError or *resilience.RefusedError; nil on success
	Departed bool          // false: it is proven that nothing was sent
	Refused  bool          // the chain itself refused (Err is a *resilience.RefusedError); never repeated
	Again    bool          // repeat at once, outside count and budget: the token was renewed, the connection had died while idle
	Ready    time.Time     // after throttles and the like: when a credential can serve the call again; zero means that another one can now
	Hint     time.Duration // how long the platform asks to wait after a failure; 0 if it does not say

	// Unexecuted is set by Do on failures: no attempt of the whole call was carried out, for certain. An outcome's own class does not say
	// so, for an earlier attempt may have been lost.
	Unexecuted bool
}

func (o *Outcome) succeeded() bool { return o.Class.Succeeded() && !o.Refused }

// unexecuted reports whether it is certain that this attempt was not carried out.
func (o *Outcome) unexecuted() bool { return !o.Departed || o.Class.Unexecuted() }

// answered reports whether the platform works, whatever it said.
func (o *Outcome) answered() bool {
	return o.Departed && o.Class != resilience.Transient && o.Class != resilience.UnknownOutcome
}

// repeatable reports whether op may be sent again after o, by the table of classes. For all classes but Transient the platform has
// said that it did not carry out the call, so these hold for writes too.
func repeatable(op *resilience.Operation, o *Outcome) bool {
	if o.Refused {
		return false
	}
	switch o.Class {
	case resilience.Throttled:
		return true
	case resilience.QuotaExhausted, resilience.Penalized, resilience.CredentialInvalid, resilience.Misconfigured:
		return o.Ready.IsZero() // another credential can take it now; nobody waits for hours or for a person
	case resilience.Transient:
		return op.Idempotent || !o.Departed
	default:
		return false
	}
}

// maxAgain bounds the repeats that cost nothing: a renewed token, an adjusted clock and a dead connection are each met once.
const maxAgain = 3

// A history is what the attempts of a call have come to so far.
type history struct {
	attempts int
	agains   int
	last     Outcome // of the last attempt that departed; without one, of the last that was not refused
	current  bool    // last is of the latest attempt
	unsure   bool    // an attempt departed, and nothing proves that it was not carried out
}

// attempt makes the next attempt, and those that it asks for at once.
func (h *history) attempt(op *resilience.Operation, job Job) *Outcome {
	for {
		h.attempts++
		out := job.Attempt(h.attempts)
		if out.succeeded() {
			return out
		}
		h.add(out)
		// What the job says about Again is trusted, but not with a write that may have been carried out.
		if !out.Again || out.Refused || h.agains == maxAgain || (!op.Idempotent && !out.unexecuted()) {
			return out
		}
		h.agains++
	}
}

func (h *history) add(out *Outcome) {
	h.unsure = h.unsure || !out.unexecuted()
	h.current = !out.Refused && (out.Departed || !h.last.Departed)
	if h.current {
		h.last = *out
	}
}

// end turns the outcome of the latest attempt into the call's. Once an attempt has departed the result is its error, to which what
// came after it (a refusal, a failed dial) is joined, and why there was no further attempt.
func (h *history) end(out *Outcome, why error) *Outcome {
	if out.succeeded() {
		out.Unexecuted = false
		return out
	}
	err := out.Err
	if !h.current && h.last.Err != nil {
		err = join(h.last.Err, out.Err)
		*out = h.last
	}
	out.Err = join(err, why)
	out.Unexecuted = !h.unsure
	return out
}

// A stopped is the last real error of a call, and what came after it. Both are found by errors.Is and errors.AsType.
type stopped struct{ last, then error }

func join(last, then error) error {
	switch {
	case last == nil:
		return then
	case then == nil:
		return last
	default:
		return &stopped{last, then}
	}
}

// Error gives both texts on one line.
func (s *stopped) Error() string { return s.last.Error() + "; then: " + s.then.Error() }

// Unwrap gives the real error first, so that it is what errors.AsType finds.
func (s *stopped) Unwrap() []error { return []error{s.last, s.then} }
