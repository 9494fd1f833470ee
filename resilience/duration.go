package resilience

import (
	"fmt"
	"time"
)

// A Duration is a time.Duration that configuration files spell as text: "30s", "5m", "1h30m".
type Duration time.Duration

// MarshalText writes the duration with its units.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads a number with its unit.
func (d *Duration) UnmarshalText(text []byte) error {
	parsed, err := time.ParseDuration(string(text))
	if err != nil {
		return fmt.Errorf("duration %q: want a number with its unit, such as \"30s\"", text)
	}
	*d = Duration(parsed)
	return nil
}
