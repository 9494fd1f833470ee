package wechattest

import (
	"slices"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// Menu returns the body of the last menu/create that was accepted, byte for byte; nil if there was none.
func (s *Server) Menu() []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.menu)
}

// A level says how the platform names faults of buttons, on the menu itself or below one of its buttons.
type level struct {
	longestName                      int // bytes
	badType, badName, badKey, badURL string
}

const (
	longestKey = 128  // bytes
	longestURL = 1024 // bytes
)

func topLevel() level   { return level{16, "40017", "40018", "40019", "40020"} }
func childLevel() level { return level{60, "40024", "40025", "40026", "40027"} }

func (s *Server) createMenu(r *request) resiliencetest.Answer {
	buttons := r.body.objects("button")
	if len(buttons) < 1 || len(buttons) > 3 {
		return s.refuse(r.call, "40016")
	}
	for _, b := range buttons {
		if code := topFault(b); code != "" {
			return s.refuse(r.call, code)
		}
	}
	s.menu = slices.Clone(r.call.Body)
	return s.done(r, nil)
}

// topFault returns the code of what is wrong with a button of the menu itself, "" if nothing is.
func topFault(b object) string {
	children := b.objects("sub_button")
	if len(children) == 0 && (b.has("type") || !b.has("sub_button")) {
		return topLevel().fault(b)
	}
	if code := topLevel().sizeFault(b); code != "" {
		return code
	}
	if len(children) < 1 || len(children) > 5 {
		return "40023"
	}
	for _, child := range children {
		if len(child.objects("sub_button")) > 0 {
			return "40022"
		}
		if code := childLevel().fault(child); code != "" {
			return code
		}
	}
	return ""
}

// sizeFault checks what every button has.
func (l level) sizeFault(b object) string {
	name := b.text("name")
	switch {
	case name == "" || len(name) > l.longestName:
		return l.badName
	case len(b.text("key")) > longestKey:
		return l.badKey
	case len(b.text("url")) > longestURL:
		return l.badURL
	}
	return ""
}

// fault returns the code of what is wrong with a button that does something, "" if nothing is.
func (l level) fault(b object) string {
	if code := l.sizeFault(b); code != "" {
		return code
	}
	switch b.text("type") {
	case "click", "scancode_push", "scancode_waitmsg", "pic_sysphoto", "pic_photo_or_album", "pic_weixin", "location_select":
		return missing(b, "key", l.badKey)
	case "view":
		return missing(b, "url", l.badURL)
	case "miniprogram":
		for _, need := range [][2]string{{"url", l.badURL}, {"appid", "40166"}, {"pagepath", "40165"}} {
			if code := missing(b, need[0], need[1]); code != "" {
				return code
			}
		}
		return ""
	case "media_id", "view_limited":
		return missing(b, "media_id", "41006")
	case "article_id", "article_view_limited":
		return missing(b, "article_id", "40101")
	default:
		return l.badType
	}
}

// missing returns the code if the button lacks the field.
func missing(b object, name, code string) string {
	if b.text(name) == "" {
		return code
	}
	return ""
}
