package breaker_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience/breaker"
)

// A call of a random history: when it starts, how long its attempt takes and how it ends. All starts and ends are different instants.
type call struct {
	start, takes time.Duration
	verdict      breaker.Verdict
	panics       bool
}

// What became of a call.
type outcome struct{ ran, probe bool }

// A model is the circuit as its documentation tells it, written as a list of events in the order of time.
type model struct {
	failures   int
	open, cut  time.Duration
	state      string
	row        int           // failures in a row
	opens      time.Duration // an open circuit's end
	period     int           // grows with each change: results of an older one do not count
	probing    bool
	changes    []string
	calls      []call
	outcomes   []outcome
	periods    []int
	ends       []time.Duration
	endVerdict []string
}

func (m *model) change(state string, now time.Duration) {
	m.state, m.row, m.probing = state, 0, false
	m.period++
	if state == "open" {
		m.opens = now + m.open
		m.changes = append(m.changes, fmt.Sprintf("open until %v", m.opens+1))
		return
	}
	m.changes = append(m.changes, state)
}

func (m *model) arrive(i int, now time.Duration) {
	if m.state == "open" && now > m.opens {
		m.change("half-open", now)
	}
	if m.state == "open" || (m.state == "half-open" && m.probing) {
		return
	}
	c := m.calls[i]
	m.outcomes[i].ran = true
	m.periods[i] = m.period
	m.ends[i] = now + c.takes
	m.endVerdict[i] = c.verdict.String()
	if c.panics {
		m.endVerdict[i] = "neutral"
	}
	if m.state != "half-open" {
		return
	}
	m.probing, m.outcomes[i].probe = true, true
	if m.endVerdict[i] == "answered" {
		m.endVerdict[i] = "success"
	}
	if c.takes > m.cut { // the attempts of this test stop at their context's end, without an answer
		m.ends[i], m.endVerdict[i] = now+m.cut, "failure"
	}
}

func (m *model) leave(i int, now time.Duration) {
	if m.state == "open" && now > m.opens { // gobreaker looks at the clock when results come in, too
		m.change("half-open", now)
	}
	if m.periods[i] != m.period {
		return
	}
	verdict := m.endVerdict[i]
	switch {
	case m.state == "half-open" && verdict == "success":
		m.change("closed", now)
	case m.state == "half-open" && verdict == "failure":
		m.change("open", now)
	case m.state == "half-open":
		m.probing = false
	case verdict == "success":
		m.row = 0
	case verdict == "failure":
		if m.row++; m.row == m.failures {
			m.change("open", now)
		}
	}
}

// run plays the history: always the earliest of the next arrival and the next end.
func (m *model) run() {
	n := len(m.calls)
	m.state = "closed"
	m.outcomes, m.periods = make([]outcome, n), make([]int, n)
	m.ends, m.endVerdict = make([]time.Duration, n), make([]string, n)
	arrived := make([]bool, n)
	for {
		next, arrival, at := -1, false, time.Duration(1<<62)
		for i, c := range m.calls {
			if !arrived[i] && c.start < at {
				next, arrival, at = i, true, c.start
			}
			if m.ends[i] > 0 && m.ends[i] < at {
				next, arrival, at = i, false, m.ends[i]
			}
		}
		switch {
		case next < 0:
			return
		case arrival:
			arrived[next] = true
			m.arrive(next, at)
		default:
			m.ends[next] = 0
			m.leave(next, at)
		}
	}
}

func randomCalls(rnd *rand.Rand, n int) []call {
	calls := make([]call, n)
	sick := rnd.Float64()
	for i := range calls {
		c := &calls[i]
		// Whole milliseconds, and a nanosecond number of its own: no two instants of a history are the same.
		c.start = time.Duration(rnd.IntN(60_000))*time.Millisecond + time.Duration(1000*i)
		c.takes = time.Duration(1+rnd.IntN(1+[]int{5, 500, 20_000}[rnd.IntN(3)]))*time.Millisecond + 100
		switch {
		case rnd.Float64() < sick:
			c.verdict = breaker.Failure
		case rnd.IntN(4) == 0:
			c.verdict = []breaker.Verdict{breaker.Neutral, breaker.Answered}[rnd.IntN(2)]
		default:
			c.verdict = breaker.Success
		}
		c.panics = rnd.IntN(25) == 0
	}
	return calls
}

func TestRandomHistoriesAgainstTheModel(t *testing.T) {
	probes, refused := 0, 0
	for seed := range uint64(150) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		m := model{
			failures: 1 + rnd.IntN(5), open: time.Duration(1+rnd.IntN(10)) * time.Second, cut: time.Duration(1+rnd.IntN(5)) * time.Second,
			calls: randomCalls(rnd, 120),
		}
		m.run()
		got, changes := play(t, breaker.Config{Failures: m.failures, Open: m.open, ProbeTimeout: m.cut}, m.calls)
		for i, want := range m.outcomes {
			if got[i] != want {
				t.Fatalf("seed %d, call %d %+v: got %+v, want %+v", seed, i, m.calls[i], got[i], want)
			}
			if want.probe {
				probes++
			}
			if !want.ran {
				refused++
			}
		}
		if !slices.Equal(changes, m.changes) {
			t.Fatalf("seed %d: changes: got %q, want %q", seed, changes, m.changes)
		}
	}
	if probes < 500 || refused < 2000 {
		t.Errorf("only %d probes and %d refusals: the histories test too little", probes, refused)
	}
}

// play makes the calls on a real circuit, while a dashboard looks at it all the time.
func play(t *testing.T, cfg breaker.Config, calls []call) (outcomes []outcome, changes []string) {
	t.Helper()
	outcomes = make([]outcome, len(calls))
	synctest.Test(t, func(t *testing.T) {
		var l log
		b := breaker.New(cfg, l.add)
		var wg sync.WaitGroup
		for i, c := range calls {
			wg.Go(func() {
				defer func() { _ = recover() }()
				time.Sleep(c.start)
				o := &outcomes[i]
				now := time.Now()
				_, refused := b.Refused(now)
				ran := b.Do(t.Context(), func(ctx context.Context, probe bool) breaker.Verdict {
					*o = outcome{ran: true, probe: probe}
					select {
					case <-ctx.Done():
						return breaker.Neutral
					case <-time.After(c.takes):
					}
					if c.panics {
						panic("attempt") //nolint:forbidigo // some attempts panic
					}
					return c.verdict
				})
				if ran == refused {
					t.Errorf("call %d: the gate said refused=%v, the circuit ran=%v", i, refused, ran)
				}
			})
		}
		dashboard := time.NewTicker(777 * time.Millisecond)
		ctx, stop := context.WithCancel(t.Context())
		go func() {
			defer dashboard.Stop()
			for {
				select {
				case <-ctx.Done():
					return
				case now := <-dashboard.C:
					b.State(now)
					b.Refused(now)
				}
			}
		}()
		wg.Wait()
		stop()
		changes = l.changes
	})
	return outcomes, changes
}
