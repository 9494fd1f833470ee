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
	got, err := wire.Encode(OpMediaUpload, &MediaUploadRequest{Type: "image", Media: wire.FileBytes("a.png", "image/png", []byte("png")), Title: new("t")})
	if err != nil || len(got.Files) != 1 || got.Files[0].Field != "media" || got.Files[0].Size != 3 || got.Form[0].Value != "t" || got.Query[0].Value != "image" {
		t.Errorf("sends %+v, %v", got, err)
	}
	if _, err := wire.Encode(OpMediaUpload, &MediaUploadRequest{Type: "image"}); err == nil || !strings.Contains(err.Error(), "media") {
		t.Errorf("got %v, want it to name media", err)
	}
	if OpMediaUpload.Timeout != 90*time.Second || OpMediaUpload.Tier != resilience.Bulk || OpMediaUpload.Group != "" {
		t.Errorf("policy %+v", OpMediaUpload)
	}
}
