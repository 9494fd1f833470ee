package tokenpool

import (
	"fmt"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// A gauge is a window's state and who waits for it.
type gauge struct {
	*quota.Limit
	stuck list[*member] // members whose wait it is
	lanes []*lane       // lanes whose members all share it
}

// An owner is what windows and cooldowns belong to: a credential, an account or a source address.
type owner struct {
	name   string
	cool   cooldown
	gauges map[gaugeKey]*gauge

	recipients map[string]*owner // of an account: what each has been sent
	sweepAt    int               // how many recipients there may be before the next sweep
}

// A gaugeKey names one count of an owner: a window's, or where groups count apart, a window's in a group.
type gaugeKey struct{ window, group string }

func (o *owner) gauge(w resilience.Window, group string) *gauge {
	key := gaugeKey{window: w.Name}
	if w.Apart {
		key.group = group
	}
	g := o.gauges[key]
	if g == nil {
		g = &gauge{Limit: quota.New(w)}
		if o.gauges == nil {
			o.gauges = map[gaugeKey]*gauge{}
		}
		o.gauges[key] = g
	}
	return g
}

// idle reports whether nothing is known of o that a new one would not have.
func (o *owner) idle(t quota.Instant) bool {
	for _, g := range o.gauges {
		if !g.Idle(t) {
			return false
		}
	}
	for _, to := range o.recipients {
		if !to.idle(t) {
			return false
		}
	}
	return o.cool.over(t.Mono)
}

// A cred is a credential and all that is known of it.
type cred struct {
	owner
	*resilience.Credential // never changed, only replaced: calls in flight hold it
	account, source, app   *owner
	scopes                 [2]cooldown
	groups                 map[string]*cooldown
	out                    *Outcome // what put it out of use until somebody changes it; nil: in use
	inFlight               int
	stuck                  list[*member] // members that wait for a place in flight
	members                []*member
}

// until is when the last of the cooldowns ends that keep c from all calls of the scope.
func (c *cred) until(s resilience.Scope) int64 {
	return max(c.owner.cool.until, c.account.cool.until, c.source.cool.until, c.scopes[s].until)
}

func (c *cred) group(name string) *cooldown {
	g := c.groups[name]
	if g == nil {
		g = &cooldown{}
		if c.groups == nil {
			c.groups = map[string]*cooldown{}
		}
		c.groups[name] = g
	}
	return g
}

// window returns w as it holds for c: overlays apply to the credential's own windows.
func (c *cred) window(w resilience.Window) (_ resilience.Window, holds bool) {
	for _, o := range c.Overlays {
		if o.Window != w.Name {
			continue
		}
		if o.Off {
			return w, false
		}
		if o.Limit > 0 {
			w.Limit = o.Limit
		}
	}
	return w, true
}

// A member is a credential's place in a lane. It is in exactly one state: ready, waiting for a time, or waiting for an event.
type member struct {
	cred    *cred
	lane    *lane
	gauges  []*gauge    // its own windows, without those that the lane's members all share
	cools   []*cooldown // likewise
	ring    node[*member]
	stuck   node[*member] // in the list of what it waits for
	wakeAt  int64
	slot    int // place in the lane's heap
	cooling bool
	held    bool // waits for an event although it is not cooling
}

func (m *member) less(other *member) bool { return m.wakeAt < other.wakeAt }
func (m *member) place() *int             { return &m.slot }

// wait returns how long after t the member may serve a call of its lane: 0 now, quota.Blocked until an event. cooling says that it
// is out of use and not merely waiting for its turn; event is the list to be in to hear of an end before that time.
func (m *member) wait(p *Pool, t quota.Instant) (w int64, cooling bool, event *list[*member]) {
	if m.cred.out != nil {
		return quota.Blocked, true, nil
	}
	if w := p.pauseWait(t.Mono, m); w > 0 {
		return w, true, nil
	}
	for _, c := range m.cools {
		if cw, cooling := c.wait(t.Mono, m.lane.within); cw > w {
			w, event = cw, &c.stuck
			if cooling {
				return w, true, event
			}
		}
	}
	if m.lane.capped() && m.cred.inFlight >= p.InFlight {
		return quota.Blocked, false, &m.cred.stuck
	}
	for _, g := range m.gauges {
		if gw := g.Wait(t, m.lane.cost); gw > w {
			w, event = gw, &g.stuck
		}
	}
	return w, false, event
}

// trouble says what keeps m out of use, "" and OK if nothing does.
func (m *member) trouble(now int64) (detail string, class resilience.Class) {
	if out := m.cred.out; out != nil {
		return fmt.Sprintf("out of use after %v (code %s): put the right credential in its place", out.Class, out.Code), out.Class
	}
	var worst *cooldown
	for _, list := range [2][]*cooldown{m.lane.cools, m.cools} {
		for _, c := range list {
			if c.until > now && (worst == nil || c.until > worst.until) {
				worst = c
			}
		}
	}
	switch {
	case worst == nil:
		return "", resilience.OK
	case worst.code == "":
		return fmt.Sprintf("cooling down: %v", worst.class), worst.class
	default:
		return fmt.Sprintf("cooling down: %v (code %s)", worst.class, worst.code), worst.class
	}
}

// leave takes m out of the state that it is in.
func (m *member) leave() {
	m.ring.leave()
	m.stuck.leave()
	m.lane.cooled.remove(m)
	if m.cooling {
		m.cooling = false
		m.lane.cooling--
	}
	if m.held {
		m.held = false
		m.lane.held--
	}
}

// settle puts m into the state that is right at t.
func (m *member) settle(p *Pool, t quota.Instant) (ready bool) {
	m.leave()
	w, cooling, event := m.wait(p, t)
	if event != nil && w > 0 {
		event.push(&m.stuck)
	}
	if cooling {
		m.cooling = true
		m.lane.cooling++
	}
	switch w {
	case 0:
		m.lane.ready.push(&m.ring)
		return true
	case quota.Blocked:
		if !cooling {
			m.held = true
			m.lane.held++
		}
	default:
		m.wakeAt = t.Mono + w
		m.lane.cooled.fix(m)
	}
	return false
}

// tooDear returns the window of m that can never hold a call of its lane; nil if there is none.
func (m *member) tooDear() *gauge {
	for _, g := range m.gauges {
		if !g.Fits(m.lane.cost) {
			return g
		}
	}
	return nil
}
