package alibaba1688test

import (
	"strconv"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// refuseOAuth answers in the form of the token calls.
func refuseOAuth(word, description string) resiliencetest.Answer {
	answer := resiliencetest.JSON(400, map[string]any{"error": word, "error_description": description})
	answer.Code = word
	return answer
}

func (s *Server) getToken(r *request) resiliencetest.Answer {
	if r.value("client_id") != r.app.key || r.value("client_secret") != r.app.secret {
		return refuseOAuth("invalid_client", "client_id or client_secret is wrong")
	}
	switch grant := r.value("grant_type"); grant {
	case "authorization_code":
		t := s.codes[r.value("code")]
		if t == nil || t.app != r.app || !t.good(r.call.Time) {
			return refuseOAuth("invalid_grant", "the code is unknown, used or older than two minutes")
		}
		delete(s.codes, r.value("code"))
		answer := s.issue(r)
		if r.value("need_refresh_token") == "true" {
			s.issueRefresh(r, answer)
		}
		return ok(answer)
	case "refresh_token":
		t := s.refresh[r.value("refresh_token")]
		if t == nil || t.app != r.app || !t.good(r.call.Time) {
			return refuseOAuth("invalid_grant", "the refresh token is unknown or has ended")
		}
		return ok(s.issue(r)) // the refresh token stays, so none is answered
	default:
		return refuseOAuth("unsupported_grant_type", "grant_type "+grant)
	}
}

// postponeToken gives a new refresh token for one that is near its end; the old one lives on until then.
func (s *Server) postponeToken(r *request) resiliencetest.Answer {
	access := s.tokens[r.value("access_token")]
	if access == nil || access.app != r.app || !access.good(r.call.Time) {
		return s.unauthorized(r.call)
	}
	if id := r.value("client_id"); id != "" && (id != r.app.key || r.value("client_secret") != r.app.secret) {
		return refuseOAuth("invalid_client", "client_id or client_secret is wrong")
	}
	if text := r.value("refresh_token"); text != "" {
		if t := s.refresh[text]; t == nil || t.app != r.app || !t.good(r.call.Time) {
			return refuseOAuth("invalid_grant", "the refresh token is unknown or has ended")
		}
	}
	left := TokenLife
	if !access.lasting {
		left = access.expires.Sub(r.call.Time)
	}
	answer := owner(r.value("access_token"), left)
	s.issueRefresh(r, answer)
	return ok(answer)
}

// issue makes a new access token. Older ones live on until they end.
func (s *Server) issue(r *request) map[string]any {
	text := s.text("token")
	s.tokens[text] = &token{app: r.app, expires: r.call.Time.Add(TokenLife)}
	return owner(text, TokenLife)
}

func (s *Server) issueRefresh(r *request, answer map[string]any) {
	text := s.text("refresh")
	t := &token{app: r.app, expires: r.call.Time.Add(refreshLife)}
	s.refresh[text] = t
	answer["refresh_token"], answer["refresh_token_timeout"] = text, compact(t.expires)
}

func owner(access string, left time.Duration) map[string]any {
	return map[string]any{
		"access_token": access, "expires_in": strconv.FormatInt(int64(left/time.Second), 10), // text on this platform
		"resource_owner": loginID, "memberId": MemberID, "aliId": memberUID, "uid": memberUID,
	}
}
