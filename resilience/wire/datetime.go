package wire

import (
	"encoding"
	"fmt"
	"strings"
	"time"
)

// A DateTime is a date of RFC 3339, like "2026-01-02T03:04:05.678+08:00": the format date-time of OpenAPI. It is zero where there is
// none or it cannot be read. One without a zone cannot be: nobody knows the instant that it means. [DateTime.Text] still returns it as
// it was sent.
type DateTime struct {
	time.Time
	sent string // what cannot be read
}

// Text returns the date by RFC 3339, with as much of a second as it has; what could not be read as it was sent, and "" for none.
func (t DateTime) Text() string {
	if t.IsZero() {
		return t.sent
	}
	at := t.Time
	if _, seconds := at.Zone(); seconds%60 != 0 { // as zones had before there was a standard time: the format has no place for them
		at = at.UTC()
	}
	return at.Format(time.RFC3339Nano)
}

// DateText returns the text of a date of this package that is sent outside of JSON, as the parameter called name. A date that cannot be
// written, as a year beyond 9999 of a [DateTime], is a fault.
func DateText[T encoding.TextMarshaler](e *Encoder, name string, date T) string {
	text, err := date.MarshalText()
	if err != nil {
		e.fault(`parameter "` + name + `": ` + err.Error())
	}
	return string(text)
}

// DateTexts is [DateText] for the entries of a list.
func DateTexts[T encoding.TextMarshaler](e *Encoder, name string, dates []T) []string {
	texts := make([]string, len(dates))
	for i, date := range dates {
		texts[i] = DateText(e, name, date)
	}
	return texts
}

// MarshalJSON writes the date as [DateTime.Text]. A year beyond 9999 is an error.
func (t DateTime) MarshalJSON() ([]byte, error) {
	text, err := t.MarshalText()
	if err != nil {
		return nil, err
	}
	return rawJSON(string(text))
}

// MarshalText writes the date as [DateTime.Text]. A year beyond 9999 is an error.
func (t DateTime) MarshalText() ([]byte, error) {
	if year := t.Year(); !t.IsZero() && (year < 0 || year > 9999) {
		return nil, fmt.Errorf("the date %s has a year that RFC 3339 cannot write: it ends with 9999", t.Text())
	}
	return []byte(t.Text()), nil
}

// UnmarshalJSON reads text as [DateTime.UnmarshalText] does; null is none. Inside an answer that [Decode] reads, what is no date is a
// fault of its field and no error.
func (t *DateTime) UnmarshalJSON(data []byte) error {
	text, ok := textOf(data)
	if !ok {
		*t = DateTime{}
		return fmt.Errorf("%.40s is no date: want text like 2026-01-02T03:04:05Z", data)
	}
	return t.UnmarshalText([]byte(text))
}

// UnmarshalText reads a date of RFC 3339, and what is close to it: small letters, a blank for the T, a comma before the fraction, an
// offset without colon or without minutes. Blank text is none. Anything else is an error that names it.
func (t *DateTime) UnmarshalText(text []byte) error {
	*t = DateTime{}
	word := strings.TrimSpace(string(text))
	if word == "" {
		return nil
	}
	at, ok := rfc3339(strings.ToUpper(word))
	if !ok {
		t.sent = string(text)
		return fmt.Errorf("%.40q is no date: want one like 2026-01-02T03:04:05Z or 2026-01-02T03:04:05+08:00", word)
	}
	t.Time = at
	return nil
}

func (t *DateTime) decode(d *decoder, depth int) bool {
	return leaf(d, depth, t, func(raw []byte) (DateTime, bool) {
		var at DateTime
		err := at.UnmarshalJSON(raw)
		return at, err == nil
	})
}

// rfc3339 reads a date in capital letters. Its zone is the offset alone, whatever the host's is.
func rfc3339(text string) (time.Time, bool) {
	const day = len("2006-01-02")
	if len(text) > day && text[day] == ' ' {
		text = text[:day] + "T" + strings.TrimLeft(text[day:], " ")
	}
	if i := strings.LastIndexByte(text, ' '); i > 0 { // before the offset
		text = text[:i] + text[i+1:]
	}
	for _, offset := range []string{"Z07:00", "Z0700", "Z07"} {
		if at, err := time.ParseInLocation("2006-01-02T15:04:05"+offset, text, time.UTC); err == nil {
			return at, true
		}
	}
	return time.Time{}, false
}
