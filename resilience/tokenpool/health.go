package tokenpool

import (
	"cmp"
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Health is what a pool knows at one time. That a credential is available means that no throttle was seen lately, not that quota
// is known to be left.
type Health struct {
	Scopes    [2]ScopeHealth `json:"scopes"` // indexed by resilience.Scope
	Cooldowns []Cooldown     `json:"cooldowns,omitempty"`
	Out       []Out          `json:"out,omitempty"`
	Pauses    []Pause        `json:"pauses,omitempty"`
}

// A ScopeHealth says how a scope is served.
type ScopeHealth struct {
	Total     int       `json:"total"`     // credentials
	Available int       `json:"available"` // not cooling, out or paused
	Waiting   int       `json:"waiting"`   // calls in the lanes
	RetryAt   time.Time `json:"retry_at,omitzero"`
}

// A Cooldown is one that is in force, or whose credential is on probation after it.
type Cooldown struct {
	Level      resilience.Level `json:"level"`
	Credential string           `json:"credential,omitempty"`
	Account    string           `json:"account,omitempty"`
	Source     string           `json:"source,omitempty"`
	Scope      resilience.Scope `json:"scope"`           // where Level is scope
	Group      string           `json:"group,omitempty"` // where Level is group
	Class      resilience.Class `json:"class"`
	Code       string           `json:"code,omitempty"`
	Step       int              `json:"step"` // incidents in a row
	Until      time.Time        `json:"until"`
	Probation  bool             `json:"probation"` // over, but no call has succeeded since
}

// An Out is a credential that a person has to mend.
type Out struct {
	Credential string           `json:"credential"`
	Account    string           `json:"account"`
	Class      resilience.Class `json:"class"`
	Code       string           `json:"code,omitempty"`
}

// Health returns the state now. Looking changes nothing.
func (p *Pool) Health() Health {
	p.mu.Lock()
	defer p.mu.Unlock()
	now := p.now().Mono
	var h Health
	for _, c := range p.creds {
		p.credHealth(&h, c, now)
	}
	for _, a := range p.accounts {
		h.cooldown(p, &a.cool, now, Cooldown{Level: resilience.CoolAccount, Account: a.name})
	}
	for _, s := range p.sources {
		h.cooldown(p, &s.cool, now, Cooldown{Level: resilience.CoolSource, Source: s.name})
	}
	for _, l := range p.lanes {
		h.Scopes[l.scope].Waiting += l.waiting
	}
	for _, ps := range p.pauses {
		if ps.until > now {
			h.Pauses = append(h.Pauses, ps.Pause)
		}
	}
	slices.SortFunc(h.Cooldowns, func(a, b Cooldown) int {
		return cmp.Or(cmp.Compare(a.Account, b.Account), cmp.Compare(a.Credential, b.Credential), cmp.Compare(a.Level, b.Level),
			cmp.Compare(a.Scope, b.Scope), cmp.Compare(a.Group, b.Group))
	})
	slices.SortFunc(h.Out, func(a, b Out) int { return cmp.Compare(a.Credential, b.Credential) })
	return h
}

func (p *Pool) credHealth(h *Health, c *cred, now int64) {
	if c.out != nil {
		h.Out = append(h.Out, Out{Credential: c.ID, Account: c.Account, Class: c.out.Class, Code: c.out.Code})
	}
	id := Cooldown{Credential: c.ID, Account: c.Account}
	h.cooldown(p, &c.owner.cool, now, id.at(resilience.CoolCredential))
	for group, cd := range c.groups {
		at := id.at(resilience.CoolGroup)
		at.Group = group
		h.cooldown(p, cd, now, at)
	}
	for i := range c.scopes {
		scope := resilience.Scope(i)
		at := id.at(resilience.CoolScope)
		at.Scope = scope
		h.cooldown(p, &c.scopes[i], now, at)
		s := &h.Scopes[i]
		s.Total++
		back := c.until(scope)
		paused := slices.ContainsFunc(p.pauses, func(ps *pause) bool {
			return ps.until > now && ps.stops(&member{cred: c, lane: &lane{laneKey: laneKey{scope: scope}}})
		})
		switch {
		case c.out == nil && !paused && back <= now:
			s.Available++
			s.RetryAt = time.Time{}
		case c.out == nil && !paused && s.Available == 0 && (s.RetryAt.IsZero() || p.time(back).Before(s.RetryAt)):
			s.RetryAt = p.time(back)
		}
	}
}

func (c Cooldown) at(l resilience.Level) Cooldown {
	c.Level = l
	return c
}

func (h *Health) cooldown(p *Pool, c *cooldown, now int64, as Cooldown) {
	if c.until <= now && !c.probation {
		return
	}
	as.Class, as.Code, as.Step, as.Until, as.Probation = c.class, c.code, c.step, p.time(c.until), c.until <= now
	h.Cooldowns = append(h.Cooldowns, as)
}
