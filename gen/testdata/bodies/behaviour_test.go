package acme

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

var at = time.Date(2024, 1, 1, 12, 0, 0, 0, time.FixedZone("", 8*60*60))

// check compares parameters as the platform reads them.
func check(t *testing.T, got, want url.Values) {
	t.Helper()
	for name := range want {
		if !slices.Equal(got[name], want[name]) {
			t.Errorf("%s: got %q, want %q", name, got[name], want[name])
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s: got %q, want nothing", name, got[name])
		}
	}
}

func TestListsAndObjectsInTheQuery(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0,"id":1}`))
	_, err := s.Things.Search(t.Context(), &ThingsSearchRequest{
		Tag: []string{"a,b", "c&d"}, IDs: []int64{1, 9007199254740993}, Must: []bool{false}, Filter: &Filter{Name: new("<a&b> 演示"), Max: new(int64(0))},
		Filters: []Filter{{Name: new("x")}, {}}, Labels: map[string]int64{"b": 2, "a": 1}, Grid: [][]int{{1}, {2, 3}}, Free: []any{1, "a"},
	})
	if err != nil {
		t.Fatal(err)
	}
	check(t, only(t, fake).Params, url.Values{
		"tag": {"a,b", "c&d"}, "ids": {"1,9007199254740993"}, "must": {"false"}, "filter": {`{"name":"<a&b> 演示","max":0}`},
		"filters": {`[{"name":"x"},{}]`}, "labels": {`{"a":1,"b":2}`}, "grid": {`[[1],[2,3]]`}, "free": {`[1,"a"]`},
	})
	s, fake = connect(t, answer(`{"errcode":0}`))
	if _, err := s.Things.Search(t.Context(), &ThingsSearchRequest{Must: []bool{true}, Tag: []string{}, IDs: []int64{}}); err != nil {
		t.Fatal(err)
	}
	check(t, only(t, fake).Params, url.Values{"must": {"true"}})
	if _, err := s.Things.Search(t.Context(), &ThingsSearchRequest{Must: []bool{}}); !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Errorf("an empty list that is required: got %v, want a refusal", err)
	}
}

// TestListsAndObjectsInAForm: each is one value, JSON text, not a[0]=x nor a[b]=y.
func TestListsAndObjectsInAForm(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0,"id":"1"}`))
	got, err := s.Things.Form(t.Context(), &ThingsFormRequest{
		Must: []string{"a+b"}, Annotations: []Filter{{Name: new("x")}}, Commas: []int64{3, 4}, Texts: []string{},
		TradeParam: &ThingsFormRequestTradeParam{A: new("z"), IDs: []int64{7}}, Opts: map[string]string{"k": "v"}, Free: map[string]any{"n": 5},
		At: wire.LocalTime{Time: at},
	})
	if err != nil || got.ID != "1" {
		t.Fatalf("got %+v, %v", got, err)
	}
	call := only(t, fake)
	check(t, call.Params, url.Values{
		"must": {`["a+b"]`}, "annotations": {`[{"name":"x"}]`}, "commas": {"3,4"}, "texts": {"[]"}, "tradeParam": {`{"a":"z","ids":[7]}`},
		"opts": {`{"k":"v"}`}, "free": {`{"n":5}`}, "at": {"2024-01-01 12:00:00"},
	})
	if !strings.HasPrefix(call.ContentType, "application/x-www-form-urlencoded") || call.Query != "" {
		t.Errorf("sent as %q, with the query %q", call.ContentType, call.Query)
	}
}

// TestJSONIsNotEscaped: some platforms refuse \u escapes, others show them to their users.
func TestJSONIsNotEscaped(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0}`))
	_, err := s.Things.Menu(t.Context(), &ThingsMenuRequest{
		Button: []Filter{{Name: new("<演示> & 'more' 😀 \u2028"), URL: new("https://a.example/?a=1&b=2")}},
		Match:  map[string]Filter{"<k>": {Max: new(int64(1))}},
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"button":[{"name":"<演示> & 'more' 😀 ` + "\u2028" + `","url":"https://a.example/?a=1&b=2"}],"match":{"<k>":{"max":1}}}`
	if call := only(t, fake); string(call.Body) != want || !strings.HasPrefix(call.ContentType, "application/json") {
		t.Errorf("sent %s as %q, want %s", call.Body, call.ContentType, want)
	}
}

// TestWhateverTheContentTypeSays: JSON is read, and refused, as JSON.
func TestWhateverTheContentTypeSays(t *testing.T) {
	for _, kind := range []string{
		"application/json", "application/json; charset=utf-8", "text/json", "text/plain", "text/plain; charset=utf-8", "text/html; charset=utf-8",
		"application/javascript", "application/octet-stream", "", "none at all",
	} {
		t.Run(kind, func(t *testing.T) {
			bodies := []string{`{"errcode":0,"id":12345678901234567890}`, `{"errcode":40001,"errmsg":"no"}`}
			s, _ := connect(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
				next := bodies[0]
				bodies = bodies[1:]
				a := resiliencetest.Answer{Body: []byte(next), ContentType: kind}
				if kind == "" {
					a.Header = http.Header{"Content-Type": nil} // net/http guesses none then
				}
				return a
			})
			req := &ThingsMenuRequest{Button: []Filter{{}}}
			if got, err := s.Things.Menu(t.Context(), req); err != nil || got.ID != "12345678901234567890" {
				t.Errorf("got %+v, %v", got, err)
			}
			_, err := s.Things.Menu(t.Context(), req)
			if e, ok := errors.AsType[*resilience.APIError](err); !ok || e.Code != CodeNotAllowed || !errors.Is(err, resilience.ErrForbidden) {
				t.Errorf("a refusal: got %v", err)
			}
		})
	}
}

// TestFormsWithoutAFile: parts stay parts where the platform takes nothing else.
func TestFormsWithoutAFile(t *testing.T) {
	const parts, form = "multipart/form-data", "application/x-www-form-urlencoded"
	file := wire.FileBytes("a.png", "image/png", []byte("png"))
	for _, tt := range []struct {
		name string
		send func(s services) (*Answer, error)
		want string // the body's type
	}{
		{"parts", func(s services) (*Answer, error) {
			return s.Media.Describe(t.Context(), &MediaDescribeRequest{Title: new("a&b")})
		}, parts},
		{"parts with a file", func(s services) (*Answer, error) {
			return s.Media.Describe(t.Context(), &MediaDescribeRequest{Title: new("a&b"), Media: file})
		}, parts},
		{"nothing", func(s services) (*Answer, error) { return s.Media.Describe(t.Context(), nil) }, ""},
		{"either", func(s services) (*Answer, error) {
			return s.Media.Share(t.Context(), &MediaShareRequest{Title: new("a&b")})
		}, form},
		{"either with a file", func(s services) (*Answer, error) {
			return s.Media.Share(t.Context(), &MediaShareRequest{Title: new("a&b"), Media: file})
		}, parts},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s, fake := connect(t, answer(`{"errcode":0,"id":"m"}`))
			if _, err := tt.send(s); err != nil {
				t.Fatal(err)
			}
			call := only(t, fake)
			if kind, _, _ := strings.Cut(call.ContentType, ";"); kind != tt.want || call.ContentLength != int64(len(call.Body)) {
				t.Errorf("%d bytes of %s, %d announced, want %s", len(call.Body), call.ContentType, call.ContentLength, tt.want)
			}
			if got := call.Params.Get("title"); tt.want != "" && got != "a&b" || tt.want == "" && len(call.Body) > 0 {
				t.Errorf("sent the title %q in %q", got, call.Body)
			}
		})
	}
}

func TestPartsOfAnUpload(t *testing.T) {
	parts := map[string]string{}
	s, fake := connect(t, func(_ *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
		for name, values := range r.MultipartForm.Value {
			parts[name] = strings.Join(values, "|")
		}
		for name, files := range r.MultipartForm.File {
			for _, f := range files {
				file, err := f.Open()
				if err != nil {
					return resiliencetest.JSON(400, nil)
				}
				data, _ := io.ReadAll(file)
				parts[name] += f.Filename + ":" + f.Header.Get("Content-Type") + ":" + string(data)
			}
		}
		return resiliencetest.Answer{ContentType: "text/plain", Body: []byte(`{"errcode":0,"id":"m"}`)}
	})
	got, err := s.Media.Upload(t.Context(), &MediaUploadRequest{
		Type: "image", Media: wire.FileBytes("演示 \"a\".png", "image/png", []byte("png")), Cover: wire.FileBytes("b.jpg", "", []byte("jpg")),
		Title: "t", Size: new(int64(3)), Description: &Filter{Name: new("<n>")}, Tags: []string{"x", "y"},
	})
	if err != nil || got.ID != "m" {
		t.Fatalf("got %+v, %v", got, err)
	}
	for name, want := range map[string]string{
		"media": "演示 \"a\".png:image/png:png", "cover": "b.jpg:application/octet-stream:jpg", "title": "t", "size": "3",
		"description": `{"name":"<n>"}`, "tags": `["x","y"]`,
	} {
		if parts[name] != want {
			t.Errorf("%s: got %q, want %q", name, parts[name], want)
		}
	}
	if call := only(t, fake); len(parts) != 6 || call.Query != "type=image" || call.ContentLength != int64(len(call.Body)) {
		t.Errorf("got %d parts, the query %q, %d bytes announced and %d sent", len(parts), call.Query, call.ContentLength, len(call.Body))
	}
	_, err = s.Media.Upload(t.Context(), &MediaUploadRequest{Type: "image", Title: "t"})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), `"media"`) {
		t.Errorf("without the file: got %v, want a refusal that names media", err)
	}
}

// TestDownload: content is a stream, and a refusal in its place is an error.
func TestDownload(t *testing.T) {
	s, fake := connect(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		return resiliencetest.Answer{ContentType: "image/png", Body: []byte("png\x00")}
	})
	resp, err := s.Media.File(t.Context(), &MediaFileRequest{ID: "a/b c", Range: new("bytes=0-3")})
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Stream.Close()
	if data, err := io.ReadAll(resp.Stream); err != nil || string(data) != "png\x00" || resp.Header.Get("Content-Type") != "image/png" {
		t.Errorf("got %q, %v", data, err)
	}
	if call := only(t, fake); call.Path != "/media/a/b c/file" || call.Header.Get("Range") != "bytes=0-3" {
		t.Errorf("asked %s, range %q", call.Path, call.Header.Get("Range"))
	}
	s, _ = connect(t, func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
		return resiliencetest.Answer{ContentType: "text/plain", Body: []byte(`{"errcode":40001,"errmsg":"no"}`)}
	})
	if _, err := s.Media.File(t.Context(), &MediaFileRequest{ID: "a"}); !errors.Is(err, resilience.ErrForbidden) {
		t.Errorf("a refusal in the place of content: got %v", err)
	}
	if _, err := s.Media.File(t.Context(), nil); !errors.Is(err, resilience.ErrInvalidRequest) {
		t.Errorf("an empty path parameter: got %v, want a refusal", err)
	}
}

// TestSecretOfTheCallerIsNotTold: neither by the error nor by what it keeps of an answer that echoes it.
func TestSecretOfTheCallerIsNotTold(t *testing.T) {
	s, _ := connect(t, answer(`{"errcode":40001,"errmsg":"bad lock L-topsecret"}`))
	_, err := s.Things.Batch(t.Context(), &ThingsBatchRequest{IdempotencyKey: "k-1", XLock: "L-topsecret"})
	e, ok := errors.AsType[*resilience.APIError](err)
	if !ok || strings.Contains(fmt.Sprint(err, e.Message, e.Body), "topsecret") {
		t.Errorf("got %v, want a refusal that does not tell the lock", err)
	}
}

func TestHeaders(t *testing.T) {
	s, fake := connect(t, answer(`{"errcode":0,"id":"b"}`))
	kind := KindLarge
	_, err := s.Things.Batch(t.Context(), &ThingsBatchRequest{
		IdempotencyKey: "k-1", XAttempt: 0, XDryRun: new(false), XKind: &kind, XFields: []string{"a", "b"}, XSince: wire.UnixTime{Time: at},
		XLock: "L-1", XOwner: "12345678901234567890",
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"Idempotency-Key": "k-1", "X-Attempt": "0", "X-Dry-Run": "false", "X-Kind": "large", "X-Fields": "a,b", "X-Since": "1704081600",
		"X-Lock": "L-1", "X-Version": "2024-01", "X-Owner": "12345678901234567890",
	} {
		if got := only(t, fake).Header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	s, fake = connect(t, answer(`{"errcode":0}`))
	if _, err := s.Things.Batch(t.Context(), &ThingsBatchRequest{IdempotencyKey: "k"}); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"X-Dry-Run", "X-Kind", "X-Fields", "X-Since", "X-Lock", "X-Owner"} {
		if got, ok := only(t, fake).Header[name]; ok {
			t.Errorf("%s: got %q, want no such header", name, got)
		}
	}
	if _, err := s.Things.Batch(t.Context(), nil); !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), "Idempotency-Key") {
		t.Errorf("got %v, want that the key is missing", err)
	}
}
