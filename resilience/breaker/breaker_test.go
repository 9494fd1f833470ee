package breaker_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience/breaker"
)

// is returns an attempt that ends at once with v.
func is(v breaker.Verdict) func(context.Context, bool) breaker.Verdict {
	return func(context.Context, bool) breaker.Verdict { return v }
}

// opened returns a circuit that has just been opened by failures, and what its onChange hears.
func opened(t *testing.T) (*breaker.Breaker, *log) {
	t.Helper()
	var l log
	b := breaker.New(breaker.Config{}, l.add)
	for i := range 15 {
		if !b.Do(t.Context(), is(breaker.Failure)) {
			t.Fatalf("failure %d did not run", i+1)
		}
	}
	if state, _ := b.State(time.Now()); state != breaker.Open {
		t.Fatalf("after 15 failures: got %v, want open", state)
	}
	return b, &l
}

// A log keeps what an onChange hears.
type log struct {
	mu      sync.Mutex
	changes []string
}

func (l *log) add(state breaker.State, until time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.changes = append(l.changes, text(state, until))
}

func (l *log) want(t *testing.T, want ...string) {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if !slices.Equal(l.changes, want) {
		t.Errorf("changes: got %q, want %q", l.changes, want)
	}
}

func text(state breaker.State, until time.Time) string {
	if until.IsZero() {
		return state.String()
	}
	// Bubbles start at midnight UTC 2000-01-01.
	return fmt.Sprintf("%v until %v", state, until.Sub(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC)))
}

func TestOpensAfterFailuresInARow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var l log
		b := breaker.New(breaker.Config{}, l.add)
		for range 14 {
			b.Do(t.Context(), is(breaker.Failure))
		}
		b.Do(t.Context(), is(breaker.Success)) // the row begins anew
		for range 14 {
			b.Do(t.Context(), is(breaker.Failure))
			b.Do(t.Context(), is(breaker.Neutral)) // neither ends nor lengthens the row
			b.Do(t.Context(), is(breaker.Answered))
		}
		l.want(t)
		if state, _ := b.State(time.Now()); state != breaker.Closed {
			t.Errorf("after 14 failures in a row: got %v, want closed", state)
		}
		b.Do(t.Context(), is(breaker.Failure))
		l.want(t, "open until 30.000000001s")
		if b.Do(t.Context(), is(breaker.Success)) {
			t.Error("a call ran through an open circuit")
		}
	})
}

func TestNothingPassesForThirtySeconds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, _ := opened(t)
		start := time.Now()
		for time.Since(start) < 30*time.Second {
			if b.Do(t.Context(), is(breaker.Success)) {
				t.Fatalf("a call ran %v after the circuit opened", time.Since(start))
			}
			at, refused := b.Refused(time.Now())
			if want := start.Add(30*time.Second + 1); !refused || !at.Equal(want) {
				t.Fatalf("gate: got %v, %v, want refused until %v", at, refused, want)
			}
			time.Sleep(100 * time.Millisecond)
		}
		// The gate and the circuit agree on the very instant: not yet at 30 s, a nanosecond later.
		if _, refused := b.Refused(time.Now()); !refused {
			t.Error("gate at 30s: got open to calls, want refused")
		}
		if b.Do(t.Context(), is(breaker.Success)) {
			t.Error("circuit at 30s: a call ran")
		}
		time.Sleep(time.Nanosecond)
		if at, refused := b.Refused(time.Now()); refused || !at.IsZero() {
			t.Errorf("gate 1ns later: got %v, %v, want zero, false", at, refused)
		}
		if !b.Do(t.Context(), is(breaker.Success)) {
			t.Error("circuit 1ns later: the call did not run")
		}
	})
}

// The service takes 500 ms to fail; 50 callers come in the same instant.
func TestOneProbeOfFiftyCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, l := opened(t)
		time.Sleep(30*time.Second + 1)
		probed := time.Now()
		var ran, probes, refused atomic.Int32
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				ok := b.Do(t.Context(), func(_ context.Context, probe bool) breaker.Verdict {
					if probe {
						probes.Add(1)
					}
					time.Sleep(500 * time.Millisecond)
					return breaker.Failure
				})
				if ok {
					ran.Add(1)
				} else if time.Since(probed) == 0 {
					refused.Add(1)
				}
			})
		}
		synctest.Wait()
		if at, is := b.Refused(time.Now()); !is || !at.Equal(probed.Add(5*time.Second)) {
			t.Errorf("gate while the probe runs: got %v, %v, want refused until its cut", at, is)
		}
		wg.Wait()
		if ran.Load() != 1 || probes.Load() != 1 || refused.Load() != 49 {
			t.Errorf("got %d ran, %d probes, %d refused at once, want 1, 1, 49", ran.Load(), probes.Load(), refused.Load())
		}
		l.want(t, "open until 30.000000001s", "half-open", "open until 1m0.500000002s")
		if state, until := b.State(time.Now()); state != breaker.Open || !until.Equal(probed.Add(30*time.Second+500*time.Millisecond+1)) {
			t.Errorf("got %v until %v, want a fresh 30s", state, until)
		}
	})
}

func TestProbeEnds(t *testing.T) {
	hang := func(v breaker.Verdict) func(context.Context, bool) breaker.Verdict {
		return func(ctx context.Context, _ bool) breaker.Verdict {
			<-ctx.Done()
			return v
		}
	}
	for _, tt := range []struct {
		name    string
		attempt func(context.Context, bool) breaker.Verdict
		took    time.Duration
		want    breaker.State
	}{
		{"success closes", is(breaker.Success), 0, breaker.Closed},
		{"a throttle proves life", is(breaker.Answered), 0, breaker.Closed},
		{"failure opens", is(breaker.Failure), 0, breaker.Open},
		{"nothing learned", is(breaker.Neutral), 0, breaker.HalfOpen},
		{"hanging probe is cut", hang(breaker.Failure), 5 * time.Second, breaker.Open},
		{"cut and nothing learned is a failure", hang(breaker.Neutral), 5 * time.Second, breaker.Open},
		{"answered at the last moment", hang(breaker.Answered), 5 * time.Second, breaker.Closed},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, _ := opened(t)
				time.Sleep(30*time.Second + 1)
				start := time.Now()
				var probe bool
				var cause error
				b.Do(t.Context(), func(ctx context.Context, p bool) breaker.Verdict {
					probe = p
					defer func() { cause = context.Cause(ctx) }()
					return tt.attempt(ctx, p)
				})
				if !probe {
					t.Error("the attempt was not told that it is the probe")
				}
				if took := time.Since(start); took != tt.took {
					t.Errorf("took %v, want %v", took, tt.took)
				}
				if wasCut := errors.Is(cause, breaker.ErrProbeCut); wasCut != (tt.took > 0) {
					t.Errorf("cause of the context's end: got %v", cause)
				}
				if state, _ := b.State(time.Now()); state != tt.want {
					t.Errorf("got %v, want %v", state, tt.want)
				}
			})
		})
	}
}

func TestCancelledProbeFreesThePlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, l := opened(t)
		time.Sleep(30*time.Second + 1)
		ctx, cancel := context.WithCancel(t.Context())
		go b.Do(ctx, func(ctx context.Context, _ bool) breaker.Verdict {
			<-ctx.Done()
			return breaker.Neutral
		})
		synctest.Wait()
		l.want(t, "open until 30.000000001s", "half-open") // told before the probe's result is known, by the probe alone
		if b.Do(t.Context(), is(breaker.Success)) {
			t.Error("two probes at once")
		}
		cancel()
		synctest.Wait()
		if at, refused := b.Refused(time.Now()); refused {
			t.Errorf("gate after the probe was cancelled: refused until %v", at)
		}
		if !b.Do(t.Context(), is(breaker.Success)) {
			t.Error("the next caller was no probe")
		}
		l.want(t, "open until 30.000000001s", "half-open", "closed")
	})
}

func TestPanicGivesThePlaceBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, l := opened(t)
		panics := func() (got any) {
			defer func() { got = recover() }()
			b.Do(t.Context(), func(context.Context, bool) breaker.Verdict {
				panic("boom") //nolint:forbidigo // the attempt that is tested
			})
			return nil
		}
		time.Sleep(30*time.Second + 1)
		if got := panics(); got != "boom" {
			t.Errorf("panic: got %v, want boom", got)
		}
		if !b.Do(t.Context(), is(breaker.Success)) {
			t.Error("a panicking probe kept its place")
		}
		for range 100 { // a panic is our fault and not the service's
			panics()
		}
		l.want(t, "open until 30.000000001s", "half-open", "closed")
	})
}

func TestLateResultsChangeNothing(t *testing.T) {
	for _, late := range []breaker.Verdict{breaker.Success, breaker.Failure} {
		t.Run(late.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b := breaker.New(breaker.Config{Failures: 3}, nil)
				slow := func(d time.Duration) {
					go b.Do(t.Context(), func(context.Context, bool) breaker.Verdict {
						time.Sleep(d)
						return late
					})
				}
				slow(10 * time.Second) // ends while open
				slow(31 * time.Second) // ends while half-open
				synctest.Wait()
				for range 3 {
					b.Do(t.Context(), is(breaker.Failure))
				}
				_, until := b.State(time.Now())
				time.Sleep(11 * time.Second)
				if state, now := b.State(time.Now()); state != breaker.Open || !now.Equal(until) {
					t.Errorf("a late %v while open: got %v until %v, want open until %v", late, state, now, until)
				}
				time.Sleep(20 * time.Second)
				if state, _ := b.State(time.Now()); state != breaker.HalfOpen {
					t.Errorf("a late %v while half-open: got %v, want half-open", late, state)
				}
			})
		})
	}
}

// A platform that refuses a hundred questions is well; one that fails is not.
func TestBusinessErrorsNeverOpen(t *testing.T) {
	for _, tt := range []struct {
		name    string
		verdict breaker.Verdict
		ran     int
	}{
		{"business errors", breaker.Success, 100},
		{"throttles", breaker.Answered, 100},
		{"cancelled", breaker.Neutral, 100},
		{"service errors", breaker.Failure, 5},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := breaker.New(breaker.Config{Failures: 5}, nil)
			ran := 0
			for range 100 {
				if b.Do(t.Context(), is(tt.verdict)) {
					ran++
				}
			}
			if ran != tt.ran {
				t.Errorf("got %d of 100 calls, want %d", ran, tt.ran)
			}
		})
	}
}

func TestReadingTheStateMovesNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b, l := opened(t)
		for range 120 {
			time.Sleep(time.Second)
			b.State(time.Now())
			b.Refused(time.Now())
		}
		if state, until := b.State(time.Now()); state != breaker.HalfOpen || !until.IsZero() {
			t.Errorf("state two minutes later: got %v until %v, want half-open", state, until)
		}
		l.want(t, "open until 30.000000001s")
	})
}

func TestFirstSuccessAfterRecovery(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		back := time.Now().Add(95 * time.Second)
		var first time.Time
		due := time.Now() // when the probe that finds the service well again is due
		b := breaker.New(breaker.Config{}, func(s breaker.State, until time.Time) {
			if s == breaker.Open {
				due = until
			}
		})
		for first.IsZero() { // ten calls a second
			b.Do(t.Context(), func(context.Context, bool) breaker.Verdict {
				if time.Now().Before(back) {
					return breaker.Failure
				}
				first = time.Now()
				return breaker.Success
			})
			time.Sleep(100 * time.Millisecond)
		}
		if waited := first.Sub(due); waited > time.Second {
			t.Errorf("first success %v after the probe was due, want at most 1s", waited)
		}
		if state, _ := b.State(time.Now()); state != breaker.Closed {
			t.Errorf("got %v, want closed", state)
		}
	})
}

func TestOffNeverRefuses(t *testing.T) {
	b := breaker.New(breaker.Config{Off: true}, func(breaker.State, time.Time) { t.Error("a change was told") })
	for i := range 100 {
		if !b.Do(t.Context(), is(breaker.Failure)) {
			t.Fatalf("call %d was refused", i+1)
		}
	}
	if _, refused := b.Refused(time.Now()); refused {
		t.Error("the gate refuses")
	}
}

// onChange may ask the circuit and even make calls: it runs outside all locks.
func TestOnChangeMayCallBack(t *testing.T) {
	var b *breaker.Breaker
	var states []breaker.State
	b = breaker.New(breaker.Config{Failures: 1}, func(s breaker.State, _ time.Time) {
		now, _ := b.State(time.Now())
		states = append(states, s, now)
		b.Do(t.Context(), is(breaker.Success))
	})
	b.Do(t.Context(), is(breaker.Failure))
	if want := []breaker.State{breaker.Open, breaker.Open}; !slices.Equal(states, want) {
		t.Errorf("got %v, want %v", states, want)
	}
}

func TestPanicOfOnChange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var told []breaker.State
		b := breaker.New(breaker.Config{Failures: 1}, func(s breaker.State, _ time.Time) {
			told = append(told, s)
			if len(told) == 1 {
				panic("observer") //nolint:forbidigo // the observer that is tested
			}
		})
		func() {
			defer func() {
				if got := recover(); got != "observer" {
					t.Errorf("panic: got %v, want observer", got)
				}
			}()
			b.Do(t.Context(), is(breaker.Failure))
		}()
		time.Sleep(31 * time.Second)
		b.Do(t.Context(), is(breaker.Success))
		if want := []breaker.State{breaker.Open, breaker.HalfOpen, breaker.Closed}; !slices.Equal(told, want) {
			t.Errorf("got %v, want %v", told, want)
		}
	})
}

func TestConcurrentUse(t *testing.T) {
	var l log
	b := breaker.New(breaker.Config{Failures: 2, Open: time.Microsecond}, l.add)
	var wg sync.WaitGroup
	for g := range 16 {
		wg.Go(func() {
			for i := range 500 {
				verdict := breaker.Verdict((g + i) % 4)
				b.Do(t.Context(), is(verdict))
				b.Refused(time.Now())
				b.State(time.Now())
			}
		})
	}
	wg.Wait()
	// Each change follows from the one before.
	l.mu.Lock()
	defer l.mu.Unlock()
	last := "closed"
	allowed := map[string]string{"closed": "open", "open": "half-open", "half-open": "open closed"}
	for i, c := range l.changes {
		state, _, _ := strings.Cut(c, " ")
		if !slices.Contains(strings.Fields(allowed[last]), state) {
			t.Fatalf("change %d: %s after %s", i, state, last)
		}
		last = state
	}
	if len(l.changes) == 0 {
		t.Error("no change was told")
	}
}

func BenchmarkDo(b *testing.B) {
	ctx := context.Background()
	circuit := breaker.New(breaker.Config{}, nil)
	var calls int
	attempt := func(context.Context, bool) breaker.Verdict {
		calls++
		return breaker.Success
	}
	b.ReportAllocs()
	for b.Loop() {
		circuit.Do(ctx, attempt)
	}
}

func BenchmarkRefused(b *testing.B) {
	circuit := breaker.New(breaker.Config{}, nil)
	now := time.Now()
	b.ReportAllocs()
	for b.Loop() {
		circuit.Refused(now)
	}
}
