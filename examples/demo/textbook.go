package main

import (
	"sync"
	"time"
)

// The algorithms here are the ones that articles on these platforms teach, in Go. They are shown for what they do, not for use.

// A tokenCooldown cools whole tokens, for ten minutes each time: reads and writes together.
type tokenCooldown struct {
	tokens []string
	next   int
	until  map[string]time.Time
	streak map[string]int
}

func newTokenCooldown(tokens ...string) *tokenCooldown {
	return &tokenCooldown{tokens: tokens, until: map[string]time.Time{}, streak: map[string]int{}}
}

// pick returns the next token that is not cooling, or "".
func (c *tokenCooldown) pick() string {
	for range c.tokens {
		token := c.tokens[c.next%len(c.tokens)]
		c.next++
		if !time.Now().Before(c.until[token]) {
			return token
		}
	}
	return ""
}

// failed cools a token. The streak is meant to make it longer, but it only grows while a cooldown runs, when nobody asks.
func (c *tokenCooldown) failed(token string) {
	c.streak[token]++
	if !c.until[token].After(time.Now()) {
		c.streak[token] = 1
	}
	cooldown := min(10*time.Minute<<min(c.streak[token]-1, 4), time.Hour)
	c.until[token] = time.Now().Add(cooldown)
}

// A bucket holds as many tokens as it earns in a second.
type bucket struct {
	mu             sync.Mutex
	capacity, rate float64
	tokens         float64
	last           time.Time
}

func newBucket(capacity, rate float64) *bucket {
	return &bucket{capacity: capacity, rate: rate, tokens: capacity, last: time.Now()}
}

func (b *bucket) pass() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	now := time.Now()
	b.tokens = min(b.capacity, b.tokens+now.Sub(b.last).Seconds()*b.rate)
	b.last = now
	if b.tokens < 1 {
		return false
	}
	b.tokens--
	return true
}

// A circuit opens after 15 errors in a row and, half open, closes as soon as two callers have asked.
type circuit struct {
	mu       sync.Mutex
	state    string
	errors   int
	openedAt time.Time
	probes   int
}

func (c *circuit) allow() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.state {
	case "open":
		if time.Since(c.openedAt) > 30*time.Second {
			c.state = "half-open"
			return true
		}
		return false
	case "half-open":
		c.probes++
		if c.probes >= 1 {
			c.state, c.errors = "closed", 0
		}
		return c.probes <= 1
	default:
		return true
	}
}

func (c *circuit) report(ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ok {
		c.errors = 0
		return
	}
	if c.errors++; c.errors >= 15 {
		c.state, c.openedAt = "open", time.Now()
	}
}

// retryCall repeats whatever fails, a few times.
func retryCall(attempt func() error) error {
	wait := time.Second
	for n := 1; ; n++ {
		err := attempt()
		if err == nil || n == 5 {
			return err
		}
		time.Sleep(wait)
		wait *= 2
	}
}
