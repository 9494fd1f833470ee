package resilience

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Ours: nothing was sent. They stand in a [RefusedError].
var (
	ErrPaused         = errors.New("paused")
	ErrLimited        = errors.New("no quota in time")
	ErrCircuitOpen    = errors.New("circuit open")
	ErrNoCredential   = errors.New("no credential available")
	ErrDuplicate      = errors.New("key already used")
	ErrClosed         = errors.New("client closed")
	ErrInvalidRequest = errors.New("invalid request")
)

// Theirs: the platform or the network answered. They stand in an [APIError].
var (
	ErrThrottled        = errors.New("throttled")
	ErrQuotaExhausted   = errors.New("quota exhausted")
	ErrPenalized        = errors.New("penalized")
	ErrSourceLimited    = errors.New("source address limited")
	ErrUnauthorized     = errors.New("unauthorized")
	ErrMisconfigured    = errors.New("misconfigured")
	ErrClockSkew        = errors.New("clock skew")
	ErrForbidden        = errors.New("forbidden")
	ErrInvalid          = errors.New("invalid")
	ErrNotFound         = errors.New("not found")
	ErrRejected         = errors.New("rejected")
	ErrDuplicateContent = errors.New("duplicate content")
	ErrTransient        = errors.New("transient failure")
	ErrUnknownOutcome   = errors.New("outcome unknown")
)

// A RefusedError says that the chain did not send a call, why, and when to ask again.
type RefusedError struct {
	Op           *Operation
	Reason       error // one of the sentinels: ErrPaused, ErrLimited ...
	Detail       string
	Credential   string    // the credential that stood in the way, if it was one
	Recipient    string    // who has had enough for now, if it was a recipient
	Class        Class     // what the platform's refusal was that keeps the credential out, if it was one; matches as in an APIError
	RetryAt      time.Time // when to ask again; zero if that is not known
	Position     int       // calls ahead in the queue, where it was full or too long
	ExpectedWait time.Duration
	Cause        error // the caller's context error, or what kept the call from leaving
}

// Error says what was refused, why and until when.
func (e *RefusedError) Error() string {
	var b strings.Builder
	if e.Op != nil {
		b.WriteString(e.Op.label())
	}
	b.WriteString("not sent: ")
	b.WriteString(e.Reason.Error())
	if e.Credential != "" {
		fmt.Fprintf(&b, " (credential %s)", e.Credential)
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	if !e.RetryAt.IsZero() {
		b.WriteString("; retry at " + e.RetryAt.Format(time.RFC3339))
	}
	return b.String()
}

// Unwrap gives the sentinel, that of the class, and the cause. A wait that the deadline cannot hold matches context.DeadlineExceeded
// too.
func (e *RefusedError) Unwrap() []error {
	errs := []error{e.Reason}
	if err := e.Class.Err(); err != nil {
		errs = append(errs, err)
	}
	if e.Cause != nil {
		errs = append(errs, e.Cause)
	} else if errors.Is(e.Reason, ErrLimited) && e.Recipient == "" {
		errs = append(errs, context.DeadlineExceeded)
	}
	return errs
}

// An APIError is a platform's refusal of a call, or a call whose answer never came.
type APIError struct {
	Op         *Operation
	Credential string    // who made the call
	Status     int       // HTTP status; 200 where the refusal is inside the body, 0 without an answer
	Code       string    // the platform's own code: "10023", "gw.QosAppFrequencyLimit"
	Subcode    string    // a second code, where the platform gives one
	Message    string    // the platform's own text, word for word
	RequestID  string    // the platform's id of the call, to quote to its support
	RetryAt    time.Time // when to ask again; zero if that is not known
	Class      Class
	Attempts   int    // that departed
	Key        string // the caller's key
	Body       string // the answer's beginning, without known secrets
	Cause      error  // the masked transport error, if any
}

// Error names operation, code and text; the class says what kind of trouble it is.
func (e *APIError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s%s", e.Op.label(), e.Class.Err())
	if e.Class == UnknownOutcome {
		b.WriteString(": it may have been carried out, so it was not repeated")
	}
	if e.Status != 0 && e.Status != 200 {
		fmt.Fprintf(&b, ": HTTP %d", e.Status)
	}
	if e.Code != "" {
		b.WriteString(": code " + e.Code)
	}
	if e.Subcode != "" {
		b.WriteString("/" + e.Subcode)
	}
	if e.Message != "" {
		b.WriteString(": " + e.Message)
	}
	if e.Cause != nil {
		b.WriteString(": " + e.Cause.Error())
	}
	if e.Attempts > 1 {
		fmt.Fprintf(&b, " (after %d attempts)", e.Attempts)
	}
	if !e.RetryAt.IsZero() {
		b.WriteString("; retry at " + e.RetryAt.Format(time.RFC3339))
	}
	return b.String()
}

// Unwrap gives the class's sentinel, so that errors.Is(err, ErrThrottled) holds on every platform, and the cause.
func (e *APIError) Unwrap() []error {
	errs := make([]error, 0, 2)
	if err := e.Class.Err(); err != nil {
		errs = append(errs, err)
	}
	if e.Cause != nil {
		errs = append(errs, e.Cause)
	}
	return errs
}
