package acme

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

const card = `{"kind":"card","version":10,"silent":true,"rate":0.5,"count":0,"none":"","zero":"0","text":"<a&b>","-":"m"}`

// TestConstantsInsideAreSent: nobody has to know the one value that a field can have, however deep it lies.
func TestConstantsInsideAreSent(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	one := Card{Text: "<a&b>", Minus: "m"}
	if err := s.Cards.Change(t.Context(), &CardsChangeRequest{Card: &one, Cards: []Card{one}}); err != nil {
		t.Fatal(err)
	}
	if got, want := string(only(t, fake).Body), `{"silent":true,"rate":1.5,"card":`+card+`,"cards":[`+card+`]}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
	if one.Kind != "" {
		t.Errorf("the caller's card was changed: %+v", one)
	}
	s, fake = connect(t, answer(`{"errcode":0}`))
	if err := s.Cards.Form(t.Context(), &CardsFormRequest{Card: &one}); err != nil {
		t.Fatal(err)
	}
	if got := only(t, fake).Params.Get("card"); got != card {
		t.Errorf("sent %s in a form, want %s", got, card)
	}
}

// TestConstantThatHasGrown: what the spec does not know yet can be sent, and is read as it is.
func TestConstantThatHasGrown(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0,"cards":[{"kind":"new","version":11,"-":"m"},{}],"-":"minus"}`))
	got, err := s.Cards.List(t.Context(), &CardsListRequest{Kind: "card"})
	if err != nil || got.Minus != "minus" || got.Cards[0].Kind != "new" || got.Cards[0].Version != 11 || got.Cards[0].Minus != "m" || got.Cards[1].Kind != "" {
		t.Errorf("got %+v, %v", got, err)
	}
	if call := only(t, fake); call.Query != "version=7&all=true&kind=card" {
		t.Errorf("asked %s", call.Query)
	}
	s, fake = connect(t, answer(`{"errcode":0}`))
	if err := s.Cards.Form(t.Context(), &CardsFormRequest{Card: &Card{Kind: "new", Text: "t", Minus: "m"}}); err != nil {
		t.Fatal(err)
	}
	if got := only(t, fake).Params.Get("card"); !strings.HasPrefix(got, `{"kind":"new","version":10,`) {
		t.Errorf("sent %s, want the kind that was set", got)
	}
}

// TestEmptyIsSent: a change that takes everything away is another than none.
func TestEmptyIsSent(t *testing.T) {
	for _, c := range []struct {
		name string
		req  CardsChangeRequest
		want string
	}{
		{"empty", CardsChangeRequest{Tags: []string{}, Names: map[string]string{}, Cards: []Card{}}, `,"cards":[],"tags":[],"names":{}`},
		{"unset", CardsChangeRequest{}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, fake := connect(t, answer(`{"errcode":0}`))
			if err := s.Cards.Change(t.Context(), &c.req); err != nil {
				t.Fatal(err)
			}
			if got, want := string(only(t, fake).Body), `{"silent":true,"rate":1.5`+c.want+`}`; got != want {
				t.Errorf("sent %s, want %s", got, want)
			}
		})
	}
}

// TestRequiredOfTheOnlyPart: an allOf of one schema may require more than that one does.
func TestRequiredOfTheOnlyPart(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	if _, err := s.Cards.Create(t.Context(), nil); !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"name"`) {
		t.Errorf("got %v, want that name is missing", err)
	}
	err := s.Cards.Change(t.Context(), &CardsChangeRequest{Thing: &CardsChangeRequestThing{Size: new(int64(1))}})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"thing.name"`) {
		t.Errorf("inside an object: got %v, want that thing.name is missing", err)
	}
	if n := fake.Log().Count(""); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
}

// TestRequiredBesideAConstant: an object that writes itself is looked at like every other.
func TestRequiredBesideAConstant(t *testing.T) {
	s, _ := connect(t, answer(`{"errcode":0}`))
	err := s.Cards.Form(t.Context(), &CardsFormRequest{Card: &Card{Minus: "m"}})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"card.text"`) || strings.Contains(err.Error(), "kind") {
		t.Errorf("got %v, want that card.text alone is missing", err)
	}
}

func TestCommas(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	at := wire.UnixTime{Time: time.Unix(5, 0)}
	day := wire.LocalTime{Time: time.Date(2026, 1, 1, 0, 0, 0, 0, time.FixedZone("", 8*60*60))}
	_, err := s.Cards.List(t.Context(), &CardsListRequest{
		Kind: "card", IDs: []wire.ID{"1", "2"}, XTags: []string{"a", "b"}, Times: []wire.UnixTime{at, at}, Days: []wire.LocalTime{day, day},
	})
	if err != nil {
		t.Fatal(err)
	}
	call := only(t, fake)
	if got := call.Params; got.Get("ids") != "1,2" || got.Get("times") != "5,5" || len(got["days"]) != 2 || got.Get("days") != "2026-01-01 00:00:00" {
		t.Errorf("asked %s", call.Query)
	}
	if got := call.Header.Get("X-Tags"); got != "a,b" {
		t.Errorf("tags: got %q", got)
	}
	_, err = s.Cards.List(t.Context(), &CardsListRequest{IDs: []wire.ID{"1", "2,3"}, XTags: []string{"a,b"}})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `entry 1 of list "ids"`) ||
		!strings.Contains(err.Error(), `entry 0 of list "X-Tags"`) || strings.Contains(err.Error(), "2,3") {
		t.Errorf("got %v, want that both lists hold a comma", err)
	}
}
