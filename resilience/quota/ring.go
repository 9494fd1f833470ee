package quota

// maxRing is the largest window that keeps every stamp; 8 bytes each.
const maxRing = 1024

// A ring admits at most room departures in any span of length per.
type ring struct {
	per    int64
	room   int
	keep   int     // stamps to keep, at least room
	stamps []int64 // the last departures; 0 = unused. Allocated at the first departure
	oldest int     // index into stamps
}

func (r *ring) wait(t Instant, reserved, cost int) int64 {
	last := reserved + cost - 1
	if last >= r.room {
		return Blocked
	}
	if r.stamps == nil {
		return 0
	}
	// A call may go when the one that left room calls before it is per ago.
	stamp := r.stamps[(r.oldest+r.keep-r.room+last)%r.keep]
	if stamp == 0 {
		return 0
	}
	return max(0, stamp+r.per-t.Mono)
}

func (r *ring) expect(t Instant, n int) int64 {
	return r.wait(t, (n-1)%r.room, 1) + int64((n-1)/r.room)*r.per
}

func (r *ring) depart(t Instant, cost int) {
	if r.stamps == nil {
		r.stamps = make([]int64, r.keep)
	}
	for range cost {
		r.stamps[r.oldest] = t.Mono
		r.oldest = (r.oldest + 1) % r.keep
	}
}

func (r *ring) used(t Instant) int { return r.since(t.Mono - r.per) }

// since counts the departures after an instant.
func (r *ring) since(t int64) (n int) {
	r.each(t, func(int64) { n++ })
	return n
}

// each calls f with the stamps after an instant, oldest first.
func (r *ring) each(after int64, f func(at int64)) {
	for i := range r.stamps {
		if at := r.stamps[(r.oldest+i)%r.keep]; at != 0 && at > after {
			f(at)
		}
	}
}
