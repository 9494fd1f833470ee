package stack

import (
	"context"
	"sync"
	"time"
)

// A patience is a context with a deadline that costs nothing until somebody waits for it: most calls find their token at hand. It may
// be kept beyond its end, as contexts may.
type patience struct {
	context.Context //nolint:containedctx // it is a context
	until           time.Time

	mu     sync.Mutex
	timer  context.Context //nolint:containedctx // made when it is waited for
	cancel context.CancelFunc
	ended  bool
}

// timed returns the context with a timer.
func (p *patience) timed() context.Context {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		p.timer, p.cancel = context.WithDeadline(p.Context, p.until)
		if p.ended {
			p.cancel()
		}
	}
	return p.timer
}

// end frees the timer, if there is one.
func (p *patience) end() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = true
	if p.cancel != nil {
		p.cancel()
	}
}

// Deadline returns the earlier one of the caller's and our own.
func (p *patience) Deadline() (time.Time, bool) {
	if d, ok := p.Context.Deadline(); ok && d.Before(p.until) {
		return d, true
	}
	return p.until, true
}

// Done starts the timer.
func (p *patience) Done() <-chan struct{} { return p.timed().Done() }

// Err says why it is over, if it is.
func (p *patience) Err() error {
	p.mu.Lock()
	timer, ended := p.timer, p.ended
	p.mu.Unlock()
	switch {
	case timer != nil:
		return timer.Err()
	case p.Context.Err() != nil:
		return p.Context.Err()
	case ended:
		return context.Canceled
	case !time.Now().Before(p.until):
		return context.DeadlineExceeded
	default:
		return nil
	}
}
