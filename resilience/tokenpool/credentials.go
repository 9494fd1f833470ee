package tokenpool

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/quota"
)

// Put adds a credential or changes the one of the same ID, which also brings it back into use after a refusal of the credential itself.
// What it has spent and its other cooldowns stay, even if it was removed meanwhile. Waiting calls hear of it at once.
func (p *Pool) Put(c resilience.Credential) error {
	p.mu.Lock()
	defer p.unlock()
	if err := p.check(&c); err != nil {
		return err
	}
	t := p.now()
	if known := p.creds[c.ID]; known != nil && p.alike(known.Credential, &c) {
		known.Credential = &c
		known.mended(t)
		p.changed()
		p.resettle(known, t)
		return nil
	}
	p.place(&c, t)
	p.changed()
	p.regroup(t)
	return nil
}

// mended takes it that somebody has looked after the credential.
func (c *cred) mended(t quota.Instant) {
	c.out = nil
	if class := c.owner.cool.class; class == resilience.CredentialInvalid || class == resilience.Misconfigured {
		c.owner.cool.end(t.Mono)
	}
}

// changed says that more credentials may be available than was known.
func (p *Pool) changed() {
	for i := range p.alerts {
		p.alerts[i].until = 0
	}
}

// alike reports whether a change of a credential leaves it in its lanes under its windows.
func (p *Pool) alike(a, b *resilience.Credential) bool {
	if a.Account != b.Account || a.Source != b.Source || a.App != b.App || !slices.Equal(a.Overlays, b.Overlays) {
		return false
	}
	for key := range p.lanes {
		if key.auth != "" && p.serves(key.auth, a) != p.serves(key.auth, b) {
			return false
		}
	}
	return true
}

// place puts the credential into use, with all that is known of the one of its ID.
func (p *Pool) place(c *resilience.Credential, t quota.Instant) {
	known := cmp.Or(p.creds[c.ID], p.gone[c.ID])
	delete(p.gone, c.ID)
	if known == nil {
		p.creds[c.ID] = p.newCred(c)
		return
	}
	p.creds[c.ID] = known
	known.Credential = c
	known.mended(t)
	known.account, known.source, known.app = named(p.accounts, c.Account), named(p.sources, c.Source), named(p.apps, c.App)
	known.change(t, p.windows(), known.window)
}

// Remove takes a credential out. Calls that it is making go on.
func (p *Pool) Remove(id string) {
	p.mu.Lock()
	defer p.unlock()
	c := p.creds[id]
	if c == nil {
		return
	}
	t := p.now()
	for name, other := range p.gone {
		if other.idle(t) {
			delete(p.gone, name)
		}
	}
	delete(p.creds, id)
	if !c.idle(t) {
		p.gone[id] = c
	}
	p.regroup(t)
	p.forgetOwners(t)
}

// firstForget is how many accounts, sources and apps there may be before those of nobody are looked for.
const firstForget = 1024

// forgetOwners drops the accounts, sources and apps that no credential belongs to, if there is nothing to remember of them.
func (p *Pool) forgetOwners(t quota.Instant) {
	if len(p.accounts)+len(p.sources)+len(p.apps) < max(firstForget, p.forgetAt) {
		return
	}
	used := map[*owner]bool{}
	for _, creds := range []map[string]*cred{p.creds, p.gone, {"": p.nobody}} {
		for _, c := range creds {
			used[c.account], used[c.source], used[c.app] = true, true, true
		}
	}
	for _, owners := range []map[string]*owner{p.accounts, p.sources, p.apps} {
		for name, o := range owners {
			if !used[o] && o.idle(t) {
				delete(owners, name)
			}
		}
	}
	p.forgetAt = 2 * (len(p.accounts) + len(p.sources) + len(p.apps))
}

// idle reports whether nothing is known of c that a new one would not have.
func (c *cred) idle(t quota.Instant) bool {
	idle := c.inFlight == 0 && c.owner.idle(t)
	for i := range c.scopes {
		idle = idle && c.scopes[i].over(t.Mono)
	}
	for _, cd := range c.groups {
		idle = idle && cd.over(t.Mono)
	}
	return idle
}

func (p *Pool) add(c resilience.Credential) error {
	if p.creds[c.ID] != nil {
		return fmt.Errorf("credential %q is given twice: IDs are unique", c.ID)
	}
	if err := p.check(&c); err != nil {
		return err
	}
	p.creds[c.ID] = p.newCred(&c)
	return nil
}

// check says what is wrong with a credential.
func (p *Pool) check(c *resilience.Credential) error {
	switch {
	case c.ID == "":
		return errors.New("credential without an ID: name it")
	case c.Account == "":
		return fmt.Errorf("credential %q has no account: say who acts", c.ID)
	}
	for _, o := range c.Overlays {
		if !p.hasWindow(o.Window) {
			return fmt.Errorf("credential %q: overlay of window %q, which no quota group has", c.ID, o.Window)
		}
		if o.Limit < 0 {
			return fmt.Errorf("credential %q: overlay of window %q has limit %d: want 1 or more", c.ID, o.Window, o.Limit)
		}
	}
	return nil
}

func (p *Pool) hasWindow(name string) bool {
	for _, windows := range p.Groups {
		if slices.ContainsFunc(windows, func(w resilience.Window) bool { return w.Name == name && w.Key == resilience.PerCredential }) {
			return true
		}
	}
	return false
}

func (p *Pool) newCred(c *resilience.Credential) *cred {
	return &cred{
		owner:      owner{name: c.ID},
		Credential: c,
		account:    named(p.accounts, c.Account),
		source:     named(p.sources, c.Source),
		app:        named(p.apps, c.App), // those that name none are of one app, so that its limit is never exceeded
	}
}

func named(owners map[string]*owner, name string) *owner {
	o := owners[name]
	if o == nil {
		o = &owner{name: name}
		owners[name] = o
	}
	return o
}

// Reconfigure changes windows and settings. What was spent stays spent; waiting calls are decided anew at once. An invalid
// configuration changes nothing.
func (p *Pool) Reconfigure(groups map[string][]resilience.Window, s Settings) error {
	if err := (Config{Groups: groups, Settings: s}).Validate(); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.unlock()
	if err := p.keepsKeys(groups); err != nil {
		return err
	}
	t := p.now()
	p.Groups, p.Settings = groups, s.withDefaults()
	windows := p.windows()
	p.nobody.change(t, windows, p.nobody.window)
	for _, c := range p.creds {
		c.change(t, windows, c.window)
	}
	all := func(w resilience.Window) (resilience.Window, bool) { return w, true }
	for _, owners := range []map[string]*owner{p.accounts, p.sources, p.apps} {
		for _, o := range owners {
			o.change(t, windows, all)
			for _, r := range o.recipients {
				r.change(t, windows, all)
			}
		}
	}
	p.regroup(t)
	return nil
}

// keepsKeys refuses windows that would count by something else than before: what was spent could not be carried over.
func (p *Pool) keepsKeys(groups map[string][]resilience.Window) error {
	var faults []error
	before := windowsOf(p.Groups)
	for name, w := range windowsOf(groups) {
		if old, ok := before[name]; ok && (old.Key != w.Key || old.Apart != w.Apart) {
			faults = append(faults, fmt.Errorf("window %q: key and apart cannot change while it counts: give the new window another name", name))
		}
	}
	return errors.Join(faults...)
}

// windows returns the windows of all groups by name.
func (p *Pool) windows() map[string]resilience.Window { return windowsOf(p.Groups) }

func windowsOf(groups map[string][]resilience.Window) map[string]resilience.Window {
	windows := map[string]resilience.Window{}
	for _, group := range groups {
		for _, w := range group {
			windows[w.Name] = w
		}
	}
	return windows
}

// change gives the owner's windows their new numbers. One that does not hold now is kept as long as something is spent of it: it may
// be switched on again.
func (o *owner) change(t quota.Instant, windows map[string]resilience.Window, as func(resilience.Window) (resilience.Window, bool)) {
	for key, g := range o.gauges {
		w, ok := windows[key.window]
		if ok {
			w, ok = as(w)
		}
		switch {
		case ok && w != g.Window():
			g.Change(t, w)
		case !ok && g.Idle(t):
			delete(o.gauges, key)
		}
	}
}

// regroup builds the lanes anew after the set of credentials has changed; waiting calls keep their places.
func (p *Pool) regroup(t quota.Instant) {
	clear(p.byOp)
	for key, l := range p.lanes {
		p.fill(l, t)
		if len(l.members) == 0 && l.waiting == 0 {
			delete(p.lanes, key)
		}
		if g := l.tooDear(); g != nil {
			for w := l.head(); w != nil; w = l.head() {
				p.finish(w, Permit{}, g.refusal(w.req))
			}
		}
		p.wake(l)
	}
	p.serve(t)
}

// resettle looks at a credential's members again.
func (p *Pool) resettle(c *cred, t quota.Instant) {
	for _, m := range c.members {
		if m.settle(p, t) {
			p.wake(m.lane)
		}
	}
	p.serve(t)
}

// maxByOp bounds the index of lanes; platforms have fewer operations, mostly.
const maxByOp = 1024

// lane returns where the call belongs.
func (p *Pool) lane(t quota.Instant, req Request) (*lane, error) {
	plain := req.Account == "" && req.Credential == "" && !req.Within
	if plain {
		if l := p.byOp[req.Op]; l != nil {
			return l, nil
		}
	}
	key, err := p.key(req)
	if err != nil {
		return nil, err
	}
	l := p.lanes[key]
	if l == nil {
		l = &lane{laneKey: key, counted: key.group != ""}
		p.fill(l, t)
		if len(l.members) == 0 {
			return nil, refused(req, resilience.ErrNoCredential, fmt.Sprintf("no credential of the client can make calls of scheme %q: add one by an option of New or by Stack().Put", key.auth))
		}
		p.lanes[key] = l
	}
	if plain {
		if len(p.byOp) >= maxByOp {
			clear(p.byOp) // some callers make an Operation for each call
		}
		p.byOp[req.Op] = l
	}
	return l, nil
}

// key resolves who may make the call.
func (p *Pool) key(req Request) (laneKey, error) {
	op := req.Op
	key := laneKey{group: op.Group, auth: op.Auth, scope: op.Scope, cost: op.Weight(), within: req.Within}
	if _, ok := p.Groups[op.Group]; op.Group != "" && !ok {
		return key, refused(req, resilience.ErrInvalidRequest, fmt.Sprintf("quota group %q is not in the platform's table", op.Group))
	}
	if op.Auth == "" {
		return key, nil // nobody's calls
	}
	switch {
	case req.Credential != "":
		c := p.creds[req.Credential]
		if c == nil {
			return key, refused(req, resilience.ErrNoCredential, "the client has no credential of this ID")
		}
		if req.Account != "" && req.Account != c.Account {
			return key, refused(req, resilience.ErrInvalidRequest, fmt.Sprintf("it belongs to account %q, not to %q", c.Account, req.Account))
		}
		key.credential, key.account = c.ID, c.Account
	case req.Account != "":
		key.account = req.Account
		if len(p.serving(key)) == 0 {
			return key, refused(req, resilience.ErrNoCredential, fmt.Sprintf("account %q has no credential for scheme %q", req.Account, op.Auth))
		}
	case !op.AnyAccount:
		accounts := p.actors(op.Auth)
		if len(accounts) > 1 {
			return key, refused(req, resilience.ErrInvalidRequest, "the client has several accounts ("+strings.Join(accounts, ", ")+"): say which one acts, by WithAccount")
		}
		if len(accounts) == 1 {
			key.account = accounts[0]
		}
	}
	return key, nil
}

// actors returns the accounts that have a credential for the scheme, sorted.
func (p *Pool) actors(auth string) []string {
	var names []string
	for _, c := range p.creds {
		if p.serves(auth, c.Credential) && !slices.Contains(names, c.Account) {
			names = append(names, c.Account)
		}
	}
	slices.Sort(names)
	return names
}

func (p *Pool) serves(auth string, c *resilience.Credential) bool {
	return p.Serves == nil || p.Serves(auth, c)
}

// serving returns the credentials that belong into a lane, in the order of their IDs.
func (p *Pool) serving(key laneKey) []*cred {
	if key.auth == "" {
		return []*cred{p.nobody}
	}
	if key.credential != "" {
		if c := p.creds[key.credential]; c != nil && p.serves(key.auth, c.Credential) {
			return []*cred{c}
		}
		return nil
	}
	var creds []*cred
	for _, c := range p.creds {
		if (key.account == "" || key.account == c.Account) && p.serves(key.auth, c.Credential) {
			creds = append(creds, c)
		}
	}
	slices.SortFunc(creds, func(a, b *cred) int { return strings.Compare(a.ID, b.ID) })
	return creds
}

// fill gives the lane its members: the ones that it has keep their turns, new ones come last.
func (p *Pool) fill(l *lane, t quota.Instant) {
	kept := map[*cred]*member{}
	for _, m := range l.members {
		m.leave()
		m.cred.members = slices.DeleteFunc(m.cred.members, func(other *member) bool { return other == m })
		kept[m.cred] = m
	}
	for _, g := range l.gauges {
		g.lanes = slices.DeleteFunc(g.lanes, func(other *lane) bool { return other == l })
	}
	creds := p.serving(l.laneKey)
	l.members = l.members[:0]
	l.gauges, l.cools, l.account, l.each = nil, nil, nil, nil
	one := sharing{
		account: !slices.ContainsFunc(creds, func(c *cred) bool { return c.account != creds[0].account }),
		source:  !slices.ContainsFunc(creds, func(c *cred) bool { return c.source != creds[0].source }),
		app:     !slices.ContainsFunc(creds, func(c *cred) bool { return c.app != creds[0].app }),
	}
	for _, c := range creds {
		m := kept[c]
		if m == nil {
			m = &member{cred: c, lane: l}
			m.ring.value, m.stuck.value = m, m
		}
		p.equip(m, one)
		l.members = append(l.members, m)
		c.members = append(c.members, m)
	}
	if len(creds) > 0 {
		p.equipLane(l, creds[0], one)
	}
	for _, m := range l.members {
		m.settle(p, t)
	}
}

// sharing says what the members of a lane have in common: that is asked once for the lane instead of once for each of them, so that
// a limited address does not mean a walk over 100,000 credentials.
type sharing struct{ account, source, app bool }

// has reports whether the members have what windows of the key count by in common.
func (one sharing) has(key resilience.WindowKey) bool {
	switch key {
	case resilience.PerAccount:
		return one.account
	case resilience.PerSource:
		return one.source
	case resilience.PerApp:
		return one.app
	default:
		return false
	}
}

// holder returns what windows of the key count by, nil for those of recipients.
func (c *cred) holder(key resilience.WindowKey) *owner {
	switch key {
	case resilience.PerCredential:
		return &c.owner
	case resilience.PerAccount:
		return c.account
	case resilience.PerSource:
		return c.source
	case resilience.PerApp:
		return c.app
	default:
		return nil
	}
}

func (p *Pool) equip(m *member, one sharing) {
	c := m.cred
	m.gauges, m.cools = nil, []*cooldown{&c.owner.cool}
	if m.lane.counted {
		m.cools = append(m.cools, c.group(m.lane.group))
	}
	if m.lane.capped() { // that reads or writes are throttled says nothing of the tokens that the other scope needs
		m.cools = append(m.cools, &c.scopes[m.lane.scope])
	}
	if !one.account {
		m.cools = append(m.cools, &c.account.cool)
	}
	if !one.source {
		m.cools = append(m.cools, &c.source.cool)
	}
	for _, w := range p.Groups[m.lane.group] {
		holder, holds := c.holder(w.Key), true
		if w.Key == resilience.PerCredential {
			w, holds = c.window(w)
		}
		if holds && holder != nil && !one.has(w.Key) {
			m.gauges = append(m.gauges, holder.gauge(w, m.lane.group))
		}
	}
}

func (p *Pool) equipLane(l *lane, c *cred, one sharing) {
	if one.account {
		l.account = c.account
		l.cools = append(l.cools, &c.account.cool)
	}
	if one.source {
		l.cools = append(l.cools, &c.source.cool)
	}
	for _, w := range p.Groups[l.group] {
		switch {
		case w.Key == resilience.PerRecipient:
			l.each = append(l.each, w)
		case one.has(w.Key):
			l.gauges = append(l.gauges, c.holder(w.Key).gauge(w, l.group))
		}
	}
	for _, g := range l.gauges {
		g.lanes = append(g.lanes, l)
	}
}
