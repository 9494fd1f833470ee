package tokenpool

import (
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// reset gives the account's budgets back, as the platform just did: windows of the span are empty, and what cooled because a budget
// was used up is in use again.
func (p *Pool) reset(account *owner, which resilience.Reset, t quota.Instant) {
	per := 24 * time.Hour
	if which == resilience.ResetHour {
		per = time.Hour
	}
	account.giveBack(per, t)
	for _, c := range p.creds {
		if c.account != account {
			continue
		}
		c.giveBack(per, t)
		for i := range c.scopes {
			c.scopes[i].forgive(t.Mono)
		}
		for _, cooldown := range c.groups {
			cooldown.forgive(t.Mono)
		}
		p.coolMembers(c, t)
	}
	p.coolOwner(&account.cool, t)
	p.changed()
}

func (o *owner) giveBack(per time.Duration, t quota.Instant) {
	if o.cool.class == resilience.QuotaExhausted {
		o.cool.forgive(t.Mono)
	}
	for _, g := range o.gauges {
		if g.Window().Per == per {
			g.Clear()
		}
	}
}

// forgive ends c if a budget was used up, or none was: what is still on its way left before the platform gave the budget back.
func (c *cooldown) forgive(now int64) {
	if c.began == 0 || c.class == resilience.QuotaExhausted {
		c.end(now)
	}
}
