package wire_test

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

var opBody = &resilience.Operation{Platform: "t", ID: "body", HTTPMethod: "POST", Path: "/body"}

// own is a value that writes its own JSON, as a caller's types may.
type own string

func (o own) MarshalJSON() ([]byte, error) { return []byte(o), nil }

// TestABodyIsUTF8WhoeverWroteIt: also where a json.RawMessage or a type that writes itself brings other bytes.
func TestABodyIsUTF8WhoeverWroteIt(t *testing.T) {
	for name, v := range map[string]any{
		"raw": map[string]any{"x": json.RawMessage("\"a\xffb\"")}, "own": map[string]any{"x": own("\"a\xffb\"")},
	} {
		t.Run(name, func(t *testing.T) {
			req, err := wire.Encode(opBody, wire.JSON(v))
			if err == nil && !utf8.Valid(req.JSON) {
				t.Errorf("%q is sent, which is not UTF-8", req.JSON)
			}
		})
	}
}

// TestNothingIsAnEmptyObject: also a nil map and a nil pointer.
func TestNothingIsAnEmptyObject(t *testing.T) {
	for name, v := range map[string]any{"nil": nil, "map": map[string]any(nil), "pointer": (*struct{ A int })(nil)} {
		t.Run(name, func(t *testing.T) {
			req, err := wire.Encode(opBody, wire.JSON(v))
			if err != nil || string(req.JSON) != "{}" {
				t.Errorf("got %s, %v, want {}", req.JSON, err)
			}
		})
	}
}

// TestARequestIDIsOneWord: a line break ends it, so that none reaches logs.
func TestARequestIDIsOneWord(t *testing.T) {
	e := wire.Envelope{Code: []string{"errcode"}, Message: []string{"errmsg"}, Good: []string{"0"}, RequestIDAfter: []string{"rid: ", "hint: ["}}
	for _, test := range []struct{ message, want string }{
		{"invalid rid: 6512-1", "6512-1"}, {"invalid rid: 6512-1, more", "6512-1"}, {"hint: [1], from ip", "1"},
		{`x rid: 6512-1\nmore info`, "6512-1"}, {`x rid: 6512-1\r\nSet-Cookie: a`, "6512-1"}, {"x rid: ", ""},
	} {
		v := e.Classify(opBody, nil, 200, nil, []byte(`{"errcode":1,"errmsg":"`+test.message+`"}`), time.Time{})
		if v.RequestID != test.want {
			t.Errorf("%q: got %q, want %q", test.message, v.RequestID, test.want)
		}
	}
}

// TestNobodyIsLeftOut: answers that name nobody in a list are whole successes.
func TestNobodyIsLeftOut(t *testing.T) {
	op := &resilience.Operation{Platform: "t", ID: "send", HTTPMethod: "POST", Path: "/send", Partial: []string{"invaliduser", "a.b"}}
	e := wire.Envelope{Code: []string{"errcode"}, Good: []string{"0"}}
	for body, want := range map[string]resilience.Class{
		`{"errcode":0,"invaliduser":""}`: resilience.OK, `{"errcode":0,"invaliduser":[ ]}`: resilience.OK, `{"errcode":0,"invaliduser":null}`: resilience.OK,
		`{"errcode":0,"invaliduser":[""]}`: resilience.OK, `{"errcode":0,"invaliduser":[null]}`: resilience.OK,
		`{"errcode":0,"invaliduser":"u1"}`: resilience.Partial, `{"errcode":0,"a":{"b":["u1"]}}`: resilience.Partial, `{"errcode":0,"a":[]}`: resilience.OK,
		"\ufeff" + `{"errcode":0,"invaliduser":"u1"}`: resilience.Partial, `{"errcode":0,"invaliduser":["u1"],"x":`: resilience.Transient,
	} {
		if got := e.Classify(op, nil, 200, nil, []byte(body), time.Time{}).Rule.Class; got != want {
			t.Errorf("%s: got %v, want %v", body, got, want)
		}
	}
}

// TestAFilledMemberHolds: what the credential says is what arrives, whatever the caller wrote in its place.
func TestAFilledMemberHolds(t *testing.T) {
	out := wire.NewOutgoing("https://api.example", opBody, &resilience.Request{JSON: []byte(`{"appid":"of the caller","x":1}`)})
	if err := out.Fill("appid", "of the credential"); err != nil {
		t.Fatal(err)
	}
	var got map[string]any
	if err := json.Unmarshal(out.JSON, &got); err != nil || got["appid"] != "of the credential" {
		t.Errorf("%s reads as %v, %v", out.JSON, got["appid"], err)
	}
}

// FuzzABodyThatIsFilled: whatever text travels, the body is JSON without escapes that JSON does not need, says the same, and holds what
// the credential gives; the call's own bytes stay as they are.
func FuzzABodyThatIsFilled(f *testing.F) {
	for _, seed := range []string{"", "你好", "a\u2028b\u2029<&>", `back\slash "quote" \u4f60`, "\x00", "\xff", "😀\ufffd", "\x7f", `{"}`, "}", "\t\n"} {
		f.Add(seed, seed, int64(7))
	}
	f.Fuzz(func(t *testing.T, text, secret string, number int64) {
		control := strings.ContainsFunc(text, func(r rune) bool { return r < ' ' && !strings.ContainsRune("\b\f\n\r\t", r) })
		req, err := wire.Encode(opBody, wire.JSON(map[string]any{"text": text, "list": []any{text, nil, map[string]any{text: 1}}}))
		if bad := control || !utf8.ValidString(text); bad != (err != nil) {
			t.Fatalf("%q: got %v, want an error: %v", text, err, bad)
		}
		if err != nil {
			return
		}
		if strings.Contains(strings.ReplaceAll(string(req.JSON), `\\`, ""), `\u`) {
			t.Errorf("%q travels with an escape: %s", text, req.JSON)
		}
		before := slices.Clone(req.JSON)
		out := wire.NewOutgoing("https://api.example", opBody, &req)
		for name, v := range map[string]any{"secret": resilience.Secret(secret), "agent": number} {
			if err := out.Fill(name, v); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(before, req.JSON) {
			t.Errorf("the call's own body changed to %s", req.JSON)
		}
		var got struct {
			Text, Secret string
			Agent        int64
		}
		if err := json.Unmarshal(out.JSON, &got); err != nil || got.Text != text || got.Agent != number || utf8.ValidString(secret) && got.Secret != secret {
			t.Errorf("%s reads as %+v, %v", out.JSON, got, err)
		}
		if _, err := out.HTTP(t.Context()); err != nil {
			t.Error(err)
		}
	})
}

// FuzzPipes: a list survives the journey, and nothing that an answer may hold is a panic.
func FuzzPipes(f *testing.F) {
	for _, seed := range []string{"", "u1", "u1|u2", "|", "a||b", `["u1",2,null]`, `"a|b"`, "{", "[1,", "12", "\x00|\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var p wire.Pipes
		_ = p.UnmarshalJSON([]byte(text))
		var out struct {
			P wire.Pipes `json:"p"`
		}
		_, _ = wire.Decode([]byte(`{"p":`+text+`}`), &out)
		if text == "" || !utf8.ValidString(text) || strings.ContainsFunc(text, unicode.IsControl) {
			return
		}
		want := wire.Pipes(strings.Split(text, "|"))
		data, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		if faults, err := wire.Decode([]byte(`{"p":`+string(data)+`}`), &out); err != nil || faults != nil || !slices.Equal(out.P, want) {
			t.Errorf("%q became %q by %s: %v %v", want, out.P, data, faults, err)
		}
	})
}

// FuzzEnvelopes: no body is a panic, a request id is one word, and a partial success is a success.
func FuzzEnvelopes(f *testing.F) {
	op := &resilience.Operation{Platform: "t", ID: "x", HTTPMethod: "POST", Path: "/x", Partial: []string{"a", "a.b", "", "a..b"}}
	e := wire.Envelope{Code: []string{"errcode", "a.b"}, Message: []string{"errmsg"}, Success: []string{"ok"}, Good: []string{"0"}, RequestIDAfter: []string{"rid: ", ""}}
	for _, seed := range []string{"", "{", `{"a":{"b":1}}`, `{"a":"`, `{"errcode":0,"a":[[]]}`, `{"errcode":-1,"errmsg":"x rid: 1 2"}`, "\ufeff{}", `{"":1}`} {
		f.Add(seed, 200)
	}
	f.Fuzz(func(t *testing.T, body string, status int) {
		v := e.Classify(op, nil, status, http.Header{}, []byte(body), time.Time{})
		if v.Rule.Class == resilience.Partial && status/100 != 2 {
			t.Errorf("HTTP %d %q is a partial success", status, body)
		}
		if strings.ContainsAny(v.RequestID, " \t,;])") {
			t.Errorf("request id %q", v.RequestID)
		}
	})
}
