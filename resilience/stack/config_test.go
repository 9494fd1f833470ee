package stack_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

func TestConfigFromAFile(t *testing.T) {
	const file = `{
		"max_wait": "5s", "per_second": 7, "windows": {"second": {"limit": 18, "guard": 0}, "new_key": {"off": true}},
		"pool": {"in_flight": 4, "ladder": ["1m", "2m"]}, "breaker": {"failures": 3, "open": "10s"},
		"retry": {"instant": {"repeats": 2, "wait": "250ms"}}
	}`
	var got stack.Config
	if err := json.Unmarshal([]byte(file), &got); err != nil {
		t.Fatal(err)
	}
	want := stack.Config{
		MaxWait: 5 * time.Second, PerSecond: 7,
		Windows: map[string]stack.WindowChange{"second": {Limit: 18, Guard: new(0)}, "new_key": {Off: true}},
		Pool:    tokenpool.Settings{InFlight: 4, Ladder: []time.Duration{time.Minute, 2 * time.Minute}},
		Breaker: breaker.Config{Failures: 3, Open: 10 * time.Second},
	}
	want.Retry.Instant.Repeats, want.Retry.Instant.Wait = 2, 250*time.Millisecond
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("read (-want +got):\n%s", diff)
	}
	written, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var again stack.Config
	if err := json.Unmarshal(written, &again); err != nil || !cmp.Equal(want, again) {
		t.Errorf("%s was read as %+v, %v", written, again, err)
	}
	for bad, want := range map[string]string{
		`{"max_wait": 5}`:                "max_wait",
		`{"max_wait": "5 seconds"}`:      `"5 seconds"`,
		`{"max_wiat": "5s"}`:             "max_wiat",
		`{"pool": {"in_fligth": 1}}`:     "in_fligth",
		`{"pool": {"penalty": "a day"}}`: `"a day"`,
	} {
		if err := json.Unmarshal([]byte(bad), &got); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, want it to name %s", bad, err, want)
		}
	}
}

func TestPresets(t *testing.T) {
	for _, test := range []struct {
		name      string
		got       stack.Config
		perSecond int
		failures  int
		open      time.Duration
	}{
		{"development", stack.Development(), 3, 3, 10 * time.Second},
		{"testing", stack.Testing(), 10, 8, 20 * time.Second},
		{"production", stack.Production(), 0, 15, 30 * time.Second},
	} {
		if test.got.PerSecond != test.perSecond || test.got.Breaker.Failures != test.failures || test.got.Breaker.Open != test.open {
			t.Errorf("%s: got %+v", test.name, test.got)
		}
		if err := test.got.Validate(); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}
