package wechat_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// TestRetryAtOfACallWithoutAToken: who comes back at RetryAt is served, or told why not for the first time.
func TestRetryAtOfACallWithoutAToken(t *testing.T) {
	t.Run("the address is not listed", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			srv := wechattest.NewServer()
			client := newClient(t, srv)
			srv.Fail(wechat.OpAuthStableToken, wechattest.Fault{Code: "40164", Text: "invalid ip", Rate: 1})
			err := info(t.Context(), client)
			e, ok := errors.AsType[*resilience.RefusedError](err)
			if !ok || time.Until(e.RetryAt) != 10*time.Minute {
				t.Errorf("got %v, want RetryAt in 10m, when the account is back", err)
			}
		})
	})
	t.Run("the circuit is open", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			srv := wechattest.NewServer()
			client := newClient(t, srv)
			srv.Fail(wechat.OpLoginJSCode2Session, wechattest.Fault{Status: 503, Rate: 1})
			for range 15 {
				_, _ = client.Login.JSCode2Session(t.Context(), &wechat.LoginJSCode2SessionRequest{JSCode: "c"})
			}
			until := client.Stack().Health().Scopes[resilience.Read].CircuitUntil
			_, err := client.Messages.CustomSend(t.Context(), text(openid, "hi"))
			if err == nil {
				return // writes get their token although the reads' circuit is open: fine too
			}
			e, ok := errors.AsType[*resilience.RefusedError](err)
			if !ok || e.RetryAt.Before(until) {
				t.Errorf("got %v, want RetryAt not before %v, when the circuit lets a probe through", err, until)
			}
		})
	})
}

// TestReadsStoppedAndWritesNot: reads are paused, or their circuit is open, and messages go on.
func TestReadsStoppedAndWritesNot(t *testing.T) {
	for _, test := range []struct {
		name string
		stop func(t *testing.T, srv *wechattest.Server, client *wechat.Client)
	}{
		{"paused", func(_ *testing.T, _ *wechattest.Server, client *wechat.Client) {
			client.Stack().Pause(stack.Target{Scopes: []resilience.Scope{resilience.Read}}, "upkeep", "ops", time.Time{})
		}},
		{"broken", func(t *testing.T, srv *wechattest.Server, client *wechat.Client) {
			srv.Fail(wechat.OpLoginJSCode2Session, wechattest.Fault{Status: 503, Rate: 1})
			for range 15 {
				_, _ = client.Login.JSCode2Session(t.Context(), &wechat.LoginJSCode2SessionRequest{JSCode: "c"})
			}
			if got := client.Stack().Health().Scopes[resilience.Read].Circuit; got != breaker.Open {
				t.Fatalf("circuit %v, want open", got)
			}
		}},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := wechattest.NewServer()
				client := newClient(t, srv)
				test.stop(t, srv, client)
				if _, err := client.Messages.CustomSend(t.Context(), text(openid, "hi")); err != nil {
					t.Errorf("a write: %v", err)
				}
			})
		})
	}
}

// TestACallRightAfterResume: nothing stands in the way any more, least of all the memory of a token that could not be fetched.
func TestACallRightAfterResume(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		reads := stack.Target{Scopes: []resilience.Scope{resilience.Read}}
		client.Stack().Pause(reads, "upkeep", "ops", time.Time{})
		_, _ = client.Messages.CustomSend(t.Context(), text(openid, "hi"))
		client.Stack().Resume(reads)
		if err := info(t.Context(), client); err != nil {
			t.Errorf("right after Resume: %v", err)
		}
	})
}

// TestARefusedAccountCoolsDown: 40001 for a token that the platform's own token call gives out again, as the stable one does
// while it lives.
func TestARefusedAccountCoolsDown(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Code: "40001", Rate: 1})
		if e := apiError(t, info(t.Context(), client)); e.RetryAt.IsZero() {
			t.Errorf("got %v, want the account cooled for 10m", e)
		}
		for range 60 {
			_ = info(t.Context(), client)
			time.Sleep(time.Second)
		}
		if n := len(srv.Calls(wechat.OpUsersInfo)); n > 4 {
			t.Errorf("%d requests met 40001 in a minute, want at most two calls of two", n)
		}
	})
}

// TestARefusedAccountCoolsLonger: 40001 for the new token as well, whenever it is tried.
func TestARefusedAccountCoolsLonger(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		warm(t, client)
		srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Code: "40001", Rate: 1})
		for _, want := range []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute, time.Hour} {
			srv.InvalidateToken(wechattest.AppID)
			e := apiError(t, info(t.Context(), client))
			if got := time.Until(e.RetryAt); got != want {
				t.Fatalf("cools for %v, want %v", got, want)
			}
			time.Sleep(time.Until(e.RetryAt))
		}
	})
}

// TestATokenEndpointThatHangsOpensTheCircuit: its time-out is no caller that leaves.
func TestATokenEndpointThatHangsOpensTheCircuit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpAuthStableToken, wechattest.Fault{Hang: true, Rate: 1})
		for range 40 {
			_ = info(t.Context(), client)
			time.Sleep(2 * time.Second)
		}
		if n := len(srv.Calls(wechat.OpAuthStableToken)); n > 25 {
			t.Errorf("%d token calls hung one after the other: 15 failures in a row open the circuit", n)
		}
	})
}

// quoting is a transport whose downloads break with an error that quotes the request.
type quoting struct{ http.RoundTripper }

func (q quoting) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := q.RoundTripper.RoundTrip(r)
	if err == nil && strings.HasSuffix(r.URL.Path, "media/get") {
		_ = resp.Body.Close()
		resp.Body = broken{"reading " + r.URL.RawQuery}
	}
	return resp, err
}

type broken struct{ text string }

func (b broken) Read([]byte) (int, error) { return 0, errors.New(b.text) }
func (broken) Close() error               { return nil }

// TestABrokenDownloadShowsNoToken: the account has no token but the fetched one.
func TestABrokenDownloadShowsNoToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv, stack.WithTransport(quoting{srv.Transport()}))
		srv.Fail(wechat.OpMediaGet, wechattest.Fault{Body: "jpg", ContentType: "image/jpeg", Header: http.Header{"Content-Disposition": {"attachment"}}})
		resp, err := client.Media.Get(t.Context(), &wechat.MediaGetRequest{MediaID: "m1"})
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = resp.Stream.Close() }()
		_, err = resp.Stream.Read(make([]byte, 10))
		if err == nil || strings.Contains(err.Error(), "stable0001-") {
			t.Errorf("got %.200v, want an error without the token", err)
		}
	})
}

// TestCloseWhileTokensAreFetched: every caller is told, at once, and nothing stays behind.
func TestCloseWhileTokensAreFetched(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpAuthStableToken, wechattest.Fault{Hang: true, Rate: 1})
		start := time.Now()
		var wg sync.WaitGroup
		for i := range 50 { // more than there are places in flight
			wg.Go(func() {
				var err error
				if i%2 == 0 {
					err = info(t.Context(), client)
				} else {
					_, err = client.Messages.CustomSend(t.Context(), text(openid, "hi"))
				}
				if !errors.Is(err, resilience.ErrClosed) {
					t.Errorf("got %v, want ErrClosed", err)
				}
			})
		}
		time.Sleep(time.Second)
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		wg.Wait()
		if took := time.Since(start); took != time.Second {
			t.Errorf("the last caller was told after %v, want 1s", took)
		}
	})
}

// TestTokensUnderChaos: answers are lost, token calls slow, tokens void, callers leave, somebody pauses and resumes. No message arrives
// twice, no secret shows, and afterwards every place in flight is free.
func TestTokensUnderChaos(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { tokenChaos(t, seed) })
		})
	}
}

func tokenChaos(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 3))
	srv := wechattest.NewServer()
	srv.Seed(seed)
	var mu sync.Mutex
	var printed []string
	note := func(x any) {
		mu.Lock()
		defer mu.Unlock()
		printed = append(printed, fmt.Sprintf("%v %+v", x, x))
	}
	client := newClient(t, srv, stack.WithObserver(func(e resilience.Event) { note(e) }))
	srv.Fail(wechat.OpAuthStableToken,
		wechattest.Fault{Rate: 0.1, CutAfter: true}, wechattest.Fault{Rate: 0.1, Delay: 3 * time.Second}, wechattest.Fault{Rate: 0.05, Status: 503},
		wechattest.Fault{Rate: 0.03, Body: "{"}, wechattest.Fault{Rate: 0.03, Hang: true})
	srv.Fail(wechat.OpMessagesCustomSend, wechattest.Fault{Rate: 0.1, CutAfter: true},
		wechattest.Fault{Rate: 0.05, CutBefore: true}, wechattest.Fault{Rate: 0.05, HalfBody: true}, wechattest.Fault{Rate: 0.05, Acted: true, Status: 502})
	srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Rate: 0.1, CutAfter: true}, wechattest.Fault{Rate: 0.05, Delay: time.Second})
	reads := stack.Target{Scopes: []resilience.Scope{resilience.Read}}
	var wg sync.WaitGroup
	sent := map[string]bool{} // by text: whether the caller was told that it arrived
	for i := range 400 {
		ctx, cancel := context.WithCancel(t.Context())
		if rnd.IntN(6) == 0 {
			time.AfterFunc(time.Duration(rnd.IntN(4000))*time.Millisecond, cancel)
		}
		write := rnd.IntN(2) == 0
		wg.Go(func() {
			defer cancel()
			var err error
			if content := fmt.Sprint("message ", i); write {
				_, err = client.Messages.CustomSend(ctx, text(openid, content))
				mu.Lock()
				sent[content] = err == nil
				mu.Unlock()
			} else {
				err = info(ctx, client)
			}
			if err != nil {
				note(err)
			}
		})
		switch rnd.IntN(25) {
		case 0:
			srv.InvalidateToken(wechattest.AppID)
		case 1:
			client.Stack().Pause(reads, "", "", time.Time{})
		case 2, 3, 6, 7:
			client.Stack().Resume(reads)
		case 4:
			if err := client.Stack().Put(srv.App().Credential()); err != nil {
				t.Error(err)
			}
		case 5:
			note(client.Stack().Health())
		}
		time.Sleep(time.Duration(rnd.IntN(400)) * time.Millisecond)
	}
	wg.Wait()
	arrived := map[string]int{}
	for _, m := range srv.Sent() {
		arrived[m.Text]++
	}
	good := 0
	for content, told := range sent {
		n := arrived[content]
		if n > 1 {
			t.Errorf("%q arrived %d times", content, n)
		}
		if told {
			good++
			if n != 1 {
				t.Errorf("%q arrived %d times, and its caller was told that it did", content, n)
			}
		}
	}
	if good == 0 {
		t.Errorf("only %d messages went: nothing was tried", good)
	}
	for _, line := range printed {
		if strings.Contains(line, wechattest.AppSecret) || strings.Contains(line, "stable0") {
			t.Fatalf("a secret shows: %.300s", line)
		}
	}
	srv.Heal(nil)
	client.Stack().Resume(reads)
	time.Sleep(25 * time.Hour)
	if err := info(t.Context(), client); err != nil {
		t.Fatalf("after a day of silence: %v", err)
	}
	start := time.Now()
	srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Delay: time.Second, Times: 20})
	for range 20 {
		wg.Go(func() {
			if err := info(t.Context(), client); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if took := time.Since(start); took != time.Second {
		t.Errorf("20 calls of a second took %v, want 1s: are all places in flight free?", took)
	}
}
