package wecomtest

import (
	"slices"
	"time"
)

// traffic is what one counter saw in the last hour.
type traffic struct {
	stamps       []time.Time // in their order
	blockedUntil time.Time
}

func (s *Server) trafficOf(key string) *traffic {
	t := s.traffic[key]
	if t == nil {
		t = &traffic{}
		s.traffic[key] = t
	}
	return t
}

// exceeded returns the span whose limit has nothing left at now, 0 if there is room in both.
func (t *traffic) exceeded(l limits, now time.Time) time.Duration {
	t.stamps = t.stamps[t.before(now.Add(-time.Hour)):]
	switch {
	case l.hour > 0 && len(t.stamps) >= l.hour:
		return time.Hour
	case l.minute > 0 && len(t.stamps)-t.before(now.Add(-time.Minute)) >= l.minute:
		return time.Minute
	}
	return 0
}

// before returns how many stamps are not later than at: a call exactly a span ago is not in the span.
func (t *traffic) before(at time.Time) int {
	n, _ := slices.BinarySearchFunc(t.stamps, at, func(stamp, at time.Time) int {
		if stamp.After(at) {
			return 1
		}
		return -1
	})
	return n
}

func (t *traffic) stamp(now time.Time) { t.stamps = append(t.stamps, now) }

// A charge is a counter that a call draws on.
type charge struct {
	*traffic
	limits limits
}

// charges returns what a call of the operation draws on. The base frequency holds for each API by itself.
func (s *Server) charges(op *operation, ip string) []charge {
	all := []charge{{s.trafficOf("corp " + op.name), s.cfg.api[op.name]}}
	if !op.uncounted {
		all = append(all, charge{s.trafficOf("address " + ip + " " + op.name), s.cfg.address})
	}
	return all
}

// take counts a call, all or nothing, and reports whether there was room. The call for which there is none blocks the API for the span
// of the limit.
func (s *Server) take(op *operation, ip string, now time.Time) bool {
	charges := s.charges(op, ip)
	for _, c := range charges {
		if now.Before(c.blockedUntil) {
			return false
		}
		if span := c.exceeded(c.limits, now); span > 0 {
			c.blockedUntil = now.Add(span)
			return false
		}
	}
	for _, c := range charges {
		c.stamp(now)
	}
	return true
}

// failures counts the gettoken calls from an address that failed.
func (s *Server) failures(ip string) *traffic { return s.trafficOf("failed gettoken " + ip) }

// fail counts a failed gettoken call and reports whether the address is still let in.
func (s *Server) fail(ip string, now time.Time) bool {
	t := s.failures(ip)
	if span := t.exceeded(limits{hour: s.cfg.failedTokens}, now); span > 0 {
		t.blockedUntil = now.Add(span)
		return false
	}
	t.stamp(now)
	return true
}

// enter counts a call that begins to work and reports whether it may.
func (s *Server) enter(op *operation) bool {
	if s.cfg.parallel > 0 && s.running[op.name] >= s.cfg.parallel {
		return false
	}
	s.running[op.name]++
	return true
}

func (s *Server) leave(op *operation) { s.running[op.name]-- }
