package quota

import (
	"math"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// Blocked is the wait for something other than time: a reservation of the same window has to end first.
const Blocked = int64(math.MaxInt64)

// An Instant is one clock reading. Mono is nanoseconds of a monotonic clock that starts at 1 or later; Wall is nanoseconds since
// 1970 in UTC and matters for aligned windows only. Whoever holds a Limit hands in instants whose Mono never goes back.
type Instant struct{ Mono, Wall int64 }

// A Limit admits calls to one window for one key. Not safe for concurrent use: its owner holds a lock.
type Limit struct {
	window   resilience.Window
	counter  counter
	pace     *pace // nil: not paced
	reserved int   // granted, not departed yet
}

// A counter is what a window remembers of departures. reserved is what is granted but has not departed.
type counter interface {
	// wait returns how long after t a call of the cost may be granted: 0 at once, Blocked when a reservation ends.
	wait(t Instant, reserved, cost int) int64
	// expect returns how long after t the last of n that follow each other may go, if all leave as soon as they may.
	expect(t Instant, n int) int64
	depart(t Instant, cost int)
	used(t Instant) int
}

// New returns the state of a window that nothing has left through yet. The window must be valid.
func New(w resilience.Window) *Limit { return newLimit(w, 0) }

func newLimit(w resilience.Window, carried int) *Limit {
	l := &Limit{window: w, counter: newCounter(w, carried)}
	if w.Smooth || w.Per <= time.Second {
		l.pace = newPace(w.Room(), w.Per)
	}
	return l
}

// newCounter returns a counter that can also hold carried departures, which may be more than a lowered limit admits.
func newCounter(w resilience.Window, carried int) counter {
	switch n := w.Room(); {
	case w.Aligned:
		return &slot{room: n, per: int64(w.Per), offset: int64(w.Offset)}
	case max(n, carried) <= maxRing:
		return &ring{per: int64(w.Per), room: n, keep: max(n, carried)}
	default:
		return newGrid(n, int64(w.Per))
	}
}

// Window returns the window that l keeps.
func (l *Limit) Window() resilience.Window { return l.window }

// Fits reports whether a call of the cost can ever be admitted.
func (l *Limit) Fits(cost int) bool { return cost <= l.window.Room() }

// Wait returns how many nanoseconds after t a call of the cost may be granted: 0 means now, Blocked means when a reservation ends.
func (l *Limit) Wait(t Instant, cost int) int64 {
	w := l.counter.wait(t, l.reserved, cost)
	if l.pace != nil && w != Blocked {
		w = max(w, l.pace.wait(t, l.reserved, cost))
	}
	return w
}

// Expect returns how long after t a call with ahead calls before it may be granted, if all of them leave as soon as they may.
func (l *Limit) Expect(t Instant, ahead, cost int) int64 {
	total := l.reserved + ahead + cost
	w := l.counter.expect(t, total)
	if l.pace != nil {
		w = max(w, l.pace.expect(t, total))
	}
	return w
}

// Reserve grants a call; Wait returned 0 for the same instant and cost.
func (l *Limit) Reserve(cost int) { l.reserved += cost }

// GiveBack ends a reservation whose call never departed.
func (l *Limit) GiveBack(cost int) { l.reserved -= cost }

// Depart turns a reservation into a stamp: the call left at t.
func (l *Limit) Depart(t Instant, cost int) {
	l.reserved -= cost
	l.counter.depart(t, cost)
	if l.pace != nil {
		l.pace.depart(t, cost)
	}
}

// Idle reports whether l holds nothing that a new Limit would not.
func (l *Limit) Idle(t Instant) bool { return l.reserved == 0 && l.counter.used(t) == 0 }

// Clear forgets what has departed: the platform has given the budget back. Reservations stay.
func (l *Limit) Clear() { l.counter = newCounter(l.window, 0) }

// Change gives the window new numbers and keeps what was spent: a lower limit holds at once, a higher one frees at once.
func (l *Limit) Change(t Instant, w resilience.Window) {
	// All that was spent goes over, more than the new limit too: the old one may come back while it is in the window.
	var fresh *Limit
	if stamps, ok := l.counter.(*ring); ok && !w.Aligned {
		since := t.Mono - int64(w.Per)
		fresh = newLimit(w, stamps.since(since)+l.reserved) // what is on its way will want to be remembered too
		stamps.each(since, func(at int64) {
			fresh.counter.depart(Instant{Mono: at, Wall: t.Wall - (t.Mono - at)}, 1)
		})
	} else {
		n := l.counter.used(t)
		fresh = newLimit(w, n+l.reserved)
		// The parts of a large or aligned window have no exact times: count them as spent now, the careful side.
		fresh.counter.depart(t, n)
	}
	fresh.reserved = l.reserved
	*l = *fresh
}
