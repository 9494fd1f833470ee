package acme

import (
	"context"
	"net/http"
	"reflect"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
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
	return &resilience.Response{Status: http.StatusOK, Body: []byte(body)}, nil
}

func TestWhatIsSent(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(ctx context.Context, s services) error
		want resilience.Request
	}{
		{"a constant in the query", func(ctx context.Context, s services) error {
			_, err := s.Tokens.Get(ctx)
			return err
		}, resilience.Request{Query: []resilience.Param{{Name: "grant_type", Value: "client_credential"}}}},
		{"constants in a body without anything else", func(ctx context.Context, s services) error {
			_, err := s.Tokens.Stable(ctx, nil)
			return err
		}, resilience.Request{JSON: []byte(`{"grant_type":"a&b <c>","version":2}`)}},
		{"constants beside what the caller gives", func(ctx context.Context, s services) error {
			_, err := s.Tokens.Stable(ctx, &TokensStableRequest{ForceRefresh: new(true), Kind: new("plain")})
			return err
		}, resilience.Request{JSON: []byte(`{"grant_type":"a&b <c>","version":2,"force_refresh":true,"kind":"plain"}`)}},
		{"constants where a caller gives nothing", func(ctx context.Context, s services) error {
			_, err := s.Tokens.Fixed(ctx)
			return err
		}, resilience.Request{Query: []resilience.Param{{Name: "v", Value: "3"}}, JSON: []byte(`{"grant_type":"client_credential"}`)}},
		{"constants in path and form", func(ctx context.Context, s services) error {
			return s.Sessions.Open(ctx, &SessionsOpenRequest{JsCode: "c"})
		}, resilience.Request{
			Path: []resilience.Param{{Name: "version", Value: "v2"}},
			Form: []resilience.Param{{Name: "grant_type", Value: "authorization_code"}, {Name: "js_code", Value: "c"}},
		}},
		{"a body without properties", func(ctx context.Context, s services) error {
			return s.Sessions.Domains(ctx)
		}, resilience.Request{JSON: []byte(`{}`)}},
		{"a body that the credential fills", func(ctx context.Context, s services) error {
			return s.Sessions.Clear(ctx)
		}, resilience.Request{JSON: []byte(`{}`)}},
		{"an empty body beside the query", func(ctx context.Context, s services) error {
			return s.Sessions.Page(ctx, &SessionsPageRequest{Page: 2})
		}, resilience.Request{Query: []resilience.Param{{Name: "page", Value: "2"}}, JSON: []byte(`{}`)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			to := canned(`{"errcode":0}`)
			if err := c.call(t.Context(), newServices(to)); err != nil {
				t.Fatal(err)
			}
			if got := to.calls[0].Request; !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v with the body %s, want %+v with %s", got, got.JSON, c.want, c.want.JSON)
			}
		})
	}
}

func TestWhatTheCredentialGives(t *testing.T) {
	for op, want := range map[*resilience.Operation][]string{
		OpTokensGet: {"appid", "secret"}, OpTokensStable: {"appid", "secret"}, OpTokensFixed: nil, OpSessionsOpen: {"agent"},
		OpSessionsClear: {"appid"},
	} {
		if !reflect.DeepEqual(op.FromCredential, want) {
			t.Errorf("%s: got %v, want %v", op, op.FromCredential, want)
		}
	}
	if OpSessionsClear.Resets != resilience.ResetDay {
		t.Errorf("got %v, want what gives the day back", OpSessionsClear.Resets)
	}
}

func TestWindowOfEachCall(t *testing.T) {
	if w := quotas()["token"][0]; w.Key != resilience.PerApp || !w.Apart || w.Validate() != nil {
		t.Errorf("got %+v", w)
	}
}
