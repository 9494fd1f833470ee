package acme

import (
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

func respondWith(status int, contentType, body string) respond {
	return func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		return resiliencetest.Answer{Status: status, ContentType: contentType, Body: []byte(body)}
	}
}

func TestBaseURL(t *testing.T) {
	if baseURL != "https://eu.shop.example/v1" {
		t.Errorf("got %s, want the https server with its variable filled in", baseURL)
	}
}

func TestList(t *testing.T) {
	s, fake := connect(t, answer(`{"items":[{"id":"1","price":1.5,"parent":{"id":"0"},"payment":{"coins":3},"lines":["a"]}],"next":null}`))
	got, err := s.Orders.List(t.Context(), &OrdersListRequest{
		State: []State{"open", StatePaid}, CreatedGte: new(int64(5)), Limit: new(int64(7)), XTrace: new("t1"),
	})
	if err != nil {
		t.Fatal(err)
	}
	order := got.Items[0]
	if *order.ID != "1" || *order.Price != 1.5 || *order.Parent.ID != "0" || *order.Payment.Coins != 3 || got.Next != "" {
		t.Errorf("got %+v", order)
	}
	call := only(t, fake)
	want := url.Values{"state": {"open,paid"}, "created[gte]": {"5"}, "limit": {"7"}}
	if !reflect.DeepEqual(call.Params, want) || call.Header.Get("X-Trace") != "t1" {
		t.Errorf("sent %v with %v, want %v", call.Params, call.Header, want)
	}
}

func TestCreate(t *testing.T) {
	s, fake := connect(t, answer(`{"id":"7"}`))
	got, err := s.Orders.Create(t.Context(), &OrdersCreateRequest{Note: new("<b>"), Lines: []string{"x"}})
	if err != nil || *got.ID != "7" {
		t.Fatal(got, err)
	}
	if body := string(only(t, fake).Body); body != `{"note":"<b>","lines":["x"]}` {
		t.Errorf("sent %s", body)
	}
}

// TestWholeBody: a list is the body itself, also an empty one.
func TestWholeBody(t *testing.T) {
	for _, c := range []struct {
		labels []string
		want   string
	}{{[]string{"a", "b"}, `["a","b"]`}, {[]string{}, `[]`}} {
		s, fake := connect(t, respondWith(http.StatusNoContent, "", ""))
		if err := s.Orders.SetLabels(t.Context(), &OrdersSetLabelsRequest{OrderID: "a/b", Body: c.labels}); err != nil {
			t.Fatal(err)
		}
		if call := only(t, fake); string(call.Body) != c.want {
			t.Errorf("sent %s, want %s", call.Body, c.want)
		}
	}
	s, _ := connect(t, respondWith(http.StatusNoContent, "", ""))
	if err := s.Orders.SetLabels(t.Context(), &OrdersSetLabelsRequest{OrderID: "a"}); err == nil {
		t.Error("a forgotten body was sent")
	}
}

// TestForm: lists repeat their name unless the spec says commas, and a deep object is written out.
func TestForm(t *testing.T) {
	s, fake := connect(t, answer(`[1,2]`))
	got, err := s.Orders.Search(t.Context(), &OrdersSearchRequest{
		Q: "x", Tags: []string{"a", "b,c"}, IDs: []int64{1, 2}, RangeFrom: new(int64(0)), RangeKinds: []string{"k", "l"},
	})
	if err != nil || len(got) != 2 {
		t.Fatal(got, err)
	}
	want := url.Values{"q": {"x"}, "tags": {"a", "b,c"}, "ids": {"1,2"}, "range[from]": {"0"}, "range[kinds][]": {"k", "l"}}
	if call := only(t, fake); !reflect.DeepEqual(call.Params, want) {
		t.Errorf("sent %v, want %v", call.Params, want)
	}
}

func TestFile(t *testing.T) {
	s, fake := connect(t, respondWith(http.StatusOK, "image/png", "png"))
	got, err := s.Files.Send(t.Context(), &FilesSendRequest{File: wire.FileBytes("a.png", "image/png", []byte("x")), Name: new("a")})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = got.Stream.Close() }()
	if call := only(t, fake); call.Params.Get("name") != "a" {
		t.Errorf("sent %v", call.Params)
	}
}
