package main

import (
	"bytes"
	"strings"
	"testing"
)

func TestRunListsEachKindOfDeclaration(t *testing.T) {
	want := []string{
		`type Color uint8`,
		`method (Color) String() string`,
		`var ErrNone error`,
		`const Green Color = 1`,
		`func Keys[K comparable, V any](m map[K]V) []K`,
		`const Name untyped string = "shapes"`,
		`type Option func(*Ring[int]) error`,
		`const Red Color = 0`,
		`type Ring[T any] struct`,
		"field Ring.Limit int `json:\"limit\"`",
		`field Ring.Reader io.Reader (embedded)`,
		`method (*Ring[T]) Push(x T, more ...T) (n int, err error)`,
		`type Store interface`,
		`method Store.Get(key string) (Ring[int], bool)`,
		`interface Store has unexported methods`,
		`interface Store embeds io.Closer`,
		`type Text = string`,
		`const Wait time.Duration = 3000000000`,
	}
	var out bytes.Buffer
	if err := run(t.Context(), &out, "testdata/shapes"); err != nil {
		t.Fatal(err)
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	for i := range max(len(got), len(want)) {
		var g, w string
		if i < len(got) {
			g = got[i]
		}
		if i < len(want) {
			w = ".ci/api/testdata/shapes: " + want[i]
		}
		if g != w {
			t.Errorf("line %d: got %q, want %q", i+1, g, w)
		}
	}
}

func TestRunSaysWhatDoesNotBuild(t *testing.T) {
	if err := run(t.Context(), &bytes.Buffer{}, t.TempDir()); err == nil {
		t.Error("got no error of a folder outside of any module")
	}
}
