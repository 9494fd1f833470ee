package acme

import (
	"context"
	"encoding/base64"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/stranger/whole_client/acmetest"

	"github.com/dujiang-go/dujiang/resilience"
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
				if text, err := io.ReadAll(got.Stream); err != nil || string(text) != "content" {
					t.Errorf("downloaded %q, %v", text, err)
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
		{"unknown path", "GET", "/nothing", "Bearer t", 404, "not_found"},
		{"another method", "PUT", "/users", "Bearer t", 405, "method_not_allowed"},
		{"a part of a segment", "GET", "/reports/may.pdf", "Bearer t", 404, "not_found"},
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
		if err := c.Do(context.Background(), &resilience.Operation{Platform: "acme", ID: "x", HTTPMethod: "GET", Path: "/nothing"}, nil, nil); !errors.Is(err, resilience.ErrNotFound) {
			t.Errorf("got %v, want not found", err)
		}
	})
}

// TestOptions: faulty ones are named all at once, and without a credential nothing is sent.
func TestOptions(t *testing.T) {
	_, err := New(WithBearerAuth("", "t"), WithAPIKey("me"), WithQueryKey("me", ""), WithBasicAuth("ann", ""))
	if err == nil {
		t.Fatal("New took four faulty options")
	}
	for _, want := range []string{"WithBearerAuth", "WithAPIKey", "WithQueryKey", "WithBasicAuth"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not name %s", err, want)
		}
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
