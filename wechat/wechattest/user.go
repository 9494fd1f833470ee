package wechattest

import (
	"fmt"
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

type user struct {
	openid, nickname string
	follows          bool
	since            time.Time // follows since then
	acted            time.Time // did last something that opens the window for customer messages; zero means never
	got              int       // customer messages since then
	number           int       // 1 for the first
}

// OpenID is the first of the followers that the fake has from the start.
const OpenID = "o0000000000000000000000001"

// knownUsers is how many followers the fake has from the start.
const knownUsers = 5

func (s *Server) addFollowers(now time.Time) {
	for n := 1; n <= knownUsers; n++ {
		u := s.addUser(fmt.Sprintf("o%025d", n), true, fmt.Sprintf("用户 %d", n), now)
		u.acted = now
	}
}

// AddUser adds a user, or changes the one with the openid. Under [WithReplyWindow] a new one has not acted yet.
func (s *Server) AddUser(openid string, follows bool, nickname string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.addUser(openid, follows, nickname, time.Now())
}

func (s *Server) addUser(openid string, follows bool, nickname string, now time.Time) *user {
	u := s.users[openid]
	if u == nil {
		u = &user{openid: openid, number: len(s.order) + 1}
		s.users[openid] = u
		s.order = append(s.order, u)
	}
	if follows && !u.follows {
		u.since = now
	}
	u.follows, u.nickname = follows, nickname
	return u
}

// UserActs is a user's message to the account: it opens the window of [WithReplyWindow] anew. An unknown user becomes known,
// without following.
func (s *Server) UserActs(openid string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	u := s.known(openid)
	u.acted, u.got = time.Now(), 0
}

// known returns the user, and makes one who does not follow if there is none.
func (s *Server) known(openid string) *user {
	if u := s.users[openid]; u != nil {
		return u
	}
	return s.addUser(openid, false, "", time.Now())
}

func (u *user) unionid() string { return fmt.Sprintf("made-up-unionid-%012d", u.number) }

func (s *Server) userInfo(r *request) resiliencetest.Answer {
	openid := r.value("openid")
	u := s.users[openid]
	switch {
	case openid == "":
		return s.refuse(r.call, "41009")
	case u == nil:
		return s.refuse(r.call, "40003")
	case !u.follows:
		return r.ok(map[string]any{"subscribe": 0, "openid": openid})
	}
	language := r.value("lang")
	if language == "" {
		language = "zh_CN"
	}
	return r.ok(map[string]any{
		"subscribe": 1, "openid": openid, "unionid": u.unionid(), "nickname": u.nickname, "sex": 0, "language": language,
		"city": "", "province": "", "country": "", "headimgurl": fmt.Sprintf("https://pic.example/head/%d", u.number),
		"subscribe_time": u.since.Unix(), "subscribe_scene": "ADD_SCENE_QR_CODE", "remark": "", "groupid": 0,
		"tagid_list": []int{}, "qr_scene": 0, "qr_scene_str": "",
	})
}

func (s *Server) userList(r *request) resiliencetest.Answer {
	var followers []string
	for _, u := range s.order {
		if u.follows {
			followers = append(followers, u.openid)
		}
	}
	total := len(followers)
	if after := r.value("next_openid"); after != "" {
		i := slices.Index(followers, after)
		if i < 0 {
			return s.refuse(r.call, "40003")
		}
		followers = followers[i+1:]
	}
	next := ""
	if len(followers) > s.cfg.page {
		followers = followers[:s.cfg.page]
		next = followers[s.cfg.page-1]
	}
	list := map[string]any{"total": total, "count": len(followers), "next_openid": next}
	if len(followers) > 0 {
		list["data"] = map[string]any{"openid": followers}
	}
	return r.ok(list)
}
