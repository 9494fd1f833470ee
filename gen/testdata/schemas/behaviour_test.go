package acme

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

const tree = `{"name":"root","left":{"name":"l","left":{}},"children":[{"name":"a","children":[{"name":"aa"}]},{"name":"b"}],` +
	`"byName":{"x":{"name":"x"}},"byNames":{"y":[{"name":"y1"},{"name":"y2"}]},"owner":{"name":"o","trees":[{"name":"t","owner":{"name":"p"}}],` +
	`"friend":{"name":"f","friend":null}}}`

func TestTreesAreRead(t *testing.T) {
	s, _ := connect(t, answer(tree))
	got, err := s.Trees.Get(t.Context(), &TreesGetRequest{ID: "1"})
	if err != nil {
		t.Fatal(err)
	}
	left, owner := got.Left, got.Owner
	if left == nil || left.Name != "l" || len(got.Children) != 2 || got.Children[0].Children[0].Name != "aa" || got.ByName["x"].Name != "x" ||
		got.ByNames["y"][1].Name != "y2" || owner == nil || *owner.Trees[0].Owner.Name != "p" || *owner.Friend.Name != "f" {
		t.Errorf("got %+v", got)
	}
	if got.Parent != nil || owner.Friend.Friend != nil {
		t.Error("what was not sent is there")
	}
}

func TestTreesAreSent(t *testing.T) {
	s, fake := connect(t, answer(`{"id":3,"before":{"id":2,"before":{"id":1}}}`))
	saved, err := s.Trees.Put(t.Context(), &TreesPutRequest{
		ID: "1", Name: "root", Left: &Tree{Name: "l"}, Children: []Tree{{Name: "a"}}, ByNames: map[string][]Tree{"y": {{Name: "y1"}}},
		Owner: &Person{Trees: []Tree{{Name: "t"}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"root","left":{"name":"l"},"children":[{"name":"a"}],"byNames":{"y":[{"name":"y1"}]},"owner":{"trees":[{"name":"t"}]}}`
	if call := only(t, fake); string(call.Body) != want || call.Method != "PUT" || call.Path != "/trees/1" {
		t.Errorf("sent %s %s %s, want %s", call.Method, call.Path, call.Body, want)
	}
	before, ok := saved.Before.Get()
	if !ok || before.Before.OrZero().ID != "1" {
		t.Errorf("got %+v", saved)
	}
}

func TestMapsAndNamedLists(t *testing.T) {
	s, _ := connect(t, answer(`{"ann":{"name":"Ann","friend":{"name":"Bob"}},"bob":{}}`))
	people, err := s.People.List(t.Context())
	if err != nil || len(people) != 2 || *people["ann"].Name != "Ann" || *people["ann"].Friend.Name != "Bob" {
		t.Errorf("got %+v, %v", people, err)
	}
	s, _ = connect(t, answer(`["a","b"]`))
	if names, err := s.People.Names(t.Context()); err != nil || len(names) != 2 || names[1] != "b" {
		t.Errorf("got %v, %v", names, err)
	}
}

func TestAllOf(t *testing.T) {
	s, _ := connect(t, answer(`{"errcode":0,"errmsg":"ok","id":"u1","at":"2024-01-01 12:00:00","labels":{"a":"1","b":2},"deep":{"x":{"y":"z"}},"inner":{"id":7,"more":"m"}}`))
	got, err := s.People.User(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	inner := got.Inner.OrZero()
	if got.ID != "u1" || got.Errmsg != "ok" || got.At.UTC().Hour() != 4 || got.Labels["a"] != 1 || got.Labels["b"] != 2 ||
		got.Deep["x"]["y"] != "z" || inner.ID != 7 || inner.More != "m" {
		t.Errorf("got %+v", got)
	}
}

// TestRequiredInEachPart: what any part of an allOf requires is required.
func TestRequiredInEachPart(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	_, err := s.People.Patch(t.Context(), &PeoplePatchRequest{})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"name"`) {
		t.Errorf("got %v, want that name is missing", err)
	}
	if _, err := s.People.Patch(t.Context(), &PeoplePatchRequest{Name: "n"}); err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); string(call.Body) != `{"name":"n","age":0}` || call.Method != "PATCH" {
		t.Errorf("sent %s %s", call.Method, call.Body)
	}
}

// TestAnsweredAndSent: the entries of a list that is answered and sent are what is sent, though they have no name in the spec.
func TestAnsweredAndSent(t *testing.T) {
	s, fake := connect(t, answer(`{"members":[{"name":"n"},{"age":0}]}`))
	team, err := s.People.Members(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	err = s.People.SetMembers(t.Context(), &PeopleSetMembersRequest{Members: team.Members})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"members.1.name"`) {
		t.Errorf("got %v, want that a name is missing", err)
	}
	if err := s.People.SetMembers(t.Context(), &PeopleSetMembersRequest{Members: team.Members[:1]}); err != nil {
		t.Fatal(err)
	}
	if calls := fake.Log().Calls(""); string(calls[len(calls)-1].Body) != `{"members":[{"name":"n"}]}` {
		t.Errorf("sent %s", calls[len(calls)-1].Body)
	}
}

func TestNoContent(t *testing.T) {
	s, fake := connect(t, answer(""))
	fake.Fail("", resiliencetest.Fault{Status: http.StatusNoContent, Acted: true})
	if err := s.People.Delete(t.Context(), &PeopleDeleteRequest{UserID: "5"}); err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); call.Method != "DELETE" || call.Query != "user_id=5" || len(call.Body) != 0 {
		t.Errorf("sent %s %s with %q", call.Method, call.Query, call.Body)
	}
}
