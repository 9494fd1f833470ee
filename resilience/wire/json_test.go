package wire_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// bodyOf encodes v as the JSON body of a POST.
func bodyOf(v any) (string, error) {
	req, err := wire.Encode(&resilience.Operation{Platform: "t", ID: "menu", HTTPMethod: "POST", Path: "/menu"}, wire.JSON(v))
	return string(req.JSON), err
}

// TestRawJSON: what platforms measure and match is the text that travels.
func TestRawJSON(t *testing.T) {
	for _, test := range []struct{ name, value, want, fault string }{
		{name: "ampersand and Chinese", value: "https://shop.example/?a=1&b=2 今日<新>", want: `"https://shop.example/?a=1&b=2 今日<新>"`},
		{name: "separators that encoding/json escapes", value: "a\u2028b\u2029", want: "\"a\u2028b\u2029\""},
		{name: "a backslash before u", value: `\u0041`, want: `"\\u0041"`},
		{name: "two backslashes before u", value: `\\u0041`, want: `"\\\\u0041"`},
		{name: "quotes and line breaks", value: "\"\n\t", want: `"\"\n\t"`},
		{name: "a control character", value: "ring\x07", fault: `\u0007`},
		{name: "another charset", value: "\xc4\xe3\xba\xc3", fault: "UTF-8"},
		{name: "the replacement character itself", value: "\ufffd", want: "\"\ufffd\""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, err := bodyOf(map[string]string{"v": test.value})
			if test.fault != "" {
				if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), test.fault) {
					t.Errorf("got %v, want ErrInvalidRequest that names %s", err, test.fault)
				}
				return
			}
			if want := `{"v":` + test.want + `}`; err != nil || got != want {
				t.Errorf("got %s (%v), want %s", got, err, want)
			}
		})
	}
	t.Run("escapes of the caller's own", func(t *testing.T) {
		got, err := bodyOf(json.RawMessage(`{"v":"\u4eca\u65e5 \u0022\u005c \ud83d\ude00"}`))
		if want := `{"v":"今日 \u0022\u005c 😀"}`; err != nil || got != want {
			t.Errorf("got %s (%v), want %s", got, err, want)
		}
	})
}

func FuzzRawJSONSaysTheSame(f *testing.F) {
	for _, s := range []string{"", "今日<新>&", "\u2028\u2029\x7f", `\u2028"\\`, "\ufffd😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		body, err := bodyOf(map[string]string{s: s})
		if err != nil {
			return
		}
		var back map[string]string
		if err := json.Unmarshal([]byte(body), &back); err != nil || back[s] != s {
			t.Errorf("%q travels as %s, which reads as %q (%v)", s, body, back, err)
		}
	})
}

func TestJSONParams(t *testing.T) {
	get := &resilience.Operation{Platform: "t", ID: "get", HTTPMethod: "GET", Path: "/get"}
	if got, err := bodyOf(nil); err != nil || got != "{}" {
		t.Errorf("nothing to send is %q (%v), want {}", got, err)
	}
	if req, err := wire.Encode(get, wire.JSON(nil)); err != nil || req.JSON != nil {
		t.Errorf("a GET has the body %q (%v), want none", req.JSON, err)
	}
	if _, err := wire.Encode(get, wire.JSON(1)); !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Errorf("a GET with a body: got %v, want ErrInvalidRequest", err)
	}
}

func TestFill(t *testing.T) {
	for _, test := range []struct {
		name, method, body, want, query string
		fault                           bool
	}{
		{name: "first in the body", method: "POST", body: ` { "a":1}`, want: `{"agentid":1000002,"secret":"s<&","a":1}`},
		{name: "alone in the body", method: "POST", body: `{ }`, want: `{"agentid":1000002,"secret":"s<&"}`},
		{name: "a body that is a list", method: "POST", body: `[1]`, fault: true},
		{name: "the query of a GET", method: "GET", query: "secret=s%3C%26&agentid=1000002"},
		{name: "the form of a POST", method: "POST", want: "secret=s%3C%26&agentid=1000002"},
	} {
		t.Run(test.name, func(t *testing.T) {
			req := &resilience.Request{}
			if test.body != "" {
				req.JSON = []byte(test.body)
			}
			out := wire.NewOutgoing("https://x.example", &resilience.Operation{Platform: "t", ID: "f", HTTPMethod: test.method, Path: "/f"}, req)
			err := errors.Join(out.Fill("secret", resilience.Secret("s<&")), out.Fill("agentid", int64(1000002)))
			if test.fault != (err != nil) {
				t.Fatalf("got %v, want a fault: %v", err, test.fault)
			}
			if test.fault {
				return
			}
			sent, err := out.HTTP(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(sent.Body)
			if err != nil || string(body) != test.want || sent.URL.RawQuery != test.query {
				t.Errorf("body %q, query %q (%v), want %q and %q", body, sent.URL.RawQuery, err, test.want, test.query)
			}
			if string(req.JSON) != test.body {
				t.Errorf("the call's own body became %q", req.JSON)
			}
		})
	}
}

func TestPipes(t *testing.T) {
	type answer struct {
		List wire.Pipes `json:"list"`
	}
	for text, want := range map[string]string{
		`"u1|u2"`: "u1,u2", `""`: "", `null`: "", `["u1","u2"]`: "u1,u2", `[1,2]`: "1,2", `7`: "7", `"一|二"`: "一,二",
	} {
		var a answer
		faults, err := wire.Decode([]byte(`{"list":`+text+`}`), &a)
		if got := strings.Join(a.List, ","); err != nil || len(faults) > 0 || got != want {
			t.Errorf("%s reads as %q (%v, %v), want %q", text, got, faults, err, want)
		}
	}
	for _, text := range []string{`true`, `{"a":1}`, `[{}]`} {
		var a answer
		if faults, err := wire.Decode([]byte(`{"list":`+text+`,"x":1}`), &a); err != nil || len(faults) != 1 {
			t.Errorf("%s: faults %v (%v), want one", text, faults, err)
		}
	}
	if got, err := bodyOf(answer{wire.Pipes{"u1", "u<2"}}); err != nil || got != `{"list":"u1|u<2"}` {
		t.Errorf("got %s (%v)", got, err)
	}
	if _, err := bodyOf(answer{wire.Pipes{"u1|u2"}}); !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Errorf("an entry with |: got %v, want ErrInvalidRequest", err)
	}
}

func TestRequestIDInTheMessage(t *testing.T) {
	e := wire.Envelope{Code: []string{"errcode"}, Message: []string{"errmsg"}, Good: []string{"0"}, RequestIDAfter: []string{"rid: ", "hint: ["}}
	op := &resilience.Operation{Platform: "t", ID: "x"}
	for message, want := range map[string]string{
		"invalid appid rid: 00000000-00000004-00000001":                               "00000000-00000004-00000001",
		"api freq out of limit, hint: [1600000000_1_ab], from ip: 203.0.113.9, more":  "1600000000_1_ab",
		"invalid ip 203.0.113.9, not in whitelist rid: 00000000-00000003-00000001, x": "00000000-00000003-00000001",
		"ok": "",
	} {
		body, err := json.Marshal(map[string]any{"errcode": 1, "errmsg": message})
		if err != nil {
			t.Fatal(err)
		}
		v := e.Classify(op, nil, http.StatusOK, nil, body, time.Time{})
		if v.RequestID != want || v.Message != message {
			t.Errorf("%q: request id %q and message %q, want %q and the whole text", message, v.RequestID, v.Message, want)
		}
	}
}

func TestPartial(t *testing.T) {
	e := wire.Envelope{Code: []string{"errcode"}, Good: []string{"0"}}
	op := &resilience.Operation{Platform: "t", ID: "send", Partial: []string{"invaliduser", "result.failed"}}
	for body, want := range map[string]resilience.Class{
		`{"errcode":0,"invaliduser":"u1|u2"}`:                           resilience.Partial,
		`{"errcode":0,"result":{"failed":["u1"]}}`:                      resilience.Partial,
		`{"errcode":0,"invaliduser":"","result":{"failed":[ ]}}`:        resilience.OK,
		`{"errcode":0,"invaliduser":null,"result":{"failed":{}}}`:       resilience.OK,
		`{"errcode":0,"result":"u1"}`:                                   resilience.OK,
		`{"errcode":81013,"invaliduser":"u1"}`:                          resilience.Rejected,
		"\xef\xbb\xbf" + `{"errcode":0,"invaliduser":"u1","msgid":"1"}`: resilience.Partial,
	} {
		if got := e.Classify(op, nil, http.StatusOK, nil, []byte(body), time.Time{}).Rule.Class; got != want {
			t.Errorf("%s: got %v, want %v", body, got, want)
		}
	}
	if got := e.Classify(&resilience.Operation{}, nil, http.StatusOK, nil, []byte(`{"errcode":0,"invaliduser":"u1"}`), time.Time{}).Rule.Class; got != resilience.OK {
		t.Errorf("an operation that names no such field: got %v, want ok", got)
	}
}
