package weibotest

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A post is a status.
type post struct {
	id      int64
	author  *user
	app     *app
	text    string
	picture bool
	at      time.Time
}

// maxPicture is the size from which pictures are refused.
const maxPicture = 5 << 20

// maxText is 140 characters; a half-width one counts half.
const maxText = 280

func (s *Server) share(r *request) resiliencetest.Answer {
	text := r.value.Get("status")
	picture, code := r.picture()
	switch {
	case text == "":
		return r.refuse("20008", "")
	case width(text) > maxText:
		return r.refuse("20012", "")
	case r.badAddress():
		return r.refuseAddress()
	case code != "":
		return r.refuse(code, "")
	case s.cfg.needLink && !strings.Contains(text, "http://") && !strings.Contains(text, "https://"):
		return r.refuse("10017", "text not find domain!")
	case !s.cfg.sameTextGood && s.lastText(r.token.user) == text:
		return r.refuse("20019", "")
	}
	s.lastID++
	p := &post{id: s.lastID, author: r.token.user, app: r.token.app, text: text, picture: picture, at: time.Now()}
	s.posts = append(s.posts, p)
	return ok(s.status(p, r.token.app, true))
}

// picture reads the part pic and returns whether there is one, and the code of what is wrong with it.
func (r *request) picture() (bool, string) {
	if mediaType(r.http) != multipartType {
		return false, ""
	}
	file, header, err := r.http.FormFile("pic")
	if err != nil {
		return false, "20007"
	}
	defer func() { _ = file.Close() }() // it is memory
	head := make([]byte, 8)
	n, err := io.ReadFull(file, head)
	switch {
	case n == 0 && err != nil:
		return false, "20007"
	case header.Size >= maxPicture:
		return false, "20006"
	case !isPicture(head[:n]):
		return false, "20005"
	}
	return true, ""
}

func isPicture(head []byte) bool {
	for _, magic := range []string{"\xff\xd8\xff", "\x89PNG\r\n\x1a\n", "GIF8"} {
		if bytes.HasPrefix(head, []byte(magic)) {
			return true
		}
	}
	return false
}

// width counts half-width characters.
func width(text string) int {
	n := 0
	for _, c := range text {
		n++
		if c >= 0x80 {
			n++
		}
	}
	return n
}

// lastText returns the text of the user's newest post, whatever app made it.
func (s *Server) lastText(u *user) string {
	for _, p := range slices.Backward(s.posts) {
		if p.author == u {
			return p.text
		}
	}
	return ""
}

func (s *Server) count(r *request) resiliencetest.Answer {
	ids := strings.Split(r.value.Get("ids"), ",")
	if r.value.Get("ids") == "" {
		return r.refuse("20001", "")
	}
	if len(ids) > 100 {
		return r.refuse("20009", "")
	}
	counts := []map[string]any{}
	for _, text := range ids {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return r.refuse("10008", "")
		}
		p := s.post(id)
		if p == nil {
			continue // unknown ones are left out
		}
		counts = append(counts, map[string]any{
			"id": p.id, "idstr": text, "comments": len(s.commentsOn(p)), "reposts": 0, "attitudes": 0,
		})
	}
	return ok(counts)
}

func (s *Server) mentions(r *request) resiliencetest.Answer {
	p, good := r.page(50, 200)
	if !good {
		return r.refuse("10008", "")
	}
	sign := "@" + r.token.user.name
	found := s.newest(func(p *post) bool {
		// Only posts by users who let the app see them come back.
		return strings.Contains(p.text, sign) && s.people.granted(r.token.app, p.author)
	})
	return ok(s.listing(p, found, len(found), r.token.app, false))
}

func (s *Server) userTimeline(r *request) resiliencetest.Answer {
	p, good := r.page(20, 100)
	uid, isNumber := r.number("uid", r.token.user.uid)
	if !good || !isNumber {
		return r.refuse("10008", "")
	}
	if name := r.value.Get("screen_name"); uid != r.token.user.uid || (name != "" && name != r.token.user.name) {
		return r.refuse("21335", "")
	}
	found := s.newest(func(p *post) bool {
		return p.author == r.token.user &&
			(r.value.Get("base_app") != "1" || p.app == r.token.app) &&
			(r.value.Get("feature") != "2" || p.picture)
	})
	total := len(found)
	if s.cfg.timeline > 0 {
		found = found[:min(total, s.cfg.timeline)]
	}
	return ok(s.listing(p, found, total, r.token.app, r.value.Get("trim_user") == "1"))
}

// newest returns the posts that match, newest first.
func (s *Server) newest(match func(*post) bool) []*post {
	var found []*post
	for _, p := range slices.Backward(s.posts) {
		if match(p) {
			found = append(found, p)
		}
	}
	return found
}

func (s *Server) listing(p page, found []*post, total int, viewer *app, trimUser bool) map[string]any {
	some, next := cutPage(p, found, func(p *post) int64 { return p.id })
	items := make([]map[string]any, len(some))
	for i, p := range some {
		items[i] = s.status(p, viewer, true)
		if trimUser {
			delete(items[i], "user")
			items[i]["user_id"] = p.author.uid
		}
	}
	frame := frame("statuses", items, total, next)
	frame["since_id"], frame["max_id"] = 0, next
	frame["interval"], frame["has_unread"] = 0, 0
	frame["advertises"], frame["ad"] = []any{}, []any{}
	return frame
}

func (s *Server) post(id int64) *post {
	i := slices.IndexFunc(s.posts, func(p *post) bool { return p.id == id })
	if i < 0 {
		return nil
	}
	return s.posts[i]
}

// status is a post as the platform writes it, for an app that looks at it.
func (s *Server) status(p *post, viewer *app, withUser bool) map[string]any {
	idstr := strconv.FormatInt(p.id, 10)
	status := map[string]any{
		"id": p.id, "idstr": idstr, "mid": idstr, "created_at": ruby(p.at), "text": p.text, "textLength": width(p.text),
		"source":            fmt.Sprintf(`<a href="https://app.example/%s" rel="nofollow">app %[1]s</a>`, p.app.key),
		"source_allowclick": 0, "source_type": 1, "can_edit": false, "favorited": false, "truncated": false,
		"in_reply_to_status_id": "", "in_reply_to_user_id": "", "in_reply_to_screen_name": "", "pic_urls": []any{}, "geo": nil,
		"reposts_count": 0, "comments_count": len(s.commentsOn(p)), "attitudes_count": 0, "isLongText": false, "mlevel": 0,
		"visible": map[string]any{"type": 0, "list_id": 0}, "biz_ids": []any{}, "annotations": []any{map[string]any{"mapi": true}},
	}
	if p.picture {
		for size, name := range map[string]string{"thumbnail": "thumbnail_pic", "bmiddle": "bmiddle_pic", "large": "original_pic"} {
			status[name] = "https://pic.example/" + size + "/" + idstr + ".jpg"
		}
		status["pic_urls"] = []any{map[string]any{"thumbnail_pic": status["thumbnail_pic"]}}
	}
	if withUser {
		status["user"] = s.profile(p.author, viewer)
	}
	return status
}
