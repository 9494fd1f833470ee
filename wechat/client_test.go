package wechat_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func apiError(t testing.TB, err error) *resilience.APIError {
	t.Helper()
	e, ok := errors.AsType[*resilience.APIError](err)
	if !ok {
		t.Fatalf("got %v, want an *APIError", err)
	}
	return e
}

// TestARefusalIsNoEmptyList: HTTP 200 says nothing about the outcome.
func TestARefusalIsNoEmptyList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		var failed int
		client := newClient(t, srv, stack.WithObserver(func(e resilience.Event) {
			if e.Kind == resilience.EventCall && e.Err != nil {
				failed++
			}
		}))
		srv.Fail(wechat.OpUsersGet, wechattest.Fault{Body: `{"errcode":40013,"errmsg":"invalid appid rid: 00000000-00000004-00000001"}`})
		got, err := client.Users.Get(t.Context(), nil)
		e := apiError(t, err)
		if got != nil || e.Code != wechat.CodeInvalidAppID || e.Status != 200 || e.RequestID != "00000000-00000004-00000001" {
			t.Errorf("got %+v, %v with status %d and request id %q, want 40013 and the rid", got, e, e.Status, e.RequestID)
		}
		if failed != 1 {
			t.Errorf("%d failed calls were counted, want 1", failed)
		}
		if got, err := client.Users.Get(t.Context(), nil); err != nil || got.Total != 5 {
			t.Errorf("the next call: %+v, %v, want the five followers", got, err)
		}
	})
}

func TestARefusalIsNoPicture(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpMediaGet, wechattest.Fault{
			ContentType: "text/plain", Body: `{"errcode":40007,"errmsg":"invalid media_id hint: [demo0001]"}`,
		})
		got, err := client.Media.Get(t.Context(), &wechat.MediaGetRequest{MediaID: "m1"})
		if e := apiError(t, err); got != nil || e.Code != wechat.CodeInvalidMediaID || e.RequestID != "demo0001" || !errors.Is(err, resilience.ErrNotFound) {
			t.Errorf("got %+v, %v, want 40007 alone", got, e)
		}
		if _, err := client.Media.Get(t.Context(), &wechat.MediaGetRequest{MediaID: "unknown"}); !errors.Is(err, resilience.ErrNotFound) {
			t.Errorf("the fake's own refusal: got %v, want ErrNotFound", err)
		}
	})
}

// TestControlBytesInANickname: they come from users, and are kept.
func TestControlBytesInANickname(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Body: `{"subscribe":1,"openid":"o0000000000000000000000001","nickname":"` +
			"\x14demo\x07name" + `","sex":2,"city":"","subscribe_time":1386216882,"remark":"","groupid":0}`})
		got, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid})
		if err != nil || got.OpenID != openid || got.SubscribeTime.Unix() != 1386216882 || got.Nickname != "\x14demo\x07name" {
			t.Errorf("got %+v, %v, want all of it", got, err)
		}
		// They cannot be sent back: the platform refuses what JSON has to escape.
		_, err = client.Messages.CustomSend(t.Context(), text(openid, got.Nickname))
		if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `\u0014`) {
			t.Errorf("got %v, want a refusal that names the character", err)
		}
	})
}

func TestJSONAsText(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		login := func(body string) (*wechat.LoginJSCode2SessionResult, error) {
			srv.Fail(wechat.OpLoginJSCode2Session, wechattest.Fault{ContentType: "text/plain", Body: body})
			return client.Login.JSCode2Session(t.Context(), &wechat.LoginJSCode2SessionRequest{JSCode: "c"})
		}
		got, err := login(`{"openid":"o0000000000000000000000005","session_key":"made-up","errcode":0}`)
		if err != nil || got.OpenID != "o0000000000000000000000005" || got.SessionKey.Reveal() != "made-up" {
			t.Errorf("got %+v, %v, want the session", got, err)
		}
		for _, body := range []string{"bad gateway", `{"openid":`, " "} {
			got, err := login(body)
			if e := apiError(t, err); got != nil || e.Class.Succeeded() {
				t.Errorf("%q: got %+v, %v, want an error", body, got, err)
			}
		}
	})
}

// TestBusy: -1 is the only sign of ill health that a body has. Of a write it says nothing.
func TestBusy(t *testing.T) {
	busy := wechattest.Fault{Code: "-1", Text: "system error", Times: 2}
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		warm(t, client)
		srv.Fail(wechat.OpUsersInfo, busy)
		if _, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid}); err != nil {
			t.Errorf("a read: %v", err)
		}
		arrived := srv.Calls(wechat.OpUsersInfo)[1:]
		if len(arrived) != 3 || arrived[1].Time.Sub(arrived[0].Time) < time.Second ||
			arrived[2].Time.Sub(arrived[1].Time) < 2*time.Second {
			t.Errorf("the read was asked %d times, want 3 with growing pauses", len(arrived))
		}
		srv.Fail(wechat.OpMessagesCustomSend, busy)
		_, err := client.Messages.CustomSend(t.Context(), text(openid, "hi"))
		if e := apiError(t, err); !errors.Is(err, resilience.ErrUnknownOutcome) || e.Code != wechat.CodeSystemBusy {
			t.Errorf("a write: got %v, want an outcome unknown with -1", err)
		}
		if n := len(srv.Calls(wechat.OpMessagesCustomSend)); n != 1 {
			t.Errorf("the message was sent %d times, want once", n)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpMessagesCustomSend, wechattest.Fault{Code: "-1", Rate: 1})
		for range 20 {
			_, _ = client.Messages.CustomSend(t.Context(), text(openid, "hi"))
		}
		if n := len(srv.Calls(wechat.OpMessagesCustomSend)); n != 15 {
			t.Errorf("%d messages met -1, want the 15 that open the circuit", n)
		}
	})
}

// warm makes the first call, which fetches the token.
func warm(t *testing.T, c *wechat.Client) {
	t.Helper()
	if _, err := c.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid}); err != nil {
		t.Fatal(err)
	}
}

// TestUploads: the fake takes one part with name, file name, type and a length for the whole, and nothing chunked.
func TestUploads(t *testing.T) {
	data := "0123456789"
	path := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name string
		file func() (*wire.File, error)
	}{
		{"from memory", func() (*wire.File, error) { return wire.FileBytes("a.png", "image/png", []byte(data)), nil }},
		{"from a file", func() (*wire.File, error) { return wire.FilePath(path) }},
		{"from a stream", func() (*wire.File, error) {
			return wire.FileReader("a.png", "image/png", io.MultiReader(strings.NewReader(data)), 1<<20)
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := wechattest.NewServer()
				client := newClient(t, srv)
				file, err := test.file()
				if err != nil {
					t.Fatal(err)
				}
				// The token is renewed on the way, so that the body is sent twice.
				warm(t, client)
				srv.InvalidateToken(wechattest.AppID)
				got, err := client.Media.Upload(t.Context(), &wechat.MediaUploadRequest{Type: "image", Media: file})
				if err != nil || got.MediaID == "" {
					t.Fatalf("got %+v, %v", got, err)
				}
				sent := srv.Calls(wechat.OpMediaUpload)
				if len(sent) != 2 || len(sent[0].Body) != len(sent[1].Body) || !strings.Contains(string(sent[1].Body), data) ||
					sent[1].ContentLength != int64(len(sent[1].Body)) {
					t.Errorf("sent %d times, want twice the whole body with its length", len(sent))
				}
			})
		})
	}
	_, err := wire.FileReader("a.png", "image/png", strings.NewReader(data), 5)
	if err == nil || !strings.Contains(err.Error(), "FilePath") {
		t.Errorf("a stream above the limit: got %v, want what to do instead", err)
	}
}

// TestEveryCode lets the fake answer with codes of each class and checks what the caller and the account's calls make of it.
func TestEveryCode(t *testing.T) {
	for _, test := range []struct {
		code, text  string
		read, write error
		cools       time.Duration // how long the call cools afterwards; the bubble begins at 8 in the morning in China
		other       bool          // whether other calls cool with it
	}{
		{"-1", "", resilience.ErrTransient, resilience.ErrUnknownOutcome, 0, false},
		{"40003", "", resilience.ErrInvalid, resilience.ErrInvalid, 0, false},
		{"40013", "", resilience.ErrInvalid, resilience.ErrInvalid, 0, false},
		{"40033", "", resilience.ErrInvalid, resilience.ErrInvalid, 0, false},
		{"40037", "", resilience.ErrInvalid, resilience.ErrInvalid, 0, false},
		{"40125", "", resilience.ErrUnauthorized, resilience.ErrUnauthorized, -1, true},
		{"40164", "", resilience.ErrMisconfigured, resilience.ErrMisconfigured, 10 * time.Minute, true},
		{"43004", "", resilience.ErrRejected, resilience.ErrRejected, 0, false},
		{"45009", "", resilience.ErrQuotaExhausted, resilience.ErrQuotaExhausted, 16 * time.Hour, false},
		{"45009", "reach max api Minute frequence limit", resilience.ErrThrottled, resilience.ErrThrottled, time.Minute, false},
		{"45009", "reach max api second frequence limit", resilience.ErrThrottled, resilience.ErrThrottled, 41 * time.Second, false}, // its third try,
		{"45015", "", resilience.ErrRejected, resilience.ErrRejected, 0, false},
		{"45047", "", resilience.ErrRejected, resilience.ErrRejected, 0, false},
		{"45065", "", resilience.ErrDuplicateContent, resilience.ErrDuplicateContent, 0, false},
		{"46004", "", resilience.ErrNotFound, resilience.ErrNotFound, 0, false},
		{"48001", "", resilience.ErrForbidden, resilience.ErrForbidden, 0, false},
		{"73105", "", resilience.ErrTransient, resilience.ErrUnknownOutcome, 0, false},
		{"61004", "", resilience.ErrMisconfigured, resilience.ErrMisconfigured, 10 * time.Minute, true},
		{"99999", "", resilience.ErrRejected, resilience.ErrRejected, 0, false},
	} {
		t.Run(test.code+" "+test.text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := wechattest.NewServer()
				client := newClient(t, srv)
				read := func() error {
					_, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid})
					return err
				}
				write := func() error {
					_, err := client.Messages.CustomSend(t.Context(), text(openid, "hi"))
					return err
				}
				for _, way := range []struct {
					op          *resilience.Operation
					call, other func() error
					want        error
				}{{wechat.OpUsersInfo, read, write, test.read}, {wechat.OpMessagesCustomSend, write, read, test.write}} {
					if err := client.Stack().Put(srv.App().Credential()); err != nil { // brings back what is out of use
						t.Fatal(err)
					}
					time.Sleep(24*time.Hour - time.Since(time.Now().Truncate(24*time.Hour))) // and lets cooldowns end
					if err := errors.Join(read(), write()); err != nil {
						t.Fatal(err)
					}
					srv.Fail(way.op, wechattest.Fault{Code: test.code, Text: test.text, Rate: 1})
					err := way.call()
					if e := apiError(t, err); !errors.Is(err, way.want) || e.Code != test.code {
						t.Errorf("%s: got %v, want %v", way.op.ID, err, way.want)
					}
					srv.Heal(nil)
					checkCooldown(t, way.call(), test.cools)
					wantOther := time.Duration(0)
					if test.other {
						wantOther = test.cools
					}
					checkCooldown(t, way.other(), wantOther)
				}
			})
		})
	}
}

// checkCooldown checks that a call was served (0), refused for about a time, or refused without one (-1).
func checkCooldown(t *testing.T, err error, want time.Duration) {
	t.Helper()
	if want == 0 {
		if err != nil {
			t.Errorf("got %v, want to be served", err)
		}
		return
	}
	e, ok := errors.AsType[*resilience.RefusedError](err)
	switch {
	case !ok || !errors.Is(err, resilience.ErrNoCredential):
		t.Errorf("got %v, want a refusal for want of a credential", err)
	case want < 0 && !e.RetryAt.IsZero():
		t.Errorf("RetryAt is in %v, want none", time.Until(e.RetryAt))
	case want > 0 && (time.Until(e.RetryAt) > want || time.Until(e.RetryAt) < want-2*time.Minute):
		t.Errorf("RetryAt is in %v, want about %v", time.Until(e.RetryAt), want)
	}
}

// TestTheMinute: 45011 holds until the full minute, and the caller of a patient call waits for it.
func TestTheMinute(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer(wechattest.WithMinuteLimit(wechat.OpUsersInfo, 3))
		client := newClient(t, srv)
		start := time.Now()
		time.Sleep(20 * time.Second)
		for i := range 4 {
			if _, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid}); err != nil {
				t.Errorf("call %d: %v", i+1, err)
			}
		}
		arrived := srv.Calls(wechat.OpUsersInfo)
		if len(arrived) != 5 || arrived[3].Code != "45011" || arrived[4].Time.Sub(start) < time.Minute || arrived[4].Time.Sub(start) > 62*time.Second {
			t.Errorf("%d requests, the last after %v, want one refusal and the repeat at the full minute", len(arrived), arrived[len(arrived)-1].Time.Sub(start))
		}
	})
}

// TestTheDayAndItsReset: a day's budget is not asked for again before midnight in China, but for a reset by the operator.
func TestTheDayAndItsReset(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer(wechattest.WithDayLimit(wechat.OpUsersGet, 2)) // a test account, which the client does not know
		client := newClient(t, srv)
		get := func() error {
			_, err := client.Users.Get(t.Context(), nil)
			return err
		}
		time.Sleep(2 * time.Hour) // 10 in the morning in China
		if err := errors.Join(get(), get()); err != nil {
			t.Fatal(err)
		}
		err := get()
		if e := apiError(t, err); !errors.Is(err, resilience.ErrQuotaExhausted) || time.Until(e.RetryAt) != 14*time.Hour {
			t.Errorf("got %v with RetryAt in %v, want the day's end in 14h", err, time.Until(e.RetryAt))
		}
		for range 100 {
			if err := get(); !errors.Is(err, resilience.ErrNoCredential) {
				t.Fatalf("got %v, want a refusal", err)
			}
			time.Sleep(10 * time.Second)
		}
		if n := len(srv.Calls(wechat.OpUsersGet)); n != 3 {
			t.Errorf("%d calls arrived, want 3: one of them refused", n)
		}
		if err := client.Quota.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(get(), get()); err != nil {
			t.Errorf("after the reset: %v", err)
		}
		if err := get(); !errors.Is(err, resilience.ErrQuotaExhausted) {
			t.Errorf("after two more: got %v, want ErrQuotaExhausted", err)
		}
	})
}

// TestOurOwnDay: the numbers of the table are kept without asking, and a reset gives them back.
func TestOurOwnDay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv, stack.WithConfig(stack.Config{Windows: map[string]stack.WindowChange{"user_get_day": {Limit: 3}}}))
		spend := func() (n int, err error) {
			for ; n < 10 && err == nil; n++ {
				_, err = client.Users.Get(t.Context(), nil)
			}
			return n - 1, err
		}
		n, err := spend()
		e, ok := errors.AsType[*resilience.RefusedError](err)
		if !ok || n != 3 || !errors.Is(err, resilience.ErrLimited) || time.Until(e.RetryAt) != 16*time.Hour {
			t.Errorf("%d calls, then %v, want 3 and a refusal until midnight in China", n, err)
		}
		if err := client.Quota.Clear(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n, _ := spend(); n != 3 {
			t.Errorf("%d calls after the reset, want 3", n)
		}
	})
}

// TestALimitOfOneConversation stops nobody else.
func TestALimitOfOneConversation(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer(wechattest.WithReplyWindow())
		client := newClient(t, srv)
		for i := range 5 {
			if _, err := client.Messages.CustomSend(t.Context(), text(openid, fmt.Sprint(i))); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		_, err := client.Messages.CustomSend(t.Context(), text(openid, "too many"))
		if e := apiError(t, err); e.Code != wechat.CodeTooManyReplies || !errors.Is(err, resilience.ErrRejected) || e.Attempts != 1 {
			t.Errorf("got %v, want 45047 after one attempt", err)
		}
		if _, err := client.Messages.CustomSend(t.Context(), text("o0000000000000000000000002", "hi")); err != nil || time.Since(start) != 0 {
			t.Errorf("another user's message: %v after %v, want it at once", err, time.Since(start))
		}
	})
}

// TestSeveralAccounts: openids of one mean nothing to another.
func TestSeveralAccounts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		srv.AddApp("wx0000000000000002", "secret-2")
		client := newClient(t, srv, wechat.WithApp(wechat.App{ID: "wx0000000000000002", Secret: "secret-2", Account: "shop"}))
		_, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid})
		if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), "shop") {
			t.Errorf("got %v, want a refusal that asks which account", err)
		}
		for account, app := range map[string]string{"shop": "wx0000000000000002", wechattest.AppID: wechattest.AppID} {
			srv.Log().Reset()
			_, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: openid}, resilience.WithAccount(account))
			if got := srv.Calls(wechat.OpUsersInfo); err != nil || len(got) != 1 || got[0].App != app {
				t.Errorf("%s: %v, arrived %v, want one call of %s", account, err, got, app)
			}
		}
	})
}

// TestACallOfOnesOwn goes through the same chain.
func TestACallOfOnesOwn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		op := &resilience.Operation{
			Platform: "wechat", ID: "cgi-bin/openapi/quota/get", HTTPMethod: "POST", Path: "/cgi-bin/openapi/quota/get",
			Scope: resilience.Read, Idempotent: true, Auth: "token",
		}
		var out struct {
			Quota struct {
				DailyLimit int `json:"daily_limit"`
			} `json:"quota"`
		}
		body := map[string]string{"cgi_path": "/cgi-bin/user/get"}
		if err := client.Do(t.Context(), op, body, &out); err != nil || out.Quota.DailyLimit != 500 {
			t.Errorf("got %+v, %v, want 500 a day", out, err)
		}
		get := &resilience.Operation{
			Platform: "wechat", ID: "info", HTTPMethod: "GET", Path: "/cgi-bin/user/info", Scope: resilience.Read, Idempotent: true, Auth: "token",
		}
		var user map[string]json.RawMessage
		if err := client.Do(t.Context(), get, nil, &user, resilience.WithParam("openid", openid)); err != nil || len(user["openid"]) == 0 {
			t.Errorf("got %v, %v, want the user", user, err)
		}
		if err := client.Do(t.Context(), get, body, nil); !errors.Is(err, resilience.ErrInvalidRequest) {
			t.Errorf("a GET with a body: got %v, want ErrInvalidRequest", err)
		}
	})
}

func TestFaultyApps(t *testing.T) {
	_, err := wechat.New(wechat.WithApp(wechat.App{}), wechat.WithApp(wechat.App{ID: "wx1", Secret: "s", Token: "t"}))
	for _, want := range []string{"ID is empty", "both Secret and Token are empty", "both Secret and Token are given"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}
