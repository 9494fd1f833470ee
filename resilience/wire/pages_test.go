package wire_test

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// walk collects items and errors as text and stops after limit of them.
func walk(seq iter.Seq2[string, error], limit int) string {
	var out []string
	for item, err := range seq {
		if err != nil {
			item += "error:" + err.Error()
		}
		out = append(out, item)
		if len(out) == limit {
			break
		}
	}
	return strings.Join(out, " ")
}

// circle is the error after a cursor x that came twice.
const circle = `error:the platform gave the cursor "x" twice: its pages go in a circle, and those behind are not read`

func TestPages(t *testing.T) {
	tests := []struct {
		name     string
		cursors  []string // what each page gives
		fail     int      // the page that fails, counted from 1
		limit    int
		items    string
		requests string
	}{
		{"until the cursor is empty", []string{"MTY+/3==", ""}, 0, 0, "1a 1b 2a 2b", ",MTY+/3=="},
		{"until the cursor is 0", []string{"7", "0"}, 0, 0, "1a 1b 2a 2b", ",7"},
		{"one page", []string{""}, 0, 0, "1a 1b", ""},
		{"until the cursor repeats", []string{"x", "x", "never"}, 0, 0, "1a 1b 2a 2b " + circle, ",x"},
		{"until an older cursor comes back", []string{"x", "y", "x", "never"}, 0, 0, "1a 1b 2a 2b 3a 3b " + circle, ",x,y"},
		{"enough before the cursor repeats", []string{"x", "x"}, 0, 4, "1a 1b 2a 2b", ",x"},
		{"until an error, once", []string{"x", "y", ""}, 2, 0, "1a 1b error:page 2", ",x"},
		{"until the caller has enough", []string{"x", "y"}, 0, 3, "1a 1b 2a", ",x"},
		{"no page before it is needed", []string{"x", "y"}, 0, 2, "1a 1b", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked []string
			seq := wire.Pages(t.Context(), func(_ context.Context, cursor string) ([]string, string, error) {
				asked = append(asked, cursor)
				n := len(asked)
				if n == tt.fail {
					return []string{"lost"}, "", fmt.Errorf("page %d", n)
				}
				return []string{fmt.Sprintf("%da", n), fmt.Sprintf("%db", n)}, tt.cursors[n-1], nil
			})
			if got := walk(seq, tt.limit); got != tt.items {
				t.Errorf("items: got %s, want %s", got, tt.items)
			}
			if got := strings.Join(asked, ","); got != tt.requests {
				t.Errorf("cursors asked for: got %q, want %q", got, tt.requests)
			}
			asked = nil
			if got := walk(seq, tt.limit); got != tt.items {
				t.Errorf("walked again: got %s, want %s", got, tt.items)
			}
		})
	}
}

// An empty page whose cursor is the one that was sent is a list's end for now; one that leads elsewhere is not.
func TestPagesThatAreEmpty(t *testing.T) {
	tests := []struct {
		name    string
		cursors []string // what each page gives; the second and third are empty
		items   string
		asked   int
	}{
		{"the cursor that was sent", []string{"x", "x", "never"}, "1", 2},
		{"another cursor", []string{"x", "y", "y", "never"}, "1", 3},
		{"an older cursor", []string{"x", "y", "x", "never"}, "1 " + circle, 3},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			asked := 0
			got := walk(wire.Pages(t.Context(), func(context.Context, string) (items []string, next string, err error) {
				asked++
				if asked == 1 || asked > 3 {
					items = []string{fmt.Sprint(asked)}
				}
				return items, tt.cursors[asked-1], nil
			}), 0)
			if got != tt.items || asked != tt.asked {
				t.Errorf("got %s in %d requests, want %s in %d", got, asked, tt.items, tt.asked)
			}
		})
	}
}

// The cursor on the wire, by a call that the spec does not know.
func TestCursorOnTheWire(t *testing.T) {
	op := &resilience.Operation{Platform: "acme", ID: "list", HTTPMethod: "GET", Path: "/list"}
	var sent []string
	for _, err := range wire.Pages(t.Context(), func(_ context.Context, cursor string) ([]int, string, error) {
		values := wire.Values{"q": "a&b=c#d"}
		if cursor != "" {
			values["cursor"] = cursor
		}
		req, err := wire.Encode(op, values)
		if err != nil {
			return nil, "", err
		}
		sent = append(sent, build(t, "https://api.example", op, &req).URL.RawQuery)
		return []int{1}, map[string]string{"": "MTY+/3=="}[cursor], nil
	}) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if got, want := strings.Join(sent, " "), "q=a%26b%3Dc%23d cursor=MTY%2B%2F3%3D%3D&q=a%26b%3Dc%23d"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestNumberedPages(t *testing.T) {
	tests := []struct {
		name  string
		sizes []int // items of each page
		fail  int
		limit int
		items string
		asked string
	}{
		{"until there are no more", []int{2, 1}, 0, 0, "1.0 1.1 2.0", "[1 2]"},
		{"until a page is empty", []int{1, 0, 1}, 0, 0, "1.0", "[1 2]"},
		{"until an error", []int{1, 1, 1}, 2, 0, "1.0 error:page 2", "[1 2]"},
		{"until the caller has enough", []int{2, 2}, 0, 2, "1.0 1.1", "[1]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var asked []int
			page := func(n int) ([]string, bool, error) {
				if n == tt.fail {
					return nil, true, fmt.Errorf("page %d", n)
				}
				var items []string
				for i := range tt.sizes[n-1] {
					items = append(items, fmt.Sprintf("%d.%d", n, i))
				}
				return items, n < len(tt.sizes), nil
			}
			got := walk(wire.NumberedPages(t.Context(), 1, func(_ context.Context, n int) ([]string, bool, error) {
				asked = append(asked, n)
				return page(n)
			}), tt.limit)
			if got != tt.items || fmt.Sprint(asked) != tt.asked {
				t.Errorf("got %s by asking for %v, want %s by %s", got, asked, tt.items, tt.asked)
			}
			var offsets []int
			got = walk(wire.Offsets(t.Context(), func(_ context.Context, offset int) ([]string, bool, error) {
				offsets = append(offsets, offset)
				return page(len(offsets))
			}), tt.limit)
			seen := 0
			for i, offset := range offsets {
				if offset != seen {
					t.Errorf("offset %d of request %d, want %d", offset, i, seen)
				}
				seen += tt.sizes[i]
			}
			if got != tt.items || len(offsets) != len(asked) {
				t.Errorf("by offset: got %s in %d requests, want %s in %d", got, len(offsets), tt.items, len(asked))
			}
		})
	}
}

func ExamplePages() {
	// A generated method walks over its pages in this way.
	pages := map[string][]string{"": {"a", "b"}, "c2": {"c"}}
	next := map[string]string{"": "c2"}
	all := wire.Pages(context.Background(), func(_ context.Context, cursor string) ([]string, string, error) {
		return pages[cursor], next[cursor], nil
	})
	for item, err := range all {
		fmt.Println(item, err)
	}
	// Output:
	// a <nil>
	// b <nil>
	// c <nil>
}
