package wechattest

import (
	"fmt"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// The account that the fake knows from the start, and how long its tokens live.
const (
	AppID     = "wx0000000000000001"
	AppSecret = "made-up-app-secret-0000000000001" //nolint:gosec // of an account that exists nowhere

	TokenLife = 2 * time.Hour
)

const (
	overlap     = 5 * time.Minute // a plain token lives on after its replacement, and a stable one beside its successor
	forcesADay  = 20
	forcesApart = 30 * time.Second
	tokenLength = 512 // what callers are told to have room for
)

type app struct {
	id, secret string
	stable     *token    // the newest one
	plain      *token    // the newest one
	forced     time.Time // when force_refresh last did something
	made       int       // tokens of either kind
}

type token struct {
	app     *app
	text    string
	stable  bool
	expires time.Time
	void    time.Time // unknown from then on; zero means never
}

// fault returns the code that the token is refused with at now, "" if it is good.
func (t *token) fault(now time.Time) string {
	switch {
	case !t.void.IsZero() && !now.Before(t.void):
		return "40001"
	case !now.Before(t.expires):
		return "42001"
	}
	return ""
}

// AddApp adds an account, or gives the one with its appid another secret.
func (s *Server) AddApp(id, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.apps[id]; a != nil {
		a.secret = secret
		return
	}
	s.apps[id] = &app{id: id, secret: secret}
}

// InvalidateToken makes the tokens that the account has unknown: 40001 from now on. The token calls give new ones.
func (s *Server) InvalidateToken(appid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.tokens {
		if t.app.id == appid {
			t.void = time.Now()
		}
	}
}

// Tokens returns how many different tokens the account was given, of both kinds together.
func (s *Server) Tokens(appid string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.apps[appid]; a != nil {
		return a.made
	}
	return 0
}

// token returns the token of that text, or the code that it is refused with.
func (s *Server) token(text string, now time.Time) (*token, string) {
	t := s.tokens[text]
	switch {
	case text == "":
		return nil, "41001"
	case t == nil:
		return nil, "40001"
	}
	return t, t.fault(now)
}

// identify finds the account of a call that names appid and secret. It returns the code of what is wrong, "" if nothing is.
func (s *Server) identify(r *request) string {
	id, secret := r.value("appid"), r.value("secret")
	r.app = s.apps[id]
	switch {
	case r.value("grant_type") != r.op.grant:
		return "40002"
	case id == "":
		return "41002"
	case secret == "":
		return "41004"
	case r.app == nil:
		return "40013"
	case r.app.secret != secret:
		return "40125"
	}
	return ""
}

func (s *Server) plainToken(r *request) resiliencetest.Answer {
	now := time.Now()
	if old := r.app.plain; old != nil && old.fault(now) == "" {
		old.void = now.Add(overlap)
	}
	r.app.plain = s.issue(r.app, false, now)
	return answerToken(r, r.app.plain, now)
}

func (s *Server) stableToken(r *request) resiliencetest.Answer {
	now := time.Now()
	if r.body.flag("force_refresh") && s.force(r.app, now) {
		for _, t := range s.tokens {
			if t.app == r.app && t.stable {
				t.void = now
			}
		}
	}
	if t := r.app.stable; t == nil || t.fault(now) != "" || t.expires.Sub(now) <= overlap {
		r.app.stable = s.issue(r.app, true, now)
	}
	return answerToken(r, r.app.stable, now)
}

// force reports whether force_refresh does something now, and counts it.
func (s *Server) force(a *app, now time.Time) bool {
	if now.Sub(a.forced) < forcesApart {
		return false
	}
	if s.take([]charge{{spanAt(forcedDay, "force_refresh", a.id, now), forcesADay, "-"}}) != "" {
		return false
	}
	a.forced = now
	return true
}

func (s *Server) issue(a *app, stable bool, now time.Time) *token {
	kind := "plain"
	if stable {
		kind = "stable"
	}
	a.made++
	s.issued++
	// What tells tokens apart stands at the beginning, which is all that logs show.
	text := fmt.Sprintf("%s%04d-", kind, s.issued)
	text += strings.Repeat("x", tokenLength-len(text))
	t := &token{app: a, text: text, stable: stable, expires: now.Add(TokenLife)}
	s.tokens[text] = t
	return t
}

func answerToken(r *request, t *token, now time.Time) resiliencetest.Answer {
	return r.ok(map[string]any{"access_token": t.text, "expires_in": int64(t.expires.Sub(now) / time.Second)})
}
