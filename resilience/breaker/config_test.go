package breaker_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience/breaker"
)

func TestConfigValidateNamesEveryFault(t *testing.T) {
	for _, tt := range []struct {
		name string
		cfg  breaker.Config
		want []string
	}{
		{"zero", breaker.Config{}, nil},
		{"set", breaker.Config{Failures: 3, Open: time.Second, ProbeTimeout: time.Second}, nil},
		{"all wrong", breaker.Config{Failures: -1, Open: -time.Second, ProbeTimeout: -time.Minute}, []string{
			"failures is -1: want 1 or more", "open is -1s: want a positive time", "probe_timeout is -1m0s: want a positive time",
		}},
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
	for _, tt := range []struct {
		name, text string
		want       breaker.Config
		fault      string
	}{
		{"empty", `{}`, breaker.Config{}, ""},
		{
			"full", `{"failures":3,"open":"10s","probe_timeout":"1.5s","off":true}`,
			breaker.Config{Failures: 3, Open: 10 * time.Second, ProbeTimeout: 1500 * time.Millisecond, Off: true}, "",
		},
		{"number", `{"open":30}`, breaker.Config{}, "field configText.open"},
		{"no unit", `{"open":"30","probe_timeout":"x"}`, breaker.Config{}, `open is "30": want a number with its unit, such as "30s"`},
		{"both faults", `{"open":"30","probe_timeout":"x"}`, breaker.Config{}, `probe_timeout is "x"`},
		{"unknown field", `{"opne":"30s"}`, breaker.Config{}, `unknown field "opne"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got breaker.Config
			err := json.Unmarshal([]byte(tt.text), &got)
			if tt.fault != "" {
				if err == nil || !strings.Contains(err.Error(), tt.fault) {
					t.Fatalf("got error %v, want %q in it", err, tt.fault)
				}
				return
			}
			if err != nil || got != tt.want {
				t.Fatalf("got %+v, %v, want %+v", got, err, tt.want)
			}
			written, err := json.Marshal(got)
			if err != nil {
				t.Fatal(err)
			}
			var again breaker.Config
			if err := json.Unmarshal(written, &again); err != nil || again != got {
				t.Errorf("written as %s and read back: got %+v, %v, want %+v", written, again, err, got)
			}
		})
	}
}
