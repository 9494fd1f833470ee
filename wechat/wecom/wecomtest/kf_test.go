package wecomtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

const customer = "wm-made-up-customer"

// kfBody is a text to the customer, changed. A nil takes a field away.
func kfBody(change m) string {
	return encode(with(m{
		"open_kfid": wecomtest.OpenKFID, "touser": customer, "msgtype": "text", "text": m{"content": "hello"},
	}, change))
}

// fresh returns the caller with a token that is good now.
func (c *caller) fresh() *caller {
	return c.as(c.login(wecomtest.CorpID, wecomtest.Secret).text("access_token"))
}

func TestKFWindow(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		send := func() string { return c.fresh().post(pathKF, kfBody(nil)).code() }
		check(t, "before the customer wrote", send(), 95002)
		srv.CustomerWrites(wecomtest.OpenKFID, customer)
		for range 5 {
			check(t, "five", send(), 0)
		}
		check(t, "the sixth", send(), 95001)
		check(t, "another customer", c.post(pathKF, kfBody(m{"touser": "another"})).code(), 95002)
		time.Sleep(time.Hour)
		srv.CustomerWrites(wecomtest.OpenKFID, customer)
		time.Sleep(48*time.Hour - 1)
		check(t, "the customer wrote again", send(), 0)
		time.Sleep(time.Nanosecond)
		check(t, "48 hours later", send(), 95002)
		sent := srv.Delivered()
		check(t, "delivered", []any{len(sent), sent[0].Member, sent[0].OpenKFID, sent[0].Agent, sent[0].Type, sent[0].Text},
			[]any{6, customer, wecomtest.OpenKFID, 0, "text", "hello"})
	})
}

func TestKFMessageID(t *testing.T) {
	srv, c := start(t)
	const second = "wk0000000000000002"
	srv.CustomerWrites(wecomtest.OpenKFID, customer)
	srv.CustomerWrites(second, customer)
	send := func(change m) string { return c.post(pathKF, kfBody(change)).code() }
	check(t, "own id", c.post(pathKF, kfBody(m{"msgid": "order-1"})).field("msgid"), "order-1")
	check(t, "a repeat", send(m{"msgid": "order-1"}), 40058)
	check(t, "a repeat with another text", send(m{"msgid": "order-1", "text": m{"content": "x"}}), 40058)
	check(t, "another account", send(m{"msgid": "order-1", "open_kfid": second}), 0)
	check(t, "not delivered again", len(srv.Delivered()), 2)
	first, next := c.post(pathKF, kfBody(nil)).text("msgid"), c.post(pathKF, kfBody(nil)).text("msgid")
	check(t, "ids of the platform differ", []any{first != next, first != ""}, []any{true, true})
	for name, bad := range map[string]any{"33 bytes": strings.Repeat("x", 33), "a space": "a b", "not ASCII": "号", "a number": 1} {
		check(t, name, send(m{"msgid": bad}), 40035)
	}
	check(t, "32 bytes", send(m{"msgid": strings.Repeat("x", 30) + "_-"}), 0)

	// An id that was refused for the window is free once the window is open, and a repeat is a repeat when it is closed again.
	check(t, "fifth", send(m{"msgid": "order-5"}), 0)
	check(t, "over the five", send(m{"msgid": "order-6"}), 95001)
	check(t, "repeat over the five", send(m{"msgid": "order-5"}), 40058)
	srv.CustomerWrites(wecomtest.OpenKFID, customer)
	check(t, "free again", send(m{"msgid": "order-6"}), 0)
}

func TestKFStates(t *testing.T) {
	srv, c := start(t)
	for state, code := range map[int]int{0: 0, 1: 0, 2: 95018, 3: 95018, 4: 95013} {
		who := fmt.Sprint("customer-", state)
		srv.CustomerWrites(wecomtest.OpenKFID, who)
		srv.SetServiceState(wecomtest.OpenKFID, who, state)
		check(t, fmt.Sprint("state ", state), c.post(pathKF, kfBody(m{"touser": who})).code(), code)
	}
	srv.CustomerWrites(wecomtest.OpenKFID, "customer-4")
	check(t, "an ended conversation begins anew", c.post(pathKF, kfBody(m{"touser": "customer-4"})).code(), 0)
	srv.CustomerWrites(wecomtest.OpenKFID, "customer-3")
	check(t, "one with a person goes on", c.post(pathKF, kfBody(m{"touser": "customer-3"})).code(), 95018)
}

func TestKFContents(t *testing.T) {
	srv, c := start(t)
	picture := c.picture()
	link := func(change m) m {
		return with(m{"url": "https://app.example/1", "title": "link", "thumb_media_id": picture}, change)
	}
	mini := func(change m) m {
		return with(m{"appid": "wx0000000000000001", "pagepath": "p", "thumb_media_id": picture}, change)
	}
	menu := func(n int, item m) m { return m{"head_content": "head", "list": slices.Repeat([]any{item}, n)} }
	click := m{"type": "click", "click": m{"id": "1", "content": "yes"}}
	tests := []struct {
		name   string
		change m
		code   int
		text   string
	}{
		{name: "no account", change: m{"open_kfid": nil}, code: 60251},
		{name: "unknown account", change: m{"open_kfid": "wk9"}, code: 95004},
		{name: "no customer", change: m{"touser": nil}, code: 41035},
		{name: "no msgtype", change: m{"msgtype": nil}, code: 40008},
		{name: "msgtype of applications", change: m{"msgtype": "markdown", "markdown": m{"content": "x"}}, code: 40008},
		{name: "no part", change: m{"text": nil}, code: 40008},
		{name: "empty text", change: m{"text": m{}}, code: 44004},
		{name: "long text", change: m{"text": m{"content": strings.Repeat("x", 2049)}}, code: 45002},
		{name: "image", change: m{"msgtype": "image", "image": m{"media_id": picture}}, text: picture},
		{name: "unknown image", change: m{"msgtype": "image", "image": m{"media_id": "x"}}, code: 40007},
		{name: "link", change: m{"msgtype": "link", "link": link(nil)}, text: "link"},
		{name: "link without picture", change: m{"msgtype": "link", "link": link(m{"thumb_media_id": nil})}, code: 41006},
		{name: "link with a long title", change: m{"msgtype": "link", "link": link(m{"title": strings.Repeat("x", 129)})}, code: 45002},
		{name: "mini program", change: m{"msgtype": "miniprogram", "miniprogram": mini(m{"title": "mini"})}, text: "mini"},
		{name: "mini program without page", change: m{"msgtype": "miniprogram", "miniprogram": mini(m{"pagepath": nil})}, code: 40063},
		{name: "menu", change: m{"msgtype": "msgmenu", "msgmenu": menu(10, click)}, text: "head"},
		{name: "empty menu", change: m{"msgtype": "msgmenu", "msgmenu": menu(0, nil)}, code: 40063},
		{name: "long menu", change: m{"msgtype": "msgmenu", "msgmenu": menu(11, click)}, code: 95008},
		{name: "menu item of no kind", change: m{"msgtype": "msgmenu", "msgmenu": menu(1, m{"type": "x"})}, code: 40035},
		{name: "menu view without url",
			change: m{"msgtype": "msgmenu", "msgmenu": menu(1, m{"type": "view", "view": m{"content": "x"}})}, code: 41010},
		{name: "menu text without content",
			change: m{"msgtype": "msgmenu", "msgmenu": menu(1, m{"type": "text", "text": m{}})}, code: 40063},
		{name: "menu mini program without page",
			change: m{"msgtype": "msgmenu", "msgmenu": menu(1, m{"type": "miniprogram", "miniprogram": m{"appid": "wx1"}})}, code: 40063},
		{name: "location", change: m{"msgtype": "location", "location": m{"latitude": 23.1, "longitude": 0, "name": "here"}}, text: "here"},
		{name: "half a location", change: m{"msgtype": "location", "location": m{"latitude": 23.1}}, code: 40063},
		{name: "card", change: m{"msgtype": "business_card", "business_card": m{"userid": "u2"}}, text: "u2"},
		{name: "card of nobody", change: m{"msgtype": "business_card", "business_card": m{"userid": "x"}}, code: 60111},
		{name: "acquisition link", change: m{"msgtype": "ca_link", "ca_link": m{"link_url": "https://app.example/ca"}},
			text: "https://app.example/ca"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv.CustomerWrites(wecomtest.OpenKFID, customer)
			before := len(srv.Delivered())
			check(t, "code", c.post(pathKF, kfBody(tt.change)).code(), tt.code)
			sent := srv.Delivered()[before:]
			if tt.code != 0 {
				check(t, "delivered", len(sent), 0)
				return
			}
			check(t, "delivered", []any{len(sent), sent[0].Text}, []any{1, tt.text})
		})
	}
	check(t, "broken JSON", strings.HasPrefix(c.post(pathKF, "{").text("errmsg"), "Warning: wrong json format. open_kfid missing, hint: "), true)
}
