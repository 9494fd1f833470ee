package wire_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/google/go-cmp/cmp"
)

// A chain answers every call with the same and remembers the last one.
type chain struct {
	resp   *resilience.Response
	err    error
	call   *resilience.Call
	calls  int
	faults []string
}

func (c *chain) Do(_ context.Context, call *resilience.Call) (*resilience.Response, error) {
	c.call = call
	c.calls++
	if c.resp != nil && call.Response != nil {
		*call.Response = *c.resp
	}
	return c.resp, c.err
}

func (c *chain) DecodeFaults(_ *resilience.Call, resp *resilience.Response) { c.faults = resp.Faults }

func answering(body string) *chain {
	return &chain{resp: &resilience.Response{Status: 200, Body: []byte(body), Credential: "demo", RequestID: "r-1", Attempts: 1}}
}

var opCreate = &resilience.Operation{Platform: "acme", ID: "comments/create", HTTPMethod: "POST", Path: "/2/comments/create.json"}

type createRequest struct {
	Text string
	ID   int64
}

func (r *createRequest) Encode(e *wire.Encoder) {
	if r == nil {
		r = &createRequest{}
	}
	if r.Text == "" {
		e.Missing("comment")
	}
	if r.ID == 0 {
		e.Missing("id")
	}
	e.Form("comment", r.Text)
	e.Form("id", wire.Text(r.ID))
}

func TestDoSendsTheRequestAndReadsTheAnswer(t *testing.T) {
	c := answering(userJSON)
	got, err := wire.Do[user](t.Context(), c, opShow, &showRequest{UID: new(int64(1000000001)), ScreenName: "演示"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != 1000000001 || got.Location != "北京 朝阳区" || got.Province != 11 {
		t.Errorf("got %+v, want the user of the answer", got)
	}
	want := resilience.Request{Query: []resilience.Param{{Name: "uid", Value: "1000000001"}, {Name: "screen_name", Value: "演示"}}}
	if diff := cmp.Diff(want, c.call.Request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	if c.call.Op != opShow || c.call.Stream {
		t.Errorf("got the call %+v, want a plain one of the operation itself", c.call)
	}
}

func TestDoWithoutParameters(t *testing.T) {
	for name, req := range map[string]wire.Params{"nil request": (*showRequest)(nil), "no request": nil, "nil values": wire.Values(nil)} {
		t.Run(name, func(t *testing.T) {
			c := answering(`{}`)
			if _, err := wire.Do[user](t.Context(), c, opShow, req, nil); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(resilience.Request{}, c.call.Request); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestOptionsComeAfterTheRequest(t *testing.T) {
	c := answering(`{}`)
	var raw resilience.Response
	err := wire.Call(t.Context(), c, opCreate, &createRequest{Text: "hi", ID: 7}, nil, []resilience.CallOption{
		resilience.WithParam("rip", "203.0.113.9"), nil, resilience.WithAccount("wall"), resilience.WithResponse(&raw),
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []resilience.Param{{Name: "comment", Value: "hi"}, {Name: "id", Value: "7"}, {Name: "rip", Value: "203.0.113.9"}}
	if diff := cmp.Diff(want, c.call.Request.Form); diff != "" {
		t.Errorf("form (-want +got):\n%s", diff)
	}
	if c.call.Account != "wall" || raw.RequestID != "r-1" {
		t.Errorf("got account %q and request id %q, want wall and r-1", c.call.Account, raw.RequestID)
	}
}

// TestAParameterGoesWhereItBelongs: into the path where that has a place for it, once, and else where the method's parameters go.
func TestAParameterGoesWhereItBelongs(t *testing.T) {
	id := resilience.Param{Name: "id", Value: "7"}
	for name, tt := range map[string]struct {
		method, path string
		body         any
		filled       bool
		want         resilience.Request
	}{
		"path":                {"DELETE", "/users/{id}", nil, false, resilience.Request{Path: []resilience.Param{id}}},
		"path that is filled": {"DELETE", "/users/{id}", nil, true, resilience.Request{Path: []resilience.Param{id}, Query: []resilience.Param{id}}},
		"query of a DELETE":   {"DELETE", "/users", nil, false, resilience.Request{Query: []resilience.Param{id}}},
		"query of a GET":      {"GET", "/users", nil, false, resilience.Request{Query: []resilience.Param{id}}},
		"form of a PATCH":     {"PATCH", "/users", nil, false, resilience.Request{Form: []resilience.Param{id}}},
		"beside JSON": {"PATCH", "/users/{id}", map[string]any{"nick": nil}, false,
			resilience.Request{Path: []resilience.Param{id}, JSON: []byte(`{"nick":null}`)}},
	} {
		t.Run(name, func(t *testing.T) {
			op := &resilience.Operation{Platform: "acme", HTTPMethod: tt.method, Path: tt.path}
			var params wire.Params
			if tt.body != nil {
				params = wire.JSON(tt.body)
			}
			opts := []resilience.CallOption{resilience.WithParam("id", "7")}
			if tt.filled {
				opts = append(opts, opts[0])
			}
			c := answering(`{}`)
			if err := wire.Call(t.Context(), c, op, params, nil, opts); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, c.call.Request); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestFaultsOfTheCallerAreRefusedUnsent(t *testing.T) {
	tests := []struct {
		name string
		call func(c *chain) error
		says []string
	}{
		{"missing parameters", func(c *chain) error {
			return wire.Call(t.Context(), c, opCreate, &createRequest{}, nil, nil)
		}, []string{"acme: comments/create: ", `"comment" is not set`, `"id" is not set`}},
		{"nil request that has required parameters", func(c *chain) error {
			return wire.Call(t.Context(), c, opCreate, (*createRequest)(nil), nil, nil)
		}, []string{`"comment" is not set`}},
		{"nil operation", func(c *chain) error {
			return wire.Call(t.Context(), c, nil, nil, nil, nil)
		}, []string{"operation is nil"}},
		{"nil operation with values", func(c *chain) error {
			return wire.Call(t.Context(), c, nil, wire.Values{"a": "b"}, nil, nil)
		}, []string{"operation is nil"}},
		{"answer into no pointer", func(c *chain) error {
			return wire.Call(t.Context(), c, opCreate, &createRequest{Text: "hi", ID: 7}, user{}, nil)
		}, []string{"wire_test.user", "want a pointer"}},
		{"answer into a nil pointer", func(c *chain) error {
			return wire.Call(t.Context(), c, opCreate, &createRequest{Text: "hi", ID: 7}, (*user)(nil), nil)
		}, []string{"*wire_test.user", "want a pointer that is not nil"}},
		{"download with a missing parameter", func(c *chain) error {
			_, err := wire.Download(t.Context(), c, opCreate, &createRequest{}, nil)
			return err
		}, []string{`"comment" is not set`}},
		{"no client", func(*chain) error {
			return wire.Call(t.Context(), nil, opCreate, &createRequest{Text: "hi", ID: 7}, nil, nil)
		}, []string{"no client"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := answering(`{}`)
			err := tt.call(c)
			if _, ok := errors.AsType[*resilience.RefusedError](err); !ok || !errors.Is(err, resilience.ErrInvalidRequest) {
				t.Fatalf("got %v, want a RefusedError with ErrInvalidRequest", err)
			}
			for _, part := range tt.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, want it to say %q", err, part)
				}
			}
			if c.calls != 0 {
				t.Errorf("got %d calls, want none", c.calls)
			}
		})
	}
}

func TestErrorsOfTheChainComeThrough(t *testing.T) {
	want := errors.New("refused")
	c := &chain{err: want}
	if got, err := wire.Do[user](t.Context(), c, opShow, nil, nil); got != nil || !errors.Is(err, want) {
		t.Errorf("Do: got %v, %v, want the chain's error and no result", got, err)
	}
	if _, err := wire.Download(t.Context(), c, opShow, nil, nil); !errors.Is(err, want) {
		t.Errorf("Download: got %v, want the chain's error", err)
	}
	if _, err := wire.Do[user](t.Context(), &chain{}, opShow, nil, nil); err == nil {
		t.Error("a chain without an answer: got no error")
	}
}

func TestUnreadableFieldIsReportedAndTheRestSurvives(t *testing.T) {
	type follow struct {
		UserID     string   `json:"userid"`
		CreateTime wire.Int `json:"createtime"`
	}
	type answer struct {
		Code   wire.Int `json:"errcode"`
		Follow []follow `json:"follow_user"`
	}
	c := answering(`{"errcode":0,"follow_user":[{"userid":"demo1","createtime":{}}]}`)
	var raw resilience.Response
	got, err := wire.Do[answer](t.Context(), c, opShow, nil, []resilience.CallOption{resilience.WithResponse(&raw)})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(answer{Follow: []follow{{UserID: "demo1"}}}, *got); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	want := []string{"follow_user.0.createtime"}
	for name, faults := range map[string][]string{"response": raw.Faults, "observer": c.faults} {
		if diff := cmp.Diff(want, faults); diff != "" {
			t.Errorf("faults told to the %s (-want +got):\n%s", name, diff)
		}
	}
}

func TestAnswerOfAnotherShapeIsAnError(t *testing.T) {
	tests := []struct {
		name string
		op   *resilience.Operation
		body string
		want error
		says string
	}{
		{"list for an object, read", opShow, `[{"id":1}]`, resilience.ErrTransient, "a list of 1, want an object"},
		{"list for an object, write", opCreate, `[{"id":1}]`, resilience.ErrUnknownOutcome, "a list of 1, want an object"},
		{"cut", opShow, `{"id":1,"na`, resilience.ErrTransient, "not JSON at byte 8 of 11"},
		{"nothing", opShow, ``, resilience.ErrTransient, "not JSON"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wire.Do[user](t.Context(), answering(tt.body), tt.op, nil, nil)
			api, ok := errors.AsType[*resilience.APIError](err)
			if got != nil || !ok || !errors.Is(err, tt.want) {
				t.Fatalf("got %v, %v, want an APIError with %v", got, err, tt.want)
			}
			if api.Credential != "demo" || api.RequestID != "r-1" || api.Attempts != 1 || !strings.Contains(err.Error(), tt.says) {
				t.Errorf("got %+v: %v, want the answer's details and %q", api, err, tt.says)
			}
		})
	}
}

func TestAnswerWithoutContent(t *testing.T) {
	c := &chain{resp: &resilience.Response{Status: http.StatusNoContent}}
	if got, err := wire.Do[user](t.Context(), c, opShow, nil, nil); err != nil || got == nil {
		t.Errorf("204: got %v, %v, want an empty result", got, err)
	}
	if err := wire.Call(t.Context(), answering(`not JSON`), opShow, nil, nil, nil); err != nil {
		t.Errorf("an answer that nobody wants: got %v", err)
	}
}

func TestDownloadAsksForAStream(t *testing.T) {
	c := &chain{resp: &resilience.Response{Status: 200, Stream: io.NopCloser(strings.NewReader("amr"))}}
	resp, err := wire.Download(t.Context(), c, opShow, wire.Values{"media_id": "m1"}, nil)
	if err != nil || resp.Stream == nil || !c.call.Stream {
		t.Fatalf("got %v, %v with Stream %v, want a stream", resp, err, c.call.Stream)
	}
	if err := resp.Stream.Close(); err != nil {
		t.Error(err)
	}
}
