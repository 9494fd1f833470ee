package stack

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

// TestPatience: it is what context.WithDeadline would be, but for the timer.
func TestPatience(t *testing.T) {
	type key struct{}
	for _, test := range []struct {
		name  string
		do    func(p *patience, cancel context.CancelFunc)
		after time.Duration // how long a waiter waits
		want  error
	}{
		{"its own deadline", func(*patience, context.CancelFunc) {}, time.Minute, context.DeadlineExceeded},
		{"the caller leaves", func(_ *patience, cancel context.CancelFunc) { time.AfterFunc(time.Second, cancel) }, time.Second, context.Canceled},
		{"its end", func(p *patience, _ context.CancelFunc) { time.AfterFunc(time.Second, p.end) }, time.Second, context.Canceled},
		{"its end before anybody waits", func(p *patience, _ context.CancelFunc) { p.end() }, 0, context.Canceled},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				caller, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, 1))
				defer cancel()
				p := &patience{Context: caller, until: time.Now().Add(time.Minute)}
				defer p.end()
				if d, ok := p.Deadline(); !ok || time.Until(d) != time.Minute || p.Err() != nil || p.Value(key{}) != 1 {
					t.Errorf("deadline %v, error %v, value %v at the start", d, p.Err(), p.Value(key{}))
				}
				test.do(p, cancel)
				start := time.Now()
				child, stop := context.WithTimeout(p, time.Hour)
				defer stop()
				<-child.Done()
				if got := time.Since(start); got != test.after {
					t.Errorf("over after %v, want %v", got, test.after)
				}
				if !errors.Is(p.Err(), test.want) || !errors.Is(child.Err(), test.want) {
					t.Errorf("got %v and for a child %v, want %v", p.Err(), child.Err(), test.want)
				}
			})
		})
	}
	t.Run("an earlier deadline of the caller", func(t *testing.T) {
		caller, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
		defer cancel()
		p := &patience{Context: caller, until: time.Now().Add(time.Minute)}
		if d, _ := p.Deadline(); time.Until(d) > 0 || !errors.Is(p.Err(), context.DeadlineExceeded) {
			t.Errorf("deadline in %v and error %v, want the caller's", time.Until(d), p.Err())
		}
	})
	t.Run("nobody has waited", func(t *testing.T) {
		p := &patience{Context: t.Context(), until: time.Now().Add(-time.Second)}
		if !errors.Is(p.Err(), context.DeadlineExceeded) {
			t.Errorf("got %v, want its deadline exceeded", p.Err())
		}
	})
}
