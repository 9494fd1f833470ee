package main

import (
	"context"
	"sync"
	"sync/atomic"
)

// together makes n calls by a number of callers at once.
func together(callers, n int, call func(ctx context.Context)) {
	var left atomic.Int64
	left.Store(int64(n))
	var wg sync.WaitGroup
	for range callers {
		wg.Go(func() {
			for left.Add(-1) >= 0 {
				call(context.Background())
			}
		})
	}
	wg.Wait()
}
