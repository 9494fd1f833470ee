package acme

import "testing"

// TestOneType: what several files call otherwise is one type, which holds itself, and another of its name is another.
func TestOneType(t *testing.T) {
	s, _ := connect(t, answer(`[{"name":"a","friends":[{"name":"b"}],"pets":[{"owner":{"name":"c"},"twin":{}}],"account":{"other":"d"}}]`))
	all, err := s.Users.List(t.Context(), &UsersListRequest{Page: new(int64(2))})
	if err != nil {
		t.Fatal(err)
	}
	var user User = all[0]
	var friend User = user.Friends[0]
	var pet Pet = user.Pets[0]
	var owner User = pet.Owner.OrZero()
	var account CommonUser = user.Account.OrZero()
	if friend.Name != "b" || owner.Name != "c" || account.Other != "d" {
		t.Errorf("got %+v", user)
	}
	s, _ = connect(t, answer(`{"name":"e"}`))
	one, err := s.Users.Get(t.Context(), &UsersGetRequest{ID: 7})
	if err != nil || one.Name != "e" {
		t.Fatal(one, err)
	}
}
