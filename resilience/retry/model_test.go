package retry_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
)

// harmless says for which answers a platform has surely not carried out a call. It is written down again here, word for word from the
// table of classes, so that a mistake in the code is not repeated in its test.
var harmless = map[string]bool{
	"ok": false, "accepted-late": false, "partial": false, "transient": false, "unknown-outcome": false,
	"throttled": true, "quota-exhausted": true, "penalized": true, "source-limited": true, "token-expired": true,
	"credential-invalid": true, "misconfigured": true, "clock-skew": true, "forbidden": true, "invalid": true, "not-found": true,
	"rejected": true, "duplicate-content": true,
}

// A dice is a job that ends each attempt by chance, and counts the executions that a platform may have seen.
type dice struct {
	rnd      *rand.Rand
	op       *resilience.Operation
	out      retry.Outcome
	outcomes []retry.Outcome
	spoilt   bool // the call may have been carried out
	twice    bool // and was sent again
	gateShut bool
}

func (d *dice) Attempt(n int) *retry.Outcome {
	d.twice = d.twice || d.spoilt
	d.out = retry.Outcome{
		Class:    allClasses[d.rnd.IntN(len(allClasses))],
		Departed: d.rnd.IntN(4) > 0,
		Again:    d.rnd.IntN(4) == 0,
		Hint:     time.Duration(d.rnd.IntN(3)*d.rnd.IntN(400)) * time.Second,
	}
	if d.rnd.IntN(3) == 0 { // enough failures to be interesting
		d.out.Class = resilience.Transient
	}
	if d.rnd.IntN(3) == 0 {
		d.out.Ready = time.Now().Add(time.Duration(d.rnd.IntN(400)) * time.Second)
	}
	if d.rnd.IntN(12) == 0 {
		d.out = refusal(d.op, resilience.ErrPaused)
		d.out.Again = d.rnd.IntN(2) == 0
	} else if d.out.Class.Succeeded() {
		d.out.Departed = true
	} else {
		d.out.Err = apiError(d.op, d.out.Class, n)
	}
	d.outcomes = append(d.outcomes, d.out)
	d.spoilt = d.spoilt || d.out.Departed && !harmless[d.out.Class.String()]
	return &d.out
}

func (d *dice) Gate() error {
	if d.gateShut = d.gateShut || d.rnd.IntN(20) == 0; d.gateShut {
		return &resilience.RefusedError{Op: d.op, Reason: resilience.ErrPaused}
	}
	return nil
}

func TestRandomOutcomesNeverDoubleAWrite(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		repeated := 0
		for seed := range uint64(20_000) {
			rnd := rand.New(rand.NewPCG(seed, 3))
			op := []*resilience.Operation{read, write, overwrite}[rnd.IntN(3)]
			d := &dice{rnd: rnd, op: op}
			ctx, cancel := t.Context(), context.CancelFunc(func() {})
			if rnd.IntN(4) == 0 {
				ctx, cancel = context.WithTimeout(ctx, time.Duration(rnd.IntN(20))*time.Second)
			}
			c := &resilience.Call{Op: op, Tier: resilience.Tier(rnd.IntN(4))}
			r := retry.New(retry.Config{Off: rnd.IntN(20) == 0}, retry.WithRandom(rnd.Int64N))
			start := time.Now()
			out := r.Do(ctx, c, start.Add(time.Duration(rnd.IntN(600))*time.Second), d)
			cancel()

			n := len(d.outcomes)
			if n > 1 {
				repeated++
			}
			if !op.Idempotent && d.twice {
				t.Fatalf("seed %d: a write was sent again although it may have been carried out: %+v", seed, d.outcomes)
			}
			for i, o := range d.outcomes[:n-1] {
				if o.Refused || (o.Class.Succeeded() && o.Err == nil) {
					t.Fatalf("seed %d: attempt %d was the end, but %d followed", seed, i+1, n-i-1)
				}
			}
			last := d.outcomes[n-1]
			if ended := last.Class.Succeeded() && !last.Refused; (out.Err == nil) != ended {
				t.Fatalf("seed %d: got %v after %+v", seed, out.Err, last)
			} else if ended {
				continue
			}
			checkFailure(t, seed, d, out)
		}
		if repeated < 5000 {
			t.Errorf("only %d of 20000 calls were repeated: this tests too little", repeated)
		}
	})
}

// checkFailure looks at the result of a call that failed: the error of the last attempt that departed, and whether a key may be freed.
func checkFailure(t *testing.T, seed uint64, d *dice, out *retry.Outcome) {
	t.Helper()
	want, sent := "", false
	for _, o := range d.outcomes {
		if e, ok := errors.AsType[*resilience.APIError](o.Err); ok && (o.Departed || !sent) {
			want, sent = e.Code, sent || o.Departed
		}
	}
	got := ""
	if e, ok := errors.AsType[*resilience.APIError](out.Err); ok {
		got = e.Code
	}
	if got != want {
		t.Fatalf("seed %d: got the error of attempt %q, want %q, after %+v", seed, got, want, d.outcomes)
	}
	if out.Unexecuted == d.spoilt {
		t.Fatalf("seed %d: unexecuted is %v after %+v", seed, out.Unexecuted, d.outcomes)
	}
}
