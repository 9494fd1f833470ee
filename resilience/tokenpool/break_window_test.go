package tokenpool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

// TestASweepForgetsNobodyOfTheCallItself: the call that makes the pool forget idle recipients has recipients of its own, which
// are idle until it is granted.
func TestASweepForgetsNobodyOfTheCallItself(t *testing.T) {
	for _, many := range []int{2, 1000} {
		t.Run(fmt.Sprint(many), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := newPool(t, tokenpool.Config{Groups: windows(
					resilience.Window{Name: "hour", Limit: 1, Per: time.Hour, Key: resilience.PerRecipient},
				)}, credentials("a"))
				for i := range 1025 - many {
					if err := send(t, p, fmt.Sprint("known", i)); err != nil {
						t.Fatal(err)
					}
				}
				var to []string
				for i := range many {
					to = append(to, fmt.Sprint("new", i))
				}
				if err := send(t, p, to...); err != nil {
					t.Fatal(err)
				}
				over := 0
				for _, name := range to {
					if send(t, p, name) == nil {
						over++
					}
				}
				if over > 0 {
					t.Errorf("%d of %d recipients got a second message in an hour of one", over, many)
				}
			})
		})
	}
}

// TestATokenFetchedDoesNotEndTheProbation: a credential whose token is refused again and again cools longer each time, though
// each probe fetches a token without trouble.
func TestATokenFetchedDoesNotEndTheProbation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		for _, want := range []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute, time.Hour} {
			probe := acquire(t, p, opRead)
			probe.Depart()
			probe.Release(tokenpool.Outcome{Class: resilience.TokenExpired, Code: "40001"})
			fetch, err := p.Acquire(t.Context(), tokenpool.Request{Op: opOther, Within: true})
			if err != nil {
				t.Fatal(err)
			}
			fetch.Depart()
			fetch.Release(fine)
			again := acquire(t, p, opRead)
			again.Depart()
			ready := again.Release(tokenpool.Outcome{Class: resilience.CredentialInvalid, Code: "40001", Renews: true})
			if got := time.Until(ready); got != want {
				t.Errorf("cools for %v, want %v", got, want)
			}
			time.Sleep(time.Until(ready))
		}
	})
}

// TestAThrottledFetchCoolsItself: what a call within is throttled by keeps the next one out, though it does not look at its scope.
func TestAThrottledFetchCoolsItself(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		fetch := func() (tokenpool.Permit, error) {
			return p.Acquire(t.Context(), tokenpool.Request{Op: opOther, Within: true, Deadline: time.Now()})
		}
		permit, err := fetch()
		if err != nil {
			t.Fatal(err)
		}
		permit.Depart()
		if ready := permit.Release(throttled); ready.IsZero() {
			t.Error("a throttled call within may be repeated at once")
		}
		if permit, err := fetch(); err == nil {
			t.Error("the next call within goes at once")
			permit.GiveBack()
		}
	})
}

// TestACredentialRemovedAndReplacedUnderACall: the account has a credential, so the call may be repeated at once.
func TestACredentialRemovedAndReplacedUnderACall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, credentials("a"))
		permit := acquire(t, p, opRead)
		permit.Depart()
		p.Remove("a")
		put(t, p, credentials("b")[0])
		if ready := permit.Release(tokenpool.Outcome{Class: resilience.Transient}); !ready.IsZero() {
			t.Errorf("to be asked again in %v, want at once", time.Until(ready))
		}
		call(t, p, opRead, fine)
	})
}

// TestOperationsAreNotKeptForEver: a caller may make an Operation for each call, which must not stay in the index.
func TestOperationsAreNotKeptForEver(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a"))
	var ops []weak.Pointer[resilience.Operation]
	for i := range 3000 {
		op := *opRead
		op.ID = fmt.Sprint("own/", i)
		ops = append(ops, weak.Make(&op))
		call(t, p, &op, fine)
	}
	runtime.GC()
	runtime.GC()
	kept := 0
	for _, op := range ops {
		if op.Value() != nil {
			kept++
		}
	}
	if kept > 1024 {
		t.Errorf("%d of 3,000 operations that are no longer used are kept", kept)
	}
}

// TestAccountsAreNotKeptForEver: credentials come and go, each of another account, and leave nothing behind.
func TestAccountsAreNotKeptForEver(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a"))
	heap := func() uint64 {
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := heap()
	const n = 20_000
	for i := range n {
		id := fmt.Sprint("user-", i)
		put(t, p, resilience.Credential{ID: id, Account: id, Token: "tok"})
		p.Remove(id)
	}
	if grown := int64(heap()) - int64(before); grown > n*50 {
		t.Errorf("%d bytes are left of each credential that came and went", grown/n)
	}
	runtime.KeepAlive(p)
}

// TestAlertsSpeakOfTheScope: an alert says that no credential of the scope is available, not that one of them is pinned and cools.
func TestAlertsSpeakOfTheScope(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		told := map[resilience.EventKind]int{}
		cfg := tokenpool.Config{Observer: func(e resilience.Event) { told[e.Kind]++ }}
		p := newPool(t, cfg, []resilience.Credential{{ID: "a", Account: "one"}, {ID: "b", Account: "two"}})
		as := func(account string, o tokenpool.Outcome) {
			permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Account: account})
			if err == nil {
				permit.Depart()
				permit.Release(o)
			}
		}
		as("one", exhausted)
		for range 10 {
			as("one", fine)
			as("two", fine)
		}
		if h := p.Health().Scopes[resilience.Read]; h.Available != 1 {
			t.Fatalf("%d available, want 1 of 2", h.Available)
		}
		if told[resilience.EventAlert] > 0 || told[resilience.EventRecovered] > 0 {
			t.Errorf("%d alerts and %d recoveries, though a credential was available all the time",
				told[resilience.EventAlert], told[resilience.EventRecovered])
		}
	})
}

// TestAPutOfAnotherSecretEndsWhatTheOldOneCaused: the token of the old secret was refused, and a person gave another one, which does
// not sit out the cooldown of the old one.
func TestAPutOfAnotherSecretEndsWhatTheOldOneCaused(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{}, []resilience.Credential{{ID: "a", Account: "wall", App: "wx", Secret: "old"}})
		call(t, p, opRead, tokenpool.Outcome{Class: resilience.CredentialInvalid, Code: "40001", Renews: true})
		put(t, p, resilience.Credential{ID: "a", Account: "wall", App: "wx", Secret: "new"})
		if permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead}); err != nil {
			t.Errorf("with the new secret: %v", err)
		} else {
			permit.GiveBack()
		}
	})
}

// TestAWindowMadeApartKeepsWhatWasSpent: a reload cannot change whom or what a window counts by, which would begin at nothing.
func TestAWindowMadeApartKeepsWhatWasSpent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := resilience.Window{Name: "hour", Limit: 5, Per: time.Hour, Key: resilience.PerAccount}
		p := newPool(t, tokenpool.Config{Groups: windows(w)}, credentials("a"))
		if got := served(t, p, opRead, ""); got != 5 {
			t.Fatalf("%d calls, want 5", got)
		}
		w.Apart = true
		if err := p.Reconfigure(windows(w), tokenpool.Settings{}); err == nil || !strings.Contains(err.Error(), `"hour"`) {
			t.Errorf("got %v, want a refusal that names the window", err)
		}
		if got := served(t, p, opRead, ""); got != 0 {
			t.Errorf("%d more calls of the group that had spent all, want none", got)
		}
	})
}

// TestALimitLoweredAndRaisedOverCallsThatDial: four calls were granted, the limit goes down to one and comes back, and all four count.
func TestALimitLoweredAndRaisedOverCallsThatDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := resilience.Window{Name: "minute", Limit: 4, Per: time.Minute}
		p := newPool(t, tokenpool.Config{Groups: windows(w)}, credentials("a"))
		var dialing []tokenpool.Permit
		for range 4 {
			dialing = append(dialing, acquire(t, p, opRead))
		}
		for _, limit := range []int{1, 4} {
			w.Limit = limit
			if err := p.Reconfigure(windows(w), tokenpool.Settings{}); err != nil {
				t.Fatal(err)
			}
			for _, permit := range dialing {
				permit.Depart()
			}
		}
		if got := served(t, p, opRead, ""); got != 0 {
			t.Errorf("%d calls left in the minute beside the 4 that it allows", got)
		}
	})
}

// A departure is what the oracle knows of one.
type departure struct {
	at         time.Time
	app, who   string
	account    string
	group      string
	recipients []string
}

// TestEveryWindowHoldsWhateverHappens: apps, accounts, groups apart, recipients and calls within, while credentials come, go and change,
// limits are reloaded, all is paused and resumed, and answers throttle, ban or lose tokens. No rolling window is exceeded, nobody waits
// for ever, and in the end every place is free again.
func TestEveryWindowHoldsWhateverHappens(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { anyTraffic(t, seed) })
		})
	}
}

func anyTraffic(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 7))
	app := resilience.Window{Name: "app", Limit: 9, Per: 10 * time.Second, Key: resilience.PerApp}
	apart := resilience.Window{Name: "apart", Limit: 30, Per: time.Minute, Key: resilience.PerAccount, Apart: true}
	own := resilience.Window{Name: "own", Limit: 6, Per: 10 * time.Second}
	member := resilience.Window{Name: "member", Limit: 4, Per: time.Minute, Key: resilience.PerRecipient}
	all := []resilience.Credential{
		{ID: "a1", Account: "a", App: "x"}, {ID: "a2", Account: "a", App: "x"}, {ID: "b1", Account: "b", App: "x"}, {ID: "c1", Account: "c", App: "y"},
	}
	settings := tokenpool.Settings{
		InFlight: 3, Ladder: []time.Duration{5 * time.Second, 10 * time.Second}, ThrottleLadder: []time.Duration{time.Second}, Penalty: 10 * time.Second,
	}
	p := newPool(t, tokenpool.Config{Groups: windows(app, apart, own, member), Settings: settings}, all)
	appOf := map[string]string{"a1": "x", "a2": "x", "b1": "x", "c1": "y"}
	var mu sync.Mutex
	var departed []departure
	outcomes := []tokenpool.Outcome{
		throttled, exhausted, {Class: resilience.Penalized}, {Class: resilience.Misconfigured}, {Class: resilience.SourceLimited},
		{Class: resilience.CredentialInvalid, Renews: true}, {Class: resilience.CredentialInvalid}, {Class: resilience.Transient},
		{Class: resilience.QuotaExhausted, Rule: resilience.Rule{Cools: resilience.CoolGroup}}, {Class: resilience.Throttled, Rule: resilience.Rule{Cools: resilience.CoolNone}},
	}
	one := func(ctx context.Context, req tokenpool.Request, dial, answer time.Duration, lost bool, o tokenpool.Outcome) {
		permit, err := p.Acquire(ctx, req)
		if err != nil {
			if _, ok := errors.AsType[*resilience.RefusedError](err); !ok {
				t.Errorf("got %v, want a refusal", err)
			}
			return
		}
		begun, stopped := context.WithCancelCause(context.Background())
		defer stopped(nil)
		if err := permit.Begin(func(e *resilience.RefusedError) { stopped(e) }); err != nil {
			permit.GiveBack()
			return
		}
		select {
		case <-begun.Done():
			permit.GiveBack()
			return
		case <-time.After(dial):
		}
		if lost {
			permit.GiveBack()
			permit.Depart() // late traces do nothing
			return
		}
		permit.Depart()
		c := permit.Credential()
		mu.Lock()
		to := slices.Clone(req.Recipients)
		slices.Sort(to)
		departed = append(departed, departure{time.Now(), appOf[c.ID], c.ID, c.Account, req.Op.Group, slices.Compact(to)})
		mu.Unlock()
		time.Sleep(answer)
		permit.Release(o)
		permit.Release(throttled)
	}
	var wg sync.WaitGroup
	for i := range 1200 {
		req := tokenpool.Request{Op: []*resilience.Operation{opRead, opOther, opWrite}[rnd.IntN(3)], Within: rnd.IntN(6) == 0, Tier: resilience.Tier(rnd.IntN(4))}
		c := all[rnd.IntN(len(all))]
		req.Account = c.Account
		if rnd.IntN(4) == 0 {
			req.Credential = c.ID
		}
		for range rnd.IntN(3) {
			req.Recipients = append(req.Recipients, fmt.Sprint("u", rnd.IntN(5)))
		}
		if rnd.IntN(2) == 0 {
			req.Deadline = time.Now().Add(time.Duration(rnd.IntN(60000)) * time.Millisecond)
		}
		o := fine
		if rnd.IntN(20) == 0 {
			o = outcomes[rnd.IntN(len(outcomes))]
		}
		dial, answer, lost := time.Duration(rnd.IntN(400))*time.Millisecond, time.Duration(rnd.IntN(1500))*time.Millisecond, rnd.IntN(10) == 0
		ctx, cancel := context.WithCancel(t.Context())
		if rnd.IntN(8) == 0 {
			time.AfterFunc(time.Duration(rnd.IntN(3000))*time.Millisecond, cancel)
		}
		wg.Go(func() {
			defer cancel()
			one(ctx, req, dial, answer, lost, o)
		})
		switch rnd.IntN(60) {
		case 0:
			p.Remove(c.ID)
		case 1, 2, 3, 4:
			put(t, p, all[rnd.IntN(len(all))])
		case 5: // only ever the same limits or less, so that the oracle's numbers hold
			less := app
			less.Limit -= rnd.IntN(4)
			settings.InFlight = 1 + rnd.IntN(3)
			if err := p.Reconfigure(windows(less, apart, own, member), settings); err != nil {
				t.Fatal(err)
			}
		case 6:
			p.Pause(tokenpool.Target{Account: c.Account}, "", "", time.Now().Add(time.Duration(1+rnd.IntN(3000))*time.Millisecond))
		case 7:
			p.Pause(tokenpool.Target{Scopes: []resilience.Scope{resilience.Read}}, "", "", time.Time{})
		case 8, 9:
			p.Resume(tokenpool.Target{Scopes: []resilience.Scope{resilience.Read}})
		case 10:
			p.Health()
		}
		if i%3 == 0 {
			time.Sleep(time.Duration(rnd.IntN(1500)) * time.Millisecond)
		}
	}
	p.Resume(tokenpool.Target{Scopes: []resilience.Scope{resilience.Read}})
	done := make(chan struct{})
	go func() {
		wg.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(12 * time.Hour):
		t.Fatalf("calls wait for ever: %+v", p.Health().Scopes)
	}
	holds := func(name string, limit int, per time.Duration, key func(d departure) []string) {
		times := map[string][]time.Time{}
		for _, d := range departed {
			for _, k := range key(d) {
				times[k] = append(times[k], d.at)
			}
		}
		for k, at := range times {
			slices.SortFunc(at, time.Time.Compare)
			for i := limit; i < len(at); i++ {
				if span := at[i].Sub(at[i-limit]); span < per {
					t.Errorf("%s of %s: %d calls in %v, want at most %d in %v", name, k, limit+1, span, limit, per)
					break
				}
			}
		}
	}
	holds("app", 9, 10*time.Second, func(d departure) []string { return []string{d.app} })
	holds("own", 6, 10*time.Second, func(d departure) []string { return []string{d.who} })
	holds("apart", 30, time.Minute, func(d departure) []string { return []string{d.account + "/" + d.group} })
	holds("member", 4, time.Minute, func(d departure) []string {
		var keys []string
		for _, to := range d.recipients {
			keys = append(keys, d.account+"/"+to)
		}
		return keys
	})
	if len(departed) < 100 {
		t.Errorf("only %d calls left: the schedule tried nothing", len(departed))
	}
	// Everything is free again: all places in flight of each credential, and all its calls.
	for _, c := range all {
		put(t, p, c)
	}
	settings.InFlight = 3
	if err := p.Reconfigure(windows(app, apart, own, member), settings); err != nil {
		t.Fatal(err)
	}
	time.Sleep(25 * time.Hour)
	for _, c := range all {
		for _, op := range []*resilience.Operation{opRead, opOther, opWrite} { // ends probations
			permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: op, Credential: c.ID, Deadline: time.Now().Add(time.Second)})
			if err != nil {
				t.Errorf("%s %s after a day of silence: %v", c.ID, op.ID, err)
				continue
			}
			permit.Depart()
			permit.Release(fine)
		}
		time.Sleep(time.Minute)
		var held []tokenpool.Permit
		for {
			permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Credential: c.ID, Deadline: time.Now()})
			if err != nil {
				break
			}
			held = append(held, permit)
		}
		if len(held) != 3 {
			t.Errorf("%s: %d places in flight are free, want 3", c.ID, len(held))
		}
		for _, permit := range held {
			permit.GiveBack()
		}
		if got := served(t, p, opRead, c.ID); got != 6 {
			t.Errorf("%s: %d calls fit into its window, want 6", c.ID, got)
		}
	}
}
