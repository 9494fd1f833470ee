package retry_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
)

// A thousand calls into an outage, with nothing but the budget to hold them back.
func TestOutageIsNotMultiplied(t *testing.T) {
	for _, tt := range []struct {
		name string
		out  retry.Outcome
	}{
		{"answers of 503", departed(resilience.Transient)},
		{"nobody listens", retry.Outcome{Class: resilience.Transient}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := retry.New(retry.Config{})
				requests, noted := 0, 0
				for range 1000 {
					job := &script{tb: t, op: read, outcomes: []retry.Outcome{tt.out}}
					out := r.Do(t.Context(), call(read), time.Time{}, job)
					requests += len(job.made)
					if _, ok := errors.AsType[*resilience.APIError](out.Err); !ok {
						t.Fatalf("got %v, want the platform's error", out.Err)
					}
					if errors.Is(out.Err, retry.ErrBudget) {
						noted++
					}
				}
				if requests != 1035 { // 500 / 14 repeats
					t.Errorf("got %d requests, want 1035 (x1.04 at most)", requests)
				}
				if noted < 985 {
					t.Errorf("only %d results say that our own budget ended the repeats", noted)
				}
				if got := r.Budget(resilience.Read); got != 10 {
					t.Errorf("budget: got %d, want 10", got)
				}
				if got := r.Budget(resilience.Write); got != 500 {
					t.Errorf("budget of the other scope: got %d, want 500", got)
				}
			})
		})
	}
}

func TestBudgetTokens(t *testing.T) {
	busy, ok := departed(resilience.Transient), departed(resilience.OK)
	throttled, wrong := departed(resilience.Throttled), departed(resilience.Invalid)
	unknown := departed(resilience.UnknownOutcome)
	for _, tt := range []struct {
		name     string
		outcomes []retry.Outcome
		want     int // of 500, if 100 were gone before
	}{
		{"first try succeeds", []retry.Outcome{ok}, 401},
		{"first try answers", []retry.Outcome{wrong}, 400},
		{"repeat succeeds", []retry.Outcome{busy, ok}, 400},
		{"repeat answers", []retry.Outcome{busy, wrong}, 400},
		{"repeat is throttled, the next succeeds", []retry.Outcome{busy, throttled, ok}, 400},
		{"repeat fails, the next succeeds", []retry.Outcome{busy, busy, ok}, 400 - 14},
		{"all repeats fail", []retry.Outcome{busy}, 400 - 3*14},
		{"repeat after a throttle fails", []retry.Outcome{throttled, busy, ok}, 400 - 50},
		{"repeat is lost", []retry.Outcome{busy, unknown}, 400 - 14},
		{"repeat is refused by us", []retry.Outcome{busy, refusal(read, resilience.ErrLimited)}, 400},
	} {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				r := retry.New(retry.Config{Budget: retry.Budget{Throttled: 50}})
				// Away from the brim, where a refund too many would not show.
				for range 2 {
					r.Do(t.Context(), call(read), time.Time{}, &script{tb: t, op: read, outcomes: []retry.Outcome{throttled, unknown}})
				}
				if got := r.Budget(resilience.Read); got != 400 {
					t.Fatalf("to begin with: got %d, want 400", got)
				}
				r.Do(t.Context(), call(read), time.Time{}, &script{tb: t, op: read, outcomes: tt.outcomes})
				if got := r.Budget(resilience.Read); got != tt.want {
					t.Errorf("got %d, want %d", got, tt.want)
				}
			})
		})
	}
}

// A repeat after a throttle takes 5, one after a failure 14.
func TestBudgetPrices(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for class, want := range map[resilience.Class]int{
			resilience.Transient: 486, resilience.Throttled: 495, resilience.QuotaExhausted: 495, resilience.CredentialInvalid: 495,
		} {
			r := retry.New(retry.Config{})
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(class), departed(resilience.UnknownOutcome)}}
			r.Do(t.Context(), call(read), time.Time{}, job)
			if got := r.Budget(resilience.Read); got != want {
				t.Errorf("after %v and a lost repeat: got %d, want %d", class, got, want)
			}
		}
	})
}

// Concurrent calls neither lose tokens nor make any.
func TestBudgetUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retry.New(retry.Config{Budget: retry.Budget{Tokens: 50_000}})
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				for i := range 30 {
					job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient), departed(resilience.Invalid)}}
					if i == 0 { // one of thirty: a repeat that fails
						job.outcomes[1] = departed(resilience.UnknownOutcome)
					}
					r.Do(t.Context(), call(read), time.Time{}, job)
				}
			})
		}
		wg.Wait()
		if got, want := r.Budget(resilience.Read), 50_000-64*14; got != want {
			t.Errorf("got %d, want %d", got, want)
		}
	})
}

// What drains fills again, and not beyond the brim.
func TestBudgetRefills(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retry.New(retry.Config{Budget: retry.Budget{Tokens: 20}})
		busy, ok := departed(resilience.Transient), departed(resilience.OK)
		drain := func() int {
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{busy}}
			r.Do(t.Context(), call(read), time.Time{}, job)
			return len(job.made)
		}
		if got := drain(); got != 2 {
			t.Errorf("full: got %d attempts, want 2", got)
		}
		if got := drain(); got != 1 {
			t.Errorf("spent: got %d attempts, want 1", got)
		}
		for range 30 {
			r.Do(t.Context(), call(read), time.Time{}, &script{tb: t, op: read, outcomes: []retry.Outcome{ok}})
		}
		if got := r.Budget(resilience.Read); got != 20 {
			t.Errorf("after 30 successes: got %d, want 20", got)
		}
		// Nearly full while a repeat holds 14: not all that it gives back finds room. Its gate is asked twice.
		holder := &script{tb: t, op: read, outcomes: []retry.Outcome{busy, ok}}
		holder.gate = func() error {
			for range 5 {
				r.Do(t.Context(), call(read), time.Time{}, &script{tb: t, op: read, outcomes: []retry.Outcome{ok}})
			}
			return nil
		}
		r.Do(t.Context(), call(read), time.Time{}, holder)
		if got := r.Budget(resilience.Read); got != 20 {
			t.Errorf("after a refund beyond the brim: got %d, want 20", got)
		}
		if got := drain(); got != 2 {
			t.Errorf("full again: got %d attempts, want 2", got)
		}
	})
}

func TestBudgetOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := retry.New(retry.Config{Budget: retry.Budget{Off: true}})
		for range 100 {
			job := &script{tb: t, op: read, outcomes: []retry.Outcome{departed(resilience.Transient)}}
			if r.Do(t.Context(), call(read), time.Time{}, job); len(job.made) != 4 {
				t.Fatalf("got %d attempts, want 4", len(job.made))
			}
		}
	})
}
