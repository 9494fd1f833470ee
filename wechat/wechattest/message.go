package wechattest

import (
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A Message is what the fake sent to a user.
type Message struct {
	To       string // openid
	Type     string // msgtype of a customer message, "template" for a template message
	Text     string // of a customer message of type text
	Template string // id of a template message's template
	MsgID    int64  // of a template message; 0 for customer messages, whose id the platform does not tell
}

// Sent returns the messages that were carried out, in their order.
func (s *Server) Sent() []Message {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.sent)
}

// The window that a user's action opens for customer messages.
const (
	windowLength   = 48 * time.Hour
	windowMessages = 5
)

// A part is what a customer message of a type must hold.
type part struct{ texts, media, lists []string }

// parts returns what stands in the part that is named as the message's type.
func parts() map[string]part {
	mediaID, thumb := []string{"media_id"}, []string{"thumb_media_id"}
	return map[string]part{
		"text":            {texts: []string{"content"}},
		"image":           {media: mediaID},
		"voice":           {media: mediaID},
		"video":           {media: []string{"media_id", "thumb_media_id"}},
		"music":           {media: thumb, texts: []string{"musicurl"}},
		"news":            {lists: []string{"articles"}},
		"mpnews":          {media: mediaID},
		"mpnewsarticle":   {texts: []string{"article_id"}},
		"msgmenu":         {lists: []string{"list"}},
		"wxcard":          {texts: []string{"card_id"}},
		"miniprogrampage": {media: thumb, texts: []string{"title", "pagepath"}},
		"link":            {texts: []string{"title", "description", "url", "thumb_url"}},
	}
}

func (s *Server) sendCustom(r *request) resiliencetest.Answer {
	kind := r.value("msgtype")
	u := s.users[r.value("touser")]
	if u == nil {
		return s.refuse(r.call, "40003")
	}
	p, known := parts()[kind]
	if !known {
		return s.refuse(r.call, "40008")
	}
	content := r.body.object(kind)
	if code := s.contentFault(r.app, kind, p, content); code != "" {
		return s.refuse(r.call, code)
	}
	if code := s.window(u); code != "" {
		return s.refuse(r.call, code)
	}
	u.got++
	s.sent = append(s.sent, Message{To: u.openid, Type: kind, Text: r.body.object("text").text("content")})
	return s.done(r, nil)
}

// contentFault returns the code of what is wrong with a message's content, "" if nothing is.
func (s *Server) contentFault(a *app, kind string, p part, content object) string {
	if kind == "news" && len(content.objects("articles")) != 1 {
		return "45008"
	}
	for _, name := range p.media {
		switch id := content.text(name); {
		case id == "":
			return "41006"
		case s.live(a, id) == nil:
			return "40007"
		}
	}
	for _, name := range p.lists {
		if len(content.objects(name)) == 0 {
			return "44005"
		}
	}
	for _, name := range p.texts {
		if content.text(name) != "" {
			continue
		}
		if kind == "text" {
			return "44004"
		}
		return "40101"
	}
	return ""
}

// window returns the code that a customer message to the user is refused with now, "" if it may go.
func (s *Server) window(u *user) string {
	switch {
	case !s.cfg.replyWindow:
		return ""
	case u.acted.IsZero() || time.Since(u.acted) >= windowLength:
		return "45015"
	case u.got >= windowMessages:
		return "45047"
	}
	return ""
}
