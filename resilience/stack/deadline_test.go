package stack_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

// TestEachAttemptHasItsDeadline: the timer of one call is set anew for the next, whatever became of it.
func TestEachAttemptHasItsDeadline(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{AttemptTimeout: 3 * time.Second, Retry: retry.Config{Off: true}}))
		for i, hangs := range []bool{false, true, false, false, true, true, false} {
			if hangs {
				b.fake.Fail("", resiliencetest.Fault{Hang: true})
			}
			start := time.Now()
			_, err := b.call(t.Context(), opRead)
			took := time.Since(start)
			switch {
			case hangs && (!errors.Is(err, context.DeadlineExceeded) || took != 3*time.Second):
				t.Errorf("call %d: got %v after %v, want DeadlineExceeded after 3s", i, err, took)
			case !hangs && err != nil:
				t.Errorf("call %d: %v", i, err)
			}
			time.Sleep(2 * time.Second) // a deadline that was left over would end the next call too early
		}
	})
}

// A roundTrip is a transport.
type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestContextOfARequest: what a transport finds in the context of its request, and what its own contexts make of it.
func TestContextOfARequest(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		began := time.Now()
		var derived error
		rt := roundTrip(func(r *http.Request) (*http.Response, error) {
			ctx, cancel := context.WithCancel(r.Context())
			defer cancel()
			if d, ok := ctx.Deadline(); !ok || !d.Equal(began.Add(3*time.Second)) {
				t.Errorf("got the deadline %v, want it in 3s", d.Sub(began))
			}
			if httptrace.ContextClientTrace(ctx) == nil || ctx.Value(ctxKey{}) != "theirs" {
				t.Errorf("got the trace %v and the caller's value %v, want both", httptrace.ContextClientTrace(ctx), ctx.Value(ctxKey{}))
			}
			<-ctx.Done()
			derived = ctx.Err()
			if err := r.Context().Err(); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("the request's context ended with %v, want DeadlineExceeded", err)
			}
			return nil, derived
		})
		b := newBench(t, stack.WithTransport(rt), stack.WithConfig(stack.Config{
			AttemptTimeout: 3 * time.Second, Retry: retry.Config{Off: true},
		}))
		_, err := b.call(context.WithValue(t.Context(), ctxKey{}, "theirs"), opRead)
		if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, derived) || time.Since(began) != 3*time.Second {
			t.Errorf("got %v after %v, want DeadlineExceeded and %v after 3s", err, time.Since(began), derived)
		}
	})
}

type ctxKey struct{}

// TestCallersTrace: a caller's own trace is told, and the departure is seen all the same.
func TestCallersTrace(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{Retry: retry.Config{Off: true}}))
		wrote, got := 0, 0
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{
			WroteHeaders: func() { wrote++ }, GotConn: func(httptrace.GotConnInfo) { got++ },
		})
		b.srv.Listener().SetDialError(errors.New("connection refused"))
		if _, err := b.call(ctx, opWrite); !errors.Is(err, resilience.ErrTransient) || wrote+got != 0 {
			t.Errorf("got %v, want ErrTransient: a write that was not sent has a known outcome", err)
		}
		b.srv.Listener().SetDialError(nil)
		if _, err := b.call(ctx, opWrite); err != nil {
			t.Fatal(err)
		}
		if wrote != 1 || got != 1 {
			t.Errorf("the caller's trace was told of %d connections and %d requests, want one of each", got, wrote)
		}
	})
}
