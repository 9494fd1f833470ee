package quota

// A slot admits at most room departures between two multiples of per (plus offset) of the wall clock.
type slot struct {
	room        int
	per, offset int64
	number      int64 // of the current slot; only ever grows, so that a wall clock set back frees nothing
	count       int
}

func (s *slot) advance(t Instant) {
	if n := floorDiv(t.Wall-s.offset, s.per); n > s.number {
		s.number, s.count = n, 0
	}
}

func (s *slot) wait(t Instant, reserved, cost int) int64 {
	s.advance(t)
	switch {
	case s.count+reserved+cost <= s.room:
		return 0
	case reserved+cost > s.room:
		return Blocked
	default:
		return max(1, (s.number+1)*s.per+s.offset-t.Wall)
	}
}

func (s *slot) expect(t Instant, n int) int64 {
	s.advance(t)
	rest := max(0, s.room-s.count)
	if n <= rest {
		return 0
	}
	slots := int64((n-rest-1)/s.room) + 1
	return max(1, (s.number+slots)*s.per+s.offset-t.Wall)
}

func (s *slot) depart(t Instant, cost int) {
	s.advance(t)
	s.count += cost
}

func (s *slot) used(t Instant) int {
	s.advance(t)
	return s.count
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}
