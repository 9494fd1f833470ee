package wire_test

import (
	"encoding/json"
	"testing"

	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/google/go-cmp/cmp"
)

func TestList(t *testing.T) {
	type holder struct {
		L wire.List[inner] `json:"l"`
	}
	one := wire.List[inner]{{A: 1}}
	for body, want := range map[string]wire.List[inner]{
		`[{"a":1}]`: one, `{"a":1}`: one, `[]`: {}, `{}`: nil, `{ }`: nil, `""`: nil, `null`: nil, `[{"a":1},{"b":"x"}]`: {{A: 1}, {B: "x"}},
	} {
		text := []byte(`{"l":` + body + `}`)
		var got, plain holder
		if faults, err := wire.Decode(text, &got); err != nil || faults != nil {
			t.Errorf("%s: faults %q, %v", body, faults, err)
		}
		if err := json.Unmarshal(text, &plain); err != nil {
			t.Errorf("%s: %v", body, err)
		}
		for _, h := range []holder{got, plain} {
			if diff := cmp.Diff(want, h.L); diff != "" {
				t.Errorf("%s (-want +got):\n%s", body, diff)
			}
		}
	}
	if got := decode[wire.List[wire.ID]](t, `5012345678901234567`); len(got) != 1 || got[0] != "5012345678901234567" {
		t.Errorf("a single id: got %v", got)
	}
	if got := decode[wire.List[string]](t, `["a",1]`); len(got) != 2 || got[1] != "1" {
		t.Errorf("texts: got %v", got)
	}
}

// Optional parts come in three spellings, and in a few more.
func TestMaybe(t *testing.T) {
	type status struct {
		ID wire.ID `json:"id"`
	}
	type person struct {
		ID        int64              `json:"id"`
		CreatedAt wire.RubyTime      `json:"created_at"`
		Status    wire.Maybe[status] `json:"status"`
		Geo       wire.Maybe[status] `json:"geo"`
	}
	const head = `{"id":1000000001,"created_at":"Wed Jan 04 18:36:27 +0800 2012","geo":null`
	for _, tail := range []string{`,"status":{}}`, `}`, `,"status":null}`, `,"status":[]}`, `,"status":""}`, `,"status":{ }}`} {
		got := decode[person](t, head+tail)
		if s, ok := got.Status.Get(); ok || s != nil {
			t.Errorf("%s: got the status %+v, want none", tail, s)
		}
		if got.ID != 1000000001 || got.CreatedAt.UTC().Format("2006-01-02T15:04:05Z") != "2012-01-04T10:36:27Z" {
			t.Errorf("%s: got %+v", tail, got)
		}
	}
	got := decode[person](t, head+`,"status":{"id":5012345678901234567}}`)
	if s, ok := got.Status.Get(); !ok || s.ID != "5012345678901234567" {
		t.Errorf("got the status %+v, want one", s)
	}
	var broken person
	faults, err := wire.Decode([]byte(head+`,"status":"gone"}`), &broken)
	if err != nil || len(faults) != 1 || faults[0] != "status" || broken.Status.Value != nil {
		t.Errorf("unreadable: got %+v with faults %q, %v, want none and a fault", broken.Status, faults, err)
	}
	if got := decode[wire.Maybe[int]](t, `0`); got.Value == nil || *got.Value != 0 {
		t.Error("0 is a value")
	}
	if got := [2]int{wire.OrZero(new(3)), wire.OrZero[int](nil)}; got != [2]int{3, 0} {
		t.Errorf("of 3 and of nothing: got %v, want 3 and 0", got)
	}
}

func TestRaw(t *testing.T) {
	body := []byte(`{"extra": {"n" : 5012345678901234567}}`)
	var got struct {
		Extra wire.Raw `json:"extra"`
		Gone  wire.Raw `json:"gone"`
	}
	if faults, err := wire.Decode(body, &got); err != nil || faults != nil {
		t.Fatal(faults, err)
	}
	clear(body) // a Raw must not live in the answer's own buffer
	if string(got.Extra) != `{"n" : 5012345678901234567}` || got.Gone != nil {
		t.Errorf("got %s and %v", got.Extra, got.Gone)
	}
}
