package wire_test

import (
	"math/big"
	"net/http"
	"regexp"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience/wire"
)

var noon = time.Date(2026, 10, 21, 7, 28, 0, 0, time.UTC)

func TestRetryAfter(t *testing.T) {
	tests := []struct {
		name, value string
		want        time.Duration
	}{
		{"seconds", "30", 30 * time.Second},
		{"RFC 1123 date", "Wed, 21 Oct 2026 07:28:30 GMT", 30 * time.Second},
		{"RFC 850 date", "Wednesday, 21-Oct-26 07:28:30 GMT", 30 * time.Second},
		{"asctime date", "Wed Oct 21 07:28:30 2026", 30 * time.Second},
		{"blanks around", "  5 ", 5 * time.Second},
		{"fraction", "0.25", 250 * time.Millisecond},
		{"fraction that must not become earlier", "0.0000000001", time.Nanosecond},
		{"an hour", "3600", time.Hour},
		{"a day", "86400", 24 * time.Hour},
		{"none", "", 0},
		{"now", "0", 0},
		{"date of now", "Wed, 21 Oct 2026 07:28:00 GMT", 0},
		{"past date", "Wed, 21 Oct 2026 07:27:59 GMT", 0},
		{"negative", "-5", 0},
		{"more than a day", "86401", 0},
		{"date after more than a day", "Fri, 23 Oct 2026 07:28:30 GMT", 0},
		{"overflow of a Duration", "9223372037", 0},
		{"overflow of a float", "1" + zeros(400), 0},
		{"words", "soon", 0},
		{"exponent", "1e3", 0},
		{"hexadecimal", "0x10", 0},
		{"infinite", "Inf", 0},
		{"two dots", "1.2.3", 0},
		{"a dot", ".", 0},
		{"date in another zone", "Wed, 21 Oct 2026 07:28:30 CST", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			header := http.Header{}
			header.Set("Retry-After", tt.value)
			if got := wire.RetryAfter(header, noon); got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	if got := wire.RetryAfter(nil, noon); got != 0 {
		t.Errorf("no header: got %v, want 0", got)
	}
}

func zeros(n int) string {
	b := make([]byte, n)
	for i := range b {
		b[i] = '0'
	}
	return string(b)
}

// The oracle reads plain seconds with exact arithmetic.
func FuzzRetryAfter(f *testing.F) {
	for _, seed := range []string{
		"30", "0.5", "-1", "1e9", "86400.0000000001", "Wed, 21 Oct 2026 07:28:30 GMT", "Wednesday, 21-Oct-26 07:28:30 GMT",
		"Wed Oct 21 07:28:30 2026", "", ".", "00000000000000000000000000001", "99999999999999999999", "0x1p4", "1_0",
	} {
		f.Add(seed)
	}
	plain := regexp.MustCompile(`^[0-9]{1,12}(\.[0-9]{1,9})?$`)
	f.Fuzz(func(t *testing.T, value string) {
		got := wire.RetryAfter(http.Header{"Retry-After": {value}}, noon)
		if got < 0 || got > 24*time.Hour {
			t.Fatalf("%q: got %v, want nothing negative and at most a day", value, got)
		}
		if !plain.MatchString(value) {
			return
		}
		exact, _ := new(big.Rat).SetString(value)
		exact.Mul(exact, big.NewRat(int64(time.Second), 1))
		if exact.Cmp(big.NewRat(int64(24*time.Hour), 1)) > 0 {
			exact.SetInt64(0)
		}
		// A float64 holds a day in nanoseconds to about 1/60 of one, so that rounding up may add one.
		diff := new(big.Rat).Sub(big.NewRat(int64(got), 1), exact)
		if diff.Sign() < 0 || diff.Cmp(big.NewRat(1, 1)) > 0 {
			t.Errorf("%q: got %d ns, want %s", value, got, exact.FloatString(3))
		}
	})
}
