package breaker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"time"
)

// A Config says when a circuit opens, for how long, and how long a probe may take. Each zero field means the default beside it; in
// files durations are text ("30s").
type Config struct {
	Failures     int           `json:"failures,omitempty"`      // consecutive failures that open the circuit; 0 means 15
	Open         time.Duration `json:"open,omitempty"`          // how long it stays open; 0 means 30s
	ProbeTimeout time.Duration `json:"probe_timeout,omitempty"` // after which a hanging probe is cut; 0 means 5s
	Off          bool          `json:"off,omitempty"`           // never opens
}

const (
	defaultFailures     = 15
	defaultOpen         = 30 * time.Second
	defaultProbeTimeout = 5 * time.Second
)

// Validate returns every fault of c, each naming the field.
func (c Config) Validate() error {
	var faults []error
	if c.Failures < 0 {
		faults = append(faults, fmt.Errorf("failures is %d: want 1 or more, or 0 for %d", c.Failures, defaultFailures))
	}
	if c.Open < 0 {
		faults = append(faults, fmt.Errorf("open is %v: want a positive time, or 0 for %v", c.Open, defaultOpen))
	}
	if c.ProbeTimeout < 0 {
		faults = append(faults, fmt.Errorf("probe_timeout is %v: want a positive time, or 0 for %v", c.ProbeTimeout, defaultProbeTimeout))
	}
	return errors.Join(faults...)
}

// withDefaults fills in what is zero. Negative values, which Validate refuses, mean the default too: New has no error to return.
func (c Config) withDefaults() Config {
	if c.Failures <= 0 {
		c.Failures = defaultFailures
	}
	if c.Open <= 0 {
		c.Open = defaultOpen
	}
	if c.ProbeTimeout <= 0 {
		c.ProbeTimeout = defaultProbeTimeout
	}
	return c
}

// A configText is a Config as files spell it.
type configText struct {
	Failures     int    `json:"failures,omitempty"`
	Open         string `json:"open,omitempty"`
	ProbeTimeout string `json:"probe_timeout,omitempty"`
	Off          bool   `json:"off,omitempty"`
}

// MarshalJSON writes durations as text.
func (c Config) MarshalJSON() ([]byte, error) {
	text := configText{Failures: c.Failures, Off: c.Off}
	if c.Open != 0 {
		text.Open = c.Open.String()
	}
	if c.ProbeTimeout != 0 {
		text.ProbeTimeout = c.ProbeTimeout.String()
	}
	return json.Marshal(text)
}

// UnmarshalJSON reads durations as text. A field that is not in data keeps its value; one that Config does not have is an error.
func (c *Config) UnmarshalJSON(data []byte) error {
	text := configText{Failures: c.Failures, Off: c.Off}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&text); err != nil {
		return fmt.Errorf("breaker configuration: %w", err)
	}
	read := *c
	read.Failures, read.Off = text.Failures, text.Off
	err := errors.Join(setDuration(&read.Open, "open", text.Open), setDuration(&read.ProbeTimeout, "probe_timeout", text.ProbeTimeout))
	if err != nil {
		return fmt.Errorf("breaker configuration: %w", err)
	}
	*c = read
	return nil
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
