package tokenpool

import (
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// judge lets the outcome of a departed call act on its credential. It returns when to ask again where that is the call's own matter
// and nothing cools; zero else.
func (p *Pool) judge(g *grant, o *Outcome, t quota.Instant) (ready time.Time) {
	switch o.Class {
	case resilience.OK, resilience.AcceptedLate, resilience.Partial:
		p.succeeded(g, t)
		if g.req.Op.Resets != resilience.ResetLadder {
			p.reset(g.member.cred.account, g.req.Op.Resets, t)
		}
	case resilience.Throttled, resilience.QuotaExhausted, resilience.Penalized, resilience.SourceLimited:
		if o.Rule.Cools == resilience.CoolNone {
			return p.time(t.Mono + max(1, p.length(o, t, 0)(1)))
		}
		p.cool(g, o, t)
	case resilience.CredentialInvalid, resilience.Misconfigured:
		switch {
		case g.lane.auth == "":
			// nobody's credential
		case g.credential != g.member.cred.Credential:
			// it was replaced while the call was out
		case o.Renews || o.Class == resilience.Misconfigured:
			// Whoever mends it does so on the platform's side, and does not come here to say so.
			p.cool(g, o, t)
		default:
			p.putOut(g, o, t)
		}
	case resilience.TokenExpired, resilience.ClockSkew, resilience.Forbidden, resilience.Invalid, resilience.NotFound,
		resilience.Rejected, resilience.DuplicateContent, resilience.Transient, resilience.UnknownOutcome:
		// They say nothing about the credential's quota.
	}
	return time.Time{}
}

// putOut takes a credential out of use until somebody changes it.
func (p *Pool) putOut(g *grant, o *Outcome, t quota.Instant) {
	c := g.member.cred
	if c.out == nil {
		out := *o
		c.out = &out
		p.tell(resilience.Event{Kind: resilience.EventCooldown, Op: g.req.Op, Scope: g.req.Op.Scope, Account: c.Account, Credential: c.ID, Class: o.Class, Code: o.Code}, t)
		p.coolMembers(c, t)
	}
	p.alertIfIdle(g, t)
}

// cool begins a cooldown where the error table says.
func (p *Pool) cool(g *grant, o *Outcome, t quota.Instant) {
	c := g.member.cred
	cooldown := p.target(g, o)
	if !cooldown.fail(t.Mono, g.departed, o, p.length(o, t, cooldown.until)) {
		return
	}
	p.tell(resilience.Event{
		Kind: resilience.EventCooldown, Op: g.req.Op, Scope: g.req.Op.Scope, Account: c.Account, Credential: c.ID,
		Class: o.Class, Code: o.Code, Until: p.time(cooldown.until),
	}, t)
	switch cooldown {
	case &c.account.cool, &c.source.cool:
		p.coolOwner(cooldown, t)
	default:
		p.coolMembers(c, t)
	}
	p.alertIfIdle(g, t)
}

// target is the cooldown that an outcome acts on.
func (p *Pool) target(g *grant, o *Outcome) *cooldown {
	c := g.member.cred
	switch {
	case o.Class == resilience.SourceLimited || o.Rule.Cools == resilience.CoolSource:
		return &c.source.cool
	case o.Rule.Cools == resilience.CoolAccount:
		return &c.account.cool
	case o.Rule.Cools == resilience.CoolCredential || o.Class == resilience.Penalized ||
		o.Class == resilience.Misconfigured || o.Class == resilience.CredentialInvalid:
		return &c.owner.cool
	case (o.Rule.Cools == resilience.CoolGroup || g.lane.within) && g.lane.group != "":
		// What a call within is refused for must keep the next one out, and the scope's cooldowns do not.
		return c.group(g.lane.group)
	default:
		return &c.scopes[g.lane.scope]
	}
}

// coolMembers moves a credential's places at once to where they belong, so that nobody comes upon them later.
func (p *Pool) coolMembers(c *cred, t quota.Instant) {
	for _, m := range c.members {
		m.settle(p, t)
		p.wake(m.lane)
	}
}

// coolOwner does the same for all who share an account's or a source's cooldown; lanes that share it as a whole need only a look.
func (p *Pool) coolOwner(c *cooldown, t quota.Instant) {
	for _, l := range p.lanes {
		if !slices.Contains(l.cools, c) {
			for _, m := range l.members {
				if slices.Contains(m.cools, c) {
					m.settle(p, t)
				}
			}
		}
		p.wake(l)
	}
}

// succeeded ends probations and alerts.
func (p *Pool) succeeded(g *grant, t quota.Instant) {
	for _, list := range [2][]*cooldown{g.lane.cools, g.member.cools} {
		for _, c := range list {
			// That a token was fetched for a probe does not say how the probe ends.
			if g.lane.within && c != g.member.cred.groups[g.lane.group] {
				continue
			}
			if c.succeed(g.departed) {
				p.heard(&c.stuck, t)
				p.wakeOwner(c)
			}
		}
	}
	if a := &p.alerts[g.lane.scope]; a.count > 0 {
		p.tell(resilience.Event{Kind: resilience.EventRecovered, Op: g.req.Op, Scope: g.lane.scope, Count: a.held}, t)
		*a = alert{}
	}
}

// An alert counts, for a scope, the failures and refusals while no credential is available.
type alert struct {
	count int
	held  int   // not told
	until int64 // before which nobody comes back, as far as is known
}

// alert counts one failure or refusal, if no credential of the scope is available, and tells of the 1st and of every 10th.
func (p *Pool) alert(s resilience.Scope, op *resilience.Operation, t quota.Instant) {
	a := &p.alerts[s]
	if t.Mono >= a.until {
		back, available := p.firstBack(s, t)
		if available {
			return
		}
		a.until = back
	}
	a.count++
	if a.count == 1 || a.count%10 == 0 {
		p.tell(resilience.Event{Kind: resilience.EventAlert, Op: op, Scope: s, Count: a.count}, t)
		return
	}
	a.held++
}

// firstBack reports whether a credential of the scope is available, or when the first one comes back.
func (p *Pool) firstBack(s resilience.Scope, t quota.Instant) (back int64, available bool) {
	back = quota.Blocked
	for _, c := range p.creds {
		if c.out != nil {
			continue
		}
		until := c.until(s)
		if until <= t.Mono {
			return 0, true
		}
		back = min(back, until)
	}
	return back, false
}

func (p *Pool) alertIfIdle(g *grant, t quota.Instant) {
	if _, idle := g.lane.idle(t); idle {
		p.alert(g.lane.scope, g.req.Op, t)
	}
}
