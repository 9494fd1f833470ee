package wechattest

import (
	"maps"
	"slices"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// TemplateID is the message template that the fake knows from the start.
const TemplateID = "TM00015"

// A clientMessage is a caller's own id of a template message.
type clientMessage struct{ appid, id string }

// AddTemplate makes a message template known.
func (s *Server) AddTemplate(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.templates[id] = true
}

func (s *Server) sendTemplate(r *request) resiliencetest.Answer {
	u := s.users[r.value("touser")]
	switch {
	case u == nil:
		return s.refuse(r.call, "40003")
	case !s.templates[r.value("template_id")]:
		return s.refuse(r.call, "40037")
	case r.body.has("miniprogram") && r.body.object("miniprogram").text("appid") == "":
		return s.refuse(r.call, "40166")
	}
	if name, good := dataFault(r.body); !good {
		return s.refusal(r.call, "47003", "argument invalid! "+name)
	}
	if !u.follows {
		return s.refuse(r.call, "43004")
	}
	id := clientMessage{r.app.id, r.value("client_msg_id")}
	msgid, repeated := s.delivered[id]
	if !repeated {
		s.lastID++
		msgid = s.lastID
		s.sent = append(s.sent, Message{To: u.openid, Type: "template", Template: r.value("template_id"), MsgID: msgid})
	}
	if id.id != "" {
		s.delivered[id] = msgid
	}
	return s.done(r, map[string]any{"msgid": msgid})
}

// dataFault returns the name of the first template argument without a value, and whether all is well.
func dataFault(body object) (name string, good bool) {
	data := body.object("data")
	if data == nil {
		return "data", false
	}
	for _, name := range slices.Sorted(maps.Keys(data)) {
		if _, isText := data.object(name)["value"].(string); !isText {
			return "data." + name + ".value", false
		}
	}
	return "", true
}
