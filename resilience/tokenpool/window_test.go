package tokenpool_test

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

// served counts how many calls of op go at once, by whom the option says.
func served(t testing.TB, p *tokenpool.Pool, op *resilience.Operation, credential string) (n int) {
	t.Helper()
	for ; n < 100; n++ {
		permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: op, Credential: credential, Deadline: time.Now()})
		if err != nil {
			return n
		}
		permit.Depart()
		permit.Release(fine)
	}
	return n
}

func TestWindowsThatCountApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		minute := resilience.Window{Name: "base_minute", Limit: 3, Per: time.Minute, Key: resilience.PerApp, Apart: true}
		p := newPool(t, tokenpool.Config{Groups: windows(minute)}, credentials("a"))
		for _, op := range []*resilience.Operation{opRead, opOther, opWrite} {
			if got := served(t, p, op, ""); got != 3 {
				t.Errorf("%s: %d calls in a minute, want 3 of its own", op.ID, got)
			}
		}
		minute.Limit = 5 // a reload keeps what each group has spent
		if err := p.Reconfigure(windows(minute), tokenpool.Settings{}); err != nil {
			t.Fatal(err)
		}
		for _, op := range []*resilience.Operation{opRead, opOther, opWrite} {
			if got := served(t, p, op, ""); got != 2 {
				t.Errorf("%s: %d more calls after the reload, want 2", op.ID, got)
			}
		}
	})
}

func TestWindowsOfAnApp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		minute := resilience.Window{Name: "corp", Limit: 4, Per: time.Minute, Key: resilience.PerApp}
		p := newPool(t, tokenpool.Config{Groups: windows(minute)}, []resilience.Credential{
			{ID: "corp/1", Account: "corp/1", App: "corp"}, {ID: "corp/2", Account: "corp/2", App: "corp"},
			{ID: "plain/1", Account: "x"}, {ID: "plain/2", Account: "y"},
		})
		if got := served(t, p, opRead, "corp/1") + served(t, p, opRead, "corp/2"); got != 4 {
			t.Errorf("two credentials of one app made %d calls, want 4 together", got)
		}
		if got := served(t, p, opRead, "plain/1") + served(t, p, opRead, "plain/2"); got != 4 {
			t.Errorf("two credentials that name no app made %d calls, want 4 together: they may be of one", got)
		}
	})
}

// TestACallWithinAnother: the fetch of a token goes on whatever the call that waits for it holds.
func TestACallWithinAnother(t *testing.T) {
	within := func(t *testing.T, p *tokenpool.Pool) error {
		permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opOther, Within: true, Deadline: time.Now().Add(time.Second)})
		if err == nil {
			permit.Depart()
			permit.Release(fine)
		}
		return err
	}
	penalty := tokenpool.Outcome{Class: resilience.Penalized, Rule: resilience.Rule{Cool: time.Minute}}
	scope := tokenpool.Outcome{Class: resilience.QuotaExhausted}
	for _, test := range []struct {
		name   string
		before func(t *testing.T, p *tokenpool.Pool)
		want   error
	}{
		{"beside a full cap", func(t *testing.T, p *tokenpool.Pool) { acquire(t, p, opRead) }, nil},
		{"for the probe of its credential", func(t *testing.T, p *tokenpool.Pool) {
			call(t, p, opRead, penalty)
			time.Sleep(time.Minute)
			acquire(t, p, opRead)
		}, nil},
		{"while its scope cools", func(t *testing.T, p *tokenpool.Pool) { call(t, p, opRead, scope) }, nil},
		{"but not by a banned credential", func(t *testing.T, p *tokenpool.Pool) { call(t, p, opRead, penalty) }, resilience.ErrNoCredential},
		{"nor on a pause", func(_ *testing.T, p *tokenpool.Pool) {
			p.Pause(tokenpool.Target{}, "upkeep", "ops", time.Time{})
		}, resilience.ErrPaused},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(t, tokenpool.Config{Settings: tokenpool.Settings{InFlight: 1}}, credentials("a"))
				test.before(t, p)
				if err := within(t, p); !errors.Is(err, test.want) {
					t.Errorf("got %v, want %v", err, test.want)
				}
			})
		})
	}
}

// TestALimitThatCoolsNothing: an end user's own limit says when to ask again, and nobody else hears of it.
func TestALimitThatCoolsNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		permit := acquire(t, p, opRead)
		permit.Depart()
		rule := resilience.Rule{Class: resilience.Throttled, Cools: resilience.CoolNone, Cool: time.Minute}
		if got := time.Until(permit.Release(tokenpool.Outcome{Class: rule.Class, Rule: rule})); got != time.Minute {
			t.Errorf("ready after %v, want 1m", got)
		}
		call(t, p, opRead, fine)
		if got := p.Health().Cooldowns; len(got) != 0 {
			t.Errorf("health shows %+v, want nothing", got)
		}
	})
}

func TestResetsByTheClock(t *testing.T) {
	for _, test := range []struct {
		name     string
		rule     resilience.Rule
		settings tokenpool.Settings
		want     []time.Duration
	}{
		{"the full minute", resilience.Rule{Class: resilience.Throttled, Reset: resilience.ResetMinute}, tokenpool.Settings{},
			[]time.Duration{40 * time.Second, time.Minute}},
		{"a minute, then an hour", resilience.Rule{Class: resilience.Throttled, Reset: resilience.ResetMinuteThenHour}, tokenpool.Settings{},
			[]time.Duration{time.Minute, time.Hour, time.Hour}},
		// The bubble begins at 8 in the morning in China.
		{"the day in China", resilience.Rule{Class: resilience.QuotaExhausted, Reset: resilience.ResetDay}, tokenpool.Settings{},
			[]time.Duration{16*time.Hour - 20*time.Second, 24 * time.Hour}},
		{"a day that starts at four", resilience.Rule{Class: resilience.QuotaExhausted, Reset: resilience.ResetDay},
			tokenpool.Settings{DayStart: 4 * time.Hour}, []time.Duration{20*time.Hour - 20*time.Second, 24 * time.Hour}},
		{"what a person has to mend", resilience.Rule{Class: resilience.Misconfigured}, tokenpool.Settings{},
			[]time.Duration{10 * time.Minute, 20 * time.Minute}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(t, tokenpool.Config{Settings: test.settings}, credentials("a"))
				time.Sleep(20 * time.Second)
				for i, want := range test.want {
					permit := acquire(t, p, opRead)
					permit.Depart()
					got := time.Until(permit.Release(tokenpool.Outcome{Class: test.rule.Class, Rule: test.rule, Code: "40164"}))
					if got != want {
						t.Errorf("cooldown %d lasts %v, want %v", i+1, got, want)
					}
					_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
					if e := refusal(t, err); !strings.Contains(e.Detail, "40164") || !strings.Contains(e.Detail, test.rule.Class.String()) {
						t.Errorf("the refusal says %q, want class and code", e.Detail)
					}
					time.Sleep(got)
				}
			})
		})
	}
}

// TestATokenThatIsRefusedTwiceIsTriedAgain: a credential that renews its token needs nobody to bring it back.
func TestATokenThatIsRefusedTwiceIsTriedAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		call(t, p, opRead, tokenpool.Outcome{Class: resilience.CredentialInvalid, Code: "40001", Renews: true})
		_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite})
		if got := time.Until(refusal(t, err).RetryAt); got != 10*time.Minute {
			t.Errorf("both scopes cool for %v, want 10m", got)
		}
		time.Sleep(10 * time.Minute)
		call(t, p, opWrite, fine)
	})
}

// TestAResetGivesBudgetsBack: the day's windows and cooldowns of the account end, and nothing else.
func TestAResetGivesBudgetsBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		opReset := &resilience.Operation{Platform: "t", ID: "reset", Scope: resilience.Write, Group: "others", Auth: "user", Resets: resilience.ResetDay}
		day := resilience.Window{Name: "day", Limit: 3, Per: 24 * time.Hour, Aligned: true, Offset: -8 * time.Hour, Key: resilience.PerAccount, Apart: true}
		hour := resilience.Window{Name: "hour", Limit: 5, Per: time.Hour, Key: resilience.PerAccount}
		cs := append(credentials("a"), resilience.Credential{ID: "b", Account: "other"})
		p := newPool(t, tokenpool.Config{Groups: map[string][]resilience.Window{"reads": {day, hour}, "writes": {day}, "others": nil}}, cs)
		one := func(op *resilience.Operation, o tokenpool.Outcome, credential string) {
			t.Helper()
			permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: op, Credential: credential})
			if err != nil {
				t.Fatal(err)
			}
			permit.Depart()
			permit.Release(o)
		}
		daily := resilience.Rule{Class: resilience.QuotaExhausted, Cools: resilience.CoolGroup, Reset: resilience.ResetDay}
		ofDay := tokenpool.Outcome{Class: daily.Class, Rule: daily, Code: "45009"}

		early, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite, Credential: "a"})
		if err != nil {
			t.Fatal(err)
		}
		early.Depart()
		if got := served(t, p, opRead, "a"); got != 3 {
			t.Fatalf("%d reads, want the day's 3", got)
		}
		one(opWrite, ofDay, "a")
		one(opWrite, ofDay, "b")
		waiting := make(chan error, 1)
		go func() {
			_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Credential: "a"})
			waiting <- err
		}()
		synctest.Wait()

		one(opReset, fine, "a")
		early.Release(ofDay) // it left before the budget came back

		if err := <-waiting; err != nil {
			t.Errorf("a call that waited for the day: %v", err)
		}
		if got := served(t, p, opRead, "a"); got != 1 {
			t.Errorf("%d reads after the reset, want 1: what is left of the hour's 5", got)
		}
		if got := served(t, p, opWrite, "a"); got != 3 {
			t.Errorf("%d writes after the reset, want the day's 3 anew", got)
		}
		if got := served(t, p, opWrite, "b"); got != 0 {
			t.Errorf("%d writes of another account, which was not reset", got)
		}
	})
}
