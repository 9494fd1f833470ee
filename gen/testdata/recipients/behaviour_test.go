package acme

import (
	"context"
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
	return &resilience.Response{Status: http.StatusOK, Body: []byte(body)}, nil
}

func TestRecipients(t *testing.T) {
	kind := KindFriend
	for _, c := range []struct {
		name string
		op   *resilience.Operation
		req  wire.Params
		want []string
	}{
		{"a pipe-list", OpMessagesSend, &MessagesSendRequest{Touser: wire.Pipes{"u1", "u2"}, Content: "c"}, []string{"u1", "u2"}},
		{"a constant and a text", OpMessagesSubscribe, &MessagesSubscribeRequest{Owner: "o"}, []string{"all", "o"}},
		{"every place and type", OpMessagesSubscribe, &MessagesSubscribeRequest{
			OpenID: new("q"), Users: []string{"a", "b"}, IDs: []wire.ID{"1", "2"}, Friend: "f", Owner: "o", Kind: &kind, Nobody: new("n"),
		}, []string{"all", "q", "a", "b", "1", "2", "f", "o", "friend"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := wire.Encode(c.op, c.req)
			if err != nil || !reflect.DeepEqual(got.Recipients, c.want) {
				t.Errorf("got %v, %v, want %v", got.Recipients, err, c.want)
			}
		})
	}
}

func TestPipes(t *testing.T) {
	got, err := wire.Encode(OpMessagesSend, &MessagesSendRequest{Touser: wire.Pipes{"u1", "u2"}, Content: "c"})
	if want := `{"msgtype":"text","touser":"u1|u2","content":"c"}`; err != nil || string(got.JSON) != want {
		t.Errorf("sends %s, %v, want %s", got.JSON, err, want)
	}
	if _, err := wire.Encode(OpMessagesSend, &MessagesSendRequest{Toparty: wire.Pipes{"p"}, Content: "c"}); err == nil ||
		!strings.Contains(err.Error(), "touser") {
		t.Errorf("got %v, want that touser is missing", err)
	}
	c := canned(`{"invaliduser":"u1|u2","result":{"failed":[["a"],7,"b|c"]}}`, `"a|b"`)
	s := newServices(c).Messages
	sent, err := s.Send(t.Context(), &MessagesSendRequest{Touser: wire.Pipes{"u1"}, Content: "c"})
	if err != nil {
		t.Fatal(err)
	}
	failed := sent.Result.OrZero().Failed
	if want := []wire.Pipes{{"a"}, {"7"}, {"b", "c"}}; len(sent.Invaliduser) != 2 || !reflect.DeepEqual(failed, want) {
		t.Errorf("read %v and %v, want two and %v", sent.Invaliduser, failed, want)
	}
	if list, err := s.List(t.Context()); err != nil || len(list) != 2 || list[1] != "b" {
		t.Errorf("read %v, %v", list, err)
	}
}

func TestMarksOfOperations(t *testing.T) {
	if want := []string{"invaliduser", "result.failed"}; !reflect.DeepEqual(OpMessagesSend.Partial, want) {
		t.Errorf("got %v, want %v", OpMessagesSend.Partial, want)
	}
	if OpMessagesClear.Resets != resilience.ResetHour || OpMessagesSend.Resets != resilience.ResetLadder {
		t.Errorf("got %v and %v, want that the first alone gives the hour back", OpMessagesClear.Resets, OpMessagesSend.Resets)
	}
	e := envelope()
	body := []byte(`{"errcode":0,"invaliduser":"u2"}`)
	if v := e.Classify(OpMessagesSend, errorRules(), http.StatusOK, nil, body, time.Now()); v.Rule.Class != resilience.Partial {
		t.Errorf("an answer that names who got nothing is %v, want partial", v.Rule.Class)
	}
	send, other := quotas()["send"], quotas()["other"]
	if send[0].Key != resilience.PerRecipient || send[1].Key != resilience.PerApp || send[1].Apart || !other[0].Apart {
		t.Errorf("got %+v and %+v", send, other)
	}
}
