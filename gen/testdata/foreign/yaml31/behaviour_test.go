package acme

import "testing"

func TestAnswer(t *testing.T) {
	s, _ := connect(t, answer(`{"id":12,"at":null,"place":{"city":"x"},"home":null,"size":1.5,"pair":["a",1],"parts":{"x1":2},"level":2,
		"colour":"blue","amount":3.5,"tree":[{"name":"a","below":[{"name":"b"}]}],"shape":{"city":"y","radius":2}}`))
	got, err := s.Events.Get(t.Context(), &EventsGetRequest{ID: "1"})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"text or number", string(got.ID), "12"},
		{"null date", got.At.IsZero() && got.At.Text() == "", true},
		{"$defs", got.Place.OrZero().City, "x"},
		{"null object", got.Home.Value == nil, true},
		{"integer or number", got.Size, 1.5},
		{"tuple", string(got.Pair[1]), "1"},
		{"map", got.Parts["x1"], int64(2)},
		{"enum without type", int64(got.Level), int64(2)},
		{"open enum", got.Colour, "blue"},
		{"choice of text and number", string(got.Amount), "3.5"},
		{"a list that holds itself", got.Tree[0].Below[0].Name, "b"},
		{"choice inside allOf", got.Shape.OrZero().Radius, 2.0},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestConstants: a const that is required is sent by itself; null, of an optional text, is nothing.
func TestConstants(t *testing.T) {
	s, fake := connect(t, answer(`{"a":1}`))
	got, err := s.Events.Change(t.Context(), &EventsChangeRequest{ID: "1", Weight: new(0.5), Either: true})
	if err != nil || string(got) != `{"a":1}` {
		t.Fatal(got, err)
	}
	if body := string(only(t, fake).Body); body != `{"kind":"event","weight":0.5,"either":true}` {
		t.Errorf("sent %s", body)
	}
}
