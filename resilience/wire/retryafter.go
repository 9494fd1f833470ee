package wire

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestHint is the longest Retry-After that is believed.
const longestHint = 24 * time.Hour

// RetryAfter returns how long the header Retry-After asks to wait after now: seconds, also with a fraction, or one of the three HTTP
// dates. It is 0 where there is no such header, or an absurd one: in the past, not a number, or more than 24 hours.
func RetryAfter(header http.Header, now time.Time) time.Duration {
	values := header["Retry-After"]
	if len(values) == 0 {
		return 0
	}
	hint := strings.TrimSpace(values[0])
	wait, ok := seconds(hint)
	if !ok {
		date, err := http.ParseTime(hint)
		if err != nil {
			return 0
		}
		wait = date.Sub(now)
	}
	if wait < 0 || wait > longestHint {
		return 0
	}
	return wait
}

// seconds reads digits with at most one dot. What is too long becomes longer than any hint that is believed.
func seconds(text string) (time.Duration, bool) {
	if text == "" || strings.Trim(text, "0123456789.") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0, false
	}
	if n > longestHint.Seconds() {
		return longestHint + 1, true
	}
	return time.Duration(math.Ceil(n * float64(time.Second))), true
}
