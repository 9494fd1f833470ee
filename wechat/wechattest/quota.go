package wechattest

import (
	"maps"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

const (
	codeDay    = "45009"
	codeMinute = "45011"
)

// A span is one counter of an account, or of an end user in it, in one minute, day or month.
type span struct {
	length  length
	counter string // an operation, or what else is limited
	whose   string
	start   int64 // unix seconds
}

type length uint8

const (
	minute length = iota
	day
	month
	forcedDay // counts no calls, so that clear_quota leaves it
)

type counters map[span]int

// china is the zone of the platform's days.
func china() *time.Location { return time.FixedZone("CST", 8*60*60) }

// spanAt returns the span that t is in.
func spanAt(l length, counter, whose string, t time.Time) span {
	if l == minute {
		return span{l, counter, whose, t.Unix() - t.Unix()%60}
	}
	y, m, d := t.In(china()).Date()
	if l == month {
		d = 1
	}
	return span{l, counter, whose, time.Date(y, m, d, 0, 0, 0, 0, china()).Unix()}
}

// A charge is what a call takes one of, and the code that it is refused with when nothing is left.
type charge struct {
	span  span
	limit int // 0 means none
	code  string
}

// charges returns what a call takes, in the order in which the fake checks.
func (s *Server) charges(r *request) []charge {
	name, whose := r.op.name, r.app.id
	if name == opLogin {
		whose += "/" + s.whoLogsIn(r)
	}
	return []charge{
		{spanAt(day, name, r.app.id, r.call.Time), s.cfg.day[name], codeDay},
		{spanAt(minute, name, whose, r.call.Time), s.cfg.minute[name], codeMinute},
	}
}

// take counts a call, all or nothing: "", or the code of the charge that has nothing left.
func (s *Server) take(charges []charge) string {
	for _, c := range charges {
		if c.limit > 0 && s.counted[c.span] >= c.limit {
			return c.code
		}
	}
	for _, c := range charges {
		s.counted[c.span]++
	}
	return ""
}

// giveBack uncounts a call that was refused after all.
func (s *Server) giveBack(charges []charge) {
	for _, c := range charges {
		s.counted[c.span] = max(0, s.counted[c.span]-1) // clear_quota may have been there meanwhile
	}
}

// resets is how often in a calendar month an account's day counters may be reset.
const resets = 10

func (s *Server) clearQuota(r *request) resiliencetest.Answer {
	if r.value("appid") != r.app.id {
		return s.refuse(r.call, "40013")
	}
	if code := s.take([]charge{{spanAt(month, "resets", r.app.id, r.call.Time), resets, "48006"}}); code != "" {
		return s.refuse(r.call, code)
	}
	maps.DeleteFunc(s.counted, func(at span, _ int) bool { return at.length == day && at.whose == r.app.id })
	return s.done(r, nil)
}

// unlimited is what quota/get shows where there is no limit.
const unlimited = 99_999_999

func (s *Server) getQuota(r *request) resiliencetest.Answer {
	path := r.value("cgi_path")
	op := operationAt(path)
	switch {
	case !strings.HasPrefix(path, "/"):
		return s.refuse(r.call, "76003")
	case strings.HasPrefix(path, "/sns/"):
		return s.refuse(r.call, "76022")
	case op == nil:
		return s.refuse(r.call, "76021")
	}
	limit := s.cfg.day[op.name]
	if limit == 0 {
		limit = unlimited
	}
	used := s.counted[spanAt(day, op.name, r.app.id, r.call.Time)]
	quota := map[string]any{"quota": map[string]any{"daily_limit": limit, "used": used, "remain": limit - used}}
	if rate := s.cfg.minute[op.name]; rate > 0 {
		quota["rate_limit"] = map[string]any{"call_count": rate, "refresh_second": 60}
	}
	return s.done(r, quota)
}
