package weibotest

import (
	"strconv"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

func (s *Server) accessToken(r *request) resiliencetest.Answer {
	refuse := func(code, word, description string) resiliencetest.Answer {
		return refuseOAuth(r.call, code, word, description)
	}
	a := s.people.apps[r.value.Get("client_id")]
	if a == nil || a.secret != r.value.Get("client_secret") {
		return refuse("21324", "invalid_client", "client_id or client_secret parameter is invalid.")
	}
	switch r.value.Get("grant_type") {
	case "authorization_code":
	case "refresh_token": // only apps of the mobile kit have one
		return refuse("21325", "invalid_grant", "invalid refresh token:"+r.value.Get("refresh_token"))
	default:
		return refuse("21328", "unsupported_grant_type", "unsupported grant type:"+r.value.Get("grant_type"))
	}
	code, redirect := r.value.Get("code"), r.value.Get("redirect_uri")
	if code == "" {
		return refuse("21323", "invalid_request", "miss code.")
	}
	if redirect == "" || (a.redirect != "" && redirect != a.redirect) {
		return refuse("21322", "redirect_uri_mismatch", "redirect uri mismatch.")
	}
	g := s.people.codes[code]
	if g == nil || g.app != a || !time.Now().Before(g.expires) {
		return refuse("21325", "invalid_grant", "invalid authorization code:"+code)
	}
	delete(s.people.codes, code)
	text, now := s.people.text("token"), time.Now()
	s.people.tokens[text] = &token{app: a, user: g.user, created: now, expires: now.Add(TokenLife)}
	life := int64(TokenLife / time.Second)
	return ok(map[string]any{
		"access_token": text, "expires_in": life, "remind_in": strconv.FormatInt(life, 10),
		"uid": strconv.FormatInt(g.user.uid, 10), "isRealName": "true",
	})
}

func (s *Server) tokenInfo(r *request) resiliencetest.Answer {
	t := r.token
	return ok(map[string]any{
		"uid": t.user.uid, "appkey": t.app.number(), "scope": nil, "create_at": t.created.Unix(),
		"expire_in": seconds(t.expires.Sub(r.call.Time)),
	})
}

func (s *Server) revoke(r *request) resiliencetest.Answer {
	r.token.revoked = true
	return ok(map[string]any{"result": "true"})
}
