package spec_test

import (
	"maps"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

func TestProperties(t *testing.T) {
	text := func(name string, line int) spec.Text { return spec.Text{Value: name, Line: line} }
	own, base := &spec.Property{Name: "id", Line: 20}, &spec.Property{Name: "id", Line: 10}
	whole := &spec.Schema{
		Name: "Whole", AllOf: []*spec.Schema{{Ref: "Base"}, {Ref: "Whole"}}, Properties: []*spec.Property{own}, Required: []spec.Text{text("name", 21)},
	}
	doc := &spec.Document{Schemas: []*spec.Schema{
		{Name: "Base", Properties: []*spec.Property{base, {Name: "name", Line: 11}}, Required: []spec.Text{text("id", 12)}}, whole,
	}}
	props, required := doc.Properties(&spec.Schema{Ref: "Whole"})
	if len(props) != 2 || props[0] != own || props[1].Name != "name" {
		t.Errorf("got properties %v, want the object's own id in the place of its part's, then name", props)
	}
	if want := map[string]int{"id": 12, "name": 21}; !maps.Equal(required, want) {
		t.Errorf("got required %v, want %v", required, want)
	}
	if props, _ := doc.Properties(nil); props != nil {
		t.Errorf("got properties %v of nothing, want none", props)
	}
}

func TestWindowsOf(t *testing.T) {
	minute, day := &spec.Window{Name: "minute"}, &spec.Window{Name: "day"}
	doc := &spec.Document{Windows: []*spec.Window{minute, day}, Groups: []*spec.Group{
		{Name: "all", Windows: []spec.Text{{Value: "day"}, {Value: "minute"}}}, {Name: "free"},
	}}
	if got := doc.WindowsOf("all"); len(got) != 2 || got[0] != day || got[1] != minute {
		t.Errorf("got windows %v of the group, want them in the group's order", got)
	}
	for _, group := range []string{"free", spec.NoGroup} {
		if got := doc.WindowsOf(group); got != nil {
			t.Errorf("got windows %v of group %s, want none", got, group)
		}
	}
}
