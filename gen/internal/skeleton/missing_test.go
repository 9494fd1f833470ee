package skeleton_test

import (
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/skeleton"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// lacking is a draft whose overlay has listUsers and lacks getUser.
func lacking(overlay string) *spec.Document {
	has := operation("listUsers", "GET", "/users")
	has.Given, has.Service, has.Method = true, spec.Text{Value: "Users"}, spec.Text{Value: "Get"}
	doc := document(has, operation("getUser", "GET", "/users/{id}"))
	doc.Overlay = []byte(overlay)
	return doc
}

// TestMissing prints the blocks that an overlay lacks, under names that it has not given, as deep as its own.
func TestMissing(t *testing.T) {
	const block = `
NAME# GET /users/{id} (dir/acme.yaml:7)
NAMEgetUser:
KEYSx-sdk: {service: Users, method: GetUser}
KEYSx-resilience: {scope: read, group: none, idempotent: true}
KEYSreview: "GET, taken for a read"
`
	for _, c := range []struct{ name, overlay, before, blanks, keys string }{
		{"as it is printed", "x-platform: acme\noperations:\n  listUsers:\n    skip: true\n", "", "  ", "    "},
		{"without an end of the line", "x-platform: acme\noperations:\n  listUsers: {skip: true}", "", "  ", "    "},
		{"four blanks", "x-platform: acme\noperations:\n    listUsers:\n        skip: true\n", "", "    ", "        "},
		{"one blank", "operations:\n listUsers: {skip: true}\n\n# the end", "", " ", "  "},
		{"all of it further in", "  x-platform: acme\n  operations:\n     listUsers: {skip: true}\n", "", "     ", "        "},
		{"no operations", "x-platform: acme\nserver: https://a.example", "\noperations:", "  ", "    "},
		{"operations of which none is there", "x-platform: acme\noperations: # the spec itself says all of its operations\n", "", "  ", "    "},
		{"a long text at the end", "operations:\n  listUsers:\n    review: |\n      so\n       it is\n", "", "  ", "    "},
	} {
		t.Run(c.name, func(t *testing.T) {
			text, sum, faults := skeleton.Missing(lacking(c.overlay), "o.yaml")
			want := c.before + strings.NewReplacer("NAME", c.blanks, "KEYS", c.keys).Replace(block)
			if text != want || sum.Operations != 1 || len(faults) > 0 {
				t.Errorf("got %d operations and %v:\n%s\nwant\n%s", sum.Operations, faults, text, want)
			}
			var whole struct{ Operations map[string]map[string]any }
			if err := yaml.Unmarshal([]byte(c.overlay+text), &whole); err != nil || len(whole.Operations["getUser"]) != 3 {
				t.Errorf("appended it is %v, %v", whole, err)
			}
		})
	}
	none := lacking("operations: {}")
	none.Operations = none.Operations[:1]
	if text, sum, faults := skeleton.Missing(none, "o.yaml"); text != "" || sum.Operations != 0 || len(faults) > 0 {
		t.Errorf("got %d operations and %v where none is missing:\n%s", sum.Operations, faults, text)
	}
}

// TestMissingOfWhatTakesNoMore: what cannot be appended is not printed, and the overlay's line says what to do.
func TestMissingOfWhatTakesNoMore(t *testing.T) {
	const blocks = "let it end with operations, and write each of them on lines of its own, with blanks before what it holds"
	for _, c := range []struct{ overlay, want string }{
		{"operations:\n  listUsers: {skip: true}\nx-platform: acme\n",
			"3: operations have to stand last for more to be appended, and x-platform follows: move it above operations"},
		{"x-platform: acme\noperations: {listUsers: {skip: true}}\n", "2: what the overlay ends with takes no more operations: " + blocks},
		{"x-platform: acme\noperations: {}\n", "2: what the overlay ends with takes no more operations: " + blocks},
		{"x-platform: acme\noperations:\n  listUsers: {skip: true}\n...\n", "2: what the overlay ends with takes no more operations: " + blocks},
		{"x-platform: acme\noperations:\n  listUsers:\n    review: |\n\n      a\n# x\n---\nmore: 1\n", "2: what the overlay ends with takes no more operations: " + blocks},
		{"x: &a {listUsers: {skip: true}}\noperations: *a\n", "2: what the overlay ends with takes no more operations: " + blocks},
		{"{x-platform: acme}", "1: the overlay is no block of YAML, to which more could be appended: " + blocks},
		{`{"x-platform": "acme", "operations": {"listUsers": {"skip": true}}}`, "1: the overlay is no block of YAML, to which more could be appended: " + blocks},
	} {
		text, _, faults := skeleton.Missing(lacking(c.overlay), "o.yaml")
		if got := fmt.Sprint(faults); text != "" || got != "[o.yaml:"+c.want+"]" {
			t.Errorf("%q: got %s with\n%s\nwant %s", c.overlay, got, text, c.want)
		}
	}
}

// TestMissingIsCounted: what an overlay lacks counts against what most calls of its scope do, or is marked where they do not tell.
func TestMissingIsCounted(t *testing.T) {
	const none = "group: none, idempotent: true}\n    review: "
	for _, c := range []struct {
		name   string
		groups []string // of the overlay
		reads  []string // groups of the reads that it has
		want   string
		odd    int
	}{
		{"no groups", nil, []string{"none", "none"}, none + `"GET, taken for a read"`, 0},
		{"all", []string{"all"}, []string{"all", "all"}, `group: all, idempotent: true}` + "\n    review: " +
			`"GET, taken for a read; group all guessed, that of 2 of 2 reads"`, 0},
		{"most", []string{"all", "few"}, []string{"few", "all", "none", "all", "all"}, `group: all, idempotent: true}` + "\n    review: " +
			`"GET, taken for a read; group all guessed, that of 3 of 5 reads"`, 0},
		{"most are not", []string{"all"}, []string{"none", "all", "none"}, none + `"GET, taken for a read; not counted, like 2 of 3 reads"`, 0},
		{"one each", []string{"all", "few"}, []string{"few", "all"},
			none + `"CHECK: GET, taken for a read; not counted, though others are: choose among the groups all, few, or leave none"`, 1},
		{"none of the scope", []string{"all"}, nil,
			none + `"CHECK: GET, taken for a read; not counted, though others are: choose among the groups all, or leave none"`, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			write := operation("write", "POST", "/w")
			write.Given, write.Scope, write.Group.Value = true, "write", "writes"
			ops := []*spec.Operation{write}
			for i, group := range c.reads {
				op := operation(fmt.Sprint("read", i), "GET", fmt.Sprint("/r/", i))
				op.Given, op.Scope, op.Group.Value = true, "read", group
				ops = append(ops, op)
			}
			doc := document(append(ops, operation("getUser", "GET", "/users/{id}"))...)
			for _, name := range c.groups {
				doc.Groups = append(doc.Groups, &spec.Group{Name: name})
			}
			doc.Overlay = []byte("operations:\n  write: {}\n")
			text, sum, faults := skeleton.Missing(doc, "o.yaml")
			if len(faults) > 0 || !strings.Contains(text, c.want+"\n") || sum.Odd != c.odd {
				t.Errorf("got %d marked and %v:\n%s\nwant %s", sum.Odd, faults, text, c.want)
			}
		})
	}
	doubtful := document(operation("searchUsers", "POST", "/users/search"))
	doubtful.Groups, doubtful.Overlay = []*spec.Group{{Name: "all"}}, []byte("operations:\n")
	text, sum, _ := skeleton.Missing(doubtful, "o.yaml")
	if strings.Count(text, "CHECK: ") != 1 || !strings.Contains(text, "; not counted, though others are") || sum.Odd != 1 {
		t.Errorf("two doubts are marked %d times:\n%s", sum.Odd, text)
	}
}
