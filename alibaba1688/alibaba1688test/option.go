package alibaba1688test

import "time"

// An Option changes the fake's rules.
type Option func(*config)

type config struct {
	perSecond      int // 0 means no limit
	perFiveMinutes int
	ban            time.Duration
}

// WithSecondLimit sets how many calls an AppKey may make in any second; 0 means no limit. The default is 20.
func WithSecondLimit(n int) Option { return func(c *config) { c.perSecond = n } }

// WithFiveMinuteLimit sets how many calls an AppKey may make in any five minutes; 0 means no limit. The default is 900.
func WithFiveMinuteLimit(n int) Option { return func(c *config) { c.perFiveMinutes = n } }

// WithAgedKey makes AppKeys those that are past their first time: the limit of 900 calls in five minutes does not hold.
func WithAgedKey() Option { return WithFiveMinuteLimit(0) }

// Unlimited drops both limits.
func Unlimited() Option { return func(c *config) { c.perSecond, c.perFiveMinutes = 0, 0 } }

// WithBan sets for how long a call over a limit bans its AppKey; 0 means that only the call itself is refused. The default is 24h.
func WithBan(d time.Duration) Option { return func(c *config) { c.ban = d } }
