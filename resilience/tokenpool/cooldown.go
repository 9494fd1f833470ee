package tokenpool

import (
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// A cooldown keeps one thing (a credential for a scope, an account ...) out of use for a while. Instants are nanoseconds of the
// pool's monotonic clock; 0 is never.
type cooldown struct {
	began, until int64
	step         int
	probation    bool // since began, until a call that left after it succeeds
	probing      int  // calls in flight that were granted on probation
	class        resilience.Class
	code         string
	stuck        list[*member] // members that wait for the probe to come back
}

// wait returns how long c keeps calls out, and whether that is for the cooldown itself or for the probe in flight. A call within
// another does not wait for the probe: it may be what the probe waits for.
func (c *cooldown) wait(now int64, within bool) (w int64, cooling bool) {
	switch {
	case c.until > now:
		return c.until - now, true
	case c.probation && c.probing > 0 && !within:
		return quota.Blocked, false
	default:
		return 0, false
	}
}

// of reports whether a call that left at the instant belongs to the incident of the latest cooldown: it left before that began, or
// while it lasts, granted before and dialing since.
func (c *cooldown) of(departed int64) bool {
	return c.began != 0 && departed <= c.began || departed < c.until
}

// fail begins the next cooldown, unless the call belongs to the current one's incident.
func (c *cooldown) fail(now, departed int64, o *Outcome, length func(step int) int64) (began bool) {
	if c.of(departed) {
		return false
	}
	if c.probation && now-c.until < int64(quietAfter) {
		c.step++
	} else {
		c.step = 1
	}
	c.began, c.probation = now, true
	c.until = now + max(1, length(c.step))
	c.class, c.code = o.Class, o.Code
	return true
}

// succeed ends the probation by a call that left after the cooldown.
func (c *cooldown) succeed(departed int64) (ended bool) {
	if !c.probation || c.of(departed) {
		return false
	}
	c.probation, c.step, c.until = false, 0, 0
	return true
}

// end ends the cooldown for good: its cause is gone. What left before the instant belongs to it still.
func (c *cooldown) end(now int64) { c.began, c.until, c.step, c.probation = now, now, 0, false }

// over reports whether c is as good as new.
func (c *cooldown) over(now int64) bool { return !c.probation || now-c.until >= int64(quietAfter) }

// quietAfter is how long after a cooldown's end a failure counts as a new trouble and not as the old one going on.
const quietAfter = time.Hour

// skewGrace is how far the platform's clock may lag behind ours: a refusal right after the full hour may still be the old hour's.
const skewGrace = time.Minute

// china is the zone of the platforms' days.
const china = 8 * time.Hour

// length returns how long the step-th cooldown in a row lasts that begins now.
func (s *Settings) length(o *Outcome, now quota.Instant, last int64) func(step int) int64 {
	return func(step int) int64 {
		switch {
		case o.Hint > 0:
			return int64(o.Hint)
		case o.Rule.Cool > 0:
			return int64(o.Rule.Cool)
		case o.Class == resilience.Penalized:
			return int64(s.Penalty)
		}
		switch o.Rule.Reset {
		case resilience.ResetLadder:
		case resilience.ResetHour:
			return untilNext(now.Wall, time.Hour, 0)
		case resilience.ResetDay:
			return s.untilDay(now)
		case resilience.ResetMinute:
			return untilNext(now.Wall, time.Minute, 0)
		case resilience.ResetMinuteThenHour:
			if step == 1 {
				return int64(time.Minute)
			}
			return int64(time.Hour)
		case resilience.ResetHourThenDay:
			switch {
			case step == 1:
				return untilNext(now.Wall, time.Hour, 0)
			case step == 2 && now.Mono-last < int64(skewGrace):
				return int64(skewGrace)
			default:
				return s.untilDay(now)
			}
		}
		ladder := s.Ladder
		if o.Class == resilience.Throttled || o.Class == resilience.SourceLimited {
			ladder = s.ThrottleLadder
		}
		return int64(ladder[min(step, len(ladder))-1])
	}
}

// untilDay returns the nanoseconds to the platforms' next day.
func (s *Settings) untilDay(now quota.Instant) int64 {
	return untilNext(now.Wall, 24*time.Hour, s.DayStart-china)
}

// untilNext returns the nanoseconds from wall to the next multiple of per, shifted by offset.
func untilNext(wall int64, per, offset time.Duration) int64 {
	into := (wall - int64(offset)) % int64(per)
	if into < 0 {
		into += int64(per)
	}
	return int64(per) - into
}
