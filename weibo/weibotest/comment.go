package weibotest

import (
	"slices"
	"strconv"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A comment stands under a post and may answer another one.
type comment struct {
	id       int64
	post     *post
	author   *user
	app      *app
	text     string
	at       time.Time
	answered *comment // nil if it answers the post
	floor    int
}

func (s *Server) showComments(r *request) resiliencetest.Answer {
	page, good := r.page(50, 200)
	id, isNumber := r.number("id", 0)
	if !good || !isNumber {
		return r.refuse("10008", "")
	}
	p := s.post(id)
	if p == nil {
		return r.refuse("20101", "")
	}
	found := s.commentsOn(p)
	slices.Reverse(found)
	some, next := cutPage(page, found, func(c *comment) int64 { return c.id })
	items := make([]map[string]any, len(some))
	for i, c := range some {
		items[i] = s.remark(c, r.token.app)
	}
	frame := frame("comments", items, len(found), next)
	frame["marks"], frame["status"] = []any{}, s.status(p, r.token.app, true)
	return ok(frame)
}

func (s *Server) createComment(r *request) resiliencetest.Answer { return s.addComment(r, nil) }

func (s *Server) replyComment(r *request) resiliencetest.Answer {
	cid, isNumber := r.number("cid", 0)
	if !isNumber {
		return r.refuse("10008", "")
	}
	i := slices.IndexFunc(s.remarks, func(c *comment) bool { return c.id == cid })
	if i < 0 {
		return r.refuse("20201", "")
	}
	return s.addComment(r, s.remarks[i])
}

func (s *Server) addComment(r *request, answered *comment) resiliencetest.Answer {
	text := r.value.Get("comment")
	id, isNumber := r.number("id", 0)
	p := s.post(id)
	switch {
	case !isNumber:
		return r.refuse("10008", "")
	case text == "":
		return r.refuse("20008", "")
	case width(text) > maxText:
		return r.refuse("20012", "")
	case r.badAddress():
		return r.refuseAddress()
	case p == nil:
		return r.refuse("20101", "")
	case answered != nil && answered.post != p:
		return r.refuse("20201", "")
	}
	if answered != nil && r.value.Get("without_mention") != "1" {
		text = "回复@" + answered.author.name + ":" + text
	}
	if !s.cfg.sameTextGood && s.lastRemark(r.token.user) == text {
		return r.refuse("20019", "")
	}
	s.lastID++
	c := &comment{id: s.lastID, post: p, author: r.token.user, app: r.token.app, text: text, at: time.Now(), answered: answered,
		floor: len(s.commentsOn(p)) + 1}
	s.remarks = append(s.remarks, c)
	return ok(s.remark(c, r.token.app))
}

// lastRemark returns the text of the user's newest comment.
func (s *Server) lastRemark(u *user) string {
	for _, c := range slices.Backward(s.remarks) {
		if c.author == u {
			return c.text
		}
	}
	return ""
}

// commentsOn returns the comments of a post, oldest first.
func (s *Server) commentsOn(p *post) []*comment {
	var found []*comment
	for _, c := range s.remarks {
		if c.post == p {
			found = append(found, c)
		}
	}
	return found
}

// remark is a comment as the platform writes it.
func (s *Server) remark(c *comment, viewer *app) map[string]any {
	root := c
	for root.answered != nil {
		root = root.answered
	}
	idstr := strconv.FormatInt(c.id, 10)
	remark := map[string]any{
		"id": c.id, "idstr": idstr, "mid": idstr, "rootid": root.id, "floor_number": c.floor, "created_at": ruby(c.at),
		"text": c.text, "source": "", "source_type": 1, "source_allowclick": 0, "disable_reply": 0, "like_count": 0,
		"liked": false, "user": s.profile(c.author, viewer), "status": s.status(c.post, viewer, true),
	}
	if c.answered != nil {
		remark["reply_comment"] = s.remark(c.answered, viewer)
		remark["reply_original_text"] = c.answered.text
	}
	return remark
}
