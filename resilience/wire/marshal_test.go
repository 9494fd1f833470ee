package wire_test

import (
	"encoding/json"
	"strings"
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

// A node writes itself, and may hold others of its kind in every way.
type node struct {
	Kind   string                 `json:"kind"`
	Parent *node                  `json:"parent,omitempty"`
	Kids   []*node                `json:"kids,omitempty"`
	Named  map[string]node        `json:"named,omitempty"`
	Any    any                    `json:"any,omitempty"`
	Maybe  wire.Maybe[node]       `json:"maybe,omitzero"`
	Plain  *branch                `json:"plain,omitempty"`
	Hidden *node                  `json:"-"`
	Times  []wire.Maybe[wire.Raw] `json:"times,omitempty"`
}

type branch struct {
	Nodes []node `json:"nodes"`
}

func (n node) MarshalJSON() ([]byte, error) {
	type plain node
	n.Kind = "n"
	return wire.Marshal(plain(n))
}

// TestMarshalOfWhatHoldsItself: an error, wherever the circle is, and whoever writes it. A stack that is full ends the program.
func TestMarshalOfWhatHoldsItself(t *testing.T) {
	for name, bend := range map[string]func(n *node){
		"a pointer":     func(n *node) { n.Parent = n },
		"a list":        func(n *node) { n.Kids = []*node{{}, n} },
		"a map":         func(n *node) { n.Named = map[string]node{"x": {Parent: n}} },
		"anything":      func(n *node) { n.Any = []any{n} },
		"what may be":   func(n *node) { n.Maybe.Value = n },
		"another type":  func(n *node) { n.Plain = &branch{Nodes: []node{{Parent: n}}} },
		"a long circle": func(n *node) { n.Parent = &node{Parent: &node{Any: &node{Parent: n}}} },
		"further down":  func(n *node) { n.Parent = &node{}; n.Parent.Parent = n.Parent },
	} {
		t.Run(name, func(t *testing.T) {
			n := new(node)
			bend(n)
			for _, v := range []any{n, []node{*n}, branch{Nodes: []node{*n}}, wire.Maybe[node]{Value: n}} {
				if _, err := json.Marshal(v); err == nil || !strings.Contains(err.Error(), "holds itself") {
					t.Errorf("%T: got %v, want an error", v, err)
				}
			}
			if _, err := wire.Encode(opBody, wire.JSON(n)); err == nil {
				t.Error("encoded")
			}
		})
	}
	n := &node{Any: map[string]any{"none": nil}, Maybe: wire.Maybe[node]{Value: &node{Kids: []*node{{}}}}}
	n.Hidden = n
	want := `{"kind":"n","any":{"none":null},"maybe":{"kind":"n","kids":[{"kind":"n"}]}}`
	if text, err := json.Marshal(n); err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}

// TestMarshalOfDeepValues: a deep value is no circle.
func TestMarshalOfDeepValues(t *testing.T) {
	n := new(node)
	for range 400 {
		n = &node{Parent: n}
	}
	if text, err := json.Marshal(n); err != nil || strings.Count(string(text), "kind") != 401 {
		t.Errorf("got %d bytes, %v", len(text), err)
	}
}
