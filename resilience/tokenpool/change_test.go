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

func TestReloadFreesWaitersAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		minute := func(n int) map[string][]resilience.Window {
			return windows(resilience.Window{Name: "minute", Limit: n, Per: time.Minute})
		}
		p := newPool(t, tokenpool.Config{Groups: minute(1)}, credentials("a"))
		start := time.Now()
		var mu sync.Mutex
		var left []time.Duration
		var wg sync.WaitGroup
		for range 5 {
			wg.Go(func() {
				call(t, p, opRead, fine)
				mu.Lock()
				left = append(left, time.Since(start))
				mu.Unlock()
			})
		}
		time.Sleep(10 * time.Second)
		if err := p.Reconfigure(minute(4), tokenpool.Settings{}); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		want := []time.Duration{0, 10 * time.Second, 10 * time.Second, 10 * time.Second, time.Minute}
		for i := range want {
			if left[i] != want[i] {
				t.Errorf("calls left at %v, want %v", left, want)
				break
			}
		}
		if err := p.Reconfigure(minute(0), tokenpool.Settings{}); err == nil {
			t.Error("a limit of 0 was accepted")
		}
	})
}

func TestPauseRefusesWaitersAndEndsDialingAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "two", Limit: 2, Per: time.Minute})}, credentials("a"))
		departed, dialing := acquire(t, p, opWrite), acquire(t, p, opWrite)
		var aborted *resilience.RefusedError
		if err := departed.Begin(func(*resilience.RefusedError) { t.Error("a call that departed was aborted") }); err != nil {
			t.Fatal(err)
		}
		departed.Depart()
		if err := dialing.Begin(func(e *resilience.RefusedError) { aborted = e }); err != nil {
			t.Fatal(err)
		}
		waiting := make(chan error, 1)
		go func() {
			_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite})
			waiting <- err
		}()
		synctest.Wait()
		until := time.Now().Add(time.Hour)
		target := tokenpool.Target{Scopes: []resilience.Scope{resilience.Write}}
		p.Pause(target, "maintenance", "operator", until)
		if aborted == nil || !errors.Is(aborted, resilience.ErrPaused) {
			t.Errorf("the dialing attempt was told %v, want ErrPaused", aborted)
		}
		if e := refusal(t, <-waiting); !errors.Is(e, resilience.ErrPaused) {
			t.Errorf("the waiting call got %v, want ErrPaused", e)
		}
		_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite})
		if e := refusal(t, err); !errors.Is(e, resilience.ErrPaused) || !e.RetryAt.Equal(until) {
			t.Errorf("a new call got %v, want ErrPaused until %v", e, until)
		}
		dialing.GiveBack()
		acquire(t, p, opRead).GiveBack() // the other scope goes on
		if !p.Resume(target) {
			t.Error("there was no pause to end")
		}
		acquire(t, p, opWrite).GiveBack()
		p.Pause(target, "again", "operator", until)
		time.Sleep(time.Hour)
		acquire(t, p, opWrite).GiveBack() // it ended by itself
	})
}

func TestPausedCredentialLeavesTheOthers(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a", "b"))
	p.Pause(tokenpool.Target{Credential: "a"}, "", "", time.Time{})
	for range 4 {
		if got := call(t, p, opRead, fine); got != "b" {
			t.Errorf("served by %s, want b", got)
		}
	}
	_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Credential: "a"})
	if !errors.Is(err, resilience.ErrPaused) {
		t.Errorf("got %v, want ErrPaused", err)
	}
}

func TestCloseRefusesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "one", Limit: 1, Per: time.Minute})}, credentials("a"))
		held := acquire(t, p, opRead)
		waiting := make(chan error, 1)
		go func() {
			_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead})
			waiting <- err
		}()
		synctest.Wait()
		p.Close()
		if err := <-waiting; !errors.Is(err, resilience.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
		held.Release(fine)
	})
}

func TestWhoActs(t *testing.T) {
	cs := []resilience.Credential{
		{ID: "a1", Account: "a", Token: "x"}, {ID: "a2", Account: "a", Token: "x"}, {ID: "b1", Account: "b", Token: "x"},
		{ID: "app", Account: "app", Secret: "s"},
	}
	serves := func(auth string, c *resilience.Credential) bool {
		if auth == "app" {
			return c.Secret != ""
		}
		return c.Token != ""
	}
	p := newPool(t, tokenpool.Config{Serves: serves}, cs)
	public := &resilience.Operation{Platform: "t", ID: "public", Scope: resilience.Read, Auth: "user", AnyAccount: true}
	app := &resilience.Operation{Platform: "t", ID: "app", Auth: "app"}
	open := &resilience.Operation{Platform: "t", ID: "open"}
	for _, test := range []struct {
		name string
		req  tokenpool.Request
		want []string // credentials in turn
		err  error
	}{
		{name: "the account is named", req: tokenpool.Request{Op: opRead, Account: "a"}, want: []string{"a1", "a2", "a1"}},
		{name: "nobody is named", req: tokenpool.Request{Op: opRead}, err: resilience.ErrInvalidRequest},
		{name: "any account may", req: tokenpool.Request{Op: public}, want: []string{"a1", "a2", "b1", "a1"}},
		{name: "pinned", req: tokenpool.Request{Op: opRead, Credential: "b1"}, want: []string{"b1", "b1"}},
		{name: "pinned to another account", req: tokenpool.Request{Op: opRead, Credential: "b1", Account: "a"}, err: resilience.ErrInvalidRequest},
		{name: "the only app", req: tokenpool.Request{Op: app}, want: []string{"app"}},
		{name: "nobody's call", req: tokenpool.Request{Op: open}, want: []string{""}},
		{name: "unknown account", req: tokenpool.Request{Op: opRead, Account: "c"}, err: resilience.ErrNoCredential},
		{name: "unknown credential", req: tokenpool.Request{Op: opRead, Credential: "c1"}, err: resilience.ErrNoCredential},
	} {
		t.Run(test.name, func(t *testing.T) {
			for _, want := range test.want {
				permit, err := p.Acquire(t.Context(), test.req)
				if err != nil {
					t.Fatal(err)
				}
				if got := permit.Credential().ID; got != want {
					t.Errorf("made by %q, want %q", got, want)
				}
				permit.GiveBack()
			}
			if test.err != nil {
				if _, err := p.Acquire(t.Context(), test.req); !errors.Is(err, test.err) {
					t.Errorf("got %v, want %v", err, test.err)
				}
			}
		})
	}
}

func TestOverlaysAndSharedWindows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		groups := windows(
			resilience.Window{Name: "own", Limit: 1, Per: time.Hour},
			resilience.Window{Name: "address", Limit: 4, Per: time.Hour, Key: resilience.PerSource},
		)
		cs := credentials("a", "b", "c")
		cs[1].Overlays = []resilience.Overlay{{Window: "own", Off: true}}
		cs[2].Source = "other"
		p := newPool(t, tokenpool.Config{Groups: groups}, cs)
		count := map[string]int{}
		for {
			permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Deadline: time.Now().Add(time.Minute)})
			if err != nil {
				break
			}
			count[permit.Credential().ID]++
			permit.Depart()
			permit.Release(fine)
		}
		if count["a"] != 1 || count["b"] != 3 || count["c"] != 1 {
			t.Errorf("calls %v, want a:1 (own window), b:3 (the address's rest), c:1", count)
		}
		if _, err := tokenpool.New(tokenpool.Config{Groups: groups}, resilience.Credential{
			ID: "x", Account: "wall", Overlays: []resilience.Overlay{{Window: "nosuch"}},
		}); err == nil {
			t.Error("an overlay of an unknown window was accepted")
		}
	})
}

func TestCredentialsChangeWhileCallsWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "one", Limit: 1, Per: time.Hour})}, credentials("a"))
		call(t, p, opRead, fine)
		served := make(chan string, 1)
		go func() { served <- call(t, p, opRead, fine) }()
		synctest.Wait()
		start := time.Now()
		if err := p.Put(resilience.Credential{ID: "b", Account: "wall", Token: "x"}); err != nil {
			t.Fatal(err)
		}
		if got := <-served; got != "b" || time.Since(start) != 0 {
			t.Errorf("served by %s after %v, want b at once", got, time.Since(start))
		}
		p.Remove("b")
		p.Remove("a")
		if _, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Account: "wall"}); !errors.Is(err, resilience.ErrNoCredential) {
			t.Errorf("got %v, want ErrNoCredential", err)
		}
	})
}

func TestAFaultyChangeLeavesTheCredential(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "one", Limit: 1, Per: time.Hour})}, credentials("a"))
		call(t, p, opRead, fine)
		bad := resilience.Credential{ID: "a", Account: "wall", Overlays: []resilience.Overlay{{Window: "nosuch"}}}
		if err := p.Put(bad); err == nil {
			t.Error("an overlay of an unknown window was accepted")
		}
		moved := resilience.Credential{ID: "a", Account: "other", Token: "x"}
		if err := p.Put(moved); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if got := call(t, p, opRead, fine); got != "a" || time.Since(start) != time.Hour {
			t.Errorf("served by %s after %v, want a after 1h: what was spent stays spent", got, time.Since(start))
		}
	})
}
