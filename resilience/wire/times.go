package wire

import (
	"strconv"
	"strings"
	"time"
)

// china is the zone of dates without a zone: they belong to the platform, not to the host.
var china = time.FixedZone("UTC+8", 8*60*60)

const (
	rubyLayout    = "Mon Jan 02 15:04:05 -0700 2006"
	localLayout   = "2006-01-02 15:04:05"
	compactLayout = "20060102150405.000-0700"
	dayLayout     = "20060102"
)

// A RubyTime is a date like "Tue May 31 17:46:55 +0800 2011" (Weibo). It is zero where there is none or it cannot be read.
type RubyTime struct{ time.Time }

// A LocalTime is a date like "2019-06-22 20:00:00", which has no zone and is read as China's, UTC+8. It is zero where there is none or
// it cannot be read.
type LocalTime struct{ time.Time }

// A CompactTime is a date like "20240101120000000+0800" or "20240101" (1688); the milliseconds and the zone, China's, may be missing. It
// is zero where there is none or it cannot be read.
type CompactTime struct {
	time.Time
	day bool // written without a time of day
}

// A UnixTime is a date in seconds since 1970, as a number or as text. It is zero where there is none (0) or it cannot be read.
type UnixTime struct{ time.Time }

// Text returns the date as Weibo writes it, "" for none.
func (t RubyTime) Text() string { return written(t.Time, rubyLayout, nil) }

// Text returns the date as the platform writes it, in China's time, "" for none.
func (t LocalTime) Text() string { return written(t.Time, localLayout, china) }

// Text returns the date as 1688 writes it, "" for none.
func (t CompactTime) Text() string {
	if t.day {
		return written(t.Time, dayLayout, china)
	}
	return strings.Replace(written(t.Time, compactLayout, nil), ".", "", 1)
}

// Text returns the seconds since 1970, "0" for none.
func (t UnixTime) Text() string {
	if t.IsZero() {
		return "0"
	}
	return strconv.FormatInt(t.Unix(), 10)
}

func written(t time.Time, layout string, zone *time.Location) string {
	if t.IsZero() {
		return ""
	}
	if zone != nil {
		t = t.In(zone)
	}
	return t.Format(layout)
}

// MarshalJSON writes the date as it was sent.
func (t RubyTime) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, t.Text()), nil }

// MarshalJSON writes the date as it was sent.
func (t LocalTime) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, t.Text()), nil }

// MarshalJSON writes the date as it was sent.
func (t CompactTime) MarshalJSON() ([]byte, error) { return strconv.AppendQuote(nil, t.Text()), nil }

// MarshalJSON writes the seconds as a number.
func (t UnixTime) MarshalJSON() ([]byte, error) { return []byte(t.Text()), nil }

// MarshalText writes the date as the platform does.
func (t RubyTime) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// MarshalText writes the date as the platform does.
func (t LocalTime) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// MarshalText writes the date as the platform does.
func (t CompactTime) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// MarshalText writes the seconds.
func (t UnixTime) MarshalText() ([]byte, error) { return []byte(t.Text()), nil }

// UnmarshalJSON never fails: what cannot be read is zero.
func (t *RubyTime) UnmarshalJSON(data []byte) error { return alone(t, data) }

// UnmarshalJSON never fails: what cannot be read is zero.
func (t *LocalTime) UnmarshalJSON(data []byte) error { return alone(t, data) }

// UnmarshalJSON never fails: what cannot be read is zero.
func (t *CompactTime) UnmarshalJSON(data []byte) error { return alone(t, data) }

// UnmarshalJSON never fails: what cannot be read is zero.
func (t *UnixTime) UnmarshalJSON(data []byte) error { return alone(t, data) }

func (t *RubyTime) decode(d *decoder, depth int) bool {
	return leaf(d, depth, &t.Time, func(raw []byte) (time.Time, bool) { return dateOf(raw, rubyLayout) })
}

func (t *LocalTime) decode(d *decoder, depth int) bool {
	return leaf(d, depth, &t.Time, func(raw []byte) (time.Time, bool) { return dateOf(raw, localLayout) })
}

func (t *UnixTime) decode(d *decoder, depth int) bool {
	return leaf(d, depth, &t.Time, func(raw []byte) (time.Time, bool) {
		n, ok := intOf(raw)
		if !ok || n == 0 {
			return time.Time{}, ok
		}
		return time.Unix(n, 0).In(china), true
	})
}

func (t *CompactTime) decode(d *decoder, depth int) bool {
	return leaf(d, depth, t, compactOf)
}

func compactOf(raw []byte) (CompactTime, bool) {
	text, ok := textOf(raw)
	text = strings.TrimSpace(text)
	if !ok || text == "" {
		return CompactTime{}, ok
	}
	if len(text) == len(dayLayout) {
		date, err := time.ParseInLocation(dayLayout, text, china)
		return CompactTime{date, err == nil}, err == nil
	}
	const seconds, millis = len("20060102150405"), len("000")
	if rest := len(text) - seconds; rest == millis || rest == millis+len("-0700") {
		text = text[:seconds] + "." + text[seconds:] // Go reads milliseconds behind a dot only
	}
	for _, layout := range []string{compactLayout, "20060102150405.000", "20060102150405-0700", "20060102150405"} {
		if date, err := time.ParseInLocation(layout, text, china); err == nil {
			return CompactTime{Time: date}, true
		}
	}
	return CompactTime{}, false
}

func dateOf(raw []byte, layout string) (time.Time, bool) {
	text, ok := textOf(raw)
	text = strings.TrimSpace(text)
	if !ok || text == "" {
		return time.Time{}, ok
	}
	date, err := time.ParseInLocation(layout, text, china)
	if err != nil {
		return time.Time{}, false
	}
	return date, true
}
