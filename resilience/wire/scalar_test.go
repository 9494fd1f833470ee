package wire_test

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/dujiang-go/dujiang/resilience/wire"
)

// reading is how a value is read by Decode, and by encoding/json where users keep answers themselves.
func reading[T comparable](t *testing.T, body string, want T, fault bool) {
	t.Helper()
	type holder struct {
		V    T   `json:"v"`
		Next int `json:"next"`
	}
	text := []byte(`{"v":` + body + `,"next":7}`)
	var got holder
	faults, err := wire.Decode(text, &got)
	if err != nil || got != (holder{want, 7}) || (len(faults) > 0) != fault {
		t.Errorf("Decode %s: got %+v with faults %q, %v, want %v and a fault: %v", body, got, faults, err, want, fault)
	}
	var plain holder
	if err := json.Unmarshal(text, &plain); err != nil || plain != (holder{want, 7}) {
		t.Errorf("json.Unmarshal %s: got %+v, %v, want %v", body, plain, err, want)
	}
}

func TestInt(t *testing.T) {
	for body, want := range map[string]wire.Int{
		`1698796800`: 1698796800, `"1698796800"`: 1698796800, `-1`: -1, `"-1"`: -1, `" 5 "`: 5, `"+5"`: 5, `""`: 0, `" "`: 0, `null`: 0,
		`5.0`: 5, `"5.00"`: 5, `1e3`: 1000, `9223372036854775807`: math.MaxInt64, `"-9223372036854775808"`: math.MinInt64,
		`5012345678901234567`: 5012345678901234567, `999999999999999999`: 999999999999999999,
	} {
		reading(t, body, want, false)
	}
	for _, body := range []string{
		`{}`, `[]`, `[1]`, `true`, `"x"`, `1.5`, `9223372036854775808`, `1e300`, `5.012345678901234567e18`, `"0x10"`, `"1_0"`, `"Inf"`, `"NaN"`,
	} {
		reading(t, body, wire.Int(0), true)
	}
}

func TestFloat(t *testing.T) {
	for body, want := range map[string]wire.Float{
		`10.5`: 10.5, `"10.5"`: 10.5, `"10"`: 10, `-0.25`: -0.25, `""`: 0, `null`: 0, `1e-3`: 0.001, `"1E3"`: 1000,
	} {
		reading(t, body, want, false)
	}
	for _, body := range []string{`{}`, `[]`, `true`, `"ten"`, `1e999`, `"Inf"`, `"NaN"`, `"0x1p4"`, `"1_0"`} {
		reading(t, body, wire.Float(0), true)
	}
}

func TestBool(t *testing.T) {
	for body, want := range map[string]wire.Bool{
		`true`: true, `"true"`: true, `"True"`: true, `1`: true, `"1"`: true,
		`false`: false, `"false"`: false, `0`: false, `"0"`: false, `null`: false, `""`: false,
	} {
		reading(t, body, want, false)
	}
	for _, body := range []string{`{}`, `[]`, `2`, `"yes"`, `-1`} {
		reading(t, body, wire.Bool(false), true)
	}
}

func TestString(t *testing.T) {
	for body, want := range map[string]wire.String{
		`"a"`: "a", `12.50`: "12.50", `5012345678901234567`: "5012345678901234567", `true`: "true", `false`: "false", `null`: "", `""`: "",
		`"\u4eca"`: "今", `"waitbuyerpay"`: "waitbuyerpay",
	} {
		reading(t, body, want, false)
	}
	for _, body := range []string{`{}`, `["a"]`} {
		reading(t, body, wire.String(""), true)
	}
}

func TestID(t *testing.T) {
	for body, want := range map[string]wire.ID{
		`5012345678901234567`: "5012345678901234567", `"5012345678901234567"`: "5012345678901234567", `"007"`: "007", `"TQ12"`: "TQ12",
		`0`: "0", `99999999999999999999999`: "99999999999999999999999", `null`: "", `""`: "",
	} {
		reading(t, body, want, false)
	}
	for _, body := range []string{`{}`, `[1]`, `true`} {
		reading(t, body, wire.ID(""), true)
	}
	if n, err := wire.ID("5012345678901234567").Int64(); n != 5012345678901234567 || err != nil {
		t.Errorf("got %d, %v", n, err)
	}
	for _, id := range []wire.ID{"", "TQ12", "99999999999999999999999", "1.0"} {
		if _, err := id.Int64(); err == nil {
			t.Errorf("%q as a number: got no error", id)
		}
	}
}

func TestCreatetimeChangesItsType(t *testing.T) {
	type follow struct {
		CreateTime wire.Int `json:"createtime"`
		Source     wire.Int `json:"source"`
	}
	for _, body := range []string{`{"createtime":1698796800,"source":1}`, `{"createtime":"1698796800","source":"1"}`} {
		if got := decode[follow](t, body); got != (follow{1698796800, 1}) {
			t.Errorf("%s: got %+v", body, got)
		}
	}
}

func TestTypesMarshalAsPlainValues(t *testing.T) {
	text, err := json.Marshal([]any{
		wire.Int(5012345678901234567), wire.Float(1.5), wire.Bool(true), wire.String("12.50"), wire.ID("5012345678901234567"),
		wire.Raw(`{"a":1}`), wire.Raw(nil), wire.List[int]{1}, wire.Maybe[int]{}, wire.Maybe[int]{Value: new(5)},
	})
	const want = `[5012345678901234567,1.5,true,"12.50","5012345678901234567",{"a":1},null,[1],null,5]`
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
	omitted, err := json.Marshal(struct {
		M wire.Maybe[int] `json:"m,omitzero"`
	}{})
	if err != nil || string(omitted) != `{}` {
		t.Errorf("got %s, %v, want {}", omitted, err)
	}
}
