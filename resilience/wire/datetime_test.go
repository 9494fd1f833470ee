package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

func TestDateTimeReads(t *testing.T) {
	tests := []struct{ text, want string }{
		{"2026-01-02T03:04:05Z", "2026-01-02T03:04:05Z"},
		{"2026-01-02T03:04:05.678+08:00", "2026-01-02T03:04:05.678+08:00"},
		{"2026-01-02t03:04:05.5z", "2026-01-02T03:04:05.5Z"},
		{"2026-01-02 03:04:05-0530", "2026-01-02T03:04:05-05:30"},
		{"2026-01-02 03:04:05.123456 +0000", "2026-01-02T03:04:05.123456Z"},
		{"2026-01-02 03:04:05+08", "2026-01-02T03:04:05+08:00"},
		{"2026-01-02T03:04:05,25Z", "2026-01-02T03:04:05.25Z"},
		{"2026-01-02T03:04:05.123456789987Z", "2026-01-02T03:04:05.123456789Z"},
		{"2026-01-02T03:04:05+00:00", "2026-01-02T03:04:05Z"},
		{" 2026-01-02T03:04:05Z\n", "2026-01-02T03:04:05Z"},
		{"", ""},
		{"  ", ""},
		{"0001-01-01T00:00:00Z", ""},
	}
	for _, tt := range tests {
		t.Run(tt.text, func(t *testing.T) {
			var got wire.DateTime
			if err := got.UnmarshalText([]byte(tt.text)); err != nil || got.Text() != tt.want || got.IsZero() != (tt.want == "") {
				t.Errorf("got %q, %v, want %q", got.Text(), err, tt.want)
			}
			data, err := json.Marshal(tt.text)
			if err != nil {
				t.Fatal(err)
			}
			var byJSON, inside wire.DateTime
			if err := json.Unmarshal(data, &byJSON); err != nil || byJSON.Text() != got.Text() {
				t.Errorf("by encoding/json: got %v, %v, want the same", byJSON, err)
			}
			if faults, err := wire.Decode(data, &inside); err != nil || faults != nil || inside.Text() != got.Text() {
				t.Errorf("by Decode: got %v, %q, %v, want the same", inside, faults, err)
			}
		})
	}
}

// What is no date is an error that names it, or a fault of its field, and is kept as it was sent.
func TestDateTimeRefuses(t *testing.T) {
	for _, text := range []string{
		"soon", "2026-01-02", "2026-01-02T03:04:05", "2026-13-02T03:04:05Z", "2026-01-02T25:04:05Z", "1767225600", "2026-01-02T03:04:05+8",
	} {
		t.Run(text, func(t *testing.T) {
			got := wire.DateTime{Time: time.Unix(1, 0)}
			if err := got.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), text) {
				t.Errorf("got %v, want an error that names the value", err)
			}
			if !got.IsZero() || got.Text() != text {
				t.Errorf("got %v and the text %q, want none and what was sent", got.Time, got.Text())
			}
			var inside struct {
				At   wire.DateTime `json:"at"`
				Name string        `json:"name"`
			}
			faults, err := wire.Decode([]byte(`{"at":"`+text+`","name":"n"}`), &inside)
			if err != nil || strings.Join(faults, " ") != "at" || inside.Name != "n" || inside.At != got {
				t.Errorf("got %+v, %q, %v, want the fault at", inside, faults, err)
			}
		})
	}
	for _, data := range []string{`{}`, `[1]`} {
		var got wire.DateTime
		if err := json.Unmarshal([]byte(data), &got); err == nil || !strings.Contains(err.Error(), data) {
			t.Errorf("%s: got %v, want an error that names it", data, err)
		}
		if faults, err := wire.Decode([]byte(`{"at":`+data+`}`), &struct {
			At *wire.DateTime `json:"at"`
		}{}); err != nil || len(faults) != 1 {
			t.Errorf("%s: got the faults %q, %v, want one", data, faults, err)
		}
	}
}

func TestDateTimeWrites(t *testing.T) {
	tests := []struct {
		name string
		at   time.Time
		want string // "" for an error
	}{
		{"none", time.Time{}, `""`},
		{"seconds", time.Unix(1767225600, 0).UTC(), `"2026-01-01T00:00:00Z"`},
		{"fractions", time.Unix(1767225600, 120).In(time.FixedZone("", 8*3600)), `"2026-01-01T08:00:00.00000012+08:00"`},
		{"a zone with seconds", time.Date(1900, 1, 1, 8, 5, 43, 0, time.FixedZone("LMT", 8*3600+5*60+43)), `"1900-01-01T00:00:00Z"`},
		{"a year of five digits", time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), ""},
		{"a year before 0", time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := json.Marshal(wire.DateTime{Time: tt.at})
			if string(got) != tt.want || (err != nil) != (tt.want == "") {
				t.Errorf("got %s, %v, want %s", got, err, tt.want)
			}
		})
	}
	left, err := json.Marshal(struct {
		At wire.DateTime `json:"at,omitzero"`
	}{})
	if err != nil || string(left) != `{}` {
		t.Errorf("none, in a field that may be left out: got %s, %v", left, err)
	}
	key, err := json.Marshal(map[wire.DateTime]int{{Time: time.Unix(0, 0).UTC()}: 1})
	if err != nil || string(key) != `{"1970-01-01T00:00:00Z":1}` {
		t.Errorf("as a key: got %s, %v", key, err)
	}
}

// TestDateText: a date outside of JSON is refused as in JSON, by its name.
func TestDateText(t *testing.T) {
	year := func(n int) wire.DateTime { return wire.DateTime{Time: time.Date(n, 1, 1, 0, 0, 0, 0, time.UTC)} }
	req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
		e.Query("since", wire.DateText(e, "since", year(9999)))
		e.Query("at", wire.DateText(e, "at", wire.UnixTime{Time: time.Unix(5, 0)}))
		e.Query("on", strings.Join(wire.DateTexts(e, "on", []wire.UnixTime{{Time: time.Unix(6, 0)}, {}}), " "))
	}))
	if err != nil || req.Query[0].Value != "9999-01-01T00:00:00Z" || req.Query[1].Value != "5" || req.Query[2].Value != "6 0" {
		t.Errorf("got %v, %v", req.Query, err)
	}
	for _, n := range []int{-1, 12026} {
		_, err := wire.Encode(opCreate, params(func(e *wire.Encoder) { e.Query("until", wire.DateText(e, "until", year(n))) }))
		if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(fmt.Sprint(err), `parameter "until": the date `) {
			t.Errorf("%d: got %v, want a refusal that names until", n, err)
		}
	}
}

// TestDateTimeReadsWhatItWrites: each instant of each zone, by the standard library's own reading too.
func TestDateTimeReadsWhatItWrites(t *testing.T) {
	dice := rand.New(rand.NewPCG(1, 2))
	for range 5000 {
		at := time.Unix(dice.Int64N(253402300799), dice.Int64N(1e9)).In(time.FixedZone("", dice.IntN(28*60)*60-14*3600))
		text := wire.DateTime{Time: at}.Text()
		var got wire.DateTime
		if err := got.UnmarshalText([]byte(text)); err != nil || !got.Equal(at) || got.Text() != text {
			t.Fatalf("%v was written as %s and read as %v, %v", at, text, got, err)
		}
		if std, err := time.Parse(time.RFC3339, text); err != nil || !std.Equal(at) {
			t.Fatalf("%s: the standard library reads %v, %v", text, std, err)
		}
	}
}
