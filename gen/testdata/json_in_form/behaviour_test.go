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
	got, err := wire.Encode(OpOrdersCreate, &OrdersCreateRequest{
		Flow: "a&b", Cargo: []Cargo{{Offer: 9007199254740993}}, Address: &Address{Name: new("演示 <x>")}, Gift: new(false), Tags: []string{"a", "b"},
	})
	want := []resilience.Param{{Name: "flow", Value: "a&b"}, {Name: "cargo", Value: `[{"offer":9007199254740993}]`, JSON: true}, {Name: "address", Value: `{"name":"演示 <x>"}`, JSON: true}, {Name: "gift", Value: "false"}, {Name: "tags", Value: "a,b"}}
	if err != nil || !reflect.DeepEqual(got.Form, want) {
		t.Errorf("sends %v, %v, want %v", got.Form, err, want)
	}
	_, err = wire.Encode(OpOrdersCreate, &OrdersCreateRequest{})
	if err == nil || !strings.Contains(err.Error(), "flow") || !strings.Contains(err.Error(), "cargo") {
		t.Errorf("got %v, want it to name flow and cargo", err)
	}
	order, err := newServices(canned(`{"id":202512345678901234,"created":"20240101120000000+0800","parent":{}}`)).Orders.Create(t.Context(), &OrdersCreateRequest{Flow: "x", Cargo: []Cargo{{}}})
	if err != nil || order.ID != "202512345678901234" || order.Created.UTC().Hour() != 4 {
		t.Errorf("read %+v, %v", order, err)
	}
	if OpOrdersCreate.Idempotent || OpOrdersCreate.Scope != resilience.Write || OpOrdersCreate.Group != "all" || OpOrdersCreate.Auth != "user" {
		t.Errorf("policy %+v", OpOrdersCreate)
	}
}
