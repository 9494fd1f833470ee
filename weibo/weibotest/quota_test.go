package weibotest_test

import (
	"fmt"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

// until makes calls until one is refused, and returns how many were not and what the refused one got.
func until(t *testing.T, call func(i int) answer) (int, answer) {
	t.Helper()
	for i := range 100_000 {
		if got := call(i); got.code() != "" {
			return i, got
		}
	}
	t.Fatal("100,000 calls and no refusal")
	return 0, answer{}
}

func TestQuotas(t *testing.T) {
	show := func(c *caller, token string) answer { return c.as(token).get("/2/users/show.json", "uid=1001") }
	share := func(c *caller, token string, i int) answer { return c.as(token).share(fmt.Sprint("post ", i)) }
	tests := []struct {
		name  string
		opts  []weibotest.Option
		call  func(c *caller, i int) answer
		want  int
		code  string
		error string
		other func(c *caller) answer // a call that still goes through
	}{
		{name: "user total", want: 150, code: "10023", error: "User requests out of rate limit!",
			call:  func(c *caller, _ int) answer { return show(c, "tok-1") },
			other: func(c *caller) answer { return show(c, "tok-2") }},
		{name: "posts", want: 30, code: "10024", error: "User requests for (statuses/share) out of rate limit!",
			call:  func(c *caller, i int) answer { return share(c, "tok-1", i) },
			other: func(c *caller) answer { return show(c, "tok-1") }},
		{name: "comments and replies together", want: 60, code: "10024", error: "User requests for (comments/reply) out of rate limit!",
			call: func(c *caller, i int) answer {
				if i == 0 {
					c.as("tok-2").share("a post")
				}
				if i%2 == 0 && i < 60 {
					return c.post("/2/comments/create.json", "id=5012345678901234567", fmt.Sprint("comment=", i), "rip=192.0.2.7")
				}
				return c.post("/2/comments/reply.json", "id=5012345678901234567", "cid=5012345678901234568", fmt.Sprint("comment=", i), "rip=192.0.2.7")
			},
			other: func(c *caller) answer { return share(c, "tok-1", 1) }},
		{name: "address", want: 1000, code: "10022", error: "IP requests out of rate limit!",
			call:  func(c *caller, i int) answer { return show(c, fmt.Sprint("tok-", i%9+1)) },
			other: func(c *caller) answer { return c.get("/2/account/rate_limit_status.json") }},
		{name: "one interface", opts: []weibotest.Option{weibotest.WithInterfaceLimit("users/show", 7)}, want: 7, code: "10024",
			error: "User requests for (users/show) out of rate limit!",
			call:  func(c *caller, _ int) answer { return show(c, "tok-1") },
			other: func(c *caller) answer { return c.get("/2/statuses/mentions.json") }},
		{name: "other numbers", want: 3, code: "10023", error: "User requests out of rate limit!",
			opts: []weibotest.Option{weibotest.Unlimited(), weibotest.WithUserLimit(3), weibotest.WithIPLimit(0),
				weibotest.WithPostLimit(0), weibotest.WithCommentLimit(0)},
			call:  func(c *caller, i int) answer { return share(c, "tok-1", i) },
			other: func(c *caller) answer { return show(c, "tok-2") }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := weibotest.NewServer(tt.opts...)
				defer srv.Close()
				c := newCaller(t, srv)
				time.Sleep(25 * time.Minute)
				for _, hour := range []string{"first", "second"} {
					n, refused := until(t, func(i int) answer { return tt.call(c, i) })
					check(t, hour+" hour", []any{n, refused.code(), refused.status, refused.field("error")},
						[]any{tt.want, tt.code, 403, tt.error})
					check(t, "another call", tt.other(c).code(), "")
					// The budget comes back at the full hour and not a nanosecond before.
					next := time.Now().Truncate(time.Hour).Add(time.Hour)
					time.Sleep(time.Until(next) - 1)
					check(t, "before the hour ends", tt.call(c, tt.want+1).code(), tt.code)
					time.Sleep(time.Nanosecond)
				}
			})
		})
	}
}

func TestDayQuota(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer(weibotest.WithUserDayLimit(100))
		defer srv.Close()
		c := newCaller(t, srv) // it is eight in the morning in China
		show := func(int) answer { return c.get("/2/users/show.json", "uid=1001") }
		n, refused := until(t, show)
		check(t, "day", []any{n, refused.code()}, []any{100, "10023"})
		time.Sleep(16*time.Hour - 1)
		check(t, "before midnight in China", show(0).code(), "10023")
		time.Sleep(time.Nanosecond)
		check(t, "at midnight in China", show(0).code(), "")
	})
}

func TestRateLimitStatus(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer(weibotest.WithInterfaceLimit("users/show", 7))
		defer srv.Close()
		c := newCaller(t, srv)
		time.Sleep(44*time.Minute + 10*time.Second + 1)
		c.share("one")
		c.get("/2/users/show.json", "uid=1001")
		c.as("tok-2").share("two")
		c.get("/2/account/rate_limit_status.json") // not counted itself
		status := c.get("/2/account/rate_limit_status.json")
		check(t, "status", status.body, map[string]any{
			"ip_limit": 1000, "remaining_ip_hits": 997, "user_limit": 150, "remaining_user_hits": 148, "limit_time_unit": "HOURS",
			"reset_time": "2000-01-01 09:00:00", "reset_time_in_seconds": 950,
			"api_rate_limits": []any{
				map[string]any{"api": "/comments/create", "limit": 60, "limit_time_unit": "HOURS", "remaining_hits": 60},
				map[string]any{"api": "/comments/reply", "limit": 60, "limit_time_unit": "HOURS", "remaining_hits": 60},
				map[string]any{"api": "/statuses/share", "limit": 30, "limit_time_unit": "HOURS", "remaining_hits": 29},
				map[string]any{"api": "/users/show", "limit": 7, "limit_time_unit": "HOURS", "remaining_hits": 6},
			},
		})
	})
	_, c := start(t, weibotest.Unlimited())
	check(t, "without limits", c.get("/2/account/rate_limit_status.json").text("user_limit"), 99999999)
}

func TestRefusedCallsAreNotCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer(weibotest.WithUserLimit(2))
		defer srv.Close()
		c := newCaller(t, srv)
		for range 5 {
			c.as("nobody").get("/2/users/show.json", "uid=1001")
		}
		n, _ := until(t, func(int) answer { return c.get("/2/users/show.json", "uid=1001") })
		check(t, "calls", n, 2)
		check(t, "left for the address", c.get("/2/account/rate_limit_status.json").text("remaining_ip_hits"), 998)
	})
}

func TestBan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		srv.Ban("tok-1", "10023", 6*time.Hour)
		srv.Ban("tok-2", "10024", 6*time.Hour, opShare)
		show := func(token string) string { return c.as(token).get("/2/users/show.json", "uid=1001").code() }
		check(t, "tok-1", []any{show("tok-1"), c.share("a").code()}, []any{"10023", "10023"})
		check(t, "its budget looks whole", c.get("/2/account/rate_limit_status.json").text("remaining_user_hits"), 150)
		check(t, "tok-2", []any{show("tok-2"), c.as("tok-2").share("b").code()}, []any{"", "10024"})
		check(t, "tok-3", []any{show("tok-3"), c.as("tok-3").share("c").code()}, []any{"", ""})
		time.Sleep(6*time.Hour - 1)
		check(t, "before the end", show("tok-1"), "10023")
		time.Sleep(time.Nanosecond)
		check(t, "at the end", []any{show("tok-1"), c.as("tok-2").share("d").code()}, []any{"", ""})
		srv.Ban("tok-1", "20031", time.Hour)
		check(t, "another code", show("tok-1"), "20031")
		srv.Ban("tok-1", "", 0)
		check(t, "lifted", show("tok-1"), "")
	})
}

// TestQuotaIsExactUnderConcurrency lets many call at once: no more than the limit get through, and none fewer.
func TestQuotaIsExactUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for range 10 {
					if _, err := c.try(t.Context(), "GET", "/2/users/show.json?uid=1001", "", nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		good := 0
		for _, call := range srv.Calls(opShow) {
			if call.Acted {
				good++
			}
		}
		if good != 150 {
			t.Errorf("200 calls at once: got %d through, want 150", good)
		}
	})
}
