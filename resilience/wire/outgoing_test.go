package wire_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/google/go-cmp/cmp"
)

func build(t *testing.T, base string, op *resilience.Operation, req *resilience.Request) *http.Request {
	t.Helper()
	r, err := wire.NewOutgoing(base, op, req).HTTP(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func content(t *testing.T, r *http.Request) string {
	t.Helper()
	data, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Body.Close(); err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestRequestOnPaper(t *testing.T) {
	get := &resilience.Operation{Platform: "acme", ID: "list", HTTPMethod: "GET", Path: "/2/list.json"}
	post := &resilience.Operation{Platform: "acme", ID: "send", HTTPMethod: "POST", Path: "/openapi/param2/1/acme.trade/create/{appKey}"}
	const form = "application/x-www-form-urlencoded; charset=UTF-8"
	tests := []struct {
		name                   string
		op                     *resilience.Operation
		req                    resilience.Request
		uri, body, contentType string
	}{
		{"cursor with plus, slash and equals", get, resilience.Request{Query: pairs("cursor", "MTY+/3==")},
			"/2/list.json?cursor=MTY%2B%2F3%3D%3D", "", ""},
		{"no cursor", get, resilience.Request{}, "/2/list.json", "", ""},
		{"keyword", get, resilience.Request{Query: pairs("q", "a&b=c#d")}, "/2/list.json?q=a%26b%3Dc%23d", "", ""},
		{"form of a GET", get, resilience.Request{Query: pairs("b", "2"), Form: pairs("a", "1")},
			"/2/list.json?b=2&a=1", "", ""},
		{"form in the order given", post, resilience.Request{
			Path: pairs("appKey", "1000000"), Query: pairs("v", "1"),
			Form: pairs("keywords", "连衣裙 A+B&C=50%", "page", "1"),
		}, "/openapi/param2/1/acme.trade/create/1000000?v=1", "keywords=%E8%BF%9E%E8%A1%A3%E8%A3%99%20A%2BB%26C%3D50%25&page=1", form},
		{"value in the path", post, resilience.Request{Path: pairs("appKey", "a/b?c 中{x}")},
			"/openapi/param2/1/acme.trade/create/a%2Fb%3Fc%20%E4%B8%AD%7Bx%7D", "", ""},
		{"JSON", post, resilience.Request{
			Path: pairs("appKey", "1"), JSON: []byte(`{"a":"<&>"}`), Form: pairs("token", "t"),
		}, "/openapi/param2/1/acme.trade/create/1?token=t", `{"a":"<&>"}`, "application/json; charset=UTF-8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := build(t, "https://api.example/", tt.op, &tt.req)
			if got := r.URL.RequestURI(); got != tt.uri {
				t.Errorf("address: got %s, want %s", got, tt.uri)
			}
			if r.Host != "api.example" || r.URL.Scheme != "https" || r.Method != tt.op.HTTPMethod {
				t.Errorf("got %s %s://%s, want %s https://api.example", r.Method, r.URL.Scheme, r.Host, tt.op.HTTPMethod)
			}
			if r.Body == nil || r.GetBody != nil {
				t.Errorf("body %v, GetBody set: %v, want a body and no GetBody", r.Body, r.GetBody != nil)
			}
			if r.Method == http.MethodGet && r.Body == http.NoBody {
				t.Error("the body of a GET is http.NoBody: net/http would repeat it by itself")
			}
			if got := content(t, r); got != tt.body || r.ContentLength != int64(len(tt.body)) {
				t.Errorf("body: got %q of %d, want %q of %d", got, r.ContentLength, tt.body, len(tt.body))
			}
			if got := r.Header.Get("Content-Type"); got != tt.contentType {
				t.Errorf("content type: got %q, want %q", got, tt.contentType)
			}
		})
	}
}

// The oracle is the standard library's own reader of forms.
func TestFormIsReadBackExactly(t *testing.T) {
	var all strings.Builder
	for c := range 256 {
		all.WriteByte(byte(c))
	}
	for _, value := range []string{"", "a b", "a+b", "100%", "连衣裙", "😀", "a=b&c=d;e#f", `"'<>\`, "\r\n\t", "~-._", all.String()} {
		r := build(t, "https://api.example", opCreate, &resilience.Request{Form: pairs(value, value)})
		got, err := url.ParseQuery(content(t, r))
		if err != nil {
			t.Fatal(err)
		}
		if got := got.Get(value); got != value {
			t.Errorf("got %q, want %q", got, value)
		}
	}
}

func TestAttemptsShareNothing(t *testing.T) {
	req := &resilience.Request{Query: make([]resilience.Param, 1, 9), Form: make([]resilience.Param, 1, 9)}
	req.Query[0], req.Form[0] = resilience.Param{Name: "q", Value: "1"}, resilience.Param{Name: "f", Value: "1"}
	one := wire.NewOutgoing("https://api.example", opCreate, req)
	two := wire.NewOutgoing("https://api.example", opCreate, req)
	for i, o := range []*wire.Outgoing{one, two} {
		token := "tok-" + strconv.Itoa(i)
		o.Query = append(o.Query, resilience.Param{Name: "access_token", Value: token})
		o.Form = append(o.Form, resilience.Param{Name: "access_token", Value: token})
		o.Form[0].Value = token
		o.Header.Set("Authorization", token)
	}
	for i, o := range []*wire.Outgoing{one, two} {
		token := "tok-" + strconv.Itoa(i)
		if o.Query[1].Value != token || o.Form[1].Value != token || o.Header.Get("Authorization") != token {
			t.Errorf("attempt %d: got %v %v %v, want its own token", i, o.Query, o.Form, o.Header)
		}
	}
	if req.Form[0].Value != "1" {
		t.Errorf("the call's request was changed to %v", req.Form)
	}
}

func TestEachAttemptSendsTheSameBody(t *testing.T) {
	req := &resilience.Request{JSON: []byte(`{"a":1,"b":"2","c":[3]}`)}
	var first string
	for i := range 3 {
		r := build(t, "https://api.example", opCreate, req)
		got := fmt.Sprintf("%d %s %s", r.ContentLength, r.Header.Get("Content-Type"), content(t, r))
		if i == 0 {
			first = got
		}
		if got != first || !strings.HasSuffix(got, string(req.JSON)) || r.ContentLength != 23 {
			t.Errorf("attempt %d: got %s, want %s", i, got, first)
		}
	}
}

func TestRequestsThatCannotBeMade(t *testing.T) {
	get := &resilience.Operation{Platform: "acme", ID: "list", HTTPMethod: "GET", Path: "/{appKey}/list"}
	filled := pairs("appKey", "1")
	file := *wire.FileBytes("a.png", "", []byte("x"))
	secret := pairs("access_token", "TOK-SECRET-0001")
	tests := []struct {
		name, base string
		req        resilience.Request
		says       string
	}{
		{"path not filled", "https://api.example", resilience.Request{Query: secret}, "lacks {appKey}"},
		{"no host", "api.example", resilience.Request{Path: filled, Query: secret}, `base address "api.example"`},
		{"broken base", "https://user:TOK-SECRET-0001@api.example:x", resilience.Request{Path: filled}, "base address"},
		{"JSON and files", "https://api.example", resilience.Request{Path: filled, JSON: []byte("{}"), Files: []resilience.File{file}}, "either JSON or files"},
		{"files in a GET", "https://api.example", resilience.Request{Path: filled, Files: []resilience.File{file}}, "GET cannot carry files"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := wire.NewOutgoing(tt.base, get, &tt.req).HTTP(t.Context())
			if err == nil || !strings.Contains(err.Error(), tt.says) {
				t.Fatalf("got %v, want an error that says %q", err, tt.says)
			}
			if strings.Contains(err.Error(), "SECRET") {
				t.Errorf("the error shows a secret: %v", err)
			}
		})
	}
	t.Run("file without a size", func(t *testing.T) {
		bad := resilience.File{Field: "media", Size: -1, Open: file.Open}
		_, err := wire.NewOutgoing("https://api.example", opCreate, &resilience.Request{Files: []resilience.File{bad}}).HTTP(t.Context())
		if err == nil || !strings.Contains(err.Error(), `"media"`) {
			t.Errorf("got %v, want an error that names the file", err)
		}
	})
}

func TestSetPathIsForAuthorizers(t *testing.T) {
	op := &resilience.Operation{Platform: "acme", ID: "x", HTTPMethod: "POST", Path: "/openapi/{appKey}"}
	o := wire.NewOutgoing("https://api.example", op, &resilience.Request{})
	o.SetPath("appKey", "10 00")
	r, err := o.HTTP(t.Context())
	if err != nil || r.URL.String() != "https://api.example/openapi/10%2000" {
		t.Errorf("got %v, %v, want .../openapi/10%%2000", r, err)
	}
}

func TestUpload(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.png")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	onDisk, err := wire.FilePath(path)
	if err != nil {
		t.Fatal(err)
	}
	read, err := wire.FileReader("a.png", "image/png", strings.NewReader("0123456789"), 10)
	if err != nil {
		t.Fatal(err)
	}
	for name, file := range map[string]*wire.File{
		"memory": wire.FileBytes("a.png", "image/png", []byte("0123456789")), "disk": onDisk, "stream": read,
	} {
		t.Run(name, func(t *testing.T) {
			req, err := wire.Encode(opCreate, params(func(e *wire.Encoder) {
				e.Form("status", "今天")
				e.File("media", file)
			}))
			if err != nil {
				t.Fatal(err)
			}
			for range 2 { // the first attempt and its repeat
				r := build(t, "https://api.example", opCreate, &req)
				if r.GetBody != nil {
					t.Error("GetBody is set: net/http would repeat by itself")
				}
				body := content(t, r)
				if r.ContentLength != int64(len(body)) {
					t.Errorf("Content-Length %d, want %d", r.ContentLength, len(body))
				}
				checkParts(t, r.Header.Get("Content-Type"), body)
			}
		})
	}
}

func checkParts(t *testing.T, contentType, body string) {
	t.Helper()
	_, args, err := mime.ParseMediaType(contentType)
	if err != nil {
		t.Fatal(err)
	}
	form, err := multipart.NewReader(strings.NewReader(body), args["boundary"]).ReadForm(1 << 20)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[string][]string{"status": {"今天"}}, form.Value); diff != "" {
		t.Errorf("text parts (-want +got):\n%s", diff)
	}
	if len(form.File) != 1 || len(form.File["media"]) != 1 {
		t.Fatalf("got the file parts %v, want one called media", form.File)
	}
	part := form.File["media"][0]
	if part.Filename != "a.png" || part.Header.Get("Content-Type") != "image/png" {
		t.Errorf("got %q of %q, want a.png of image/png", part.Filename, part.Header.Get("Content-Type"))
	}
	f, err := part.Open()
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(f)
	if err != nil || string(data) != "0123456789" {
		t.Errorf("got %q, %v, want 0123456789", data, err)
	}
	if !strings.HasSuffix(body, "--"+args["boundary"]+"--\r\n") {
		t.Errorf("no closing boundary at the end of %q", body)
	}
}

// An operation that takes parts gets them without a file too, and nothing where there is nothing to send.
func TestPartsWithoutAFile(t *testing.T) {
	op := &resilience.Operation{Platform: "acme", ID: "describe", HTTPMethod: "POST", Path: "/describe", Multipart: true}
	r := build(t, "https://api.example", op, &resilience.Request{Form: []resilience.Param{{Name: "title", Value: "今天 & b"}}})
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		t.Fatal(err)
	}
	if got := r.MultipartForm.Value["title"]; len(got) != 1 || got[0] != "今天 & b" || r.URL.RawQuery != "" {
		t.Errorf("got the title %q and the query %q", got, r.URL.RawQuery)
	}
	r = build(t, "https://api.example", op, &resilience.Request{Form: []resilience.Param{
		{Name: `a"b`, Value: "text"}, {Name: "meta", Value: `{"n":1}`, JSON: true},
	}})
	parts, err := r.MultipartReader()
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []struct{ name, kind string }{{`a"b`, ""}, {"meta", "application/json"}} {
		if part, err := parts.NextPart(); err != nil || part.FormName() != want.name || part.Header.Get("Content-Type") != want.kind {
			t.Errorf("got the part %v, %v, want %s of type %q", part, err, want.name, want.kind)
		}
	}
	r = build(t, "https://api.example", op, &resilience.Request{})
	if body := content(t, r); body != "" || r.Header.Get("Content-Type") != "" {
		t.Errorf("got %q of type %q, want no body", body, r.Header.Get("Content-Type"))
	}
	r = build(t, "https://api.example", op, &resilience.Request{JSON: []byte(`{}`), Form: []resilience.Param{{Name: "a", Value: "b"}}})
	if kind := r.Header.Get("Content-Type"); !strings.HasPrefix(kind, "application/json") || r.URL.RawQuery != "a=b" {
		t.Errorf("beside JSON: got %s and the query %q", kind, r.URL.RawQuery)
	}
}

func TestUploadOfSeveralFiles(t *testing.T) {
	req := resilience.Request{}
	for i, data := range []string{"one", "", "three"} {
		f := *wire.FileBytes(`a "quoted".txt`, "", []byte(data))
		f.Field = "f" + strconv.Itoa(i)
		req.Files = append(req.Files, f)
	}
	r := build(t, "https://api.example", opCreate, &req)
	if err := r.ParseMultipartForm(1 << 20); err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"one", "", "three"} {
		f, head, err := r.FormFile("f" + strconv.Itoa(i))
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(f)
		if err != nil || string(got) != want || head.Filename != `a "quoted".txt` {
			t.Errorf("file %d: got %q called %q, %v, want %q", i, got, head.Filename, err, want)
		}
	}
}

// A source counts how often it is opened and closed.
type source struct {
	io.Reader
	closed *int
}

func (s source) Close() error { *s.closed++; return nil }

func TestFileOfAnotherSizeThanItSaid(t *testing.T) {
	for _, size := range []int64{2, 4} {
		closed := 0
		file := resilience.File{
			Field: "media", Name: "a", Size: size,
			Open: func() (io.ReadCloser, error) { return source{strings.NewReader("abc"), &closed}, nil },
		}
		r := build(t, "https://api.example", opCreate, &resilience.Request{Files: []resilience.File{file}})
		_, err := io.ReadAll(r.Body)
		if err == nil || !strings.Contains(err.Error(), "another size") {
			t.Errorf("3 bytes announced as %d: got %v, want an error", size, err)
		}
		if err := r.Body.Close(); err != nil || closed != 1 {
			t.Errorf("after Close: closed %d times, %v, want 1", closed, err)
		}
	}
}

func TestFileThatCannotBeOpened(t *testing.T) {
	gone := errors.New("gone")
	file := resilience.File{Field: "media", Size: 1, Open: func() (io.ReadCloser, error) { return nil, gone }}
	r := build(t, "https://api.example", opCreate, &resilience.Request{Files: []resilience.File{file}})
	if _, err := io.ReadAll(r.Body); !errors.Is(err, gone) || !strings.Contains(err.Error(), "media") {
		t.Errorf("got %v, want the error of Open and the file's name", err)
	}
}

// A raw server speaks HTTP by hand over pipes, so that the bytes on the wire are seen, and ends connections as it likes.
type rawServer struct {
	mu    sync.Mutex
	heads []string // request lines and headers as they came
	acts  int
	// keep is how many requests a connection serves; the one after that is carried out, and the connection ends without an answer.
	keep int
}

func (s *rawServer) dial(context.Context, string, string) (net.Conn, error) {
	client, server := net.Pipe()
	go s.serve(server)
	return client, nil
}

func (s *rawServer) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	reader := bufio.NewReader(conn)
	for n := 0; ; n++ {
		head, length, err := readHead(reader)
		if err != nil {
			return
		}
		if _, err := io.CopyN(io.Discard, reader, length); err != nil {
			return
		}
		s.mu.Lock()
		s.heads = append(s.heads, head)
		s.acts++
		s.mu.Unlock()
		if n >= s.keep {
			return
		}
		if _, err := io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}"); err != nil {
			return
		}
	}
}

func readHead(r *bufio.Reader) (head string, length int64, err error) {
	for {
		line, err := r.ReadString('\n')
		if err != nil {
			return "", 0, err
		}
		if line == "\r\n" {
			return head, length, nil
		}
		head += line
		if value, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			if length, err = strconv.ParseInt(strings.TrimSpace(value), 10, 64); err != nil {
				return "", 0, err
			}
		}
	}
}

func (s *rawServer) transport(t *testing.T) *http.Transport {
	tr := &http.Transport{DialContext: s.dial}
	t.Cleanup(tr.CloseIdleConnections)
	return tr
}

func send(t *testing.T, rt http.RoundTripper, r *http.Request) error {
	t.Helper()
	resp, err := rt.RoundTrip(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	_, err = io.Copy(io.Discard, resp.Body)
	return err
}

func TestBytesOnTheWire(t *testing.T) {
	tests := []struct {
		name   string
		op     *resilience.Operation
		req    resilience.Request
		length string // "" means no such header
	}{
		{"GET", opShow, resilience.Request{Query: pairs("uid", "1")}, ""},
		{"POST with a form", opCreate, resilience.Request{Form: pairs("a", "1")}, "3"},
		{"POST without parameters", opCreate, resilience.Request{}, "0"},
		{"POST with JSON", opCreate, resilience.Request{JSON: []byte(`{}`)}, "2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &rawServer{keep: 1}
			if err := send(t, s.transport(t), build(t, "http://api.example", tt.op, &tt.req)); err != nil {
				t.Fatal(err)
			}
			head := s.heads[0]
			if strings.Contains(head, "Transfer-Encoding") {
				t.Errorf("the request is chunked:\n%s", head)
			}
			want := "Content-Length: " + tt.length + "\r\n"
			if tt.length == "" && strings.Contains(head, "Content-Length") || tt.length != "" && !strings.Contains(head, want) {
				t.Errorf("want the length %q in\n%s", tt.length, head)
			}
		})
	}
}

func TestUploadIsNotChunked(t *testing.T) {
	s := &rawServer{keep: 1}
	file := *wire.FileBytes("a.png", "image/png", bytes.Repeat([]byte("x"), 100_000))
	file.Field = "media"
	r := build(t, "http://api.example", opCreate, &resilience.Request{Files: []resilience.File{file}})
	length := r.ContentLength
	if err := send(t, s.transport(t), r); err != nil {
		t.Fatal(err)
	}
	if head := s.heads[0]; length < 100_000 || strings.Contains(head, "chunked") ||
		!strings.Contains(head, fmt.Sprintf("Content-Length: %d\r\n", length)) {
		t.Errorf("want the length %d and no chunks in\n%s", length, head)
	}
}

// A GET whose server acted and then closed a reused connection is sent again by net/http without a word, unless it has a body.
func TestNetHTTPDoesNotRepeat(t *testing.T) {
	tests := []struct {
		name    string
		request func(t *testing.T) *http.Request
		acts    int
		fails   bool
	}{
		{"ours", func(t *testing.T) *http.Request {
			return build(t, "http://api.example", opShow, &resilience.Request{Query: pairs("uid", "1")})
		}, 2, true},
		{"ours, POST without parameters", func(t *testing.T) *http.Request {
			return build(t, "http://api.example", opCreate, &resilience.Request{})
		}, 2, true},
		{"plain", func(t *testing.T) *http.Request {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://api.example/2/users/show.json?uid=1", nil)
			if err != nil {
				t.Fatal(err)
			}
			return r
		}, 3, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := &rawServer{keep: 1}
			rt := s.transport(t)
			if err := send(t, rt, tt.request(t)); err != nil {
				t.Fatal(err)
			}
			err := send(t, rt, tt.request(t))
			if (err != nil) != tt.fails {
				t.Errorf("on the reused connection: got %v, want an error: %v", err, tt.fails)
			}
			s.mu.Lock()
			defer s.mu.Unlock()
			if s.acts != tt.acts {
				t.Errorf("the server acted %d times, want %d", s.acts, tt.acts)
			}
		})
	}
}

func TestHeaders(t *testing.T) {
	req, err := wire.Encode(opCreate, headers{{"X-Region", "cn"}, {"X-Tag", "a"}, {"X-Tag", "b"}, {"Content-Type", "text/plain"}})
	if err != nil {
		t.Fatal(err)
	}
	req.JSON = []byte("{}")
	r := build(t, "https://api.example", opCreate, &req)
	if got := r.Header.Get("X-Region"); got != "cn" {
		t.Errorf("got region %q, want cn", got)
	}
	if got := r.Header.Values("X-Tag"); len(got) != 2 {
		t.Errorf("got tags %q, want a and b", got)
	}
	if got := r.Header.Values("Content-Type"); len(got) != 1 || !strings.HasPrefix(got[0], "application/json") {
		t.Errorf("got content type %q, want the body's own", got)
	}
}

// headers is a request that is nothing but headers.
type headers [][2]string

func (h headers) Encode(e *wire.Encoder) {
	for _, pair := range h {
		e.Header(pair[0], pair[1])
	}
}
