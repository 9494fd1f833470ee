package retry_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
)

// The table of classes: how many attempts a call makes whose every attempt ends so (10 are allowed).
func TestWhatMayBeRepeated(t *testing.T) {
	const none, all = 1, 10
	type want struct{ idempotent, notIdempotent, unsent, later int } // later: every credential is cooling
	table := map[resilience.Class]want{
		resilience.OK:                {none, none, none, none},
		resilience.AcceptedLate:      {none, none, none, none},
		resilience.Partial:           {none, none, none, none},
		resilience.Throttled:         {all, all, all, all},
		resilience.QuotaExhausted:    {all, all, all, none},
		resilience.Penalized:         {all, all, all, none},
		resilience.SourceLimited:     {none, none, none, none},
		resilience.TokenExpired:      {none, none, none, none},
		resilience.CredentialInvalid: {all, all, all, none},
		resilience.Misconfigured:     {all, all, all, none},
		resilience.ClockSkew:         {none, none, none, none},
		resilience.Forbidden:         {none, none, none, none},
		resilience.Invalid:           {none, none, none, none},
		resilience.NotFound:          {none, none, none, none},
		resilience.Rejected:          {none, none, none, none},
		resilience.DuplicateContent:  {none, none, none, none},
		resilience.Transient:         {all, none, all, all},
		resilience.UnknownOutcome:    {none, none, none, none},
	}
	for _, class := range allClasses {
		t.Run(class.String(), func(t *testing.T) {
			row, ok := table[class]
			if !ok {
				t.Fatalf("class %v has no row", class)
			}
			synctest.Test(t, func(t *testing.T) {
				check := func(what string, op *resilience.Operation, out retry.Outcome, want int) {
					t.Helper()
					job := &script{tb: t, op: op, outcomes: []retry.Outcome{out}}
					result := retry.New(open).Do(t.Context(), call(op), farAway(), job)
					if len(job.made) != want {
						t.Errorf("%s: got %d attempts, want %d", what, len(job.made), want)
					}
					if result != &job.out {
						t.Errorf("%s: the result is not the job's own outcome", what)
					}
					if got, is := result.Unexecuted, !class.Succeeded() && (!out.Departed || class.Unexecuted()); got != is {
						t.Errorf("%s: unexecuted: got %v, want %v", what, got, is)
					}
				}
				check("idempotent", read, retry.Outcome{Class: class, Departed: true}, row.idempotent)
				check("not idempotent", write, retry.Outcome{Class: class, Departed: true}, row.notIdempotent)
				check("not sent", write, retry.Outcome{Class: class}, row.unsent)
				later := retry.Outcome{Class: class, Departed: true, Ready: time.Now().Add(time.Minute)}
				check("all cooling", read, later, row.later)
			})
		})
	}
}

func TestTiers(t *testing.T) {
	for _, tt := range []struct {
		tier         resilience.Tier
		requests     int
		least, most  time.Duration // of all waits together
		first, total time.Duration
	}{
		{resilience.Untiered, 4, 7 * time.Second, 14 * time.Second, time.Second, time.Minute},
		{resilience.Instant, 4, 3500 * time.Millisecond, 7 * time.Second, 500 * time.Millisecond, 15 * time.Second},
		{resilience.Bulk, 6, 60 * time.Second, 120*time.Second - 1, 2 * time.Second, 2 * time.Minute},
		{resilience.Sync, 8, 155 * time.Second, 310 * time.Second, 5 * time.Second, 10 * time.Minute},
	} {
		t.Run(tt.tier.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				if got := (retry.Config{}).Schedule(tt.tier); got.Wait != tt.first || got.Total != tt.total || got.MaxWait != time.Minute {
					t.Errorf("default schedule: got %+v", got)
				}
				for _, extreme := range []struct {
					random func(int64) int64
					want   time.Duration
				}{{least, tt.least}, {most, tt.most}} {
					job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}}
					start := time.Now()
					r := retry.New(retry.Config{}, retry.WithRandom(extreme.random))
					c := call(read)
					c.Tier = tt.tier
					r.Do(t.Context(), c, start.Add(time.Hour), job)
					if len(job.made) != tt.requests {
						t.Errorf("got %d requests, want %d", len(job.made), tt.requests)
					}
					if took := time.Since(start); took < extreme.want || took > extreme.want+time.Microsecond {
						t.Errorf("waits: got %v, want %v", took, extreme.want)
					}
				}
			})
		})
	}
}

func TestTierOfTheOperationAndOfTheCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		op := *read
		op.Tier = resilience.Bulk
		for _, tt := range []struct {
			tier resilience.Tier
			want int
		}{{resilience.Untiered, 6}, {resilience.Sync, 8}, {resilience.Tier(200), 4}} {
			job := &script{tb: t, op: &op, outcomes: []retry.Outcome{departed(resilience.Transient)}}
			c := &resilience.Call{Op: &op, Tier: tt.tier}
			retry.New(retry.Config{}).Do(t.Context(), c, farAway(), job)
			if len(job.made) != tt.want {
				t.Errorf("tier %v of the call on a bulk operation: got %d requests, want %d", tt.tier, len(job.made), tt.want)
			}
		}
	})
}

// The server answers 503, 503, 200.
func TestThirdAttemptSucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy := departed(resilience.Transient)
		ok := retry.Outcome{Departed: true, Unexecuted: true} // left over from an earlier use
		job := &script{tb: t, op: overwrite, outcomes: []retry.Outcome{busy, busy, ok}}
		r := retry.New(retry.Config{})
		out := r.Do(t.Context(), call(overwrite), time.Time{}, job)
		if out.Err != nil || out.Class != resilience.OK || out.Unexecuted {
			t.Errorf("got %+v, want a success", out)
		}
		if len(job.made) != 3 {
			t.Errorf("got %d attempts, want 3", len(job.made))
		}
		if got := r.Budget(resilience.Write); got != 500-14 { // the second repeat's tokens came back
			t.Errorf("budget: got %d, want 486", got)
		}
	})
}

func TestOff(t *testing.T) {
	for name, cfg := range map[string]retry.Config{"all": {Off: true}, "one tier": {Untiered: retry.Schedule{Off: true}}} {
		t.Run(name, func(t *testing.T) {
			renewed := retry.Outcome{Class: resilience.TokenExpired, Departed: true, Again: true}
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{renewed, departed(resilience.Transient)}}
			out := retry.New(cfg).Do(t.Context(), call(read), time.Time{}, job)
			if len(job.made) != 2 || !errors.Is(out.Err, resilience.ErrTransient) {
				t.Errorf("got %d attempts, %v, want the replay after the renewal and nothing else", len(job.made), out.Err)
			}
		})
	}
}

func TestAgainIsOutsideCountBudgetAndWaits(t *testing.T) {
	again := func(class resilience.Class) retry.Outcome {
		return retry.Outcome{Class: class, Departed: true, Again: true}
	}
	ok := departed(resilience.OK)
	for _, tt := range []struct {
		name     string
		op       *resilience.Operation
		outcomes []retry.Outcome
		attempts int
	}{
		{"renewed token", write, []retry.Outcome{again(resilience.TokenExpired), ok}, 2},
		{"clock adjusted", write, []retry.Outcome{again(resilience.ClockSkew), ok}, 2},
		{"connection had died", read, []retry.Outcome{again(resilience.Transient), ok}, 2},
		{"all three", read, []retry.Outcome{again(resilience.TokenExpired), again(resilience.ClockSkew), again(resilience.Transient), ok}, 4},
		{"not a lost write", write, []retry.Outcome{again(resilience.UnknownOutcome), ok}, 1},
		{"not a failed write", write, []retry.Outcome{again(resilience.Transient), ok}, 1},
		{"not for ever", write, []retry.Outcome{again(resilience.TokenExpired)}, 4},
		{"not a refusal", write, []retry.Outcome{{Refused: true, Again: true, Err: resilience.ErrPaused}}, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				start := time.Now()
				job := &script{tb: t, op: tt.op, outcomes: tt.outcomes}
				r := retry.New(retry.Config{Untiered: retry.Schedule{Off: true}})
				r.Do(t.Context(), call(tt.op), time.Time{}, job)
				if len(job.made) != tt.attempts || time.Since(start) != 0 {
					t.Errorf("got %d attempts in %v, want %d at once", len(job.made), time.Since(start), tt.attempts)
				}
				if got := r.Budget(tt.op.Scope); got != 500 {
					t.Errorf("budget: got %d, want 500", got)
				}
			})
		})
	}
}

// After a free repeat inside the loop the count goes on where it was.
func TestAgainAmongRepeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		busy, expired := departed(resilience.Transient), retry.Outcome{Class: resilience.TokenExpired, Departed: true, Again: true}
		job := &script{tb: t, op: read, outcomes: []retry.Outcome{busy, expired, busy}}
		retry.New(retry.Config{}, retry.WithRandom(least)).Do(t.Context(), call(read), time.Time{}, job)
		want := []time.Duration{time.Second, 0, 2 * time.Second, 4 * time.Second}
		if got := fmt.Sprint(job.waits()); got != fmt.Sprint(want) {
			t.Errorf("waits: got %v, want %v", got, want)
		}
	})
}

func TestRefusalEndsTheRepeats(t *testing.T) {
	busy, throttled, ok := departed(resilience.Transient), departed(resilience.Throttled), departed(resilience.OK)
	unsent := retry.Outcome{Class: resilience.Transient}
	for _, tt := range []struct {
		name       string
		op         *resilience.Operation
		outcomes   []retry.Outcome
		attempts   int
		code       string // of the error that the caller reads; empty: a refusal alone
		class      resilience.Class
		unexecuted bool
	}{
		{"at once", read, []retry.Outcome{refusal(read, resilience.ErrPaused), ok}, 1, "", resilience.OK, true},
		{"after a failure", read, []retry.Outcome{busy, refusal(read, resilience.ErrPaused), ok}, 2, "1", resilience.Transient, false},
		{"after a throttle", write, []retry.Outcome{throttled, refusal(write, resilience.ErrPaused)}, 2, "1", resilience.Throttled, true},
		{"after two", read, []retry.Outcome{busy, throttled, refusal(read, resilience.ErrPaused)}, 3, "2", resilience.Throttled, false},
		{"after a failed dial", read, []retry.Outcome{unsent, refusal(read, resilience.ErrPaused)}, 2, "1", resilience.Transient, true},
		{
			"a dial that failed later", read, []retry.Outcome{throttled, unsent, refusal(read, resilience.ErrPaused)}, 3,
			"1", resilience.Throttled, true,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				job := &script{tb: t, op: tt.op, outcomes: tt.outcomes}
				r := retry.New(retry.Config{})
				out := r.Do(t.Context(), call(tt.op), time.Time{}, job)
				if len(job.made) != tt.attempts {
					t.Errorf("got %d attempts, want %d", len(job.made), tt.attempts)
				}
				if _, ok := errors.AsType[*resilience.RefusedError](out.Err); !ok || !errors.Is(out.Err, resilience.ErrPaused) {
					t.Errorf("got %v, want the refusal in it", out.Err)
				}
				e, ok := errors.AsType[*resilience.APIError](out.Err)
				if ok != (tt.code != "") || (ok && e.Code != tt.code) {
					t.Errorf("got %v, want the platform's error of attempt %q", out.Err, tt.code)
				}
				if out.Class != tt.class || out.Unexecuted != tt.unexecuted {
					t.Errorf("got class %v, unexecuted %v, want %v, %v", out.Class, out.Unexecuted, tt.class, tt.unexecuted)
				}
			})
		})
	}
}

// The last attempt did not leave, but an earlier one did: its error must not read "not sent".
func TestFailedDialAfterDeparture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		dial := errors.New("dial refused")
		job := &script{tb: t, op: read, outcomes: []retry.Outcome{
			departed(resilience.Transient),
			{Class: resilience.Transient, Err: &resilience.RefusedError{Op: read, Reason: resilience.ErrTransient, Cause: dial}},
		}}
		out := retry.New(retry.Config{}).Do(t.Context(), call(read), time.Time{}, job)
		e, ok := errors.AsType[*resilience.APIError](out.Err)
		if !ok || e.Code != "1" || !out.Departed || out.Unexecuted || !errors.Is(out.Err, dial) {
			t.Errorf("got %+v, want the departed attempt's error, with the dial's joined", out)
		}
		if len(job.made) != 4 {
			t.Errorf("got %d attempts, want 4", len(job.made))
		}
	})
}

func TestDeadline(t *testing.T) {
	busy := departed(resilience.Transient)
	hour := retry.Outcome{Class: resilience.Throttled, Departed: true}
	for _, tt := range []struct {
		name     string
		out      retry.Outcome
		ready    time.Duration // of the credentials, from now
		deadline time.Duration // 0: the schedule's total, one minute
		ctx      time.Duration // the context's; 0: none
		attempts int
		ended    time.Duration
	}{
		{"second wait does not fit", busy, 0, 3 * time.Second, 0, 2, time.Second},
		{"a wait up to the deadline leaves no time", busy, 0, time.Second, 0, 1, 0},
		{"it fits by a nanosecond", busy, 0, time.Second + 1, 0, 2, time.Second},
		{"the context's deadline is nearer", busy, 0, time.Hour, 3 * time.Second, 2, time.Second},
		{"the schedule's total", retry.Outcome{Class: resilience.Transient, Departed: true, Hint: 25 * time.Second}, 0, 0, 0, 3, 50 * time.Second},
		{"asked to wait an hour, ten seconds left", hour, time.Hour, 10 * time.Second, 0, 1, 0},
		{"asked to wait an hour, a day left", hour, time.Hour, 24 * time.Hour, 0, 1, 0},
		{"just over five minutes", hour, 5*time.Minute + 1, 24 * time.Hour, 0, 1, 0},
		{"five minutes", hour, 5 * time.Minute, 24 * time.Hour, 0, 4, 5 * time.Minute},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, start := t.Context(), time.Now()
				if tt.ctx > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.ctx)
					defer cancel()
				}
				var deadline time.Time
				if tt.deadline > 0 {
					deadline = start.Add(tt.deadline)
				}
				out := tt.out
				if tt.ready > 0 {
					out.Ready = start.Add(tt.ready)
				}
				job := &script{tb: t, op: read, outcomes: []retry.Outcome{out}}
				r := retry.New(retry.Config{}, retry.WithRandom(least))
				result := r.Do(ctx, call(read), deadline, job)
				if len(job.made) != tt.attempts {
					t.Errorf("got %d attempts, want %d", len(job.made), tt.attempts)
				}
				if ended := time.Since(start); ended < tt.ended || ended > tt.ended+time.Microsecond {
					t.Errorf("ended after %v, want %v", ended, tt.ended)
				}
				if e, ok := result.Err.(*resilience.APIError); !ok || e.Attempts != tt.attempts { //nolint:errorlint // exactly, nothing joined
					t.Errorf("got %v, want the last attempt's error itself", result.Err)
				}
			})
		})
	}
}

// Asked to wait, nobody comes early, and not all at one instant.
func TestHints(t *testing.T) {
	for _, tt := range []struct {
		name        string
		outcome     func(now time.Time) retry.Outcome
		least, most time.Duration
	}{
		{"failure with a hint", func(time.Time) retry.Outcome {
			return retry.Outcome{Class: resilience.Transient, Departed: true, Hint: 30 * time.Second}
		}, 30 * time.Second, 31 * time.Second},
		{"throttle, credential ready later", func(now time.Time) retry.Outcome {
			return retry.Outcome{Class: resilience.Throttled, Departed: true, Ready: now.Add(30 * time.Second)}
		}, 30 * time.Second, 31 * time.Second},
		{"throttle, credential ready since then", func(now time.Time) retry.Outcome {
			return retry.Outcome{Class: resilience.Throttled, Departed: true, Ready: now.Add(-time.Second)}
		}, 1, time.Second + 1},
		{"throttle, another credential now", func(time.Time) retry.Outcome {
			return retry.Outcome{Class: resilience.Throttled, Departed: true, Hint: time.Hour}
		}, 0, 0},
		{"absurd hint", func(time.Time) retry.Outcome {
			return retry.Outcome{Class: resilience.Transient, Departed: true, Hint: -time.Hour}
		}, time.Second, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				wait := func(opts ...retry.Option) time.Duration {
					job := &script{tb: t, op: read, outcomes: []retry.Outcome{tt.outcome(time.Now()), departed(resilience.OK)}}
					retry.New(retry.Config{}, opts...).Do(t.Context(), call(read), time.Time{}, job)
					if len(job.made) != 2 {
						t.Fatalf("got %d attempts, want 2", len(job.made))
					}
					return job.waits()[0]
				}
				if got := wait(retry.WithRandom(least)); got != tt.least {
					t.Errorf("shortest: got %v, want %v", got, tt.least)
				}
				if got := wait(retry.WithRandom(most)); got != tt.most {
					t.Errorf("longest: got %v, want %v", got, tt.most)
				}
				seen := map[time.Duration]bool{}
				for range 20 {
					d := wait()
					if d < tt.least || d > tt.most {
						t.Errorf("got %v, want %v to %v", d, tt.least, tt.most)
					}
					seen[d] = true
				}
				if tt.most > tt.least && len(seen) < 15 {
					t.Errorf("20 callers came at %d instants", len(seen))
				}
			})
		})
	}
}

// A poller that lives long: base 1 s, factor 2, cap 60 s, a hundred attempts and more.
func TestAttemptSeventy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for name, random := range map[string]func(int64) int64{"least": least, "most": most, "any": rand.New(rand.NewPCG(1, 2)).Int64N} {
			cfg := open
			cfg.Untiered.Repeats = 150
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}}
			retry.New(cfg, retry.WithRandom(random)).Do(t.Context(), call(read), time.Time{}, job)
			waits := job.waits()
			if len(waits) != 150 {
				t.Fatalf("%s: got %d waits, want 150", name, len(waits))
			}
			for i, d := range waits {
				if d < time.Second || d > time.Minute {
					t.Errorf("%s: wait before attempt %d: got %v, want 1s to 60s", name, i+2, d)
				}
				if i >= 5 && d < 30*time.Second {
					t.Errorf("%s: wait before attempt %d: got %v, want about 60s (30s at least)", name, i+2, d)
				}
			}
			if name != "any" {
				continue
			}
			distinct := map[time.Duration]bool{}
			for _, d := range waits[70:] {
				distinct[d] = true
			}
			if len(distinct) < 75 {
				t.Errorf("the last 80 waits have %d values: the jitter is gone", len(distinct))
			}
		}
	})
}

// Where the first wait is near the longest, the jitter stays below that.
func TestWaitNearTheLongest(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, tt := range []struct {
			wait   time.Duration
			random func(int64) int64
			want   time.Duration
		}{
			{45 * time.Second, least, 45 * time.Second}, {45 * time.Second, most, time.Minute},
			{time.Minute, least, time.Minute}, {time.Minute, most, time.Minute},
		} {
			cfg := open
			cfg.Untiered.Wait = tt.wait
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}}
			retry.New(cfg, retry.WithRandom(tt.random)).Do(t.Context(), call(read), time.Time{}, job)
			for i, got := range job.waits() {
				if got != tt.want {
					t.Errorf("wait %d from %v up to 60s: got %v, want %v", i+1, tt.wait, got, tt.want)
				}
			}
		}
	})
}

func TestCancelDuringTheBackoff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cfg := retry.Config{Untiered: retry.Schedule{Wait: 5 * time.Second}}
		job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}}
		r := retry.New(cfg)
		shutdown := errors.New("the user closed the window")
		ctx, cancel := context.WithCancelCause(t.Context())
		start := time.Now()
		time.AfterFunc(100*time.Millisecond, func() { cancel(shutdown) })
		out := r.Do(ctx, call(read), time.Time{}, job)
		if took := time.Since(start); took != 100*time.Millisecond {
			t.Errorf("returned after %v, want 100ms", took)
		}
		if !errors.Is(out.Err, context.Canceled) || !errors.Is(out.Err, shutdown) {
			t.Errorf("got %v, want the context's error and its cause", out.Err)
		}
		if e, ok := errors.AsType[*resilience.APIError](out.Err); !ok || e.Code != "1" || out.Class != resilience.Transient {
			t.Errorf("got %v, want the last answer as well", out.Err)
		}
		if got := r.Budget(resilience.Read); got != 500 {
			t.Errorf("budget: got %d, want the tokens of the repeat that was not made back", got)
		}
		time.Sleep(time.Hour)
		if len(job.made) != 1 {
			t.Errorf("got %d attempts, want 1", len(job.made))
		}
	})
}

// The call was cancelled while its attempt ran: no wait is begun, no token lost. Many times, since the shell tosses a coin between the
// context's end and its own timer.
func TestCancelledDuringTheAttempt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retry.New(retry.Config{})
		for range 50 {
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}, took: time.Second}
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(500*time.Millisecond, cancel)
			out := r.Do(ctx, call(read), time.Time{}, job)
			if !errors.Is(out.Err, context.Canceled) || !errors.Is(out.Err, resilience.ErrTransient) || len(job.made) != 1 || job.gates != 0 {
				t.Fatalf("got %v after %d attempts, %d looks at the gate", out.Err, len(job.made), job.gates)
			}
			if got := r.Budget(resilience.Read); got != 500 || time.Since(job.made[0]) != time.Second {
				t.Fatalf("budget: got %d, %v after the start, want 500, 1s", got, time.Since(job.made[0]))
			}
		}
	})
}

func TestWakeAsksTheGate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		var closed error
		gate := func() error {
			mu.Lock()
			defer mu.Unlock()
			return closed
		}
		r := retry.New(retry.Config{}, retry.WithRandom(least))
		start := time.Now()
		var wg sync.WaitGroup
		jobs := make([]*script, 100)
		for i := range jobs {
			jobs[i] = &script{tb: t, op: write, outcomes: []retry.Outcome{
				{Class: resilience.Throttled, Departed: true, Ready: start.Add(20 * time.Second)},
			}, gate: gate}
			wg.Go(func() {
				out := r.Do(t.Context(), call(write), time.Time{}, jobs[i])
				if took := time.Since(start); took != 10*time.Second {
					t.Errorf("returned after %v, want 10s", took)
				}
				if !errors.Is(out.Err, resilience.ErrClosed) || !errors.Is(out.Err, resilience.ErrThrottled) || !out.Unexecuted {
					t.Errorf("got %v, want the throttle and the refusal", out.Err)
				}
			})
		}
		time.Sleep(5 * time.Second)
		r.Wake() // something changed, but not for these
		time.Sleep(5 * time.Second)
		mu.Lock()
		closed = &resilience.RefusedError{Op: write, Reason: resilience.ErrClosed}
		mu.Unlock()
		r.Wake()
		wg.Wait()
		for _, job := range jobs {
			if len(job.made) != 1 || job.gates != 3 {
				t.Errorf("got %d attempts, %d looks at the gate, want 1, 3", len(job.made), job.gates)
			}
		}
		if got := r.Budget(resilience.Write); got != 500 {
			t.Errorf("budget: got %d, want 500", got)
		}
	})
}

// A wake does not lengthen a wait, and a gate that closed before the wait began ends it at once.
func TestGateAroundTheWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retry.New(retry.Config{}, retry.WithRandom(least))
		job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient), departed(resilience.OK)}}
		for i := range 9 {
			time.AfterFunc(time.Duration(i+1)*100*time.Millisecond, r.Wake)
		}
		r.Do(t.Context(), call(read), time.Time{}, job)
		if got := job.waits()[0]; got != time.Second {
			t.Errorf("wait with nine wakes: got %v, want 1s", got)
		}
		start := time.Now()
		job = &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}}
		job.gate = func() error { return &resilience.RefusedError{Op: read, Reason: resilience.ErrCircuitOpen} }
		out := r.Do(t.Context(), call(read), time.Time{}, job)
		if !errors.Is(out.Err, resilience.ErrCircuitOpen) || time.Since(start) != 0 || len(job.made) != 1 {
			t.Errorf("got %v after %v, want a refusal at once", out.Err, time.Since(start))
		}
	})
}

func TestPanicPassesThrough(t *testing.T) {
	r := retry.New(retry.Config{})
	for _, tt := range []struct {
		name string
		job  retry.Job
	}{
		{"first attempt", &panicker{at: 1}},
		{"a repeat", &panicker{at: 2}},
		{"the gate", &panicker{at: 9}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if got := recover(); got != "boom" {
					t.Errorf("got %v, want boom", got)
				}
				if got := r.Budget(resilience.Read); got != 500 {
					t.Errorf("budget: got %d, want 500", got)
				}
				// The next call gets a flight of its own.
				job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Throttled), departed(resilience.OK)}}
				if out := r.Do(t.Context(), call(read), time.Time{}, job); out.Err != nil {
					t.Errorf("call after the panic: got %v", out.Err)
				}
			}()
			r.Do(t.Context(), call(read), time.Time{}, tt.job)
			t.Error("no panic")
		})
	}
}

type panicker struct {
	at  int
	out retry.Outcome
}

func (p *panicker) Attempt(n int) *retry.Outcome {
	if n == p.at {
		panic("boom") //nolint:forbidigo // what is tested
	}
	p.out = departed(resilience.Throttled)
	return &p.out
}

func (p *panicker) Gate() error {
	if p.at == 9 {
		panic("boom") //nolint:forbidigo // what is tested
	}
	return nil
}

func TestErrorReads(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Throttled), refusal(read, resilience.ErrPaused)}}
		out := retry.New(retry.Config{}).Do(t.Context(), call(read), time.Time{}, job)
		want := "acme: things/show: throttled: code 1; then: acme: things/show: not sent: paused"
		if got := out.Err.Error(); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
		if strings.Contains(out.Err.Error(), "retry.invalid") {
			t.Error("the shell's address shows")
		}
	})
}

// Many calls at once, each with its own script: flights are not mixed up.
func TestFlightsAreNotMixedUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retry.New(retry.Config{Budget: retry.Budget{Off: true}})
		var wg sync.WaitGroup
		for g := range 64 {
			wg.Go(func() {
				for i := range 20 {
					op := &resilience.Operation{Platform: "acme", ID: fmt.Sprintf("%d/%d", g, i), Scope: resilience.Read, Idempotent: true}
					fails := (g + i) % 6
					job := &script{tb: t, op: op}
					for range fails {
						job.outcomes = append(job.outcomes, departed(resilience.Transient))
					}
					job.outcomes = append(job.outcomes, departed(resilience.OK))
					out := r.Do(t.Context(), call(op), time.Time{}, job)
					if want := min(fails, 3) + 1; len(job.made) != want || (out.Err == nil) != (fails <= 3) {
						t.Errorf("%s: got %d attempts, %v, want %d", op.ID, len(job.made), out.Err, want)
					}
					if e, ok := errors.AsType[*resilience.APIError](out.Err); ok && e.Op != op {
						t.Errorf("%s got the error of %s", op.ID, e.Op.ID)
					}
				}
			})
		}
		wg.Wait()
	})
}
