package weibotest

import (
	"strconv"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

func (s *Server) showUser(r *request) resiliencetest.Answer {
	uid, isNumber := r.number("uid", 0)
	name := r.value.Get("screen_name")
	byID := r.value.Get("uid") != ""
	switch {
	case !isNumber, byID && name != "":
		return r.refuse("10008", "")
	case !byID && name == "":
		return r.refuse("20502", "")
	}
	u := s.people.named(name)
	if byID {
		u = s.people.users[uid]
	}
	if u == nil {
		return r.refuse("20003", "")
	}
	profile := s.profile(u, r.token.app)
	if posts := s.newest(func(p *post) bool { return p.author == u }); len(posts) > 0 && s.people.granted(r.token.app, u) {
		profile["status"] = s.status(posts[0], r.token.app, false)
		if r.value.Get("trim_status") == "1" {
			delete(profile, "status")
			profile["status_id"] = strconv.FormatInt(posts[0].id, 10)
		}
	}
	return ok(profile)
}

// profile is a user as the platform writes it. Description, verification reason and counters are only for apps that the user granted.
func (s *Server) profile(u *user, viewer *app) map[string]any {
	uid := strconv.FormatInt(u.uid, 10)
	profile := map[string]any{
		"id": u.uid, "idstr": uid, "class": 1, "screen_name": u.name, "name": u.name,
		"province": "11", "city": "1", // numbers by the document, text in live answers
		"location": "北京", "url": "", "profile_image_url": "https://pic.example/50/" + uid + ".jpg", "profile_url": "u/" + uid,
		"domain": "", "weihao": "", "gender": "n", "created_at": ruby(u.created), "following": false, "follow_me": false,
		"allow_all_act_msg": false, "allow_all_comment": true, "geo_enabled": true, "verified": false, "verified_type": -1,
		"remark": "", "ptype": 0, "avatar_large": "https://pic.example/180/" + uid + ".jpg",
		"avatar_hd": "https://pic.example/1024/" + uid + ".jpg", "online_status": 0, "bi_followers_count": 0, "lang": "zh-cn",
		"star": 0, "mbtype": 0, "mbrank": 0, "block_word": 0, "block_app": 0, "credit_score": 80, "urank": 1,
		"insecurity": map[string]any{"sexual_content": false},
	}
	if s.people.granted(viewer, u) {
		profile["description"], profile["verified_reason"] = "a made-up user", ""
		profile["followers_count"], profile["friends_count"], profile["favourites_count"] = 0, 0, 0
		profile["statuses_count"] = len(s.newest(func(p *post) bool { return p.author == u }))
	}
	return profile
}

// rateLimitStatus tells what is left of the running hour. It knows nothing of bans, as the real one, which shows budget while calls
// get 10023.
func (s *Server) rateLimitStatus(r *request) resiliencetest.Answer {
	now := r.call.Time
	reset := time.Unix(hourOf(now), 0).Add(time.Hour)
	who := whose(r.token)
	ipLimit, ipLeft := s.budget(counterIP, address(r.http), now)
	userLimit, userLeft := s.budget(counterUser, who, now)
	single := []any{}
	for _, budget := range s.singleBudgets() {
		limit, left := s.budget(budget[1], who, now)
		single = append(single, map[string]any{
			"api": "/" + budget[0], "limit": limit, "limit_time_unit": "HOURS", "remaining_hits": left,
		})
	}
	return ok(map[string]any{
		"ip_limit": ipLimit, "limit_time_unit": "HOURS", "remaining_ip_hits": ipLeft, "remaining_user_hits": userLeft,
		"reset_time": reset.In(china()).Format(time.DateTime), "reset_time_in_seconds": seconds(reset.Sub(now)),
		"user_limit": userLimit, "api_rate_limits": single,
	})
}

// seconds rounds up, so that whoever waits so long has waited long enough.
func seconds(d time.Duration) int64 { return int64((d + time.Second - 1) / time.Second) }
