package wechattest

import "github.com/dujiang-go/dujiang/resilience"

// An Option changes the fake's rules.
type Option func(*config)

type config struct {
	day, minute map[string]int // calls by operation; 0 or absent means no limit
	page        int            // openids that user/get gives at once
	replyWindow bool
	textCodes   bool
}

func defaults() config {
	return config{
		day: map[string]int{
			"cgi-bin/token":                 2000,
			"cgi-bin/stable_token":          500_000,
			"cgi-bin/message/custom/send":   500_000,
			"cgi-bin/message/template/send": 100_000,
			"cgi-bin/media/upload":          100_000,
			"cgi-bin/media/get":             200_000,
			"cgi-bin/user/info":             5_000_000,
			"cgi-bin/user/get":              500,
			"cgi-bin/menu/create":           1000,
			"wxa/msg_sec_check":             2_000_000,
		},
		minute: map[string]int{
			"cgi-bin/stable_token": 10_000,
			"sns/jscode2session":   100, // of one end user
			"wxa/msg_sec_check":    4000,
		},
		page: 10_000,
	}
}

// WithDayLimit sets how many calls of an operation an account may make in a day from midnight in China; 0 means no limit.
func WithDayLimit(op *resilience.Operation, n int) Option {
	return func(c *config) { c.day[opName(op)] = n }
}

// WithMinuteLimit sets how many calls of an operation an account may make in a full minute; 0 means no limit. For sns/jscode2session
// it is the number for one end user.
func WithMinuteLimit(op *resilience.Operation, n int) Option {
	return func(c *config) { c.minute[opName(op)] = n }
}

// Unlimited drops the limits of days and minutes that are set so far. The 10 resets of a month and the rules of force_refresh
// stay.
func Unlimited() Option {
	return func(c *config) {
		clear(c.day)
		clear(c.minute)
	}
}

// WithPageSize sets how many openids user/get gives at once. The default, also for numbers below 1, is 10,000.
func WithPageSize(n int) Option {
	return func(c *config) {
		if n > 0 {
			c.page = n
		}
	}
}

// WithReplyWindow makes customer messages depend on what the user did: five within 48 hours of the user's last action, then
// 45047; 45015 later or for who never acted. The five users that are known from the start acted when the fake started, others
// act by [Server.UserActs]. Without this option every known user gets as many messages as are sent.
func WithReplyWindow() Option { return func(c *config) { c.replyWindow = true } }

// WithTextCodes makes errcode a JSON string, as some answers of the platform have it. By default it is a number.
func WithTextCodes() Option { return func(c *config) { c.textCodes = true } }
