package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/weibo"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

// rip is the address of the user who acts, as Weibo wants it.
const rip = "203.0.113.7"

var fiveTokens = []string{"tok-1", "tok-2", "tok-3", "tok-4", "tok-5"}

// sceneWeibo: five apps of one account, for reads and for writes.
func sceneWeibo(t *testing.T, r *report) {
	r.scene("Weibo: five apps of one account, for reads and for writes")
	inBubble(t, func(t *testing.T) { postsGoOn(t, r) })
	inBubble(t, func(t *testing.T) { drainedApp(t, r) })
	inBubble(t, func(t *testing.T) { wholeTokenCools(t, r) })
	inBubble(t, func(t *testing.T) { fairRotation(t, r) })
}

func weiboClient(t *testing.T, srv *weibotest.Server) *weibo.Client {
	client, err := weibo.New(append(srv.Options(), weibo.WithAccount("wall", fiveTokens...))...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// postsGoOn: every read is answered with 10024 for an hour, and a post is due each minute.
func postsGoOn(t *testing.T, r *report) {
	play := func(read func() error, post func(text string) error) {
		for minute := range 60 {
			_ = read()
			_ = post(fmt.Sprintf("notice %d https://wall.example/%d", minute, minute))
			time.Sleep(time.Minute)
		}
	}
	drainReads := weibotest.Fault{Code: "10024", Text: "User requests for (statuses/mentions) out of rate limit!", Rate: 1}

	srv := weibotest.NewServer()
	srv.Fail(weibo.OpStatusesMentions, drainReads)
	client := weiboClient(t, srv)
	play(
		func() error {
			_, err := client.Statuses.Mentions(t.Context(), nil)
			return err
		},
		func(text string) error {
			_, err := client.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: text, RIP: rip})
			return err
		})
	ours := acted(srv, weibo.OpStatusesShare)
	shown := client.Stack().Health().Cooldowns
	_ = client.Close()
	srv.Close()

	srv = weibotest.NewServer()
	srv.Fail(weibo.OpStatusesMentions, drainReads)
	book := newTokenCooldown(fiveTokens...)
	play(
		func() (err error) {
			for range fiveTokens { // a limited token is left for the next one
				if err = book.call(t, srv, weibo.OpStatusesMentions, nil); err == nil {
					break
				}
			}
			return err
		},
		func(text string) error {
			return book.call(t, srv, weibo.OpStatusesShare, url.Values{"status": {text}, "rip": {rip}})
		})
	textbook := acted(srv, weibo.OpStatusesShare)
	srv.Close()

	r.verdict(verdict{
		promise:  "reads are answered with 10024 for an hour: 60 posts go on, for a throttled read stops no write",
		dujiang:  fmt.Sprintf("%d of 60 posts out (%d %%); Health shows %d cooling pairs of token and interface", ours, ours*100/60, len(shown)),
		textbook: fmt.Sprintf("%d of 60 posts out (%d %%): the whole token cools", textbook, textbook*100/60),
		kept:     ours == 60,
	})
}

// call makes a call with the next token that does not cool.
func (c *tokenCooldown) call(t *testing.T, srv *weibotest.Server, op *resilience.Operation, params url.Values) error {
	token := c.pick()
	if token == "" {
		return errors.New("every token cools")
	}
	err := weiboPlain(t, srv, token, op, params)
	if err != nil {
		c.failed(token)
	}
	return err
}

// weiboPlain makes a call with net/http alone.
func weiboPlain(t *testing.T, srv *weibotest.Server, token string, op *resilience.Operation, params url.Values) error {
	address, body := srv.URL()+op.Path, ""
	if op.HTTPMethod == http.MethodPost {
		body = params.Encode()
	} else {
		address += "?" + params.Encode()
	}
	req, err := http.NewRequestWithContext(t.Context(), op.HTTPMethod, address, strings.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Authorization", "OAuth2 "+token)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	transport := srv.Transport()
	defer transport.CloseIdleConnections()
	resp, err := transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Code json.Number `json:"error_code"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err == nil && answer.Code != "" {
		return fmt.Errorf("code %s", answer.Code)
	}
	return nil
}

func acted(srv *weibotest.Server, op *resilience.Operation) (n int) {
	for _, c := range srv.Calls(op) {
		if c.Acted {
			n++
		}
	}
	return n
}

// drainedApp: one app has no quota left for six hours, and somebody asks every minute.
func drainedApp(t *testing.T, r *report) {
	drained := weibotest.Fault{Code: "10024", Text: "User requests for (users/show) out of rate limit!", Rate: 1}
	srv := weibotest.NewServer()
	srv.Fail(weibo.OpUsersShow, drained)
	client := weiboClient(t, srv)
	for range 6 * 60 {
		_, _ = client.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(int64(1001))}, resilience.WithCredential("wall/1"))
		time.Sleep(time.Minute)
	}
	times := srv.Calls(weibo.OpUsersShow)
	ours := len(times)
	var steps []string
	for i := 1; i < len(times); i++ {
		steps = append(steps, fmt.Sprintf("%.0f", times[i].Time.Sub(times[i-1].Time).Minutes()))
	}
	_ = client.Close()
	srv.Close()

	srv = weibotest.NewServer()
	srv.Fail(weibo.OpUsersShow, drained)
	book := newTokenCooldown("tok-1")
	for range 6 * 60 {
		_ = book.call(t, srv, weibo.OpUsersShow, url.Values{"uid": {"1001"}})
		time.Sleep(time.Minute)
	}
	textbook := len(srv.Calls(weibo.OpUsersShow))
	srv.Close()

	r.verdict(verdict{
		promise:  "an app that is drained for 6 h is asked 8 times: after 10, 20, 40, 60, 60 ... minutes",
		dujiang:  fmt.Sprintf("%d probes, %s minutes apart", ours, strings.Join(steps, ", ")),
		textbook: fmt.Sprintf("%d probes: its streak never grows", textbook),
		kept:     ours == 8,
	})
}

// wholeTokenCools: 10023 is the user's total, shared by reads and writes.
func wholeTokenCools(t *testing.T, r *report) {
	srv := weibotest.NewServer()
	client := weiboClient(t, srv)
	time.Sleep(20 * time.Minute) // the virtual clock starts at a full hour
	srv.Fail(weibo.OpUsersShow, weibotest.Fault{Code: "10023", Text: "User requests out of rate limit!"})
	start := time.Now()
	show := func(opts ...resilience.CallOption) error {
		_, err := client.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(int64(1001))}, opts...)
		return err
	}
	read := show(resilience.WithCredential("wall/2"))
	_, write := client.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: "hello", RIP: rip}, resilience.WithCredential("wall/2"))
	var until time.Duration
	if e, ok := errors.AsType[*resilience.RefusedError](write); ok {
		until = e.RetryAt.Sub(start)
	}
	others := show()
	kept := errors.Is(read, resilience.ErrQuotaExhausted) && errors.Is(write, resilience.ErrNoCredential) &&
		until == 40*time.Minute && others == nil && len(srv.Calls(weibo.OpStatusesShare)) == 0
	r.verdict(verdict{
		promise: "10023 at 20 past: both scopes of that token cool until the full hour, the other four go on",
		dujiang: fmt.Sprintf("its next write is refused unsent for %v; the others: %s", until, outcome(others)),
		kept:    kept,
	})
	_ = client.Close()
	srv.Close()
}

func outcome(err error) string {
	if err != nil {
		return err.Error()
	}
	return "served"
}

// fairRotation: 500 reads by 8 callers at once.
func fairRotation(t *testing.T, r *report) {
	srv := weibotest.NewServer()
	client := weiboClient(t, srv)
	together(8, 500, func(ctx context.Context) {
		_, _ = client.Users.Show(ctx, &weibo.UsersShowRequest{UID: new(int64(1001))})
	})
	count := map[string]int{}
	for _, c := range srv.Calls(weibo.OpUsersShow) {
		count[c.App]++
	}
	var shares []int
	for _, n := range count {
		shares = append(shares, n)
	}
	slices.Sort(shares)
	r.verdict(verdict{
		promise: "rotation is fair: 500 reads by 8 callers over five apps",
		dujiang: fmt.Sprintf("%v calls an app", shares),
		kept:    len(shares) == 5 && shares[0] >= 98 && shares[4] <= 102,
	})
	_ = client.Close()
	srv.Close()
}
