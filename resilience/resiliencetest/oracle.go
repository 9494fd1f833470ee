package resiliencetest

import (
	"slices"
	"time"
)

// MaxInAnyWindow returns the largest number of instants that fall into any span of length per. The span is half open: two instants
// exactly per apart are not in one. It is 0 without instants or without a span.
func MaxInAnyWindow(times []time.Time, per time.Duration) int {
	if per <= 0 {
		return 0
	}
	sorted := slices.SortedFunc(slices.Values(times), time.Time.Compare)
	most, first := 0, 0
	for i, t := range sorted {
		for t.Sub(sorted[first]) >= per {
			first++
		}
		most = max(most, i-first+1)
	}
	return most
}

// MaxAligned returns the largest number of instants between two neighboring boundaries; boundaries are the multiples of per since
// 1970-01-01T00:00:00Z, moved by offset. An offset of -8h makes days of 24h begin at midnight in China.
func MaxAligned(times []time.Time, per, offset time.Duration) int {
	if per <= 0 {
		return 0
	}
	most, counts := 0, map[int64]int{}
	for _, t := range times {
		since := t.UnixNano() - int64(offset)
		span := since / int64(per)
		if since%int64(per) < 0 {
			span-- // division cuts toward zero; spans before 1970 must not share the one after it
		}
		counts[span]++
		most = max(most, counts[span])
	}
	return most
}
