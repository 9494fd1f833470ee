package quota

import (
	"math"
	"time"

	"golang.org/x/time/rate"
)

// maxBurst is how many calls may leave at once inside a paced window: a burst of 100 tripped a platform's risk control, 5 did not.
const maxBurst = 5

// A pace spreads calls inside a window. A rate.Limiter cannot take tokens back, so a grant only looks (TokensAt) and a departure
// takes. Its clock must not go back (it would earn the same tokens twice): the owner's instants do not.
type pace struct {
	limiter *rate.Limiter
	burst   int
}

func newPace(room int, per time.Duration) *pace {
	burst := min(maxBurst, room)
	return &pace{
		limiter: rate.NewLimiter(rate.Limit(float64(room)/per.Seconds()), burst),
		burst:   burst,
	}
}

func (p *pace) wait(t Instant, reserved, cost int) int64 {
	cost = min(cost, p.burst) // a call that costs more than the burst waits for a full bucket
	if reserved > 0 && reserved+cost > p.burst {
		return Blocked
	}
	return p.expect(t, reserved+cost)
}

// expect returns how long after t the bucket has earned n tokens, however many it can hold.
func (p *pace) expect(t Instant, n int) int64 {
	missing := float64(n) - p.limiter.TokensAt(instant(t))
	// Sums of floats leave crumbs: a token that lacks a billionth is whole.
	if missing <= 1e-9 {
		return 0
	}
	return max(1, int64(math.Ceil(missing/float64(p.limiter.Limit())*1e9)))
}

func (p *pace) depart(t Instant, cost int) {
	// ReserveN, not AllowN: it takes the tokens even where rounding says that a crumb is missing.
	p.limiter.ReserveN(instant(t), min(cost, p.burst))
}

func instant(t Instant) time.Time { return time.Unix(0, t.Mono) }
