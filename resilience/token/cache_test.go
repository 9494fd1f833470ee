package token_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/token"
)

var demo = &resilience.Credential{ID: "demo", Account: "shop", App: "1000000", Secret: "app-secret"}

// An endpoint issues tok-1, tok-2 ...
type endpoint struct {
	took    time.Duration
	life    time.Duration
	fail    func(n int) error
	calls   atomic.Int64
	mu      sync.Mutex
	refused []resilience.Secret
	refresh []resilience.Secret
}

func (e *endpoint) fetch(ctx context.Context, cred *resilience.Credential, refused resilience.Secret) (token.Token, error) {
	n := int(e.calls.Add(1))
	e.mu.Lock()
	e.refused = append(e.refused, refused)
	e.refresh = append(e.refresh, cred.Refresh)
	e.mu.Unlock()
	select {
	case <-time.After(e.took):
	case <-ctx.Done():
		return token.Token{}, ctx.Err()
	}
	if e.fail != nil {
		if err := e.fail(n); err != nil {
			return token.Token{}, err
		}
	}
	return token.Token{Value: resilience.Secret(fmt.Sprintf("tok-%d", n)), Expires: time.Now().Add(e.life)}, nil
}

func newCache(t *testing.T, cfg token.Config) *token.Cache {
	t.Helper()
	if cfg.Name == "" {
		cfg.Name = "acme"
	}
	c, err := token.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func want(t *testing.T, c *token.Cache, cred *resilience.Credential, value string) {
	t.Helper()
	got, err := c.Token(t.Context(), cred)
	if err != nil || got.Reveal() != value {
		t.Errorf("Token: got %q, %v, want %q", got.Reveal(), err, value)
	}
}

func fetches(t *testing.T, e *endpoint, want int64) {
	t.Helper()
	if got := e.calls.Load(); got != want {
		t.Errorf("got %d fetches, want %d", got, want)
	}
}

func TestNewNamesEveryFault(t *testing.T) {
	_, err := token.New(token.Config{Margin: -time.Second, Timeout: -1, Backoff: -1})
	for _, part := range []string{"Fetch is nil", "Margin is -1s", "Timeout is -1ns", "Backoff is -1ns"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want it to say %q", err, part)
		}
	}
}

func TestExpiredTokenIsFetchedOnceForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{took: 200 * time.Millisecond, life: 2 * time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		want(t, c, demo, "tok-1")
		time.Sleep(2 * time.Hour)
		start := time.Now()
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() { want(t, c, demo, "tok-2") })
		}
		wg.Wait()
		fetches(t, e, 2)
		if got := time.Since(start); got != 200*time.Millisecond {
			t.Errorf("all had it after %v, want 200ms", got)
		}
		for _, refused := range e.refused {
			if refused != "" {
				t.Error("an ordinary end was told to Fetch as a refusal")
			}
		}
	})
}

func TestImpatientCallerLeavesTheFetchToTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{took: 500 * time.Millisecond, life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		start := time.Now()
		var wg sync.WaitGroup
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
			defer cancel()
			_, err := c.Token(ctx, demo)
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("got %v, want the caller's deadline", err)
			}
			if got := time.Since(start); got != 50*time.Millisecond {
				t.Errorf("the impatient caller returned after %v, want 50ms", got)
			}
		})
		synctest.Wait() // its fetch is under way
		for range 9 {
			wg.Go(func() {
				ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
				defer cancel()
				if got, err := c.Token(ctx, demo); err != nil || got.Reveal() != "tok-1" {
					t.Errorf("got %q, %v, want tok-1", got.Reveal(), err)
				}
			})
		}
		wg.Wait()
		fetches(t, e, 1)
	})
}

func TestCallerWhoseContextHasEndedBeginsNoFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if _, err := c.Token(ctx, demo); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v, want context.Canceled", err)
		}
		fetches(t, e, 0)
	})
}

func TestMarginIsAtMostHalfTheLifetime(t *testing.T) {
	tests := []struct {
		name    string
		life    time.Duration
		margin  time.Duration
		renewal time.Duration // after the fetch
	}{
		{"default", 2 * time.Hour, 0, 2*time.Hour - 5*time.Minute},
		{"longer than the life", 600 * time.Second, 1500 * time.Second, 300 * time.Second},
		{"default with a short life", time.Minute, 0, 30 * time.Second},
		{"small", time.Hour, time.Second, time.Hour - time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				e := &endpoint{life: tt.life}
				c := newCache(t, token.Config{Fetch: e.fetch, Margin: tt.margin})
				want(t, c, demo, "tok-1")
				time.Sleep(tt.renewal - 1)
				want(t, c, demo, "tok-1")
				time.Sleep(time.Nanosecond)
				want(t, c, demo, "tok-2")
				fetches(t, e, 2)
			})
		})
	}
}

func TestManyCallsOnAShortLifeFetchOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: 600 * time.Second}
		c := newCache(t, token.Config{Fetch: e.fetch, Margin: 1500 * time.Second})
		for range 100 {
			want(t, c, demo, "tok-1")
			time.Sleep(600 * time.Millisecond)
		}
		fetches(t, e, 1)
	})
}

func TestOneCallerRenewsEarlyWhileOthersGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{took: time.Second, life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		want(t, c, demo, "tok-1")
		time.Sleep(56 * time.Minute)
		var wg sync.WaitGroup
		wg.Go(func() { want(t, c, demo, "tok-2") })
		synctest.Wait()
		start := time.Now()
		want(t, c, demo, "tok-1")
		if got := time.Since(start); got != 0 {
			t.Errorf("a caller waited %v for an early renewal, want 0", got)
		}
		wg.Wait()
		want(t, c, demo, "tok-2")
		fetches(t, e, 2)
	})
}

func TestFailedEarlyRenewalCostsNobodyTheValidToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour, fail: func(n int) error {
			if n > 1 {
				return errors.New("refused")
			}
			return nil
		}}
		c := newCache(t, token.Config{Fetch: e.fetch})
		want(t, c, demo, "tok-1")
		time.Sleep(56 * time.Minute)
		for range 20 {
			want(t, c, demo, "tok-1")
			time.Sleep(time.Second)
		}
		fetches(t, e, 1+2) // one in each back-off of 10s
		time.Sleep(4 * time.Minute)
		if _, err := c.Token(t.Context(), demo); !errors.Is(err, resilience.ErrNoCredential) {
			t.Errorf("after the end: got %v, want ErrNoCredential", err)
		}
	})
}

// A brokenStore hands back one odd thing after the other.
type brokenStore struct {
	answers []func() (token.Token, bool, error)
	saveErr error
	inner   *token.Memory
}

func (s *brokenStore) Load(ctx context.Context, key string) (token.Token, bool, error) {
	if len(s.answers) == 0 {
		return s.inner.Load(ctx, key)
	}
	answer := s.answers[0]
	return answer()
}

func (s *brokenStore) Save(ctx context.Context, key string, t token.Token) error {
	if s.saveErr != nil {
		return s.saveErr
	}
	return s.inner.Save(ctx, key, t)
}

func TestWhatTheStoreCannotGiveIsAMiss(t *testing.T) {
	tests := []struct {
		name   string
		answer func() (token.Token, bool, error)
		logged bool
	}{
		{"empty text", func() (token.Token, bool, error) { return token.Token{}, true, nil }, false},
		{"missing", func() (token.Token, bool, error) { return token.Token{}, false, nil }, false},
		{"error", func() (token.Token, bool, error) { return token.Token{}, false, errors.New("connection lost") }, true},
		{"error beside a value", func() (token.Token, bool, error) {
			return token.Token{Value: "half a record"}, true, errors.New("broken JSON")
		}, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var log strings.Builder
				e := &endpoint{life: time.Hour}
				store := &brokenStore{answers: []func() (token.Token, bool, error){tt.answer}, inner: token.NewMemory()}
				c := newCache(t, token.Config{Fetch: e.fetch, Store: store, Logger: slog.New(slog.NewTextHandler(&log, nil))})
				want(t, c, demo, "tok-1")
				want(t, c, demo, "tok-1") // the store is no better, but this process remembers
				fetches(t, e, 1)
				if got := strings.Contains(log.String(), "token store cannot be read"); got != tt.logged {
					t.Errorf("degradation logged: %v, want %v\n%s", got, tt.logged, log.String())
				}
			})
		})
	}
}

func TestStoreThatCannotBeWrittenDoesNotCauseFetches(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		e := &endpoint{life: time.Hour}
		store := &brokenStore{saveErr: errors.New("disk full"), inner: token.NewMemory()}
		c := newCache(t, token.Config{Fetch: e.fetch, Store: store, Logger: slog.New(slog.NewTextHandler(&log, nil))})
		for range 10 {
			want(t, c, demo, "tok-1")
		}
		fetches(t, e, 1)
		if !strings.Contains(log.String(), "token store cannot be written") {
			t.Errorf("the degradation was not logged: %s", log.String())
		}
	})
}

// A machine that sleeps stops its monotonic clock, and the platform's clock goes on. Only a date without a monotonic reading notices, so
// what reaches the store must have none. The real clock is used: dates of a synctest bubble never have such a reading.
func TestExpiryIsWallTime(t *testing.T) {
	if !strings.Contains(time.Now().String(), "m=") {
		t.Fatal("this clock has no monotonic reading, so the test would prove nothing")
	}
	e := &endpoint{life: 2 * time.Hour}
	seen := &recordingStore{Memory: token.NewMemory()}
	want(t, newCache(t, token.Config{Fetch: e.fetch, Store: seen}), demo, "tok-1")
	if len(seen.saved) != 1 {
		t.Fatalf("got %d stored tokens, want 1", len(seen.saved))
	}
	saved := seen.saved[0]
	for name, at := range map[string]time.Time{"Expires": saved.Expires, "Fetched": saved.Fetched} {
		if strings.Contains(at.String(), "m=") {
			t.Errorf("%s carries a monotonic reading: %v", name, at)
		}
	}
	// Three hours later by the wall clock.
	saved.Expires, saved.Fetched = saved.Expires.Add(-3*time.Hour), saved.Fetched.Add(-3*time.Hour)
	if err := seen.Memory.Save(t.Context(), seen.keys[0], saved); err != nil {
		t.Fatal(err)
	}
	want(t, newCache(t, token.Config{Fetch: e.fetch, Store: seen.Memory}), demo, "tok-2")
}

func TestStoreIsReadAgainBeforeAFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour}
		stored := token.Token{Value: "theirs", Expires: time.Now().Add(time.Hour), Fetched: time.Now()}
		asked := 0
		store := &brokenStore{inner: token.NewMemory(), answers: []func() (token.Token, bool, error){
			func() (token.Token, bool, error) { asked++; return stored, asked > 1, nil }, // stored just after the first look
		}}
		want(t, newCache(t, token.Config{Fetch: e.fetch, Store: store}), demo, "theirs")
		fetches(t, e, 0)
	})
}

func TestRotatedRefreshTokenSurvivesAStoreThatCannotBeWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []resilience.Secret
		store := &brokenStore{saveErr: errors.New("disk full"), inner: token.NewMemory()}
		c := newCache(t, token.Config{
			Store: store,
			Fetch: func(_ context.Context, cred *resilience.Credential, _ resilience.Secret) (token.Token, error) {
				seen = append(seen, cred.Refresh)
				return token.Token{Value: "tok", Refresh: "ref-1", Expires: time.Now().Add(time.Hour)}, nil
			},
		})
		cred := &resilience.Credential{ID: "demo", Refresh: "ref-0"}
		want(t, c, cred, "tok")
		time.Sleep(2 * time.Hour)
		want(t, c, cred, "tok")
		if got, want := fmt.Sprintf("%q", reveal(seen)), `["ref-0" "ref-1"]`; got != want {
			t.Errorf("refresh tokens used: got %s, want %s", got, want)
		}
	})
}

type recordingStore struct {
	*token.Memory
	keys  []string
	saved []token.Token
}

func (s *recordingStore) Save(ctx context.Context, key string, t token.Token) error {
	s.keys, s.saved = append(s.keys, key), append(s.saved, t)
	return s.Memory.Save(ctx, key, t)
}

func TestRefusedFetchIsNotHammered(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		refusal := &resilience.APIError{
			Op: &resilience.Operation{Platform: "acme", ID: "token"}, Status: 200, Code: "40164",
			Message: "invalid ip 203.0.113.9, not in whitelist", Class: resilience.Misconfigured,
		}
		e := &endpoint{life: time.Hour, fail: func(int) error { return refusal }}
		c := newCache(t, token.Config{Fetch: e.fetch})
		start := time.Now()
		for i := range 1000 { // 25 s of traffic: at 0, 10 and 20 s
			_, err := c.Token(t.Context(), demo)
			api, ok := errors.AsType[*resilience.APIError](err)
			if !ok || api.Code != "40164" || !strings.Contains(err.Error(), "203.0.113.9") {
				t.Fatalf("call %d: got %v, want the platform's own error", i, err)
			}
			ours, ok := errors.AsType[*resilience.RefusedError](err)
			if !ok || !errors.Is(err, resilience.ErrNoCredential) || !errors.Is(err, resilience.ErrMisconfigured) {
				t.Fatalf("call %d: got %v, want ErrNoCredential caused by ErrMisconfigured", i, err)
			}
			if wait := time.Until(ours.RetryAt); wait <= 0 || wait > 10*time.Second {
				t.Fatalf("call %d: retry in %v, want up to 10s", i, wait)
			}
			time.Sleep(25 * time.Millisecond)
		}
		if got := time.Since(start); got != 25*time.Second {
			t.Fatalf("the traffic took %v, want 25s", got)
		}
		fetches(t, e, 3)
	})
}

func TestFailureOfTheNetworkIsForgottenSooner(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour, fail: func(n int) error {
			if n == 1 {
				return fmt.Errorf("dial: %w", resilience.ErrTransient)
			}
			return nil
		}}
		c := newCache(t, token.Config{Fetch: e.fetch})
		if _, err := c.Token(t.Context(), demo); !errors.Is(err, resilience.ErrTransient) {
			t.Fatalf("got %v, want ErrTransient", err)
		}
		time.Sleep(time.Second - 1)
		if _, err := c.Token(t.Context(), demo); !errors.Is(err, resilience.ErrTransient) {
			t.Errorf("inside the second: got %v, want the remembered failure", err)
		}
		fetches(t, e, 1)
		time.Sleep(time.Nanosecond)
		want(t, c, demo, "tok-2")
	})
}

func TestFetchThatHangsIsCut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{took: time.Hour, life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		start := time.Now()
		_, err := c.Token(t.Context(), demo)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, resilience.ErrNoCredential) {
			t.Errorf("got %v, want ErrNoCredential caused by the time-out", err)
		}
		if got := time.Since(start); got != 10*time.Second {
			t.Errorf("it took %v, want 10s", got)
		}
	})
}

func TestUselessTokensAreRefused(t *testing.T) {
	tests := []struct {
		name string
		tok  token.Token
		says string
	}{
		{"empty", token.Token{Expires: time.Now().Add(time.Hour)}, "holds no token"},
		{"ended", token.Token{Value: "tok", Expires: time.Unix(1, 0)}, "has ended already"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := newCache(t, token.Config{
				Fetch: func(context.Context, *resilience.Credential, resilience.Secret) (token.Token, error) {
					return tt.tok, nil
				},
			})
			got, err := c.Token(t.Context(), demo)
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %q, %v, want an error that says %q", got.Reveal(), err, tt.says)
			}
		})
	}
}

func TestTokenWithoutAnEndIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		c := newCache(t, token.Config{
			Fetch: func(context.Context, *resilience.Credential, resilience.Secret) (token.Token, error) {
				calls++
				return token.Token{Value: "tok-1"}, nil
			},
		})
		for range 5 {
			want(t, c, demo, "tok-1")
			time.Sleep(365 * 24 * time.Hour)
		}
		if calls != 1 {
			t.Errorf("got %d fetches, want 1", calls)
		}
	})
}

func TestTenRenewalsOfOneTokenAreOneFetch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{took: 100 * time.Millisecond, life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		want(t, c, demo, "tok-1")
		var wg sync.WaitGroup
		for i := range 10 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 30 * time.Millisecond) // some come during the fetch, some after it
				got, err := c.Renew(t.Context(), demo, "tok-1")
				if err != nil || got.Reveal() != "tok-2" {
					t.Errorf("got %q, %v, want tok-2", got.Reveal(), err)
				}
			})
		}
		wg.Wait()
		fetches(t, e, 2)
		if e.refused[1] != "tok-1" {
			t.Errorf("Fetch was told %q, want the refused tok-1", e.refused[1].Reveal())
		}
	})
}

func TestRenewTakesWhatAnotherProcessStored(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := token.NewMemory()
		e := &endpoint{life: time.Hour}
		one := newCache(t, token.Config{Fetch: e.fetch, Store: store})
		two := newCache(t, token.Config{Fetch: e.fetch, Store: store})
		want(t, one, demo, "tok-1")
		want(t, two, demo, "tok-1")
		if got, err := one.Renew(t.Context(), demo, "tok-1"); err != nil || got != "tok-2" {
			t.Fatalf("got %q, %v, want tok-2", got.Reveal(), err)
		}
		if got, err := two.Renew(t.Context(), demo, "tok-1"); err != nil || got != "tok-2" {
			t.Errorf("got %q, %v, want tok-2", got.Reveal(), err)
		}
		fetches(t, e, 2)
	})
}

func TestNewestTokenThatIsRefusedTooIsNotReplacedAtOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		want(t, c, demo, "tok-1")
		if _, err := c.Renew(t.Context(), demo, "tok-1"); err != nil {
			t.Fatal(err)
		}
		for range 100 {
			_, err := c.Renew(t.Context(), demo, "tok-2")
			ours, ok := errors.AsType[*resilience.RefusedError](err)
			if !ok || !errors.Is(err, resilience.ErrNoCredential) || time.Until(ours.RetryAt) <= 0 {
				t.Fatalf("got %v, want ErrNoCredential with RetryAt", err)
			}
			time.Sleep(99 * time.Millisecond)
		}
		fetches(t, e, 2)
		time.Sleep(100 * time.Millisecond) // 10s in all
		if got, err := c.Renew(t.Context(), demo, "tok-2"); err != nil || got != "tok-3" {
			t.Errorf("after the back-off: got %q, %v, want tok-3", got.Reveal(), err)
		}
	})
}

func TestRenewThatBringsTheSameTokenEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		c := newCache(t, token.Config{
			Fetch: func(context.Context, *resilience.Credential, resilience.Secret) (token.Token, error) {
				calls++
				return token.Token{Value: "tok-1", Expires: time.Now().Add(time.Hour)}, nil
			},
		})
		want(t, c, demo, "tok-1")
		if _, err := c.Renew(t.Context(), demo, "tok-1"); !errors.Is(err, resilience.ErrNoCredential) {
			t.Errorf("got %v, want ErrNoCredential", err)
		}
		if calls != 2 {
			t.Errorf("got %d fetches, want 2", calls)
		}
	})
}

func TestRenewOfNothingIsToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		if got, err := c.Renew(t.Context(), demo, ""); err != nil || got != "tok-1" {
			t.Errorf("got %q, %v, want tok-1", got.Reveal(), err)
		}
	})
}

func TestTokenThatCameWithTheCredentialIsUsedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch})
		cred := &resilience.Credential{ID: "demo", Account: "shop", App: "1000000", Token: "given", Refresh: "ref-0"}
		want(t, c, cred, "given")
		fetches(t, e, 0)
		if got, err := c.Renew(t.Context(), cred, "given"); err != nil || got != "tok-1" {
			t.Fatalf("got %q, %v, want tok-1", got.Reveal(), err)
		}
		want(t, c, cred, "tok-1")
		fetches(t, e, 1)
	})
}

func TestRefreshTokenThatRotates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var seen []resilience.Secret
		answers := []token.Token{{Value: "a", Refresh: "ref-1"}, {Value: "b"}, {Value: "c", Refresh: "ref-3"}, {Value: "d"}}
		c := newCache(t, token.Config{
			Fetch: func(_ context.Context, cred *resilience.Credential, _ resilience.Secret) (token.Token, error) {
				seen = append(seen, cred.Refresh)
				tok := answers[len(seen)-1]
				tok.Expires = time.Now().Add(time.Hour)
				return tok, nil
			},
		})
		cred := &resilience.Credential{ID: "demo", Refresh: "ref-0"}
		for _, value := range []string{"a", "b", "c", "d"} {
			want(t, c, cred, value)
			time.Sleep(time.Hour)
		}
		if got, want := fmt.Sprintf("%q", reveal(seen)), `["ref-0" "ref-1" "ref-1" "ref-3"]`; got != want {
			t.Errorf("refresh tokens used: got %s, want %s", got, want)
		}
	})
}

func reveal(secrets []resilience.Secret) []string {
	var out []string
	for _, s := range secrets {
		out = append(out, s.Reveal())
	}
	return out
}

// The refresh token was spent by another process, which stored what it got.
func TestLoserOfTheRefreshTokenTakesTheStoredPair(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := token.NewMemory()
		spent := false
		fetch := func(_ context.Context, _ *resilience.Credential, _ resilience.Secret) (token.Token, error) {
			if spent {
				time.Sleep(50 * time.Millisecond)
				return token.Token{}, errors.New("invalid_grant")
			}
			spent = true
			time.Sleep(10 * time.Millisecond)
			return token.Token{Value: "tok-1", Expires: time.Now().Add(time.Hour)}, nil
		}
		one := newCache(t, token.Config{Fetch: fetch, Store: store})
		two := newCache(t, token.Config{Fetch: fetch, Store: store})
		var wg sync.WaitGroup
		wg.Go(func() { want(t, one, demo, "tok-1") })
		synctest.Wait()
		wg.Go(func() { want(t, two, demo, "tok-1") })
		wg.Wait()
	})
}

func TestEachCredentialHasItsOwnToken(t *testing.T) {
	base := resilience.Credential{ID: "a", Account: "corp", App: "1000002", Secret: "S1"}
	others := []struct {
		name   string
		change func(*resilience.Credential)
		same   bool
	}{
		{"another app", func(c *resilience.Credential) { c.App = "1000003" }, false},
		{"another account", func(c *resilience.Credential) { c.Account = "corp2" }, false},
		{"another secret", func(c *resilience.Credential) { c.Secret = "S2" }, false},
		{"another grant", func(c *resilience.Credential) { c.Refresh = "R2" }, false},
		{"parts that run into one another", func(c *resilience.Credential) { c.Account, c.App = "corp/1000002", "" }, false},
		{"another name for the same", func(c *resilience.Credential) { c.ID = "b" }, true},
	}
	for _, tt := range others {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store := &recordingStore{Memory: token.NewMemory()}
				e := &endpoint{life: time.Hour}
				c := newCache(t, token.Config{Fetch: e.fetch, Store: store})
				want(t, c, &base, "tok-1")
				other := base
				tt.change(&other)
				if tt.same {
					want(t, c, &other, "tok-1")
				} else {
					want(t, c, &other, "tok-2")
				}
				for _, key := range store.keys {
					for _, secret := range []string{"S1", "S2", "R2"} {
						if strings.Contains(key, secret) {
							t.Errorf("the key %s holds a secret", key)
						}
					}
				}
			})
		})
	}
	t.Run("another platform", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			store := token.NewMemory()
			e := &endpoint{life: time.Hour}
			want(t, newCache(t, token.Config{Name: "one", Fetch: e.fetch, Store: store}), &base, "tok-1")
			want(t, newCache(t, token.Config{Name: "two", Fetch: e.fetch, Store: store}), &base, "tok-2")
		})
	})
}

func TestCloseEndsFetchesAndWaiters(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		e := &endpoint{took: time.Minute, life: time.Hour}
		c := newCache(t, token.Config{Fetch: e.fetch, Timeout: time.Hour})
		start := time.Now()
		var wg sync.WaitGroup
		for range 3 {
			wg.Go(func() {
				if _, err := c.Token(t.Context(), demo); !errors.Is(err, resilience.ErrClosed) {
					t.Errorf("waiter: got %v, want ErrClosed", err)
				}
			})
		}
		synctest.Wait()
		c.Close()
		wg.Wait()
		if _, err := c.Token(t.Context(), demo); !errors.Is(err, resilience.ErrClosed) {
			t.Errorf("later: got %v, want ErrClosed", err)
		}
		if got := time.Since(start); got != 0 {
			t.Errorf("closing took %v, want 0", got)
		}
		fetches(t, e, 1)
	})
}

func TestNothingPrintsTokens(t *testing.T) {
	store := token.NewMemory()
	c := newCache(t, token.Config{
		Store: store,
		Fetch: func(context.Context, *resilience.Credential, resilience.Secret) (token.Token, error) {
			return token.Token{Value: "TOK-SECRET-0001", Refresh: "REF-SECRET-0002", Expires: time.Now().Add(time.Hour)}, nil
		},
	})
	want(t, c, demo, "TOK-SECRET-0001")
	tok := token.Token{Value: "TOK-SECRET-0001", Refresh: "REF-SECRET-0002"}
	for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%d"} {
		for _, x := range []any{store, c} {
			if got := fmt.Sprintf(verb, x); strings.Contains(got, "SECRET-000") || strings.Contains(got, "5345435245542d30") {
				t.Errorf("%s of %T: got %s", verb, x, got)
			}
		}
	}
	text, err := json.Marshal(tok)
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%v %+v %#v %s", tok, tok, tok, text); strings.Contains(got, "SECRET-000") {
		t.Errorf("a Token printed as %s", got)
	}
}

func BenchmarkToken(b *testing.B) {
	c, err := token.New(token.Config{
		Fetch: func(context.Context, *resilience.Credential, resilience.Secret) (token.Token, error) {
			return token.Token{Value: "tok", Expires: time.Now().Add(time.Hour)}, nil
		},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := c.Token(b.Context(), demo); err != nil {
			b.Fatal(err)
		}
	}
}
