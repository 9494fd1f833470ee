package acme

import (
	"cmp"
	"errors"
	"io"
	"iter"
	"net/http"
	"net/url"
	"reflect"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

func nothing(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
	return resiliencetest.Answer{Status: http.StatusNoContent}
}

// authorized answers nothing, and keeps the Authorization header, which the log has not.
func authorized(header *string) respond {
	return func(c *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
		*header = r.Header.Get("Authorization")
		return nothing(c, r)
	}
}

// client is the whole one, with its authorizer.
func client(t *testing.T, act respond) (*Client, *resiliencetest.Fake) {
	t.Helper()
	fake := &resiliencetest.Fake{Act: act}
	srv := resiliencetest.Serve(fake)
	t.Cleanup(srv.Close)
	c, err := New(WithApp("us", "app"), WithToken("us", "token"), stack.WithTransport(srv.Transport()), stack.WithBaseURL(srv.URL()), stack.WithLoopbackHTTP())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c, fake
}

// TestParameters: a parameter that has the name of another call's key is one, and one of its own is meant before the field of an object.
func TestParameters(t *testing.T) {
	var header string
	s, fake := connect(t, authorized(&header))
	if err := s.Things.Search(t.Context(), &ThingsSearchRequest{Key: "k", Authorization: "mine", Kind: 2, Limit: 3}); err != nil {
		t.Fatal(err)
	}
	call := only(t, fake)
	if want := (url.Values{"key": {"k"}, "kind": {"2"}, "limit": {"3"}}); !reflect.DeepEqual(call.Params, want) || header != "mine" {
		t.Errorf("sent %v with Authorization %q, want %v and mine", call.Params, header, want)
	}
}

// TestSeveralSchemes: the credential is that of one, and the other keys are sent all the same.
func TestSeveralSchemes(t *testing.T) {
	c, fake := client(t, nothing)
	if _, err := c.Things.Create(t.Context(), &ThingsCreateRequest{Name: "n"}); !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Errorf("without the second key: got %v, want ErrInvalidRequest", err)
	}
	content, err := c.Things.Create(t.Context(), &ThingsCreateRequest{Secret: "s", Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	_ = content.Stream.Close()
	if call := only(t, fake); call.Header.Get("X-App") != "app" || call.Params.Get("secret") != "s" {
		t.Errorf("sent X-App %q and secret %q, want app and s", call.Header.Get("X-App"), call.Params.Get("secret"))
	}
	var header string
	c, fake = client(t, authorized(&header))
	if err := c.Forms.Create(t.Context(), &FormsCreateRequest{Key: "k"}); err != nil {
		t.Fatal(err)
	}
	if key := only(t, fake).Params.Get("key"); header != "Bearer token" || key != "k" {
		t.Errorf("sent Authorization %q and key %q, want Bearer token and k", header, key)
	}
}

// TestJSON: what an allOf requires of its part, and nothing that only the platform sets.
func TestJSON(t *testing.T) {
	c, fake := client(t, nothing)
	if _, err := c.Things.Create(t.Context(), &ThingsCreateRequest{Secret: "s"}); !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Errorf("without the name: got %v, want ErrInvalidRequest", err)
	}
	content, err := c.Things.Create(t.Context(), &ThingsCreateRequest{Secret: "s", Name: "n", Item: &Item{Name: "i"}, Other: &Named{Name: "o", Text: "t"}})
	if err != nil {
		t.Fatal(err)
	}
	_ = content.Stream.Close()
	if got, want := string(only(t, fake).Body), `{"name":"n","item":{"name":"i"},"other":{"name":"o","text":"t"}}`; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// TestForm: lists with other signs than commas are given as text.
func TestForm(t *testing.T) {
	c, fake := client(t, nothing)
	req := &FormsCreateRequest{Key: "k", IDs: new("1|2"), Words: new("a b"), Plain: []string{"c", "d"}, DeepAB: new("e")}
	if err := c.Forms.Create(t.Context(), req); err != nil {
		t.Fatal(err)
	}
	if got, want := string(only(t, fake).Body), "ids=1%7C2&words=a%20b&plain=c&plain=d&deep%5Ba%5D%5Bb%5D=e"; got != want {
		t.Errorf("sent %s, want %s", got, want)
	}
}

// TestFile: an answer of any type that is a file is none of JSON.
func TestFile(t *testing.T) {
	c, _ := client(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		return resiliencetest.Answer{Body: []byte("\x89PNG"), ContentType: "image/png"}
	})
	content, err := c.Things.Create(t.Context(), &ThingsCreateRequest{Secret: "s", Name: "n"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = content.Stream.Close() }()
	if got, err := io.ReadAll(content.Stream); err != nil || string(got) != "\x89PNG" {
		t.Errorf("got %q, %v", got, err)
	}
}

// TestServer: an address with a password is left alone, and so is one that nothing fills in.
func TestServer(t *testing.T) {
	if baseURL != "https://sent.example/v1" {
		t.Errorf("got %s", baseURL)
	}
}

// TestPages: what is answered page by page may be sent too, and holds pointers then.
func TestPages(t *testing.T) {
	pages := map[string]string{
		"":                     `{"rows":["a",{"b":"1"}],"total":3,"meta":{"next":"2026-01-02T03:04:05Z"}}`,
		"2026-01-02T03:04:05Z": `{"rows":[null],"meta":{"next":null}}`,
		"2":                    `{"rows":["c"],"total":3}`,
	}
	s, _ := connect(t, func(c *resiliencetest.Call, _ *http.Request) resiliencetest.Answer {
		from := c.Params.Get("from")
		if from == "0" {
			from = ""
		}
		return resiliencetest.Answer{Body: []byte(pages[cmp.Or(from, c.Params.Get("since"))])}
	})
	for name, c := range map[string]struct {
		all  iter.Seq2[any, error]
		want []any
	}{
		"cursors": {s.Pages.LinkedAll(t.Context(), nil), []any{"a", map[string]any{"b": "1"}, nil}},
		"offsets": {s.Pages.CountedAll(t.Context(), nil), []any{"a", map[string]any{"b": "1"}, "c"}},
	} {
		var got []any
		for row, err := range c.all {
			if err != nil {
				t.Fatal(name, err)
			}
			got = append(got, row)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: got %v, want %v", name, got, c.want)
		}
	}
}
