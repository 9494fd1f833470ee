package stack_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"
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

// A slowBody answers a download whose second half comes a second after its first.
func slowBody(b *bench) {
	b.srv.Close()
	b.srv = resiliencetest.Serve(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != opGet.Path {
			b.fake.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Content-Type", "image/png")
		_, _ = w.Write([]byte("first,"))
		_ = http.NewResponseController(w).Flush()
		time.Sleep(time.Second)
		_, _ = w.Write([]byte("second"))
	}))
}

// A switchedTransport lets a test change where requests go.
type switchedTransport struct {
	to atomic.Pointer[http.Transport]
}

func (s *switchedTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	return s.to.Load().RoundTrip(req)
}

// TestDownloadThatIsTheProbeIsReadToItsEnd: the circuit is left when the headers are there, the download goes on.
func TestDownloadThatIsTheProbeIsReadToItsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		rt := &switchedTransport{}
		b := newBench(t, stack.WithTransport(rt), stack.WithConfig(stack.Config{
			Breaker: breaker.Config{Failures: 1, Open: 30 * time.Second}, Retry: retry.Config{Off: true},
		}))
		rt.to.Store(b.srv.Transport())
		b.fake.Fail("", resiliencetest.Fault{Status: 500})
		_, _ = b.call(t.Context(), opRead)
		slowBody(b)
		rt.to.Store(b.srv.Transport())
		time.Sleep(31 * time.Second)
		resp, err := wire.Download(t.Context(), b, opGet, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Stream)
		if err != nil || string(body) != "first,second" {
			t.Errorf("got %q, %v, want the whole download", body, err)
		}
		if err := resp.Stream.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestHangingDownloadProbeIsCut: what lets a download outlive the probe must not let the probe outlive its time.
func TestHangingDownloadProbeIsCut(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{
			Breaker: breaker.Config{Failures: 1, Open: 30 * time.Second}, Retry: retry.Config{Off: true},
		}))
		b.fake.Fail("", resiliencetest.Fault{Status: 500}, resiliencetest.Fault{Hang: true})
		_, _ = b.call(t.Context(), opRead)
		time.Sleep(31 * time.Second)
		start := time.Now()
		_, err := wire.Download(t.Context(), b, opGet, nil, nil)
		if !errors.Is(err, breaker.ErrProbeCut) || time.Since(start) != 5*time.Second {
			t.Errorf("got %v after %v, want breaker.ErrProbeCut after 5s", err, time.Since(start))
		}
		if got := b.Health().Scopes[resilience.Read].Circuit; got != breaker.Open {
			t.Errorf("circuit %v, want open again", got)
		}
	})
}

// TestStreamReadAfterItsEnd is for the race detector: other calls use the permit again while a forgotten stream is read.
func TestStreamReadAfterItsEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		rt := &switchedTransport{}
		b := newBench(t, stack.WithTransport(rt), stack.WithConfig(stack.Config{UploadTimeout: 500 * time.Millisecond}))
		slowBody(b)
		rt.to.Store(b.srv.Transport())
		resp, err := wire.Download(t.Context(), b, opGet, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(600 * time.Millisecond)
		var wg sync.WaitGroup
		wg.Go(func() {
			if _, err := io.ReadAll(resp.Stream); err == nil {
				t.Error("a stream was read to its end after its deadline")
			}
		})
		wg.Go(func() { _, _ = b.call(t.Context(), opRead) })
		wg.Wait()
	})
}

// A slowAuth takes its time, deaf to its context.
type slowAuth struct {
	*auth
	takes time.Duration
	then  func()
}

func (a *slowAuth) Token(ctx context.Context, op *resilience.Operation, c *resilience.Credential) (resilience.Secret, error) {
	time.Sleep(a.takes)
	if a.then != nil {
		a.then()
	}
	return a.auth.Token(context.WithoutCancel(ctx), op, c)
}

// TestTimeOverBeforeTheAttempt: a token that came too late, or whose caller has left, leaves nothing in the open.
func TestTimeOverBeforeTheAttempt(t *testing.T) {
	for _, test := range []struct {
		name   string
		takes  time.Duration
		leaves bool
		want   error
	}{
		{"deadline", 2 * time.Second, false, context.DeadlineExceeded},
		{"caller", 0, true, context.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t)
				slow := &slowAuth{auth: b.auth, takes: test.takes}
				s, err := stack.New(stack.Platform{
					Name: "test", BaseURL: "https://api.example", Auth: slow,
					Quotas: map[string][]resilience.Window{"writes": {{Name: "hour", Limit: 1, Per: time.Hour}}},
				}, stack.WithTransport(b.srv.Transport()), stack.WithBaseURL(b.srv.URL()), stack.WithLoopbackHTTP(),
					stack.WithCredential(resilience.Credential{ID: "a", Account: "wall", Token: secret}))
				if err != nil {
					t.Fatal(err)
				}
				defer func() { _ = s.Close() }()
				b.Stack = s
				ctx, cancel := context.WithCancel(t.Context())
				defer cancel()
				if test.leaves {
					slow.then = cancel
				}
				_, err = b.call(ctx, opWrite, resilience.WithKey("k"), resilience.WithTimeout(time.Second))
				if _, ok := errors.AsType[*resilience.RefusedError](err); !ok || !errors.Is(err, test.want) || errors.Is(err, resilience.ErrUnknownOutcome) {
					t.Errorf("got %v, want a refusal for %v", err, test.want)
				}
				slow.takes, slow.then = 0, nil
				if _, err := b.call(t.Context(), opWrite, resilience.WithKey("k")); err != nil {
					t.Errorf("key and quota of the call that never left are not free: %v", err)
				}
			})
		})
	}
}

func TestOneKeyForManyCallers(t *testing.T) {
	for _, test := range []struct {
		name  string
		fault resiliencetest.Fault
	}{
		{"served slowly", resiliencetest.Fault{Delay: time.Second}},
		{"answer lost", resiliencetest.Fault{CutAfter: true, Delay: time.Second}},
		{"gone before", resiliencetest.Fault{CutBefore: true, Delay: time.Second}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t)
				b.srv.Listener().SetDialDelay(300 * time.Millisecond)
				b.fake.Fail("", test.fault)
				var duplicates atomic.Int64
				var wg sync.WaitGroup
				for i := range 50 {
					wg.Go(func() {
						time.Sleep(time.Duration(i) * 50 * time.Millisecond)
						if _, err := b.call(t.Context(), opWrite, resilience.WithKey("k")); errors.Is(err, resilience.ErrDuplicate) {
							duplicates.Add(1)
						}
					})
				}
				wg.Wait()
				if n := b.fake.Log().Count(""); n != 1 || duplicates.Load() != 49 {
					t.Errorf("%d calls arrived and %d got ErrDuplicate, want 1 and 49", n, duplicates.Load())
				}
			})
		})
	}
}

// TestNothingArrivesAfterPause pauses at many moments of dialing, back-off, token fetch and open streams.
func TestNothingArrivesAfterPause(t *testing.T) {
	for ms := 0; ms <= 2000; ms += 125 {
		t.Run(fmt.Sprintf("%dms", ms), func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t, stack.WithConfig(stack.Config{PerSecond: 4}))
				b.srv.Listener().SetDialDelay(500 * time.Millisecond)
				b.fake.Fail("", resiliencetest.Fault{Status: 503, Rate: 0.5}, resiliencetest.Fault{Delay: 300 * time.Millisecond, Rate: 1})
				var wg sync.WaitGroup
				for i := range 30 {
					op := []*resilience.Operation{opRead, opSafe, opWrite}[i%3]
					wg.Go(func() { _, _ = b.call(t.Context(), op) })
				}
				time.Sleep(time.Duration(ms) * time.Millisecond)
				synctest.Wait()
				b.Pause(stack.Target{}, "", "", time.Time{})
				paused := time.Now()
				b.srv.Listener().SetDialDelay(0)
				wg.Wait()
				if got := time.Since(paused); got > 300*time.Millisecond {
					t.Errorf("the last call ended %v after the pause, want at most the time of an answer", got)
				}
				for _, c := range b.fake.Log().Calls("") {
					if c.Time.After(paused) {
						t.Errorf("%s arrived %v after the pause", c.Op, c.Time.Sub(paused))
					}
				}
			})
		})
	}
}

func TestCloseDuringTraffic(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{PerSecond: 4}))
		b.srv.Listener().SetDialDelay(500 * time.Millisecond)
		b.fake.Fail("", resiliencetest.Fault{Status: 503, Rate: 0.5}, resiliencetest.Fault{Delay: 300 * time.Millisecond, Rate: 1})
		var wg sync.WaitGroup
		for i := range 60 {
			op := []*resilience.Operation{opRead, opSafe, opWrite}[i%3]
			wg.Go(func() { _, _ = b.call(t.Context(), op) })
		}
		time.Sleep(1600 * time.Millisecond)
		closed := time.Now()
		if err := b.Close(); err != nil {
			t.Fatal(err)
		}
		wg.Wait()
		if got := time.Since(closed); got > 300*time.Millisecond {
			t.Errorf("the last call ended %v after Close", got)
		}
	})
}

// TestOpeningCircuitFlushesTheQueue: many wait at one a second for a service that hangs.
func TestOpeningCircuitFlushesTheQueue(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{
			PerSecond: 1, AttemptTimeout: 500 * time.Millisecond, Breaker: breaker.Config{Failures: 3, Open: 30 * time.Second}, Retry: retry.Config{Off: true},
		}))
		b.fake.Fail("", resiliencetest.Fault{Hang: true, Rate: 1})
		start := time.Now()
		var open atomic.Int64
		var wg sync.WaitGroup
		for range 25 {
			wg.Go(func() {
				if _, err := b.call(t.Context(), opRead); errors.Is(err, resilience.ErrCircuitOpen) {
					open.Add(1)
				}
			})
		}
		wg.Wait()
		if got := time.Since(start); open.Load() != 22 || got != 2500*time.Millisecond {
			t.Errorf("%d refused for the circuit after %v, want 22 after 2.5s: when the third failed", open.Load(), got)
		}
		// Probes that are throttled prove life; a caller who leaves proves nothing and gives the place to the next.
		b.fake.Heal("")
		time.Sleep(31 * time.Second)
		b.fake.Fail("", resiliencetest.Fault{Hang: true})
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		_, _ = b.call(ctx, opRead)
		time.Sleep(2 * time.Second)
		b.fake.Fail("", resiliencetest.Fault{Code: "45011", Text: "too fast"})
		_, _ = b.call(t.Context(), opRead)
		if got := b.Health().Scopes[resilience.Read].Circuit; got != breaker.Closed {
			t.Errorf("circuit %v after an answered probe, want closed", got)
		}
	})
}

// TestCredentialsChangeDuringTraffic puts, changes and removes credentials while many call; no credential exceeds its window.
func TestCredentialsChangeDuringTraffic(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			inBubble(t, func(t *testing.T) { changeDuringTraffic(t, seed) })
		})
	}
}

func changeDuringTraffic(t *testing.T, seed uint64) {
	const limit = 8
	b := newBench(t, stack.WithConfig(stack.Config{PerSecond: limit}))
	b.fake.Credential = func(r *http.Request) (string, string) {
		token := r.URL.Query().Get("access_token")
		return token, token[:1]
	}
	b.srv.Listener().SetDialDelay(200 * time.Millisecond)
	b.fake.Seed(seed)
	for _, f := range []resiliencetest.Fault{
		{CutBefore: true}, {CutAfter: true}, {Hang: true}, {Status: 503}, {HalfBody: true}, {Code: "45011", Text: "too fast"}, {Delay: 2 * time.Second},
	} {
		f.Rate = 0.02
		b.fake.Fail("", f)
	}
	change := func(rnd *rand.Rand, n int) {
		id := []string{"a", "b", "c"}[rnd.IntN(3)]
		c := resilience.Credential{ID: id, Account: "wall", Token: resilience.Secret(fmt.Sprintf("%s-token-of-change-%d", id, n))}
		if rnd.IntN(2) == 0 {
			c.Source = "other"
		}
		if rnd.IntN(4) == 0 && id != "a" {
			b.Remove(id)
			return
		}
		if err := b.Put(c); err != nil {
			t.Error(err)
		}
	}
	for _, id := range []string{"a", "b", "c"} {
		if err := b.Put(resilience.Credential{ID: id, Account: "wall", Token: resilience.Secret(id + "-token-of-the-start")}); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	wg.Go(func() {
		rnd := rand.New(rand.NewPCG(seed, 1))
		for n := range 80 {
			time.Sleep(time.Duration(rnd.IntN(500)) * time.Millisecond)
			change(rnd, n)
		}
	})
	for i := range 300 {
		wg.Go(func() {
			rnd := rand.New(rand.NewPCG(seed, uint64(1000+i)))
			time.Sleep(time.Duration(rnd.IntN(20_000)) * time.Millisecond)
			ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rnd.IntN(30_000))*time.Millisecond)
			defer cancel()
			op := []*resilience.Operation{opRead, opWrite, opSafe}[rnd.IntN(3)]
			_, _ = b.call(ctx, op, resilience.WithParam("id", fmt.Sprint(i)))
		})
	}
	wg.Wait()
	times := map[string][]time.Time{}
	acted := map[string]int{}
	for _, c := range b.fake.Log().Calls("") {
		times[c.App] = append(times[c.App], c.Time)
		if c.Acted && c.Op == opWrite.ID {
			acted[c.Params.Get("id")]++
		}
	}
	for app, at := range times {
		if got := resiliencetest.MaxInAnyWindow(at, time.Second); got > limit {
			t.Errorf("%d calls of credential %s in one second, want at most %d", got, app, limit)
		}
	}
	for id, n := range acted {
		if n > 1 {
			t.Errorf("write %s was done %d times", id, n)
		}
	}
	b.Remove("b")
	b.Remove("c")
	afterwards(t, b)
	for _, s := range b.Health().Scopes {
		if s.Total != 1 || s.Available != 1 {
			t.Errorf("health shows %+v, want the one credential that is left", s)
		}
	}
}
