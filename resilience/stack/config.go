package stack

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

// A Config is all numbers of a Stack, as plain data. The zero Config is the production preset; each zero field means the default
// beside it. In files durations are text ("30s").
type Config struct {
	AttemptTimeout time.Duration `json:"attempt_timeout,omitempty"` // of one attempt; 0 means 10s
	UploadTimeout  time.Duration `json:"upload_timeout,omitempty"`  // of one attempt that sends a file or reads a download; 0 means 60s

	// MaxWait is how long a call waits for quota, before each attempt; 0 means 30s. The call's own time-out (60s, for the tier sync 10
	// minutes; WithTimeout) bounds it too: to wait for a window of a minute, raise both. Cooldowns and full recipients are no wait but a
	// refusal.
	MaxWait time.Duration `json:"max_wait,omitempty"`

	AnswerLimit int64         `json:"answer_limit,omitempty"` // bytes of an answer that is no download; 0 means 8 MiB
	KeyTTL      time.Duration `json:"key_ttl,omitempty"`      // how long a key holds; 0 means 24h

	// PerSecond caps the calls of each credential beside the platform's own windows; 0 means no cap.
	PerSecond int `json:"per_second,omitempty"`
	// Windows changes windows of the platform's table by name.
	Windows map[string]WindowChange `json:"windows,omitempty"`

	Pool    tokenpool.Settings `json:"pool,omitzero"`
	Breaker breaker.Config     `json:"breaker,omitzero"`
	Retry   retry.Config       `json:"retry,omitzero"`
}

// A configText is a Config as files spell it.
type configText struct {
	AttemptTimeout resilience.Duration     `json:"attempt_timeout,omitzero"`
	UploadTimeout  resilience.Duration     `json:"upload_timeout,omitzero"`
	MaxWait        resilience.Duration     `json:"max_wait,omitzero"`
	AnswerLimit    int64                   `json:"answer_limit,omitempty"`
	KeyTTL         resilience.Duration     `json:"key_ttl,omitzero"`
	PerSecond      int                     `json:"per_second,omitempty"`
	Windows        map[string]WindowChange `json:"windows,omitempty"`
	Pool           tokenpool.Settings      `json:"pool,omitzero"`
	Breaker        breaker.Config          `json:"breaker,omitzero"`
	Retry          retry.Config            `json:"retry,omitzero"`
}

// MarshalJSON writes durations as text.
func (c Config) MarshalJSON() ([]byte, error) {
	return json.Marshal(configText{
		resilience.Duration(c.AttemptTimeout), resilience.Duration(c.UploadTimeout), resilience.Duration(c.MaxWait), c.AnswerLimit,
		resilience.Duration(c.KeyTTL), c.PerSecond, c.Windows, c.Pool, c.Breaker, c.Retry,
	})
}

// UnmarshalJSON reads durations as text. A field that Config does not have is an error.
func (c *Config) UnmarshalJSON(data []byte) error {
	var t configText
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&t); err != nil {
		return fmt.Errorf("configuration: %w", err)
	}
	*c = Config{
		time.Duration(t.AttemptTimeout), time.Duration(t.UploadTimeout), time.Duration(t.MaxWait), t.AnswerLimit,
		time.Duration(t.KeyTTL), t.PerSecond, t.Windows, t.Pool, t.Breaker, t.Retry,
	}
	return nil
}

// A WindowChange replaces numbers of a window. Zero fields leave them.
type WindowChange struct {
	Limit int  `json:"limit,omitempty"`
	Guard *int `json:"guard,omitempty"`
	Off   bool `json:"off,omitempty"` // the window does not hold
}

// Production is the preset of a New without WithConfig: the quotas of the platform's table, a circuit that opens after 15 failures in
// a row and stays open for 30 seconds.
func Production() Config {
	return Config{Breaker: breaker.Config{Failures: 15, Open: 30 * time.Second}}
}

// Testing is the preset for a shared test system: at most 10 calls a second for each credential; 8 failures in a row open the
// circuit for 20 seconds.
func Testing() Config {
	return Config{PerSecond: 10, Breaker: breaker.Config{Failures: 8, Open: 20 * time.Second}}
}

// Development is the preset for one's own machine: at most 3 calls a second for each credential; 3 failures in a row open the circuit
// for 10 seconds.
func Development() Config {
	return Config{PerSecond: 3, Breaker: breaker.Config{Failures: 3, Open: 10 * time.Second}}
}

func (c Config) withDefaults() Config {
	set := func(d *time.Duration, value time.Duration) {
		if *d == 0 {
			*d = value
		}
	}
	set(&c.AttemptTimeout, 10*time.Second)
	set(&c.UploadTimeout, time.Minute)
	set(&c.MaxWait, 30*time.Second)
	if c.AnswerLimit == 0 {
		c.AnswerLimit = 8 << 20
	}
	return c
}

// Validate returns every fault of the configuration, each naming its field. The names of windows are checked by New, which knows the
// platform.
func (c Config) Validate() error {
	var faults []error
	for _, d := range []struct {
		field string
		value time.Duration
	}{
		{"attempt_timeout", c.AttemptTimeout}, {"upload_timeout", c.UploadTimeout}, {"max_wait", c.MaxWait}, {"key_ttl", c.KeyTTL},
	} {
		if d.value < 0 {
			faults = append(faults, fmt.Errorf("%s is %v: want a positive time, or 0 for the default", d.field, d.value))
		}
	}
	if c.AnswerLimit < 0 {
		faults = append(faults, fmt.Errorf("answer_limit is %d: want a number of bytes, or 0 for 8 MiB", c.AnswerLimit))
	}
	if c.PerSecond < 0 {
		faults = append(faults, fmt.Errorf("per_second is %d: want 1 or more, or 0 for no cap", c.PerSecond))
	}
	for _, name := range slices.Sorted(maps.Keys(c.Windows)) {
		if change := c.Windows[name]; change.Limit < 0 {
			faults = append(faults, fmt.Errorf("windows.%s.limit is %d: want 1 or more, or off", name, change.Limit))
		}
	}
	faults = append(faults, within("pool", c.Pool.Validate()), within("breaker", c.Breaker.Validate()), within("retry", c.Retry.Validate()))
	return errors.Join(faults...)
}

// within names the part of the configuration that a fault is in.
func within(part string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", part, err)
}

// quotas returns the platform's table with the configuration's changes.
func (c Config) quotas(p *Platform) (map[string][]resilience.Window, error) {
	known := map[string]bool{}
	quotas := make(map[string][]resilience.Window, len(p.Quotas))
	for group, windows := range p.Quotas {
		var changed []resilience.Window
		for _, w := range windows {
			known[w.Name] = true
			if w, holds := c.change(w); holds {
				changed = append(changed, w)
			}
		}
		if c.PerSecond > 0 {
			changed = append(changed, resilience.Window{Name: presetWindow, Limit: c.PerSecond, Per: time.Second, Source: "configuration"})
		}
		quotas[group] = changed
	}
	var faults []error
	for _, name := range slices.Sorted(maps.Keys(c.Windows)) {
		if !known[name] {
			faults = append(faults, fmt.Errorf("windows.%s: %s has no such window; it has %s", name, p.Name,
				strings.Join(slices.Sorted(maps.Keys(known)), ", ")))
		}
	}
	return quotas, errors.Join(faults...)
}

const presetWindow = "per_second"

func (c Config) change(w resilience.Window) (_ resilience.Window, holds bool) {
	change, ok := c.Windows[w.Name]
	if !ok {
		return w, true
	}
	if change.Limit > 0 {
		w.Limit = change.Limit
	}
	if change.Guard != nil {
		w.Guard = *change.Guard
	}
	return w, !change.Off
}
