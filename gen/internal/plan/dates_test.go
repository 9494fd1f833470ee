package plan_test

import (
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
)

// TestDates: an enum of dates is one of texts, which only the format date-time leaves it, and a date may be a cursor.
func TestDates(t *testing.T) {
	walked := func(format string) string {
		return strings.NewReplacer(
			"      x-sdk: {service: Users, method: Show}",
			"      x-pagination: {style: cursor, param: since, items: friends, next: newest} #\n      x-sdk: {service: Users, method: Show}",
			"{name: page, in: query, schema: {type: integer, format: int32}}", "{name: since, in: query, schema: {type: string, format: "+format+"}}",
			"        friends:", "        newest: {type: string, format: "+format+"}\n        friends:",
		).Replace(sound)
	}
	kind := func(format string) string {
		return strings.Replace(sound, "Kind: {type: string,", "Kind: {type: string, format: "+format+",", 1)
	}
	tests := []struct {
		name, text string
		want       []string
	}{
		{"an enum of date-time", kind("date-time"), nil},
		{"an enum of ruby-time", kind("ruby-time"), []string{"enum Kind is of the format ruby-time: drop the format: Go has no constants of it"}},
		{"an enum of files", kind("binary"), []string{"enum Kind is of the format binary: drop the format: Go has no constants of it"}},
		{"a cursor of date-time", walked("date-time"), nil},
		{
			"a cursor of local-time", walked("local-time"), []string{
				`"newest" of x-pagination is no text and no whole number: name one`, `"since" of x-pagination is no text and no whole number: name one`,
			},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.want == nil {
				if faults := faultsOf(tt.text, plan.Taken{}); len(faults) > 0 {
					t.Errorf("got %v, want no fault", faults)
				}
				return
			}
			checkFaults(t, tt.text, tt.want)
		})
	}
}
