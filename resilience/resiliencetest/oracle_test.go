package resiliencetest_test

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// bruteRolling tries a window at each instant: the fullest one can always be moved right until it begins at a call.
func bruteRolling(times []time.Time, per time.Duration) int {
	most := 0
	for _, start := range times {
		n := 0
		for _, t := range times {
			if !t.Before(start) && t.Before(start.Add(per)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// bruteAligned walks boundary by boundary from before the first instant to after the last.
func bruteAligned(times []time.Time, per, offset time.Duration) int {
	if len(times) == 0 {
		return 0
	}
	first, last := times[0], times[0]
	for _, t := range times {
		if t.Before(first) {
			first = t
		}
		if t.After(last) {
			last = t
		}
	}
	boundary := time.Unix(0, 0).Add(offset)
	for boundary.After(first) {
		boundary = boundary.Add(-per)
	}
	for !boundary.Add(per).After(first) {
		boundary = boundary.Add(per)
	}
	most := 0
	for ; !boundary.After(last); boundary = boundary.Add(per) {
		n := 0
		for _, t := range times {
			if !t.Before(boundary) && t.Before(boundary.Add(per)) {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

func TestOracleAgainstBruteForce(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	for run := range 500 {
		// Few distinct instants around 1970, so that equal ones and exact distances are common.
		times := make([]time.Time, random.IntN(40))
		for i := range times {
			times[i] = time.Unix(0, 0).Add(time.Duration(random.IntN(60)-30) * time.Second)
		}
		per := time.Duration(1+random.IntN(12)) * time.Second
		offset := time.Duration(random.IntN(20)-10) * time.Second
		if got, want := resiliencetest.MaxInAnyWindow(times, per), bruteRolling(times, per); got != want {
			t.Fatalf("run %d: MaxInAnyWindow(%v, %v) got %d, want %d", run, times, per, got, want)
		}
		if got, want := resiliencetest.MaxAligned(times, per, offset), bruteAligned(times, per, offset); got != want {
			t.Fatalf("run %d: MaxAligned(%v, %v, %v) got %d, want %d", run, times, per, offset, got, want)
		}
	}
}

func TestOracleByHand(t *testing.T) {
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	at := func(seconds ...float64) []time.Time {
		times := make([]time.Time, len(seconds))
		for i, s := range seconds {
			times[i] = day.Add(time.Duration(s * float64(time.Second)))
		}
		return times
	}
	tests := []struct {
		name            string
		times           []time.Time
		per, offset     time.Duration
		rolling, aligns int
	}{
		{"nothing", nil, time.Second, 0, 0, 0},
		{"no span", at(1), 0, 0, 0, 0},
		{"exactly a span apart", at(0, 1), time.Second, 0, 1, 1},
		{"a hair less than a span apart", at(0.5, 1.499), time.Second, 0, 2, 1},
		{"out of order", at(5, 0.1, 0.2, 4.9), time.Second, 0, 2, 2},
		{"across midnight in China, one day in UTC", at(15*3600+3599, 16*3600), 24 * time.Hour, 0, 2, 2},
		{"across midnight in China, days of China", at(15*3600+3599, 16*3600), 24 * time.Hour, -8 * time.Hour, 2, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := resiliencetest.MaxInAnyWindow(tt.times, tt.per); got != tt.rolling {
				t.Errorf("MaxInAnyWindow got %d, want %d", got, tt.rolling)
			}
			if got := resiliencetest.MaxAligned(tt.times, tt.per, tt.offset); got != tt.aligns {
				t.Errorf("MaxAligned got %d, want %d", got, tt.aligns)
			}
		})
	}
}
