package resilience

import (
	"fmt"
	"time"
)

// A Class says what an answer means and so what the chain does with it: repeat, change the credential, cool it, or stop.
type Class uint8

// The classes of answers. Which credential, rate and circuit each touches stands in the package documentation of stack.
const (
	OK                Class = iota
	AcceptedLate            // done, shows later
	Partial                 // done for some of the receivers
	Throttled               // too fast: a second's or a minute's limit
	QuotaExhausted          // an hour's or a day's budget is used up
	Penalized               // banned for a while
	SourceLimited           // this address is limited: another credential does not help
	TokenExpired            // refresh the token, then once more
	CredentialInvalid       // out until a person or a new token
	Misconfigured           // the platform's settings (address lists ...) refuse the app
	ClockSkew               // our clock is off
	Forbidden               // no right to this call
	Invalid                 // the request is wrong
	NotFound
	Rejected         // understood and refused
	DuplicateContent // the same again
	Transient        // the service failed; a repeat may succeed
	UnknownOutcome   // a write that may have been done
	numClasses
)

var classNames = [numClasses]string{
	"ok", "accepted-late", "partial", "throttled", "quota-exhausted", "penalized", "source-limited", "token-expired",
	"credential-invalid", "misconfigured", "clock-skew", "forbidden", "invalid", "not-found", "rejected", "duplicate-content",
	"transient", "unknown-outcome",
}

// String returns the class's name, as the specs spell it.
func (c Class) String() string {
	if c < numClasses {
		return classNames[c]
	}
	return fmt.Sprintf("class(%d)", uint8(c))
}

// MarshalText writes the class as its name.
func (c Class) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Succeeded reports whether the platform did what was asked, at least in part.
func (c Class) Succeeded() bool { return c <= Partial }

// Unexecuted reports whether an answer of this class proves that the call was not carried out.
func (c Class) Unexecuted() bool { return c > Partial && c < Transient }

// Err returns the sentinel that errors of this class match, nil for the successful ones.
func (c Class) Err() error {
	switch c {
	case Throttled:
		return ErrThrottled
	case QuotaExhausted:
		return ErrQuotaExhausted
	case Penalized:
		return ErrPenalized
	case SourceLimited:
		return ErrSourceLimited
	case TokenExpired, CredentialInvalid:
		return ErrUnauthorized
	case Misconfigured:
		return ErrMisconfigured
	case ClockSkew:
		return ErrClockSkew
	case Forbidden:
		return ErrForbidden
	case Invalid:
		return ErrInvalid
	case NotFound:
		return ErrNotFound
	case Rejected:
		return ErrRejected
	case DuplicateContent:
		return ErrDuplicateContent
	case Transient:
		return ErrTransient
	case UnknownOutcome:
		return ErrUnknownOutcome
	default:
		return nil
	}
}

// A Level says what an answer cools down.
type Level uint8

// The levels of a cooldown. CoolScope is the default: one credential for reads or for writes.
const (
	CoolScope      Level = iota
	CoolGroup            // one credential for one quota group
	CoolCredential       // one credential for everything
	CoolAccount          // all credentials of the account
	CoolSource           // all calls from the address
	CoolNone             // nothing: the limit is the recipient's or the end user's; the caller is told when to ask again
)

var levelNames = []string{"scope", "group", "credential", "account", "source", "none"}

// String returns the level's name, as the specs spell it.
func (l Level) String() string {
	if int(l) < len(levelNames) {
		return levelNames[l]
	}
	return fmt.Sprintf("level(%d)", uint8(l))
}

// MarshalText writes the level as its name.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// A Reset says when a platform's budget comes back by itself.
type Reset uint8

// The resets. With ResetLadder the end is not known: 10, 20, 40, 60 minutes, for Throttled seconds.
const (
	ResetLadder         Reset = iota
	ResetHour                 // at the full hour
	ResetDay                  // at midnight in China (UTC+8)
	ResetHourThenDay          // at the full hour; if the refusal comes back right after it, at midnight in China
	ResetMinute               // at the full minute
	ResetMinuteThenHour       // after 60 seconds; if the refusal comes back right after them, after 60 minutes
)

// A Rule is a row of a platform's error table: what a code means.
type Rule struct {
	Class Class
	Cools Level
	Reset Reset
	Cool  time.Duration // how long, where the platform's documents say so or the answer is of no use before; 0 means by Reset

	// Says is what the code means instead where the platform's message holds the text, in small letters: some platforms have one code
	// for the limits of a second and of a day.
	Says map[string]Rule
}
