package quota

// maxRing is the largest window that keeps every stamp; 8 bytes each.
const maxRing = 1024

// A ring admits at most room departures in any span of length per.
type ring struct {
	per    int64
	room   int
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
	// The next departures take the places of the oldest stamps, one for each reservation before this one.
	stamp := r.stamps[(r.oldest+last)%r.room]
	if stamp == 0 {
		return 0
	}
	return max(0, stamp+r.per-t.Mono)
}

func (r *ring) depart(t Instant, cost int) {
	if r.stamps == nil {
		r.stamps = make([]int64, r.room)
	}
	for range cost {
		r.stamps[r.oldest] = t.Mono
		r.oldest = (r.oldest + 1) % r.room
	}
}

func (r *ring) used(t Instant) int {
	n := 0
	for _, stamp := range r.stamps {
		if stamp != 0 && stamp+r.per > t.Mono {
			n++
		}
	}
	return n
}

// each calls f with the stamps, oldest first.
func (r *ring) each(f func(at int64)) {
	for i := range r.stamps {
		if at := r.stamps[(r.oldest+i)%r.room]; at != 0 {
			f(at)
		}
	}
}
