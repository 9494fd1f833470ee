package wechattest

import (
	"encoding/base64"
	"fmt"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// codeLife is how long a login code may wait; no document that the fake is made from says it.
const codeLife = 5 * time.Minute

// A login is a code that waits to be exchanged, or was.
type login struct {
	user    *user
	expires time.Time
	used    bool
}

// LoginCode is a user's login in the mini program: it returns the code that sns/jscode2session takes, once and within five
// minutes. Any account of the fake may exchange it. An unknown user becomes known, without following.
func (s *Server) LoginCode(openid string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued++
	code := fmt.Sprintf("made-up-code-%06d", s.issued)
	s.logins[code] = &login{user: s.known(openid), expires: time.Now().Add(codeLife)}
	return code
}

// whoLogsIn returns the end user of a login call. A code that the fake does not know stands for itself.
func (s *Server) whoLogsIn(r *request) string {
	code := r.value("js_code")
	if l := s.logins[code]; l != nil {
		return l.user.openid
	}
	return code
}

func (s *Server) codeToSession(r *request) resiliencetest.Answer {
	code := r.value("js_code")
	l := s.logins[code]
	switch {
	case code == "":
		return s.refuse(r.call, "41008")
	case l == nil || !time.Now().Before(l.expires):
		return s.refuse(r.call, "40029")
	case l.used:
		return s.refuse(r.call, "40163")
	}
	l.used = true
	s.issued++
	key := base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "session-key-%04d", s.issued))
	return r.ok(map[string]any{"errcode": s.errcode("0"), "openid": l.user.openid, "unionid": l.user.unionid(), "session_key": key})
}
