package acme

import (
	"context"
	"io"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A caller answers from a list and keeps what it was asked.
type caller struct {
	bodies []string
	calls  []*resilience.Call
}

func canned(bodies ...string) *caller { return &caller{bodies: bodies} }

func (c *caller) Do(_ context.Context, call *resilience.Call) (*resilience.Response, error) {
	body := c.bodies[len(c.calls)]
	c.calls = append(c.calls, call)
	if call.Stream {
		return &resilience.Response{Status: http.StatusOK, Stream: io.NopCloser(strings.NewReader(body))}, nil
	}
	return &resilience.Response{Status: http.StatusOK, Body: []byte(body)}, nil
}

// Not every case needs every import.
var (
	_             = reflect.DeepEqual
	_             = time.Now
	_ wire.Caller = (*caller)(nil)
)

func TestBehaviour(t *testing.T) {
	c := canned("png")
	resp, err := newServices(c).Media.Get(t.Context(), &MediaGetRequest{ID: "k/1"})
	if err != nil || resp.Stream == nil || !c.calls[0].Stream {
		t.Fatalf("got %+v, %v, want a stream", resp, err)
	}
	if p := c.calls[0].Request.Path; len(p) != 1 || p[0].Value != "k/1" {
		t.Errorf("fills the path with %v", p)
	}
	if _, err := wire.Encode(OpMediaGet, nil); err != nil && !strings.Contains(err.Error(), "id") {
		t.Errorf("got %v", err)
	}
}
