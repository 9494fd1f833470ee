package tokenpool_test

import (
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

func TestThrottleStopsNeitherTheOtherScopeNorAnotherCredential(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a", "b"))
		first := call(t, p, opRead, exhausted)
		for range 10 {
			if got := call(t, p, opRead, fine); got == first {
				t.Fatalf("read by %s, which cools for reads", got)
			}
		}
		writers := map[string]bool{}
		for range 4 {
			writers[call(t, p, opWrite, fine)] = true
		}
		if len(writers) != 2 {
			t.Errorf("writes by %v, want both credentials", writers)
		}
	})
}

// TestDrainedCredentialIsAskedEightTimesInSixHours is the ladder: 10, 20, 40, 60, 60 ... minutes.
func TestDrainedCredentialIsAskedEightTimesInSixHours(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		var asked []time.Duration
		start := time.Now()
		for time.Since(start) < 6*time.Hour {
			permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
			if err != nil {
				time.Sleep(time.Until(refusal(t, err).RetryAt))
				continue
			}
			asked = append(asked, time.Since(start))
			permit.Depart()
			permit.Release(exhausted)
		}
		if len(asked) != 8 {
			t.Errorf("asked %d times in 6 h at %v, want 8", len(asked), asked)
		}
	})
}

func TestOneIncidentIsOneStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		var permits []tokenpool.Permit
		for range 6 {
			permit := acquire(t, p, opRead)
			permit.Depart()
			permits = append(permits, permit)
		}
		time.Sleep(time.Second)
		start := time.Now()
		for _, permit := range permits {
			time.Sleep(time.Second)
			permit.Release(exhausted)
		}
		_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
		if got, want := refusal(t, err).RetryAt.Sub(start), 10*time.Minute+time.Second; got != want {
			t.Errorf("six refusals of one moment cool for %v, want %v", got, want)
		}
	})
}

func TestProbationLetsOneCallAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		call(t, p, opRead, exhausted)
		time.Sleep(10 * time.Minute)
		var mu sync.Mutex
		now, most := 0, 0
		var wg sync.WaitGroup
		start := time.Now()
		for range 20 {
			wg.Go(func() {
				permit := acquire(t, p, opRead)
				mu.Lock()
				now++
				if time.Since(start) < time.Second {
					most = max(most, now)
				}
				mu.Unlock()
				permit.Depart()
				time.Sleep(time.Second)
				mu.Lock()
				now--
				mu.Unlock()
				permit.Release(fine)
			})
		}
		wg.Wait()
		if most != 1 {
			t.Errorf("%d calls in flight before the first success, want 1", most)
		}
		if got, want := time.Since(start), 2*time.Second; got != want {
			t.Errorf("20 calls took %v, want %v: the probe's second and one for the rest", got, want)
		}
	})
}

func TestFailureAfterASuccessStartsAtTheFirstStep(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		call(t, p, opRead, exhausted)
		time.Sleep(10 * time.Minute)
		call(t, p, opRead, fine)
		call(t, p, opRead, exhausted)
		_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
		if got, want := time.Until(refusal(t, err).RetryAt), 10*time.Minute; got != want {
			t.Errorf("cools for %v, want %v", got, want)
		}
	})
}

func TestWhatACodeCools(t *testing.T) {
	hour := resilience.Rule{Class: resilience.QuotaExhausted, Cools: resilience.CoolCredential, Reset: resilience.ResetHourThenDay}
	group := resilience.Rule{Class: resilience.QuotaExhausted, Cools: resilience.CoolGroup}
	source := resilience.Rule{Class: resilience.SourceLimited, Cools: resilience.CoolSource, Reset: resilience.ResetHour}
	for _, test := range []struct {
		name                string
		rule                resilience.Rule
		read, other, write  bool // whether a's calls go on
		otherCredential     bool // whether b's reads go on
		until               time.Duration
		ops                 []*resilience.Operation
		level               resilience.Level
		expectedCredentials string
	}{
		{name: "credential to the hour's end", rule: hour, otherCredential: true, until: 40 * time.Minute, level: resilience.CoolCredential},
		{name: "group by the ladder", rule: group, other: true, write: true, otherCredential: true, until: 10 * time.Minute, level: resilience.CoolGroup},
		{name: "source for everybody", rule: source, until: 40 * time.Minute, level: resilience.CoolSource},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				time.Sleep(20 * time.Minute) // the bubble begins at a full hour
				p := newPool(t, tokenpool.Config{}, credentials("a", "b"))
				permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Credential: "a"})
				if err != nil {
					t.Fatal(err)
				}
				permit.Depart()
				permit.Release(tokenpool.Outcome{Class: test.rule.Class, Rule: test.rule, Code: "x"})
				for _, c := range []struct {
					op         *resilience.Operation
					credential string
					want       bool
				}{{opRead, "a", test.read}, {opOther, "a", test.other}, {opWrite, "a", test.write}, {opRead, "b", test.otherCredential}} {
					permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: c.op, Credential: c.credential})
					if got := err == nil; got != c.want {
						t.Errorf("%s by %s: served %v (%v), want %v", c.op.ID, c.credential, got, err, c.want)
					}
					if err == nil {
						permit.GiveBack()
					}
				}
				cooldowns := p.Health().Cooldowns
				if len(cooldowns) != 1 || cooldowns[0].Level != test.level {
					t.Fatalf("health shows %+v, want one cooldown of level %v", cooldowns, test.level)
				}
				if got := time.Until(cooldowns[0].Until); got != test.until {
					t.Errorf("cools for %v, want %v", got, test.until)
				}
			})
		})
	}
}

// TestHourThenDay: a total that is still refused after its full hour is the day's.
func TestHourThenDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rule := resilience.Rule{Class: resilience.QuotaExhausted, Cools: resilience.CoolCredential, Reset: resilience.ResetHourThenDay}
		o := tokenpool.Outcome{Class: rule.Class, Rule: rule}
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		time.Sleep(30 * time.Minute)
		var ends []time.Duration
		for range 3 {
			call(t, p, opRead, o)
			_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
			wait := time.Until(refusal(t, err).RetryAt)
			ends = append(ends, wait)
			time.Sleep(wait)
		}
		// The bubble begins at midnight UTC: 8 in the morning in China. A minute's grace covers a platform whose clock lags.
		want := []time.Duration{30 * time.Minute, time.Minute, 14*time.Hour + 59*time.Minute}
		for i := range want {
			if ends[i] != want[i] {
				t.Errorf("cooldown %d lasts %v, want %v", i+1, ends[i], want[i])
			}
		}
	})
}

func TestThrottleCoolsByItsHintOrByTheShortLadder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		for _, step := range []struct {
			o    tokenpool.Outcome
			want time.Duration
		}{
			{throttled, 10 * time.Second}, {throttled, 20 * time.Second}, {throttled, 40 * time.Second},
			{throttled, time.Minute}, {throttled, time.Minute},
			{tokenpool.Outcome{Class: resilience.Throttled, Hint: time.Hour}, time.Hour},
			{tokenpool.Outcome{Class: resilience.Penalized}, 24 * time.Hour},
		} {
			permit := acquire(t, p, opRead)
			permit.Depart()
			if got := time.Until(permit.Release(step.o)); got != step.want {
				t.Errorf("cools for %v, want %v", got, step.want)
			}
			time.Sleep(step.want)
		}
	})
}

func TestInvalidCredentialIsOutUntilItIsChanged(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a"))
	call(t, p, opRead, tokenpool.Outcome{Class: resilience.CredentialInvalid, Code: "21332"})
	_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite})
	if !errors.Is(err, resilience.ErrNoCredential) {
		t.Fatalf("got %v, want ErrNoCredential", err)
	}
	if got := p.Health().Out; len(got) != 1 || got[0].Code != "21332" {
		t.Errorf("health shows %+v, want credential a out by 21332", got)
	}
	if err := p.Put(resilience.Credential{ID: "a", Account: "wall", Token: "new"}); err != nil {
		t.Fatal(err)
	}
	call(t, p, opWrite, fine)
}

func TestAlertsComeOnTheFirstAndEveryTenth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var alerts []int
		recovered := -1
		p := newPool(t, tokenpool.Config{Observer: func(e resilience.Event) {
			switch e.Kind {
			case resilience.EventAlert:
				alerts = append(alerts, e.Count)
			case resilience.EventRecovered:
				recovered = e.Count
			default:
			}
		}}, credentials("a"))
		call(t, p, opRead, exhausted) // the 1st
		for range 24 {
			if _, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead}); err == nil {
				t.Fatal("served while cooling")
			}
		}
		time.Sleep(10 * time.Minute)
		call(t, p, opWrite, fine) // the other scope says nothing about this one
		if recovered != -1 {
			t.Error("a write ended the alert of reads")
		}
		call(t, p, opRead, fine)
		if len(alerts) != 3 || alerts[0] != 1 || alerts[1] != 10 || alerts[2] != 20 {
			t.Errorf("alerts at %v, want at 1, 10 and 20", alerts)
		}
		if recovered != 22 {
			t.Errorf("recovery tells of %d held back, want 22", recovered)
		}
	})
}
