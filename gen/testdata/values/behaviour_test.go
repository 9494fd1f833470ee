package acme

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// nulls is what a body holds for what is required, may be null and was not set.
const nulls = `"reply_to":null,"until":null,"ids":null,"more":null`

// TestZeroIsSent: unset and zero are different orders to the platform.
func TestZeroIsSent(t *testing.T) {
	for _, c := range []struct {
		name string
		req  *MessagesSendRequest
		want string
	}{
		{"zero everywhere", &MessagesSendRequest{
			Content: "c", Safe: new(0), EnableIDTrans: new(false), Title: new(""), Weight: new(0.0), Count: new(wire.Int(0)),
			Code: new(wire.String("")), Flag: new(wire.Bool(false)), Rank: new(LevelNone), Kind: new(Status("")),
			Anything: 0, Part: &MessagesSendRequestPart{Zero: new(0)},
		}, `{"agentid":0,"content":"c","price":0,"level":0,` + nulls + `,"safe":0,"enable_id_trans":false,"title":"","weight":0,"count":0,"code":"",` +
			`"flag":false,"rank":0,"kind":"","anything":0,"part":{"zero":0}}`},
		{"unset", &MessagesSendRequest{Content: "c"}, `{"agentid":0,"content":"c","price":0,"level":0,` + nulls + `}`},
		{"values", &MessagesSendRequest{
			Agentid: 9007199254740993, Content: "c", Price: 1.5, Level: LevelSome, Count: new(wire.Int(-1)), Kind: new(Status("brand_new_state")),
			ReplyTo: new(wire.ID("7")), Until: &wire.UnixTime{}, IDs: []int64{}, More: &MessagesSendRequestMore{},
			Tags: []string{""}, Extra: map[string]string{"a": ""}, Anything: map[string]any{"n": nil},
		}, `{"agentid":9007199254740993,"content":"c","price":1.5,"level":1,"reply_to":"7","until":0,"ids":[],"more":{"n":null},"count":-1,"kind":"brand_new_state","tags":[""],` +
			`"extra":{"a":""},"anything":{"n":null}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, fake := connect(t, answer(`{"errcode":0}`))
			if _, err := s.Messages.Send(t.Context(), c.req); err != nil {
				t.Fatal(err)
			}
			if call := only(t, fake); string(call.Body) != c.want {
				t.Errorf("sent %s, want %s", call.Body, c.want)
			}
		})
	}
}

func TestZeroInAForm(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	err := s.Messages.Form(t.Context(), &MessagesFormRequest{
		Content: "c", Safe: new(0), EnableIDTrans: new(false), Title: new(""), Code: new(wire.String("")),
	})
	if err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); string(call.Body) != "agentid=0&content=c&note=&safe=0&enable_id_trans=false&title=&code=" {
		t.Errorf("sent %s", call.Body)
	}
	s, fake = connect(t, answer(`{"errcode":0}`))
	if err := s.Messages.Form(t.Context(), &MessagesFormRequest{Content: "c"}); err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); string(call.Body) != "agentid=0&content=c&note=" {
		t.Errorf("sent %s, want nothing that was not set but what may be empty", call.Body)
	}
}

// TestRequiredText: a required text that is empty is taken for forgotten; numbers and flags have no such value and are sent.
func TestRequiredText(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	_, err := s.Messages.Send(t.Context(), &MessagesSendRequest{})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"content"`) || strings.Contains(err.Error(), "agentid") {
		t.Errorf("got %v, want that content alone is missing", err)
	}
	if n := fake.Log().Count(""); n != 0 {
		t.Errorf("%d calls were sent", n)
	}
	if _, err := s.Orders.List(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if call := only(t, fake); call.Query != "page=0&all=false&since=0" || call.Path != "/orders" {
		t.Errorf("asked %s?%s", call.Path, call.Query)
	}
}

// TestStateThatNobodyKnew: platforms add values without a version.
func TestStateThatNobodyKnew(t *testing.T) {
	const body = `{"result":[{"id":1,"status":"success"},{"id":2,"status":"brand_new_state"},{"id":3,"status":null},{"id":4},{"id":5,"status":7}]}`
	s, fake := connect(t, answer(body))
	got, err := s.Orders.List(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var states []Status
	for _, order := range got.Result {
		states = append(states, order.Status)
	}
	if want := []Status{StatusSuccess, "brand_new_state", "", "", "7"}; !slices.Equal(states, want) {
		t.Fatalf("got %q, want %q", states, want)
	}
	known := []Status{StatusWaitbuyerpay, StatusSuccess}
	if slices.Contains(known, states[1]) || !slices.Contains(known, states[0]) {
		t.Error("a new state cannot be told from the known ones")
	}
	if _, err := s.Orders.List(t.Context(), &OrdersListRequest{Status: &states[1]}); err != nil {
		t.Fatal(err)
	}
	if calls := fake.Log().Calls(""); calls[1].Params.Get("status") != "brand_new_state" {
		t.Errorf("sent back %q", calls[1].Params.Get("status"))
	}
}

// TestUnknownFieldsAreKept: the spec is always older than the service. What it does not know stands in the raw answer.
func TestUnknownFieldsAreKept(t *testing.T) {
	s, fake := connect(t, answer(`{"brand_new":{"a":[1,2]},"errcode":0,"errmsg":"ok","msgid":"5"}`))
	var raw resilience.Response
	got, err := s.Messages.Send(t.Context(), &MessagesSendRequest{Content: "c"}, resilience.WithResponse(&raw))
	if err != nil || got.Msgid != 5 || got.List != nil {
		t.Fatalf("got %+v, %v", got, err)
	}
	var more struct {
		BrandNew struct{ A []int } `json:"brand_new"`
	}
	if err := json.Unmarshal(raw.Body, &more); err != nil || !slices.Equal(more.BrandNew.A, []int{1, 2}) {
		t.Errorf("the raw answer holds %+v, %v", more, err)
	}
	if len(raw.Faults) != 0 {
		t.Errorf("faults: %v", raw.Faults)
	}
	only(t, fake)
}

func TestNumberOrText(t *testing.T) {
	for _, body := range []string{
		`{"msgid":9007199254740993,"price":1.5,"code":17,"flag":1,"level":1}`,
		`{"msgid":"9007199254740993","price":"1.5","code":"17","flag":"true","level":"1"}`,
	} {
		s, _ := connect(t, answer(body))
		got, err := s.Messages.Send(t.Context(), &MessagesSendRequest{Content: "c"})
		if err != nil || got.Msgid != 9007199254740993 || got.Price != 1.5 || got.Code != "17" || !bool(got.Flag) || got.Level != LevelSome {
			t.Errorf("%s: got %+v, %v", body, got, err)
		}
	}
}

// TestNull: null is nothing, of whatever type.
func TestNull(t *testing.T) {
	s, _ := connect(t, answer(`{"errcode":0,"msgid":null,"price":null,"code":null,"flag":null,"name":null,"count":null,"part":null,"level":null,"list":null}`))
	var raw resilience.Response
	got, err := s.Messages.Send(t.Context(), &MessagesSendRequest{Content: "c"}, resilience.WithResponse(&raw))
	if err != nil || got.Msgid != 0 || got.Name != "" || got.Count != 0 || got.List != nil || len(raw.Faults) != 0 {
		t.Errorf("got %+v, %v, %v", got, err, raw.Faults)
	}
	if _, ok := got.Part.Get(); ok {
		t.Error("a part that is null is there")
	}
}

// TestFieldOfAnotherType: the rest of the answer counts, and the field is named.
func TestFieldOfAnotherType(t *testing.T) {
	s, _ := connect(t, answer(`{"errcode":0,"name":"n","count":{"a":1}}`))
	var raw resilience.Response
	got, err := s.Messages.Send(t.Context(), &MessagesSendRequest{Content: "c"}, resilience.WithResponse(&raw))
	if err != nil || got.Name != "n" || got.Count != 0 || !slices.Equal(raw.Faults, []string{"count"}) {
		t.Errorf("got %+v, %v, faults %v, want count named", got, err, raw.Faults)
	}
}
