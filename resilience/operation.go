package resilience

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// A Scope says which cooldown and which lane a call belongs to. It says nothing about repeats: see [Operation.Idempotent].
type Scope uint8

// The two scopes. The zero Scope is Write, the careful one.
const (
	Write Scope = iota
	Read
)

// String returns "read" or "write".
func (s Scope) String() string {
	if s == Read {
		return "read"
	}
	return "write"
}

// MarshalText writes the scope as its name.
func (s Scope) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads "read" or "write".
func (s *Scope) UnmarshalText(text []byte) error {
	switch string(text) {
	case "read":
		*s = Read
	case "write":
		*s = Write
	default:
		return fmt.Errorf("scope %q: want read or write", text)
	}
	return nil
}

// A Tier says how patient a call is: how often it is repeated, after which waits, and who goes first when calls queue.
type Tier uint8

// The tiers. Numbers are repeats x first wait; the queue serves Instant and Untiered first, then Bulk, then Sync.
const (
	Untiered Tier = iota // 3 x 1s, the default
	Instant              // 3 x 500ms: somebody is looking at the screen
	Bulk                 // 5 x 2s: a campaign
	Sync                 // 7 x 5s: a background comparison of two stores
)

// Tiers is the number of tiers, for tables indexed by Tier.
const Tiers = 4

// String returns the tier's name.
func (t Tier) String() string {
	if int(t) < len(tierNames) {
		return tierNames[t]
	}
	return fmt.Sprintf("tier(%d)", t)
}

var tierNames = [Tiers]string{"untiered", "instant", "bulk", "sync"}

// An Operation is one call of a platform's API, as its spec describes it. Generated packages export one variable for each; the
// variable itself is what the chain works with, so two Operations are the same only if they are the same pointer.
//
// The zero Operation is a write that is never repeated and belongs to no quota group.
type Operation struct {
	Platform   string // "weibo"
	ID         string // the platform's own name: "statuses/share"
	Service    string // Go name of the service that carries it: "Statuses"
	Method     string // Go name of the method: "Share"
	HTTPMethod string // "GET" or "POST"
	Path       string // below the platform's base address, with {name} for what the credential or the caller fills in
	Scope      Scope
	Group      string // its windows in the platform's quota table; empty means that it is not counted
	Idempotent bool   // whether a second execution does no harm; alone decides on repeats after a lost answer
	AnyAccount bool   // whether any account may make the call (public data), or only the one that the caller means
	Cost       int    // how much of each window one call takes; 0 means 1
	Auth       string // which security scheme of the spec authorizes it ("token", see the platform's package); empty means none
	Tier       Tier
	Timeout    time.Duration // of one attempt; 0 means the configured one
	Sensitive  bool          // answers hold secrets: they are kept out of errors
	NoContent  bool          // a good answer may be empty, or words that say nothing; without it, it has to be JSON
	Multipart  bool          // its form is multipart/form-data without a file too; else only with one
	Resets     Reset         // whose budgets of the account a success gives back: ResetHour or ResetDay; zero means none
	Partial    []string      // paths in the answer that hold something where only a part was done: "invaliduser"
	Errors     map[string]Rule

	// FromCredential names the parameters that the authorizer fills in from the credential: "appid".
	FromCredential []string
}

// Weight returns how much of each window one call takes, at least 1.
func (op *Operation) Weight() int { return max(1, op.Cost) }

// String returns platform and id: "weibo statuses/share". Operations of one's own may have neither: then it is the path.
func (op *Operation) String() string { return strings.TrimSpace(op.Platform + " " + op.name()) }

func (op *Operation) name() string { return cmp.Or(op.ID, op.HTTPMethod+" "+op.Path) }

// label begins the text of an error.
func (op *Operation) label() string {
	if op.Platform == "" {
		return op.name() + ": "
	}
	return op.Platform + ": " + op.name() + ": "
}
