package acme

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

func at(second int) wire.DateTime {
	return wire.DateTime{Time: time.Date(2026, 1, 2, 3, 4, second, 500, time.FixedZone("", 8*60*60))}
}

func text(second int) string { return fmt.Sprintf("2026-01-02T03:04:%02d.0000005+08:00", second) }

// TestDatesAreSent: in the path, the query, headers, forms and JSON, alone and in lists; and what is left out is not sent.
func TestDatesAreSent(t *testing.T) {
	s, fake := connect(t, answer(`{}`))
	_, err := s.Visits.List(t.Context(), &VisitsListRequest{
		Since: at(1), Until: at(2), Due: at(3), At: []wire.DateTime{at(4), at(5)}, On: []wire.DateTime{at(6), at(7)}, Day: new("2026-01-02"),
		XSeen: at(8), XTimes: []wire.DateTime{at(9), at(10)}, Tier: new(TierSilver), XTier: new(TierBronze), Tiers: []Tier{TierBronze, "gold"},
		Season: new(Season20260301T000000Z),
	})
	if err != nil {
		t.Fatal(err)
	}
	call := only(t, fake)
	if want := "/visits/" + text(1); call.Path != want {
		t.Errorf("path: got %s, want %s", call.Path, want)
	}
	encoded := func(texts ...string) string {
		return strings.NewReplacer(":", "%3A", "+", "%2B", ",", "%2C").Replace(strings.Join(texts, ","))
	}
	want := "epoch=2026-01-01T00%3A00%3A00Z&until=" + encoded(text(2)) + "&due=" + encoded(text(3)) + "&at=" + encoded(text(4)) +
		"&at=" + encoded(text(5)) + "&on=" + encoded(text(6), text(7)) + "&day=2026-01-02&tier=silver&tiers=bronze%2Cgold&season=2026-03-01T00%3A00%3A00Z"
	if call.Query != want {
		t.Errorf("query: got\n%s, want\n%s", call.Query, want)
	}
	if seen, times := call.Header.Get("X-Seen"), call.Header.Get("X-Times"); seen != text(8) || times != text(9)+","+text(10) {
		t.Errorf("headers: got %q and %q", seen, times)
	}
	if got := call.Header.Get("X-Tier"); got != "bronze" {
		t.Errorf("X-Tier: got %q", got)
	}
}

func TestDatesInBodies(t *testing.T) {
	for _, tt := range []struct {
		name string
		put  VisitsPutRequest
		want string
	}{
		{"little", VisitsPutRequest{Start: at(1)}, `{"start":"` + text(1) + `","left":null}`},
		{
			"all", VisitsPutRequest{
				Start: at(1), End: at(2), Left: new(at(3)), Seen: []wire.DateTime{at(4)}, ByName: map[string]wire.DateTime{"a": at(5)}, Day: new("d"),
				Either: new("then"), Season: new(Season20260901T000000Z), Mood: new(""), Next: &VisitNext{At: at(6)},
			},
			`{"start":"` + text(1) + `","end":"` + text(2) + `","left":"` + text(3) + `","seen":["` + text(4) + `"],"byName":{"a":"` + text(5) +
				`"},"day":"d","either":"then","season":"2026-09-01T00:00:00Z","mood":"","next":{"at":"` + text(6) + `"}}`,
		},
	} {
		s, fake := connect(t, answer(`{}`))
		tt.put.Since = at(1)
		if err := s.Visits.Put(t.Context(), &tt.put); err != nil {
			t.Fatal(err)
		}
		if got := string(only(t, fake).Body); got != tt.want {
			t.Errorf("%s: got %s, want %s", tt.name, got, tt.want)
		}
	}
	s, fake := connect(t, answer(`"2026-01-02T03:04:05Z"`))
	got, err := s.Visits.Create(t.Context(), &VisitsCreateRequest{Start: at(1), Stops: []wire.DateTime{at(2), at(3)}, Tier: new(TierBronze)})
	if err != nil || got.Text() != "2026-01-02T03:04:05Z" {
		t.Errorf("got %v, %v", got, err)
	}
	if form := only(t, fake).Params; form.Get("start") != text(1) || form.Has("end") || form.Get("tier") != "bronze" ||
		!strings.Contains(fmt.Sprint(form["stops"]), text(3)) {
		t.Errorf("sent %v", form)
	}
}

// TestDatesThatAreMissing: a required date that is not set is refused before anything is sent.
func TestDatesThatAreMissing(t *testing.T) {
	s, fake := connect(t, answer(`{}`))
	_, err := s.Visits.List(t.Context(), nil)
	for _, name := range []string{`"since"`, `"due"`} {
		if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), name) {
			t.Errorf("got %v, want a refusal that names %s", err, name)
		}
	}
	if n := len(fake.Log().Calls("")); n != 0 {
		t.Errorf("%d calls were made", n)
	}
}

// TestDatesThatAreNone: one that is not set, or that cannot be written, is refused by its name wherever it would travel.
func TestDatesThatAreNone(t *testing.T) {
	late, none := wire.DateTime{Time: time.Date(12026, 1, 1, 0, 0, 0, 0, time.UTC)}, []wire.DateTime{at(1), {}}
	list := func(r VisitsListRequest) func(s services) error {
		r.Since, r.Due = cmp.Or(r.Since, at(1)), cmp.Or(r.Due, at(1))
		return func(s services) error { _, err := s.Visits.List(t.Context(), &r); return err }
	}
	put := func(r VisitsPutRequest) func(s services) error {
		r.Since, r.Start = at(1), at(1)
		return func(s services) error { return s.Visits.Put(t.Context(), &r) }
	}
	create := func(r VisitsCreateRequest) func(s services) error {
		r.Start = cmp.Or(r.Start, at(1))
		return func(s services) error { _, err := s.Visits.Create(t.Context(), &r); return err }
	}
	for want, call := range map[string]func(s services) error{
		`"since": the date 12026`:  list(VisitsListRequest{Since: late}),
		`"until": the date 12026`:  list(VisitsListRequest{Until: late}),
		`"due": the date 12026`:    list(VisitsListRequest{Due: late}),
		`"at": the date 12026`:     list(VisitsListRequest{At: []wire.DateTime{late}}),
		`"on": the date 12026`:     list(VisitsListRequest{On: []wire.DateTime{late}}),
		`"X-Seen": the date 12026`: list(VisitsListRequest{XSeen: late}),
		`"start": the date 12026`:  create(VisitsCreateRequest{Start: late}),
		`the date 12026`:           put(VisitsPutRequest{End: late}),
		`"at.1" is not set`:        list(VisitsListRequest{At: none}),
		`"on.1" is not set`:        list(VisitsListRequest{On: none}),
		`"X-Times.1" is not set`:   list(VisitsListRequest{XTimes: none}),
		`"stops.1" is not set`:     create(VisitsCreateRequest{Stops: none}),
		`"seen.1" is not set`:      put(VisitsPutRequest{Seen: none}),
		`"byName.a" is not set`:    put(VisitsPutRequest{ByName: map[string]wire.DateTime{"a": {}}}),
	} {
		s, fake := connect(t, answer(`{}`))
		if err := call(s); !errors.Is(err, resilience.ErrInvalidRequest) || strings.Count(err.Error(), want) != 1 || len(fake.Log().Calls("")) != 0 {
			t.Errorf("got %v, want a refusal for %s before anything is sent", err, want)
		}
	}
}

// TestDatesAreRead: however they are written, and one that cannot be read costs nothing but itself.
func TestDatesAreRead(t *testing.T) {
	s, _ := connect(t, answer(`{"start":"2026-01-02t03:04:05.25z","end":null,"left":"","seen":["2026-01-02 03:04:05+0800"],"byName":{"a":"soon"},`+
		`"day":"2026-01-02","either":"2026","season":"2027-01-01T00:00:00Z","next":{"at":"2026-01-02T03:04:05Z"}}`))
	var resp resilience.Response
	got, err := s.Visits.List(t.Context(), &VisitsListRequest{Since: at(1), Due: at(2)}, resilience.WithResponse(&resp))
	if err != nil {
		t.Fatal(err)
	}
	instant := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	if !got.Start.Equal(instant.Add(250*time.Millisecond)) || !got.End.IsZero() || !got.Left.IsZero() || !got.Next.OrZero().At.Equal(instant) ||
		len(got.Seen) != 1 || !got.Seen[0].Equal(instant.Add(-8*time.Hour)) || got.Day != "2026-01-02" || got.Season != "2027-01-01T00:00:00Z" {
		t.Errorf("got %+v", got)
	}
	if a := got.ByName["a"]; !a.IsZero() || a.Text() != "soon" || strings.Join(resp.Faults, " ") != "byName.a" {
		t.Errorf("got %v with the faults %v, want none, what was sent, and its path", a, resp.Faults)
	}
}

// TestDatesAsCursors: the newest of a page is where the next begins.
func TestDatesAsCursors(t *testing.T) {
	s, fake := connect(t, func(_ *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
		switch r.URL.Query().Get("since") {
		case "":
			return resiliencetest.Answer{Body: []byte(`{"events":[{"id":1}],"newest":"2026-01-02T03:04:05+08:00"}`)}
		case "2026-01-02T03:04:05+08:00":
			return resiliencetest.Answer{Body: []byte(`{"events":[{"id":2}],"newest":null}`)}
		default:
			return resiliencetest.Answer{Status: http.StatusBadRequest}
		}
	})
	var ids []int64
	for event, err := range s.Events.ListAll(t.Context(), &EventsListRequest{Tier: TierSilver}) {
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, event.ID)
	}
	if fmt.Sprint(ids) != "[1 2]" || fake.Log().Calls("")[0].Path != "/events/silver" {
		t.Errorf("walked over %v by %v, want 1 and 2", ids, fake.Log().Calls(""))
	}
}
