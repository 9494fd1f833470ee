package acme

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// TestWhatIsSent: odd names, constants in headers, null, and nothing that the reader has left out.
func TestWhatIsSent(t *testing.T) {
	s, fake := connect(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		return resiliencetest.Answer{Status: http.StatusNoContent}
	})
	if err := s.Things.Change(t.Context(), &ThingsChangeRequest{ThingID: "t/1", Labels: []string{"a"}, X_encode: new(false), Price: new(1.5)}); err != nil {
		t.Fatal(err)
	}
	call := only(t, fake)
	if want := `{"labels":["a"],"none":null,"encode":false,"price":1.5}`; string(call.Body) != want || call.Method != "PATCH" {
		t.Errorf("sent %s %s, want %s", call.Method, call.Body, want)
	}
	if _, ok := call.Header["Cookie"]; ok {
		t.Error("a cookie was sent")
	}
}

func TestWhatIsRead(t *testing.T) {
	s, fake := connect(t, answer(`{"id":17,"name":null,"created":"then","state":"brand new","a-b":"x","a_b":2,"名":"n","free":{"a":1},"size":{"w":3},`+
		`"size_w":4,"encode":true}`))
	got, err := s.Things.Get(t.Context(), &ThingsGetRequest{ThingID: "1", Limit: new(int64(0)), Rate: new(0.5)})
	if err != nil {
		t.Fatal(err)
	}
	if got.ID != "17" || got.Name != "" || got.Created != "then" || got.State != "brand new" || got.X_a_U2D_b != "x" || got.X_a_b != 2 || got.X名 != "n" ||
		string(got.Free) != `{"a":1}` || got.Size.OrZero().W != 3 || got.SizeW != 4 || !got.X_encode {
		t.Errorf("got %+v", got)
	}
	call := only(t, fake)
	if call.Query != "limit=0&rate=0.5" || call.Header.Get("X-Api-Version") != "v3" || call.Path != "/things/1" {
		t.Errorf("asked %s?%s for version %q", call.Path, call.Query, call.Header.Get("X-Api-Version"))
	}
}

// TestConstantsInside: what has one value is sent by itself, whatever its type; an empty list of a change is sent too.
func TestConstantsInside(t *testing.T) {
	s, fake := connect(t, answer(`{}`))
	err := s.Things.Change(t.Context(), &ThingsChangeRequest{ThingID: "1", Labels: []string{"a"}, Card: &Card{Text: new("t")}, Words: []string{}})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"labels":["a"],"none":null,"card":{"kind":"card","version":3,"open":true,"rate":0.5,"certain":true,"text":"t"},"words":[]}`
	if got := string(only(t, fake).Body); got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// TestCardOverItself: what holds itself is refused, also by what writes its constants.
func TestCardOverItself(t *testing.T) {
	s, fake := connect(t, answer(`{}`))
	card := &Card{Over: &Card{}}
	card.Over.Over = card
	err := s.Things.Change(t.Context(), &ThingsChangeRequest{ThingID: "1", Labels: []string{"a"}, Card: card})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), "holds itself") || len(fake.Log().Calls("")) != 0 {
		t.Errorf("got %v, want a refusal before anything is sent", err)
	}
}

// TestServer: the first absolute https address of several, with its variables.
func TestServer(t *testing.T) {
	if baseURL != "https://cn.acme.example/base" {
		t.Errorf("got %s", baseURL)
	}
}
