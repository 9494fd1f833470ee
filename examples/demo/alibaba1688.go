package main

import (
	"context"
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the platform's signature
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/alibaba1688"
	"github.com/dujiang-go/dujiang/alibaba1688/alibaba1688test"
	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

// sceneTrade: one AppKey of 1688, 20 calls a second and, while it is new, 900 in five minutes.
func sceneTrade(t *testing.T, r *report) {
	r.scene("1688: one AppKey, 20 calls a second, bans of 24 hours")
	inBubble(t, func(t *testing.T) { fullSecond(t, r) })
	inBubble(t, func(t *testing.T) { newKey(t, r) })
	inBubble(t, func(t *testing.T) { outage(t, r) })
	inBubble(t, func(t *testing.T) { lostAnswers(t, r) })
}

func tradeClient(t *testing.T, srv *alibaba1688test.Server, aged bool, opts ...stack.Option) *alibaba1688.Client {
	key := srv.AppKey()
	key.Aged = aged
	client, err := alibaba1688.New(append(append(srv.Options(), alibaba1688.WithAppKey(key)), opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func list(ctx context.Context, client *alibaba1688.Client, opts ...resilience.CallOption) error {
	_, err := client.Orders.List(ctx, &alibaba1688.OrdersListRequest{PageSize: new(int64(1))}, opts...)
	return err
}

// fullSecond: eight hungry callers for a minute, on a key that is past its first time.
func fullSecond(t *testing.T, r *report) {
	srv := alibaba1688test.NewServer(alibaba1688test.WithAgedKey())
	client := tradeClient(t, srv, true)
	refused := hungry(8, time.Minute, func(ctx context.Context) error { return list(ctx, client) })
	calls := srv.Calls(nil)
	inSecond := resiliencetest.MaxInAnyWindow(resiliencetest.Times(calls), time.Second)
	_ = client.Close()
	srv.Close()

	srv = alibaba1688test.NewServer(alibaba1688test.WithAgedKey())
	plain := newPlain(t, srv)
	b := newBucket(20, 20)
	time.Sleep(time.Second) // a full bucket, as after any pause
	var bad int
	_ = hungry(8, time.Minute, func(ctx context.Context) error {
		if !b.pass() {
			time.Sleep(10 * time.Millisecond)
			return nil
		}
		err := plain.call(ctx, alibaba1688.OpOrdersList, nil)
		if err != nil {
			plain.count(&bad)
		}
		return err
	})
	bookCalls := srv.Calls(nil)
	bookSecond := resiliencetest.MaxInAnyWindow(resiliencetest.Times(bookCalls), time.Second)
	plain.close()
	srv.Close()

	r.verdict(verdict{
		promise: "at most 19 calls in any second, at least 1,128 in a minute, none refused",
		dujiang: fmt.Sprintf("%d calls in the minute, at most %d in any second, %d refused", len(calls), inSecond, refused),
		textbook: fmt.Sprintf("a bucket of 20 filled at 20 a second: up to %d in one second, then %d of %d calls refused (banned for 24 h)",
			bookSecond, bad, len(bookCalls)),
		kept: inSecond <= 19 && len(calls) >= 1128 && refused == 0,
	})
}

// hungry lets a number of callers call for a span and counts their errors.
func hungry(callers int, span time.Duration, call func(ctx context.Context) error) (failed int) {
	end := time.Now().Add(span)
	ctx, cancel := context.WithDeadline(context.Background(), end)
	defer cancel()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for time.Now().Before(end) {
				err := call(ctx)
				if err == nil {
					continue
				}
				if !errors.Is(err, context.DeadlineExceeded) { // at the end there is no time left to wait
					mu.Lock()
					failed++
					mu.Unlock()
				}
				time.Sleep(50 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	return failed
}

// newKey: a new AppKey may make 900 calls in five minutes, which nobody tells.
func newKey(t *testing.T, r *report) {
	srv := alibaba1688test.NewServer()
	client := tradeClient(t, srv, false)
	start := time.Now()
	var last error
	sent := 0
	for ; sent < 2000; sent++ {
		if last = list(t.Context(), client, resilience.WithTimeout(5*time.Second)); last != nil {
			break
		}
	}
	after := time.Since(start)
	var retryAt time.Duration
	if e, ok := errors.AsType[*resilience.RefusedError](last); ok {
		retryAt = e.RetryAt.Sub(start)
	}
	arrived := len(srv.Calls(nil))
	_ = client.Close()
	srv.Close()

	srv = alibaba1688test.NewServer()
	plain := newPlain(t, srv)
	b := newBucket(1, 19) // even a bucket that cannot burst
	good := 0
	var banned time.Duration
	start = time.Now()
	for banned == 0 && good < 2000 {
		if !b.pass() {
			time.Sleep(5 * time.Millisecond)
			continue
		}
		if plain.call(t.Context(), alibaba1688.OpOrdersList, nil) != nil {
			banned = time.Since(start)
			break
		}
		good++
	}
	plain.close()
	srv.Close()

	r.verdict(verdict{
		promise: "a new AppKey: exactly 900 calls in 5 minutes, the 901st is told when to come back",
		dujiang: fmt.Sprintf("%d calls in %v, then refused unsent: retry %v after the first call", arrived, after.Round(time.Second), retryAt.Round(time.Second)),
		textbook: fmt.Sprintf("a bucket of 19 a second without any burst: banned for 24 h after %d calls, in %v",
			good, banned.Round(time.Second)),
		kept: arrived == 900 && errors.Is(last, resilience.ErrLimited) && retryAt >= 5*time.Minute && retryAt < 5*time.Minute+time.Second,
	})
}

// outage: the service answers 500 for 45 s; somebody calls ten times a second.
func outage(t *testing.T, r *report) {
	srv := alibaba1688test.NewServer(alibaba1688test.WithAgedKey())
	cfg := stack.Production()
	cfg.Retry = retry.Config{Off: true} // each call is one attempt, so that attempts can be counted
	client := tradeClient(t, srv, true, stack.WithConfig(cfg))
	srv.Fail(nil, alibaba1688test.Fault{Status: 500, Rate: 1})
	start := time.Now()
	time.AfterFunc(45*time.Second, func() { srv.Heal(nil) })
	var served time.Duration
	for time.Since(start) < 90*time.Second {
		if list(t.Context(), client) == nil && served == 0 {
			served = time.Since(start)
		}
		time.Sleep(100 * time.Millisecond)
	}
	var offsets []time.Duration
	for _, c := range srv.Calls(nil) {
		offsets = append(offsets, c.Time.Sub(start))
	}
	first := count(offsets, 0, 2*time.Second)
	silent := count(offsets, 2*time.Second, 31*time.Second)
	probes := count(offsets, 31*time.Second, 61*time.Second)
	_ = client.Close()
	srv.Close()

	var c circuit
	textbook := deadService(t, func(srv *alibaba1688test.Server) func(context.Context) {
		plain := newPlain(t, srv)
		t.Cleanup(plain.close)
		return func(ctx context.Context) {
			if c.allow() {
				c.report(plain.call(ctx, alibaba1688.OpOrdersList, nil) == nil)
			}
		}
	})
	ours := deadService(t, func(srv *alibaba1688test.Server) func(context.Context) {
		client := tradeClient(t, srv, true, stack.WithConfig(cfg))
		t.Cleanup(func() { _ = client.Close() })
		return func(ctx context.Context) { _ = list(ctx, client) }
	})

	r.verdict(verdict{
		promise: "an outage of 45 s: 15 failures open the circuit, 30 s of silence, one probe fails, 30 s again, then served",
		dujiang: fmt.Sprintf("%d failures, then %d calls in the silence, %d probe, %d calls until the second probe; served again after %v",
			first, silent, count(offsets, 31*time.Second-time.Second, 32*time.Second), probes-1, served.Round(time.Second)),
		textbook: fmt.Sprintf("a circuit that closes when a second caller asks: %d calls in 10 min into a dead service, where dujiang makes %d",
			textbook, ours),
		kept: first == 15 && silent == 0 && probes >= 1 && probes <= 2 && served > 60*time.Second && served < 63*time.Second,
	})
}

// deadService counts what five callers send in ten minutes into a service that answers each call with 500 after half a second.
func deadService(t *testing.T, caller func(srv *alibaba1688test.Server) func(ctx context.Context)) int {
	srv := alibaba1688test.NewServer(alibaba1688test.Unlimited())
	defer srv.Close()
	srv.Fail(nil, alibaba1688test.Fault{Status: 500, Delay: 500 * time.Millisecond, Rate: 1})
	call := caller(srv)
	end := time.Now().Add(10 * time.Minute)
	var wg sync.WaitGroup
	for range 5 {
		wg.Go(func() {
			for time.Now().Before(end) {
				call(t.Context())
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	wg.Wait()
	return len(srv.Calls(nil))
}

func count(offsets []time.Duration, from, to time.Duration) (n int) {
	for _, d := range offsets {
		if d >= from && d < to {
			n++
		}
	}
	return n
}

// lostAnswers: 1,000 orders are created, and one answer in ten is lost after the order was placed.
func lostAnswers(t *testing.T, r *report) {
	const orders = 1000
	lost := alibaba1688test.Fault{CutAfter: true, Rate: 0.1}

	srv := alibaba1688test.NewServer(alibaba1688test.WithAgedKey())
	srv.Seed(1)
	srv.Fail(alibaba1688.OpOrdersCreateCross, lost)
	client := tradeClient(t, srv, true)
	unknown, other := 0, 0
	for n := range orders {
		_, err := client.Orders.CreateCross(t.Context(), &alibaba1688.OrdersCreateCrossRequest{
			Flow: "general", OutOrderID: new(fmt.Sprint("shop-", n)), AddressParam: &alibaba1688.FastAddress{FullName: new("demo")},
			CargoParamList: []alibaba1688.FastCargo{{OfferID: new(int64(554456348334)), Quantity: new(2.0)}},
		})
		switch {
		case errors.Is(err, resilience.ErrUnknownOutcome):
			unknown++
		case err != nil:
			other++
		}
	}
	placed, doubled := placedOrders(srv)
	_ = client.Close()
	srv.Close()

	srv = alibaba1688test.NewServer(alibaba1688test.WithAgedKey())
	srv.Seed(1)
	srv.Fail(alibaba1688.OpOrdersCreateCross, lost)
	plain := newPlain(t, srv)
	for n := range orders {
		_ = retryCall(func() error {
			time.Sleep(60 * time.Millisecond) // inside the quota
			return plain.call(t.Context(), alibaba1688.OpOrdersCreateCross, url.Values{
				"flow": {"general"}, "outOrderId": {fmt.Sprint("shop-", n)}, "addressParam": {`{"fullName":"demo"}`},
				"cargoParamList": {`[{"offerId":554456348334,"quantity":2}]`},
			})
		})
	}
	bookPlaced, bookDoubled := placedOrders(srv)
	plain.close()
	srv.Close()

	r.verdict(verdict{
		promise:  "1,000 order creations, one answer in ten lost after the act: no order twice, each loss is said",
		dujiang:  fmt.Sprintf("%d orders placed, %d twice, %d times \"outcome unknown\", %d other errors", placed, doubled, unknown, other),
		textbook: fmt.Sprintf("retry on errors: %d orders placed, %d of them twice or more", bookPlaced, bookDoubled),
		kept:     placed == orders && doubled == 0 && unknown > 0 && other == 0,
	})
}

// placedOrders counts the orders that the fake placed, and those that it placed again.
func placedOrders(srv *alibaba1688test.Server) (placed, doubled int) {
	seen := map[string]int{}
	for _, c := range srv.Calls(alibaba1688.OpOrdersCreateCross) {
		if c.Acted {
			placed++
			seen[c.Params.Get("outOrderId")]++
		}
	}
	for _, n := range seen {
		if n > 1 {
			doubled++
		}
	}
	return placed, doubled
}

// A plain client signs and sends with net/http alone.
type plain struct {
	srv       *alibaba1688test.Server
	key       alibaba1688.AppKey
	transport *http.Transport
	mu        sync.Mutex
}

func newPlain(t *testing.T, srv *alibaba1688test.Server) *plain {
	t.Helper()
	return &plain{srv: srv, key: srv.AppKey(), transport: srv.Transport()}
}

func (p *plain) close() { p.transport.CloseIdleConnections() }

func (p *plain) count(n *int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	*n++
}

func (p *plain) call(ctx context.Context, op *resilience.Operation, params url.Values) error {
	form := url.Values{"_aop_timestamp": {strconv.FormatInt(time.Now().UnixMilli(), 10)}}
	if p.key.Token != "" {
		form.Set("access_token", p.key.Token.Reveal())
	}
	maps.Copy(form, params)
	path := strings.ReplaceAll(op.Path, "{appKey}", p.key.Key)
	var joined []string
	for name := range form {
		joined = append(joined, name+form.Get(name))
	}
	slices.Sort(joined)
	mac := hmac.New(sha1.New, []byte(p.key.Secret.Reveal()))
	mac.Write([]byte(strings.TrimPrefix(path, "/") + strings.Join(joined, "")))
	form.Set("_aop_signature", fmt.Sprintf("%X", mac.Sum(nil)))
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, p.srv.URL()+path, strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	var answer struct {
		Code string `json:"error_code"`
	}
	if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil {
		return err
	}
	if answer.Code != "" || resp.StatusCode != http.StatusOK {
		return fmt.Errorf("HTTP %d, code %s", resp.StatusCode, answer.Code)
	}
	return nil
}
