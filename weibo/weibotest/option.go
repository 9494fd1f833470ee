package weibotest

import "maps"

// An Option changes the fake's rules.
type Option func(*config)

type config struct {
	limits       map[string]int // calls an hour by counter; 0 means no limit
	perDay       int            // calls a day of a user in an app; 0 means no limit
	timeline     int            // posts that user_timeline gives at most; 0 means no limit
	needLink     bool
	sameTextGood bool
}

// The counters that an hour has, beside those of single interfaces, which are named as the operations.
const (
	counterUser     = "user"
	counterIP       = "ip"
	counterPosts    = "posts"
	counterComments = "comments"
)

func defaults() config {
	return config{
		limits:   map[string]int{counterUser: 150, counterIP: 1000, counterPosts: 30, counterComments: 60},
		timeline: 5,
	}
}

// WithUserLimit sets how many calls an hour a user may make in an app; 0 means no limit.
func WithUserLimit(n int) Option { return limit(counterUser, n) }

// WithUserDayLimit sets how many calls a day, from midnight in China, a user may make in an app; 0, the default, means no limit.
func WithUserDayLimit(n int) Option { return func(c *config) { c.perDay = n } }

// WithIPLimit sets how many calls an hour may come from an address; 0 means no limit.
func WithIPLimit(n int) Option { return limit(counterIP, n) }

// WithPostLimit sets how many posts an hour a user may make in an app; 0 means no limit.
func WithPostLimit(n int) Option { return limit(counterPosts, n) }

// WithCommentLimit sets how many comments and replies an hour a user may make in an app; 0 means no limit.
func WithCommentLimit(n int) Option { return limit(counterComments, n) }

// WithInterfaceLimit gives a single interface, for instance "users/show", an hourly budget of its own for a user in an app.
func WithInterfaceLimit(name string, n int) Option { return limit(name, n) }

func limit(counter string, n int) Option { return func(c *config) { c.limits[counter] = n } }

// Unlimited drops all quotas that are set so far.
func Unlimited() Option {
	return func(c *config) {
		maps.DeleteFunc(c.limits, func(string, int) bool { return true })
		c.perDay = 0
	}
}

// WithTimelineCap sets how many of the newest posts statuses/user_timeline gives in all; 0 means no limit. The default is 5, as
// documented.
func WithTimelineCap(n int) Option { return func(c *config) { c.timeline = n } }

// WithLinkRequired makes the fake refuse posts without a link, as the real platform does: 10017 "text not find domain!".
func WithLinkRequired() Option { return func(c *config) { c.needLink = true } }

// WithSameTextAllowed makes the fake accept the same text twice in a row, so that doubled writes show as doubled posts. By default it
// answers 20019.
func WithSameTextAllowed() Option { return func(c *config) { c.sameTextGood = true } }
