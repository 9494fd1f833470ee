package wecomtest

import (
	"fmt"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A repeat is what a message was answered that may come again.
type repeat struct {
	answer resiliencetest.Answer
	until  time.Time
}

// The platform's bounds of duplicate_check_interval. What it does with more is not documented; the fake takes the most for it.
const (
	usualInterval   = 1800 * time.Second
	longestInterval = 4 * time.Hour
)

func (s *Server) send(r *request) resiliencetest.Answer {
	r.body = readDocument(r.call.Body)
	message := r.body.fields
	kind := textAt(message, "msgtype")
	part, _ := dig(message, kind).(map[string]any)
	if code := r.messageFault(kind, part); code != "" {
		return r.refuse(code)
	}
	key, interval := r.duplicateCheck()
	if before, known := s.sent[key]; interval > 0 && known && r.now.Before(before.until) {
		return before.answer
	}
	to := s.people.receivers(message)
	if !to.known {
		return r.refuse("81013")
	}
	msgid := s.messageID()
	for _, m := range to.members {
		s.deliver(m, Message{Member: m.id, Agent: r.app.agent, Type: kind, Text: firstText(part), MsgID: msgid, Time: r.now})
	}
	answer := r.sent(to, msgid, interactive(textAt(part, "card_type")))
	if interval > 0 {
		s.sent[key] = repeat{answer, r.now.Add(interval)}
	}
	return answer
}

// messageFault returns the code that a message is refused with whoever gets it, "" if it is good.
func (r *request) messageFault(kind string, part map[string]any) string {
	if _, known := appContentOf(kind); !known {
		return "40008"
	}
	if code := receiversFault(r.body.fields); code != "" {
		return code
	}
	n, isNumber := intAt(r.body.fields, "agentid")
	agent := int64(n)
	switch {
	case !given(r.body.fields, "agentid"):
		return "41011"
	case !isNumber, r.server.apps.byAgent[agent] == nil:
		return "40056"
	case agent != r.app.agent:
		return "301002"
	}
	return r.appContentFault(kind, part)
}

// duplicateCheck returns what makes a message the same as another, and for how long it must not come again; 0 if it may. The body names
// its application, so that those of two are never the same.
func (r *request) duplicateCheck() (key string, interval time.Duration) {
	if on, _ := intAt(r.body.fields, "enable_duplicate_check"); on != 1 {
		return "", 0
	}
	interval = usualInterval
	if seconds, isNumber := intAt(r.body.fields, "duplicate_check_interval"); isNumber && seconds > 0 {
		interval = min(time.Duration(seconds)*time.Second, longestInterval)
	}
	return string(r.call.Body), interval
}

func (s *Server) messageID() string {
	s.issued++
	return fmt.Sprintf("msg-%06d-made-up", s.issued)
}

// deliver gives a message to a member, who gets no more than so many from one application.
func (s *Server) deliver(to *member, m Message) {
	t := s.trafficOf(fmt.Sprintf("member %d %s", m.Agent, to.id))
	if t.exceeded(s.cfg.member, m.Time) > 0 {
		return
	}
	t.stamp(m.Time)
	s.delivered = append(s.delivered, m)
}

// sent answers a send. The lists of those who were not reached are there even if they are empty.
func (r *request) sent(to receivers, msgid string, asks bool) resiliencetest.Answer {
	answer := map[string]any{
		"invaliduser": strings.Join(to.users, separator), "invalidparty": strings.Join(to.parties, separator),
		"invalidtag": strings.Join(to.tags, separator), "unlicenseduser": strings.Join(to.unlicensed, separator), "msgid": msgid,
	}
	if asks {
		answer["response_code"] = "code-of-" + msgid
	}
	return r.ok(answer)
}
