package wecom_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

func newClient(t testing.TB, srv *wecomtest.Server, opts ...stack.Option) *wecom.Client {
	t.Helper()
	client, err := wecom.New(append(append(srv.Options(), wecom.WithApp(srv.App())), opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		srv.Close()
	})
	return client
}

func text(content string, to ...string) *wecom.MessagesSendRequest {
	return &wecom.MessagesSendRequest{ToUser: to, MsgType: "text", Text: &wecom.Text{Content: content}}
}

// png is the beginning of a picture.
var png = []byte("\x89PNG\r\n\x1a\n and more")

// calls makes each operation once; a new operation without a row fails the test.
var calls = map[*resilience.Operation]func(t *testing.T, c *wecom.Client, srv *wecomtest.Server){
	wecom.OpAuthGetToken: func(t *testing.T, c *wecom.Client, _ *wecomtest.Server) {
		first, err := c.Auth.GetToken(t.Context())
		if err != nil || first.AccessToken == "" || first.ExpiresIn != 7200 {
			t.Fatalf("got %+v, %v, want a token for two hours", first, err)
		}
		if again, err := c.Auth.GetToken(t.Context()); err != nil || again.AccessToken != first.AccessToken {
			t.Errorf("got another token (%v), want the same one", err)
		}
	},
	wecom.OpMessagesSend: func(t *testing.T, c *wecom.Client, srv *wecomtest.Server) {
		for _, req := range []*wecom.MessagesSendRequest{
			text("你好 <b> a&b", "u1", "u2"),
			{ToUser: []string{"u1"}, MsgType: "markdown", Markdown: &wecom.Markdown{Content: "**hi**"}},
			{ToParty: []string{"2"}, MsgType: "textcard", TextCard: &wecom.TextCard{URL: "https://shop.example/?a=1&b=2", Title: "t", Description: "d"}},
			{ToTag: []string{"1"}, MsgType: "news", News: &wecom.News{Articles: []wecom.Article{{Title: "t", URL: new("https://shop.example")}}}},
			{ToUser: []string{"@all"}, MsgType: "template_card", TemplateCard: &wecom.TemplateCard{
				CardType: "text_notice", MainTitle: &wecom.CardTitle{Title: "t"}, CardAction: &wecom.CardAction{Type: new(int64(1)), URL: new("https://shop.example")},
			}},
		} {
			got, err := c.Messages.Send(t.Context(), req)
			if err != nil || got.MsgID == "" || got.Partial() {
				t.Errorf("%s: got %+v, %v, want all reached", req.MsgType, got, err)
			}
		}
		delivered := srv.Delivered()
		if len(delivered) != 2+1+4+2+5 || delivered[0].Text != "你好 <b> a&b" || delivered[0].Agent != wecomtest.AgentID {
			t.Errorf("delivered %+v, want 14 messages, the first word for word", delivered)
		}
	},
	wecom.OpMediaUpload: func(t *testing.T, c *wecom.Client, _ *wecomtest.Server) {
		got, err := c.Media.Upload(t.Context(), &wecom.MediaUploadRequest{Type: "image", Media: wire.FileBytes("a.png", "image/png", png)})
		if err != nil || got.MediaID == "" || got.CreatedAt.IsZero() {
			t.Errorf("got %+v, %v, want an id and the time, which comes as text", got, err)
		}
	},
	wecom.OpUsersGet: func(t *testing.T, c *wecom.Client, _ *wecomtest.Server) {
		got, err := c.Users.Get(t.Context(), &wecom.UsersGetRequest{UserID: "u3"})
		if err != nil || got.UserID != "u3" || !slices.Contains(got.Department, 3) || got.Name == "" {
			t.Errorf("got %+v, %v, want u3 of department 3", got, err)
		}
	},
	wecom.OpDepartmentsList: func(t *testing.T, c *wecom.Client, _ *wecomtest.Server) {
		for id, want := range map[int64]int{0: 3, 2: 2} {
			req := &wecom.DepartmentsListRequest{}
			if id > 0 {
				req.ID = new(id)
			}
			if got, err := c.Departments.List(t.Context(), req); err != nil || len(got.Department) != want {
				t.Errorf("below %d: got %+v, %v, want %d departments", id, got, err, want)
			}
		}
	},
	wecom.OpKFSendMsg: func(t *testing.T, c *wecom.Client, srv *wecomtest.Server) {
		srv.CustomerWrites(wecomtest.OpenKFID, "wm-1")
		got, err := c.KF.SendMsg(t.Context(), &wecom.KFSendMsgRequest{
			OpenKFID: wecomtest.OpenKFID, ToUser: "wm-1", MsgID: new("own-1"), MsgType: "text", Text: &wecom.KFText{Content: "hi"},
		})
		if err != nil || got.MsgID != "own-1" {
			t.Errorf("got %+v, %v, want our own id", got, err)
		}
	},
}

func TestEveryOperation(t *testing.T) {
	for _, op := range wecom.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			call := calls[op]
			if call == nil {
				t.Fatal("no test calls it")
			}
			synctest.Test(t, func(t *testing.T) {
				srv := wecomtest.NewServer()
				client := newClient(t, srv)
				call(t, client, srv)
				arrived := srv.Calls(op)
				if len(arrived) == 0 {
					t.Fatal("the call did not arrive")
				}
				for _, c := range arrived {
					if strings.Contains(string(c.Body), `\u`) {
						t.Errorf("escapes travelled: %s", c.Body)
					}
				}
			})
		})
	}
}
