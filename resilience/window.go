package resilience

import (
	"errors"
	"fmt"
	"strings"
	"time"
)

// A Window is one limit of a platform: at most Limit calls in any span of length Per.
type Window struct {
	Name    string        `json:"name"`
	Limit   int           `json:"limit"`             // calls; what cost more count more
	Per     time.Duration `json:"per"`               // the span
	Key     WindowKey     `json:"key"`               // whose calls are counted together
	Aligned bool          `json:"aligned,omitempty"` // starts anew at each multiple of Per (plus Offset), instead of rolling
	Offset  time.Duration `json:"offset,omitempty"`  // of an aligned window's start after the multiple of Per in UTC; -8h is midnight in China
	Guard   int           `json:"guard,omitempty"`   // kept free of Limit, since calls that leave evenly may arrive bunched
	Smooth  bool          `json:"smooth,omitempty"`  // paces calls inside the window; always on for windows of a second or less
	Hard    bool          `json:"hard,omitempty"`    // whether the platform bans those who exceed it
	Apart   bool          `json:"apart,omitempty"`   // each quota group counts by itself: a limit on every single call of the API
	Source  string        `json:"source,omitempty"`  // where the number is from
}

// Room returns how many calls the window admits: its limit without the guard, at least 1.
func (w Window) Room() int { return max(1, w.Limit-w.Guard) }

// Validate returns every fault of the window, each naming the field.
func (w Window) Validate() error {
	var faults []error
	add := func(format string, args ...any) {
		faults = append(faults, fmt.Errorf("window %q: "+format, append([]any{w.Name}, args...)...))
	}
	if w.Name == "" {
		add("name is empty")
	}
	if w.Limit < 1 {
		add("limit is %d: want 1 or more (pause the platform to stop its calls)", w.Limit)
	}
	if w.Per <= 0 {
		add("per is %v: want a positive span", w.Per)
	}
	if w.Guard < 0 || (w.Guard > 0 && w.Guard >= w.Limit) {
		add("guard is %d: want 0 up to limit-1 (%d)", w.Guard, w.Limit-1)
	}
	if int(w.Key) >= len(windowKeys) {
		add("key is %v: want %s", w.Key, keyNames())
	}
	if w.Offset != 0 && !w.Aligned {
		add("offset is %v on a rolling window: set aligned, or drop the offset", w.Offset)
	}
	if w.Per > 0 && (w.Offset <= -w.Per || w.Offset >= w.Per) {
		add("offset is %v: want less than per (%v)", w.Offset, w.Per)
	}
	return errors.Join(faults...)
}

// A WindowKey says whose calls a window counts together.
type WindowKey uint8

// The keys of windows.
const (
	PerCredential WindowKey = iota // one app's token or key
	PerAccount                     // all credentials that act as one account
	PerSource                      // all calls that leave from one address
	PerApp                         // all credentials of one app, whoever acts: an AppKey, a company
	PerRecipient                   // what one account sends to one recipient; a call over it is refused and never waits
)

var windowKeys = []string{"credential", "account", "source", "app", "recipient"}

func keyNames() string {
	last := len(windowKeys) - 1
	return strings.Join(windowKeys[:last], ", ") + " or " + windowKeys[last]
}

// String returns the key's name.
func (k WindowKey) String() string {
	if int(k) < len(windowKeys) {
		return windowKeys[k]
	}
	return fmt.Sprintf("key(%d)", k)
}

// MarshalText writes the key as its name.
func (k WindowKey) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads "credential", "account", "source", "app" or "recipient".
func (k *WindowKey) UnmarshalText(text []byte) error {
	for i, name := range windowKeys {
		if name == string(text) {
			*k = WindowKey(i)
			return nil
		}
	}
	return fmt.Errorf("window key %q: want %s", text, keyNames())
}
