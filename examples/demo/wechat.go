package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// sceneWechat: refusals inside HTTP 200, gateways that say when to come back, messages that must not go out twice.
func sceneWechat(t *testing.T, r *report) {
	r.scene("WeChat and WeCom: refusals inside HTTP 200, messages that must go out once")
	inBubble(t, func(t *testing.T) { dayInside200(t, r) })
	inBubble(t, func(t *testing.T) { minuteInside200(t, r) })
	inBubble(t, func(t *testing.T) { comeBackIn3(t, r) })
	inBubble(t, func(t *testing.T) { comeBackIn600(t, r) })
	inBubble(t, func(t *testing.T) { lostMessages(t, r) })
	inBubble(t, func(t *testing.T) { sameKeyTwice(t, r) })
	inBubble(t, func(t *testing.T) { tiers(t, r) })
	inBubble(t, func(t *testing.T) { droppedInSilence(t, r) })
}

// follower is known to the fake from the start.
const follower = wechattest.OpenID

func wechatClient(t *testing.T, srv *wechattest.Server) *wechat.Client {
	client, err := wechat.New(append(srv.Options(), wechat.WithApp(srv.App()))...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func send(ctx context.Context, client *wechat.Client, content string, opts ...resilience.CallOption) error {
	_, err := client.Messages.CustomSend(ctx, &wechat.MessagesCustomSendRequest{
		ToUser: follower, MsgType: "text", Text: &wechat.CustomText{Content: content},
	}, opts...)
	return err
}

func look(ctx context.Context, client *wechat.Client, opts ...resilience.CallOption) error {
	_, err := client.Users.Info(ctx, &wechat.UsersInfoRequest{OpenID: follower}, opts...)
	return err
}

// dayInside200: the account may send 40 messages a day, which nobody has told the program, and the refusal is text in HTTP 200.
func dayInside200(t *testing.T, r *report) {
	const messages = 100
	refusals := wechattest.Fault{Code: "45009", Text: "reach max api daily quota limit", ContentType: "text/plain", Rate: 1}
	play := func(srv *wechattest.Server, send func(n int) error, look func() error) (good, seen int) {
		for n := range messages {
			if n == 40 {
				srv.Fail(wechat.OpMessagesCustomSend, refusals)
			}
			if send(n) == nil {
				good++
			}
			if look() == nil {
				seen++
			}
			time.Sleep(time.Minute)
		}
		return good, seen
	}

	srv := wechattest.NewServer()
	client := wechatClient(t, srv)
	var until time.Time
	good, seen := play(srv, func(n int) error {
		err := send(t.Context(), client, fmt.Sprint("notice ", n))
		if e, ok := errors.AsType[*resilience.RefusedError](err); ok {
			until = e.RetryAt
		}
		return err
	}, func() error { return look(t.Context(), client) })
	arrived := len(srv.Calls(wechat.OpMessagesCustomSend))
	_ = client.Close()
	srv.Close()

	srv = wechattest.NewServer()
	plain := newPlainWechat(t, srv)
	believed, _ := play(srv, func(n int) error {
		return plain.send(t.Context(), fmt.Sprint("notice ", n))
	}, func() error { return nil })
	really := len(srv.Sent())
	plain.close()
	srv.Close()

	zone := time.FixedZone("CST", 8*60*60)
	r.verdict(verdict{
		promise: "45009 in an HTTP 200 of text/plain: asked once, refused here until midnight in China, other calls go on",
		dujiang: fmt.Sprintf("%d sent, %d request refused, the rest unsent until %s in China; %d of %d reads served",
			good, arrived-good, until.In(zone).Format("15:04"), seen, messages),
		textbook: fmt.Sprintf("looks at the HTTP status: takes %d for sent, %d were", believed, really),
		kept:     good == 40 && arrived == 41 && seen == messages && until.In(zone).Format("15:04") == "00:00",
	})
}

// minuteInside200: 30 reads a minute, which nobody has told the program either.
func minuteInside200(t *testing.T, r *report) {
	const reads = 90
	srv := wechattest.NewServer(wechattest.WithMinuteLimit(wechat.OpUsersInfo, 30))
	client := wechatClient(t, srv)
	time.Sleep(20 * time.Second) // the virtual clock starts at a full minute
	start := time.Now()
	failed := 0
	for range reads {
		if look(t.Context(), client, resilience.WithTier(resilience.Bulk)) != nil {
			failed++
		}
	}
	took := time.Since(start)
	wasted := len(srv.Calls(wechat.OpUsersInfo)) - reads
	_ = client.Close()
	srv.Close()

	srv = wechattest.NewServer(wechattest.WithMinuteLimit(wechat.OpUsersInfo, 30))
	plain := newPlainWechat(t, srv)
	time.Sleep(20 * time.Second)
	bookFailed := 0
	for range reads {
		err := retryCall(func() error {
			answer, err := plain.look(t.Context())
			if err == nil && answer.code != 0 {
				err = fmt.Errorf("code %d", answer.code)
			}
			return err
		})
		if err != nil {
			bookFailed++
		}
	}
	bookWasted := len(srv.Calls(wechat.OpUsersInfo)) - (reads - bookFailed)
	plain.close()
	srv.Close()

	r.verdict(verdict{
		promise:  "45011, a minute's limit of 30: a patient read waits for the full minute, 90 reads are served in the third one",
		dujiang:  fmt.Sprintf("%d served in %v, %d refused requests on the way", reads-failed, took.Round(time.Second), wasted),
		textbook: fmt.Sprintf("backs off 1, 2, 4, 8 s: %d of %d reads fail, %d refused requests", bookFailed, reads, bookWasted),
		kept:     failed == 0 && wasted == 2 && took < 105*time.Second,
	})
}

// comeBackIn3: a gateway answers 200 programs with 429 and Retry-After: 3 at the same instant.
func comeBackIn3(t *testing.T, r *report) {
	const programs = 200
	busy := wechattest.Fault{Status: http.StatusTooManyRequests, ContentType: "text/html", Body: "busy", Header: http.Header{"Retry-After": {"3"}}, Times: programs}
	// repeats returns when the second requests came, after the first.
	repeats := func(srv *wechattest.Server, call func()) (first, last time.Duration) {
		srv.Fail(wechat.OpUsersInfo, busy)
		srv.Log().Reset()
		call()
		calls := srv.Calls(wechat.OpUsersInfo)
		for _, c := range calls[programs:] {
			after := c.Time.Sub(calls[0].Time)
			if first == 0 || after < first {
				first = after
			}
			last = max(last, after)
		}
		return first, last
	}

	srv := wechattest.NewServer()
	clients := make([]*wechat.Client, programs)
	for i := range clients {
		clients[i] = wechatClient(t, srv)
		if err := look(t.Context(), clients[i]); err != nil {
			t.Fatal(err)
		}
	}
	var mu sync.Mutex
	failed := 0
	first, last := repeats(srv, func() {
		var wg sync.WaitGroup
		for _, client := range clients {
			wg.Go(func() {
				if look(t.Context(), client) != nil {
					mu.Lock()
					failed++
					mu.Unlock()
				}
			})
		}
		wg.Wait()
	})
	for _, client := range clients {
		_ = client.Close()
	}
	srv.Close()

	srv = wechattest.NewServer()
	plain := newPlainWechat(t, srv)
	bookFirst, bookLast := repeats(srv, func() {
		together(programs, programs, func(ctx context.Context) {
			if answer, err := plain.look(ctx); err == nil && answer.wait > 0 {
				time.Sleep(max(time.Second, answer.wait))
				_, _ = plain.look(ctx)
			}
		})
	})
	plain.close()
	srv.Close()

	r.verdict(verdict{
		promise:  "429 with Retry-After: 3 for 200 programs at once: none comes back early, nor all at one instant",
		dujiang:  fmt.Sprintf("the first after %.2f s, the last after %.2f s, %d failed", first.Seconds(), last.Seconds(), failed),
		textbook: fmt.Sprintf("waits for the greater of back-off and hint: the first after %.2f s, the last after %.2f s", bookFirst.Seconds(), bookLast.Seconds()),
		kept:     failed == 0 && first >= 3*time.Second && last-first > 500*time.Millisecond,
	})
}

// comeBackIn600: ten minutes are no wait for a caller.
func comeBackIn600(t *testing.T, r *report) {
	srv := wechattest.NewServer()
	client := wechatClient(t, srv)
	_ = look(t.Context(), client)
	srv.Fail(wechat.OpUsersInfo, wechattest.Fault{
		Status: http.StatusTooManyRequests, ContentType: "text/html", Body: "busy", Header: http.Header{"Retry-After": {"600"}},
	})
	start := time.Now()
	err := look(t.Context(), client)
	took := time.Since(start)
	var retryAt time.Duration
	if e, ok := errors.AsType[*resilience.APIError](err); ok {
		retryAt = e.RetryAt.Sub(start)
	}
	r.verdict(verdict{
		promise: "429 with Retry-After: 600: the caller knows at once, and when to come back",
		dujiang: fmt.Sprintf("an error after %v that says: in %v", took, retryAt),
		kept:    errors.Is(err, resilience.ErrThrottled) && took == 0 && retryAt == 10*time.Minute,
	})
	_ = client.Close()
	srv.Close()
}

// lostMessages: of 1,000 messages one answer in ten is lost after the message went out.
func lostMessages(t *testing.T, r *report) {
	const messages = 1000
	lost := wechattest.Fault{CutAfter: true, Rate: 0.1}

	srv := wechattest.NewServer()
	client := wechatClient(t, srv)
	_ = look(t.Context(), client)
	srv.Seed(1)
	srv.Fail(wechat.OpMessagesCustomSend, lost)
	unknown, other := 0, 0
	for n := range messages {
		switch err := send(t.Context(), client, fmt.Sprint("order ", n)); {
		case errors.Is(err, resilience.ErrUnknownOutcome):
			unknown++
		case err != nil:
			other++
		}
	}
	out, doubled := sentTwice(srv)
	_ = client.Close()
	srv.Close()

	srv = wechattest.NewServer()
	plain := newPlainWechat(t, srv)
	srv.Seed(1)
	srv.Fail(wechat.OpMessagesCustomSend, lost)
	for n := range messages {
		_ = retryCall(func() error {
			return plain.send(t.Context(), fmt.Sprint("order ", n))
		})
	}
	bookOut, bookDoubled := sentTwice(srv)
	plain.close()
	srv.Close()

	r.verdict(verdict{
		promise:  "1,000 messages, one answer in ten lost after the act: nobody gets one twice, each loss is said",
		dujiang:  fmt.Sprintf("%d messages out, %d twice, %d times \"outcome unknown\", %d other errors", out, doubled, unknown, other),
		textbook: fmt.Sprintf("retry on errors: %d messages out, %d of them twice or more", bookOut, bookDoubled),
		kept:     out == messages && doubled == 0 && unknown > 0 && other == 0,
	})
}

// sentTwice counts the messages that went out, and the texts that went out more than once.
func sentTwice(srv *wechattest.Server) (out, doubled int) {
	seen := map[string]int{}
	for _, m := range srv.Sent() {
		out++
		seen[m.Text]++
	}
	for _, n := range seen {
		if n > 1 {
			doubled++
		}
	}
	return out, doubled
}

// sameKeyTwice: two workers take the same message from a queue.
func sameKeyTwice(t *testing.T, r *report) {
	srv := wechattest.NewServer()
	client := wechatClient(t, srv)
	srv.Fail(wechat.OpMessagesCustomSend, wechattest.Fault{Delay: time.Second})
	errs := make(chan error, 3)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() { errs <- send(t.Context(), client, "order 17", resilience.WithKey("order 17")) })
	}
	wg.Wait()
	errs <- send(t.Context(), client, "order 17", resilience.WithKey("order 17")) // and a third one later
	good, duplicate := 0, 0
	for range 3 {
		switch err := <-errs; {
		case err == nil:
			good++
		case errors.Is(err, resilience.ErrDuplicate):
			duplicate++
		}
	}
	out := len(srv.Sent())
	r.verdict(verdict{
		promise: "the same message key from two workers at once and from a third later: one message",
		dujiang: fmt.Sprintf("%d sent; %d caller served, %d told that the key was used", out, good, duplicate),
		kept:    out == 1 && good == 1 && duplicate == 2,
	})
	_ = client.Close()
	srv.Close()
}

// tiers: how patient a read is, by its tier, with a service that is busy.
func tiers(t *testing.T, r *report) {
	requests, waits := map[resilience.Tier]int{}, map[resilience.Tier]time.Duration{}
	order := []resilience.Tier{resilience.Instant, resilience.Bulk, resilience.Sync}
	for _, tier := range order {
		srv := wechattest.NewServer()
		client := wechatClient(t, srv)
		_ = look(t.Context(), client)
		srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Code: "-1", Text: "system error", Rate: 1})
		start := time.Now()
		_ = look(t.Context(), client, resilience.WithTier(tier))
		requests[tier], waits[tier] = len(srv.Calls(wechat.OpUsersInfo))-1, time.Since(start)
		_ = client.Close()
		srv.Close()
	}
	var text []string
	for _, tier := range order {
		text = append(text, fmt.Sprintf("%s %d requests in %.1f s", tier, requests[tier], waits[tier].Seconds()))
	}
	r.verdict(verdict{
		promise: "three tiers of patience with a busy service (-1): 4, 6 and 8 requests",
		dujiang: strings.Join(text, "; "),
		kept:    requests[resilience.Instant] == 4 && requests[resilience.Bulk] == 6 && requests[resilience.Sync] == 8,
	})
}
