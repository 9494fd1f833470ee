package tokenpool

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Config says which windows hold and how a Pool waits and cools. Each zero field means the default beside it.
type Config struct {
	Platform string
	Groups   map[string][]resilience.Window // the windows of each quota group
	// Serves says whether a credential can make calls of a security scheme; nil means every credential every call. Calls without a
	// scheme need no credential and are not asked about.
	Serves   func(auth string, c *resilience.Credential) bool
	Observer resilience.Observer // told of cooldowns and alerts; nil: nobody

	Settings
}

// Settings are the numbers of a Pool that may come from a file.
type Settings struct {
	InFlight int `json:"in_flight,omitempty"` // counted calls at a time for each credential; 0 means 20
	Queue    int `json:"queue,omitempty"`     // calls that may wait in one lane; 0 means 10,000
	// Ladder is how long a credential cools in the 1st, 2nd ... incident in a row where the platform names no end; the last step
	// repeats. Empty means 10, 20, 40, 60 minutes.
	Ladder []time.Duration `json:"ladder,omitempty"`
	// ThrottleLadder is the same for limits of a second or a minute. Empty means 10, 20, 40, 60 seconds.
	ThrottleLadder []time.Duration `json:"throttle_ladder,omitempty"`
	// Penalty is how long a ban lasts where the platform names no end; 0 means 24 hours.
	Penalty time.Duration `json:"penalty,omitempty"`
	// DayStart is when the platform gives out its daily budgets, after midnight in China (UTC+8); 0 means at midnight.
	DayStart time.Duration `json:"day_start,omitempty"`
}

// A settingsText is Settings as files spell them.
type settingsText struct {
	InFlight       int                   `json:"in_flight,omitempty"`
	Queue          int                   `json:"queue,omitempty"`
	Ladder         []resilience.Duration `json:"ladder,omitempty"`
	ThrottleLadder []resilience.Duration `json:"throttle_ladder,omitempty"`
	Penalty        resilience.Duration   `json:"penalty,omitzero"`
	DayStart       resilience.Duration   `json:"day_start,omitzero"`
}

// MarshalJSON writes durations as text.
func (s Settings) MarshalJSON() ([]byte, error) {
	return json.Marshal(settingsText{
		s.InFlight, s.Queue, durations[resilience.Duration](s.Ladder), durations[resilience.Duration](s.ThrottleLadder),
		resilience.Duration(s.Penalty), resilience.Duration(s.DayStart),
	})
}

// UnmarshalJSON reads durations as text. A field that Settings do not have is an error.
func (s *Settings) UnmarshalJSON(data []byte) error {
	var text settingsText
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&text); err != nil {
		return fmt.Errorf("pool settings: %w", err)
	}
	*s = Settings{
		text.InFlight, text.Queue, durations[time.Duration](text.Ladder), durations[time.Duration](text.ThrottleLadder),
		time.Duration(text.Penalty), time.Duration(text.DayStart),
	}
	return nil
}

func durations[To, From ~int64](from []From) []To {
	var to []To
	for _, d := range from {
		to = append(to, To(d))
	}
	return to
}

// Validate returns every fault of the settings, each naming its field.
func (s Settings) Validate() error {
	var faults []error
	if s.InFlight < 0 {
		faults = append(faults, fmt.Errorf("in_flight is %d: want 1 or more, or 0 for 20", s.InFlight))
	}
	if s.Queue < 0 {
		faults = append(faults, fmt.Errorf("queue is %d: want 1 or more, or 0 for 10000", s.Queue))
	}
	if s.Penalty < 0 {
		faults = append(faults, fmt.Errorf("penalty is %v: want a positive time, or 0 for 24h", s.Penalty))
	}
	if s.DayStart < 0 || s.DayStart >= 24*time.Hour {
		faults = append(faults, fmt.Errorf("day_start is %v: want 0 up to less than 24h", s.DayStart))
	}
	for name, ladder := range map[string][]time.Duration{"ladder": s.Ladder, "throttle_ladder": s.ThrottleLadder} {
		for i, step := range ladder {
			if step <= 0 {
				faults = append(faults, fmt.Errorf("%s[%d] is %v: want a positive time", name, i, step))
			}
		}
	}
	return errors.Join(faults...)
}

func (s Settings) withDefaults() Settings {
	if s.InFlight == 0 {
		s.InFlight = 20
	}
	if s.Queue == 0 {
		s.Queue = 10_000
	}
	if len(s.Ladder) == 0 {
		s.Ladder = []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute, time.Hour}
	}
	if len(s.ThrottleLadder) == 0 {
		s.ThrottleLadder = []time.Duration{10 * time.Second, 20 * time.Second, 40 * time.Second, time.Minute}
	}
	if s.Penalty == 0 {
		s.Penalty = 24 * time.Hour
	}
	return s
}

// Validate returns every fault of the configuration, each naming its field.
func (c Config) Validate() error {
	faults := []error{c.Settings.Validate()}
	named := map[string]resilience.Window{}
	for group, windows := range c.Groups {
		for _, w := range windows {
			if err := w.Validate(); err != nil {
				faults = append(faults, fmt.Errorf("group %s: %w", group, err))
			}
			if other, ok := named[w.Name]; ok && other != w {
				faults = append(faults, fmt.Errorf("group %s: window %q differs from the one of the same name in another group", group, w.Name))
			}
			named[w.Name] = w
		}
	}
	return errors.Join(faults...)
}
