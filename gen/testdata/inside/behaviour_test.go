package acme

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

func address() *Address {
	return &Address{City: "c", Since: wire.DateTime{Time: time.Unix(0, 0).UTC()}, Country: &Country{Code: "CN"}, Codes: []string{"1"}}
}

func without(change func(a *Address)) *Address {
	a := address()
	change(a)
	return a
}

var quoted = regexp.MustCompile(`required parameter "([^"]*)"`)

// TestRequiredInside: what an object inside a request must have is looked at before anything is sent, and named by its path.
func TestRequiredInside(t *testing.T) {
	homeless := without(func(a *Address) { a.City, a.Parent = "", without(func(a *Address) { a.Country = nil }) })
	tests := []struct {
		name    string
		call    func(s services) error
		missing string
		sent    string // where nothing is missing
	}{
		{"all there", create(t, CustomersCreateRequest{Name: "n", Address: address()}), "", `{"name":"n","address":{"city":"c","door":"","floor":0,"lift":false,` +
			`"since":"1970-01-01T00:00:00Z","country":{"code":"CN"},"phone":null,"codes":["1"]}}`},
		{"no object", create(t, CustomersCreateRequest{Name: "n", Plain: &CustomersCreateRequestPlain{}}), "", `{"name":"n","plain":{}}`},
		{"an empty object", create(t, CustomersCreateRequest{Address: &Address{}}), "name address.city address.since address.country address.codes", ""},
		{"deeper", create(t, CustomersCreateRequest{Name: "n", Address: homeless}), "address.city address.parent.country", ""},
		{"in a list", create(t, CustomersCreateRequest{Name: "n", Homes: []Address{*address(), *homeless}}), "homes.1.city homes.1.parent.country", ""},
		{"in a map", create(t, CustomersCreateRequest{Name: "n", ByName: map[string]Address{"x": *homeless}}), "byName.x.city byName.x.parent.country", ""},
		{"in a form", func(s services) error { return s.Customers.Form(t.Context(), &CustomersFormRequest{Address: homeless}) },
			"address.city address.parent.country", ""},
		{"in a body that is a list", func(s services) error {
			_, err := s.Customers.CreateMany(t.Context(), &CustomersCreateManyRequest{Body: []Address{*homeless}})
			return err
		}, "0.city 0.parent.country", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s, fake := connect(t, answer(`{}`))
			err := tt.call(s)
			if tt.missing == "" {
				if err != nil || string(only(t, fake).Body) != tt.sent {
					t.Errorf("sent %s, %v, want %s", only(t, fake).Body, err, tt.sent)
				}
				return
			}
			var got []string
			for _, m := range quoted.FindAllStringSubmatch(fmt.Sprint(err), -1) {
				got = append(got, m[1])
			}
			if !errors.Is(err, resilience.ErrInvalidRequest) || strings.Join(got, " ") != tt.missing || len(fake.Log().Calls("")) != 0 {
				t.Errorf("got %v after %d calls, want a refusal for %s and no call", err, len(fake.Log().Calls("")), tt.missing)
			}
		})
	}
}

func create(t *testing.T, req CustomersCreateRequest) func(s services) error {
	return func(s services) error { return s.Customers.Create(t.Context(), &req) }
}
