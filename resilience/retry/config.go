package retry

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Config says how calls of each tier are repeated. Zero fields mean the defaults of [Config.Schedule]; in files durations are text
// ("30s").
type Config struct {
	Untiered Schedule `json:"untiered,omitzero"`
	Instant  Schedule `json:"instant,omitzero"`
	Bulk     Schedule `json:"bulk,omitzero"`
	Sync     Schedule `json:"sync,omitzero"`
	Budget   Budget   `json:"budget,omitzero"`
	Off      bool     `json:"off,omitempty"` // no call is repeated, but for a renewed token and a connection that had died while idle
}

// A Schedule says how often one tier repeats a call, and how long it waits before each repeat.
type Schedule struct {
	Repeats int           `json:"repeats,omitempty"`  // after the first attempt; 0 means the tier's default
	Wait    time.Duration `json:"wait,omitempty"`     // the shortest wait, before the first repeat; it doubles
	MaxWait time.Duration `json:"max_wait,omitempty"` // the longest wait; 0 means 60s. What a platform asks for may be longer
	Total   time.Duration `json:"total,omitempty"`    // of the whole call, for callers that set no time of their own
	Off     bool          `json:"off,omitempty"`      // no repeats
}

// A Budget keeps repeats from multiplying an outage. Each scope has one: a repeat takes tokens and gives them back when the platform
// answers it; every call that succeeds at first try puts one in.
type Budget struct {
	Tokens    int  `json:"tokens,omitempty"`    // what it holds when full; 0 means 500
	Repeat    int  `json:"repeat,omitempty"`    // what a repeat after a failure of the service takes; 0 means 14
	Throttled int  `json:"throttled,omitempty"` // what a repeat after a throttle, or any answer that is no failure, takes; 0 means 5
	Off       bool `json:"off,omitempty"`       // repeats cost nothing
}

const (
	defaultMaxWait   = time.Minute
	defaultTokens    = 500
	defaultRepeat    = 14
	defaultThrottled = 5
)

// Schedule returns the tier's schedule with the defaults filled in: untiered 3 repeats from 1s within 60s, instant 3 from 500ms within
// 15s, bulk 5 from 2s within 2m, sync 7 from 5s within 10m.
func (c Config) Schedule(t resilience.Tier) Schedule {
	switch t {
	case resilience.Instant:
		return c.Instant.or(Schedule{Repeats: 3, Wait: 500 * time.Millisecond, Total: 15 * time.Second})
	case resilience.Bulk:
		return c.Bulk.or(Schedule{Repeats: 5, Wait: 2 * time.Second, Total: 2 * time.Minute})
	case resilience.Sync:
		return c.Sync.or(Schedule{Repeats: 7, Wait: 5 * time.Second, Total: 10 * time.Minute})
	default:
		return c.Untiered.or(Schedule{Repeats: 3, Wait: time.Second, Total: time.Minute})
	}
}

// or fills in what is zero. Negative values, which Validate refuses, mean the default too: New has no error to return.
func (s Schedule) or(defaults Schedule) Schedule {
	switch {
	case s.Off:
		s.Repeats = 0
	case s.Repeats <= 0:
		s.Repeats = defaults.Repeats
	}
	if s.Wait <= 0 {
		s.Wait = defaults.Wait
	}
	if s.MaxWait <= 0 {
		s.MaxWait = defaultMaxWait
	}
	if s.Total <= 0 {
		s.Total = defaults.Total
	}
	return s
}

func (b Budget) withDefaults() Budget {
	if b.Tokens <= 0 {
		b.Tokens = defaultTokens
	}
	if b.Repeat <= 0 {
		b.Repeat = defaultRepeat
	}
	if b.Throttled <= 0 {
		b.Throttled = defaultThrottled
	}
	return b
}

// Validate returns every fault of c, each naming the field.
func (c Config) Validate() error {
	faults := []error{c.Budget.validate()}
	for tier, schedule := range []Schedule{c.Untiered, c.Instant, c.Bulk, c.Sync} {
		faults = append(faults, schedule.validate(resilience.Tier(tier), c.Schedule(resilience.Tier(tier))))
	}
	return errors.Join(faults...)
}

func (s Schedule) validate(tier resilience.Tier, filled Schedule) error {
	var faults []error
	if s.Repeats < 0 {
		faults = append(faults, fmt.Errorf("%v.repeats is %d: want 1 or more, 0 for the default, or off", tier, s.Repeats))
	}
	for _, d := range []struct {
		field string
		value time.Duration
	}{{"wait", s.Wait}, {"max_wait", s.MaxWait}, {"total", s.Total}} {
		if d.value < 0 {
			faults = append(faults, fmt.Errorf("%v.%s is %v: want a positive time, or 0 for the default", tier, d.field, d.value))
		}
	}
	if filled.Wait > filled.MaxWait {
		faults = append(faults, fmt.Errorf("%v.wait is %v, more than max_wait (%v): raise max_wait", tier, filled.Wait, filled.MaxWait))
	}
	return errors.Join(faults...)
}

func (b Budget) validate() error {
	var faults []error
	for _, n := range []struct {
		field string
		value int
	}{{"tokens", b.Tokens}, {"repeat", b.Repeat}, {"throttled", b.Throttled}} {
		if n.value < 0 {
			faults = append(faults, fmt.Errorf("budget.%s is %d: want 1 or more, 0 for the default, or off", n.field, n.value))
		}
	}
	if filled := b.withDefaults(); filled.Tokens < filled.Repeat {
		faults = append(faults, fmt.Errorf("budget.tokens is %d, less than one repeat takes (%d): no call would be repeated; "+
			"raise it, or set off in the schedules", filled.Tokens, filled.Repeat))
	}
	return errors.Join(faults...)
}

// A scheduleText is a Schedule as files spell it.
type scheduleText struct {
	Repeats int    `json:"repeats,omitempty"`
	Wait    string `json:"wait,omitempty"`
	MaxWait string `json:"max_wait,omitempty"`
	Total   string `json:"total,omitempty"`
	Off     bool   `json:"off,omitempty"`
}

// MarshalJSON writes durations as text.
func (s Schedule) MarshalJSON() ([]byte, error) {
	return json.Marshal(scheduleText{
		Repeats: s.Repeats, Wait: durationText(s.Wait), MaxWait: durationText(s.MaxWait), Total: durationText(s.Total), Off: s.Off,
	})
}

// UnmarshalJSON reads durations as text. A field that is not in data keeps its value; one that Schedule does not have is an error.
func (s *Schedule) UnmarshalJSON(data []byte) error {
	text := scheduleText{Repeats: s.Repeats, Off: s.Off}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&text); err != nil {
		return fmt.Errorf("retry schedule: %w", err)
	}
	read := *s
	read.Repeats, read.Off = text.Repeats, text.Off
	err := errors.Join(
		setDuration(&read.Wait, "wait", text.Wait),
		setDuration(&read.MaxWait, "max_wait", text.MaxWait),
		setDuration(&read.Total, "total", text.Total),
	)
	if err != nil {
		return fmt.Errorf("retry schedule: %w", err)
	}
	*s = read
	return nil
}

func durationText(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return d.String()
}

func setDuration(d *time.Duration, field, text string) error {
	if text == "" {
		return nil
	}
	parsed, err := time.ParseDuration(text)
	if err != nil {
		return fmt.Errorf("%s is %q: want a number with its unit, such as %q", field, text, "30s")
	}
	*d = parsed
	return nil
}
