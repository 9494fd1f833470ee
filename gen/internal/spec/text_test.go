package spec_test

import (
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

func TestSpan(t *testing.T) {
	for d, want := range map[time.Duration]string{
		24 * time.Hour: "day", 30 * 24 * time.Hour: "30 days", time.Hour: "hour", 90 * time.Minute: "90 minutes", time.Second: "second",
		1500 * time.Millisecond: "1.5s",
	} {
		if got := spec.Span(d); got != want {
			t.Errorf("%v: got %q, want %q", d, got, want)
		}
	}
}
