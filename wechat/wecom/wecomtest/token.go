package wecomtest

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// The enterprise, its first application, and how long tokens live.
const (
	CorpID  = "ww0000000000000001"
	AgentID = 1000002
	Secret  = "made-up-secret-1"

	TokenLife = 7200 * time.Second
)

// apps is who may call: the enterprise's applications and their tokens.
type apps struct {
	byAgent map[int64]*app
	tokens  map[string]*token // by the token's text, also those that have ended
	issued  int
}

type app struct {
	agent   int64
	secret  string
	current *token // nil if none was asked for yet
}

type token struct {
	app     *app
	text    string
	expires time.Time
}

func newApps() apps {
	return apps{byAgent: map[int64]*app{AgentID: {agent: AgentID, secret: Secret}}, tokens: map[string]*token{}}
}

// AddApp adds an application to the enterprise, or changes the secret of the one with the id; its tokens stay good.
func (s *Server) AddApp(agentID int64, secret string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.apps.byAgent[agentID]; a != nil {
		a.secret = secret
		return
	}
	s.apps.byAgent[agentID] = &app{agent: agentID, secret: secret}
}

// InvalidateTokens ends all tokens before their time, as the platform may: 40014 from now on.
func (s *Server) InvalidateTokens() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.apps.tokens)
	for _, a := range s.apps.byAgent {
		a.current = nil
	}
}

// name is how the log calls the application.
func (a *app) name() string { return fmt.Sprintf("%s/%d", CorpID, a.agent) }

// bearer returns the application of a token, and the code that the token is refused with, "" if it is good.
func (p *apps) bearer(text string, now time.Time) (*app, string) {
	t := p.tokens[text]
	switch {
	case text == "":
		return nil, "41001"
	case t == nil:
		return nil, "40014"
	case !now.Before(t.expires):
		return t.app, "42001"
	}
	return t.app, ""
}

// login returns the application that a secret belongs to, and the code that corpid and secret are refused with, "" if they are good.
func (p *apps) login(query url.Values) (*app, string) {
	corp, secret := query.Get("corpid"), query.Get("corpsecret")
	switch {
	case corp == "":
		return nil, "41002"
	case secret == "":
		return nil, "41004"
	case corp != CorpID:
		return nil, "40013"
	}
	for _, a := range p.byAgent {
		if a.secret == secret {
			return a, ""
		}
	}
	return nil, "40001"
}

// credential returns what authorizes the call, and the application that it belongs to.
func (s *Server) credential(r *http.Request) (secret, app string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	query := r.URL.Query()
	secret = query.Get("access_token")
	owner, _ := s.apps.bearer(secret, time.Now())
	if op := operationAt(r.URL.Path); op != nil && op.noToken {
		secret = query.Get("corpsecret")
		owner, _ = s.apps.login(query)
	}
	if owner == nil {
		return secret, ""
	}
	return secret, owner.name()
}

// tokenAdmission returns the code that a gettoken call is refused with, "" if it is let in. Those that fail are counted.
func (s *Server) tokenAdmission(query url.Values, ip string, now time.Time) string {
	if now.Before(s.failures(ip).blockedUntil) {
		return "45009"
	}
	_, code := s.apps.login(query)
	if code != "" && !s.fail(ip, now) {
		return "45009"
	}
	return code
}

// getToken gives the same token as long as it is valid, with what is left of its time.
func (s *Server) getToken(r *request) resiliencetest.Answer {
	a, code := s.apps.login(r.query)
	if code != "" {
		return r.refuse(code)
	}
	if a.current == nil || a.current.expires.Sub(r.now) < time.Second {
		a.current = s.apps.issue(a, r.now)
	}
	return r.ok(map[string]any{
		"access_token": a.current.text, "expires_in": int(a.current.expires.Sub(r.now) / time.Second),
	})
}

// issue makes up a token. Tokens are long: the documents ask to keep 512 bytes for one.
func (p *apps) issue(a *app, now time.Time) *token {
	p.issued++
	t := &token{app: a, text: fmt.Sprintf("t%04d-%d-", p.issued, a.agent) + strings.Repeat("madeup", 80), expires: now.Add(TokenLife)}
	p.tokens[t.text] = t
	return t
}
