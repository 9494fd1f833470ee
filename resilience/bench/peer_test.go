package bench_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/silenceper/wechat/v2/officialaccount/message"

	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// What WeChat answers.
const (
	userJSON = `{"subscribe":1,"openid":"` + openid + `","nickname":"用户 1","sex":0,"language":"zh_CN","city":"","province":"",` +
		`"country":"","headimgurl":"https://pic.example/head/1","subscribe_time":1767225600,"unionid":"made-up-unionid-000000000001",` +
		`"remark":"老顾客","groupid":0,"tagid_list":[128,2],"subscribe_scene":"ADD_SCENE_QR_CODE","qr_scene":98765,"qr_scene_str":""}`
	sentJSON    = `{"errcode":0,"errmsg":"ok"}`
	refusedJSON = `{"errcode":45015,"errmsg":"response out of time limit or subscription is canceled rid: 00000000-00000001-00000001"}`
)

// canned answers from memory at once: calls that fetch a token get one, all others the answer. It does with a request what it must,
// and reads and closes its body.
type canned struct{ answer string }

func (c canned) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil {
		if _, err := io.Copy(io.Discard, r.Body); err != nil {
			return nil, err
		}
		if err := r.Body.Close(); err != nil {
			return nil, err
		}
	}
	body := c.answer
	if strings.HasSuffix(r.URL.Path, "token") {
		body = tokenJSON()
	}
	return &http.Response{
		StatusCode: http.StatusOK, ContentLength: int64(len(body)), Body: io.NopCloser(strings.NewReader(body)), Request: r,
		Header: http.Header{"Content-Type": {"application/json; encoding=utf-8"}},
	}, nil
}

// tokenJSON answers with a token as long as the platform tells callers to make room for.
func tokenJSON() string {
	return fmt.Sprintf(`{"access_token":%q,"expires_in":7200}`, strings.Repeat("x", 512))
}

// A peer makes the calls that are compared, through one client.
type peer struct {
	// userInfo reads a user and returns two fields of the answer, one near each end.
	userInfo func(ctx context.Context) (openid string, scene int64, err error)
	// message sends a text and says whether the answer calls it sent.
	message func(ctx context.Context) error
}

// readUser fails if the user is not the one that was answered.
func (p peer) readUser(ctx context.Context) error {
	id, scene, err := p.userInfo(ctx)
	if err != nil {
		return err
	}
	if id != openid || scene != 98765 {
		return fmt.Errorf("got %q with scene %d, want %s with 98765", id, scene, openid)
	}
	return nil
}

// peers returns how to make each client, by name.
func peers() []struct {
	name string
	make func(testing.TB, http.RoundTripper) peer
} {
	return []struct {
		name string
		make func(testing.TB, http.RoundTripper) peer
	}{
		{"dujiang", dujiang},
		{"silenceper", silenceper},
	}
}

// many is a limit that no benchmark reaches. The windows are there and count.
const many = 1 << 30

func dujiang(tb testing.TB, rt http.RoundTripper) peer {
	tb.Helper()
	client, err := wechat.New(
		stack.WithTransport(rt), wechat.WithApp(wechat.App{ID: wechattest.AppID, Secret: wechattest.AppSecret}),
		stack.WithConfig(stack.Config{Windows: map[string]stack.WindowChange{
			"user_info_day": {Limit: many}, "custom_send_day": {Limit: many},
		}}),
	)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = client.Close() })
	return peer{
		userInfo: func(ctx context.Context) (string, int64, error) {
			got, err := client.Users.Info(ctx, &wechat.UsersInfoRequest{OpenID: openid, Lang: new("zh_CN")})
			if err != nil {
				return "", 0, err
			}
			return got.OpenID, int64(got.QrScene), nil
		},
		message: func(ctx context.Context) error {
			_, err := client.Messages.CustomSend(ctx, &wechat.MessagesCustomSendRequest{
				ToUser: openid, MsgType: "text", Text: &wechat.CustomText{Content: notice},
			})
			return err
		},
	}
}

// silenceper's calls take no context.
func silenceper(tb testing.TB, rt http.RoundTripper) peer {
	tb.Helper()
	account := newSilenceper(tb, rt, true)
	users, messages := account.GetUser(), account.GetCustomerMessageManager()
	return peer{
		userInfo: func(context.Context) (string, int64, error) {
			got, err := users.GetUserInfo(openid)
			if err != nil {
				return "", 0, err
			}
			return got.OpenID, int64(got.QrScene), nil
		},
		message: func(context.Context) error {
			return messages.Send(message.NewCustomerTextMessage(openid, notice))
		},
	}
}
