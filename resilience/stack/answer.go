package stack

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// answered judges an answer: from here on everything goes by its class.
func (f *flight) answered(a *attempt, resp *http.Response, body []byte, began time.Time) breaker.Verdict {
	now := time.Now()
	v := f.platform.Envelope.Classify(f.op, f.platform.Errors, resp.StatusCode, resp.Header, body, now)
	class := f.classify(v.Rule.Class, resp.Header, now)
	var ready time.Time
	if !f.renew { // else it depends on what comes of the renewal
		ready = f.settle(tokenpool.Outcome{
			Class: class, Rule: v.Rule, Code: v.Code, Hint: v.RetryAfter,
			Renews: class == resilience.CredentialInvalid && v.Rule.Class == resilience.TokenExpired && f.renewed,
		})
	}
	f.departures++
	a.response = resilience.Response{
		Status: resp.StatusCode, Header: resp.Header, Body: body, Class: class, RequestID: v.RequestID,
		Credential: f.cred.ID, Attempts: f.departures,
	}
	f.response = &a.response
	f.outcome.Class, f.outcome.Departed = class, true
	if class.Succeeded() {
		f.tellAttempt(began, v.Code)
		return breaker.Success
	}
	if class == resilience.Throttled && f.op.Group == "" && ready.IsZero() {
		// What is not counted has no cooldown in its lane, but it was too fast all the same.
		ready = now.Add(max(v.RetryAfter, 10*time.Second))
	}
	f.outcome.Ready, f.outcome.Hint = ready, v.RetryAfter
	if tokenpool.IsNever(ready) {
		ready = time.Time{} // somebody has to do something first
	}
	e := &resilience.APIError{
		Op: f.op, Credential: f.cred.ID, Status: resp.StatusCode, Code: v.Code, Subcode: v.Subcode, Message: f.mask(v.Message),
		RequestID: v.RequestID, Class: class, Attempts: f.departures, Key: f.call.Key, Body: f.excerpt(body), RetryAt: ready,
	}
	if e.RetryAt.IsZero() && v.RetryAfter > 0 {
		e.RetryAt = now.Add(v.RetryAfter)
	}
	f.outcome.Err = e
	f.tellAttempt(began, v.Code)
	return verdictOf(class)
}

// classify settles what only this call knows: whether a failure leaves a write in the open, and whether there is a second try for a
// token or a clock.
func (f *flight) classify(class resilience.Class, header http.Header, now time.Time) resilience.Class {
	switch {
	case class == resilience.Transient && !f.op.Idempotent:
		return resilience.UnknownOutcome
	case class == resilience.UnknownOutcome && f.op.Idempotent:
		return resilience.Transient
	case class == resilience.TokenExpired && (f.platform.Auth == nil || f.renewed || !f.platform.Auth.Renews(f.cred)):
		// There is no new one, or it was refused too and the token is not the trouble.
		return resilience.CredentialInvalid
	case class == resilience.TokenExpired:
		f.renewed, f.renew = true, true
	case class == resilience.ClockSkew && !f.skewed:
		if date, err := http.ParseTime(header.Get("Date")); err == nil {
			f.skewed, f.outcome.Again = true, true
			f.skew.Store(int64(date.Sub(now)))
		}
	}
	return class
}

// verdictOf says what a refusal tells about the service's health.
func verdictOf(class resilience.Class) breaker.Verdict {
	switch class {
	case resilience.Transient, resilience.UnknownOutcome:
		return breaker.Failure
	case resilience.Throttled, resilience.QuotaExhausted, resilience.Penalized, resilience.SourceLimited, resilience.TokenExpired,
		resilience.CredentialInvalid, resilience.Misconfigured, resilience.ClockSkew:
		return breaker.Answered
	default:
		return breaker.Success
	}
}

// Limits of the part of a body that an error keeps: JSON explains itself, a page of HTML does not.
const (
	excerptJSON  = 1024
	excerptOther = 200
)

// excerpt is the beginning of a body without secrets.
func (f *flight) excerpt(body []byte) string {
	if f.op.Sensitive || len(body) == 0 {
		return ""
	}
	limit := excerptOther
	if body[0] == '{' || body[0] == '[' {
		limit = excerptJSON
	}
	secrets := f.secrets()
	text := wire.MaskText(string(body[:min(len(body), maxMasked)]), secrets...)
	if len(body) > maxMasked {
		// A secret may have been cut in two, and masking shortens what stands before it.
		longest := 0
		for _, secret := range secrets {
			longest = max(longest, len("%XX")*len(secret))
		}
		text = text[:max(0, len(text)-longest)]
	}
	return text[:min(len(text), limit)]
}

// maxMasked is how much of a refusal's body is looked through for secrets.
const maxMasked = 64 << 10

// mask takes the call's secrets out of a text of the platform's, which may echo what it was sent.
func (f *flight) mask(text string) string { return wire.MaskText(text, f.secrets()...) }

// isContent reports whether an answer is the download that was asked for, and not a refusal in its place. Platforms send refusals as
// any type, pictures too, so that without the name of a file its beginning is asked as well. A page without a name is a proxy's.
func isContent(resp *http.Response) bool {
	if resp.StatusCode/100 != 2 {
		return false
	}
	kind, _, _ := strings.Cut(strings.ToLower(resp.Header.Get("Content-Type")), ";")
	kind = strings.TrimSpace(kind)
	named := resp.Header.Get("Content-Disposition") != ""
	switch {
	case kind == "application/json", kind == "text/html" && !named:
		return false
	case named && kind != "text/plain" && kind != "":
		return true
	}
	body := bufio.NewReader(resp.Body)
	resp.Body = &peeked{body, resp.Body}
	return !beginsAsJSON(body)
}

// maxBlank bounds how far the beginning of an answer is looked for.
const maxBlank = 64

// beginsAsJSON reports whether a JSON object begins here, or nothing at all. A brace alone does not make one: RTF begins so.
func beginsAsJSON(body *bufio.Reader) bool {
	brace := false
	for n := 1; n <= maxBlank; n++ {
		start, err := body.Peek(n)
		if err != nil {
			return brace || n == 1
		}
		switch c := start[n-1]; {
		case strings.IndexByte(" \t\r\n\xef\xbb\xbf", c) >= 0: // a byte order mark too
		case !brace && c == '{':
			brace = true
		default:
			return brace && (c == '"' || c == '}')
		}
	}
	return false
}

// A peeked is a body whose beginning has been looked at.
type peeked struct {
	io.Reader
	io.Closer
}

// stream hands a download to the caller. The place in flight and the attempt end when the body is closed, or at the attempt's
// deadline for callers who forget.
func (f *flight) stream(a *attempt, resp *http.Response, began time.Time) breaker.Verdict {
	f.departures++
	f.held = false
	s := &stream{body: resp.Body, attempt: a, alarm: f.alarm, secrets: f.secrets()}
	f.alarm = nil
	s.forget = context.AfterFunc(a.Context, s.end)
	a.response = resilience.Response{
		Status: resp.StatusCode, Header: resp.Header, Stream: s, Credential: f.cred.ID, Attempts: f.departures,
	}
	f.response = &a.response
	f.outcome.Class, f.outcome.Departed = resilience.OK, true
	f.tellAttempt(began, "")
	return breaker.Success
}

// A stream is a download's body that ends its attempt when it is closed.
type stream struct {
	body    io.ReadCloser
	attempt *attempt
	alarm   *alarm
	secrets []string // that no error may show
	forget  func() bool
	once    sync.Once
}

func (s *stream) Read(p []byte) (int, error) {
	n, err := s.body.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = wire.MaskError(err, http.MethodGet, "", s.secrets...)
	}
	return n, err
}

func (s *stream) Close() error {
	err := s.body.Close()
	s.forget()
	s.end()
	return err
}

func (s *stream) end() {
	s.once.Do(func() {
		s.attempt.cancel(nil)
		s.alarm.stop()
		s.attempt.permit.Release(tokenpool.Outcome{Class: resilience.OK})
	})
}
