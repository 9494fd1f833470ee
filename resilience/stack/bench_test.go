package stack_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A canned transport answers every request at once.
type canned struct{}

func (canned) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: http.StatusOK, Header: http.Header{"Content-Type": {"application/json"}},
		Body: io.NopCloser(strings.NewReader(`{"errcode":0,"errmsg":"ok","name":"demo"}`)), Request: r,
	}, nil
}

// BenchmarkCall is a whole typed call on a canned answer: encode, chain with two windows, in-flight cap, circuit, attempt time-out
// and departure trace, classify, decode.
func BenchmarkCall(b *testing.B) {
	s, err := stack.New(stack.Platform{
		Name: "bench", BaseURL: "https://api.example",
		Quotas:   map[string][]resilience.Window{"reads": {{Name: "minute", Limit: 1 << 30, Per: time.Minute}, {Name: "day", Limit: 1 << 30, Per: 24 * time.Hour}}},
		Envelope: wire.Envelope{Code: []string{"errcode"}, Message: []string{"errmsg"}, Good: []string{"0"}},
	}, stack.WithTransport(canned{}), stack.WithCredential(resilience.Credential{ID: "a", Account: "wall", Token: "t"}))
	if err != nil {
		b.Fatal(err)
	}
	defer func() { _ = s.Close() }()
	op := &resilience.Operation{Platform: "bench", ID: "user/info", HTTPMethod: "GET", Path: "/user/info", Scope: resilience.Read, Group: "reads", Auth: "user", Idempotent: true}
	type user struct {
		Name string `json:"name"`
	}
	ctx := context.Background()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire.Do[user](ctx, s, op, wire.Values{"openid": "o1"}, nil); err != nil {
			b.Fatal(errors.Unwrap(err), err)
		}
	}
}
