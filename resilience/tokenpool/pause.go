package tokenpool

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// A Target says what is paused. Each empty field means all.
type Target struct {
	Scopes     []resilience.Scope `json:"scopes,omitempty"`
	Account    string             `json:"account,omitempty"`
	Credential string             `json:"credential,omitempty"`
}

// scope reports whether the target holds calls of the scope. A call within another is held by what holds both scopes: which of them the
// other belongs to is not known here, and it has met its own pause.
func (t Target) scope(s resilience.Scope, within bool) bool {
	if within {
		return t.scope(resilience.Read, false) && t.scope(resilience.Write, false)
	}
	return len(t.Scopes) == 0 || slices.Contains(t.Scopes, s)
}

// A Pause is one that is in force.
type Pause struct {
	Target Target    `json:"target"`
	Reason string    `json:"reason,omitempty"`
	By     string    `json:"by,omitempty"`
	Until  time.Time `json:"until,omitzero"` // zero: until somebody resumes
}

type pause struct {
	Pause
	until int64 // on the pool's clock; quota.Blocked: until somebody resumes
}

func (ps *pause) text() string {
	return fmt.Sprintf("%s (by %s)", cmp.Or(ps.Reason, "no reason given"), cmp.Or(ps.By, "somebody"))
}

func (ps *pause) refusal(req Request) error {
	e := refused(req, resilience.ErrPaused, ps.text())
	e.RetryAt = ps.Until
	return e
}

// covers reports whether the pause stops every call of the request, whoever makes it.
func (ps *pause) covers(req Request) bool {
	t := ps.Target
	return t.scope(req.Op.Scope, req.Within) && (t.Account == "" || t.Account == req.Account) &&
		(t.Credential == "" || t.Credential == req.Credential)
}

// stops reports whether the pause keeps the member from making calls.
func (ps *pause) stops(m *member) bool {
	t := ps.Target
	return t.scope(m.lane.scope, m.lane.within) && (t.Account == "" || t.Account == m.cred.Account) &&
		(t.Credential == "" || t.Credential == m.cred.ID)
}

// Pause stops calls until the time, or until Resume if it is zero. Waiting calls that it covers are refused at once; attempts that
// are still dialing are cancelled, unsent; no attempt begins after Pause returns. Those that departed go on.
func (p *Pool) Pause(target Target, reason, by string, until time.Time) {
	p.mu.Lock()
	defer p.unlock()
	t := p.now()
	ps := &pause{Pause: Pause{Target: target, Reason: reason, By: by, Until: until}, until: quota.Blocked}
	if !until.IsZero() {
		d := int64(until.Sub(time.Unix(0, t.Wall)))
		if d <= 0 {
			return
		}
		ps.until = t.Mono + d
	}
	p.forget(target)
	p.pauses = append(p.pauses, ps)
	p.repause(t)
	p.abort(func(g *grant) bool { return ps.stops(g.member) && target.scope(g.req.Op.Scope, g.req.Within) },
		resilience.RefusedError{Reason: resilience.ErrPaused, Detail: ps.text(), RetryAt: until})
}

// Resume ends the pause of exactly this target, and reports whether there was one.
func (p *Pool) Resume(target Target) bool {
	p.mu.Lock()
	defer p.unlock()
	if !p.forget(target) {
		return false
	}
	p.repause(p.now())
	return true
}

// forget forgets the pause of the target.
func (p *Pool) forget(target Target) bool {
	n := len(p.pauses)
	p.pauses = slices.DeleteFunc(p.pauses, func(ps *pause) bool {
		return ps.Target.Account == target.Account && ps.Target.Credential == target.Credential &&
			slices.Equal(ps.Target.Scopes, target.Scopes)
	})
	return len(p.pauses) < n
}

// repause looks at everybody again after the pauses have changed.
func (p *Pool) repause(t quota.Instant) {
	for _, l := range p.lanes {
		for _, m := range l.members {
			m.settle(p, t)
		}
		p.wake(l)
	}
	p.serve(t)
}

// paused returns the pause that covers a request now.
func (p *Pool) paused(now int64, req Request) *pause {
	for _, ps := range p.pauses {
		if ps.until > now && ps.covers(req) {
			return ps
		}
	}
	return nil
}

// pauseWait returns how long pauses keep the member out.
func (p *Pool) pauseWait(now int64, m *member) (w int64) {
	for _, ps := range p.pauses {
		if ps.until > now && ps.stops(m) {
			if ps.until == quota.Blocked {
				return quota.Blocked
			}
			w = max(w, ps.until-now)
		}
	}
	return w
}

// pauseOf returns a pause that stops every member of the lane.
func (p *Pool) pauseOf(now int64, l *lane) *pause {
	for _, ps := range p.pauses {
		if ps.until > now && !slices.ContainsFunc(l.members, func(m *member) bool { return !ps.stops(m) }) {
			return ps
		}
	}
	return nil
}

// Check returns the refusal that a new call would meet now, if the pool is closed or the call paused: for calls that wait elsewhere.
func (p *Pool) Check(req Request) error {
	p.mu.Lock()
	defer p.unlock()
	t := p.now()
	l, err := p.admit(t, req)
	if err != nil {
		return err
	}
	if ps := p.pauseOf(t.Mono, l); ps != nil {
		return ps.refusal(req)
	}
	return nil
}

// Flush refuses the waiting calls of a scope: the service itself is down.
func (p *Pool) Flush(scope resilience.Scope, refusal func(op *resilience.Operation) error) {
	p.mu.Lock()
	defer p.unlock()
	for _, l := range p.lanes {
		if l.scope != scope {
			continue
		}
		for w := l.head(); w != nil; w = l.head() {
			p.finish(w, Permit{}, refusal(w.req.Op))
		}
	}
}
