package wechat_test

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// openid is a follower whom the fake knows from the start.
const openid = wechattest.OpenID

func newClient(t testing.TB, srv *wechattest.Server, opts ...stack.Option) *wechat.Client {
	t.Helper()
	client, err := wechat.New(append(append(srv.Options(), wechat.WithApp(srv.App())), opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		srv.Close()
	})
	return client
}

func text(to, content string) *wechat.MessagesCustomSendRequest {
	return &wechat.MessagesCustomSendRequest{ToUser: to, MsgType: "text", Text: &wechat.CustomText{Content: content}}
}

// upload uploads a small picture and returns its id.
func upload(t *testing.T, c *wechat.Client, kind, name string, data []byte) *wechat.MediaUploadResult {
	t.Helper()
	got, err := c.Media.Upload(t.Context(), &wechat.MediaUploadRequest{Type: kind, Media: wire.FileBytes(name, "image/png", data)})
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// calls makes each operation once; a new operation without a row fails the test.
var calls = map[*resilience.Operation]func(t *testing.T, c *wechat.Client, srv *wechattest.Server){
	wechat.OpAuthStableToken: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		first, err := c.Auth.StableToken(t.Context(), nil)
		if err != nil || first.AccessToken == "" || first.ExpiresIn <= 0 || first.ExpiresIn > 7200 {
			t.Fatalf("got %+v, %v, want a token", first, err)
		}
		again, err := c.Auth.StableToken(t.Context(), &wechat.AuthStableTokenRequest{ForceRefresh: new(false)})
		if err != nil || again.AccessToken != first.AccessToken {
			t.Errorf("got another token (%v), want the same one", err)
		}
	},
	wechat.OpQuotaClear: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		if err := c.Quota.Clear(t.Context()); err != nil {
			t.Error(err)
		}
	},
	wechat.OpQuotaGet: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		if _, err := c.Messages.CustomSend(t.Context(), text(openid, "one")); err != nil {
			t.Fatal(err)
		}
		got, err := c.Quota.Get(t.Context(), &wechat.QuotaGetRequest{CGIPath: "/cgi-bin/message/custom/send"})
		if q := got.Quota.OrZero(); err != nil || q.DailyLimit != 500_000 || q.Used != 1 || q.Remain != 499_999 {
			t.Errorf("got %+v, %v, want 1 of 500,000 used", q, err)
		}
	},
	wechat.OpMessagesCustomSend: func(t *testing.T, c *wechat.Client, srv *wechattest.Server) {
		image := upload(t, c, "image", "a.png", []byte("0123456789"))
		thumb := upload(t, c, "thumb", "b.jpg", []byte("0123456789"))
		for _, req := range []*wechat.MessagesCustomSendRequest{
			text(openid, "你好 <b> a&b"),
			{ToUser: openid, MsgType: "image", Image: &wechat.CustomMedia{MediaID: image.MediaID}},
			{ToUser: openid, MsgType: "news", News: &wechat.CustomNews{Articles: []wechat.CustomArticle{{
				Title: "notice", Description: "d", URL: "https://shop.example/?a=1&b=2", PicURL: "https://shop.example/1.jpg",
			}}}},
			{ToUser: openid, MsgType: "miniprogrampage", MiniProgramPage: &wechat.CustomPage{
				Title: "shop", AppID: new("wx0000000000000002"), PagePath: "pages/index?a=1&b=2", ThumbMediaID: thumb.ThumbMediaID,
			}},
		} {
			if _, err := c.Messages.CustomSend(t.Context(), req); err != nil {
				t.Errorf("%s: %v", req.MsgType, err)
			}
		}
		sent := srv.Sent()
		if len(sent) != 4 || sent[0].Text != "你好 <b> a&b" {
			t.Errorf("sent %+v, want four messages, the first word for word", sent)
		}
	},
	wechat.OpMessagesTemplateSend: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		req := &wechat.MessagesTemplateSendRequest{
			ToUser: openid, TemplateID: wechattest.TemplateID, ClientMsgID: new("order-17"),
			Data: map[string]wechat.TemplateValue{"thing1": {Value: "今日<新>"}},
		}
		first, err := c.Messages.TemplateSend(t.Context(), req)
		if err != nil || len(first.MsgID) != 19 {
			t.Fatalf("got %+v, %v, want an id of 19 digits", first, err)
		}
		if again, err := c.Messages.TemplateSend(t.Context(), req); err != nil || again.MsgID != first.MsgID {
			t.Errorf("the same client_msg_id: got %+v, %v, want the first message's id %s", again, err, first.MsgID)
		}
	},
	wechat.OpMediaUpload: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		got := upload(t, c, "image", "a.png", []byte("0123456789"))
		if got.MediaID == "" || got.Type != "image" || got.CreatedAt.IsZero() {
			t.Errorf("got %+v, want an image with id and time", got)
		}
	},
	wechat.OpMediaGet: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		picture := []byte("\x89PNG\r\n\x1a\n and more")
		id := upload(t, c, "image", "a.png", picture).MediaID
		got, err := c.Media.Get(t.Context(), &wechat.MediaGetRequest{MediaID: id})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = got.Stream.Close() }()
		if data, err := io.ReadAll(got.Stream); err != nil || !bytes.Equal(data, picture) || got.JSON != nil {
			t.Errorf("got %q, %v, want the picture", data, err)
		}
		film := upload(t, c, "video", "a.mp4", []byte("0123456789")).MediaID
		address, err := c.Media.Get(t.Context(), &wechat.MediaGetRequest{MediaID: film})
		if err != nil || address.Stream != nil || !strings.HasPrefix(address.JSON.VideoURL, "http") {
			t.Errorf("got %+v, %v, want the film's address", address, err)
		}
	},
	wechat.OpUsersInfo: func(t *testing.T, c *wechat.Client, srv *wechattest.Server) {
		got, err := c.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid, Lang: new("zh_CN")})
		if err != nil || got.OpenID != openid || got.Subscribe != 1 || got.SubscribeTime.IsZero() || got.UnionID == "" {
			t.Errorf("got %+v, %v, want the follower", got, err)
		}
		srv.AddUser("o-gone", false, "")
		if got, err := c.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: "o-gone"}); err != nil || got.Subscribe != 0 {
			t.Errorf("got %+v, %v, want one who does not follow", got, err)
		}
	},
	wechat.OpUsersGet: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		got, err := c.Users.Get(t.Context(), nil)
		if data := got.Data.OrZero(); err != nil || got.Total != 5 || len(data.OpenID) != 5 || data.OpenID[0] != openid {
			t.Errorf("got %+v, %v, want the five followers", got, err)
		}
	},
	wechat.OpMenuCreate: func(t *testing.T, c *wechat.Client, srv *wechattest.Server) {
		err := c.Menu.Create(t.Context(), &wechat.MenuCreateRequest{Button: []wechat.MenuButton{
			{Name: "今日<新>", Type: new("view"), URL: new("https://shop.example/?a=1&b=2")},
			{Name: "more", SubButton: []wechat.MenuButton{{Name: "help", Type: new("click"), Key: new("HELP")}}},
		}})
		if err != nil {
			t.Fatal(err)
		}
		menu := string(srv.Menu())
		for _, want := range []string{"今日<新>", "a=1&b=2"} {
			if !strings.Contains(menu, want) {
				t.Errorf("the menu travelled as %s, want %s in it as it is", menu, want)
			}
		}
	},
	wechat.OpLoginJSCode2Session: func(t *testing.T, c *wechat.Client, srv *wechattest.Server) {
		got, err := c.Login.JSCode2Session(t.Context(), &wechat.LoginJSCode2SessionRequest{JSCode: srv.LoginCode(openid)})
		if err != nil || got.OpenID != openid || got.SessionKey == "" {
			t.Errorf("got %+v, %v, want a session of the user", got, err)
		}
	},
	wechat.OpSecurityMsgSecCheck: func(t *testing.T, c *wechat.Client, _ *wechattest.Server) {
		for content, want := range map[string]string{"fine": "pass", "违禁": "risky"} {
			got, err := c.Security.MsgSecCheck(t.Context(), &wechat.SecurityMsgSecCheckRequest{OpenID: openid, Content: content, Scene: 2})
			if err != nil || got.Result.OrZero().Suggest != want || len(got.Detail) == 0 {
				t.Errorf("%s: got %+v, %v, want %s", content, got, err, want)
			}
		}
	},
}

func TestEveryOperation(t *testing.T) {
	for _, op := range wechat.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			call := calls[op]
			if call == nil {
				t.Fatal("no test calls it")
			}
			synctest.Test(t, func(t *testing.T) {
				srv := wechattest.NewServer()
				client := newClient(t, srv)
				call(t, client, srv)
				if len(srv.Calls(op)) == 0 {
					t.Error("the call did not arrive")
				}
			})
		})
	}
}

func TestWalkOverFollowers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer(wechattest.WithPageSize(2))
		client := newClient(t, srv)
		var got []string
		for id, err := range client.Users.GetAll(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, id)
		}
		if len(got) != 5 || !slices.IsSorted(got) || len(slices.Compact(got)) != 5 {
			t.Errorf("walked over %v, want the five followers once each", got)
		}
		if n := len(srv.Calls(wechat.OpUsersGet)); n != 3 {
			t.Errorf("%d pages were asked for, want 3", n)
		}
	})
}
