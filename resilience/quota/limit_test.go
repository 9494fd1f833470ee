package quota_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// at is the instant d after the start of a clock whose wall time is far from zero and not a multiple of anything.
func at(d time.Duration) quota.Instant {
	const start = 1_700_000_123_456_789_000
	return quota.Instant{Mono: 1 + int64(d), Wall: start + int64(d)}
}

// most counts the departures of the fullest window of length per: each departure is the last of one window. They come in order.
func most(departures []int64, per int64) (best int) {
	first := 0
	for i, last := range departures {
		for departures[first] <= last-per {
			first++
		}
		best = max(best, i-first+1)
	}
	return best
}

// TestAnyHistoryStaysInsideTheWindow grants, departs late, gives back and lets time pass at random; whatever happens, no rolling
// window holds more than the limit.
func TestAnyHistoryStaysInsideTheWindow(t *testing.T) {
	windows := []resilience.Window{
		{Name: "one", Limit: 1, Per: time.Second},
		{Name: "second", Limit: 20, Per: time.Second, Guard: 1},
		{Name: "minutes", Limit: 900, Per: 5 * time.Minute},
		{Name: "paced", Limit: 60, Per: time.Minute, Smooth: true},
		{Name: "large", Limit: 1500, Per: time.Minute},
	}
	for _, w := range windows {
		for seed := range uint64(6) {
			t.Run(fmt.Sprintf("%s/%d", w.Name, seed), func(t *testing.T) {
				rnd := rand.New(rand.NewPCG(seed, 1))
				limit := quota.New(w)
				var now time.Duration
				var departed []int64
				reserved := 0
				for range 6000 {
					switch rnd.IntN(10) {
					case 0, 1, 2, 3, 4:
						if limit.Wait(at(now), 1) == 0 {
							limit.Reserve(1)
							reserved++
						}
					case 5, 6, 7:
						if reserved > 0 {
							limit.Depart(at(now), 1)
							departed = append(departed, int64(now))
							reserved--
						}
					case 8:
						if reserved > 0 && rnd.IntN(2) == 0 {
							limit.GiveBack(1)
							reserved--
						}
					default:
						now += time.Duration(rnd.Int64N(int64(w.Per) * 3 / int64(w.Limit)))
					}
				}
				if got := most(departed, int64(w.Per)); got > w.Room() {
					t.Errorf("%d departures in one window of %v, want at most %d", got, w.Per, w.Room())
				}
				if len(departed) < w.Room() {
					t.Errorf("only %d departures: the history never filled the window", len(departed))
				}
			})
		}
	}
}

// TestHungryCallerUsesTheWindow runs a caller that always wants more for a day.
func TestHungryCallerUsesTheWindow(t *testing.T) {
	for _, w := range []resilience.Window{
		{Name: "second", Limit: 3, Per: time.Second},
		{Name: "minutes", Limit: 900, Per: 5 * time.Minute},
		{Name: "large", Limit: 2000, Per: time.Minute},
		{Name: "hour", Limit: 150, Per: time.Hour, Aligned: true},
	} {
		t.Run(w.Name, func(t *testing.T) {
			limit := quota.New(w)
			const day = 24 * time.Hour
			sent := 0
			for now := time.Duration(0); now < day; {
				wait := limit.Wait(at(now), 1)
				if wait == quota.Blocked {
					t.Fatal("blocked without a reservation")
				}
				if wait > 0 {
					now += time.Duration(wait)
					continue
				}
				limit.Reserve(1)
				limit.Depart(at(now), 1)
				sent++
			}
			due := float64(w.Limit) * float64(day) / float64(w.Per)
			if use := float64(sent) / due; use < 0.99 {
				t.Errorf("used %.4f of the day's quota, want at least 0.99", use)
			}
		})
	}
}

func TestAlignedWindowStartsAnewAtItsBoundary(t *testing.T) {
	// Midnight in China is 16:00 UTC.
	limit := quota.New(resilience.Window{Name: "day", Limit: 2, Per: 24 * time.Hour, Aligned: true, Offset: -8 * time.Hour})
	wall := time.Date(2026, 3, 1, 15, 59, 0, 0, time.UTC)
	now := func(d time.Duration) quota.Instant {
		return quota.Instant{Mono: 1 + int64(d), Wall: wall.Add(d).UnixNano()}
	}
	for range 2 {
		limit.Reserve(1)
		limit.Depart(now(0), 1)
	}
	if got, want := time.Duration(limit.Wait(now(0), 1)), time.Minute; got != want {
		t.Errorf("wait %v, want %v", got, want)
	}
	if got := limit.Wait(now(time.Minute), 1); got != 0 {
		t.Errorf("wait %v after midnight, want 0", time.Duration(got))
	}
}

func TestWallClockSetBackFreesNothing(t *testing.T) {
	limit := quota.New(resilience.Window{Name: "half", Limit: 25, Per: 500 * time.Millisecond, Aligned: true})
	sent := 0
	for i := range 400 {
		// The wall jumps back and forth over a boundary while the monotonic clock creeps on.
		now := quota.Instant{Mono: int64(i + 1), Wall: 10_000_000_000 - int64(i%2)*int64(500*time.Millisecond)}
		if limit.Wait(now, 1) == 0 {
			limit.Reserve(1)
			limit.Depart(now, 1)
			sent++
		}
	}
	// One slot before the first jump forward may have held one call; the pace holds the rest back.
	if sent > 26 {
		t.Errorf("%d calls left in 400 ns of a jumping clock, want at most 26", sent)
	}
}

// TestOneASecondWithAClockThatJumps feeds the times of a clock that an owner has clamped: never back.
func TestOneASecondWithAClockThatJumps(t *testing.T) {
	limit := quota.New(resilience.Window{Name: "one", Limit: 1, Per: time.Second})
	take := func(now time.Duration) bool {
		if limit.Wait(at(now), 1) != 0 {
			return false
		}
		limit.Reserve(1)
		limit.Depart(at(now), 1)
		return true
	}
	if !take(0) {
		t.Fatal("the first call was refused")
	}
	for i := range 1000 {
		if take(0) {
			t.Fatalf("call %d of the standing clock was admitted", i)
		}
		if wait := limit.Wait(at(0), 1); wait <= 0 || wait > int64(time.Second) {
			t.Fatalf("wait %d, want within a second", wait)
		}
	}
	if !take(time.Second) {
		t.Error("the call after a second was refused")
	}
}

func TestCost(t *testing.T) {
	limit := quota.New(resilience.Window{Name: "ten", Limit: 10, Per: time.Minute})
	if limit.Fits(11) {
		t.Error("a cost of 11 fits into a window of 10")
	}
	limit.Reserve(6)
	if got := limit.Wait(at(0), 5); got != quota.Blocked {
		t.Errorf("wait %d for 5 beside 6 reserved of 10, want Blocked", got)
	}
	limit.Depart(at(0), 6)
	if got, want := limit.Wait(at(time.Second), 5), int64(59*time.Second); got != want {
		t.Errorf("wait %v, want %v", time.Duration(got), time.Duration(want))
	}
	if got := limit.Wait(at(time.Second), 4); got != 0 {
		t.Errorf("wait %v for the rest, want 0", time.Duration(got))
	}
}

func TestExpectCountsThoseAhead(t *testing.T) {
	for _, w := range []resilience.Window{
		{Name: "ring", Limit: 20, Per: time.Minute},
		{Name: "slot", Limit: 20, Per: time.Minute, Aligned: true},
	} {
		t.Run(w.Name, func(t *testing.T) {
			limit := quota.New(w)
			start := quota.Instant{Mono: 1, Wall: int64(time.Hour)}
			for range 20 {
				limit.Reserve(1)
				limit.Depart(start, 1)
			}
			for ahead, want := range map[int]time.Duration{0: time.Minute, 19: time.Minute, 20: 2 * time.Minute, 100: 6 * time.Minute} {
				if got := time.Duration(limit.Expect(start, ahead, 1)); got != want {
					t.Errorf("%d ahead: %v, want %v", ahead, got, want)
				}
			}
		})
	}
}

func TestPaceSpreadsASecond(t *testing.T) {
	limit := quota.New(resilience.Window{Name: "second", Limit: 20, Per: time.Second})
	var departed []int64
	for now := time.Duration(0); now < time.Second; {
		wait := limit.Wait(at(now), 1)
		if wait > 0 {
			now += time.Duration(wait)
			continue
		}
		limit.Reserve(1)
		limit.Depart(at(now), 1)
		departed = append(departed, int64(now))
	}
	if got := most(departed, int64(10*time.Millisecond)); got > 5 {
		t.Errorf("%d calls left within 10 ms, want at most 5", got)
	}
}

func TestChangeKeepsWhatWasSpent(t *testing.T) {
	limit := quota.New(resilience.Window{Name: "minute", Limit: 4, Per: time.Minute})
	for i := range 3 {
		limit.Reserve(1)
		limit.Depart(at(time.Duration(i)*time.Second), 1)
	}
	limit.Change(at(10*time.Second), resilience.Window{Name: "minute", Limit: 2, Per: time.Minute})
	if got, want := time.Duration(limit.Wait(at(10*time.Second), 1)), 51*time.Second; got != want {
		t.Errorf("after lowering: wait %v, want %v (the second call's minute)", got, want)
	}
	limit.Change(at(10*time.Second), resilience.Window{Name: "minute", Limit: 9, Per: time.Minute})
	if got := limit.Wait(at(10*time.Second), 1); got != 0 {
		t.Errorf("after raising: wait %v, want 0", time.Duration(got))
	}
}

func BenchmarkReserveDepart(b *testing.B) {
	b.ReportAllocs()
	limit := quota.New(resilience.Window{Name: "minutes", Limit: 900, Per: 5 * time.Minute})
	now := time.Duration(0)
	for b.Loop() {
		now += time.Second
		if limit.Wait(at(now), 1) == 0 {
			limit.Reserve(1)
			limit.Depart(at(now), 1)
		}
	}
}
