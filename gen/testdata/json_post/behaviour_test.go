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
	got, err := wire.Encode(OpMessagesSend, &MessagesSendRequest{Touser: "u1", Agentid: 0, Safe: new(int64(0)), Text: &MessagesSendRequestText{Content: new("a&b <c>")}})
	if want := `{"touser":"u1","agentid":0,"safe":0,"text":{"content":"a&b <c>"}}`; err != nil || string(got.JSON) != want {
		t.Errorf("sends %s, %v, want %s", got.JSON, err, want)
	}
	got, err = wire.Encode(OpMessagesSend, &MessagesSendRequest{Touser: "u1"})
	if want := `{"touser":"u1","agentid":0}`; err != nil || string(got.JSON) != want {
		t.Errorf("sends %s, %v, want %s: what is not set is left out", got.JSON, err, want)
	}
	sent, err := newServices(canned(`{"errcode":0,"errmsg":"ok","msgid":12345678901234567890}`)).Messages.Send(t.Context(), &MessagesSendRequest{Touser: "u1"})
	if err != nil || sent.Msgid != "12345678901234567890" {
		t.Errorf("read %+v, %v", sent, err)
	}
	plain := http.Header{"Content-Type": {"text/plain"}}
	e := envelope()
	if v := e.Classify(OpMessagesSend, errorRules(), 200, plain, []byte(`{"errcode":40001,"errmsg":"invalid credential"}`), time.Now()); v.Rule.Class != resilience.TokenExpired || v.Code != CodeTokenExpired {
		t.Errorf("text/plain with a code is %+v, want token-expired", v)
	}
	if v := e.Classify(OpMessagesSend, errorRules(), 200, plain, []byte(`{"errcode":45009}`), time.Now()); v.Rule.Class != resilience.Throttled {
		t.Errorf("the operation's own row is %+v, want throttled", v)
	}
	if r := errorRules()["45009"]; r.Class != resilience.QuotaExhausted || r.Cools != resilience.CoolGroup || r.Reset != resilience.ResetDay {
		t.Errorf("45009 is %+v", r)
	}
}
