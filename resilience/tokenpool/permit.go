package tokenpool

import (
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// A Permit lets one call go with one credential. It is released once: what comes later (a forced release and then the answer, a
// trace that fires after the call was given up) does nothing.
type Permit struct {
	grant      *grant
	turn       uint64
	credential *resilience.Credential
}

// A grant is what a permit holds. Grants are used again; turn tells their uses apart.
type grant struct {
	pool       *Pool
	turn       uint64
	member     *member
	lane       *lane
	req        Request
	credential *resilience.Credential
	gauges     []*gauge    // reserved in these, whatever the lanes look like when it ends
	probes     []*cooldown // whose probation lets one call through at a time: this one
	departed   int64       // 0: not yet
	flying     node[*grant]
	abort      func(*resilience.RefusedError)
}

// An Outcome tells the pool how a call ended.
type Outcome struct {
	Class resilience.Class
	Rule  resilience.Rule
	Code  string
	Hint  time.Duration // the platform's own word on when to come back; 0: none
	// Renews says that a CredentialInvalid renews its token by itself: it cools down and is tried again, nobody has to bring it back.
	Renews bool
}

// grant reserves all that the call needs, or says which recipient has had enough.
func (p *Pool) grant(l *lane, m *member, t quota.Instant, req Request) (Permit, error) {
	each, err := p.recipients(l, m.cred.account, t, req)
	if err != nil {
		return Permit{}, err
	}
	g := p.newGrant()
	g.member, g.lane, g.req, g.credential, g.departed = m, l, req, m.cred.Credential, 0
	g.gauges = append(append(append(g.gauges, l.gauges...), m.gauges...), each...)
	for _, gauge := range g.gauges {
		gauge.Reserve(l.cost)
	}
	if l.capped() {
		m.cred.inFlight++
		for _, list := range [2][]*cooldown{l.cools, m.cools} {
			for _, c := range list {
				if c.probation {
					c.probing++
					g.probes = append(g.probes, c)
				}
			}
		}
	}
	p.flying.push(&g.flying)
	if !m.settle(p, t) {
		// It just became busy: tell its places in other lanes now, so that nobody walks over many such places later.
		for _, other := range m.cred.members {
			if other != m && other.ring.in != nil {
				other.settle(p, t)
			}
		}
	}
	return Permit{g, g.turn, g.credential}, nil
}

func (p *Pool) newGrant() *grant {
	if n := len(p.free); n > 0 {
		g := p.free[n-1]
		p.free = p.free[:n-1]
		return g
	}
	g := &grant{pool: p}
	g.flying.value = g
	return g
}

// live locks the pool and returns the grant if this permit still holds it.
func (pm Permit) live() *grant {
	if pm.grant == nil {
		return nil
	}
	pm.grant.pool.mu.Lock()
	if pm.grant.turn != pm.turn {
		pm.grant.pool.mu.Unlock()
		return nil
	}
	return pm.grant
}

// Credential returns who makes the call, as it was when the permit was granted.
func (pm Permit) Credential() *resilience.Credential { return pm.credential }

// Begin says that the attempt is about to be sent: from now until it departs, a pause or Close calls abort, which must end it. If
// that has already happened, Begin returns the refusal and the call must not be sent.
func (pm Permit) Begin(abort func(*resilience.RefusedError)) error {
	g := pm.live()
	if g == nil {
		return &resilience.RefusedError{Reason: resilience.ErrClosed, Detail: "the permit was released"}
	}
	p := g.pool
	defer p.unlock()
	if p.closed {
		return refused(g.req, resilience.ErrClosed, "the client was closed")
	}
	now := p.now().Mono
	for _, ps := range p.pauses {
		if ps.until > now && ps.stops(g.member) {
			return ps.refusal(g.req)
		}
	}
	g.abort = abort
	return nil
}

// Depart stamps the windows: the request's headers have been written. Only the first call counts.
func (pm Permit) Depart() {
	g := pm.live()
	if g == nil {
		return
	}
	p := g.pool
	defer p.unlock()
	if g.departed != 0 {
		return
	}
	t := p.now()
	g.departed = t.Mono
	g.flying.leave()
	g.abort = nil
	for _, gauge := range g.gauges {
		gauge.Depart(t, g.lane.cost)
		p.gaugeChanged(gauge, t)
	}
	p.serve(t)
}

// gaugeChanged looks again at those who wait for a window: its reservation became a stamp, or went back.
func (p *Pool) gaugeChanged(g *gauge, t quota.Instant) {
	p.heard(&g.stuck, t)
	for _, l := range g.lanes {
		p.wake(l)
	}
}

// GiveBack returns all that the permit reserved: the call never departed. After Depart it only frees the place in flight.
func (pm Permit) GiveBack() { pm.Release(Outcome{Class: resilience.Transient}) }

// Release ends the permit. If the call departed, the outcome decides on cooldowns; if not, all that was reserved goes back. It
// returns when the same call could be served again: zero if that is now or after a wait in the lane, see also [IsNever].
func (pm Permit) Release(o Outcome) (ready time.Time) {
	g := pm.live()
	if g == nil {
		return time.Time{}
	}
	p := g.pool
	defer p.unlock()
	t := p.now()
	m, l := g.member, g.lane
	if l.capped() {
		m.cred.inFlight--
	}
	for _, c := range g.probes {
		c.probing--
	}
	if g.departed == 0 {
		for _, gauge := range g.gauges {
			gauge.GiveBack(l.cost)
		}
	} else {
		ready = p.judge(g, &o, t)
	}
	p.releaseEvents(g, t)
	switch back, idle := l.idle(t); {
	case len(l.members) == 0:
		// All its credentials were removed meanwhile: the next attempt finds another lane, or says that there is none.
	case idle && back > 0:
		ready = p.retryTime(back)
	case idle:
		ready = never()
	}
	p.recycle(g)
	p.serve(t)
	return ready
}

// never is when a credential is back of which nobody knows when it is.
func never() time.Time { return time.Date(9999, 1, 1, 0, 0, 0, 0, time.UTC) }

// IsNever reports whether Release has said that nobody knows when the call can be served again.
func IsNever(ready time.Time) bool { return ready.Equal(never()) }

// releaseEvents tells those who waited for what the grant held.
func (p *Pool) releaseEvents(g *grant, t quota.Instant) {
	p.heard(&g.member.cred.stuck, t)
	for _, c := range g.probes {
		p.heard(&c.stuck, t)
		p.wakeOwner(c)
	}
	if g.departed == 0 {
		for _, gauge := range g.gauges {
			p.gaugeChanged(gauge, t)
		}
	}
}

// wakeOwner wakes the lanes that share a cooldown.
func (p *Pool) wakeOwner(c *cooldown) {
	for _, l := range p.lanes {
		for _, shared := range l.cools {
			if shared == c {
				p.wake(l)
			}
		}
	}
}

func (p *Pool) recycle(g *grant) {
	g.flying.leave()
	g.turn++
	clear(g.gauges) // they may be a recipient's, which is forgotten some day
	g.gauges, g.probes = g.gauges[:0], g.probes[:0]
	g.abort, g.lane, g.req, g.credential = nil, nil, Request{}, nil
	p.free = append(p.free, g)
}

// abort ends the attempts that have not departed. The calls to them are made when the lock is free again.
func (p *Pool) abort(matches func(*grant) bool, refusal resilience.RefusedError) {
	for n := p.flying.first; n != nil; n = n.next {
		g := n.value
		if g.abort == nil || !matches(g) {
			continue
		}
		e, abort := refusal, g.abort
		e.Op, g.abort = g.req.Op, nil
		p.aborts = append(p.aborts, func() { abort(&e) })
	}
}
