package retry

import (
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// maxBlock is the longest wait that a platform's hint or a cooldown may put on a caller. Longer ones are for later, not for waiting.
const maxBlock = 5 * time.Minute

// wait returns how long to wait before repeat i (0, 1 ...) after out; ok is false if nobody should wait for it. random draws from
// [0, n).
//
// With a hint, or a time at which the credentials are ready, the wait is that and a random share of the backoff: never early, and not
// everybody at one instant. Without one the backoff itself takes its place, halved at its cap so that the sum stays within MaxWait: a
// wait lies between Wait and MaxWait, drawn from a range as wide as its lower end, from attempt 1 to attempt 100.
func (s Schedule) wait(out *Outcome, i int, now time.Time, random func(n int64) int64) (d time.Duration, ok bool) {
	jitter := func(spread time.Duration) time.Duration { return time.Duration(random(int64(max(0, spread)) + 1)) }
	transient := out.Class == resilience.Transient
	if !transient && out.Ready.IsZero() {
		return 0, true // another credential takes it
	}
	if transient && out.Hint <= 0 {
		least := max(s.Wait, backoff(s.Wait, s.MaxWait/2, i))
		return least + jitter(min(least, s.MaxWait-least)), true
	}
	floor := out.Hint
	if !transient {
		floor = max(1, out.Ready.Sub(now)) // never zero: a timer that does not wait lets a loop spin
	}
	return floor + jitter(backoff(s.Wait, s.MaxWait, i)), floor <= maxBlock
}

// backoff returns base x 2^i, at most limit. The limit comes before the multiplication, so that no i overflows.
func backoff(base, limit time.Duration, i int) time.Duration {
	if i > 62 || base > limit>>i {
		return limit
	}
	return base << i
}
