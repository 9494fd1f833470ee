package acme

import (
	"encoding/json"
	"net/url"
	"reflect"
	"slices"
	"testing"
)

func TestEachNameHasItsField(t *testing.T) {
	const body = `{"name_clash":"a","NameClash":"b","nameClash":"c","type":"d","+1":1,"-1":2,"_":"e","1st":"f","名字":"g","sort":"-id","Sort":"new","client":{"id":"h"}}`
	var got X演示
	if err := json.Unmarshal([]byte(body), &got); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	var before, after map[string]any
	if json.Unmarshal([]byte(body), &before) != nil || json.Unmarshal(text, &after) != nil {
		t.Fatal("no JSON")
	}
	for name, want := range before {
		if !reflect.DeepEqual(after[name], want) {
			t.Errorf("%s: got %v, want %v", name, after[name], want)
		}
	}
}

func TestCalls(t *testing.T) {
	var ids []string
	for _, op := range Operations() {
		ids = append(ids, op.ID)
	}
	if want := []string{"3GPPFoo", "POST /users/{user.id}/3GPP-Foo", "查询"}; !slices.Equal(ids, want) {
		t.Errorf("got %q, want %q", ids, want)
	}
}

// TestPathAndQuery: one name in two places is two fields.
func TestPathAndQuery(t *testing.T) {
	s, fake := connect(t, answer(`{}`))
	_, err := s.Users.Foo(t.Context(), &UsersFooRequest{UserIDInPath: "a/b", UserIDInQuery: new("c"), Top: new("1"), FilterName: new("d"), Token: new("e")})
	if err != nil {
		t.Fatal(err)
	}
	call := only(t, fake)
	want := url.Values{"user.id": {"c"}, "$top": {"1"}, "filter[name]": {"d"}, "token": {"e"}}
	if !reflect.DeepEqual(call.Params, want) || call.Path != "/users/a/b/3GPP-Foo" && call.Path != "/users/a%2Fb/3GPP-Foo" {
		t.Errorf("sent %s with %v, want %v", call.Path, call.Params, want)
	}
	s, fake = connect(t, answer(`{}`))
	if err := s.Users.CreateFoo(t.Context(), &UsersCreateFooRequest{UserIDInPath: "a", UserIDInBody: new("b"), X_encode: new("c"), Type: new("d")}); err != nil {
		t.Fatal(err)
	}
	if body := string(only(t, fake).Body); body != `{"user.id":"b","encode":"c","type":"d"}` {
		t.Errorf("sent %s", body)
	}
}

// TestConstants: values that would give one name are told apart.
func TestConstants(t *testing.T) {
	values := []X_sort{X_sortID, X_sortMinusID, X_sortEmpty, X_sortBlank}
	if want := []X_sort{"id", "-id", "", " "}; !slices.Equal(values, want) {
		t.Errorf("got %q, want %q", values, want)
	}
}
