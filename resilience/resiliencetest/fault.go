package resiliencetest

import (
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
)

// A Fault is what a fake does wrong with a call. Its parts combine: a Delay holds before everything else, Header and ContentType
// change whatever is answered. Status, Body and Code replace the fake's own answer, so that it does not act, except with Acted.
//
// The zero Fault hits one call and changes nothing.
type Fault struct {
	Delay       time.Duration // before the fake acts and answers; it acts even if the caller has left by then
	CutBefore   bool          // the connection is closed, nothing is done
	CutAfter    bool          // the call is carried out, the connection closed without an answer
	Hang        bool          // nothing is done and nothing answered until the caller leaves
	HalfBody    bool          // the call is carried out; half of the answer comes, then the connection is closed
	Acted       bool          // the call is carried out before Status, Body or Code replaces its answer
	Status      int           // HTTP status; 0 means the usual one
	Header      http.Header   // for instance Retry-After
	ContentType string        // empty means that of an Answer
	Body        string        // the answer's body, as it is
	Code        string        // the platform's error code; the fake puts it in the platform's own form
	Text        string        // the platform's text for Code
	Times       int           // how many calls it hits; 0 means 1, or with a Rate no end

	// Rate is the share of calls that it hits until it is cleared, drawn from a seeded random source: 0.1 is one in ten, 1 is each
	// call. 0 means the next calls, as many as Times says.
	Rate float64
}

// replaces reports whether the fault answers in the platform's place.
func (f *Fault) replaces() bool { return f.Status != 0 || f.Body != "" || f.Code != "" }

// acts reports whether the fake carries the call out.
func (f *Fault) acts() bool { return !f.CutBefore && !f.Hang && (f.Acted || !f.replaces()) }

// change applies what a fault changes about any answer.
func (f *Fault) change(answer *Answer) {
	if f.Status != 0 {
		answer.Status = f.Status
	}
	if answer.Status == 0 {
		answer.Status = http.StatusOK
	}
	if f.ContentType != "" {
		answer.ContentType = f.ContentType
	}
	if len(f.Header) > 0 {
		header := answer.Header.Clone()
		if header == nil {
			header = http.Header{}
		}
		maps.Copy(header, f.Header)
		answer.Header = header
	}
}

// Faults is a script of faults: a queue for each operation, and those that hit a share of the calls. The zero Faults has none. It is
// safe for concurrent use.
type Faults struct {
	mu     sync.Mutex
	queues map[string][]Fault // by operation; "" holds for all
	shares map[string][]Fault
	random *rand.Rand
}

// Add puts faults at the end of the operation's queue; op "" means every operation. Queued faults come before those with a Rate, an
// operation's own before those of all, and one call meets one fault at most.
func (f *Faults) Add(op string, faults ...Fault) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.queues == nil {
		f.queues, f.shares = map[string][]Fault{}, map[string][]Fault{}
	}
	for _, fault := range faults {
		if fault.Rate > 0 {
			f.shares[op] = append(f.shares[op], fault)
			continue
		}
		fault.Times = max(1, fault.Times)
		f.queues[op] = append(f.queues[op], fault)
	}
}

// Clear drops the operation's faults; op "" means those of every operation, single ones' included.
func (f *Faults) Clear(op string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if op == "" {
		clear(f.queues)
		clear(f.shares)
		return
	}
	delete(f.queues, op)
	delete(f.shares, op)
}

// Seed starts the random source anew. Without it the seed is 1, so that runs are alike.
func (f *Faults) Seed(seed uint64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.random = newRandom(seed)
}

func newRandom(seed uint64) *rand.Rand {
	return rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // repeatable on purpose, and it guards nothing
}

// Next takes the fault of the operation's next call and reports whether there is one.
func (f *Faults) Next(op string) (Fault, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, key := range []string{op, ""} {
		if fault, ok := f.dequeue(key); ok {
			return fault, true
		}
	}
	for _, key := range []string{op, ""} {
		if fault, ok := f.draw(key); ok {
			return fault, true
		}
	}
	return Fault{}, false
}

func (f *Faults) dequeue(op string) (Fault, bool) {
	queue := f.queues[op]
	if len(queue) == 0 {
		return Fault{}, false
	}
	fault := queue[0]
	queue[0].Times--
	if queue[0].Times == 0 {
		f.queues[op] = queue[1:]
	}
	return fault, true
}

func (f *Faults) draw(op string) (Fault, bool) {
	for i := range f.shares[op] {
		fault := &f.shares[op][i]
		if f.random == nil {
			f.random = newRandom(1)
		}
		if f.random.Float64() >= fault.Rate {
			continue
		}
		hit := *fault
		switch fault.Times {
		case 0: // no end
		case 1:
			f.shares[op] = slices.Delete(f.shares[op], i, i+1)
		default:
			fault.Times--
		}
		return hit, true
	}
	return Fault{}, false
}
