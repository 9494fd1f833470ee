package tokenpool

import (
	"cmp"
	"fmt"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// A laneKey says which calls can be served by the same credentials under the same windows.
type laneKey struct {
	group, auth         string
	account, credential string // "" means any
	scope               resilience.Scope
	cost                int
	within              bool // calls that other calls wait for
}

// A lane holds the credentials that can serve one kind of call, and the calls that wait for them.
type lane struct {
	laneKey
	counted bool                // belongs to a quota group: windows, in-flight cap and cooldowns hold
	account *owner              // of all members; nil if they have several
	each    []resilience.Window // what one recipient may get
	members []*member
	ready   list[*member] // in the order of their turns
	cooled  heap[*member] // wait for a time
	cooling int           // members that are out of use, in cooled or not
	held    int           // members that are neither ready nor cooling and wait for an event, such as a call in flight to end
	gauges  []*gauge      // windows that all members share
	cools   []*cooldown   // cooldowns that all members share

	queues  [resilience.Tiers]list[*waiter] // by rank
	waiting int
	wakeAt  int64 // when to look again while calls wait
	wakes   int   // place in the pool's heap of lanes that wait for a time
	due     int   // place in the pool's heap of lanes to be served now
}

// capped reports whether the lane's calls take places in flight.
func (l *lane) capped() bool { return l.counted && !l.within }

// rank is a tier's place in the queue.
func rank(t resilience.Tier) int {
	switch t {
	case resilience.Bulk:
		return 1
	case resilience.Sync:
		return 2
	default:
		return 0
	}
}

// head is the next call to be served; nil if none waits.
func (l *lane) head() *waiter {
	for i := range l.queues {
		if n := l.queues[i].first; n != nil {
			return n.value
		}
	}
	return nil
}

// ahead counts the calls that would be served before a new one of the tier.
func (l *lane) ahead(t resilience.Tier) int {
	n := 0
	for i := range rank(t) + 1 {
		n += l.queues[i].n
	}
	return n
}

// shared returns how long the windows and cooldowns that all members share hold the lane up.
func (l *lane) shared(t quota.Instant) (w int64, cooling bool) {
	for _, c := range l.cools {
		if cw, cooling := c.wait(t.Mono, l.within); cooling {
			return cw, true
		} else if cw > w {
			w = cw
		}
	}
	for _, g := range l.gauges {
		w = max(w, g.Wait(t, l.cost))
	}
	return w, false
}

// pick returns the member whose turn it is, or nil.
func (l *lane) pick(p *Pool, t quota.Instant) *member {
	if w, _ := l.shared(t); w > 0 {
		return nil
	}
	for len(l.cooled) > 0 && l.cooled[0].wakeAt <= t.Mono {
		l.cooled[0].settle(p, t)
	}
	for n := l.ready.first; n != nil; n = l.ready.first {
		m := n.value
		if w, _, _ := m.wait(p, t); w == 0 {
			return m
		}
		m.settle(p, t) // a call of another lane has used it up meanwhile
	}
	return nil
}

// next returns the time to look again, 0 if only an event can help.
func (l *lane) next(t quota.Instant) int64 {
	at := int64(0)
	if len(l.cooled) > 0 {
		at = l.cooled[0].wakeAt
	}
	if l.ready.n > 0 {
		at = t.Mono
	}
	if w, _ := l.shared(t); w == quota.Blocked {
		return 0
	} else if w > 0 {
		at = max(at, t.Mono+w)
	}
	return at
}

// idle reports that no member can be had by waiting for a turn, and when the first is back (0: nobody knows).
func (l *lane) idle(t quota.Instant) (back int64, idle bool) {
	if w, cooling := l.shared(t); cooling {
		return t.Mono + w, true
	}
	if l.cooling < len(l.members) {
		return 0, false
	}
	if len(l.cooled) > 0 {
		return l.cooled[0].wakeAt, true
	}
	return 0, true
}

// expect estimates the wait of a call with ahead calls before it. It is never more than the wait will be if all goes well.
func (l *lane) expect(t quota.Instant, ahead int) int64 {
	w := int64(0)
	for _, g := range l.gauges {
		w = max(w, g.Expect(t, ahead, l.cost))
	}
	if l.ready.n > 0 || l.held > 0 {
		return w // nobody knows how soon, and it is not for those that wait for a time to say
	}
	able := max(1, len(l.members)-l.cooling)
	var own int64
	if len(l.cooled) > 0 {
		first := l.cooled[0]
		own = max(0, first.wakeAt-t.Mono)
		if !first.cooling {
			for _, g := range first.gauges {
				own = max(own, g.Expect(t, ahead/able, l.cost))
			}
		}
	}
	return max(w, own)
}

// fullest names the window that a call would wait for longest, for people.
func (l *lane) fullest(t quota.Instant) string {
	var worst *gauge
	most := int64(0)
	look := func(gauges []*gauge) {
		for _, g := range gauges {
			if w := g.Wait(t, l.cost); w > most {
				worst, most = g, w
			}
		}
	}
	look(l.gauges)
	if len(l.members) == 1 {
		look(l.members[0].gauges)
	}
	if worst == nil {
		return ""
	}
	return fmt.Sprintf(": window %q is full", worst.Window().Name)
}

// tooDear returns the window that keeps each of the lane's members from ever making its calls; nil if there is none.
func (l *lane) tooDear() (first *gauge) {
	for _, g := range l.gauges {
		if !g.Fits(l.cost) {
			return g
		}
	}
	for _, m := range l.members {
		g := m.tooDear()
		if g == nil {
			return nil
		}
		first = cmp.Or(first, g)
	}
	return first
}

// byWake orders lanes by the time to look at them again.
type byWake struct{ *lane }

func (l byWake) less(other byWake) bool { return l.wakeAt < other.wakeAt }
func (l byWake) place() *int            { return &l.wakes }

// byHead orders lanes by whose first call has the better claim: tier, then age.
type byHead struct{ *lane }

func (l byHead) less(other byHead) bool {
	a, b := l.head(), other.head()
	if a == nil || b == nil {
		return b == nil && a != nil
	}
	if ra, rb := rank(a.req.Tier), rank(b.req.Tier); ra != rb {
		return ra < rb
	}
	return a.number < b.number
}
func (l byHead) place() *int { return &l.due }
