package wecomtest

import (
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// OpenKFID is the customer-service account that the fake knows from the start.
const OpenKFID = "wk0000000000000001"

// What an account may send after a customer wrote.
const (
	kfMessages = 5
	kfWindow   = 48 * time.Hour
)

// The states of a conversation. Only in the first two may the API send.
const (
	stateNew       = 0
	stateAssistant = 1
	stateEnded     = 4
)

// desk is the customer service: its accounts and their conversations.
type desk struct {
	accounts map[string]bool
	talks    map[talkKey]*talk
	used     map[kfMessageKey]bool
}

type talkKey struct{ account, customer string }

type talk struct {
	wrote time.Time // the customer, last
	sent  int       // since then
	state int
}

// A kfMessageKey is a message id of the caller's own; each account has its own.
type kfMessageKey struct{ account, msgid string }

func newDesk() desk {
	return desk{accounts: map[string]bool{OpenKFID: true}, talks: map[talkKey]*talk{}, used: map[kfMessageKey]bool{}}
}

// CustomerWrites is a message from a customer: for 48 hours from now the account may send it five. An account that is not there is
// added, and an ended conversation begins anew.
func (s *Server) CustomerWrites(openKFID, externalUserID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.desk.talk(openKFID, externalUserID)
	t.wrote, t.sent = time.Now(), 0
	if t.state == stateEnded {
		t.state = stateNew
	}
}

// SetServiceState puts a conversation into a state: 0 untreated, 1 assistant, 2 waiting, 3 with a person, 4 ended.
func (s *Server) SetServiceState(openKFID, externalUserID string, state int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.desk.talk(openKFID, externalUserID).state = state
}

func (d *desk) talk(account, customer string) *talk {
	d.accounts[account] = true
	key := talkKey{account, customer}
	if d.talks[key] == nil {
		d.talks[key] = &talk{}
	}
	return d.talks[key]
}

func (s *Server) kfSend(r *request) resiliencetest.Answer {
	r.body = readDocument(r.call.Body)
	message := r.body.fields
	account, customer, own := textAt(message, "open_kfid"), textAt(message, "touser"), textAt(message, "msgid")
	kind := textAt(message, "msgtype")
	part, _ := dig(message, kind).(map[string]any)
	if code := r.kfFault(kind, part); code != "" {
		return r.refuse(code)
	}
	if own != "" && s.desk.used[kfMessageKey{account, own}] {
		// Documented as an error without a code; this one says that the parameters do not fit.
		return r.refuse("40058")
	}
	if code := s.desk.sendFault(account, customer, r.now); code != "" {
		return r.refuse(code)
	}
	if own == "" {
		own = s.messageID()
	}
	s.desk.used[kfMessageKey{account, own}] = true
	s.desk.talk(account, customer).sent++
	s.delivered = append(s.delivered,
		Message{Member: customer, OpenKFID: account, Type: kind, Text: firstText(part), MsgID: own, Time: r.now})
	return r.ok(map[string]any{"msgid": own})
}

// sendFault returns the code that says why a conversation takes no message now, "" if it takes one.
func (d *desk) sendFault(account, customer string, now time.Time) string {
	t := d.talks[talkKey{account, customer}]
	switch {
	case t == nil:
		return "95002"
	case t.state == stateEnded:
		return "95013"
	case t.state != stateNew && t.state != stateAssistant:
		return "95018"
	case now.Sub(t.wrote) >= kfWindow:
		return "95002"
	case t.sent >= kfMessages:
		return "95001"
	}
	return ""
}

// kfFault returns the code that a customer-service message is refused with whatever the conversation's state, "" if it is good.
func (r *request) kfFault(kind string, part map[string]any) string {
	message := r.body.fields
	fields, known := kfContentOf(kind)
	switch account := textAt(message, "open_kfid"); {
	case account == "":
		return "60251"
	case !r.server.desk.accounts[account]:
		return "95004"
	case textAt(message, "touser") == "":
		return "41035"
	case given(message, "msgid") && !goodMessageID(textAt(message, "msgid")):
		return "40035"
	case !known, part == nil:
		return "40008"
	}
	if code := r.fault(part, fields); code != "" {
		return code
	}
	switch kind {
	case "msgmenu":
		return r.menuFault(part)
	case "business_card":
		if r.server.people.member(textAt(part, "userid")) == nil {
			return "60111"
		}
	}
	return ""
}

// goodMessageID reports whether an own message id is one: at most 32 letters, digits, _ and -.
func goodMessageID(id string) bool {
	const allowed = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-"
	return id != "" && len(id) <= 32 && strings.Trim(id, allowed) == ""
}

// kfContentOf returns the fields of a part of a customer-service message; false if the platform knows no such msgtype.
func kfContentOf(kind string) ([]field, bool) {
	thumb := field{path: "thumb_media_id", code: "41006", media: "image"}
	switch kind {
	case "text":
		return []field{{path: "content", code: "44004", most: maxText, over: "45002"}}, true
	case "link":
		return []field{
			{path: "url", code: "41010"}, {path: "title", code: "41016", most: 128, over: "45002"},
			{path: "desc", most: 512, over: "45002"}, thumb,
		}, true
	case "miniprogram":
		return []field{
			{path: "appid", code: "40063"}, {path: "pagepath", code: "40063"}, {path: "title", most: 64, over: "45002"}, thumb,
		}, true
	case "msgmenu": // see menuFault
		return nil, true
	case "location":
		return []field{{path: "latitude", code: "40063"}, {path: "longitude", code: "40063"}}, true
	case "business_card":
		return []field{{path: "userid", code: "41009"}}, true
	case "ca_link":
		return []field{{path: "link_url", code: "41010"}}, true
	}
	return contentOf(kind)
}

func (r *request) menuFault(menu map[string]any) string {
	list := listAt(menu, "list")
	switch {
	case len(list) == 0:
		return "40063"
	case len(list) > 10:
		return "95008"
	}
	for _, item := range list {
		var fields []field
		switch textAt(item, "type") {
		case "click":
			fields = []field{{path: "click.id", code: "40063"}, {path: "click.content", code: "40063"}}
		case "view":
			fields = []field{{path: "view.url", code: "41010"}, {path: "view.content", code: "40063"}}
		case "miniprogram":
			fields = []field{
				{path: "miniprogram.appid", code: "40063"}, {path: "miniprogram.pagepath", code: "40063"},
				{path: "miniprogram.content", code: "40063"},
			}
		case "text":
			fields = []field{{path: "text.content", code: "40063"}}
		default:
			return "40035"
		}
		if code := r.fault(item, fields); code != "" {
			return code
		}
	}
	return ""
}
