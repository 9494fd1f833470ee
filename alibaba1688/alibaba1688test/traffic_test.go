package alibaba1688test_test

import (
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/alibaba1688/alibaba1688test"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

func TestTwentyASecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer(alibaba1688test.WithAgedKey())
		defer srv.Close()
		c := newCaller(t, srv)
		for range 20 {
			check(t, "within the limit", c.call(list).code(), "")
		}
		time.Sleep(time.Second)
		// Ten now and ten in half a second: the window rolls, so the next is due in another half.
		for range 10 {
			check(t, "a second later", c.call(list).code(), "")
		}
		time.Sleep(500 * time.Millisecond)
		for range 10 {
			check(t, "half a second later", c.call(list).code(), "")
		}
		time.Sleep(500 * time.Millisecond)
		for range 10 {
			check(t, "the first ten are a second old", c.call(list).code(), "")
		}
		if got := resiliencetest.MaxInAnyWindow(resiliencetest.Times(srv.Calls(nil)), time.Second); got != 20 {
			t.Errorf("the fullest second has %d calls, want 20", got)
		}
		check(t, "not banned", srv.BannedUntil(alibaba1688test.AppKey).IsZero(), true)

		time.Sleep(500*time.Millisecond - time.Nanosecond)
		refused := c.call(list)
		check(t, "one too many", []any{refused.status, refused.field("error_code"), refused.field("error_message")},
			[]any{400, "gw.QosAppFrequencyLimit", "App call exceeds limited frequency"})
		begin := time.Now()
		check(t, "banned until", srv.BannedUntil(alibaba1688test.AppKey).Sub(begin), 24*time.Hour)
		time.Sleep(24*time.Hour - time.Nanosecond)
		check(t, "at the end of the ban", c.call(list).code(), "gw.QosAppFrequencyLimit")
		time.Sleep(time.Nanosecond)
		check(t, "after the ban, to the nanosecond", c.call(list).code(), "")
	})
}

func TestNineHundredInFiveMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		begin := time.Now()
		for range 900 {
			if got := c.call(list); got.code() != "" {
				t.Fatalf("after %v: %v", time.Since(begin), got.body)
			}
			time.Sleep(100 * time.Millisecond)
		}
		time.Sleep(time.Until(begin.Add(5 * time.Minute)))
		check(t, "the first is five minutes old", c.call(list).code(), "")
		check(t, "the second is not", c.call(list).code(), "gw.QosAppFrequencyLimit")
		check(t, "banned", c.call(list).code(), "gw.QosAppFrequencyLimit")
	})
}

func TestLimitOptions(t *testing.T) {
	tests := []struct {
		name string
		opts []alibaba1688test.Option
		want int // calls at once before the first refusal, of 1,000
		then string
	}{
		{"default", nil, 20, "gw.QosAppFrequencyLimit"},
		{"other second", []alibaba1688test.Option{alibaba1688test.WithSecondLimit(3)}, 3, "gw.QosAppFrequencyLimit"},
		{"only five minutes", []alibaba1688test.Option{alibaba1688test.WithSecondLimit(0)}, 900, "gw.QosAppFrequencyLimit"},
		{"other five minutes", []alibaba1688test.Option{alibaba1688test.WithFiveMinuteLimit(7)}, 7, "gw.QosAppFrequencyLimit"},
		{"no ban", []alibaba1688test.Option{alibaba1688test.WithBan(0)}, 20, ""},
		{"short ban", []alibaba1688test.Option{alibaba1688test.WithBan(time.Second)}, 20, ""},
		{"unlimited", []alibaba1688test.Option{alibaba1688test.Unlimited()}, 1000, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := alibaba1688test.NewServer(tt.opts...)
				defer srv.Close()
				c := newCaller(t, srv)
				n := 0
				for n < 1000 && c.call(list).code() == "" {
					n++
				}
				check(t, "calls at once", n, tt.want)
				time.Sleep(time.Second)
				check(t, "a second later", c.call(list).code(), tt.then)
			})
		})
	}
}

func TestWhatIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer(alibaba1688test.WithSecondLimit(2))
		defer srv.Close()
		srv.AddApp("1000002", "another-secret")
		c := newCaller(t, srv)
		for range 5 {
			c.call(clock)
			c.send(getToken+c.key, nil)
			c.with(func(c *caller) { c.secret = "x" }).call(list) // anybody could send this
			c.with(func(c *caller) { c.key, c.secret = "1000002", "another-secret" }).call(list)
		}
		check(t, "another AppKey is banned", srv.BannedUntil("1000002").IsZero(), false)
		check(t, "a call without a token counts", c.as("").call(list).code(), "401")
		check(t, "one that lacks a parameter counts", c.call(detail).code(), "gw.ParamMissing")
		check(t, "the third", c.call(list).code(), "gw.QosAppFrequencyLimit")
		check(t, "the clock answers banned ones", c.call(clock).code(), "")
	})
}

func TestBan(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		srv.Ban(alibaba1688test.AppKey, time.Hour)
		check(t, "banned", c.call(list).code(), "gw.QosAppFrequencyLimit")
		time.Sleep(time.Hour)
		check(t, "over", c.call(list).code(), "")
		srv.Ban(alibaba1688test.AppKey, time.Hour)
		srv.Ban(alibaba1688test.AppKey, 0)
		check(t, "lifted", c.call(list).code(), "")
	})
}

// TestLimitIsExactUnderConcurrency lets many call at once: no more than the limit get through, and none fewer.
func TestLimitIsExactUnderConcurrency(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer(alibaba1688test.WithBan(0))
		defer srv.Close()
		c := newCaller(t, srv)
		var wg sync.WaitGroup
		for range 30 {
			wg.Go(func() {
				for range 5 {
					c.call(list)
				}
			})
		}
		wg.Wait()
		if got := len(resiliencetest.Acted(srv.Calls(nil))); got != 20 {
			t.Errorf("150 calls at once: got %d through, want 20", got)
		}
	})
}

func TestDialDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		srv.Listener().SetDialDelay(3 * time.Second)
		begin := time.Now()
		newCaller(t, srv).call(list)
		check(t, "arrival", srv.Calls(nil)[0].Time.Sub(begin), 3*time.Second)
	})
}
