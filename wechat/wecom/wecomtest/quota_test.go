package wecomtest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// until makes calls until one is refused, and returns how many were not and what the refused one got.
func until(t *testing.T, call func() answer) (int, answer) {
	t.Helper()
	for i := range 100_000 {
		if got := call(); got.code() != "0" {
			return i, got
		}
	}
	t.Fatal("100,000 calls and no refusal")
	return 0, answer{}
}

func TestBaseFrequency(t *testing.T) {
	user := func(c *caller) answer { return c.get(pathUser, "userid=u1") }
	departments := func(c *caller) answer { return c.get(pathDepartments) }
	send := func(c *caller) answer { return c.sendText("u1", "x") }
	tests := []struct {
		name  string
		opts  []wecomtest.Option
		call  func(c *caller) answer
		other func(c *caller) answer // another API, which still goes through
		want  int
		span  time.Duration
	}{
		{name: "own minute", opts: []wecomtest.Option{wecomtest.WithMinuteLimit(wecom.OpUsersGet, 7)}, call: user, other: departments, want: 7,
			span: time.Minute},
		{name: "own hour", opts: []wecomtest.Option{wecomtest.WithHourLimit(wecom.OpUsersGet, 7)}, call: user, other: departments, want: 7,
			span: time.Hour},
		{name: "address, minute", opts: []wecomtest.Option{wecomtest.WithAddressMinuteLimit(5)}, call: departments, other: user, want: 5,
			span: time.Minute},
		{name: "address, hour", opts: []wecomtest.Option{wecomtest.WithAddressHourLimit(5)}, call: departments, other: send, want: 5,
			span: time.Hour},
		{name: "a limit on sends", opts: []wecomtest.Option{wecomtest.Unlimited(), wecomtest.WithMinuteLimit(wecom.OpMessagesSend, 3)},
			call: send, other: user, want: 3, span: time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			bubble(t, func(t *testing.T, _ *wecomtest.Server, c *caller) {
				// The last call comes half a span after the first, so that a block is told from a window.
				check(t, "first", tt.call(c).code(), 0)
				time.Sleep(tt.span / 2)
				n, refused := until(t, func() answer { return tt.call(c) })
				check(t, "calls", []any{n + 1, refused.code(), refused.status}, []any{tt.want, 45009, 200})
				check(t, "text", strings.HasPrefix(refused.text("errmsg"), "api freq out of limit, hint: ["), true)
				check(t, "another API", tt.other(c).code(), 0)
				time.Sleep(tt.span - 1)
				check(t, "before the block ends", tt.call(c).code(), 45009)
				time.Sleep(time.Nanosecond)
				check(t, "when it ends", tt.call(c).code(), 0)
			}, tt.opts...)
		})
	}
}

// TestBlocksAreNotExtended asks on during a block: refused calls are not counted.
func TestBlocksAreNotExtended(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		for range 10 {
			c.as("nobody").get(pathUser, "userid=u1")
		}
		n, _ := until(t, func() answer { return c.get(pathUser, "userid=u1") })
		check(t, "calls with unknown tokens are not counted", n, 3)
		for range 59 {
			time.Sleep(time.Second)
			c.get(pathUser, "userid=u1")
		}
		time.Sleep(time.Second)
		n, _ = until(t, func() answer { return c.get(pathUser, "userid=u1") })
		check(t, "after the block", n, 3)
		check(t, "an oracle's count", resiliencetest.MaxInAnyWindow(resiliencetest.Times(resiliencetest.Acted(srv.Calls(opUser))), time.Minute), 3)
	}, wecomtest.WithMinuteLimit(wecom.OpUsersGet, 3))
}

// TestApplicationsShareTheFrequency: it is the enterprise's.
func TestApplicationsShareTheFrequency(t *testing.T) {
	srv, c := start(t, wecomtest.WithMinuteLimit(wecom.OpUsersGet, 4))
	srv.AddApp(1000003, "secret-3")
	other := c.as(c.login(wecomtest.CorpID, "secret-3").text("access_token"))
	n, _ := until(t, func() answer {
		other.get(pathUser, "userid=u1")
		return c.get(pathUser, "userid=u1")
	})
	check(t, "calls of one of two", n, 2)
}

func TestSendsAreNotCounted(t *testing.T) {
	_, c := start(t, wecomtest.WithAddressMinuteLimit(3))
	for range 10 {
		check(t, "send", c.sendText("u1", "x").code(), 0)
	}
}

func TestTokenFailures(t *testing.T) {
	t.Parallel()
	bubble(t, func(t *testing.T, _ *wecomtest.Server, c *caller) {
		wrong := func() string { return c.login(wecomtest.CorpID, "x").code() }
		good := func() string { return c.login(wecomtest.CorpID, wecomtest.Secret).code() }
		for i := range 2000 {
			if code := wrong(); code != "40001" {
				t.Fatalf("failure %d: got %s, want 40001", i+1, code)
			}
		}
		check(t, "good ones still pass", good(), 0)
		time.Sleep(30 * time.Minute)
		check(t, "one more", wrong(), 45009)
		check(t, "good ones no longer", good(), 45009)
		check(t, "tokens still work", c.get(pathUser, "userid=u1").code(), 0)
		time.Sleep(time.Hour - 1)
		check(t, "before the hour ends", good(), 45009)
		time.Sleep(time.Nanosecond)
		check(t, "when it ends", good(), 0)
	})
	bubble(t, func(t *testing.T, _ *wecomtest.Server, c *caller) {
		for range 2100 {
			c.login(wecomtest.CorpID, "x")
		}
		check(t, "no limit", c.login(wecomtest.CorpID, wecomtest.Secret).code(), 0)
	}, wecomtest.Unlimited())
}

func TestParallel(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		srv.Fail(opUser, wecomtest.Fault{Delay: time.Second, Times: 5})
		codes := make([]string, 5)
		var wg sync.WaitGroup
		for i := range codes {
			wg.Go(func() {
				got, err := c.try(t.Context(), http.MethodGet, pathUser, []string{"userid=u1"}, "", nil)
				if err != nil {
					t.Error(err)
				}
				codes[i] = got.code()
			})
		}
		time.Sleep(time.Second / 2)
		check(t, "another API", c.get(pathDepartments).code(), 0)
		wg.Wait()
		counts := map[string]int{}
		for _, code := range codes {
			counts[code]++
		}
		check(t, "five at a time", counts, map[string]int{"0": 2, "45033": 3})
		for range 10 {
			check(t, "one after the other", c.get(pathUser, "userid=u1").code(), 0)
		}
	}, wecomtest.WithParallel(2))
}

// TestQuotaIsExactUnderConcurrency lets many call at once: no more than the limit get through, and none fewer.
func TestQuotaIsExactUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer(wecomtest.WithMinuteLimit(wecom.OpUsersGet, 150))
		defer srv.Close()
		c := newCaller(t, srv)
		var wg sync.WaitGroup
		for range 20 {
			wg.Go(func() {
				for range 10 {
					if _, err := c.try(t.Context(), http.MethodGet, pathUser, []string{"userid=u1"}, "", nil); err != nil {
						t.Error(err)
					}
				}
			})
		}
		wg.Wait()
		if good := len(resiliencetest.Acted(srv.Calls(opUser))); good != 150 {
			t.Errorf("200 calls at once: got %d through, want 150", good)
		}
	})
}

// TestTheHour is the hour of the base frequency with its own number: many minutes, none of which is over its limit.
func TestTheHour(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		for i := range 15 {
			for range 100 {
				check(t, fmt.Sprint("minute ", i), c.get(pathUser, "userid=u1").code(), 0)
			}
			time.Sleep(time.Minute)
		}
		check(t, "the hour is full", c.get(pathUser, "userid=u1").code(), 45009)
		time.Sleep(time.Minute)
		check(t, "and it is no minute's block", c.get(pathUser, "userid=u1").code(), 45009)
		check(t, "acted", len(resiliencetest.Acted(srv.Calls(opUser))), 1500)
	}, wecomtest.WithMinuteLimit(wecom.OpUsersGet, 100), wecomtest.WithHourLimit(wecom.OpUsersGet, 1500))
}
