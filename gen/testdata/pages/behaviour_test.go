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
	got, err := wire.Encode(OpUsersList, &UsersListRequest{IDs: []int64{1, 2}})
	if want := []resilience.Param{{Name: "ids", Value: "1,2"}}; err != nil || !reflect.DeepEqual(got.Query, want) {
		t.Errorf("sends %v, %v, want %v and no cursor", got.Query, err, want)
	}
	pages := canned(`{"users":[{"id":1,"active":"true"}],"next_cursor":"MTY+/3=="}`, `{"users":[{"id":2}],"next_cursor":""}`)
	var ids []int64
	for user, err := range newServices(pages).Users.ListAll(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, user.ID)
	}
	if !reflect.DeepEqual(ids, []int64{1, 2}) {
		t.Errorf("walked over %v, want 1 and 2", ids)
	}
	if last := pages.calls[1].Request.Query; len(last) != 1 || last[0].Value != "MTY+/3==" {
		t.Errorf("the second page asked for %v", last)
	}
	if !OpUsersList.AnyAccount || !OpUsersList.Idempotent || OpUsersList.Scope != resilience.Read {
		t.Errorf("policy %+v", OpUsersList)
	}
}
