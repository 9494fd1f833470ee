package acme

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// TestSent: what alternatives say of one field is all possible, and what an allOf or a $ref says beside it holds together.
func TestSent(t *testing.T) {
	for _, c := range []struct {
		name string
		call func(s services) error
		want string
	}{
		{"an alternative", func(s services) error {
			return s.Pets.Create(t.Context(), &PetsCreateRequest{Kind: "cat", Name: "Tom", Colour: "grey", Lives: new(int64(9))})
		}, `{"kind":"cat","name":"Tom","lives":9,"colour":"grey"}`},
		{"an alternative inside", func(s services) error {
			return s.Owners.Create(t.Context(), &OwnersCreateRequest{Pet: &NewPet{Kind: "dog", Name: "Rex", Colour: "brown"}})
		}, `{"pet":{"kind":"dog","name":"Rex","colour":"brown"}}`},
		{"an alternative that is a field", func(s services) error {
			_, err := s.Parcels.Send(t.Context(), &ParcelsSendRequest{Package: &ParcelsSendRequestPackage{Kind: new("pickup"), Shop: new("s")}})
			return err
		}, `{"package":{"kind":"pickup","shop":"s"}}`},
		{"objects of one name", func(s services) error {
			user := &OrderEventDataOrUserEventData{Name: new("n"), Inner: &OrderEventDataOrUserEventDataInner{Data: &OrderEventDataOrUserEventData{Total: new("1")}}}
			return s.Events.Create(t.Context(), &EventsCreateRequest{Type: "user", Origin: "app", Data: user})
		}, `{"type":"user","origin":"app","data":{"name":"n","inner":{"data":{"total":"1"}}}}`},
		{"types that do not go together", func(s services) error {
			return s.Events.Create(t.Context(), &EventsCreateRequest{Type: "order", Origin: "app", Value: []string{"a"}, Marks: []string{"b"}, By: new(wire.String("me"))})
		}, `{"type":"order","origin":"app","value":["a"],"marks":["b"],"by":"me"}`},
		{"what limits a reference, and what parts of an allOf say together", func(s services) error {
			return s.Limits.Set(t.Context(), &LimitsSetRequest{Tags: []string{"a"}, More: []string{"b"}, At: wire.DateTime{Time: time.Unix(0, 0).UTC()}, Moods: []string{"good"}})
		}, `{"kind":"good","tags":["a"],"more":["b"],"text":"","note":null,"state":null,"at":"1970-01-01T00:00:00Z","moods":["good"]}`},
		{"a list that is an alternative", func(s services) error {
			return s.Labels.Set(t.Context(), &LabelsSetRequest{Body: []string{"new"}})
		}, `["new"]`},
		{"a map that is an alternative", func(s services) error {
			return s.Labels.Name(t.Context(), &LabelsNameRequest{Body: map[string]string{"any": "name"}})
		}, `{"any":"name"}`},
		{"beside a reference", func(s services) error {
			return s.Owners.Create(t.Context(), &OwnersCreateRequest{Dog: &Dog{Name: new("Rex")}})
		}, `{"dog":{"name":"Rex","mood":"good","barks":false}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, fake := connect(t, answer(`{}`))
			if err := c.call(s); err != nil {
				t.Fatal(err)
			}
			if got := string(only(t, fake).Body); got != c.want {
				t.Errorf("sent %s, want %s", got, c.want)
			}
		})
	}
}

// TestRequired: what holds itself has a type of its own where it must have more.
func TestRequired(t *testing.T) {
	s, _ := connect(t, answer(`{}`))
	err := s.Owners.Create(t.Context(), &OwnersCreateRequest{Tree: &Tree{Kids: []TreeKidsItem{{ID: "1", Kids: []TreeKidsItem{{}}}}}})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"tree.kids.0.kids.0.id"`) {
		t.Errorf("got %v, want that an id is missing", err)
	}
	for name, req := range map[string]*LimitsSetRequest{"tags": {More: []string{"b"}}, "more": {Tags: []string{"a"}}} {
		if err := s.Limits.Set(t.Context(), req); !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), fmt.Sprintf("%q", name)) {
			t.Errorf("got %v, want that %s must hold something", err, name)
		}
	}
}

// TestRead: a field of which two parts of an allOf speak holds what both say.
func TestRead(t *testing.T) {
	s, _ := connect(t, answer(`{"meta":{"id":"m","rev":2,"size":3},"state":"open","tags":{"x":{"name":"n","colour":"c"}},"rows":[{"a":"1","b":"2"}],"key":"k"}`))
	got, err := s.Documents.Get(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	meta, tag, row := got.Meta.OrZero(), got.Tags["x"], got.Rows[0]
	var size int64 = meta.Size
	if text := strings.Trim(fmt.Sprint([]any{meta.ID, meta.Rev, size, got.State, tag.Name, tag.Colour, row.A, row.B, string(got.Key)}), "[]"); text != `m 2 3 open n c 1 2 "k"` {
		t.Errorf("got %s", text)
	}
}

// TestAlternatives: entries of a list may be any of several objects, and an answer a table or JSON.
func TestAlternatives(t *testing.T) {
	s, _ := connect(t, answer(`{"sent":[{"kind":"express","number":"1"},{"kind":"pickup","shop":"s"}]}`))
	got, err := s.Parcels.Send(t.Context(), &ParcelsSendRequest{Package: &ParcelsSendRequestPackage{Kind: new("express")}})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Sent) != 2 || got.Sent[0].Number != "1" || got.Sent[1].Kind != "pickup" || got.Sent[1].Shop != "s" {
		t.Errorf("got %+v", got.Sent)
	}
	s, _ = connect(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		return resiliencetest.Answer{ContentType: "text/csv", Body: []byte("name,city")}
	})
	table, err := s.Parcels.Table(t.Context())
	if err != nil || table.JSON != nil {
		t.Fatalf("got %+v, %v, want a table", table, err)
	}
	defer table.Stream.Close()
	if text, err := io.ReadAll(table.Stream); err != nil || string(text) != "name,city" {
		t.Errorf("got %q, %v", text, err)
	}
	s, _ = connect(t, answer(`{"a":"no table today"}`))
	if row, err := s.Parcels.Table(t.Context()); err != nil || row.Stream != nil || row.JSON == nil || row.JSON.A != "no table today" {
		t.Errorf("got %+v, %v, want JSON", row, err)
	}
}
