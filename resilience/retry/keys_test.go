package retry_test

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience/retry"
)

func TestKeys(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	k := retry.NewKeys(0) // 24 hours
	claim := func(key string, at time.Duration, want bool) {
		t.Helper()
		if _, got := k.Claim(key, now.Add(at)); got != want {
			t.Errorf("claim of %s after %v: got %v, want %v", key, at, got, want)
		}
	}
	claim("order-1", 0, true)
	claim("order-1", 0, false)
	claim("order-2", time.Hour, true)
	claim("order-1", 24*time.Hour-1, false)
	claim("order-1", 24*time.Hour, true)
	claim("order-1", 47*time.Hour, false)
	k.Free("order-1", now) // the first claim's call comes back after its time: the second claim stays
	claim("order-1", 47*time.Hour, false)
	k.Free("order-1", now.Add(24*time.Hour))
	k.Free("order-1", now.Add(24*time.Hour))
	k.Free("never claimed", now)
	claim("order-1", 47*time.Hour, true)
	claim("", 47*time.Hour, true)
}

// TestKeysSayWhatBecameOfTheFirst: the caller who comes later has to know whether there is anything left to do.
func TestKeysSayWhatBecameOfTheFirst(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	k := retry.NewKeys(time.Hour)
	see := func(want retry.Use) {
		t.Helper()
		if got, claimed := k.Claim("order-1", now.Add(time.Minute)); claimed || got != want {
			t.Errorf("got %+v, %v, want %+v", got, claimed, want)
		}
	}
	k.Claim("order-1", now)
	use := retry.Use{At: now, Ends: now.Add(time.Hour)}
	see(use)
	k.Settle("order-1", now.Add(-time.Hour), true) // somebody else's, long ended
	k.Settle("never claimed", now, true)
	see(use)
	k.Settle("order-1", now, true)
	use.Settled, use.Unknown = true, true
	see(use)
}

func TestKeysForgetTheOld(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	k := retry.NewKeys(time.Minute)
	for i := range 100_000 { // a thousand a second for a hundred seconds
		now = now.Add(time.Millisecond)
		if _, ok := k.Claim(fmt.Sprint(i), now); !ok {
			t.Fatalf("key %d was claimed", i)
		}
		if i%10 == 0 { // freed and claimed again: no trace of the first claim stays
			k.Free(fmt.Sprint(i), now)
			k.Claim(fmt.Sprint(i), now)
		}
		if k.Len() > 60_001 {
			t.Fatalf("%d claims in memory, want a minute's at most", k.Len())
		}
	}
	now = now.Add(time.Hour)
	for i := range 20_001 {
		k.Claim(fmt.Sprint("late ", i), now)
	}
	if k.Len() > 20_001 {
		t.Errorf("%d claims in memory an hour later, want the new ones only", k.Len())
	}
}

func TestKeysOneWinner(t *testing.T) {
	k := retry.NewKeys(time.Hour)
	now := time.Now()
	var won atomic.Int32
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for i := range 100 {
				if _, ok := k.Claim(fmt.Sprint(i), now); ok {
					won.Add(1)
				}
			}
		})
	}
	wg.Wait()
	if won.Load() != 100 {
		t.Errorf("100 keys were won %d times", won.Load())
	}
}

// Random claims, frees and pauses against a plain map that is never swept.
func TestKeysAgainstAMap(t *testing.T) {
	for seed := range uint64(20) {
		rnd := rand.New(rand.NewPCG(seed, 7))
		k := retry.NewKeys(time.Second)
		ends := map[string]time.Time{}
		now := time.Unix(1_700_000_000, 0)
		for step := range 3000 {
			now = now.Add(time.Duration(rnd.IntN(20)) * time.Millisecond)
			key := fmt.Sprint(rnd.IntN(150))
			if rnd.IntN(4) == 0 {
				if rnd.IntN(2) == 0 {
					k.Free(key, now.Add(-time.Hour)) // somebody else's, long ended
					continue
				}
				k.Free(key, ends[key].Add(-time.Second))
				delete(ends, key)
				continue
			}
			want := !now.Before(ends[key])
			if want {
				ends[key] = now.Add(time.Second)
			}
			if _, got := k.Claim(key, now); got != want {
				t.Fatalf("seed %d, step %d: claim of %s: got %v, want %v", seed, step, key, got, want)
			}
		}
	}
}
