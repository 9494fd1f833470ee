package tokenpool_test

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

var minuteOf2 = resilience.Window{Name: "minute", Limit: 2, Per: time.Minute}

// granted counts the calls that leave at once, up to 10.
func granted(t testing.TB, p *tokenpool.Pool, op *resilience.Operation) int {
	t.Helper()
	for n := range 10 {
		permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: op, Deadline: time.Now().Add(time.Nanosecond)})
		if err != nil {
			return n
		}
		permit.Depart()
		permit.Release(fine)
	}
	return 10
}

func put(t testing.TB, p *tokenpool.Pool, c resilience.Credential) {
	t.Helper()
	if err := p.Put(c); err != nil {
		t.Fatal(err)
	}
}

// TestPutDoesNotTouchTheCredentialOfACallInFlight is for the race detector.
func TestPutDoesNotTouchTheCredentialOfACallInFlight(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a"))
	permit := acquire(t, p, opRead)
	c := permit.Credential()
	done := make(chan struct{})
	go func() {
		defer close(done)
		put(t, p, resilience.Credential{ID: "a", Account: "wall", Token: "new"})
	}()
	if c.Token.Reveal() != "tok" {
		t.Error("the token changed under the call")
	}
	<-done
	if got := permit.Credential().Token.Reveal(); got != "tok" {
		t.Errorf("the call's token is %q, want the one that it was granted with", got)
	}
	permit.GiveBack()
	if got := acquire(t, p, opRead).Credential().Token.Reveal(); got != "new" {
		t.Errorf("the next call has token %q, want the new one", got)
	}
}

// TestLateRefusalOfTheOldTokenSparesTheNewOne: calls with the old token are in flight when a person gives a new one.
func TestLateRefusalOfTheOldTokenSparesTheNewOne(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a"))
	old := acquire(t, p, opRead)
	old.Depart()
	put(t, p, resilience.Credential{ID: "a", Account: "wall", Token: "new"})
	old.Release(tokenpool.Outcome{Class: resilience.CredentialInvalid, Code: "21332"})
	call(t, p, opRead, fine)
}

func TestRefusedPutChangesNothing(t *testing.T) {
	p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, credentials("a"))
	if err := p.Put(resilience.Credential{ID: "a", Account: "wall", Overlays: []resilience.Overlay{{Window: "nosuch", Limit: 1}}}); err == nil {
		t.Fatal("an overlay of an unknown window was accepted")
	}
	call(t, p, opRead, fine)
}

func TestPutWithAnotherOverlayHoldsAndKeepsWhatWasSpent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, credentials("a"))
		call(t, p, opRead, fine)
		c := credentials("a")[0]
		c.Overlays = []resilience.Overlay{{Window: "minute", Limit: 5}}
		put(t, p, c)
		if got := granted(t, p, opRead); got != 4 {
			t.Errorf("%d more calls leave after one of five, want 4", got)
		}
		c.Overlays = []resilience.Overlay{{Window: "minute", Off: true}}
		put(t, p, c)
		put(t, p, credentials("a")[0])
		if got := granted(t, p, opRead); got != 0 {
			t.Errorf("%d calls leave from the spent window, want none", got)
		}
	})
}

// TestPutKeepsReservationsProbesAndCooldowns changes a credential while its only call is in flight.
func TestPutKeepsReservationsProbesAndCooldowns(t *testing.T) {
	changed := credentials("a")[0]
	changed.Source = "other"
	t.Run("reservation", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "one", Limit: 1, Per: time.Minute})}, credentials("a"))
			held := acquire(t, p, opRead)
			put(t, p, changed)
			time.AfterFunc(time.Second, held.GiveBack)
			start := time.Now()
			if _, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Deadline: start.Add(time.Hour)}); err != nil || time.Since(start) != time.Second {
				t.Errorf("got %v after %v, want the place that was given back after 1s", err, time.Since(start))
			}
		})
	})
	t.Run("probe", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, tokenpool.Config{}, credentials("a"))
			call(t, p, opRead, throttled)
			time.Sleep(10 * time.Second)
			probe := acquire(t, p, opRead)
			put(t, p, changed)
			probe.GiveBack()
			if _, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Deadline: time.Now().Add(time.Hour)}); err != nil {
				t.Errorf("the next probe: %v", err)
			}
		})
	})
	t.Run("group cooldown", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, tokenpool.Config{}, credentials("a"))
			call(t, p, opRead, tokenpool.Outcome{Class: resilience.QuotaExhausted, Rule: resilience.Rule{Cools: resilience.CoolGroup}})
			put(t, p, changed)
			if _, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead}); !errors.Is(err, resilience.ErrNoCredential) {
				t.Errorf("got %v, want ErrNoCredential: the group cools", err)
			}
		})
	})
	t.Run("places in flight", func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Settings: tokenpool.Settings{InFlight: 2}}, credentials("a"))
		held := []tokenpool.Permit{acquire(t, p, opRead), acquire(t, p, opRead)}
		put(t, p, changed)
		if got := granted(t, p, opRead); got != 0 {
			t.Errorf("%d calls beside two in flight, want none", got)
		}
		for _, h := range held {
			h.GiveBack()
		}
		if got := granted(t, p, opRead); got != 10 {
			t.Errorf("%d calls go, want 10: the places came back", got)
		}
	})
}

// TestPutThatWidensWhatACredentialServes: an app gets a secret, so it can make calls of another scheme.
func TestPutThatWidensWhatACredentialServes(t *testing.T) {
	p := newPool(t, tokenpool.Config{Serves: func(_ string, c *resilience.Credential) bool { return c.Token != "" }}, credentials("a", "b"))
	acquire(t, p, opRead).GiveBack()
	put(t, p, resilience.Credential{ID: "a", Account: "wall"})
	for range 4 {
		if got := call(t, p, opRead, fine); got != "b" {
			t.Errorf("served by %s, which lost its token", got)
		}
	}
	put(t, p, credentials("a")[0])
	if got := map[string]bool{call(t, p, opRead, fine): true, call(t, p, opRead, fine): true}; !got["a"] {
		t.Errorf("served by %v, want a too", got)
	}
}

func TestRemovedAndPutAgainHasSpentWhatItSpent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, credentials("a"))
		call(t, p, opRead, fine)
		flying := acquire(t, p, opRead)
		p.Remove("a")
		put(t, p, credentials("a")[0])
		if got := granted(t, p, opRead); got != 0 {
			t.Errorf("%d calls leave, want none: one left and one is reserved of two", got)
		}
		flying.Depart()
		flying.Release(fine)
		p.Remove("a")
		time.Sleep(time.Minute)
		put(t, p, credentials("a")[0])
		if got := granted(t, p, opRead); got != 2 {
			t.Errorf("%d calls leave a minute later, want 2", got)
		}
	})
}

func TestWindowSwitchedOffAndOnKeepsWhatWasSpent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, credentials("a"))
		granted(t, p, opRead)
		for _, ws := range [][]resilience.Window{nil, {minuteOf2}} {
			if err := p.Reconfigure(windows(ws...), tokenpool.Settings{}); err != nil {
				t.Fatal(err)
			}
		}
		if got := granted(t, p, opRead); got != 0 {
			t.Errorf("%d calls leave from a spent window, want none", got)
		}
	})
}

// TestLimitLoweredAndRaisedAgainForgetsNothing: both within one span of the window.
func TestLimitLoweredAndRaisedAgainForgetsNothing(t *testing.T) {
	for _, w := range []resilience.Window{
		{Name: "ring", Limit: 8, Per: time.Hour},
		{Name: "aligned", Limit: 8, Per: time.Hour, Aligned: true},
	} {
		t.Run(w.Name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(t, tokenpool.Config{Groups: windows(w)}, credentials("a"))
				for _, step := range []struct{ limit, want int }{{8, 8}, {2, 0}, {5, 0}, {9, 1}} {
					w.Limit = step.limit
					if err := p.Reconfigure(windows(w), tokenpool.Settings{}); err != nil {
						t.Fatal(err)
					}
					if got := granted(t, p, opRead); got != step.want {
						t.Errorf("%d calls leave at limit %d, want %d", got, step.limit, step.want)
					}
				}
				time.Sleep(time.Hour)
				if got := granted(t, p, opRead); got != 9 {
					t.Errorf("%d calls leave an hour later, want 9", got)
				}
			})
		})
	}
}

func TestReloadReachesCallsWithoutCredential(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		open := &resilience.Operation{Platform: "t", ID: "open", Group: "reads"}
		p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, nil)
		if got := granted(t, p, open); got != 2 {
			t.Fatalf("%d calls leave, want 2", got)
		}
		five := minuteOf2
		five.Limit = 5
		if err := p.Reconfigure(windows(five), tokenpool.Settings{}); err != nil {
			t.Fatal(err)
		}
		if got := granted(t, p, open); got != 3 {
			t.Errorf("%d more calls leave, want 3", got)
		}
	})
}

// TestWaitIsNotThatOfACoolingCredentialWhenAnotherIsBusy: the estimate must not be the cooling one's.
func TestWaitIsNotThatOfACoolingCredentialWhenAnotherIsBusy(t *testing.T) {
	soon := func() tokenpool.Request {
		return tokenpool.Request{Op: opRead, Deadline: time.Now().Add(30 * time.Second)}
	}
	t.Run("in flight", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			p := newPool(t, tokenpool.Config{Settings: tokenpool.Settings{InFlight: 1}}, credentials("a", "b"))
			call(t, p, opRead, exhausted)
			busy := acquire(t, p, opRead)
			time.AfterFunc(time.Second, busy.GiveBack)
			if _, err := p.Acquire(t.Context(), soon()); err != nil {
				t.Errorf("got %v, want b's place after a second", err)
			}
		})
	})
	t.Run("shared window", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			shared := resilience.Window{Name: "address", Limit: 1, Per: time.Second, Key: resilience.PerSource}
			p := newPool(t, tokenpool.Config{Groups: windows(shared)}, credentials("a", "b"))
			call(t, p, opRead, exhausted)
			errs := make(chan error, 3)
			for range 3 {
				go func() {
					permit, err := p.Acquire(t.Context(), soon())
					if err == nil {
						permit.Depart()
						permit.Release(fine)
					}
					errs <- err
				}()
			}
			for range 3 {
				if err := <-errs; err != nil {
					t.Errorf("got %v, want a turn within 3 seconds", err)
				}
			}
		})
	})
}

// TestWaitForAnAlignedWindowEndsAtItsBoundary: 15 calls for 10 places, ten seconds before the full hour.
func TestWaitForAnAlignedWindowEndsAtItsBoundary(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "hour", Limit: 10, Per: time.Hour, Key: resilience.PerAccount, Aligned: true})}, credentials("a"))
		time.Sleep(time.Until(time.Now().Truncate(time.Hour).Add(time.Hour - 10*time.Second)))
		for range 10 {
			permit := acquire(t, p, opRead)
			time.AfterFunc(time.Second, func() {
				permit.Depart()
				permit.Release(fine)
			})
		}
		start := time.Now()
		if _, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Deadline: start.Add(30 * time.Second)}); err != nil || time.Since(start) != 10*time.Second {
			t.Errorf("got %v after %v, want a place at the full hour, in 10s", err, time.Since(start))
		}
	})
}

// TestCallsGrantedBeforeTheCooldownBelongToItsIncident: slow dials make them depart while it lasts.
func TestCallsGrantedBeforeTheCooldownBelongToItsIncident(t *testing.T) {
	for _, test := range []struct {
		name string
		late tokenpool.Outcome
	}{
		{"refused too", exhausted},
		{"refused for less", tokenpool.Outcome{Class: resilience.Throttled, Hint: time.Second}},
		{"served", fine},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(t, tokenpool.Config{}, credentials("a"))
				var permits []tokenpool.Permit
				for range 5 {
					permits = append(permits, acquire(t, p, opRead))
				}
				start := time.Now()
				permits[0].Depart()
				permits[0].Release(exhausted)
				for _, permit := range permits[1:] {
					time.Sleep(time.Second)
					permit.Depart()
					permit.Release(test.late)
				}
				_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
				if err == nil {
					t.Fatal("served in the middle of a cooldown of 10 minutes")
				}
				if got := refusal(t, err).RetryAt.Sub(start); got != 10*time.Minute {
					t.Errorf("one incident cools for %v, want 10m", got)
				}
			})
		})
	}
}

// TestCostThatFitsOneCredentialWaitsForIt: the first credential's smaller window says nothing about the second.
func TestCostThatFitsOneCredentialWaitsForIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		cs := credentials("a", "b")
		cs[0].Overlays = []resilience.Overlay{{Window: "minute", Limit: 1}}
		p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, cs)
		pair := &resilience.Operation{Platform: "t", ID: "pair", Group: "writes", Auth: "user", Cost: 2}
		start := time.Now()
		for range 2 {
			call(t, p, pair, fine)
		}
		if got := time.Since(start); got != time.Minute {
			t.Errorf("the second pair went after %v, want a minute", got)
		}
	})
}

// TestCostThatNoLongerFitsIsRefusedAtTheReload: nothing will ever wake the call.
func TestCostThatNoLongerFitsIsRefusedAtTheReload(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(minuteOf2)}, credentials("a"))
		pair := &resilience.Operation{Platform: "t", ID: "pair", Group: "writes", Auth: "user", Cost: 2}
		call(t, p, pair, fine)
		waiting := make(chan error, 1)
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		go func() {
			_, err := p.Acquire(ctx, tokenpool.Request{Op: pair})
			waiting <- err
		}()
		synctest.Wait()
		one := minuteOf2
		one.Limit = 1
		start := time.Now()
		if err := p.Reconfigure(windows(one), tokenpool.Settings{}); err != nil {
			t.Fatal(err)
		}
		if err := <-waiting; !errors.Is(err, resilience.ErrLimited) || time.Since(start) != 0 {
			t.Errorf("got %v after %v, want ErrLimited at once", err, time.Since(start))
		}
	})
}

// TestProbeThatNeverDepartedGivesTheNextItsChance, at every level of a cooldown, with lanes that share it and lanes that do not.
func TestProbeThatNeverDepartedGivesTheNextItsChance(t *testing.T) {
	public := &resilience.Operation{Platform: "t", ID: "public", Scope: resilience.Read, Group: "reads", Auth: "user", Idempotent: true, AnyAccount: true}
	for _, level := range []resilience.Level{
		resilience.CoolScope, resilience.CoolGroup, resilience.CoolCredential, resilience.CoolAccount, resilience.CoolSource,
	} {
		t.Run(level.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				cs := append(credentials("a"), resilience.Credential{ID: "b", Account: "other", Source: "far", Token: "x"})
				p := newPool(t, tokenpool.Config{}, cs)
				own := tokenpool.Request{Op: opRead, Account: "wall"}
				acquireFor := func(req tokenpool.Request) tokenpool.Permit {
					permit, err := p.Acquire(t.Context(), req)
					if err != nil {
						t.Fatal(err)
					}
					return permit
				}
				acquireFor(tokenpool.Request{Op: public}).GiveBack()
				first := acquireFor(own)
				first.Depart()
				first.Release(tokenpool.Outcome{Class: resilience.QuotaExhausted, Rule: resilience.Rule{Cools: level}})
				time.Sleep(10 * time.Minute)
				probe := acquireFor(own)
				served := make(chan time.Duration, 2)
				start := time.Now()
				for _, req := range []tokenpool.Request{own, {Op: public, Account: "wall"}} {
					go func() {
						permit, err := p.Acquire(t.Context(), req)
						if err != nil {
							t.Error(err)
						}
						served <- time.Since(start)
						permit.GiveBack()
					}()
				}
				for range 4 { // the lane of all accounts goes on with b
					permit := acquireFor(tokenpool.Request{Op: public})
					if got := permit.Credential().ID; got != "b" {
						t.Errorf("served by %s during the probe, want b", got)
					}
					permit.GiveBack()
				}
				time.Sleep(time.Second)
				probe.GiveBack()
				for range 2 {
					if got := <-served; got != time.Second {
						t.Errorf("served after %v, want 1s: when the probe came back", got)
					}
				}
			})
		})
	}
}
