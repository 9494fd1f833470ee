package wecomtest

import "github.com/dujiang-go/dujiang/resilience"

// An Option changes the fake's rules.
type Option func(*config)

// config holds the limits; 0 means no limit.
type config struct {
	api          map[string]limits // calls of the enterprise, by operation
	address      limits            // calls of one API from one address
	member       limits            // messages of one application to one member
	failedTokens int               // gettoken calls an hour from one address that may fail
	parallel     int               // calls of one API at a time
}

type limits struct{ minute, hour int }

func defaults() config {
	c := config{
		api: map[string]limits{}, address: limits{20_000, 600_000}, member: limits{30, 1000}, failedTokens: 2000,
	}
	for _, op := range operations() {
		if !op.uncounted {
			c.api[op.name] = limits{10_000, 150_000}
		}
	}
	return c
}

// WithMinuteLimit sets how many calls of an operation the enterprise may make in any minute; 0 means no limit. For message/send, which
// the base frequency leaves out, there is none by default.
func WithMinuteLimit(op *resilience.Operation, n int) Option {
	return func(c *config) { c.api[opName(op)] = limits{n, c.api[opName(op)].hour} }
}

// WithHourLimit sets how many calls of an operation the enterprise may make in any hour; 0 means no limit.
func WithHourLimit(op *resilience.Operation, n int) Option {
	return func(c *config) { c.api[opName(op)] = limits{c.api[opName(op)].minute, n} }
}

// WithAddressMinuteLimit sets how many calls of each single operation may come from an address in any minute; 0 means no limit.
func WithAddressMinuteLimit(n int) Option { return func(c *config) { c.address.minute = n } }

// WithAddressHourLimit sets how many calls of each single operation may come from an address in any hour; 0 means no limit.
func WithAddressHourLimit(n int) Option { return func(c *config) { c.address.hour = n } }

// WithMemberMinuteLimit sets how many messages of one application a member gets in any minute; 0 means no limit.
func WithMemberMinuteLimit(n int) Option { return func(c *config) { c.member.minute = n } }

// WithMemberHourLimit sets how many messages of one application a member gets in any hour; 0 means no limit.
func WithMemberHourLimit(n int) Option { return func(c *config) { c.member.hour = n } }

// WithParallel makes the fake refuse a call with 45033 while n others of the same operation are at work. Calls last as long as the
// Delay of their fault. 0, the default, means no limit: the platform's own number is not documented.
func WithParallel(n int) Option { return func(c *config) { c.parallel = n } }

// Unlimited drops all limits that are set so far. Those of customer-service messages are rules of the conversation and stay.
func Unlimited() Option { return func(c *config) { *c = config{api: map[string]limits{}} } }
