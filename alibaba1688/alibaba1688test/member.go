package alibaba1688test

import (
	"fmt"
	"time"
)

// What the fake knows from the start. AccessToken lasts, RefreshToken lives for half a year.
const (
	AppKey       = "1000001"
	AppSecret    = "made-up-secret"
	AccessToken  = "made-up-access-token-0001-of-a-member"
	RefreshToken = "made-up-refresh-token-0001-of-a-member"
	MemberID     = "b2b-1000000000001" // the buyer's

	TokenLife = 10 * time.Hour // of fetched access tokens
)

const (
	codeLife    = 2 * time.Minute
	refreshLife = 183 * 24 * time.Hour
	loginID     = "made-up-buyer"
	memberUID   = "1000000000001"
)

type app struct{ key, secret string }

// A token is an access token, a refresh token or an authorization code.
type token struct {
	app     *app
	lasting bool
	expires time.Time
}

func (t *token) good(now time.Time) bool { return t.lasting || now.Before(t.expires) }

// AddApp adds an AppKey, or gives the known one another secret.
func (s *Server) AddApp(key, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.apps[key] = &app{key: key, secret: secret}
}

// AddToken makes text a lasting access token of the member for the AppKey. An unknown AppKey is an error.
func (s *Server) AddToken(text, appKey string) error {
	return s.add(s.tokens, text, appKey, token{lasting: true})
}

// AddRefreshToken makes text a refresh token of the member for the AppKey, good for half a year. An unknown AppKey is an error.
func (s *Server) AddRefreshToken(text, appKey string) error {
	return s.add(s.refresh, text, appKey, token{expires: time.Now().Add(refreshLife)})
}

func (s *Server) add(to map[string]*token, text, appKey string, t token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t.app = s.apps[appKey]; t.app == nil {
		return fmt.Errorf("alibaba1688test: no AppKey %q: add it with AddApp", appKey)
	}
	to[text] = &t
	return nil
}

// Grant is the member's click on "authorize": it returns the code that getToken takes for tokens, once and within two minutes.
func (s *Server) Grant(appKey string) (code string, err error) {
	s.mu.Lock()
	code = s.text("code")
	s.mu.Unlock()
	return code, s.add(s.codes, code, appKey, token{expires: time.Now().Add(codeLife)})
}

// Expire ends an access or refresh token: calls with it are answered 401 from now on.
func (s *Server) Expire(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, tokens := range []map[string]*token{s.tokens, s.refresh} {
		delete(tokens, text)
	}
}

// text makes up a new code or token, long enough for its beginning to be shown.
func (s *Server) text(kind string) string {
	s.issued++
	return fmt.Sprintf("made-up-%04d-%s-of-a-member-in-a-test", s.issued, kind)
}
