package acme

import (
	"fmt"
	"iter"
	"math"
	"net/http"
	"strings"
	"testing"

	"example.com/stranger/meta_pages/acmetest"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// pages answers one body after another.
func pages(bodies ...string) respond {
	n := 0
	return func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		n++
		return resiliencetest.Answer{Body: []byte(bodies[n-1])}
	}
}

func ids(seq iter.Seq2[Item, error]) string {
	var out []string
	for item, err := range seq {
		if err != nil {
			return strings.Join(append(out, err.Error()), " ")
		}
		out = append(out, fmt.Sprint(item.ID))
	}
	return strings.Join(out, " ")
}

// TestNoPageIsLost: a page counts though what holds the end's mark is not there, in whatever way that is said.
func TestNoPageIsLost(t *testing.T) {
	for _, style := range []struct {
		name, more string
		walk       func(services) iter.Seq2[Item, error]
	}{
		{"cursor", `{"next":"c2"}`, func(s services) iter.Seq2[Item, error] { return s.Items.LinkedAll(t.Context(), nil) }},
		{"offset", `{"page":{"total":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.SkippedAll(t.Context(), nil) }},
		{"page by pages", `{"page":{"pages":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.NumberedAll(t.Context(), nil) }},
		{"page by total", `{"page":{"total":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.CountedAll(t.Context(), nil) }},
		{"page by total alone", `{"page":{"total":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.SummedAll(t.Context(), nil) }},
	} {
		for _, last := range []string{``, `,"meta":null`, `,"meta":{}`, `,"meta":[]`, `,"meta":""`, `,"meta":{"page":null}`, `,"meta":{"next":null}`} {
			t.Run(style.name+last, func(t *testing.T) {
				s, _ := connect(t, pages(`{"data":[{"id":1}],"meta":`+style.more+`}`, `{"data":[{"id":2}]`+last+`}`, `{"data":[]}`))
				if got := ids(style.walk(s)); got != "1 2" {
					t.Errorf("walked over %s, want 1 and 2", got)
				}
			})
		}
	}
}

// TestCountIsMissing: where the answers do not say how many there are, only an empty page is the end, and it is one in any case.
func TestCountIsMissing(t *testing.T) {
	for name, walk := range map[string]func(services) iter.Seq2[Item, error]{
		"offset":        func(s services) iter.Seq2[Item, error] { return s.Items.SkippedAll(t.Context(), nil) },
		"page by pages": func(s services) iter.Seq2[Item, error] { return s.Items.NumberedAll(t.Context(), nil) },
		"page by total": func(s services) iter.Seq2[Item, error] { return s.Items.CountedAll(t.Context(), nil) },
		"total alone":   func(s services) iter.Seq2[Item, error] { return s.Items.SummedAll(t.Context(), nil) },
		"page of zero":  func(s services) iter.Seq2[Item, error] { return s.Items.ZeroAll(t.Context(), nil) },
	} {
		for _, meta := range []string{`{}`, `{"page":{"total":0,"pages":0}}`, `{"page":{"total":-1,"pages":-1}}`} {
			s, fake := connect(t, pages(`{"data":[{"id":1},{"id":2}],"meta":`+meta+`}`, `{"data":[{"id":3}],"meta":`+meta+`}`, `{"data":[],"meta":`+meta+`}`))
			if got, n := ids(walk(s)), len(fake.Log().Calls("")); got != "1 2 3" || n != 3 {
				t.Errorf("%s with %s: walked over %s in %d calls, want 1 2 3 in 3", name, meta, got, n)
			}
		}
	}
}

// TestSmallPages: a platform gives less than it is asked for, and says how many there are.
func TestSmallPages(t *testing.T) {
	for _, size := range []int64{100, 0, -1, math.MaxInt64} {
		s, fake := connect(t, pages(`{"data":[{"id":1},{"id":2}],"meta":{"page":{"total":3}}}`, `{"data":[{"id":3}],"meta":{"page":{"total":3}}}`))
		if got, n := ids(s.Items.CountedAll(t.Context(), &ItemsCountedRequest{Size: new(size)})), len(fake.Log().Calls("")); got != "1 2 3" || n != 2 {
			t.Errorf("pages of %d: walked over %s in %d calls, want 1 2 3 in 2", size, got, n)
		}
		s, _ = connect(t, pages(`{"data":[{"id":1}],"meta":{"page":{"total":3}}}`, `{"data":[],"meta":{"page":{"total":3}}}`))
		if got := ids(s.Items.CountedAll(t.Context(), &ItemsCountedRequest{Size: new(size)})); got != "1" {
			t.Errorf("pages of %d, and a total that is too large: walked over %s, want 1", size, got)
		}
	}
}

// TestTotalAlone: as many entries as there are in all are the end, and so is an empty page.
func TestTotalAlone(t *testing.T) {
	const total = `,"meta":{"page":{"total":3}}}`
	for _, c := range []struct {
		bodies []string
		want   string
	}{
		{[]string{`{"data":[{"id":1},{"id":2}]` + total, `{"data":[{"id":3}]` + total}, "1 2 3"},
		{[]string{`{"data":[{"id":1}]` + total, `{"data":[]` + total}, "1"},
	} {
		s, fake := connect(t, pages(c.bodies...))
		if got, n := ids(s.Items.SummedAll(t.Context(), nil)), len(fake.Log().Calls("")); got != c.want || n != len(c.bodies) {
			t.Errorf("walked over %s in %d calls, want %s in %d", got, n, c.want, len(c.bodies))
		}
	}
}

// TestPagesOfZero: the first page has the number 0, and the last that of all pages less one.
func TestPagesOfZero(t *testing.T) {
	s, fake := connect(t, pages(`{"data":[{"id":1}],"meta":{"page":{"pages":2}}}`, `{"data":[{"id":2}],"meta":{"page":{"pages":2}}}`))
	if got := ids(s.Items.ZeroAll(t.Context(), nil)); got != "1 2" {
		t.Errorf("walked over %s, want 1 and 2", got)
	}
	if calls := fake.Log().Calls(""); len(calls) != 2 || calls[0].Query != "page=0" || calls[1].Query != "page=1" {
		t.Errorf("asked %v", calls)
	}
}

// TestWalksThroughTheFakeEnd: the generated fake finds the page wherever it is asked for, and says of no more than the spec's example shows.
func TestWalksThroughTheFakeEnd(t *testing.T) {
	srv := acmetest.NewServer()
	defer srv.Close()
	c, err := New(srv.Options()...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	for name, all := range map[string]iter.Seq2[Item, error]{
		"body": c.Items.AskedAll(t.Context(), nil), "form": c.Items.FormedAll(t.Context(), nil), "path": c.Items.SteppedAll(t.Context(), nil),
		"zero": c.Items.ZeroAll(t.Context(), nil), "query": c.Items.SkippedAll(t.Context(), nil),
		"cursor": c.Items.LinkedAll(t.Context(), nil), "pages": c.Items.NumberedAll(t.Context(), nil),
		"total": c.Items.CountedAll(t.Context(), nil),
	} {
		if got := ids(all); got != "7 8" {
			t.Errorf("%s: walked over %s, want 7 and 8", name, got)
		}
	}
}

// TestPageWithoutEntries: one whose entries are missing is empty, and the walk goes on where the platform says that there is more.
func TestPageWithoutEntries(t *testing.T) {
	s, _ := connect(t, pages(`{"box":{"items":[{"id":1}]},"meta":{"next":"c2"}}`, `{"box":null,"meta":{"next":"c3"}}`, `{"box":{"items":[{"id":3}]}}`))
	if got := ids(s.Items.InsideAll(t.Context(), nil)); got != "1 3" {
		t.Errorf("walked over %s, want 1 and 3", got)
	}
}

// TestCircleIsAnError: a cursor that comes back would end the walk as if all had been read.
func TestCircleIsAnError(t *testing.T) {
	page := `{"data":[{"id":1}],"meta":{"next":"c2"}}`
	s, fake := connect(t, pages(page, page))
	if got := ids(s.Items.LinkedAll(t.Context(), nil)); !strings.HasPrefix(got, "1 1 ") || !strings.Contains(got, `the cursor "c2" twice`) {
		t.Errorf("walked over %s, want 1, 1 and an error", got)
	}
	if n := len(fake.Log().Calls("")); n != 2 {
		t.Errorf("%d calls, want 2", n)
	}
}

// TestGivenCursor: a walk starts where the caller says, and leaves the caller's request alone.
func TestGivenCursor(t *testing.T) {
	s, fake := connect(t, pages(`{"data":[{"id":8}],"meta":{"next":"c9"}}`, `{"data":[{"id":9}]}`))
	req := &ItemsLinkedRequest{Cursor: new("c8")}
	if got := ids(s.Items.LinkedAll(t.Context(), req)); got != "8 9" || *req.Cursor != "c8" {
		t.Errorf("walked over %s and left %s, want 8 and 9, and c8", got, *req.Cursor)
	}
	if calls := fake.Log().Calls(""); calls[0].Query != "cursor=c8" || calls[1].Query != "cursor=c9" {
		t.Errorf("asked %s and %s", calls[0].Query, calls[1].Query)
	}
}
