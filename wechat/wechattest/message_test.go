package wechattest_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func TestCustomMessages(t *testing.T) {
	srv, c := start(t)
	image := c.upload("image", "a.png", []byte("0123456789")).text("media_id")
	thumb := c.upload("thumb", "a.jpg", []byte("0123456789")).text("thumb_media_id")
	foreign := c.other(srv).upload("image", "a.png", []byte("0123456789")).text("media_id")
	const article = `{"title":"t","description":"d","url":"https://shop.example/?a=1&b=2","picurl":"https://pic.example/1"}`
	tests := []struct {
		name, kind, part string // part is the whole member
		code             string
	}{
		{"text", "text", `"text":{"content":"今日<新> & more"}`, ""},
		{"image", "image", `"image":{"media_id":"` + image + `"}`, ""},
		{"voice", "voice", `"voice":{"media_id":"` + image + `"}`, ""},
		{"video", "video", `"video":{"media_id":"` + image + `","thumb_media_id":"` + thumb + `"}`, ""},
		{"music", "music", `"music":{"musicurl":"https://m.example","thumb_media_id":"` + thumb + `"}`, ""},
		{"news", "news", `"news":{"articles":[` + article + `]}`, ""},
		{"article", "mpnewsarticle", `"mpnewsarticle":{"article_id":"a"}`, ""},
		{"menu", "msgmenu", `"msgmenu":{"list":[{"id":"1","content":"yes"}]}`, ""},
		{"card", "wxcard", `"wxcard":{"card_id":"c"}`, ""},
		{"mini program", "miniprogrampage", `"miniprogrampage":{"title":"t","pagepath":"p","thumb_media_id":"` + thumb + `"}`, ""},
		{"link", "link", `"link":{"title":"t","description":"d","url":"u","thumb_url":"v"}`, ""},
		{"no text", "text", `"text":{}`, "44004"},
		{"no part", "text", `"image":{"media_id":"` + image + `"}`, "44004"},
		{"a part of another kind", "text", `"text":"x"`, "44004"},
		{"unknown type", "fax", `"fax":{}`, "40008"},
		{"no type", "", `"text":{"content":"x"}`, "40008"},
		{"two articles", "news", `"news":{"articles":[` + article + `,` + article + `]}`, "45008"},
		{"no article", "news", `"news":{"articles":[]}`, "45008"},
		{"no media id", "image", `"image":{}`, "41006"},
		{"unknown media id", "image", `"image":{"media_id":"x"}`, "40007"},
		{"another account's media id", "image", `"image":{"media_id":"` + foreign + `"}`, "40007"},
		{"unknown thumb", "miniprogrampage", `"miniprogrampage":{"title":"t","pagepath":"p","thumb_media_id":"x"}`, "40007"},
		{"no page", "miniprogrampage", `"miniprogrampage":{"title":"t","thumb_media_id":"` + thumb + `"}`, "40101"},
		{"empty menu", "msgmenu", `"msgmenu":{"list":[]}`, "44005"},
	}
	good := 0
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := c.post(pathCustom, fmt.Sprintf(`{"touser":%q,"msgtype":%q,%s}`, follower, tt.kind, tt.part))
			check(t, "code", got.code(), tt.code)
			if tt.code == "" {
				good++
				check(t, "sent", srv.Sent()[good-1].Type, tt.kind)
			}
			check(t, "sent in all", len(srv.Sent()), good)
		})
	}
	check(t, "text", srv.Sent()[0], wechattest.Message{To: follower, Type: "text", Text: "今日<新> & more"})
	check(t, "unknown user", c.say("o9", "x").code(), "40003")
	check(t, "no user", c.say("", "x").code(), "40003")
}

func TestNoWindowByDefault(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		srv.AddUser("o9", true, "nine")
		time.Sleep(72 * time.Hour)
		c = c.as(c.stable(false).text("access_token"))
		for range 20 {
			check(t, "send", []any{c.say(follower, "x").code(), c.say("o9", "x").code()}, []any{"", ""})
		}
	})
}

func TestReplyWindow(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		begin := time.Now()
		send := func(openid string) string { return c.say(openid, "x").code() }
		five := func(openid string) {
			t.Helper()
			for n := range 5 {
				check(t, fmt.Sprint("message ", n+1), send(openid), "")
			}
			check(t, "message 6", send(openid), "45047")
		}
		check(t, "what is refused otherwise takes none", c.say(follower, "").code(), "44004")
		five(follower)
		check(t, "another user", send(second), "")
		srv.AddUser("o9", true, "nine")
		check(t, "who never acted", send("o9"), "45015")
		srv.UserActs("o9")
		five("o9")
		srv.UserActs(follower)
		five(follower)
		srv.UserActs("o10")
		five("o10")

		// Tokens live shorter than the window.
		time.Sleep(47 * time.Hour)
		c = c.as(c.stable(false).text("access_token"))
		time.Sleep(time.Until(begin.Add(48*time.Hour)) - 1)
		check(t, "before 48 hours are over", send(second), "")
		time.Sleep(time.Nanosecond)
		check(t, "after 48 hours", []any{send(second), send(follower)}, []any{"45015", "45015"})
		srv.UserActs(second)
		five(second)
	}, wechattest.WithReplyWindow())
}

// template sends a template message with a client_msg_id.
func (c *caller) template(openid, template, id string) answer {
	c.t.Helper()
	return c.post(pathTemplate, fmt.Sprintf(`{"touser":%q,"template_id":%q,"client_msg_id":%q,"data":{"first":{"value":"v"}}}`,
		openid, template, id))
}

func TestTemplateMessages(t *testing.T) {
	srv, c := start(t)
	srv.AddUser("o9", false, "nine")
	srv.AddTemplate("mine")
	first := c.template(follower, "TM00015", "")
	check(t, "a number beyond 53 bits", first.raw, `{"errcode":0,"errmsg":"ok","msgid":1988810812324364291}`)
	check(t, "without an id of the caller's it goes again", c.template(follower, "TM00015", "").text("msgid"), "1988810812324364292")
	once := c.template(follower, "mine", "my-1")
	again := c.template(follower, "mine", "my-1")
	check(t, "the same id", []any{again.code(), again.text("msgid")}, []any{"", once.text("msgid")})
	check(t, "another id", c.template(follower, "TM00015", "my-2").text("msgid"), "1988810812324364294")
	check(t, "another account's id", c.other(srv).template(second, "TM00015", "my-1").text("msgid"), "1988810812324364295")
	check(t, "sent", srv.Sent(), []wechattest.Message{
		{To: follower, Type: "template", Template: "TM00015", MsgID: 1988810812324364291},
		{To: follower, Type: "template", Template: "TM00015", MsgID: 1988810812324364292},
		{To: follower, Type: "template", Template: "mine", MsgID: 1988810812324364293},
		{To: follower, Type: "template", Template: "TM00015", MsgID: 1988810812324364294},
		{To: second, Type: "template", Template: "TM00015", MsgID: 1988810812324364295},
	})
	refusals := []struct {
		name   string
		answer answer
		code   string
	}{
		{"unknown user", c.template("o8", "TM00015", ""), "40003"},
		{"does not follow", c.template("o9", "TM00015", ""), "43004"},
		{"unknown template", c.template(follower, "TM00016", ""), "40037"},
		{"no data", c.post(pathTemplate, fmt.Sprintf(`{"touser":%q,"template_id":"TM00015"}`, follower)), "47003"},
		{"argument without value", c.post(pathTemplate,
			fmt.Sprintf(`{"touser":%q,"template_id":"TM00015","data":{"a":{"value":""},"b":{"color":"red"}}}`, follower)), "47003"},
		{"mini program without appid", c.post(pathTemplate,
			fmt.Sprintf(`{"touser":%q,"template_id":"TM00015","miniprogram":{},"data":{}}`, follower)), "40166"},
	}
	for _, tt := range refusals {
		check(t, tt.name, tt.answer.code(), tt.code)
	}
	check(t, "the text names the argument", refusals[4].answer.text("errmsg")[:30], "argument invalid! data.b.value")
	check(t, "nothing more was sent", len(srv.Sent()), 5)
}

// TestRefusedTemplateMessageKeepsItsID sends again, under the same id, what was refused before.
func TestRefusedTemplateMessageKeepsItsID(t *testing.T) {
	srv, c := start(t)
	srv.AddUser("o9", false, "nine")
	check(t, "refused", c.template("o9", "TM00015", "my-1").code(), "43004")
	srv.AddUser("o9", true, "nine")
	check(t, "sent", []any{c.template("o9", "TM00015", "my-1").code(), len(srv.Sent())}, []any{"", 1})
}
