package wechattest_test

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// login exchanges a code, with changes of the kind "name=value".
func (c *caller) login(code string, changes ...string) answer {
	c.t.Helper()
	query := url.Values{"grant_type": {"authorization_code"}, "appid": {c.appid}, "secret": {c.secret}, "js_code": {code}}
	for _, change := range changes {
		name, value, _ := strings.Cut(change, "=")
		query.Set(name, value)
	}
	return c.as("").do("GET", pathLogin, query, "", nil)
}

func TestLogin(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		code := srv.LoginCode(follower)
		for change, want := range map[string]string{
			"grant_type=client_credential": "40002", "appid=": "41002", "secret=": "41004", "appid=wx9": "40013", "secret=x": "40125",
			"js_code=": "41008", "js_code=x": "40029",
		} {
			refused := c.login(code, change)
			check(t, change, []any{refused.status, refused.kind, refused.code()}, []any{200, "text/plain", want})
		}
		got := c.login(code)
		check(t, "login", []any{got.kind, got.field("openid"), got.field("unionid"), got.text("errcode")},
			[]any{"text/plain", follower, "made-up-unionid-000000000001", "0"})
		key, err := base64.StdEncoding.DecodeString(got.text("session_key"))
		if err != nil || len(key) != 16 {
			t.Errorf("session_key: got %q, %v, want 16 bytes in base64", got.text("session_key"), err)
		}
		check(t, "used", c.login(code).code(), "40163")
		again := c.login(srv.LoginCode(follower))
		if again.text("session_key") == got.text("session_key") {
			t.Error("two logins got the same session_key")
		}

		late := srv.LoginCode(follower)
		time.Sleep(5*time.Minute - 1)
		last := srv.LoginCode(second)
		time.Sleep(time.Nanosecond)
		check(t, "a code ages", []any{c.login(late).code(), c.login(last).code()}, []any{"40029", ""})

		check(t, "a new user", c.login(srv.LoginCode("o9")).field("openid"), "o9")
		check(t, "is known and does not follow", c.get(pathInfo, "openid=o9").text("subscribe"), 0)
	})
}
