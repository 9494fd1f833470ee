package wechattest_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func TestPlainToken(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		stable := c.token
		first := c.plain()
		check(t, "life", first.text("expires_in"), 7200)
		check(t, "length", len(first.text("access_token")), 512)
		a := c.as(first.text("access_token"))
		time.Sleep(time.Hour)
		b := c.as(c.plain().text("access_token"))
		if a.token == b.token {
			t.Error("a second call gave the same plain token")
		}
		check(t, "both work", []any{a.info().code(), b.info().code()}, []any{"", ""})
		time.Sleep(5*time.Minute - 1)
		check(t, "the old one, before its five minutes are over", a.info().code(), "")
		time.Sleep(time.Nanosecond)
		check(t, "the old one after five minutes", a.info().code(), "40001")
		check(t, "the new one and the stable one", []any{b.info().code(), c.as(stable).info().code()}, []any{"", ""})

		third := c.plain().text("access_token") // b ends in five minutes
		c.plain()
		time.Sleep(5 * time.Minute)
		check(t, "two that were replaced in a row", []any{b.info().code(), c.as(third).info().code()}, []any{"40001", "40001"})
		check(t, "made", srv.Tokens(wechattest.AppID), 5)
	})
}

func TestTokensEnd(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wechattest.Server, c *caller) {
		plain := c.as(c.plain().text("access_token"))
		time.Sleep(wechattest.TokenLife - 1)
		check(t, "before the end", []any{plain.info().code(), c.info().code()}, []any{"", ""})
		time.Sleep(time.Nanosecond)
		check(t, "at the end", []any{plain.info().code(), c.info().code()}, []any{"42001", "42001"})
	})
}

func TestStableToken(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		time.Sleep(time.Hour + 500*time.Millisecond)
		again := c.stable(false)
		check(t, "the same token", again.text("access_token"), c.token)
		check(t, "full seconds that are left", again.text("expires_in"), 3599)
		time.Sleep(55*time.Minute - 500*time.Millisecond - 1)
		check(t, "a moment before renewal", c.stable(false).text("access_token"), c.token)
		time.Sleep(time.Nanosecond)
		next := c.stable(false)
		if next.text("access_token") == c.token {
			t.Error("five minutes before the end: got the old token")
		}
		check(t, "life of the next one", next.text("expires_in"), 7200)
		check(t, "both work", []any{c.info().code(), c.as(next.text("access_token")).info().code()}, []any{"", ""})
		time.Sleep(5 * time.Minute)
		check(t, "the old one ends in its own time", []any{c.info().code(), c.as(next.text("access_token")).info().code()},
			[]any{"42001", ""})
		check(t, "made", srv.Tokens(wechattest.AppID), 2)
	})
}

func TestForceRefresh(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wechattest.Server, c *caller) {
		plain := c.as(c.plain().text("access_token"))
		forced := c.as(c.stable(true).text("access_token"))
		check(t, "the former one is dead, the new one and the plain one are not",
			[]any{c.info().code(), forced.info().code(), plain.info().code()}, []any{"40001", "", ""})
		time.Sleep(30*time.Second - 1)
		check(t, "too soon", c.stable(true).text("access_token"), forced.token)
		check(t, "nothing was refreshed", forced.info().code(), "")
		for n := 2; n <= 20; n++ {
			time.Sleep(30 * time.Second)
			text := c.stable(true).text("access_token")
			if text == forced.token {
				t.Fatalf("refresh %d of the day: got the former token", n)
			}
			forced = c.as(text)
		}
		time.Sleep(time.Minute)
		check(t, "the 21st of the day", c.stable(true).text("access_token"), forced.token)
		check(t, "normal mode", c.stable(false).text("access_token"), forced.token)
		check(t, "clear_quota does not help", forced.post(pathClear, `{"appid":"wx0000000000000001"}`).code(), "")
		check(t, "the 22nd", c.stable(true).text("access_token"), forced.token)
		midnight := time.Date(2000, 1, 1, 16, 0, 0, 0, time.UTC)
		time.Sleep(time.Until(midnight))
		current := c.stable(false).text("access_token")
		if c.stable(true).text("access_token") == current {
			t.Error("the next day: got the former token")
		}
	})
}

// TestForceRefreshEndsOverlap forces while an old stable token still works beside its successor.
func TestForceRefreshEndsOverlap(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wechattest.Server, c *caller) {
		time.Sleep(wechattest.TokenLife - time.Minute)
		next := c.as(c.stable(false).text("access_token"))
		check(t, "both work", []any{c.info().code(), next.info().code()}, []any{"", ""})
		c.stable(true)
		check(t, "neither works", []any{c.info().code(), next.info().code()}, []any{"40001", "40001"})
	})
}

func TestTokenRefusals(t *testing.T) {
	srv, c := start(t)
	srv.AddApp("wx2", "first")
	srv.AddApp("wx2", "made-up-secret-of-wx2")
	tests := []struct{ name, change, code string }{
		{"grant type", "grant_type=password", "40002"},
		{"no grant type", "grant_type=", "40002"},
		{"no appid", "appid=", "41002"},
		{"no secret", "secret=", "41004"},
		{"unknown appid", "appid=wx3", "40013"},
		{"wrong secret", "secret=first", "40125"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			values := url.Values{"grant_type": {"client_credential"}, "appid": {"wx2"}, "secret": {"made-up-secret-of-wx2"}}
			name, value, _ := strings.Cut(tt.change, "=")
			values.Set(name, value)
			body := fmt.Sprintf(`{"grant_type":%q,"appid":%q,"secret":%q}`, values.Get("grant_type"), values.Get("appid"), values.Get("secret"))
			check(t, "plain", c.as("").do("GET", pathToken, values, "", nil).code(), tt.code)
			check(t, "stable", c.as("").post(pathStable, body).code(), tt.code)
		})
	}
	check(t, "no token was made", srv.Tokens("wx2"), 0)
	check(t, "of nobody", srv.Tokens("wx3"), 0)
	other := c.other(srv)
	check(t, "its own tokens", []any{other.info().code(), srv.Tokens("wx2"), srv.Tokens(wechattest.AppID)}, []any{"", 1, 1})
}

func TestInvalidateToken(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		other := c.other(srv)
		plain := c.as(c.plain().text("access_token"))
		srv.InvalidateToken(wechattest.AppID)
		check(t, "both kinds", []any{c.info().code(), plain.info().code()}, []any{"40001", "40001"})
		check(t, "another account's", other.info().code(), "")
		check(t, "a new stable one", c.as(c.stable(false).text("access_token")).info().code(), "")
		check(t, "a new plain one", c.as(c.plain().text("access_token")).info().code(), "")
	})
}

// TestSecretChangesUnderWay gives an account another secret while a call that arrived with the old one is still held back.
func TestSecretChangesUnderWay(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		srv.Fail(opToken, wechattest.Fault{Delay: time.Minute})
		got := make(chan string)
		go func() { got <- c.plain().code() }()
		time.Sleep(time.Second)
		srv.AddApp(wechattest.AppID, "another-secret")
		check(t, "its answer", <-got, "40125")
		check(t, "it is not counted", c.post(pathQuota, `{"cgi_path":"/cgi-bin/token"}`).text("quota.used"), 0)
	})
}
