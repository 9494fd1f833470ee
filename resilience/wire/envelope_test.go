package wire_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/google/go-cmp/cmp"
)

// trade is an envelope of the double-wrapped kind.
var trade = &wire.Envelope{
	Code:      []string{"error_code", "errorCode", "code", "result.code"},
	Subcode:   []string{"sub_code"},
	Message:   []string{"error_message", "errorMessage", "message", "result.message"},
	RequestID: []string{"request_id"},
	Success:   []string{"success", "result.success"},
	Good:      []string{"0", "200", "S0000"},
}

var tradeRules = map[string]resilience.Rule{
	"gw.QosAppFrequencyLimit": {Class: resilience.Throttled, Cools: resilience.CoolCredential},
	"gw.*":                    {Class: resilience.Rejected},
	"gw.Qos*":                 {Class: resilience.QuotaExhausted},
	"400_*":                   {Class: resilience.Invalid},
	"20032":                   {Class: resilience.AcceptedLate},
	"-1":                      {Class: resilience.Transient},
	"":                        {Class: resilience.UnknownOutcome},
}

var opTrade = &resilience.Operation{
	Platform: "acme", ID: "trade/cancel", HTTPMethod: "POST",
	Errors: map[string]resilience.Rule{"CLOSE_TOO_FAST": {Class: resilience.Throttled}, "gw.APIACLDecline": {Class: resilience.Forbidden}},
}

func TestClassify(t *testing.T) {
	jsonType := http.Header{"Content-Type": {"application/json"}}
	html := http.Header{"Content-Type": {"text/html"}}
	class := func(c resilience.Class) resilience.Rule { return resilience.Rule{Class: c} }
	tests := []struct {
		name   string
		status int
		header http.Header
		body   string
		want   wire.Verdict
	}{
		{"plain success", 200, jsonType, `{"total":1}`, wire.Verdict{}},
		{"success as text/plain", 200, http.Header{"Content-Type": {"text/plain"}}, `{"openid":"o5","code":0}`, wire.Verdict{}},
		{"good code", 200, nil, `{"code":"S0000","message":"ok","request_id":"r-1"}`, wire.Verdict{RequestID: "r-1"}},
		{"empty code", 200, nil, `{"errorCode":"","errorMessage":null}`, wire.Verdict{}},
		{"null code", 200, nil, `{"errorCode":null}`, wire.Verdict{}},
		{"bare number", 200, nil, `1700000000000`, wire.Verdict{}},
		{"bare list", 200, nil, ` [1, {"code":5}] `, wire.Verdict{}},
		{"byte order mark", 200, nil, "\xef\xbb\xbf{\"code\":0}", wire.Verdict{}},
		{"no content", 204, nil, ``, wire.Verdict{}},

		{"code in a 200", 200, nil, `{"error_code":"gw.QosAppFrequencyLimit","error_message":"App call exceeds","request_id":"demo-1"}`,
			wire.Verdict{Rule: tradeRules["gw.QosAppFrequencyLimit"], Code: "gw.QosAppFrequencyLimit", Message: "App call exceeds", RequestID: "demo-1"}},
		{"code in a 400", 400, nil, `{"error_code":"gw.QosAppFrequencyLimit"}`,
			wire.Verdict{Rule: tradeRules["gw.QosAppFrequencyLimit"], Code: "gw.QosAppFrequencyLimit"}},
		{"code in a 503", 503, nil, `{"code":"-1"}`, wire.Verdict{Rule: class(resilience.Transient), Code: "-1"}},
		{"negative code", 200, nil, `{"code":-1,"message":"system error"}`,
			wire.Verdict{Rule: class(resilience.Transient), Code: "-1", Message: "system error"}},
		{"code deeper down", 200, nil, `{"result":{"message":"bad address","code":"400_1","success":false}}`,
			wire.Verdict{Rule: class(resilience.Invalid), Code: "400_1", Message: "bad address"}},
		{"subcode", 200, nil, `{"code":5,"sub_code":"x-1"}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "5", Subcode: "x-1"}},
		{"accepted late", 200, nil, `{"error_code":20032,"error_message":"wait 1-2 minutes"}`,
			wire.Verdict{Rule: class(resilience.AcceptedLate), Code: "20032", Message: "wait 1-2 minutes"}},
		{"an error code and nothing else", 200, nil, `{"query":"demo","error_code":20703}`,
			wire.Verdict{Rule: class(resilience.Rejected), Code: "20703"}},
		{"code before a cut", 200, nil, `{"error_code":20703,"error_mess`, wire.Verdict{Rule: class(resilience.Rejected), Code: "20703"}},
		{"large code stays exact", 200, nil, `{"code":5012345678901234567}`,
			wire.Verdict{Rule: class(resilience.Rejected), Code: "5012345678901234567"}},
		{"the first name wins", 200, nil, `{"code":7,"error_code":8}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "8"}},
		{"an empty first name gives way", 200, nil, `{"code":7,"error_code":""}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "7"}},
		{"a code that is an object is none", 200, nil, `{"code":{"a":1}}`, wire.Verdict{}},
		{"escapes in the text", 200, nil, `{"code":7,"message":"\u7cfb\u7edf \"busy\" \ud83d\ude00\n"}`,
			wire.Verdict{Rule: class(resilience.Rejected), Code: "7", Message: "系统 \"busy\" 😀\n"}},
		{"escapes in the name", 200, nil, `{"c\u006fde":7}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "7"}},
		{"markup in the text", 200, nil, `{"code":7,"message":"<img src=x onerror=alert(1)> invalid openid"}`,
			wire.Verdict{Rule: class(resilience.Rejected), Code: "7", Message: "<img src=x onerror=alert(1)> invalid openid"}},
		{"text in GBK", 200, nil, "{\"error_code\":\"20000\",\"error_message\":\"\xCF\xB5\xCD\xB3\xB7\xB1\xC3\xA6\",\"request_id\":\"demo-0001\"}",
			wire.Verdict{Rule: class(resilience.Rejected), Code: "20000", Message: "\xCF\xB5\xCD\xB3\xB7\xB1\xC3\xA6", RequestID: "demo-0001"}},
		{"GBK character that ends like a backslash", 200, nil, "{\"error_message\":\"\xD5\x5C\",\"error_code\":\"20000\"}",
			wire.Verdict{Rule: class(resilience.Rejected), Code: "20000", Message: "\xD5\x5C"}},
		{"control bytes", 200, nil, "{\"message\":\"a\x14b\x07\",\"code\":7}",
			wire.Verdict{Rule: class(resilience.Rejected), Code: "7", Message: "a\x14b\x07"}},

		{"success flag over a code", 200, nil, `{"success":true,"code":"500"}`, wire.Verdict{}},
		{"success flag as text", 200, nil, `{"success":"true","code":"500"}`, wire.Verdict{}},
		{"success flag deeper down", 200, nil, `{"result":{"success":true,"code":"500"}}`, wire.Verdict{}},
		{"no success", 200, nil, `{"success":false,"errorCode":"CLOSE_TOO_FAST","errorMessage":"wait 10 s"}`,
			wire.Verdict{Rule: class(resilience.Throttled), Code: "CLOSE_TOO_FAST", Message: "wait 10 s"}},
		{"no success as text", 200, nil, `{"success":"false","code":"0"}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "0"}},
		{"no success and no code", 200, nil, `{"success":false,"errorCode":"","message":"?"}`,
			wire.Verdict{Rule: class(resilience.UnknownOutcome), Message: "?"}},
		{"success flag that says nothing", 200, nil, `{"success":"maybe","code":"7"}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "7"}},
		{"success flag of a failed request", 500, nil, `{"success":true}`, wire.Verdict{Rule: class(resilience.Transient)}},
		{"no success in a failed request", 500, nil, `{"success":false,"code":"400_2"}`, wire.Verdict{Rule: class(resilience.Invalid), Code: "400_2"}},

		{"own table first", 200, nil, `{"code":"gw.APIACLDecline"}`, wire.Verdict{Rule: class(resilience.Forbidden), Code: "gw.APIACLDecline"}},
		{"longest prefix", 200, nil, `{"code":"gw.QosOther"}`, wire.Verdict{Rule: class(resilience.QuotaExhausted), Code: "gw.QosOther"}},
		{"shorter prefix", 200, nil, `{"code":"gw.Other"}`, wire.Verdict{Rule: class(resilience.Rejected), Code: "gw.Other"}},
		{"unknown code in a 400", 400, nil, `{"code":"what","message":"?"}`, wire.Verdict{Rule: class(resilience.Invalid), Code: "what", Message: "?"}},
		{"unknown code in a 502", 502, nil, `{"code":"what"}`, wire.Verdict{Rule: class(resilience.Transient), Code: "what"}},
		{"text without a code in a 400", 400, nil, `{"message":"why"}`, wire.Verdict{Rule: class(resilience.Invalid), Message: "why"}},

		{"HTML in a 200", 200, html, `<html>login</html>`,
			wire.Verdict{Rule: class(resilience.Transient), Message: "HTTP 200, 18 bytes of text/html: JSON was expected"}},
		{"empty 200", 200, jsonType, ``, wire.Verdict{Rule: class(resilience.Transient), Message: "HTTP 200, empty answer: JSON was expected"}},
		{"cut 200", 200, jsonType, `{"a":[1,2`,
			wire.Verdict{Rule: class(resilience.Transient), Message: "HTTP 200, 9 bytes of application/json: JSON was expected"}},
		{"more than one value", 200, jsonType, `{"a":1} {"b":2}`,
			wire.Verdict{Rule: class(resilience.Transient), Message: "HTTP 200, 15 bytes of application/json: JSON was expected"}},
		{"HTML in a 502", 502, html, `<html><head><title>502 Bad Gateway</title>`,
			wire.Verdict{Rule: class(resilience.Transient), Message: "42 bytes of text/html"}},
		{"empty 401", 401, nil, ``, wire.Verdict{Rule: class(resilience.CredentialInvalid), Message: "empty answer"}},
		{"nameless type", 404, nil, `x`, wire.Verdict{Rule: class(resilience.NotFound), Message: "1 bytes of an unnamed type"}},

		{"redirect", 302, http.Header{"Location": {"/elsewhere"}}, ``,
			wire.Verdict{Rule: class(resilience.Rejected), Message: "unexpected redirect to /elsewhere"}},
		{"redirect that shows a token", 307, http.Header{"Location": {"https://u:p@login.example/x?access_token=TOK-SECRET-0001&next"}}, `{"code":0}`,
			wire.Verdict{Rule: class(resilience.Rejected),
				Message: "unexpected redirect to https://REDACTED@login.example/x?access_token=REDACTED&REDACTED"}},
		{"hint", 429, http.Header{"Retry-After": {"30"}}, `{}`,
			wire.Verdict{Rule: class(resilience.Throttled), RetryAfter: 30 * time.Second}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := trade.Classify(opTrade, tradeRules, tt.status, tt.header, []byte(tt.body), time.Unix(0, 0))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("verdict (-want +got):\n%s", diff)
			}
		})
	}
}

// TestClassifyNoContent: where an answer says nothing, any good status is enough, but a proxy's page and a refusal are none.
func TestClassifyNoContent(t *testing.T) {
	op := &resilience.Operation{Platform: "acme", ID: "users/delete", HTTPMethod: "DELETE", NoContent: true}
	for _, tt := range []struct {
		status     int
		kind, body string
		want       resilience.Class
	}{
		{200, "", "", resilience.OK},
		{202, "application/json", "", resilience.OK},
		{204, "", "", resilience.OK},
		{200, "text/plain", "done", resilience.OK},
		{200, "application/json", `{"id":1}`, resilience.OK},
		{200, "application/json", `{"code":"gw.Other"}`, resilience.Rejected},
		{200, "Text/HTML; charset=utf-8", "<html>log in</html>", resilience.Transient},
		{500, "", "", resilience.Transient},
		{404, "", "", resilience.NotFound},
	} {
		header := http.Header{"Content-Type": {tt.kind}}
		if got := trade.Classify(op, tradeRules, tt.status, header, []byte(tt.body), time.Time{}); got.Rule.Class != tt.want {
			t.Errorf("%d %s %q: got %v, want %v", tt.status, tt.kind, tt.body, got.Rule.Class, tt.want)
		}
	}
}

// The platform's own words stay beside a general code: they hold the cure.
func TestClassifyKeepsThePlatformsText(t *testing.T) {
	rules := map[string]resilience.Rule{"10017": {Class: resilience.Invalid}}
	body := []byte(`{"error":"text not find domain!","error_code":10017,"request":"/2/statuses/share.json"}`)
	want := wire.Verdict{
		Rule: resilience.Rule{Class: resilience.Invalid}, Code: "10017", Message: "text not find domain!", RequestID: "/2/statuses/share.json",
	}
	if diff := cmp.Diff(want, acme.Classify(opCreate, rules, 400, nil, body, time.Time{})); diff != "" {
		t.Errorf("verdict (-want +got):\n%s", diff)
	}
}

func TestClassifyByStatus(t *testing.T) {
	want := map[int]resilience.Class{
		0: resilience.Transient, 100: resilience.Transient, 200: resilience.OK, 201: resilience.OK, 301: resilience.Rejected,
		304: resilience.Rejected, 400: resilience.Invalid, 401: resilience.CredentialInvalid, 403: resilience.Forbidden,
		404: resilience.NotFound, 405: resilience.Invalid, 408: resilience.Transient, 410: resilience.NotFound, 413: resilience.Invalid,
		418: resilience.Invalid, 429: resilience.Throttled, 500: resilience.Transient, 502: resilience.Transient, 503: resilience.Transient,
		504: resilience.Transient, 599: resilience.Transient,
	}
	for status, class := range want {
		if got := new(wire.Envelope).Classify(opTrade, nil, status, nil, []byte(`{"code":"what"}`), time.Time{}).Rule.Class; got != class {
			t.Errorf("HTTP %d: got %v, want %v", status, got, class)
		}
	}
}

func TestClassifyLastWord(t *testing.T) {
	rules := map[string]resilience.Rule{"*": {Class: resilience.Misconfigured}, "1*": {Class: resilience.Throttled}}
	own := &resilience.Operation{Errors: map[string]resilience.Rule{"1*": {Class: resilience.NotFound}}}
	tests := []struct {
		name string
		op   *resilience.Operation
		code string
		want resilience.Class
	}{
		{"any code", opTrade, `"zzz"`, resilience.Misconfigured},
		{"prefix before the last word", opTrade, `12`, resilience.Throttled},
		{"own prefix of the same length", own, `12`, resilience.NotFound},
		{"others' for the rest", own, `22`, resilience.Misconfigured},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := trade.Classify(tt.op, rules, 500, nil, []byte(`{"code":`+tt.code+`}`), time.Time{}).Rule.Class; got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
	refused := []byte(`{"success":false}`)
	if got := trade.Classify(opTrade, rules, 200, nil, refused, time.Time{}).Rule.Class; got != resilience.Misconfigured {
		t.Errorf("refusal without a code: got %v, want the last word", got)
	}
	if got := trade.Classify(opTrade, nil, 200, nil, refused, time.Time{}).Rule.Class; got != resilience.Rejected {
		t.Errorf("refusal without a code or a rule: got %v, want Rejected", got)
	}
}

// Tables are maps: the order in which their keys come must not matter.
func TestClassifyTakesTheLongestPrefixEachTime(t *testing.T) {
	for range 50 {
		if got := trade.Classify(opTrade, tradeRules, 200, nil, []byte(`{"code":"gw.QosOther"}`), time.Time{}).Rule.Class; got != resilience.QuotaExhausted {
			t.Fatalf("got %v, want the rule of gw.Qos*", got)
		}
	}
}

func TestClassifyOfManyRepeatedNames(t *testing.T) {
	body := `{` + strings.Repeat(`"code":0,`, 100) + `"code":0}`
	if got := trade.Classify(opTrade, nil, 200, nil, []byte(body), time.Time{}).Rule.Class; got != resilience.OK {
		t.Errorf("got %v, want OK", got)
	}
}

func TestClassifyDeepNesting(t *testing.T) {
	nested := func(open, shut string, n int) string {
		return `{"a":` + strings.Repeat(open, n) + "1" + strings.Repeat(shut, n) + `}`
	}
	tests := []struct {
		name, body string
		want       resilience.Class
	}{
		{"open for ever", strings.Repeat(`{"a":[`, 100_000), resilience.Transient},
		{"lists", nested(`[`, `]`, 900), resilience.OK},
		{"objects", nested(`{"a":`, `}`, 900), resilience.OK},
		{"too many lists", nested(`[`, `]`, 1000), resilience.Transient},
		{"too many objects", nested(`{"a":`, `}`, 1000), resilience.Transient},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := trade.Classify(opTrade, nil, 200, nil, []byte(tt.body), time.Time{}).Rule.Class; got != tt.want {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestClassifyAllocatesNothingOnSuccess(t *testing.T) {
	header := http.Header{"Content-Type": {"application/json"}}
	body := []byte(userJSON)
	if got := testing.AllocsPerRun(100, func() { acme.Classify(opShow, tradeRules, 200, header, body, time.Time{}) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

// The oracle for "is it JSON" is encoding/json; the two may differ only where strings hold bytes that JSON forbids.
func FuzzClassify(f *testing.F) {
	for _, seed := range []string{
		`{"error_code":10017,"error":"x"}`, `{"success":"false","result":{"code":"400_1","message":"m"}}`, userJSON, `[]`, `[{}]`, `null`, `tru`,
		`-0.5e+7`, `01`, `"a`, `"\ud83d\ude00"`, `"\u12"`, "\xef\xbb\xbf{}", "{\"a\":\"\xd5\\\",\"code\":1}", `{"a":1}}`, `{"a":1,}`, `{"a"}`, `{,}`, "",
		strings.Repeat("[", 2000), strings.Repeat(`{"result":`, 1100),
	} {
		f.Add([]byte(seed), 200)
	}
	f.Add([]byte(`<html>`), 502)
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		v := trade.Classify(opTrade, tradeRules, status, nil, body, time.Time{})
		if v.RetryAfter != 0 {
			t.Errorf("a hint of %v without a header", v.RetryAfter)
		}
		if status != 200 || len(body) > 900 { // deep nesting is cut on purpose
			return
		}
		clean := strings.Map(func(r rune) rune {
			if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == '\uFFFD' || r == '\uFEFF' {
				return -1
			}
			return r
		}, string(body))
		if clean != string(body) {
			return
		}
		if json.Valid(body) {
			if strings.Contains(v.Message, "JSON was expected") && v.Code == "" {
				t.Errorf("valid JSON was taken for none: %q", body)
			}
			checkCode(t, body, v)
		} else if v.Rule.Class == resilience.OK && !hasRawBreak(body) && !badEscape(body) {
			t.Errorf("no JSON, but OK: %q", body)
		}
	})
}

// checkCode finds a top-level code with encoding/json and compares.
func checkCode(t *testing.T, body []byte, v wire.Verdict) {
	t.Helper()
	var answer map[string]json.RawMessage
	if json.Unmarshal(body, &answer) != nil || answer["success"] != nil || answer["result"] != nil || answer["errorCode"] != nil || answer["code"] != nil {
		return
	}
	if strings.Count(string(body), "error_code") != 1 || strings.Contains(string(body), `\`) {
		return
	}
	want := ""
	var text string
	var number json.Number
	if json.Unmarshal(answer["error_code"], &text) == nil {
		want = text
	} else if json.Unmarshal(answer["error_code"], &number) == nil {
		want = number.String()
	}
	if want == "0" || want == "200" || want == "S0000" {
		want = ""
	}
	if v.Code != want {
		t.Errorf("got code %q, want %q in %q", v.Code, want, body)
	}
}

func hasRawBreak(body []byte) bool { return strings.ContainsAny(string(body), "\n\r\t") }

func badEscape(body []byte) bool { return strings.Contains(string(body), `\`) }

func ExampleEnvelope_Classify() {
	envelope := &wire.Envelope{Code: []string{"error_code"}, Message: []string{"error"}}
	rules := map[string]resilience.Rule{"10023": {Class: resilience.QuotaExhausted}}
	op := &resilience.Operation{Platform: "acme", ID: "users/show"}
	body := []byte(`{"error":"User requests out of rate limit","error_code":10023}`)
	v := envelope.Classify(op, rules, http.StatusForbidden, nil, body, time.Now())
	fmt.Println(v.Rule.Class, v.Code, v.Message)
	// Output: quota-exhausted 10023 User requests out of rate limit
}

// TestOneCodeForSeveralLimits: the text tells which one was met.
func TestOneCodeForSeveralLimits(t *testing.T) {
	day := resilience.Rule{Class: resilience.QuotaExhausted, Reset: resilience.ResetDay}
	second, minute := resilience.Rule{Class: resilience.Throttled}, resilience.Rule{Class: resilience.Throttled, Reset: resilience.ResetMinute}
	rules := map[string]resilience.Rule{"45009": {Class: day.Class, Reset: day.Reset, Says: map[string]resilience.Rule{"second": second, "minute": minute, "second minute": day}}}
	e := wire.Envelope{Code: []string{"errcode"}, Message: []string{"errmsg"}, Good: []string{"0"}}
	for message, want := range map[string]resilience.Rule{
		"reach max api daily quota limit": day, "reach max api Second frequence limit": second, "a MINUTE limit": minute, "second minute": day, "": day,
	} {
		body := `{"errcode":45009,"errmsg":"` + message + `"}`
		got := e.Classify(&resilience.Operation{Platform: "t", ID: "x"}, rules, 200, nil, []byte(body), time.Time{}).Rule
		if got.Class != want.Class || got.Reset != want.Reset {
			t.Errorf("%q: got %v %v, want %v %v", message, got.Class, got.Reset, want.Class, want.Reset)
		}
	}
}
