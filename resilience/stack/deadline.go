package stack

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// An alarm ends attempts at their deadlines, one after the other: to make a timer costs more than to set one anew.
type alarm struct {
	timer   *time.Timer
	attempt atomic.Pointer[attempt]
}

// set lets the attempt end after d.
func (al *alarm) set(a *attempt, d time.Duration) {
	al.attempt.Store(a)
	if al.timer == nil {
		al.timer = time.AfterFunc(d, al.ring)
		return
	}
	al.timer.Reset(d)
}

func (al *alarm) ring() { al.attempt.Load().cancel(context.DeadlineExceeded) }

// stop reports whether the alarm may be set anew: it has not rung, and will not.
func (al *alarm) stop() bool {
	if !al.timer.Stop() {
		return false
	}
	al.attempt.Store(nil)
	return true
}

// Deadline returns the attempt's, or that of the context that it was made under.
func (a *attempt) Deadline() (time.Time, bool) {
	if d, ok := a.Context.Deadline(); ok && d.Before(a.deadline) {
		return d, true
	}
	return a.deadline, true
}

// Err says DeadlineExceeded where the alarm has cancelled the context.
func (a *attempt) Err() error {
	err := a.Context.Err()
	if err != nil && errors.Is(context.Cause(a.Context), context.DeadlineExceeded) {
		return context.DeadlineExceeded
	}
	return err
}
