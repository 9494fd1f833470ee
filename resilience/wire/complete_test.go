package wire_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

type order struct {
	ID      wire.ID          `json:"id" wire:"required"`
	Count   int64            `json:"count" wire:"required"`
	Gift    bool             `json:"gift,omitempty"`
	Address *place           `json:"address" wire:"required"`
	Billing *place           `json:"billing,omitempty"`
	Lines   []line           `json:"lines,omitempty" wire:"required"`
	Extra   any              `json:"extra" wire:"required"`
	Notes   map[string]line  `json:"notes,omitempty"`
	At      wire.DateTime    `json:"at" wire:"required"`
	Grid    [][]place        `json:"grid,omitempty"`
	Tags    map[string]int64 `json:"tags" wire:"required"`
	Parent  *order           `json:"parent,omitempty"`
	Hidden  string           `json:"-" wire:"required"`

	Seen []wire.DateTime            `json:"seen,omitzero"`
	Due  map[string][]wire.UnixTime `json:"due,omitzero"`
	Left []*wire.DateTime           `json:"left,omitzero"`
	None wire.DateTime              `json:"none,omitzero"`
}

type place struct {
	City   string `json:"city" wire:"required"`
	Street string `json:"street,omitempty"`
}

type line struct {
	SKU string `json:"sku" wire:"required"`
}

type nest []nest

type lists struct {
	Of nest `json:"of" wire:"required"`
}

// A completeness sends v under name.
type completeness struct {
	name string
	v    any
}

func (c completeness) Encode(e *wire.Encoder) { e.Complete(c.name, c.v) }

func whole() *order {
	var at wire.DateTime
	_ = at.UnmarshalText([]byte("2026-01-01T00:00:00Z"))
	return &order{
		ID: "1", Address: &place{City: "x"}, Lines: []line{{"a"}}, Extra: 0, At: at, Tags: map[string]int64{},
	}
}

func with(change func(o *order)) *order {
	o := whole()
	change(o)
	return o
}

func TestComplete(t *testing.T) {
	circle := whole()
	circle.Parent = circle
	deep := whole()
	deep.Parent = with(func(o *order) { o.Address.City = "" })
	tests := []struct {
		name    string
		v       any
		missing string
	}{
		{"all there", whole(), ""},
		{"nothing", nil, ""},
		{"a nil object", (*order)(nil), ""},
		{"an empty object", &order{}, "o.id o.address o.lines o.extra o.at o.tags"},
		{"what an object holds", with(func(o *order) { o.Address, o.Billing = &place{Street: "s"}, &place{} }), "o.address.city o.billing.city"},
		{"entries of a list", with(func(o *order) { o.Lines = []line{{"a"}, {}, {"c"}, {}} }), "o.lines.1.sku o.lines.3.sku"},
		{"an empty list", with(func(o *order) { o.Lines = []line{} }), "o.lines"},
		{"entries of a map, in their order", with(func(o *order) { o.Notes = map[string]line{"b": {}, "a": {}, "c": {"x"}} }), "o.notes.a.sku o.notes.b.sku"},
		{"lists of lists", with(func(o *order) { o.Grid = [][]place{{{City: "x"}}, nil, {{City: "x"}, {}}} }), "o.grid.2.1.city"},
		{"its own kind", deep, "o.parent.address.city"},
		{"a circle", circle, ""},
		{"dates that are none", with(func(o *order) {
			o.Seen, o.Left = []wire.DateTime{o.At, {}}, []*wire.DateTime{nil}
			o.Due = map[string][]wire.UnixTime{"b": {{}}, "a": {{Time: o.At.Time}, {}}}
		}), "o.seen.1 o.due.a.1 o.due.b.0"},
		{"a list of dates itself", []wire.DateTime{{}}, "o.0"},
		{"a list itself", []line{{}}, "o.0.sku"},
		{"a text", "x", ""},
		{"lists of themselves", lists{Of: nest{nest{}, nil}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := wire.Encode(&resilience.Operation{ID: "put"}, completeness{"o", tt.v})
			if (err != nil) != (tt.missing != "") || err != nil && !errors.Is(err, resilience.ErrInvalidRequest) {
				t.Fatalf("got %v, want a refusal for %q", err, tt.missing)
			}
			var got []string
			for path := range strings.FieldsSeq(tt.missing) {
				if strings.Contains(err.Error(), `required parameter "`+path+`" is not set`) {
					got = append(got, path)
				}
			}
			if strings.Join(got, " ") != tt.missing || err != nil && strings.Count(err.Error(), "is not set") != len(got) {
				t.Errorf("got %v, want exactly %s", err, tt.missing)
			}
		})
	}
}

// A long list of incomplete entries does not make a long error.
func TestCompleteNamesAFew(t *testing.T) {
	_, err := wire.Encode(&resilience.Operation{ID: "put"}, completeness{"", make([]line, 1000)})
	if err == nil || strings.Count(err.Error(), "is not set") != 20 || !strings.Contains(err.Error(), `"19.sku"`) {
		t.Errorf("got %v, want 20 of them", err)
	}
}
