package tokenpool

import (
	"fmt"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// recipients returns the windows in which the call takes a place for each of its recipients. One that is full is a refusal: a call
// that waited for one recipient would keep those behind it from theirs.
func (p *Pool) recipients(l *lane, account *owner, t quota.Instant, req Request) ([]*gauge, error) {
	if len(l.each) == 0 || len(req.Recipients) == 0 {
		return nil, nil
	}
	gauges := make([]*gauge, 0, len(l.each)*len(req.Recipients))
	seen := make(map[string]bool, len(req.Recipients))
	account.sweep(t) // before the call's own are looked up: they must not be forgotten on the way
	for _, name := range req.Recipients {
		name = strings.ToLower(name) // WeCom does not tell u1 from U1, and no platform has two that differ in nothing else
		if seen[name] {
			continue
		}
		seen[name] = true
		to := account.recipient(name)
		for _, w := range l.each {
			g := to.gauge(w, l.group)
			if g.Wait(t, l.cost) > 0 {
				return nil, p.hadEnough(g, name, l, t, req)
			}
			gauges = append(gauges, g)
		}
	}
	return gauges, nil
}

func (p *Pool) hadEnough(g *gauge, name string, l *lane, t quota.Instant, req Request) error {
	if !g.Fits(l.cost) {
		return g.refusal(req)
	}
	w := g.Window()
	wait := g.Expect(t, 0, l.cost)
	e := refused(req, resilience.ErrLimited, fmt.Sprintf("recipient %q has had %d within %v, all that window %q allows", name, w.Room(), w.Per, w.Name))
	e.Recipient, e.RetryAt = name, p.retryTime(t.Mono+wait)
	return e
}

// firstSweep is how many recipients are remembered without asking whether there is something to remember.
const firstSweep = 1024

// sweep forgets recipients that there is nothing to remember of, when there are many.
func (o *owner) sweep(t quota.Instant) {
	if len(o.recipients) < max(firstSweep, o.sweepAt) {
		return
	}
	for name, to := range o.recipients {
		if to.idle(t) {
			delete(o.recipients, name)
		}
	}
	o.sweepAt = 2 * len(o.recipients)
}

// recipient returns what is known of one who gets messages of the account o.
func (o *owner) recipient(name string) *owner {
	to := o.recipients[name]
	if to == nil {
		to = &owner{name: name}
		if o.recipients == nil {
			o.recipients = map[string]*owner{}
		}
		o.recipients[name] = to
	}
	return to
}
