package wecomtest_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// to returns who got the messages, in their order.
func to(messages []wecomtest.Message) []string {
	var members []string
	for _, message := range messages {
		members = append(members, message.Member)
	}
	return members
}

func TestReceivers(t *testing.T) {
	tests := []struct {
		name                       string
		message                    m
		code                       int
		got                        string
		users, parties, tags, free string
	}{
		{name: "one", message: m{"touser": "u1"}, got: "u1"},
		{name: "some are unknown", message: m{"touser": "X1|u3|X2"}, got: "u3", users: "x1|x2"},
		{name: "all are unknown", message: m{"touser": "x1|x2"}, code: 81013},
		{name: "case", message: m{"touser": "U1"}, got: "u1"},
		{name: "department and below", message: m{"touser": nil, "toparty": "2"}, got: "u1 u2 u3 u4"},
		{name: "each once", message: m{"touser": "u3|u3", "toparty": "3", "totag": "1"}, got: "u3 u4 u1 u2"},
		{name: "unknown department and tag", message: m{"toparty": "3|9", "totag": "1|8|x"}, got: "u1 u3 u4 u2", parties: "9", tags: "8|x"},
		{name: "only unknown groups", message: m{"touser": nil, "toparty": "9", "totag": "8"}, code: 81013},
		{name: "all", message: m{"touser": "@all", "toparty": "9"}, got: "u1 u2 u3 u4 u5", free: "free"},
		{name: "no licence", message: m{"touser": "u1|Free"}, got: "u1", free: "free"},
		{name: "nobody has a licence", message: m{"touser": "Free"}, code: 81013},
		{name: "no licence in a department", message: m{"touser": nil, "toparty": "1"}, got: "u1 u2 u3 u4 u5", free: "free"},
		{name: "own tag", message: m{"touser": nil, "totag": "7"}, got: "u5 u1"},
		{name: "nobody", message: m{"touser": nil}, code: 82001},
		{name: "nobody in words", message: m{"touser": "", "toparty": "|"}, code: 82001},
		{name: "a list", message: m{"touser": []string{"u1"}}, code: 40058},
		{name: "1,000 members", message: m{"touser": "u1" + strings.Repeat("|u1", 999)}, got: "u1"},
		{name: "1,001 members", message: m{"touser": "u1" + strings.Repeat("|u1", 1000)}, code: 40032},
		{name: "100 departments", message: m{"touser": nil, "toparty": "1" + strings.Repeat("|1", 99)}, got: "u1 u2 u3 u4 u5", free: "free"},
		{name: "101 departments", message: m{"toparty": "1" + strings.Repeat("|1", 100)}, code: 82002},
		{name: "101 tags", message: m{"totag": "1" + strings.Repeat("|1", 100)}, code: 82003},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, c := start(t)
			srv.AddMember("Free", 1, false)
			srv.AddTag(7, "u5", "u1", "nobody")
			answer := c.post(pathSend, body(tt.message))
			check(t, "code", answer.code(), tt.code)
			check(t, "delivered", strings.Join(to(srv.Delivered()), " "), tt.got)
			check(t, "lists", []any{answer.field("invaliduser"), answer.field("invalidparty"), answer.field("invalidtag"),
				answer.field("unlicenseduser")}, []any{tt.users, tt.parties, tt.tags, tt.free})
			if answer.field("msgid") == "" && tt.code == 0 {
				t.Error("no msgid")
			}
		})
	}
}

// picture uploads a picture and returns its media id.
func (c *caller) picture() string {
	c.t.Helper()
	return c.upload("image", "a.png", "image/png", png(100)).text("media_id")
}

func TestContents(t *testing.T) {
	srv, c := start(t)
	picture := c.picture()
	voice := c.upload("voice", "a.amr", "audio/amr", []byte("#!AMR\n12345")).text("media_id")
	article := func(change m) m { return with(m{"title": "one", "url": "https://app.example/1"}, change) }
	news := func(n int, change m) m {
		return m{"articles": slices.Repeat([]any{article(change)}, n)}
	}
	mpnews := func(change m) m {
		return m{"articles": []any{with(m{"title": "one", "content": "<p>", "thumb_media_id": picture}, change)}}
	}
	textcard := func(change m) m {
		return with(m{"title": "card", "description": "d", "url": "https://app.example/1"}, change)
	}
	card := func(change m) m {
		return with(m{"card_type": "text_notice", "main_title": m{"title": "card"}, "card_action": m{"type": 1, "url": "https://app.example"}},
			change)
	}
	task := func(change m) m {
		return with(textcard(m{"task_id": "t1", "btn": []any{m{"key": "k", "name": "n"}}}), change)
	}
	notice := func(change m) m {
		return with(m{"appid": "wx0000000000000001", "page": "p", "title": "notice"}, change)
	}
	long := strings.Repeat("长", 683) // 2049 bytes
	tests := []struct {
		name string
		kind string
		part any
		code int
		text string // delivered
	}{
		{name: "text", kind: "text", part: m{"content": "hello 饼干 <&>"}, text: "hello 饼干 <&>"},
		{name: "long text is cut", kind: "text", part: m{"content": long}, text: strings.Repeat("长", 682)},
		{name: "empty text", kind: "text", part: m{"content": ""}, code: 44004},
		{name: "no part", kind: "text", code: 40008},
		{name: "no msgtype", kind: "", part: m{}, code: 40008},
		{name: "unknown msgtype", kind: "poem", part: m{"content": "x"}, code: 40008},
		{name: "a part of another kind", kind: "text", part: "x", code: 40008},
		{name: "markdown", kind: "markdown", part: m{"content": "**x**"}, text: "**x**"},
		{name: "long markdown", kind: "markdown", part: m{"content": long}, code: 45002},
		{name: "image", kind: "image", part: m{"media_id": picture}, text: picture},
		{name: "image without id", kind: "image", part: m{}, code: 41006},
		{name: "unknown image", kind: "image", part: m{"media_id": "x"}, code: 40007},
		{name: "voice", kind: "voice", part: m{"media_id": voice}, text: voice},
		{name: "voice as file", kind: "file", part: m{"media_id": voice}, code: 40007},
		{name: "picture as video", kind: "video", part: m{"media_id": picture}, code: 40007},
		{name: "textcard", kind: "textcard", part: textcard(nil), text: "card"},
		{name: "long title is cut", kind: "textcard", part: textcard(m{"title": strings.Repeat("x", 129)}), text: strings.Repeat("x", 128)},
		{name: "textcard without title", kind: "textcard", part: textcard(m{"title": nil}), code: 41016},
		{name: "textcard without description", kind: "textcard", part: textcard(m{"description": nil}), code: 41033},
		{name: "textcard without url", kind: "textcard", part: textcard(m{"url": nil}), code: 41010},
		{name: "textcard with a long url", kind: "textcard", part: textcard(m{"url": strings.Repeat("x", 2049)}), code: 40039},
		{name: "news", kind: "news", part: news(8, nil), text: "one"},
		{name: "9 articles", kind: "news", part: news(9, nil), code: 45008},
		{name: "no article", kind: "news", part: news(0, nil), code: 40063},
		{name: "article without title", kind: "news", part: news(1, m{"title": nil}), code: 41016},
		{name: "article without url", kind: "news", part: news(1, m{"url": nil}), code: 41010},
		{name: "article with half a mini program", kind: "news", part: news(1, m{"url": nil, "appid": "wx1"}), code: 41010},
		{name: "article with a mini program", kind: "news", part: news(1, m{"url": nil, "appid": "wx1", "pagepath": "p"}), text: "one"},
		{name: "mpnews", kind: "mpnews", part: mpnews(nil), text: "one"},
		{name: "mpnews without content", kind: "mpnews", part: mpnews(m{"content": nil}), code: 44004},
		{name: "mpnews without picture", kind: "mpnews", part: mpnews(m{"thumb_media_id": nil}), code: 41006},
		{name: "mpnews with a voice as picture", kind: "mpnews", part: mpnews(m{"thumb_media_id": voice}), code: 40007},
		{name: "mpnews with a long author", kind: "mpnews", part: mpnews(m{"author": strings.Repeat("x", 65)}), code: 45032},
		{name: "notice", kind: "miniprogram_notice", part: notice(nil), text: "notice"},
		{name: "notice without page", kind: "miniprogram_notice", part: notice(m{"page": nil}), code: 40063},
		{name: "notice with 11 rows", kind: "miniprogram_notice",
			part: notice(m{"content_item": slices.Repeat([]any{m{"key": "k", "value": "v"}}, 11)}), code: 40058},
		{name: "task card", kind: "interactive_taskcard", part: task(nil), text: "card"},
		{name: "task card without id", kind: "interactive_taskcard", part: task(m{"task_id": nil}), code: 42014},
		{name: "task card without button", kind: "interactive_taskcard", part: task(m{"btn": nil}), code: 40063},
		{name: "template", kind: "template_msg", part: m{"template_id": "tpl"}, text: "tpl"},
		{name: "template row without value", kind: "template_msg",
			part: m{"template_id": "tpl", "content_item": []any{m{"key": "k"}}}, code: 40063},
		{name: "template card", kind: "template_card", part: card(nil), text: "card"},
		{name: "sub title only", kind: "template_card", part: card(m{"main_title": nil, "sub_title_text": "sub"}), text: "sub"},
		{name: "card_type", kind: "template_card", part: card(m{"card_type": "x"}), code: 42031},
		{name: "title", kind: "template_card", part: card(m{"main_title": m{"desc": "d"}}), code: 42033},
		{name: "action", kind: "template_card", part: card(m{"card_action": m{"type": 3}}), code: 42045},
		{name: "action is no number", kind: "template_card", part: card(m{"card_action": m{"type": "1"}}), code: 42045},
		{name: "action without url", kind: "template_card", part: card(m{"card_action": m{"type": 1}}), code: 42028},
		{name: "action without appid", kind: "template_card", part: card(m{"card_action": m{"type": 2}}), code: 42030},
		{name: "jump without url", kind: "template_card", part: card(m{"jump_list": []any{m{"type": 1, "title": "t"}}}), code: 42028},
		{name: "4 jumps", kind: "template_card", part: card(m{"jump_list": slices.Repeat([]any{m{"title": "t"}}, 4)}), code: 42042},
		{name: "7 rows", kind: "template_card",
			part: card(m{"horizontal_content_list": slices.Repeat([]any{m{"keyname": "k", "value": "v"}}, 7)}), code: 42035},
		{name: "row without key", kind: "template_card", part: card(m{"horizontal_content_list": []any{m{"value": "v"}}}), code: 42027},
		{name: "attachment without id", kind: "template_card",
			part: card(m{"horizontal_content_list": []any{m{"keyname": "k", "value": "v", "type": 2}}}), code: 42029},
		{name: "attachment that is no file", kind: "template_card",
			part: card(m{"horizontal_content_list": []any{m{"keyname": "k", "value": "v", "type": 2, "media_id": picture}}}), code: 40007},
		{name: "5 columns", kind: "template_card",
			part: card(m{"vertical_content_list": slices.Repeat([]any{m{"title": "t"}}, 5)}), code: 42036},
		{name: "picture without url", kind: "template_card",
			part: card(m{"card_type": "news_notice", "card_image": m{"aspect_ratio": 1.5}}), code: 42044},
		{name: "question without key", kind: "template_card", part: card(m{"checkbox": m{"option_list": []any{}}}), code: 42043},
		{name: "interactive without task", kind: "template_card", part: card(m{"card_type": "button_interaction"}), code: 42014},
		{name: "interactive", kind: "template_card", part: card(m{"card_type": "button_interaction", "task_id": "t"}), text: "card"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := len(srv.Delivered())
			answer := c.post(pathSend, body(m{"touser": "u5", "msgtype": tt.kind, "text": nil, "": nil, tt.kind: tt.part, "toparty": ""}))
			check(t, "code", answer.code(), tt.code)
			sent := srv.Delivered()[before:]
			if tt.code != 0 {
				check(t, "delivered", len(sent), 0)
				return
			}
			check(t, "delivered", []any{len(sent), sent[0].Type, sent[0].Text, sent[0].MsgID}, []any{1, tt.kind, tt.text, answer.field("msgid")})
			check(t, "response_code", answer.field("response_code") != nil, tt.name == "interactive")
		})
	}
}

// with returns the fields, changed; a nil takes one away.
func with(fields, change m) m {
	for name, value := range change {
		if value == nil {
			delete(fields, name)
			continue
		}
		fields[name] = value
	}
	return fields
}

func TestDuplicateCheck(t *testing.T) {
	tests := []struct {
		name     string
		change   m
		interval time.Duration
	}{
		{"default", m{}, 30 * time.Minute},
		{"own", m{"duplicate_check_interval": 60}, time.Minute},
		{"too long", m{"duplicate_check_interval": 99_999}, 4 * time.Hour},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
				message := body(with(m{"touser": "u1|x1", "enable_duplicate_check": 1}, tt.change))
				send := func() (answer, int) {
					answer := c.fresh().post(pathSend, message) // tokens end in the longest interval
					return answer, len(srv.Delivered())
				}
				first, n := send()
				check(t, "first", []any{first.code(), first.field("invaliduser"), n}, []any{0, "x1", 1})
				time.Sleep(tt.interval - 1)
				again, n := send()
				check(t, "again", []any{again.body, n}, []any{first.body, 1})
				time.Sleep(time.Nanosecond)
				later, n := send()
				check(t, "after the interval", []any{later.code(), later.field("msgid") != first.field("msgid"), n}, []any{0, true, 2})
			})
		})
	}
	srv, c := start(t)
	c.sendText("u1", "plain")
	c.sendText("u1", "plain")
	check(t, "without the check", len(srv.Delivered()), 2)
	checked := func(text string) string {
		return body(m{"enable_duplicate_check": 1, "text": m{"content": text}})
	}
	c.post(pathSend, checked("a"))
	c.post(pathSend, checked("b"))
	check(t, "other bodies", len(srv.Delivered()), 4)
	srv.AddApp(1000003, "secret-3")
	own := func(agent int) string {
		return body(m{"enable_duplicate_check": 1, "agentid": agent, "text": m{"content": "c"}})
	}
	c.post(pathSend, own(wecomtest.AgentID))
	c.as(c.login(wecomtest.CorpID, "secret-3").text("access_token")).post(pathSend, own(1000003))
	check(t, "another application", len(srv.Delivered()), 6)
	bad := body(m{"enable_duplicate_check": 1, "touser": "nobody-yet"})
	check(t, "a refused message", c.post(pathSend, bad).code(), 81013)
	srv.AddMember("nobody-yet", 1, true)
	check(t, "is not a duplicate of itself", c.post(pathSend, bad).code(), 0)
}

func TestMemberLimits(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		srv.AddApp(1000003, "secret-3")
		other := c.as(c.login(wecomtest.CorpID, "secret-3").text("access_token"))
		for i := range 35 {
			check(t, "every send succeeds", c.sendText("u1", fmt.Sprint(i)).code(), 0)
		}
		check(t, "a minute", len(srv.Delivered()), 30)
		c.sendText("u1|u2", "u2 has room")
		other.post(pathSend, body(m{"agentid": 1000003}))
		sent := srv.Delivered()
		check(t, "another member, another application", []any{len(sent), sent[30].Member, sent[31].Member, sent[31].Agent},
			[]any{32, "u2", "u1", 1000003})
		time.Sleep(time.Minute - 1)
		c.sendText("u1", "too early")
		check(t, "before the minute ends", len(srv.Delivered()), 32)
		time.Sleep(time.Nanosecond)
		c.sendText("u1", "again")
		check(t, "when it ends", len(srv.Delivered()), 33)
	})
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		begin := time.Now()
		for range 59 {
			for range 30 {
				c.sendText("u1", "x")
			}
			time.Sleep(time.Minute)
		}
		check(t, "an hour", len(srv.Delivered()), 1000)
		time.Sleep(time.Until(begin.Add(time.Hour)) - 1)
		c.sendText("u1", "x")
		check(t, "before the hour ends", len(srv.Delivered()), 1000)
		time.Sleep(time.Nanosecond)
		c.sendText("u1", "x")
		check(t, "when it ends", len(srv.Delivered()), 1001)
	})
	srv, c := start(t, wecomtest.WithMemberMinuteLimit(2))
	for range 3 {
		c.sendText("u1", "x")
	}
	check(t, "own minute", len(srv.Delivered()), 2)
	srv, c = start(t, wecomtest.WithMemberHourLimit(3))
	for range 5 {
		c.sendText("u1", "x")
	}
	check(t, "own hour", len(srv.Delivered()), 3)
	srv, c = start(t, wecomtest.Unlimited())
	for range 40 {
		c.sendText("u1", "x")
	}
	check(t, "no limit", len(srv.Delivered()), 40)
}
