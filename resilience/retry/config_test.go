package retry_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
)

func TestConfigValidateNamesEveryFault(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  retry.Config
		want []string
	}{
		{"zero", retry.Config{}, nil},
		{"off", retry.Config{Off: true, Bulk: retry.Schedule{Off: true}, Budget: retry.Budget{Off: true}}, nil},
		{"all wrong", retry.Config{
			Untiered: retry.Schedule{Repeats: -1}, Instant: retry.Schedule{Wait: -1}, Bulk: retry.Schedule{MaxWait: -1, Total: -1},
			Sync: retry.Schedule{Wait: 2 * time.Minute}, Budget: retry.Budget{Tokens: -1, Repeat: -2, Throttled: -3},
		}, []string{
			"untiered.repeats is -1", "instant.wait is -1ns", "bulk.max_wait is -1ns", "bulk.total is -1ns",
			"sync.wait is 2m0s, more than max_wait (1m0s): raise max_wait",
			"budget.tokens is -1", "budget.repeat is -2", "budget.throttled is -3",
		}},
		{"budget for no repeat", retry.Config{Budget: retry.Budget{Tokens: 10}}, []string{"budget.tokens is 10, less than one repeat takes (14)"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.cfg.Validate()
			if (err == nil) != (len(tt.want) == 0) {
				t.Fatalf("got %v, want %d faults", err, len(tt.want))
			}
			for _, want := range tt.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("got %q, want %q in it", err, want)
				}
			}
		})
	}
}

func TestConfigJSON(t *testing.T) {
	const text = `{"instant":{"repeats":2,"wait":"250ms"},"bulk":{"off":true},"sync":{"max_wait":"5m0s","total":"1h0m0s"},"budget":{"tokens":50}}`
	var cfg retry.Config
	if err := json.Unmarshal([]byte(text), &cfg); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		tier resilience.Tier
		want retry.Schedule
	}{
		{resilience.Untiered, retry.Schedule{Repeats: 3, Wait: time.Second, MaxWait: time.Minute, Total: time.Minute}},
		{resilience.Instant, retry.Schedule{Repeats: 2, Wait: 250 * time.Millisecond, MaxWait: time.Minute, Total: 15 * time.Second}},
		{resilience.Bulk, retry.Schedule{Wait: 2 * time.Second, MaxWait: time.Minute, Total: 2 * time.Minute, Off: true}},
		{resilience.Sync, retry.Schedule{Repeats: 7, Wait: 5 * time.Second, MaxWait: 5 * time.Minute, Total: time.Hour}},
	} {
		if got := cfg.Schedule(tt.tier); got != tt.want {
			t.Errorf("%v: got %+v, want %+v", tt.tier, got, tt.want)
		}
	}
	if written, err := json.Marshal(cfg); err != nil || string(written) != text {
		t.Errorf("written: got %s, %v, want %s", written, err, text)
	}
}

func TestConfigJSONFaults(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"number", `{"bulk":{"wait":2}}`, "field scheduleText.wait"},
		{"no unit", `{"bulk":{"wait":"2"}}`, `wait is "2": want a number with its unit, such as "30s"`},
		{"two faults", `{"bulk":{"wait":"2","total":"long"}}`, `total is "long"`},
		{"unknown field", `{"bulk":{"waits":"2s"}}`, `unknown field "waits"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var cfg retry.Config
			if err := json.Unmarshal([]byte(tt.text), &cfg); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %q in it", err, tt.want)
			}
			if cfg != (retry.Config{}) {
				t.Errorf("a refused text changed the configuration: %+v", cfg)
			}
		})
	}
}
