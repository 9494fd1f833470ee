package wire_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/google/go-cmp/cmp"
)

type params func(e *wire.Encoder)

func (p params) Encode(e *wire.Encoder) { p(e) }

// pairs makes parameters of names and values in turn.
func pairs(text ...string) []resilience.Param {
	var out []resilience.Param
	for i := 0; i < len(text); i += 2 {
		out = append(out, resilience.Param{Name: text[i], Value: text[i+1]})
	}
	return out
}

type button struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

func TestJSONStaysAsItIs(t *testing.T) {
	menu := button{Name: "今日<新>", URL: "https://shop.example/?a=1&b=2"}
	req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
		e.JSON(menu)
		e.QueryJSON("q", menu)
		e.FormJSON("f", []int64{5012345678901234567})
	}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"name":"今日<新>","url":"https://shop.example/?a=1&b=2"}`
	if got := string(req.JSON); got != want {
		t.Errorf("body: got %s, want %s", got, want)
	}
	if got := req.Query[0].Value; got != want {
		t.Errorf("query: got %s, want %s", got, want)
	}
	if got, want := req.Form[0].Value, "[5012345678901234567]"; got != want {
		t.Errorf("form: got %s, want %s", got, want)
	}
}

// TestAnythingInAForm: where any value may be given, a text is not JSON, whatever it holds.
func TestAnythingInAForm(t *testing.T) {
	for _, tt := range []struct {
		value any
		want  resilience.Param
	}{
		{"now", resilience.Param{Name: "v", Value: "now"}},
		{`{"a":1}`, resilience.Param{Name: "v", Value: `{"a":1}`}},
		{"", resilience.Param{Name: "v"}},
		{"\x00\"<\\", resilience.Param{Name: "v", Value: "\x00\"<\\"}},
		{json.RawMessage(`"x"`), resilience.Param{Name: "v", Value: "x"}},
		{7, resilience.Param{Name: "v", Value: "7", JSON: true}},
		{[]string{"now"}, resilience.Param{Name: "v", Value: `["now"]`, JSON: true}},
		{map[string]any{"a": "b"}, resilience.Param{Name: "v", Value: `{"a":"b"}`, JSON: true}},
	} {
		req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
			e.FormJSON("v", tt.value)
			e.QueryJSON("q", tt.value)
		}))
		if err != nil || req.Form[0] != tt.want || req.Query[0].Value != tt.want.Value {
			t.Errorf("%#v: got %+v and %+v, %v, want %+v", tt.value, req.Form, req.Query, err, tt.want)
		}
	}
}

func TestEncoderNamesEveryFault(t *testing.T) {
	_, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
		e.Missing("status")
		e.Path("appKey", "")
		e.Path("version", "..")
		e.FormJSON("rate", math.NaN())
		e.JSON(func() {})
		e.File("pic", &wire.File{Name: "a.png"})
		e.File("nothing", nil)
	}))
	if !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Fatalf("got %v, want ErrInvalidRequest", err)
	}
	for _, part := range []string{
		`"status" is not set`, `"appKey" is empty`, `"version" is ".."`, `"rate" cannot be written as JSON`, `"body" cannot be written`,
		`file "pic" has no content`,
	} {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want it to say %q", err, part)
		}
	}
	if strings.Contains(err.Error(), "nothing") {
		t.Errorf("got %v, want no fault for a file that is not set", err)
	}
}

// TestReveal: a secret travels as it is, and the request says that it is one.
func TestReveal(t *testing.T) {
	req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
		e.Header("X-Key", e.Reveal("s3cret"))
		e.Query("none", e.Reveal(""))
	}))
	if err != nil || req.Header[0].Value != "s3cret" || req.Query[0].Value != "" || !slices.Equal(req.Secrets, []resilience.Secret{"s3cret"}) {
		t.Errorf("got %+v, %v", req, err)
	}
	if shown := fmt.Sprint(req.Secrets); strings.Contains(shown, "s3cret") {
		t.Errorf("shown as %s", shown)
	}
}

func TestParametersKeepTheirOrderAndDoNotShareRoom(t *testing.T) {
	c := answering(`{}`)
	var query, form []resilience.Param
	req := params(func(e *wire.Encoder) {
		for _, name := range []string{"z", "a", "m", "b", "y", "c", "x", "d"} {
			e.Query(name, "q-"+name)
			e.Form(name, "f-"+name)
			query = append(query, resilience.Param{Name: name, Value: "q-" + name})
			form = append(form, resilience.Param{Name: name, Value: "f-" + name})
		}
	})
	if err := wire.Call(t.Context(), c, opCreate, req, nil, nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(resilience.Request{Query: query, Form: form}, c.call.Request); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
}

func TestValues(t *testing.T) {
	values := wire.Values{"b": "2", "a": "1", "cursor": "MTY+/3==", "appKey": "1000000"}
	tests := []struct {
		name string
		op   resilience.Operation
		want resilience.Request
	}{
		{"GET", resilience.Operation{HTTPMethod: "GET", Path: "/list"}, resilience.Request{
			Query: pairs("a", "1", "appKey", "1000000", "b", "2", "cursor", "MTY+/3=="),
		}},
		{"POST", resilience.Operation{HTTPMethod: "POST", Path: "/list"}, resilience.Request{
			Form: pairs("a", "1", "appKey", "1000000", "b", "2", "cursor", "MTY+/3=="),
		}},
		{"POST with a name in the path", resilience.Operation{HTTPMethod: "POST", Path: "/param2/1/system/currentTime/{appKey}"}, resilience.Request{
			Path: pairs("appKey", "1000000"),
			Form: pairs("a", "1", "b", "2", "cursor", "MTY+/3=="),
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wire.Encode(&tt.op, values)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("request (-want +got):\n%s", diff)
			}
		})
	}
}

func TestText(t *testing.T) {
	type (
		state string
		fen   int64
		small int32
		rate  float64
		flag  bool
		page  int
	)
	tests := []struct{ name, got, want string }{
		{"string", wire.Text("a&b=c#d"), "a&b=c#d"},
		{"int", wire.Text(-7), "-7"},
		{"int32", wire.Text(int32(math.MinInt32)), "-2147483648"},
		{"int64", wire.Text(int64(5012345678901234567)), "5012345678901234567"},
		{"float64 without exponent", wire.Text(1e21), "1000000000000000000000"},
		{"small float64", wire.Text(0.0000001), "0.0000001"},
		{"latitude", wire.Text(39.9), "39.9"},
		{"bool", wire.Text(false), "false"},
		{"named string", wire.Text(state("waitbuyerpay")), "waitbuyerpay"},
		{"named int64", wire.Text(fen(12345)), "12345"},
		{"named int32", wire.Text(small(-1)), "-1"},
		{"named float64", wire.Text(rate(1e-7)), "0.0000001"},
		{"named bool", wire.Text(flag(true)), "true"},
		{"named int", wire.Text(page(2)), "2"},
		{"id", wire.Text(wire.ID("007")), "007"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.got != tt.want {
				t.Errorf("got %s, want %s", tt.got, tt.want)
			}
		})
	}
}
