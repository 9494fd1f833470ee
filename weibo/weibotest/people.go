package weibotest

import (
	"fmt"
	"strconv"
	"time"
)

// What the fake knows from the start: the first of its nine apps, its users and how long new tokens live.
const (
	AppKey     = "2000000001"
	AppSecret  = "made-up-secret-1"
	UID        = int64(1001)
	ScreenName = "wall"
	GuestUID   = int64(1002)

	TokenLife = 30 * 24 * time.Hour // of a reviewed app's tokens
)

// codeLife is how long an authorization code may wait; the platform's own number is not documented.
const codeLife = 10 * time.Minute

// people is who may call: apps, users and what users granted to apps.
type people struct {
	apps   map[string]*app   // by app key
	users  map[int64]*user   // by uid
	tokens map[string]*token // by the token's text
	codes  map[string]*grant // by the code's text
	issued int
}

type app struct{ key, secret, redirect string }

type user struct {
	uid     int64
	name    string
	created time.Time
}

type token struct {
	app              *app
	user             *user
	created, expires time.Time
	revoked          bool
}

// A grant is an authorization code that waits to become a token.
type grant struct {
	app     *app
	user    *user
	expires time.Time
}

func newPeople(now time.Time) people {
	p := people{apps: map[string]*app{}, users: map[int64]*user{}, tokens: map[string]*token{}, codes: map[string]*grant{}}
	owner := &user{uid: UID, name: ScreenName, created: now}
	p.users[UID] = owner
	p.users[GuestUID] = &user{uid: GuestUID, name: "guest", created: now}
	for n := 1; n <= 9; n++ {
		a := &app{key: fmt.Sprintf("200000000%d", n), secret: fmt.Sprintf("made-up-secret-%d", n)}
		p.apps[a.key] = a
		// The developer's own tokens live for five years.
		p.tokens[fmt.Sprintf("tok-%d", n)] = &token{app: a, user: owner, created: now, expires: now.Add(5 * 365 * 24 * time.Hour)}
	}
	return p
}

// AddApp adds an app, or replaces the one with its key. Codes of apps with a redirect address are only good with that address.
func (s *Server) AddApp(key, secret, redirect string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.people.apps[key] = &app{key: key, secret: secret, redirect: redirect}
}

// AddUser adds a user, or renames the one with the uid.
func (s *Server) AddUser(uid int64, screenName string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if u := s.people.users[uid]; u != nil {
		u.name = screenName
		return
	}
	s.people.users[uid] = &user{uid: uid, name: screenName, created: time.Now()}
}

// AddToken makes text a token of the user for the app, good for [TokenLife]. It replaces the token of that text. An unknown user or
// app is an error.
func (s *Server) AddToken(text, appKey string, uid int64) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, u, err := s.people.find(appKey, uid)
	if err != nil {
		return err
	}
	now := time.Now()
	s.people.tokens[text] = &token{app: a, user: u, created: now, expires: now.Add(TokenLife)}
	return nil
}

// Grant is the user's click on "allow": it returns the code that oauth2/access_token takes for a token, once.
func (s *Server) Grant(appKey string, uid int64) (code string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, u, err := s.people.find(appKey, uid)
	if err != nil {
		return "", err
	}
	code = s.people.text("code")
	s.people.codes[code] = &grant{app: a, user: u, expires: time.Now().Add(codeLife)}
	return code, nil
}

// Expire lets a token run out: 21327 from now on.
func (s *Server) Expire(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.people.tokens[text]; t != nil {
		t.expires = time.Now()
	}
}

// Revoke ends a user's grant: 21321 from now on.
func (s *Server) Revoke(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.people.tokens[text]; t != nil {
		t.revoked = true
	}
}

func (p *people) find(appKey string, uid int64) (*app, *user, error) {
	a, u := p.apps[appKey], p.users[uid]
	if a == nil {
		return nil, nil, fmt.Errorf("weibotest: no app %q: add it with AddApp", appKey)
	}
	if u == nil {
		return nil, nil, fmt.Errorf("weibotest: no user %d: add it with AddUser", uid)
	}
	return a, u, nil
}

// text makes up a new code or token, long enough for its beginning to be shown.
func (p *people) text(kind string) string {
	p.issued++
	return fmt.Sprintf("2.00%s%04dmadeupmadeupmadeup", kind, p.issued)
}

func (p *people) named(screenName string) *user {
	for _, u := range p.users {
		if u.name == screenName {
			return u
		}
	}
	return nil
}

// granted reports whether the user lets the app see it.
func (p *people) granted(a *app, u *user) bool {
	for _, t := range p.tokens {
		if t.app == a && t.user == u && t.fault(time.Now()) == "" {
			return true
		}
	}
	return false
}

// fault returns the code that the token is refused with at now, "" if it is good.
func (t *token) fault(now time.Time) string {
	switch {
	case t.revoked:
		return "21321"
	case !now.Before(t.expires):
		return "21327"
	}
	return ""
}

// number is an app key as the platform writes it: a JSON number where it is one.
func (a *app) number() any {
	if n, err := strconv.ParseInt(a.key, 10, 64); err == nil {
		return n
	}
	return a.key
}
