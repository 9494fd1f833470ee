package bench_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/silenceper/wechat/v2/officialaccount"
	"github.com/silenceper/wechat/v2/officialaccount/material"
	"github.com/silenceper/wechat/v2/officialaccount/message"
	"github.com/silenceper/wechat/v2/util"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

const (
	openid = "o0000000000000000000000001" // the first of the fake's followers
	notice = `到货了 <a href="https://shop.example/?a=1&b=2">看看</a>`
)

// redirected sends what is meant for WeChat to another address, and nothing else anywhere.
type redirected struct {
	to   *url.URL
	next http.RoundTripper
}

func (rt redirected) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme != "https" || r.URL.Host != "api.weixin.qq.com" {
		return nil, fmt.Errorf("a call to %s://%s, want https://api.weixin.qq.com", r.URL.Scheme, r.URL.Host)
	}
	r = r.Clone(r.Context())
	r.URL.Scheme, r.URL.Host, r.Host = rt.to.Scheme, rt.to.Host, rt.to.Host
	return rt.next.RoundTrip(r)
}

// newFake returns a fake and a silenceper client whose calls reach it.
func newFake(t *testing.T, stable bool) (*wechattest.Server, *officialaccount.OfficialAccount) {
	t.Helper()
	srv := wechattest.NewServer()
	t.Cleanup(srv.Close)
	to, err := url.Parse(srv.URL())
	if err != nil {
		t.Fatal(err)
	}
	return srv, newSilenceper(t, redirected{to, srv.Transport()}, stable)
}

// TestForeignClient makes a round through the fake with a client that does not know it.
func TestForeignClient(t *testing.T) {
	tests := []struct {
		name    string
		stable  bool
		tokenOp string
	}{
		{"plain token", false, "cgi-bin/token"},
		{"stable token", true, "cgi-bin/stable_token"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			srv, account := newFake(t, tt.stable)

			token, err := account.GetAccessToken()
			if err != nil || token == "" {
				t.Fatalf("got token %q, %v, want one", token, err)
			}
			send(t, srv, account)
			upload(t, srv, account)
			readUser(t, account)

			calls := srv.Calls(nil)
			want := []string{
				tt.tokenOp, "cgi-bin/message/custom/send", "cgi-bin/media/upload", "cgi-bin/media/get", "cgi-bin/user/info",
			}
			if got := names(calls); !slices.Equal(got, want) {
				t.Errorf("calls: got %q, want %q", got, want)
			}
			checkCalls(t, calls, token)
			if got := srv.Tokens(wechattest.AppID); got != 1 {
				t.Errorf("the account got %d tokens, want 1", got)
			}
		})
	}
}

// send sends a text that JSON writers like to escape, which the platform refuses.
func send(t *testing.T, srv *wechattest.Server, account *officialaccount.OfficialAccount) {
	t.Helper()
	if err := account.GetCustomerMessageManager().Send(message.NewCustomerTextMessage(openid, notice)); err != nil {
		t.Fatal(err)
	}
	want := []wechattest.Message{{To: openid, Type: "text", Text: notice}}
	if got := srv.Sent(); !slices.Equal(got, want) {
		t.Errorf("sent: got %+v, want %+v", got, want)
	}
}

// upload uploads a picture and downloads it again.
func upload(t *testing.T, srv *wechattest.Server, account *officialaccount.OfficialAccount) {
	t.Helper()
	name, picture := writePicture(t)
	media, err := account.GetMaterial().MediaUpload(material.MediaTypeImage, name)
	if err != nil {
		t.Fatal(err)
	}
	if media.Type != material.MediaTypeImage || media.MediaID == "" || media.CreatedAt == 0 {
		t.Errorf("upload: got %+v, want type, id and time", media)
	}
	if calls := srv.Calls(wechat.OpMediaUpload); len(calls) != 1 || !bytes.Contains(calls[0].Body, picture) {
		t.Errorf("the picture did not arrive in one upload; there were %d", len(calls))
	}

	// The client has no download: it makes the address and leaves the rest to its caller.
	address, err := account.GetMaterial().GetMediaURL(media.MediaID)
	if err != nil {
		t.Fatal(err)
	}
	got, err := util.HTTPGet(address)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, picture) {
		t.Errorf("download: got %q, want the %d bytes that were uploaded", got, len(picture))
	}
}

// writePicture writes a picture to a file and returns the file's name and bytes.
func writePicture(t *testing.T) (string, []byte) {
	t.Helper()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "picture.png")
	if err := os.WriteFile(name, picture.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return name, picture.Bytes()
}

func readUser(t *testing.T, account *officialaccount.OfficialAccount) {
	t.Helper()
	user, err := account.GetUser().GetUserInfo(openid)
	if err != nil {
		t.Fatal(err)
	}
	if user.OpenID != openid || user.Subscribe != 1 || user.Nickname != "用户 1" || user.UnionID == "" || user.SubscribeTime == 0 {
		t.Errorf("got user %+v, want the first follower", *user) // the pointer is an error
	}
}

func names(calls []resiliencetest.Call) []string {
	ops := make([]string, len(calls))
	for i := range calls {
		ops[i] = calls[i].Op
	}
	return ops
}

// checkCalls checks that each call was carried out for the account, with the token if it is not the one that fetches it.
func checkCalls(t *testing.T, calls []resiliencetest.Call, token string) {
	t.Helper()
	for i := range calls {
		c := &calls[i]
		if !c.Acted || c.Code != "" || c.Status != http.StatusOK || c.App != wechattest.AppID {
			t.Errorf("%s: acted %v, code %q, status %d, app %q, want it carried out for %s", c.Op, c.Acted, c.Code, c.Status, c.App,
				wechattest.AppID)
		}
		if got := c.Params.Get("access_token"); i > 0 && got != token {
			t.Errorf("%s: got token %q, want %q", c.Op, got, token)
		}
		if c.Method == http.MethodPost && c.ContentLength != int64(len(c.Body)) {
			t.Errorf("%s: announced %d bytes of %d", c.Op, c.ContentLength, len(c.Body))
		}
	}
}

// TestForeignClientIsRefused: the client finds the fake's refusals where the platform has them.
func TestForeignClientIsRefused(t *testing.T) {
	srv, account := newFake(t, true)
	messages := account.GetCustomerMessageManager()
	err := messages.Send(message.NewCustomerTextMessage("o0000000000000000000000999", notice))
	if err == nil || !strings.Contains(err.Error(), "errcode="+wechat.CodeInvalidOpenID) {
		t.Errorf("to an unknown user: got %v, want %s", err, wechat.CodeInvalidOpenID)
	}
	srv.InvalidateToken(wechattest.AppID)
	if _, err := account.GetUser().GetUserInfo(openid); err == nil || !strings.Contains(err.Error(), "errcode=40001") {
		t.Errorf("with a dead token: got %v, want 40001", err)
	}
	if got := srv.Sent(); len(got) != 0 {
		t.Errorf("sent: got %+v, want nothing", got)
	}
}
