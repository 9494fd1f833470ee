package acme

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/stranger/whole_client/acmetest"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

const id = "00000000-0000-4000-8000-000000000000"

// inside runs a test with a client and its fake in virtual time.
func inside(t *testing.T, test func(t *testing.T, c *Client, srv *acmetest.Server)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := acmetest.NewServer()
		defer srv.Close()
		c, err := New(append(srv.Options(),
			WithBearerAuth("me", "tok-1"), WithAPIKey("me", "key-1"), WithQueryKey("me", "key-2"), WithBasicAuth("ann", "pass"))...)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		test(t, c, srv)
	})
}

// TestEveryOperation makes each call once: the fake takes it, and its example is read without a fault.
func TestEveryOperation(t *testing.T) {
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		var resp resilience.Response
		raw := resilience.WithResponse(&resp)
		calls := map[*resilience.Operation]func() error{
			OpUsersList: func() error { _, err := c.Users.List(t.Context(), nil, raw); return err },
			OpUsersCreate: func() error {
				_, err := c.Users.Create(t.Context(), &UsersCreateRequest{Email: "ann@acme.example"}, raw)
				return err
			},
			OpUsersGet:    func() error { _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, raw); return err },
			OpUsersDelete: func() error { return c.Users.Delete(t.Context(), &UsersDeleteRequest{ID: id}, raw) },
			OpUsersSearch: func() error { _, err := c.Users.Search(t.Context(), &UsersSearchRequest{}, raw); return err },
			OpSessionGet:  func() error { _, err := c.Session.Get(t.Context(), raw, resilience.WithAccount("ann")); return err },
			OpCachesClear: func() error { return c.Caches.Clear(t.Context(), raw) },
			OpStatusGet:   func() error { _, err := c.Status.Get(t.Context(), raw); return err },
			OpReportsDownload: func() error {
				got, err := c.Reports.Download(t.Context(), &ReportsDownloadRequest{Name: "may"}, raw)
				if err != nil {
					return err
				}
				defer func() { _ = got.Stream.Close() }()
				if text, err := io.ReadAll(got.Stream); err != nil || string(text) != "content" || got.Header.Get("Content-Type") != "text/csv" {
					t.Errorf("downloaded %q of %s, %v", text, got.Header.Get("Content-Type"), err)
				}
				return nil
			},
		}
		for _, op := range Operations() {
			resp = resilience.Response{}
			call := calls[op]
			if call == nil {
				t.Errorf("%s is not tried", op)
				continue
			}
			if op.Auth == schemeBearerAuth || op.Auth == schemeAPIKey || op.Auth == schemeQueryKey {
				raw = as("me", &resp)
			} else {
				raw = resilience.WithResponse(&resp)
			}
			if err := call(); err != nil || len(resp.Faults) > 0 {
				t.Errorf("%s: %v, faults %v", op, err, resp.Faults)
			}
			if got := len(srv.Calls(op)); got != 1 {
				t.Errorf("%s: %d calls arrived, want 1", op, got)
			}
			want := map[*resilience.Operation]int{OpUsersCreate: 201, OpUsersDelete: 204, OpCachesClear: 204}[op]
			if want == 0 {
				want = 200
			}
			if got := srv.Calls(op)[0].Status; got != want {
				t.Errorf("%s: status %d, want %d of the spec", op, got, want)
			}
		}
	})
}

func as(account string, r *resilience.Response) resilience.CallOption {
	return func(c *resilience.Call) { c.Account, c.Response = account, r }
}

var me = resilience.WithAccount("me")

// TestCredentials: each scheme's secret travels where the spec says, and is not logged whole.
func TestCredentials(t *testing.T) {
	seen := map[string]string{}
	srv := acmetest.NewServer()
	defer srv.Close()
	spy := roundTripper(func(r *http.Request) (*http.Response, error) {
		seen[r.URL.Path] = r.Header.Get("Authorization") + "|" + r.Header.Get("X-Api-Key") + "|" + r.URL.Query().Get("key")
		return srv.Transport().RoundTrip(r)
	})
	c, err := New(append(srv.Options(), stack.WithTransport(spy),
		WithBearerAuth("me", "tok-1"), WithAPIKey("me", "key-1"), WithQueryKey("me", "key-2"), WithBasicAuth("ann", "pass"))...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	_, e1 := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me)
	_, e2 := c.Users.Search(t.Context(), &UsersSearchRequest{}, me)
	report, e3 := c.Reports.Download(t.Context(), &ReportsDownloadRequest{Name: "may"}, me)
	_, e4 := c.Session.Get(t.Context(), resilience.WithAccount("ann"))
	_, e5 := c.Status.Get(t.Context())
	if err := errors.Join(e1, e2, e3, e4, e5); err != nil {
		t.Fatal(err)
	}
	_ = report.Stream.Close()
	want := map[string]string{
		"/users/" + id: "Bearer tok-1||", "/users/search": "|key-1|", "/reports/may.csv": "||key-2",
		"/session": "Basic " + base64.StdEncoding.EncodeToString([]byte("ann:pass")) + "||", "/status": "||",
	}
	for path, credential := range want {
		if seen[path] != credential {
			t.Errorf("%s was authorized with %q, want %q", path, seen[path], credential)
		}
	}
	for _, call := range srv.Calls(nil) {
		for _, secret := range []string{"tok-1", "key-1", "key-2"} {
			if call.Credential == secret {
				t.Errorf("the log shows %s", secret)
			}
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// TestFakeRefuses: calls without a credential, of unknown paths, with another method.
func TestFakeRefuses(t *testing.T) {
	srv := acmetest.NewServer()
	defer srv.Close()
	client := &http.Client{Transport: srv.Transport()}
	for _, tt := range []struct {
		name, method, path, authorization string
		status                            int
		code                              string
	}{
		{"no credential", "GET", "/users", "", 401, "unauthorized"},
		{"another scheme", "GET", "/users", "Basic YTpi", 401, "unauthorized"},
		{"unknown path", "GET", "/nothing", "Bearer t", 418, "no_such_operation"},
		{"another method", "PUT", "/users", "Bearer t", 418, "no_such_operation"},
		{"a part of a segment", "GET", "/reports/may.pdf", "Bearer t", 418, "no_such_operation"},
		{"good", "GET", "/users", "Bearer t", 200, "users"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r, err := http.NewRequestWithContext(t.Context(), tt.method, srv.URL()+tt.path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if tt.authorization != "" {
				r.Header.Set("Authorization", tt.authorization)
			}
			resp, err := client.Do(r)
			if err != nil {
				t.Fatal(err)
			}
			body, err := io.ReadAll(resp.Body)
			_ = resp.Body.Close()
			if err != nil || resp.StatusCode != tt.status || !strings.Contains(string(body), `"`+tt.code+`"`) {
				t.Errorf("got %d %s, %v, want %d with %s", resp.StatusCode, body, err, tt.status, tt.code)
			}
		})
	}
}

// TestThrottled: a 429 with Retry-After cools the credential, no call leaves before its end, and errors tell.
func TestThrottled(t *testing.T) {
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		begin := time.Now()
		srv.Fail(OpUsersGet, acmetest.Fault{Status: 429, Header: http.Header{"Retry-After": {"20"}}, Code: "rate_limited", Text: "slow down"})
		if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me); err != nil {
			t.Errorf("got %v, want success after the wait", err)
		}
		if took := time.Since(begin); took < 20*time.Second {
			t.Errorf("it took %v, want 20s or more", took)
		}
		if calls := srv.Calls(OpUsersGet); len(calls) != 2 || calls[0].Code != "rate_limited" {
			t.Errorf("calls: %+v", calls)
		}
		srv.Fail(OpUsersGet, acmetest.Fault{Status: 429, Header: http.Header{"Retry-After": {"900"}}, Code: "rate_limited", Text: "slow down"})
		_, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me)
		e, ok := errors.AsType[*resilience.APIError](err)
		if !ok || !errors.Is(err, resilience.ErrThrottled) || e.Code != "rate_limited" || e.Message != "slow down" {
			t.Errorf("got %v, want the platform's code and text", err)
		}
	})
}

// TestLostAnswers: a POST is not made twice, a GET is.
func TestLostAnswers(t *testing.T) {
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		srv.Fail(OpUsersCreate, acmetest.Fault{CutAfter: true})
		_, err := c.Users.Create(t.Context(), &UsersCreateRequest{Email: "ann@acme.example"}, me)
		if !errors.Is(err, resilience.ErrUnknownOutcome) || len(srv.Calls(OpUsersCreate)) != 1 {
			t.Errorf("got %v after %d calls, want an unknown outcome after one", err, len(srv.Calls(OpUsersCreate)))
		}
		srv.Fail(OpUsersGet, acmetest.Fault{CutAfter: true})
		if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me); err != nil || len(srv.Calls(OpUsersGet)) != 2 {
			t.Errorf("got %v after %d calls, want success after two", err, len(srv.Calls(OpUsersGet)))
		}
		srv.Fail(OpCachesClear, acmetest.Fault{CutAfter: true})
		if err := c.Caches.Clear(t.Context(), me); !errors.Is(err, resilience.ErrUnknownOutcome) {
			t.Errorf("got %v, want an unknown outcome of a GET that writes", err)
		}
	})
}

// TestAnswers: what a test sets is answered, errors included, and pages end.
func TestAnswers(t *testing.T) {
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		srv.Answer(OpUsersGet, 0, `{"id":"7","role":"owner","manager":{"id":"8"}}`)
		got, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me)
		if err != nil || got.ID != "7" || got.Role != "owner" || got.Manager.OrZero().ID != "8" {
			t.Errorf("got %+v, %v", got, err)
		}
		srv.Answer(OpUsersGet, 404, `{"error":{"code":"not_found","message":"no such user"},"request_id":"r-1"}`)
		_, err = c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me)
		if e, ok := errors.AsType[*resilience.APIError](err); !ok || !errors.Is(err, resilience.ErrNotFound) || e.RequestID != "r-1" {
			t.Errorf("got %v", err)
		}
		for name, all := range map[string]func(yield func(any, error) bool){
			"pages": func(yield func(any, error) bool) {
				c.Users.ListAll(t.Context(), nil, me)(func(u UserItem, err error) bool { return yield(u, err) })
			},
			"offsets": func(yield func(any, error) bool) {
				c.Users.SearchAll(t.Context(), nil, me)(func(u UserItem, err error) bool { return yield(u, err) })
			},
		} {
			n := 0
			for _, err := range all {
				if n++; err != nil || n > 10 {
					t.Fatalf("%s: %v after %d", name, err, n)
				}
			}
			if n != 1 {
				t.Errorf("%s: %d users, want 1", name, n)
			}
		}
	})
}

type UserItem = User

// TestDo makes a call that the package does not know, and WithParam adds to it.
func TestDo(t *testing.T) {
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		own := &resilience.Operation{Platform: "acme", ID: "own", HTTPMethod: "POST", Path: "/users/search", Auth: "apiKey"}
		var out struct {
			Data []User `json:"data"`
		}
		if err := c.Do(t.Context(), own, map[string]any{"text": "a&b"}, &out, resilience.WithParam("debug", "1"), me); err != nil || len(out.Data) != 1 {
			t.Errorf("got %+v, %v", out, err)
		}
		call := srv.Calls(own)[0]
		if string(call.Body) != `{"text":"a&b"}` || call.Params.Get("debug") != "1" {
			t.Errorf("sent %s, %v", call.Body, call.Params)
		}
		other := &resilience.Operation{Platform: "acme", ID: "x", HTTPMethod: "GET", Path: "/users/me", Auth: "bearerAuth"}
		unknown := &resilience.Operation{Platform: "acme", ID: "y", HTTPMethod: "GET", Path: "/nothing"}
		err := c.Do(context.Background(), unknown, nil, nil)
		if errors.Is(err, resilience.ErrNotFound) || !strings.Contains(fmt.Sprint(err), "package acmetest: /nothing is no path of the spec") {
			t.Errorf("got %v, want a word that the fake does not know the path, and no business answer", err)
		}
		srv.Answer(unknown, 404, `{"error":{"code":"not_found"}}`)
		if err := c.Do(t.Context(), unknown, nil, nil); !errors.Is(err, resilience.ErrNotFound) {
			t.Errorf("got %v, want what was set", err)
		}
		srv.Answer(other, 0, `{"data":[{"id":"me"},{"id":"you"}]}`)
		if err := c.Do(t.Context(), other, nil, &out, me); err != nil || len(out.Data) != 2 || len(srv.Calls(other)) != 1 {
			t.Errorf("got %+v, %v", out, err)
		}
	})
}

// TestAnswersByTheCall: page after page, by what is asked for, with headers and any type of content.
func TestAnswersByTheCall(t *testing.T) {
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		srv.Answer(OpUsersList, 0, `{"users":[{"id":"1"},{"id":"2"}],"total_pages":2}`, `{"users":[{"id":"3"}],"total_pages":2}`)
		var ids []string
		for user, err := range c.Users.ListAll(t.Context(), nil, me) {
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, string(user.ID))
		}
		if got := strings.Join(ids, " "); got != "1 2 3" {
			t.Errorf("got %s of two pages, want 1 2 3", got)
		}

		srv.Handle(OpUsersGet, func(w http.ResponseWriter, r *http.Request) {
			if r.PathValue("id") == "bad" {
				w.WriteHeader(http.StatusBadGateway)
				_, _ = io.WriteString(w, "<html>bad gateway</html>")
				return
			}
			w.Header().Set("X-Left", "7")
			_, _ = fmt.Fprintf(w, `{"id":%q}`, r.PathValue("id"))
		})
		var resp resilience.Response
		for _, id := range []string{"7", "a/b"} {
			user, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, as("me", &resp))
			if err != nil || string(user.ID) != id || resp.Status != 200 || resp.Header.Get("X-Left") != "7" {
				t.Errorf("got %+v, %+v, %v", user, resp, err)
			}
		}
		_, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: "bad"}, as("me", &resp))
		if !errors.Is(err, resilience.ErrTransient) || !strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html") {
			t.Errorf("got %v of %q, want a page of HTML", err, resp.Header.Get("Content-Type"))
		}
		srv.Handle(OpUsersGet, nil)
		if user, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: "7"}, me); err != nil || string(user.ID) != id {
			t.Errorf("got %+v, %v, want the example again", user, err)
		}

		srv.Handle(OpUsersCreate, func(w http.ResponseWriter, r *http.Request) { _, _ = io.Copy(w, r.Body) })
		made, err := c.Users.Create(t.Context(), &UsersCreateRequest{Email: "ann@acme.example"}, as("me", &resp))
		if err != nil || made.Email != "ann@acme.example" || resp.Status != 201 {
			t.Errorf("got %+v with %d, %v", made, resp.Status, err)
		}
		srv.Handle(OpUsersList, func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, `{"total_pages":%s}`, r.FormValue("page"))
		})
		list, err := c.Users.List(t.Context(), &UsersListRequest{Page: new(int64(9))}, me)
		if err != nil || list.TotalPages != 9 {
			t.Errorf("got %+v, %v", list, err)
		}
	})
}

// TestFaultsOfCodes: a code comes with the HTTP status of its class.
func TestFaultsOfCodes(t *testing.T) {
	tests := []struct {
		code   string
		status int // of the fault
		want   int
		is     error
	}{
		{"rate_limited", 0, 429, resilience.ErrThrottled},
		{"email_taken", 0, 422, resilience.ErrRejected},
		{"not_found", 0, 404, resilience.ErrNotFound},
		{"internal", 0, 503, resilience.ErrTransient},
		{"internal_disk", 0, 503, resilience.ErrTransient},
		{"internal_key", 0, 401, resilience.ErrUnauthorized},
		{"unheard_of", 0, 400, resilience.ErrInvalid},
		{"email_taken", 409, 409, resilience.ErrRejected},
	}
	for _, tt := range tests {
		inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
			srv.Fail(OpUsersGet, acmetest.Fault{Code: tt.code, Status: tt.status, Rate: 1})
			_, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}, me)
			e, ok := errors.AsType[*resilience.APIError](err)
			if !ok || e.Status != tt.want || e.Code != tt.code || !errors.Is(err, tt.is) {
				t.Errorf("%s: got %v, want status %d", tt.code, err, tt.want)
			}
		})
	}
	inside(t, func(t *testing.T, c *Client, srv *acmetest.Server) {
		srv.Fail(nil, acmetest.Fault{Code: "email_taken"})
		if err := c.Users.Delete(t.Context(), &UsersDeleteRequest{ID: id}, me); !errors.Is(err, resilience.ErrDuplicateContent) {
			t.Errorf("got %v", err)
		}
		if got := srv.Calls(OpUsersDelete)[0].Status; got != 409 {
			t.Errorf("a code that means something else for the operation: status %d, want 409", got)
		}
	})
}

// TestOutsideABubble: with repeats off nothing waits.
func TestOutsideABubble(t *testing.T) {
	srv := acmetest.NewServer()
	defer srv.Close()
	c, err := New(append(srv.Options(), WithBearerAuth("me", "t"), stack.WithConfig(stack.Config{Retry: retry.Config{Off: true}}))...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	srv.Fail(OpUsersGet, acmetest.Fault{Code: "rate_limited"})
	begin := time.Now()
	for range 2 { // refused, and then cooling
		if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}); err == nil {
			t.Error("got an answer, want an error")
		}
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("it took %v", took)
	}
}

// TestOptions: faulty ones are named all at once, and without a credential nothing is sent.
func TestOptions(t *testing.T) {
	_, err := New(WithBearerAuth("", "t"), WithAPIKey("me"), WithQueryKey("me", ""), WithBasicAuth("ann", ""))
	if err == nil {
		t.Fatal("New took four faulty options")
	}
	for _, want := range []string{
		"WithBearerAuth: the account has no name", `WithAPIKey: account "me" has no key`, `WithQueryKey: key 1 of account "me" is empty`,
		"WithBasicAuth: want a user and the password",
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
	}
	if _, err := New(WithBasicAuth("ann:x", "pass")); err == nil || !strings.Contains(err.Error(), "WithBasicAuth: the user holds a colon") {
		t.Errorf("a user with a colon: got %v", err)
	}
	srv := acmetest.NewServer()
	defer srv.Close()
	c, err := New(append(srv.Options(), WithAPIKey("me", "k1", "k2"))...)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}); !errors.Is(err, resilience.ErrNoCredential) {
		t.Errorf("got %v, want no credential", err)
	}
	if err := c.Stack().Put(resilience.Credential{ID: "me/bearerAuth/1", Account: "me", Agent: "bearerAuth", Token: "t"}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: id}); err != nil {
		t.Errorf("got %v after Put", err)
	}
}
