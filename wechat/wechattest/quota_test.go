package wechattest_test

import (
	"encoding/json"
	"fmt"
	"net/url"
	"sync"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// until makes calls until one is refused, and returns how many were not and what the refused one got.
func until(t *testing.T, call func() answer) (int, answer) {
	t.Helper()
	for i := range 20_000 {
		if got := call(); got.code() != "" {
			return i, got
		}
	}
	t.Fatal("20,000 calls and no refusal")
	return 0, answer{}
}

// aMinute takes a caller to the beginning of a minute.
func aMinute() { time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute))) }

// TestDefaultLimits reads the limits where the fake tells them.
func TestDefaultLimits(t *testing.T) {
	_, c := start(t)
	_, free := start(t, wechattest.Unlimited())
	tests := []struct {
		path        string
		day, minute any
	}{
		{pathToken, 2000, nil},
		{pathStable, 500000, 10000},
		{pathCustom, 500000, nil},
		{pathTemplate, 100000, nil},
		{pathUpload, 100000, nil},
		{pathDownload, 200000, nil},
		{pathInfo, 5000000, nil},
		{pathList, 500, nil},
		{pathMenu, 1000, nil},
		{pathCheck, 2000000, 4000},
		{pathClear, 99999999, nil},
		{pathQuota, 99999999, nil},
	}
	for _, tt := range tests {
		body := fmt.Sprintf(`{"cgi_path":%q}`, tt.path)
		got := c.post(pathQuota, body)
		check(t, tt.path, []any{got.field("quota.daily_limit"), got.field("rate_limit.call_count")}, []any{tt.day, tt.minute})
		got = free.post(pathQuota, body)
		check(t, tt.path+", unlimited", []any{got.field("quota.daily_limit"), got.field("rate_limit")}, []any{99999999, nil})
	}
}

func TestDayLimits(t *testing.T) {
	tests := []struct {
		name  string
		opts  []wechattest.Option
		call  func(srv *wechattest.Server, c *caller) answer
		want  int
		other func(c *caller) answer // a call that still goes through
	}{
		{name: "user list", want: 500,
			call:  func(_ *wechattest.Server, c *caller) answer { return c.get(pathList) },
			other: func(c *caller) answer { return c.info() }},
		{name: "menu", want: 1000,
			call: func(_ *wechattest.Server, c *caller) answer {
				return c.post(pathMenu, `{"button":[{"type":"click","name":"a","key":"k"}]}`)
			},
			other: func(c *caller) answer { return c.get(pathList) }},
		{name: "plain token", want: 2000,
			call:  func(_ *wechattest.Server, c *caller) answer { return c.plain() },
			other: func(c *caller) answer { return c.stable(false) }},
		{name: "another number", want: 7, opts: []wechattest.Option{wechattest.WithDayLimit(wechat.OpMessagesCustomSend, 7)},
			call:  func(_ *wechattest.Server, c *caller) answer { return c.say(follower, "x") },
			other: func(c *caller) answer { return c.template(follower, "TM00015", "") }},
		{name: "a limit of one's own", want: 3,
			opts:  []wechattest.Option{wechattest.Unlimited(), wechattest.WithDayLimit(wechat.OpLoginJSCode2Session, 3)},
			call:  func(srv *wechattest.Server, c *caller) answer { return c.login(srv.LoginCode(follower)) },
			other: func(c *caller) answer { return c.info() }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
				for _, midnight := range []time.Time{time.Date(2000, 1, 1, 16, 0, 0, 0, time.UTC), time.Date(2000, 1, 2, 16, 0, 0, 0, time.UTC)} {
					c = c.as(c.stable(false).text("access_token"))
					n, refused := until(t, func() answer { return tt.call(srv, c) })
					check(t, "day", []any{n, refused.code(), refused.text("errmsg")[:31]}, []any{tt.want, "45009", "reach max api daily quota limit"})
					check(t, "another operation", tt.other(c).code(), "")
					check(t, "another account", tt.call(srv, c.other(srv)).code(), "")
					// The day ends at midnight in China and not a nanosecond before.
					time.Sleep(time.Until(midnight.Add(-time.Minute)))
					c = c.as(c.stable(false).text("access_token"))
					time.Sleep(time.Until(midnight) - 1)
					check(t, "before midnight", tt.call(srv, c).code(), "45009")
					time.Sleep(time.Nanosecond)
				}
				check(t, "at midnight", tt.call(srv, c).code(), "")
			}, tt.opts...)
		})
	}
}

func TestMinuteLimits(t *testing.T) {
	tests := []struct {
		name string
		opts []wechattest.Option
		call func(srv *wechattest.Server, c *caller) answer
		want int
	}{
		{"stable token", []wechattest.Option{wechattest.WithMinuteLimit(wechat.OpAuthStableToken, 40)},
			func(_ *wechattest.Server, c *caller) answer { return c.stable(false) }, 40},
		{"text check", []wechattest.Option{wechattest.WithMinuteLimit(wechat.OpSecurityMsgSecCheck, 40)},
			func(_ *wechattest.Server, c *caller) answer { return c.inspect("x") }, 40},
		{"logins of one user", nil, func(srv *wechattest.Server, c *caller) answer { return c.login(srv.LoginCode(follower)) }, 100},
		{"another number", []wechattest.Option{wechattest.WithMinuteLimit(wechat.OpUsersInfo, 3)},
			func(_ *wechattest.Server, c *caller) answer { return c.info() }, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
				aMinute()
				time.Sleep(40 * time.Second)
				for range 2 {
					n, refused := until(t, func() answer { return tt.call(srv, c) })
					check(t, "minute", []any{n, refused.code(), refused.text("errmsg")[:28]}, []any{tt.want, "45011", "api minute-quota reach limit"})
					// The next full minute opens the door, not a nanosecond before and not sixty seconds after the first call.
					time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute)) - 1)
					check(t, "before the minute ends", tt.call(srv, c).code(), "45011")
					time.Sleep(time.Nanosecond)
				}
			}, tt.opts...)
		})
	}
}

func TestLoginLimitIsOfTheUser(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		aMinute()
		late := srv.LoginCode(follower)
		until(t, func() answer { return c.login(srv.LoginCode(follower)) })
		check(t, "another user", c.login(srv.LoginCode(second)).code(), "")
		check(t, "refused", c.login(late).code(), "45011")
		for range 200 {
			if code := c.login("nonsense").code(); code != "40029" {
				t.Fatalf("unknown code: got %s, want 40029", code)
			}
		}
		time.Sleep(time.Minute)
		check(t, "the code is still good", c.login(late).code(), "")
	})
}

func TestRefusedCallsAreNotCounted(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		for range 5 {
			c.as("nobody").say(follower, "x")
			c.post(pathCustom, "")
			c.say("nobody", "x")
			srv.Fail(opCustom, wechattest.Fault{Code: "45011"})
			c.say(follower, "x")
		}
		n, _ := until(t, func() answer { return c.say(follower, "x") })
		check(t, "calls", n, 3)
		until(t, func() answer { return c.say(follower, "x") })
		got := c.post(pathQuota, `{"cgi_path":"/cgi-bin/message/custom/send"}`)
		check(t, "used", []any{got.text("quota.used"), got.text("quota.remain")}, []any{3, 0})
	}, wechattest.WithDayLimit(wechat.OpMessagesCustomSend, 3))
}

func TestQuotaGet(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wechattest.Server, c *caller) {
		c.info()
		c.info()
		got := c.post(pathQuota, `{"cgi_path":"/cgi-bin/user/info"}`)
		check(t, "quota", got.field("quota"), map[string]any{"daily_limit": 10, "used": 2, "remain": 8})
		check(t, "rate", got.field("rate_limit"), map[string]any{"call_count": 5, "refresh_second": 60})
		if _, isNumber := got.field("quota.remain").(json.Number); !isNumber {
			t.Errorf("remain: got %T, want a number", got.field("quota.remain"))
		}
		check(t, "the next day", func() any {
			time.Sleep(24 * time.Hour)
			c = c.as(c.stable(false).text("access_token"))
			return c.post(pathQuota, `{"cgi_path":"/cgi-bin/user/info"}`).text("quota.used")
		}(), 0)
		for path, code := range map[string]string{
			"/cgi-bin/nothing": "76021", "/sns/jscode2session": "76022", "/sns/nothing": "76022", "cgi-bin/user/info": "76003", "": "76003",
		} {
			check(t, path, c.post(pathQuota, fmt.Sprintf(`{"cgi_path":%q}`, path)).code(), code)
		}
	}, wechattest.WithDayLimit(wechat.OpUsersInfo, 10), wechattest.WithMinuteLimit(wechat.OpUsersInfo, 5))
}

func TestClearQuota(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		other := c.other(srv)
		reset := func(c *caller) string { return c.post(pathClear, fmt.Sprintf(`{"appid":%q}`, c.appid)).code() }
		until(t, other.info)
		check(t, "another's appid", c.post(pathClear, `{"appid":"wx2"}`).code(), "40013")
		check(t, "no appid", c.post(pathClear, `{}`).code(), "40013")
		for range 10 {
			n, refused := until(t, c.info)
			check(t, "day", []any{n, refused.code()}, []any{2, "45009"})
			check(t, "reset", reset(c), "")
		}
		check(t, "the last reset works", c.info().code(), "")
		check(t, "the eleventh", reset(c), "48006")
		check(t, "another account has its own count and its own resets", []any{other.info().code(), reset(other), other.info().code()},
			[]any{"45009", "", ""})
		time.Sleep(time.Until(time.Date(2000, 1, 31, 15, 59, 0, 0, time.UTC)))
		c = c.as(c.stable(false).text("access_token"))
		time.Sleep(time.Minute - 1)
		check(t, "before the month ends in China", reset(c), "48006")
		time.Sleep(time.Nanosecond)
		check(t, "the next month", reset(c), "")
	}, wechattest.WithDayLimit(wechat.OpUsersInfo, 2))
}

// TestClearQuotaLeavesMinutes resets the day while a minute is used up.
func TestClearQuotaLeavesMinutes(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wechattest.Server, c *caller) {
		until(t, c.info)
		check(t, "reset", c.post(pathClear, `{"appid":"wx0000000000000001"}`).code(), "")
		check(t, "the minute", c.info().code(), "45011")
	}, wechattest.WithMinuteLimit(wechat.OpUsersInfo, 2))
}

// TestQuotaIsExactUnderConcurrency lets many call at once: no more than the limit get through, and none fewer.
func TestQuotaIsExactUnderConcurrency(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for range 10 {
					if _, err := c.try(t.Context(), "GET", pathInfo, url.Values{"openid": {follower}}, "", nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		good := 0
		for _, call := range srv.Calls(opInfo) {
			if call.Acted {
				good++
			}
		}
		check(t, "200 calls at once", good, 150)
	}, wechattest.WithDayLimit(wechat.OpUsersInfo, 150))
}
