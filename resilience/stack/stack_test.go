package stack_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

const secret = "TOK-SECRET-0001"

var (
	opRead = &resilience.Operation{
		Platform: "test", ID: "user/info", HTTPMethod: "GET", Path: "/cgi-bin/user/info", Scope: resilience.Read, Group: "reads", Auth: "user", Idempotent: true,
	}
	opWrite = &resilience.Operation{Platform: "test", ID: "message/send", HTTPMethod: "POST", Path: "/cgi-bin/message/send", Group: "writes", Auth: "user"}
	opSafe  = &resilience.Operation{Platform: "test", ID: "memo/set", HTTPMethod: "POST", Path: "/cgi-bin/memo/set", Group: "writes", Auth: "user", Idempotent: true}
	opGet   = &resilience.Operation{Platform: "test", ID: "file/get", HTTPMethod: "GET", Path: "/cgi-bin/file/get", Scope: resilience.Read, Group: "reads", Auth: "user", Idempotent: true}
)

// auth puts the token into the query, where it is easiest to leak.
type auth struct {
	mu      sync.Mutex
	renewed int
	token   resilience.Secret // replaces the credential's after a renewal
	delay   time.Duration     // of Token
}

func (a *auth) Serves(string, *resilience.Credential) bool { return true }

func (a *auth) Token(_ context.Context, _ *resilience.Operation, c *resilience.Credential) (resilience.Secret, error) {
	time.Sleep(a.delay)
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.token != "" {
		return a.token, nil
	}
	return c.Token, nil
}

func (a *auth) Renews(*resilience.Credential) bool { return true }

func (a *auth) Renew(context.Context, *resilience.Operation, *resilience.Credential, resilience.Secret) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.renewed++
	a.token = resilience.Secret(fmt.Sprintf("%s-new-%d", secret, a.renewed))
	return nil
}

func (a *auth) Authorize(out *wire.Outgoing, _ *resilience.Credential, token resilience.Secret, _ time.Time) error {
	out.Query = append(out.Query, resilience.Param{Name: "access_token", Value: token.Reveal()})
	return nil
}

// A bench is a client of a fake platform.
type bench struct {
	*stack.Stack
	fake *resiliencetest.Fake
	srv  *resiliencetest.Server
	auth *auth
}

func newBench(t testing.TB, opts ...stack.Option) *bench {
	t.Helper()
	fake := &resiliencetest.Fake{
		Name: func(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, "/cgi-bin/") },
		Refuse: func(_ *resiliencetest.Call, code, text string) resiliencetest.Answer {
			return resiliencetest.JSON(200, map[string]any{"errcode": json.Number(code), "errmsg": text})
		},
		Act: func(c *resiliencetest.Call, _ *http.Request) resiliencetest.Answer {
			if c.Op == opGet.ID {
				return resiliencetest.Answer{ContentType: "image/png", Body: []byte("png")}
			}
			return resiliencetest.JSON(200, map[string]any{"errcode": 0, "errmsg": "ok"})
		},
	}
	b := &bench{fake: fake, srv: resiliencetest.Serve(fake), auth: &auth{}}
	platform := stack.Platform{
		Name: "test", BaseURL: "https://api.example", Auth: b.auth,
		Quotas: map[string][]resilience.Window{"reads": {{Name: "hour", Limit: 10_000, Per: time.Hour}}, "writes": {{Name: "hour", Limit: 10_000, Per: time.Hour}}},
		Errors: map[string]resilience.Rule{
			"40001": {Class: resilience.TokenExpired}, "40003": {Class: resilience.Invalid}, "-1": {Class: resilience.Transient},
			"45009": {Class: resilience.QuotaExhausted, Cools: resilience.CoolGroup}, "45011": {Class: resilience.Throttled},
		},
		Envelope: wire.Envelope{Code: []string{"errcode"}, Message: []string{"errmsg"}, Good: []string{"0"}},
	}
	base := []stack.Option{
		stack.WithTransport(b.srv.Transport()), stack.WithBaseURL(b.srv.URL()), stack.WithLoopbackHTTP(),
		stack.WithCredential(resilience.Credential{ID: "a", Account: "wall", Token: secret}),
	}
	s, err := stack.New(platform, append(base, opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	b.Stack = s
	t.Cleanup(func() {
		_ = s.Close()
		b.srv.Close()
	})
	return b
}

func (b *bench) call(ctx context.Context, op *resilience.Operation, opts ...resilience.CallOption) (*resilience.Response, error) {
	call := &resilience.Call{Op: op}
	if op.HTTPMethod == "POST" {
		call.Request.Form = []resilience.Param{{Name: "to", Value: "o1"}, {Name: "text", Value: "你好 a+b&c"}, {Name: "safe", Value: "0"}}
	} else {
		call.Request.Query = []resilience.Param{{Name: "openid", Value: "o1"}}
	}
	for _, opt := range opts {
		opt(call)
	}
	return b.Do(ctx, call)
}

func apiError(t testing.TB, err error) *resilience.APIError {
	t.Helper()
	e, ok := errors.AsType[*resilience.APIError](err)
	if !ok {
		t.Fatalf("got %v, want an *APIError", err)
	}
	return e
}

func inBubble(t *testing.T, f func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, f)
}

// TestLostAnswer: the server acts and then closes the connection. A write is done once and its outcome unknown; a read is repeated.
func TestLostAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail("", resiliencetest.Fault{CutAfter: true})
		_, err := b.call(t.Context(), opWrite, resilience.WithKey("order-1"))
		e := apiError(t, err)
		if !errors.Is(err, resilience.ErrUnknownOutcome) || e.Key != "order-1" || e.Attempts != 1 {
			t.Errorf("write: got %v (key %q, %d attempts), want ErrUnknownOutcome with the key after one", err, e.Key, e.Attempts)
		}
		if _, err := b.call(t.Context(), opWrite, resilience.WithKey("order-1")); !errors.Is(err, resilience.ErrDuplicate) {
			t.Errorf("same key: got %v, want ErrDuplicate", err)
		}
		if n := b.fake.Log().Count(opWrite.ID); n != 1 {
			t.Errorf("the write arrived %d times, want once", n)
		}
		b.fake.Fail("", resiliencetest.Fault{CutAfter: true})
		if _, err := b.call(t.Context(), opRead); err != nil {
			t.Errorf("read: %v", err)
		}
		if n := b.fake.Log().Count(opRead.ID); n != 2 {
			t.Errorf("the read arrived %d times, want twice", n)
		}
	})
}

func TestUnsentWriteIsRepeatedAndItsKeyIsFree(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.srv.Listener().SetDialError(errors.New("connection refused"))
		_, err := b.call(t.Context(), opWrite, resilience.WithKey("k"))
		if e := apiError(t, err); !errors.Is(err, resilience.ErrTransient) || e.Attempts != 0 {
			t.Errorf("got %v after %d departures, want ErrTransient after none", err, e.Attempts)
		}
		if n := b.srv.Listener().Dials(); n != 4 {
			t.Errorf("%d dials, want 4: what never left may be repeated", n)
		}
		b.srv.Listener().SetDialError(nil)
		if _, err := b.call(t.Context(), opWrite, resilience.WithKey("k")); err != nil {
			t.Errorf("the key of a call that never left is not free: %v", err)
		}
	})
}

func TestEachAttemptSendsTheSameBody(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opSafe.ID, resiliencetest.Fault{Status: 503, Times: 2})
		if _, err := b.call(t.Context(), opSafe); err != nil {
			t.Fatal(err)
		}
		calls := b.fake.Log().Calls(opSafe.ID)
		if len(calls) != 3 {
			t.Fatalf("%d calls, want 3", len(calls))
		}
		for _, c := range calls {
			if !bytes.Equal(c.Body, calls[0].Body) || c.ContentLength != int64(len(c.Body)) || c.ContentType != calls[0].ContentType {
				t.Errorf("got body %q of %d bytes as %s, want %q each time", c.Body, c.ContentLength, c.ContentType, calls[0].Body)
			}
			if got := c.Params.Get("text"); got != "你好 a+b&c" {
				t.Errorf("text arrived as %q", got)
			}
		}
	})
}

// TestBusinessErrorsDoNotOpenTheCircuit: the service is well, the question was wrong.
func TestBusinessErrorsDoNotOpenTheCircuit(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault resiliencetest.Fault
		opens bool
	}{
		{"40003 in a 200", resiliencetest.Fault{Body: `{"errcode":40003,"errmsg":"invalid openid"}`, Rate: 1}, false},
		{"HTTP 400", resiliencetest.Fault{Status: 400, Rate: 1}, false},
		{"HTTP 404", resiliencetest.Fault{Status: 404, Rate: 1}, false},
		{"HTTP 500", resiliencetest.Fault{Status: 500, Rate: 1}, true},
		{"HTTP 502", resiliencetest.Fault{Status: 502, Rate: 1}, true},
		{"time-out", resiliencetest.Fault{Hang: true, Rate: 1}, true},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t, stack.WithConfig(stack.Config{
					Breaker: breaker.Config{Failures: 5, Open: time.Hour}, Retry: retry.Config{Off: true},
				}))
				b.fake.Fail("", test.fault)
				arrived := 0
				for range 100 {
					if _, err := b.call(t.Context(), opRead); err == nil {
						t.Fatal("success")
					} else if !errors.Is(err, resilience.ErrCircuitOpen) {
						arrived++
					}
				}
				want := 100
				if test.opens {
					want = 5
				}
				if arrived != want || b.fake.Log().Count("") != want {
					t.Errorf("%d errors of the platform from %d calls, want %d", arrived, b.fake.Log().Count(""), want)
				}
			})
		})
	}
}

// TestOneProbe: 50 callers at the moment when the open time ends; one is let through, fails, and the circuit is open for another span.
func TestOneProbe(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{
			Breaker: breaker.Config{Failures: 3, Open: 30 * time.Second}, Retry: retry.Config{Off: true},
		}))
		b.fake.Fail("", resiliencetest.Fault{Status: 500, Times: 3}, resiliencetest.Fault{Status: 500, Delay: 500 * time.Millisecond})
		for range 3 {
			_, _ = b.call(t.Context(), opRead)
		}
		time.Sleep(30*time.Second + 1)
		b.fake.Log().Reset()
		var refused int
		var mu sync.Mutex
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				start := time.Now()
				_, err := b.call(t.Context(), opRead)
				mu.Lock()
				defer mu.Unlock()
				if errors.Is(err, resilience.ErrCircuitOpen) && time.Since(start) == 0 {
					refused++
				}
			})
		}
		wg.Wait()
		if n := b.fake.Log().Count(""); n != 1 || refused != 49 {
			t.Errorf("the server saw %d calls and %d were refused at once, want 1 and 49", n, refused)
		}
		h := b.Health().Scopes[resilience.Read]
		if h.Circuit != breaker.Open || time.Until(h.CircuitUntil).Round(time.Second) != 30*time.Second {
			t.Errorf("circuit %v until %v, want open for a fresh 30 s", h.Circuit, time.Until(h.CircuitUntil))
		}
	})
}

// TestNoTokenInAnyError prints every error on the chain in every form.
func TestNoTokenInAnyError(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault resiliencetest.Fault
		dial  error
		check func(t *testing.T, err error)
	}{
		{name: "connection ended", fault: resiliencetest.Fault{CutBefore: true, Rate: 1}},
		{name: "time-out", fault: resiliencetest.Fault{Hang: true, Rate: 1}, check: func(t *testing.T, err error) {
			t.Helper()
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want context.DeadlineExceeded", err)
			}
		}},
		{name: "dial failed", dial: &url.Error{Op: "dial", URL: "https://api.example/?access_token=" + secret, Err: errors.New("refused " + secret)}},
		{name: "refusal that echoes the request", fault: resiliencetest.Fault{
			Status: 502, Body: "<html>GET /cgi-bin/user/info?access_token=" + secret + "</html>", ContentType: "text/html", Rate: 1,
		}},
		{name: "code that echoes the token", fault: resiliencetest.Fault{Code: "40003", Text: "bad token", Body: `{"errcode":40003,"errmsg":"x","t":"` + secret + `"}`, Rate: 1}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var logged bytes.Buffer
				var events []string
				b := newBench(t, stack.WithLogger(slog.New(slog.NewTextHandler(&logged, nil))),
					stack.WithObserver(func(e resilience.Event) { events = append(events, fmt.Sprintf("%+v", e)) }))
				b.fake.Fail("", test.fault)
				b.srv.Listener().SetDialError(test.dial)
				_, err := b.call(t.Context(), opRead)
				e := apiError(t, err)
				for _, text := range append(forms(err), append(events, logged.String())...) {
					if strings.Contains(text, secret) {
						t.Errorf("the token is in %q", text)
					}
				}
				if e.Cause != nil {
					for _, want := range []string{"/cgi-bin/user/info", "openid=", "access_token="} {
						if !strings.Contains(err.Error(), want) {
							t.Errorf("%q lacks %q", err, want)
						}
					}
					if u, ok := errors.AsType[*url.Error](err); !ok || !strings.Contains(u.URL, "REDACTED") {
						t.Errorf("errors.AsType gives %v, want a *url.Error with a masked address", u)
					}
				}
				if test.check != nil {
					test.check(t, err)
				}
			})
		})
	}
}

// forms prints err and everything that it unwraps to in the ways that programs do.
func forms(err error) []string {
	if err == nil {
		return nil
	}
	js, _ := json.Marshal(err)
	all := []string{fmt.Sprintf("%v", err), fmt.Sprintf("%+v", err), fmt.Sprintf("%q", err), string(js), fmt.Sprintf("%v", errors.Join(err, errors.New("x")))}
	switch u := err.(type) { //nolint:errorlint // walks the chain by hand
	case interface{ Unwrap() error }:
		all = append(all, forms(u.Unwrap())...)
	case interface{ Unwrap() []error }:
		for _, e := range u.Unwrap() {
			all = append(all, forms(e)...)
		}
	}
	return all
}

func TestRedirectIsAnError(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Status: 302, Header: http.Header{"Location": {"/elsewhere?access_token=" + secret}}})
		_, err := b.call(t.Context(), opWrite)
		e := apiError(t, err)
		if e.Status != 302 || !strings.Contains(e.Message, "unexpected redirect") || !strings.Contains(e.Message, "/elsewhere") || strings.Contains(err.Error(), secret) {
			t.Errorf("got %v, want an unexpected redirect with its masked target", err)
		}
		if n := b.fake.Log().Count(""); n != 1 {
			t.Errorf("%d requests, want 1: the target is never asked", n)
		}
	})
}

func TestTokenIsRenewedOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Code: "40001", Text: "expired"})
		if _, err := b.call(t.Context(), opWrite); err != nil {
			t.Errorf("a write refused for its token was not made again: %v", err)
		}
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Code: "40001", Text: "expired", Rate: 1})
		b.fake.Log().Reset()
		_, err := b.call(t.Context(), opWrite)
		if e := apiError(t, err); !errors.Is(err, resilience.ErrUnauthorized) || e.Code != "40001" {
			t.Errorf("got %v, want ErrUnauthorized with 40001", err)
		}
		if n := b.fake.Log().Count(opWrite.ID); n != 2 || b.auth.renewed != 2 {
			t.Errorf("%d requests and %d renewals, want 2 and one for each call", n, b.auth.renewed)
		}
	})
}

func TestThrottledCredentialIsLeftAndTheOtherTaken(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithCredential(resilience.Credential{ID: "b", Account: "wall", Token: "other"}))
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Code: "45009", Text: "reach max api daily quota limit"})
		start := time.Now()
		resp, err := b.call(t.Context(), opWrite)
		if err != nil || resp.Credential != "b" || time.Since(start) != 0 {
			t.Fatalf("got %v, %v after %v, want b at once", resp, err, time.Since(start))
		}
		if resp, err := b.call(t.Context(), opRead, resilience.WithCredential("a")); err != nil || resp.Credential != "a" {
			t.Errorf("a's other calls: %v", err)
		}
		h := b.Health().Cooldowns
		if len(h) != 1 || h[0].Credential != "a" || h[0].Group != "writes" || !h[0].Until.After(time.Now()) {
			t.Errorf("health shows %+v, want a's group with its end", h)
		}
	})
}

func TestSlowDialsDoNotBunch(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{PerSecond: 19}))
		b.srv.Listener().SetDialDelay(400 * time.Millisecond)
		var wg sync.WaitGroup
		for range 200 {
			wg.Go(func() {
				if _, err := b.call(t.Context(), opRead); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if got := resiliencetest.MaxInAnyWindow(resiliencetest.Times(b.fake.Log().Calls("")), time.Second); got > 19 {
			t.Errorf("%d calls in one second, want at most 19", got)
		}
	})
}

func TestRetryAfterOfAGateway(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opRead.ID, resiliencetest.Fault{Status: 429, Header: http.Header{"Retry-After": {"3"}}})
		start := time.Now()
		if _, err := b.call(t.Context(), opRead); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got < 3*time.Second || got > 4*time.Second {
			t.Errorf("asked again after %v, want 3 s and a little", got)
		}
		b.fake.Fail(opRead.ID, resiliencetest.Fault{Status: 429, Header: http.Header{"Retry-After": {"3600"}}})
		start = time.Now()
		_, err := b.call(t.Context(), opRead)
		if e := apiError(t, err); time.Since(start) != 0 || time.Until(e.RetryAt).Round(time.Second) != time.Hour {
			t.Errorf("got %v after %v, want the time at once", err, time.Since(start))
		}
	})
}

func TestPauseEndsEveryWait(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{PerSecond: 1}))
		b.fake.Fail(opRead.ID, resiliencetest.Fault{Status: 503}) // its caller stands in the back-off
		b.srv.Listener().SetDialDelay(3 * time.Second)
		errs := make(chan error, 3)
		for range 3 {
			go func() {
				_, err := b.call(t.Context(), opRead)
				errs <- err
			}()
		}
		time.Sleep(3100 * time.Millisecond)
		start := time.Now()
		b.Pause(stack.Target{}, "maintenance", "operator", time.Time{})
		for range 3 {
			if err := <-errs; !errors.Is(err, resilience.ErrPaused) {
				t.Errorf("got %v, want ErrPaused", err)
			}
		}
		if got := time.Since(start); got != 0 {
			t.Errorf("the waits ended %v after the pause, want at once", got)
		}
		if n := b.fake.Log().Count(""); n > 1 {
			t.Errorf("%d calls arrived, want 1: those that dialed were cancelled, unsent", n)
		}
		b.Resume(stack.Target{})
		b.srv.Listener().SetDialDelay(0)
		if _, err := b.call(t.Context(), opRead); err != nil {
			t.Error(err)
		}
	})
}

func TestCloseRefuses(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		if _, err := b.call(t.Context(), opRead); !errors.Is(err, resilience.ErrClosed) {
			t.Errorf("got %v, want ErrClosed", err)
		}
	})
}

func TestDownload(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{UploadTimeout: 5 * time.Second}))
		resp, err := wire.Download(t.Context(), b, opGet, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var body bytes.Buffer
		if _, err := body.ReadFrom(resp.Stream); err != nil || body.String() != "png" {
			t.Errorf("got %q, %v, want png", body.String(), err)
		}
		if err := resp.Stream.Close(); err != nil {
			t.Error(err)
		}
		b.fake.Fail(opGet.ID, resiliencetest.Fault{Code: "40003", Text: "invalid media_id"})
		if resp, err := wire.Download(t.Context(), b, opGet, nil, nil); !errors.Is(err, resilience.ErrInvalid) || resp != nil {
			t.Errorf("got %v, %v, want the refusal and no stream", resp, err)
		}
		b.fake.Fail(opGet.ID, resiliencetest.Fault{Body: "<html>log in</html>", ContentType: "text/html", Times: 9})
		if resp, err := wire.Download(t.Context(), b, opGet, nil, nil); !errors.Is(err, resilience.ErrTransient) || resp != nil {
			t.Errorf("a proxy's page: got %v, %v, want it refused", resp, err)
		}
	})
}

func TestForgottenDownloadsEndByThemselves(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{UploadTimeout: 5 * time.Second}))
		for range 20 { // the whole in-flight cap
			if _, err := wire.Download(t.Context(), b, opGet, nil, nil); err != nil {
				t.Fatal(err)
			}
		}
		start := time.Now()
		if _, err := b.call(t.Context(), opRead); err != nil {
			t.Fatal(err)
		}
		if got := time.Since(start); got != 5*time.Second {
			t.Errorf("served after %v, want 5s: when the forgotten ones ended", got)
		}
	})
}

// A panicTransport breaks as user code may.
type panicTransport struct{}

func (panicTransport) RoundTrip(*http.Request) (*http.Response, error) { panic("transport") } //nolint:forbidigo // what is tested

func TestPanicReleasesEverything(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithTransport(panicTransport{}), stack.WithConfig(stack.Config{MaxWait: time.Second}))
		for range 50 {
			func() {
				defer func() {
					if recover() == nil {
						t.Error("the panic was swallowed")
					}
				}()
				_, _ = b.call(t.Context(), opWrite)
			}()
		}
	})
}

func TestOptionsSayWhatIsWrong(t *testing.T) {
	platform := stack.Platform{Name: "test", BaseURL: "https://api.example", Quotas: map[string][]resilience.Window{"g": {{Name: "second", Limit: 20, Per: time.Second}}}}
	for _, test := range []struct {
		name string
		opts []stack.Option
		want []string
	}{
		{"plain http", []stack.Option{stack.WithBaseURL("http://gw.example")}, []string{"plain http", "https"}},
		{"plain http that only a loopback may use", []stack.Option{stack.WithBaseURL("http://gw.example"), stack.WithLoopbackHTTP()}, []string{"plain http"}},
		{"scheme", []stack.Option{stack.WithBaseURL("ftp://gw.example")}, []string{"ftp", "https"}},
		{"nil transport and nil observer", []stack.Option{stack.WithTransport(nil), stack.WithObserver(nil)}, []string{"WithTransport", "WithObserver"}},
		{"every fault of a configuration", []stack.Option{stack.WithConfig(stack.Config{
			MaxWait: -1, PerSecond: -2, Breaker: breaker.Config{Failures: -1}, Windows: map[string]stack.WindowChange{"second": {Limit: -3}},
		})}, []string{"max_wait", "per_second", "breaker", "windows.second.limit"}},
		{"unknown window", []stack.Option{stack.WithConfig(stack.Config{Windows: map[string]stack.WindowChange{"minute": {Off: true}}})}, []string{"windows.minute", "second"}},
		{"credential without account", []stack.Option{stack.WithCredential(resilience.Credential{ID: "x"})}, []string{`"x"`, "account"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := stack.New(platform, test.opts...)
			for _, want := range test.want {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("got %v, want it to name %q", err, want)
				}
			}
		})
	}
}

// TestNoTimeLeft: a token that takes the whole of the call's time leaves none to send it, and that is proven.
func TestNoTimeLeft(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.auth.delay = 5 * time.Second
		_, err := b.call(t.Context(), opWrite, resilience.WithTimeout(5*time.Second), resilience.WithKey("k"))
		if !errors.Is(err, resilience.ErrLimited) || !errors.Is(err, context.DeadlineExceeded) || b.fake.Log().Count("") != 0 {
			t.Errorf("got %v and %d calls, want ErrLimited and none", err, b.fake.Log().Count(""))
		}
		b.auth.delay = 0
		if _, err := b.call(t.Context(), opWrite, resilience.WithKey("k")); err != nil {
			t.Errorf("the key of a call that never left is not free: %v", err)
		}
	})
}
