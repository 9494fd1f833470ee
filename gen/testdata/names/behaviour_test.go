package acme

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// TestOperationsKeepThePlatformsNames: what logs, metrics and cooldowns show is what the platform's documentation says.
func TestOperationsKeepThePlatformsNames(t *testing.T) {
	want := []string{
		"alibaba.trade.get.buyerView", "cgi-bin/message/send", "2/statuses/share", "customer-fn-create", "3GPPFoo", "type", "演示", "walk",
	}
	var got []string
	for _, op := range Operations() {
		got = append(got, op.ID)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPlaceholdersOfAnyName(t *testing.T) {
	s, fake := connect(t, answer(`{"id":12345678901234567890}`))
	item, err := s.Trade.BuyerView(t.Context(), &TradeBuyerViewRequest{
		X1st: "a/b", OrderID: 7, AB: "c d", Sort: "类", ABQuery: new("q"), IDs: []string{"1", "2"}, Type: new("t"), Stamp: new("0"), Top: new(3),
		XTraceID: new("x"),
	})
	if err != nil || item.ID != "12345678901234567890" {
		t.Fatalf("got %+v, %v", item, err)
	}
	call := only(t, fake)
	if want := "/alibaba.trade.get.buyerView/a/b/7/c d/类"; call.Path != want {
		t.Errorf("asked %q, want %q", call.Path, want)
	}
	for name, want := range map[string][]string{"a/b": {"q"}, "ids[]": {"1", "2"}, "type": {"t"}, "_": {"0"}, "$top": {"3"}} {
		if got := call.Params[name]; !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if got := call.Header.Get("X-Trace-ID"); got != "x" {
		t.Errorf("the header holds %q", got)
	}
}

// TestChinesePath: an operation whose path has no letter of ASCII.
func TestChinesePath(t *testing.T) {
	s, fake := connect(t, answer(`{"编号":"N-1"}`))
	order, err := s.Demos.Show(t.Context())
	if err != nil || order.Number != "N-1" {
		t.Errorf("got %+v, %v", order, err)
	}
	if call := only(t, fake); call.Path != "/演示" {
		t.Errorf("asked %q", call.Path)
	}
}

func TestFieldsThatDifferInLittle(t *testing.T) {
	const body = `{"name_clash":"a","NameClash":"b","nameClash":"c","type":"d","_":"e","1st":"f","func":"g","error":"h","Encode":"i",` +
		`"a-b":"j","a.b":"k","名称":"l","$ref$":"m"}`
	s, fake := connect(t, answer(body))
	got, err := s.Messages.Send(t.Context(), &MessagesSendRequest{
		NameClash: new("a"), NameClashWhole: new("b"), NameClashCamel: new("c"), Type: new("d"), Underscore: new("e"), X1st: new("f"),
		Func: new("g"), Error: new("h"), Encoding: new("i"), AB: new("j"), AOfB: new("k"), Title: new("l"), Ref: new("m"),
	})
	if err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); string(call.Body) != body {
		t.Errorf("sent %s, want %s", call.Body, body)
	}
	if text, err := json.Marshal(got); err != nil || string(text) != body {
		t.Errorf("read and written again: %s, %v, want %s", text, err, body)
	}
}

func TestEnumsHoldTheExactValues(t *testing.T) {
	for got, want := range map[string]string{
		string(SortID): "id", string(SortMinusID): "-id", string(SortAddDate): "add_date", string(SortMinusAddDate): "-add_date",
		string(ObjectFoo): "foo", string(Object1): "1", string(ObjectPlus1): "+1", string(ObjectMinus1): "-1",
		string(BlankEmpty): "", string(BlankBlank): " ",
	} {
		if got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if OneOne != "One" || TwoOne != "One" || OneTwo != "Two" || TwoTwo != "Two" {
		t.Error("enums that share values have each their own")
	}
	s, fake := connect(t, answer(`{"id":1}`))
	minus, blank := SortMinusAddDate, BlankEmpty
	if _, err := s.Networks.Type(t.Context(), &NetworksTypeRequest{Sort: &minus, Order: []Sort{SortID, SortMinusID}, Blank: &blank}); err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); call.Query != "sort=-add_date&order=id&order=-id&blank=" {
		t.Errorf("asked %s", call.Query)
	}
}

func TestWindowsOfAnyName(t *testing.T) {
	for _, w := range quotas()["all"] {
		if err := w.Validate(); err != nil {
			t.Error(err)
		}
	}
	if n := len(quotas()["all"]); n != 4 {
		t.Errorf("%d windows, want 4", n)
	}
}

func TestWalkPastVariables(t *testing.T) {
	pages := []string{`{"out":{"total":3,"strconv":{"items":["a","b"]}}}`, `{"out":{"total":3,"strconv":{"items":["c"]}}}`}
	s, fake := connect(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		next := pages[0]
		pages = pages[1:]
		return resiliencetest.Answer{Body: []byte(next)}
	})
	var all strings.Builder
	for item, err := range s.Demos.WalkAll(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		all.WriteString(item)
	}
	calls := fake.Log().Calls("")
	if all.String() != "abc" || len(calls) != 2 || calls[1].Params.Get("err") != `{"page":2,"len":2}` {
		t.Errorf("walked over %q in %d calls, the last with %v", all.String(), len(calls), calls[len(calls)-1].Params)
	}
}
