package alibaba1688test

import (
	"slices"
	"time"
)

// A record is what the gateway keeps of an AppKey's calls.
type record struct {
	calls       []time.Time // those let through, of the last five minutes
	bannedUntil time.Time
}

const spanOfNewKeys = 5 * time.Minute

// take counts a call at now and reports whether it is let through. One too many bans the AppKey.
func (s *Server) take(key string, now time.Time) bool {
	r := s.record(key)
	if now.Before(r.bannedUntil) {
		return false
	}
	r.calls = slices.DeleteFunc(r.calls, func(t time.Time) bool { return now.Sub(t) >= spanOfNewKeys })
	if full(r.calls, now, time.Second, s.cfg.perSecond) || full(r.calls, now, spanOfNewKeys, s.cfg.perFiveMinutes) {
		r.bannedUntil = now.Add(s.cfg.ban)
		return false
	}
	r.calls = append(r.calls, now)
	return true
}

// full reports whether the span that ends at now holds as many calls as the limit says; 0 is no limit. A call exactly a span ago is
// not in it.
func full(calls []time.Time, now time.Time, span time.Duration, limit int) bool {
	if limit == 0 {
		return false
	}
	n := 0
	for _, t := range calls {
		if now.Sub(t) < span {
			n++
		}
	}
	return n >= limit
}

func (s *Server) record(key string) *record {
	r := s.traffic[key]
	if r == nil {
		r = &record{}
		s.traffic[key] = r
	}
	return r
}

// Ban makes the gateway refuse all calls of the AppKey for d: gw.QosAppFrequencyLimit. A d of 0 or less lifts a ban.
func (s *Server) Ban(appKey string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.record(appKey).bannedUntil = time.Now().Add(d)
}

// BannedUntil returns when the AppKey's ban ends; the zero time if it is not banned.
func (s *Server) BannedUntil(appKey string) time.Time {
	s.mu.Lock()
	defer s.mu.Unlock()
	if until := s.record(appKey).bannedUntil; time.Now().Before(until) {
		return until
	}
	return time.Time{}
}
