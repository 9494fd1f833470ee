package weibotest

import (
	"cmp"
	"slices"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A span is one counter in one hour or day. Whose it is depends on the counter: an address, or a user in an app.
type span struct {
	counter, whose string
	start          int64 // unix seconds
}

type counters map[span]int

// china is the zone of the platform's days and dates.
func china() *time.Location { return time.FixedZone("CST", 8*60*60) }

// hourOf and dayOf return when the span that holds t began. Full hours in China are full hours in UTC.
func hourOf(t time.Time) int64 { return t.Unix() - t.Unix()%3600 }

func dayOf(t time.Time) int64 {
	y, m, d := t.In(china()).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, china()).Unix()
}

// A charge is what a call takes one of, and the code that it is refused with when nothing is left.
type charge struct {
	span  span
	limit int
	code  string
	text  string
}

// charges returns what a call of the operation takes, in the order in which the platform checks.
func (s *Server) charges(op *operation, t *token, ip string, now time.Time) []charge {
	who := whose(t)
	all := []charge{
		s.hourly(counterIP, ip, now, "10022", ""),
		{span{"user/day", who, dayOf(now)}, s.cfg.perDay, "10023", ""},
		s.hourly(counterUser, who, now, "10023", ""),
		s.hourly(op.name, who, now, "10024", op.name),
	}
	if op.group != "" {
		all = append(all, s.hourly(op.group, who, now, "10024", op.name))
	}
	return slices.DeleteFunc(all, func(c charge) bool { return c.limit == 0 })
}

func (s *Server) hourly(counter, whose string, now time.Time, code, arg string) charge {
	return charge{span{counter, whose, hourOf(now)}, s.cfg.limits[counter], code, message(code, arg)}
}

// take counts a call, all or nothing: nil, or the charge that has nothing left.
func (s *Server) take(charges []charge) *charge {
	for i, c := range charges {
		if s.counted[c.span] >= c.limit {
			return &charges[i]
		}
	}
	for _, c := range charges {
		s.counted[c.span]++
	}
	return nil
}

// whose names a user in an app: the two together have one budget.
func whose(t *token) string { return t.app.key + "/" + t.user.name }

// A ban is a refusal that holds for a token for a while, whatever the counters say.
type ban struct {
	token string
	ops   []string // empty means all
	code  string
	until time.Time
}

// Ban makes the fake refuse calls of the token with the code for d, whatever its counters say and also where account/rate_limit_status
// shows budget: an app that was drained elsewhere, or a user who is told to prove to be human ("20031"). ops are the operations that it
// holds for; none means all that are counted. A d of 0 or less ends the token's bans.
func (s *Server) Ban(token, code string, d time.Duration, ops ...*resilience.Operation) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d <= 0 {
		s.bans = slices.DeleteFunc(s.bans, func(b ban) bool { return b.token == token })
		return
	}
	b := ban{token: token, code: code, until: time.Now().Add(d)}
	for _, op := range ops {
		b.ops = append(b.ops, opName(op))
	}
	s.bans = append(s.bans, b)
}

// banned returns the code that the token is refused with, "" if it is not.
func (s *Server) banned(token, op string, now time.Time) string {
	for _, b := range s.bans {
		if b.token == token && now.Before(b.until) && (len(b.ops) == 0 || slices.Contains(b.ops, op)) {
			return b.code
		}
	}
	return ""
}

// unlimited is what account/rate_limit_status shows where there is no limit.
const unlimited = 99_999_999

// budget returns a counter's limit and what is left of it in the running hour.
func (s *Server) budget(counter, whose string, now time.Time) (limit, left int) {
	limit = s.cfg.limits[counter]
	if limit == 0 {
		return unlimited, unlimited
	}
	return limit, max(0, limit-s.counted[span{counter, whose, hourOf(now)}])
}

// singleBudgets returns the interfaces with a budget of their own, by name, and the counter that holds it.
func (s *Server) singleBudgets() [][2]string {
	var single [][2]string
	for _, op := range operations() {
		if op.group != "" && s.cfg.limits[op.group] > 0 {
			single = append(single, [2]string{op.name, op.group})
		}
		if s.cfg.limits[op.name] > 0 {
			single = append(single, [2]string{op.name, op.name})
		}
	}
	slices.SortFunc(single, func(a, b [2]string) int { return cmp.Compare(a[0]+a[1], b[0]+b[1]) })
	return single
}
