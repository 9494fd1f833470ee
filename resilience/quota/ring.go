package quota

// maxRing is the largest window that keeps every stamp; 8 bytes each.
const maxRing = 1024

// A ring admits at most room departures in any span of length per.
type ring struct {
	per    int64
	room   int
	keep   int     // stamps to keep, at least room
	stamps []int64 // the last departures, up to keep
	oldest int     // index into stamps; 0 until there are keep of them
}

func (r *ring) wait(t Instant, reserved, cost int) int64 {
	last := reserved + cost - 1
	if last >= r.room {
		return Blocked
	}
	// A call may go when the one that left room calls before it is per ago.
	i := len(r.stamps) - r.room + last
	if i < 0 {
		return 0
	}
	return max(0, r.stamps[(r.oldest+i)%len(r.stamps)]+r.per-t.Mono)
}

func (r *ring) expect(t Instant, n int) int64 {
	return r.wait(t, (n-1)%r.room, 1) + int64((n-1)/r.room)*r.per
}

func (r *ring) depart(t Instant, cost int) {
	for range cost {
		if len(r.stamps) < r.keep {
			r.stamps = append(r.stamps, t.Mono) // most keys of a large window never fill it
			continue
		}
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
		if at := r.stamps[(r.oldest+i)%len(r.stamps)]; at > after {
			f(at)
		}
	}
}
