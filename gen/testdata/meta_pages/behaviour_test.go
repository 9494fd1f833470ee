package acme

import (
	"fmt"
	"iter"
	"net/http"
	"strings"
	"testing"

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

// TestNoPageIsLost: the last page counts though what holds the end's mark is not there, in whatever way that is said.
func TestNoPageIsLost(t *testing.T) {
	for _, style := range []struct {
		name, more string
		walk       func(services) iter.Seq2[Item, error]
	}{
		{"cursor", `{"next":"c2"}`, func(s services) iter.Seq2[Item, error] { return s.Items.LinkedAll(t.Context(), nil) }},
		{"offset", `{"page":{"total":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.SkippedAll(t.Context(), nil) }},
		{"page by pages", `{"page":{"pages":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.NumberedAll(t.Context(), nil) }},
		{"page by total", `{"page":{"total":3}}`, func(s services) iter.Seq2[Item, error] { return s.Items.CountedAll(t.Context(), nil) }},
	} {
		for _, last := range []string{``, `,"meta":null`, `,"meta":{}`, `,"meta":[]`, `,"meta":""`, `,"meta":{"page":null}`, `,"meta":{"next":null}`} {
			t.Run(style.name+last, func(t *testing.T) {
				s, _ := connect(t, pages(`{"data":[{"id":1}],"meta":`+style.more+`}`, `{"data":[{"id":2}]`+last+`}`))
				if got := ids(style.walk(s)); got != "1 2" {
					t.Errorf("walked over %s, want 1 and 2", got)
				}
			})
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
