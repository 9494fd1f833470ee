package tokenpool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

var (
	opRead  = &resilience.Operation{Platform: "t", ID: "read", Scope: resilience.Read, Group: "reads", Auth: "user", Idempotent: true}
	opOther = &resilience.Operation{Platform: "t", ID: "other", Scope: resilience.Read, Group: "others", Auth: "user", Idempotent: true}
	opWrite = &resilience.Operation{Platform: "t", ID: "write", Scope: resilience.Write, Group: "writes", Auth: "user"}
)

func credentials(ids ...string) []resilience.Credential {
	var cs []resilience.Credential
	for _, id := range ids {
		cs = append(cs, resilience.Credential{ID: id, Account: "wall", Token: "tok"})
	}
	return cs
}

// windows puts the same windows on every group.
func windows(ws ...resilience.Window) map[string][]resilience.Window {
	return map[string][]resilience.Window{"reads": ws, "others": ws, "writes": ws}
}

func newPool(t testing.TB, cfg tokenpool.Config, cs []resilience.Credential) *tokenpool.Pool {
	t.Helper()
	if cfg.Groups == nil {
		cfg.Groups = windows()
	}
	p, err := tokenpool.New(cfg, cs...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

func acquire(t testing.TB, p *tokenpool.Pool, op *resilience.Operation) tokenpool.Permit {
	t.Helper()
	permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: op})
	if err != nil {
		t.Fatal(err)
	}
	return permit
}

// call makes one whole call that ends with the class.
func call(t testing.TB, p *tokenpool.Pool, op *resilience.Operation, o tokenpool.Outcome) string {
	t.Helper()
	permit := acquire(t, p, op)
	id := permit.Credential().ID
	permit.Depart()
	permit.Release(o)
	return id
}

var (
	fine      = tokenpool.Outcome{Class: resilience.OK}
	throttled = tokenpool.Outcome{Class: resilience.Throttled}
	exhausted = tokenpool.Outcome{Class: resilience.QuotaExhausted, Code: "10024"}
)

func refusal(t testing.TB, err error) *resilience.RefusedError {
	t.Helper()
	e, ok := errors.AsType[*resilience.RefusedError](err)
	if !ok {
		t.Fatalf("got %v, want a *RefusedError", err)
	}
	return e
}

func TestPoolWaitsForTheWindow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "minute", Limit: 2, Per: time.Minute})}, credentials("a"))
		start := time.Now()
		for range 3 {
			call(t, p, opRead, fine)
		}
		if got, want := time.Since(start), time.Minute; got != want {
			t.Errorf("3 calls at 2 a minute took %v, want %v", got, want)
		}
	})
}

// TestBothWindowsOfANewKey runs a hungry caller on 20 a second and 900 in 5 minutes: 3,000 calls need three full spans and the
// time of the last 300.
func TestBothWindowsOfANewKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(
			resilience.Window{Name: "second", Limit: 20, Per: time.Second},
			resilience.Window{Name: "new", Limit: 900, Per: 5 * time.Minute},
		)}, credentials("a"))
		start := time.Now()
		for range 3000 {
			call(t, p, opRead, fine)
		}
		if got, ideal := time.Since(start), 15*time.Minute+15*time.Second; got > ideal {
			t.Errorf("3,000 calls took %v, want at most %v", got, ideal)
		}
	})
}

// history is what an oracle sees of a run: it knows nothing of the pool but what each call did.
type history struct {
	sync.Mutex
	departed map[string][]time.Time // by window key
	inFlight map[string]int
	worst    int
}

func (h *history) fullest(per time.Duration) (most int) {
	for _, times := range h.departed {
		slices.SortFunc(times, time.Time.Compare)
		from := 0
		for i := range times {
			for times[i].Sub(times[from]) >= per {
				from++
			}
			most = max(most, i-from+1)
		}
	}
	return most
}

// TestAnyLoadStaysInsideTheQuota lets many callers of three operations come, wait, leave, dial slowly, fail and succeed at random.
func TestAnyLoadStaysInsideTheQuota(t *testing.T) {
	for seed := range uint64(8) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { anyLoad(t, seed) })
		})
	}
}

func anyLoad(t *testing.T, seed uint64) {
	const limit, per, inFlight = 5, time.Second, 3
	p := newPool(t, tokenpool.Config{
		Groups:   windows(resilience.Window{Name: "second", Limit: limit, Per: per}),
		Settings: tokenpool.Settings{InFlight: inFlight},
	}, credentials("a", "b", "c"))
	h := &history{departed: map[string][]time.Time{}, inFlight: map[string]int{}}
	ops := []*resilience.Operation{opRead, opOther, opWrite}
	var wg sync.WaitGroup
	for i := range 400 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, uint64(i)))
			time.Sleep(time.Duration(rnd.IntN(20_000)) * time.Millisecond)
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rnd.IntN(60_000))*time.Millisecond)
			defer cancel()
			permit, err := p.Acquire(ctx, tokenpool.Request{Op: ops[rnd.IntN(3)], Tier: resilience.Tier(rnd.IntN(4))})
			if err != nil {
				if !errors.Is(err, resilience.ErrLimited) && !errors.Is(err, resilience.ErrNoCredential) {
					t.Errorf("got %v, want ErrLimited or ErrNoCredential", err)
				}
				return
			}
			h.fly(t, permit, rnd)
		})
	}
	wg.Wait()
	if got := h.fullest(per); got > limit {
		t.Errorf("%d departures in one second of one credential, want at most %d", got, limit)
	}
	if h.worst > inFlight {
		t.Errorf("%d calls in flight on one credential, want at most %d", h.worst, inFlight)
	}
	// All that was reserved is back: a full burst goes at once after the longest cooldown.
	time.Sleep(2 * time.Hour)
	for range 3 * inFlight {
		acquire(t, p, opRead)
	}
}

// fly makes one call: a slow dial that may fail, then a departure, then an answer.
func (h *history) fly(t *testing.T, permit tokenpool.Permit, rnd *rand.Rand) {
	id := permit.Credential().ID
	h.Lock()
	h.inFlight[id]++
	h.worst = max(h.worst, h.inFlight[id])
	h.Unlock()
	time.Sleep(time.Duration(rnd.IntN(800)) * time.Millisecond)
	if rnd.IntN(5) > 0 {
		h.Lock()
		h.departed[id] = append(h.departed[id], time.Now())
		permit.Depart()
		h.Unlock()
		permit.Depart() // a second trace changes nothing
		time.Sleep(time.Duration(rnd.IntN(1200)) * time.Millisecond)
	}
	h.Lock()
	h.inFlight[id]--
	h.Unlock()
	if permit.Credential().ID != id {
		t.Error("the permit changed its credential")
	}
	permit.Release(fine)
	permit.Release(throttled) // nor does a late second answer
}

func TestLanesAreServedInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "second", Limit: 1, Per: time.Second})}, credentials("a"))
		call(t, p, opRead, fine)
		var mu sync.Mutex
		var got []string
		var wg sync.WaitGroup
		for i, tier := range []resilience.Tier{resilience.Sync, resilience.Bulk, resilience.Untiered, resilience.Instant, resilience.Bulk} {
			wg.Go(func() {
				time.Sleep(time.Duration(i+1) * time.Millisecond)
				permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Tier: tier})
				if err != nil {
					t.Error(err)
					return
				}
				mu.Lock()
				got = append(got, fmt.Sprintf("%v%d", tier, i))
				mu.Unlock()
				permit.Depart()
				permit.Release(fine)
			})
		}
		wg.Wait()
		want := []string{"untiered2", "instant3", "bulk1", "bulk4", "sync0"}
		if !slices.Equal(got, want) {
			t.Errorf("served %v, want %v", got, want)
		}
	})
}

func TestLeaversCostNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "second", Limit: 10, Per: time.Second})}, credentials("a"))
		rnd := rand.New(rand.NewPCG(7, 7))
		start := time.Now()
		served := 0
		var wg sync.WaitGroup
		var mu sync.Mutex
		for i := range 200 {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			leaves := rnd.IntN(2) == 0
			wg.Go(func() {
				time.Sleep(time.Duration(i)) // a fixed order
				permit, err := p.Acquire(ctx, tokenpool.Request{Op: opRead})
				if err != nil {
					if !errors.Is(err, context.Canceled) {
						t.Errorf("got %v, want context.Canceled", err)
					}
					return
				}
				permit.Depart()
				permit.Release(fine)
				mu.Lock()
				served++
				mu.Unlock()
			})
			if leaves {
				time.AfterFunc(time.Millisecond, cancel)
			}
		}
		wg.Wait()
		ideal := time.Duration(served/10+1) * time.Second
		if got := time.Since(start); got > ideal {
			t.Errorf("%d calls at 10 a second took %v, want at most %v", served, got, ideal)
		}
	})
}

func TestWaitThatCannotFitIsRefusedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "minute", Limit: 1, Per: time.Minute})}, credentials("a"))
		call(t, p, opRead, fine)
		start := time.Now()
		_, err := p.Acquire(t.Context(), tokenpool.Request{Op: opRead, Deadline: start.Add(30 * time.Second)})
		e := refusal(t, err)
		if !errors.Is(err, resilience.ErrLimited) || !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v, want ErrLimited that is also context.DeadlineExceeded", err)
		}
		if !e.RetryAt.Equal(start.Add(time.Minute)) || time.Since(start) != 0 {
			t.Errorf("retry at %v after %v, want %v at once", e.RetryAt, time.Since(start), start.Add(time.Minute))
		}
	})
}

func TestCostThatNeverFitsIsRefusedAtOnce(t *testing.T) {
	p := newPool(t, tokenpool.Config{Groups: windows(resilience.Window{Name: "five", Limit: 5, Per: time.Second})}, credentials("a"))
	op := &resilience.Operation{Platform: "t", ID: "batch", Group: "writes", Auth: "user", Cost: 6}
	_, err := p.Acquire(t.Context(), tokenpool.Request{Op: op})
	if !errors.Is(err, resilience.ErrLimited) {
		t.Errorf("got %v, want ErrLimited", err)
	}
}

func TestRotationIsFair(t *testing.T) {
	p := newPool(t, tokenpool.Config{}, credentials("a", "b", "c", "d", "e"))
	count := map[string]int{}
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 500 {
				id := call(t, p, opRead, fine)
				mu.Lock()
				count[id]++
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	for id, n := range count {
		if n < 780 || n > 820 {
			t.Errorf("credential %s made %d of 4,000 calls, want about 800", id, n)
		}
	}
}

// BenchmarkPick grants and releases one call in a pool of 100,000 credentials of which a share cools.
func BenchmarkPick(b *testing.B) {
	for _, share := range []int{0, 50, 99, 100} {
		b.Run(fmt.Sprintf("cooling=%d%%", share), func(b *testing.B) {
			const n = 100_000
			var cs []resilience.Credential
			for i := range n {
				cs = append(cs, resilience.Credential{ID: fmt.Sprintf("c%06d", i), Account: "wall"})
			}
			p := newPool(b, tokenpool.Config{Groups: windows(resilience.Window{Name: "second", Limit: 20, Per: time.Second})}, cs)
			acquire(b, p, opRead).GiveBack() // the lane is there before the measuring
			for range n * share / 100 {
				permit := acquire(b, p, opRead)
				permit.Depart()
				permit.Release(tokenpool.Outcome{Class: resilience.QuotaExhausted, Hint: time.Hour})
			}
			b.ReportAllocs()
			req := tokenpool.Request{Op: opRead}
			for b.Loop() {
				if permit, err := p.Acquire(b.Context(), req); err == nil {
					permit.GiveBack()
				}
			}
		})
	}
}
