package acme

import (
	"net/url"
	"reflect"
	"testing"
)

func TestThing(t *testing.T) {
	s, fake := connect(t, answer(`{"id":1,"kind":"b","meta":{"x":"y"},"when":"now"}`))
	got, err := s.Things.Get(t.Context(), &ThingsGetRequest{
		ThingID: 5, Filter: &ThingsGetRequestFilter{A: new("b")}, IDs: new("1|2"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if got.Identity != 1 || got.Kind != "b" || got.Meta["x"] != "y" || got.When != "now" {
		t.Errorf("got %+v", got)
	}
	if want := (url.Values{"filter": {`{"a":"b"}`}, "ids": {"1|2"}}); !reflect.DeepEqual(only(t, fake).Params, want) {
		t.Errorf("sent %v, want %v", only(t, fake).Params, want)
	}
}
