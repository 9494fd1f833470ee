package wire_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
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

// Pages of a list whose length is said: what it says decides, as far as that can be.
func TestCountedPages(t *testing.T) {
	tests := []struct {
		name  string
		came  []int // items of each page; those behind are empty
		size  int
		total int
		asked int
	}{
		{"full pages", []int{2, 2, 1}, 2, 5, 3},
		{"the last is full", []int{2, 2}, 2, 4, 2},
		{"smaller than asked for", []int{2, 2, 1}, 100, 5, 3},
		{"larger than asked for", []int{3, 3}, 2, 6, 2},
		{"some are left out", []int{1, 0, 2}, 2, 6, 4},
		{"all of some pages are left out", []int{0, 0, 2}, 2, 6, 4},
		{"counted more than there are", []int{2}, 2, 9, 5},
		{"nothing is said", []int{2, 2}, 2, 0, 3},
		{"nothing is there", nil, 2, 0, 1},
		{"a size of 0", []int{1}, 0, 9, 2},
		{"a size below 0", []int{1}, -2, 9, 2},
		{"a size that fits into no number twice", []int{1}, math.MaxInt, math.MaxInt, 2},
		{"a total below 0", []int{1}, 2, -1, 2},
	}
	for _, tt := range tests {
		for _, first := range []int{0, 1} {
			t.Run(fmt.Sprint(tt.name, " from ", first), func(t *testing.T) {
				var want, asked []string
				got := walk(wire.CountedPages(t.Context(), first, func(_ context.Context, page int) (items []string, size, total int, err error) {
					asked = append(asked, fmt.Sprint(page))
					if n := page - first; n < len(tt.came) {
						for range tt.came[n] {
							items = append(items, fmt.Sprint("p", page))
						}
					}
					want = append(want, items...)
					if len(asked) > 10 {
						err = errors.New("endless")
					}
					return items, tt.size, tt.total, err
				}), 0)
				n := 0
				for _, came := range tt.came {
					n += came
				}
				if got != strings.Join(want, " ") || len(want) != n || len(asked) != tt.asked || asked[0] != fmt.Sprint(first) {
					t.Errorf("got %q by asking for %v, want %d items by %d requests from %d on", got, asked, n, tt.asked, first)
				}
			})
		}
	}
	ended := walk(wire.CountedPages(t.Context(), 1, func(_ context.Context, page int) ([]string, int, int, error) {
		return []string{"a", "b"}, 2, 9, map[int]error{2: errors.New("page 2")}[page]
	}), 0)
	if ended != "a b error:page 2" {
		t.Errorf("got %s, want the first page and the error", ended)
	}
}

func TestMore(t *testing.T) {
	for _, tt := range []struct {
		done, all int
		want      bool
	}{{1, 2, true}, {2, 2, false}, {3, 2, false}, {1, 0, true}, {1, -1, true}} {
		if got := wire.More(tt.done, tt.all); got != tt.want {
			t.Errorf("%d of %d: got %t, want %t", tt.done, tt.all, got, tt.want)
		}
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
