package resiliencetest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"
)

// A Call is what a fake saw of one call and did with it.
type Call struct {
	Time       time.Time // of its arrival, after its body was read
	Op         string    // as the fake names it; "METHOD /path" if it does not know the call
	Method     string
	Path       string
	Query      string // as it came, still encoded
	Credential string // the beginning of what authorized it
	App        string // whose quota it takes, as the fake knows the caller; empty if it does not

	// Params holds the values of query and form together. Tokens and signatures that travel as parameters are here in full.
	Params        url.Values
	Header        http.Header // without Authorization and Cookie
	ContentType   string
	ContentLength int64  // as announced; -1 if it was not
	Body          []byte // as it came
	Acted         bool   // whether it was carried out
	Faulted       bool   // whether a fault hit it
	Status        int    // answered; 0 as long as there is no answer, or if it was cut
	Code          string // the platform's error code, if it was refused
}

// String says what was called and what came of it, without tokens and bodies.
func (c Call) String() string {
	outcome := fmt.Sprint(c.Status)
	switch {
	case c.Code != "":
		outcome += " code " + c.Code
	case c.Status == 0:
		outcome = "no answer"
	}
	return fmt.Sprintf("%s %s %s by %s: %s", c.Time.Format("15:04:05.000"), c.Method, c.Op, c.Credential, outcome)
}

// A Log holds the calls that arrived, in their order. The zero Log is empty. It is safe for concurrent use.
type Log struct {
	mu    sync.Mutex
	calls []*Call
}

// begin notes an arrival.
func (l *Log) begin(c *Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	c.Time = time.Now() // under the lock, so that the order of entries is that of instants
	l.calls = append(l.calls, c)
}

// change changes an entry that readers may copy at the same time.
func (l *Log) change(change func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	change()
}

// Calls returns copies of the calls of an operation, as they arrived; op "" means all.
func (l *Log) Calls(op string) []Call {
	l.mu.Lock()
	defer l.mu.Unlock()
	var calls []Call
	for _, c := range l.calls {
		if op == "" || c.Op == op {
			calls = append(calls, *c)
		}
	}
	return calls
}

// Count returns how many calls of an operation arrived; op "" means all.
func (l *Log) Count(op string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	if op == "" {
		return len(l.calls)
	}
	n := 0
	for _, c := range l.calls {
		if c.Op == op {
			n++
		}
	}
	return n
}

// Reset forgets the calls so far.
func (l *Log) Reset() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.calls = nil
}

// Times returns when the calls arrived, for the oracle.
func Times(calls []Call) []time.Time {
	times := make([]time.Time, len(calls))
	for i, c := range calls {
		times[i] = c.Time
	}
	return times
}

// Acted returns the calls that were carried out.
func Acted(calls []Call) []Call {
	return slices.DeleteFunc(slices.Clone(calls), func(c Call) bool { return !c.Acted })
}
