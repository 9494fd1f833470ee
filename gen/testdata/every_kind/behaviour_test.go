package acme

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A caller answers from a list and keeps what it was asked.
type caller struct {
	bodies []string
	calls  []*resilience.Call
}

func (c *caller) Do(_ context.Context, call *resilience.Call) (*resilience.Response, error) {
	body := c.bodies[len(c.calls)]
	c.calls = append(c.calls, call)
	return &resilience.Response{Status: http.StatusOK, Body: []byte(body)}, nil
}

var at = time.Date(2024, 1, 1, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

func TestEverythingIsSent(t *testing.T) {
	got, err := wire.Encode(OpThingsGet, &ThingsGetRequest{
		Kind: KindMinusSmall, ID: 7, Type: new("a b"), Flags: []Level{LevelLow, LevelHigh}, Deep: &ThingsGetRequestDeep{A: new("<&>")},
		Level: new(LevelHigh), Rate: new(0.25), Safe: new(false), Since: wire.LocalTime{Time: at}, Until: wire.UnixTime{Time: at},
		Key: "K-1", Owner: "12345678901234567890",
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := []resilience.Param{{Name: "kind", Value: "-small"}, {Name: "id", Value: "7"}}; !reflect.DeepEqual(got.Path, want) {
		t.Errorf("path: got %v, want %v", got.Path, want)
	}
	want := []resilience.Param{
		{Name: "type", Value: "a b"}, {Name: "flags", Value: "1"}, {Name: "flags", Value: "2"},
		{Name: "deep", Value: `{"a":"<&>"}`}, {Name: "level", Value: "2"}, {Name: "rate", Value: "0.25"},
		{Name: "safe", Value: "false"}, {Name: "since", Value: "2024-01-01 12:00:00"}, {Name: "until", Value: "1704081600"},
		{Name: "key", Value: "K-1"}, {Name: "owner", Value: "12345678901234567890"},
	}
	if !reflect.DeepEqual(got.Query, want) {
		t.Errorf("query: got %v, want %v", got.Query, want)
	}
}

func TestWhatIsMissing(t *testing.T) {
	for _, c := range []struct {
		op   *resilience.Operation
		req  wire.Params
		want []string
	}{
		{OpThingsGet, (*ThingsGetRequest)(nil), []string{`"kind"`, `"since"`, `"owner"`}},
		{OpThingsList, (*ThingsListRequest)(nil), []string{`"query"`}},
		{OpThingsPut, &ThingsPutRequest{Tags: []string{}}, []string{`"name"`, `"tags"`, `"note"`}},
	} {
		_, err := wire.Encode(c.op, c.req)
		if !errors.Is(err, resilience.ErrInvalidRequest) {
			t.Fatalf("%s: got %v, want a refusal", c.op, err)
		}
		for _, name := range c.want {
			if !strings.Contains(err.Error(), name) {
				t.Errorf("%s: %v does not name %s", c.op, err, name)
			}
		}
	}
}

func TestBodyLeavesOutWhatIsNotSet(t *testing.T) {
	req := &ThingsPutRequest{Name: "n", Tags: []string{"a"}, Note: &Note{Text: "t"}}
	got, err := wire.Encode(OpThingsPut, req)
	if want := `{"name":"n","tags":["a"],"note":{"text":"t"}}`; err != nil || string(got.JSON) != want || got.Query != nil {
		t.Errorf("got %s, %v, %v, want %s", got.JSON, got.Query, err, want)
	}
	req.Safe, req.At, req.Extra, req.Dry = new(0), wire.CompactTime{Time: at}, false, new(true)
	req.Labels = map[string]int64{"x": 1}
	got, err = wire.Encode(OpThingsPut, req)
	want := `{"name":"n","tags":["a"],"note":{"text":"t"},"safe":0,"at":"20240101120000000+0800","extra":false,"labels":{"x":1}}`
	if err != nil || string(got.JSON) != want || len(got.Query) != 1 {
		t.Errorf("got %s, %v, %v, want %s", got.JSON, got.Query, err, want)
	}
}

const thing = `{"errcode":"0","id":12345678901234567890,"number":"5","price":"1.5","weight":2.5,"active":"true","sold":true,"name":"c",
"code":17,"key":"K-2","created":"Tue May 31 17:46:55 +0800 2011","changed":"2011-05-31 17:46:55","ended":"20110531174655000+0800",
"seen":"1306835215","kind":"brand new","part":{"id":"2"},"parts":{"id":3},"grid":[[1],[2,3]],"labels":["l"],"byName":{"x":{"id":4}},
"free":{"n":5012345678901234567},"size":{"width":6},"note":{"text":"t"},"type":"s","1st":"f","unknown":[1]}`

func TestEverythingIsRead(t *testing.T) {
	got, err := newServices(&caller{bodies: []string{thing}}).Things.Get(t.Context(), &ThingsGetRequest{
		Kind: Kind1688, ID: 1, Since: wire.LocalTime{Time: at}, Owner: "1",
	})
	if err != nil {
		t.Fatal(err)
	}
	part, ok := got.Part.Get()
	size, sized := got.Size.Get()
	if !ok || part.ID != "2" || !sized || size.Width != 6 || len(got.Parts) != 1 || got.Parts[0].ID != "3" || got.ByName["x"].ID != "4" {
		t.Errorf("parts: got %+v", got)
	}
	if _, ok := part.Part.Get(); ok {
		t.Error("a part that was not sent is there")
	}
	instant := time.Date(2011, 5, 31, 9, 46, 55, 0, time.UTC)
	for name, date := range map[string]time.Time{
		"created": got.Created.Time, "changed": got.Changed.Time, "ended": got.Ended.Time, "seen": got.Seen.Time,
	} {
		if !date.Equal(instant) {
			t.Errorf("%s: got %v, want %v", name, date, instant)
		}
	}
	if got.ID != "12345678901234567890" || got.Number != 5 || got.Price != 1.5 || got.Weight != 2.5 || !bool(got.Active) || !got.Sold ||
		got.Name != "c" || got.Code != "17" || got.Key.Reveal() != "K-2" || got.Kind != "brand new" || got.Sort != "s" || got.X1st != "f" {
		t.Errorf("got %+v", got)
	}
	if string(got.Free) != `{"n":5012345678901234567}` || got.Grid[1][1] != 3 || got.Labels[0] != "l" {
		t.Errorf("got %s, %v, %v", got.Free, got.Grid, got.Labels)
	}
	if text, err := json.Marshal(got); err != nil || strings.Contains(string(text), "K-2") || strings.Contains(string(text), `"part":null`) {
		t.Errorf("written again: %s, %v", text, err)
	}
}

func TestAnswersThatAreNoObjects(t *testing.T) {
	counts := newServices(&caller{bodies: []string{`"17"`, `{"a":["b"]}`}}).Counts
	if n, err := counts.Count(t.Context()); err != nil || n != 17 {
		t.Errorf("got %v, %v, want 17", n, err)
	}
	if tags, err := counts.Tags(t.Context()); err != nil || tags["a"][0] != "b" {
		t.Errorf("got %v, %v", tags, err)
	}
}

// TestPages: a page may be empty and not the last where the platform says how many there are, as long as more were due.
func TestPages(t *testing.T) {
	c := &caller{bodies: []string{
		`{"result":{"page":{"things":[{"id":1}],"total":5}}}`, `{"result":{"page":{"things":[],"total":5}}}`, `{"result":{"page":{"things":[{"id":2}],"total":5}}}`,
		`{"result":{"page":{"things":[],"total":5}}}`,
	}}
	asked := &Query{Word: new("w")}
	ids := walk(t, newServices(c).Things.ListAll(t.Context(), &ThingsListRequest{Query: asked}))
	if ids != "12" || len(c.calls) != 4 {
		t.Errorf("walked over %q in %d calls, want 12 in 4", ids, len(c.calls))
	}
	if got, want := c.calls[2].Request.Form[0].Value, `{"page":3,"size":2,"word":"w"}`; got != want {
		t.Errorf("the third page asked for %s, want %s", got, want)
	}
	if asked.Page != nil || asked.Size != nil {
		t.Errorf("the caller's request was changed: %+v", asked)
	}
	empty := &caller{bodies: []string{`{"result":{}}`}}
	if ids := walk(t, newServices(empty).Things.ListAll(t.Context(), nil)); ids != "" {
		t.Errorf("walked over %q, want nothing", ids)
	}
}

func TestOtherPages(t *testing.T) {
	c := &caller{bodies: []string{`{"things":[{"id":1},{"id":2}],"total":3}`, `{"things":[{"id":3}],"total":3}`}}
	if ids := walk(t, newServices(c).Things.ScrollAll(t.Context(), nil)); ids != "123" || c.calls[1].Request.Query[0].Value != "2" {
		t.Errorf("by offset: walked over %q", ids)
	}
	c = &caller{bodies: []string{`{"things":[{"id":1}],"total":9}`, `{"things":[{"id":2}],"total":0}`}}
	if ids := walk(t, newServices(c).Things.NextAll(t.Context(), nil)); ids != "12" || c.calls[0].Request.Query != nil ||
		c.calls[1].Request.Query[0].Value != "9" {
		t.Errorf("by cursor: walked over %q, asked %v", ids, c.calls[1].Request.Query)
	}
	c = &caller{bodies: []string{`{"things":[{"id":1}],"total":2}`, `{"things":[{"id":2}],"total":2}`}}
	if ids := walk(t, newServices(c).Things.NumberedAll(t.Context(), nil)); ids != "12" {
		t.Errorf("by number: walked over %q", ids)
	}
}

func walk(t *testing.T, things func(func(Thing, error) bool)) string {
	t.Helper()
	var ids strings.Builder
	for thing, err := range things {
		if err != nil {
			t.Fatal(err)
		}
		ids.WriteString(string(thing.ID))
	}
	return ids.String()
}

func TestTables(t *testing.T) {
	if n := len(Operations()); n != 8 {
		t.Errorf("%d operations, want 8", n)
	}
	want := resilience.Operation{
		Platform: "acme", ID: "things/get", Service: "Things", Method: "Get", HTTPMethod: "GET", Path: "/things/{app}/{kind}/{id}",
		Scope: resilience.Read, Group: "slow", Idempotent: true, Cost: 2, Auth: "app", Tier: resilience.Sync, Timeout: 90 * time.Second,
		Sensitive: true, Errors: map[string]resilience.Rule{"13": {Class: resilience.NotFound}},
	}
	if !reflect.DeepEqual(*OpThingsGet, want) {
		t.Errorf("got %+v, want %+v", *OpThingsGet, want)
	}
	for code, rule := range map[string]resilience.Rule{
		"":             {Class: resilience.UnknownOutcome},
		"4":            {Class: resilience.Throttled, Cools: resilience.CoolAccount},
		CodeHourIsOver: {Class: resilience.QuotaExhausted, Cools: resilience.CoolCredential, Reset: resilience.ResetHourThenDay},
		"6":            {Class: resilience.Penalized, Cool: 24 * time.Hour},
		"7":            {Class: resilience.SourceLimited, Cools: resilience.CoolSource, Reset: resilience.ResetHour},
		"15":           {Class: resilience.DuplicateContent, Cool: 90 * time.Second},
		"16":           {Class: resilience.Throttled, Cools: resilience.CoolNone, Reset: resilience.ResetMinute},
		"17": {Class: resilience.Throttled, Reset: resilience.ResetMinuteThenHour, Says: map[string]resilience.Rule{
			"second": {Class: resilience.Transient}, `one "day"`: {Class: resilience.QuotaExhausted, Cools: resilience.CoolGroup, Reset: resilience.ResetDay},
		}},
		"gw.*": {Class: resilience.Rejected},
	} {
		if got := errorRules()[code]; !reflect.DeepEqual(got, rule) {
			t.Errorf("code %q: got %+v, want %+v", code, got, rule)
		}
	}
	for _, windows := range quotas() {
		for _, w := range windows {
			if err := w.Validate(); err != nil {
				t.Error(err)
			}
		}
	}
	if day := quotas()["all"][1]; day.Per != 24*time.Hour || day.Offset != -8*time.Hour || !day.Aligned || day.Key != resilience.PerSource {
		t.Errorf("got %+v", day)
	}
	if e := envelope(); !reflect.DeepEqual(e, wire.Envelope{
		Code: []string{"errcode", "error"}, Subcode: []string{"sub"}, Message: []string{"errmsg"}, RequestID: []string{"rid"},
		RequestIDAfter: []string{"rid: ", "hint: ["}, Success: []string{"ok"}, Good: []string{"", "0"},
	}) {
		t.Errorf("got %+v", e)
	}
	if baseURL != "https://api.acme.example/v1" {
		t.Errorf("got %s", baseURL)
	}
}
