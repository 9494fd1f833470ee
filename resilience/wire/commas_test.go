package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

func TestCommas(t *testing.T) {
	for _, c := range []struct {
		name    string
		entries []string
		want    string // of the query, or of the error
		ok      bool
	}{
		{"several", []string{"a", "b", "1"}, "a,b,1", true},
		{"one", []string{"a"}, "a", true},
		{"an empty one between", []string{"a", "", "b"}, "a,,b", true},
		{"one with a comma", []string{"a", "s3cret,b"}, `entry 1 of list "ids" holds a comma`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) { e.Query("ids", e.Commas("ids", c.entries)) }))
			if c.ok {
				if err != nil || req.Query[0].Value != c.want {
					t.Errorf("got %v, %v, want %s", req.Query, err, c.want)
				}
				return
			}
			if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "s3cret") {
				t.Errorf("got %v, want %s and nothing of the entry", err, c.want)
			}
		})
	}
}
