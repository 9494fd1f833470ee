package wire_test

import (
	"testing"

	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A menu writes itself, as generated types with constants do.
type menu struct {
	Kind   string  `json:"kind"`
	Button *button `json:"button,omitempty"`
}

func (m menu) MarshalJSON() ([]byte, error) {
	type plain menu
	m.Kind = "<menu>"
	return wire.Marshal(plain(m))
}

// TestMarshal: a type that writes itself travels as every other, in forms too, where nothing takes escapes back.
func TestMarshal(t *testing.T) {
	req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
		e.JSON(menu{Button: &button{Name: "a&b"}})
		e.FormJSON("menu", menu{})
	}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(req.JSON), `{"kind":"<menu>","button":{"name":"a&b","url":""}}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := req.Form[0].Value, `{"kind":"<menu>"}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if _, err := wire.Marshal(func() {}); err == nil {
		t.Error("a function was written")
	}
}
