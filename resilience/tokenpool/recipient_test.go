package tokenpool_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

// send makes one call to the recipients that is done at once.
func send(t testing.TB, p *tokenpool.Pool, to ...string) error {
	t.Helper()
	permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite, Recipients: to})
	if err != nil {
		return err
	}
	permit.Depart()
	permit.Release(fine)
	return nil
}

func TestARecipientThatHadEnoughIsRefusedAndNobodyWaits(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(
			resilience.Window{Name: "member_minute", Limit: 2, Per: time.Minute, Key: resilience.PerRecipient},
		)}, credentials("a"))
		start := time.Now()
		for range 2 {
			if err := send(t, p, "u1", "u1", "u2"); err != nil { // who is named twice gets it once
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		err := send(t, p, "u3", "u1")
		e := refusal(t, err)
		if errors.Is(err, context.DeadlineExceeded) || e.Recipient != "u1" {
			t.Errorf("got %v of recipient %q, want u1's refusal, which has nothing to do with a deadline", err, e.Recipient)
		}
		if !errors.Is(err, resilience.ErrLimited) || !strings.Contains(e.Error(), `"u1"`) || !strings.Contains(e.Error(), "member_minute") {
			t.Errorf("got %v, want ErrLimited that names the recipient and the window", err)
		}
		if got, want := e.RetryAt, start.Add(time.Minute); !got.Equal(want) {
			t.Errorf("RetryAt is %v, want %v", got.Sub(start), want.Sub(start))
		}
		for range 2 { // the refused call has taken nothing of u3
			if err := send(t, p, "u3"); err != nil {
				t.Errorf("u3: %v", err)
			}
		}
		if got := time.Since(start); got != 2*time.Second {
			t.Errorf("something waited: %v have passed, want 2s", got)
		}
		time.Sleep(time.Until(e.RetryAt))
		if err := send(t, p, "u1"); err != nil {
			t.Errorf("at RetryAt: %v", err)
		}
	})
}

// TestAQueuedCallIsRefusedAtItsTurn: two calls to one recipient wait for the account's window, and only the first may go.
func TestAQueuedCallIsRefusedAtItsTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(
			resilience.Window{Name: "minute", Limit: 2, Per: time.Minute, Key: resilience.PerAccount},
			resilience.Window{Name: "member", Limit: 1, Per: time.Hour, Key: resilience.PerRecipient},
		)}, credentials("a"))
		for _, to := range []string{"u1", "u2"} {
			if err := send(t, p, to); err != nil {
				t.Fatal(err)
			}
		}
		var wg sync.WaitGroup
		errs := make([]error, 3)
		for i, to := range []string{"u3", "u3", "u4"} {
			wg.Go(func() { errs[i] = send(t, p, to) })
			synctest.Wait()
		}
		wg.Wait()
		if errs[0] != nil || !errors.Is(errs[1], resilience.ErrLimited) || errs[2] != nil {
			t.Errorf("got %v, want the second to u3 refused and the others served", errs)
		}
	})
}

// TestRecipientsAtRandom counts what leaves for each recipient with an oracle of its own, whatever fails, waits or is given back.
func TestRecipientsAtRandom(t *testing.T) {
	for seed := range uint64(6) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				random := rand.New(rand.NewPCG(seed, 1))
				p := newPool(t, tokenpool.Config{Groups: windows(
					resilience.Window{Name: "second", Limit: 20, Per: time.Second, Key: resilience.PerApp},
					resilience.Window{Name: "minute", Limit: 5, Per: time.Minute, Key: resilience.PerRecipient},
					resilience.Window{Name: "hour", Limit: 40, Per: time.Hour, Key: resilience.PerRecipient},
				)}, credentials("a", "b"))
				var mu sync.Mutex
				got := map[string][]time.Time{}
				var wg sync.WaitGroup
				for range 1500 {
					to := []string{fmt.Sprint("u", random.IntN(4))}
					if random.IntN(3) == 0 {
						to = append(to, fmt.Sprint("u", random.IntN(4)))
					}
					dial, lost := time.Duration(random.IntN(300))*time.Millisecond, random.IntN(10) == 0
					wg.Go(func() {
						permit, err := p.Acquire(t.Context(), tokenpool.Request{Op: opWrite, Recipients: to, Deadline: time.Now().Add(time.Minute)})
						if err != nil {
							return
						}
						time.Sleep(dial)
						if lost {
							permit.GiveBack()
							return
						}
						permit.Depart()
						mu.Lock()
						slices.Sort(to)
						for _, name := range slices.Compact(to) {
							got[name] = append(got[name], time.Now())
						}
						mu.Unlock()
						permit.Release(fine)
					})
					time.Sleep(time.Duration(random.IntN(4000)) * time.Millisecond)
				}
				wg.Wait()
				for name, times := range got {
					slices.SortFunc(times, time.Time.Compare)
					for per, limit := range map[time.Duration]int{time.Minute: 5, time.Hour: 40} {
						for i := range times {
							if j := i + limit; j < len(times) && times[j].Sub(times[i]) < per {
								t.Fatalf("%s got %d within %v, want at most %d", name, limit+1, times[j].Sub(times[i]), limit)
							}
						}
					}
					if len(times) < 30 {
						t.Errorf("%s got only %d", name, len(times))
					}
				}
			})
		})
	}
}

// TestRecipientsAreForgotten: who has nothing to remember takes no memory, and what counts is not forgotten with them.
func TestRecipientsAreForgotten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPool(t, tokenpool.Config{Groups: windows(
			resilience.Window{Name: "hour", Limit: 1, Per: time.Hour, Key: resilience.PerRecipient},
		)}, credentials("a"))
		for day := range 3 {
			if err := send(t, p, "kept"); err != nil {
				t.Fatal(err)
			}
			for i := range 5000 {
				if err := send(t, p, fmt.Sprint("u", day, "-", i)); err != nil {
					t.Fatal(err)
				}
			}
			if err := send(t, p, "kept"); !errors.Is(err, resilience.ErrLimited) {
				t.Fatalf("got %v, want ErrLimited", err)
			}
			time.Sleep(time.Hour)
		}
		if n := tokenpool.Recipients(p, "wall"); n > 10_001 {
			t.Errorf("%d recipients are remembered after an hour of silence and 5,000 new ones, want at most twice the 5,001 of an hour", n)
		}
	})
}
