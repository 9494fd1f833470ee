package retry

import (
	"errors"
	"sync/atomic"
)

// ErrBudget says that a call was not repeated because too many repeats of its scope failed lately. The limit is our own and no answer
// of the platform's; it is joined to the platform's last error.
var ErrBudget = errors.New("not repeated: our own retry budget is spent")

// A budget holds one scope's tokens. It is safe for concurrent use.
type budget struct {
	tokens atomic.Int64
	full   int64
	off    bool
}

func (b *budget) init(cfg Budget) {
	b.full, b.off = int64(cfg.Tokens), cfg.Off
	b.tokens.Store(b.full)
}

// take takes n tokens, or none and reports false.
func (b *budget) take(n int64) bool {
	if b.off {
		return true
	}
	for {
		tokens := b.tokens.Load()
		if tokens < n {
			return false
		}
		if b.tokens.CompareAndSwap(tokens, tokens-n) {
			return true
		}
	}
}

// give puts n tokens in, as far as there is room. A full budget, the usual case, is only read.
func (b *budget) give(n int64) {
	for {
		tokens := b.tokens.Load()
		if tokens >= b.full || n == 0 || b.off {
			return
		}
		if b.tokens.CompareAndSwap(tokens, min(b.full, tokens+n)) {
			return
		}
	}
}
