package resiliencetest_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

func TestFaults(t *testing.T) {
	const whole = `{"done":true}`
	tests := []struct {
		name       string
		fault      resiliencetest.Fault
		wantErr    error // nil: an answer comes
		wantStatus int
		wantBody   string
		wantType   string
		wantActs   int
		wantCode   string
		wantTook   time.Duration
	}{
		{name: "none", fault: resiliencetest.Fault{}, wantStatus: 200, wantBody: whole, wantActs: 1},
		{name: "delay", fault: resiliencetest.Fault{Delay: time.Minute}, wantStatus: 200, wantBody: whole, wantActs: 1,
			wantTook: time.Minute},
		{name: "cut before", fault: resiliencetest.Fault{CutBefore: true}, wantErr: io.EOF},
		{name: "cut after", fault: resiliencetest.Fault{CutAfter: true}, wantErr: io.EOF, wantActs: 1},
		{name: "half body", fault: resiliencetest.Fault{HalfBody: true}, wantErr: io.ErrUnexpectedEOF, wantActs: 1},
		{name: "hang", fault: resiliencetest.Fault{Hang: true}, wantErr: context.DeadlineExceeded, wantTook: time.Hour},
		{name: "acts though the caller has left", fault: resiliencetest.Fault{Delay: 2 * time.Hour}, wantActs: 1,
			wantErr: context.DeadlineExceeded, wantTook: time.Hour},
		{name: "status", fault: resiliencetest.Fault{Status: 503}, wantStatus: 503},
		{name: "status after acting", fault: resiliencetest.Fault{Status: 502, Acted: true}, wantStatus: 502, wantActs: 1},
		{name: "html", fault: resiliencetest.Fault{Status: 502, Body: "<html>", ContentType: "text/html"}, wantStatus: 502,
			wantBody: "<html>", wantType: "text/html"},
		{name: "other type", fault: resiliencetest.Fault{ContentType: "text/plain"}, wantStatus: 200, wantBody: whole,
			wantType: "text/plain", wantActs: 1},
		{name: "code", fault: resiliencetest.Fault{Code: "7", Text: "a < b"}, wantStatus: 400, wantCode: "7",
			wantBody: `{"code":"7","message":"a < b"}`},
		{name: "code in another status", fault: resiliencetest.Fault{Code: "7", Status: 200}, wantStatus: 200, wantCode: "7",
			wantBody: `{"code":"7","message":""}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				acts := 0
				fake := &resiliencetest.Fake{Act: func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
					acts++
					return resiliencetest.JSON(200, map[string]bool{"done": true})
				}}
				fake.Fail("GET /x", tt.fault)
				srv := resiliencetest.Serve(fake)
				client := &http.Client{Transport: srv.Transport()}
				ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
				defer cancel()

				start := time.Now()
				req, err := http.NewRequestWithContext(ctx, http.MethodGet, srv.URL()+"/x", nil)
				if err != nil {
					t.Fatal(err)
				}
				status, body, kind := 0, "", ""
				resp, err := client.Do(req)
				if err == nil {
					var raw []byte
					raw, err = io.ReadAll(resp.Body)
					_ = resp.Body.Close()
					status, body, kind = resp.StatusCode, string(raw), resp.Header.Get("Content-Type")
				}
				if got := time.Since(start); got != tt.wantTook {
					t.Errorf("took %v, want %v", got, tt.wantTook)
				}
				time.Sleep(24 * time.Hour) // whoever acts late has done it
				srv.Close()
				call := fake.Log().Calls("GET /x")[0]
				if acts != tt.wantActs || call.Acted != (acts > 0) {
					t.Errorf("acts: got %d (log says %v), want %d", acts, call.Acted, tt.wantActs)
				}
				if !call.Faulted || call.Code != tt.wantCode {
					t.Errorf("log: got faulted %v, code %q, want true, %q", call.Faulted, call.Code, tt.wantCode)
				}
				if tt.wantErr != nil {
					if !errors.Is(err, tt.wantErr) {
						t.Errorf("got error %v, want %v", err, tt.wantErr)
					}
					return
				}
				if err != nil {
					t.Fatal(err)
				}
				if status != tt.wantStatus || call.Status != status || body != tt.wantBody {
					t.Errorf("got %d (log %d) %q, want %d %q", status, call.Status, body, tt.wantStatus, tt.wantBody)
				}
				if tt.wantType != "" && kind != tt.wantType {
					t.Errorf("content type: got %q, want %q", kind, tt.wantType)
				}
			})
		})
	}
}

func TestFaultHeader(t *testing.T) {
	fake := &resiliencetest.Fake{}
	fake.Fail("", resiliencetest.Fault{Status: 429, Header: http.Header{"Retry-After": {"30"}}})
	srv := resiliencetest.Serve(fake)
	defer srv.Close()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL(), nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: srv.Transport()}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	if got := resp.Header.Get("Retry-After"); resp.StatusCode != 429 || got != "30" {
		t.Errorf("got %d with Retry-After %q, want 429 with 30", resp.StatusCode, got)
	}
}

func TestFaultsOrder(t *testing.T) {
	var faults resiliencetest.Faults
	if _, ok := faults.Next("a"); ok {
		t.Error("the zero Faults has a fault")
	}
	faults.Add("", resiliencetest.Fault{Code: "any"}, resiliencetest.Fault{Code: "share", Rate: 1})
	faults.Add("a", resiliencetest.Fault{Code: "a1", Times: 2}, resiliencetest.Fault{Code: "a2"})
	faults.Add("b", resiliencetest.Fault{Code: "b twice", Rate: 1, Times: 2})
	var got []string
	for _, op := range []string{"a", "a", "a", "a", "a", "b", "b", "b"} {
		fault, _ := faults.Next(op)
		got = append(got, fault.Code)
	}
	want := []string{"a1", "a1", "a2", "any", "share", "b twice", "b twice", "share"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("faults in order (-want +got):\n%s", diff)
	}
	faults.Add("a", resiliencetest.Fault{Code: "a3"})
	faults.Add("b", resiliencetest.Fault{Code: "b3"})
	faults.Clear("a")
	if fault, _ := faults.Next("a"); fault.Code != "share" {
		t.Errorf("after Clear(a): got %q, want the share of all", fault.Code)
	}
	faults.Clear("")
	if fault, ok := faults.Next("b"); ok {
		t.Errorf("after Clear of all: got %q, want none", fault.Code)
	}
}

func TestFaultsRate(t *testing.T) {
	hits := func(seed uint64) []int {
		var faults resiliencetest.Faults
		faults.Seed(seed)
		faults.Add("a", resiliencetest.Fault{Rate: 0.1})
		var at []int
		for i := range 10_000 {
			if _, ok := faults.Next("a"); ok {
				at = append(at, i)
			}
		}
		return at
	}
	first := hits(1)
	if n := len(first); n < 900 || n > 1100 {
		t.Errorf("a rate of 0.1 hit %d of 10,000", n)
	}
	if diff := cmp.Diff(first, hits(1)); diff != "" {
		t.Errorf("the same seed hit other calls:\n%s", diff)
	}
	if cmp.Equal(first, hits(2)) {
		t.Error("another seed hit the same calls")
	}
}

func TestFaultsAreSafeForConcurrentUse(t *testing.T) {
	var faults resiliencetest.Faults
	faults.Add("a", resiliencetest.Fault{Times: 700})
	var mu sync.Mutex
	var wg sync.WaitGroup
	total := 0
	for range 10 {
		wg.Go(func() {
			for range 100 {
				if _, ok := faults.Next("a"); ok {
					mu.Lock()
					total++
					mu.Unlock()
				}
			}
		})
	}
	wg.Wait()
	if total != 700 {
		t.Errorf("a fault of 700 calls hit %d", total)
	}
}

func TestLogKeepsWhatCame(t *testing.T) {
	fake := &resiliencetest.Fake{
		Name: func(r *http.Request) string { return strings.TrimPrefix(r.URL.Path, "/named/") },
		Credential: func(r *http.Request) (string, string) {
			return strings.TrimPrefix(r.Header.Get("Authorization"), "OAuth2 "), "app-7"
		},
		Admit: func(c *resiliencetest.Call, _ *http.Request) *resiliencetest.Answer {
			if c.Params.Get("who") == "stranger" {
				return &resiliencetest.Answer{Status: 403, Code: "9"}
			}
			return nil
		},
	}
	srv := resiliencetest.Serve(fake)
	defer srv.Close()
	client := &http.Client{Transport: srv.Transport()}
	call := func(query, form string) int {
		t.Helper()
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL()+"/named/one?"+query, strings.NewReader(form))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Authorization", "OAuth2 made-up-token-of-some-length")
		req.Header.Set("X-Other", "kept")
		resp, err := client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	call("cursor=MTY%2B%2F3%3D%3D", "a=1&a=2&b=%E9%A5%BC")
	if got := call("who=stranger", ""); got != 403 {
		t.Errorf("refused call: got status %d, want 403", got)
	}

	calls := fake.Log().Calls("one")
	if len(calls) != 2 || fake.Log().Count("one") != 2 || fake.Log().Count("") != 2 || fake.Log().Count("two") != 0 {
		t.Fatalf("got %d calls, want 2", len(calls))
	}
	first, second := calls[0], calls[1]
	want := map[string][]string{"cursor": {"MTY+/3=="}, "a": {"1", "2"}, "b": {"饼"}}
	if diff := cmp.Diff(want, map[string][]string(first.Params)); diff != "" {
		t.Errorf("params (-want +got):\n%s", diff)
	}
	if first.Query != "cursor=MTY%2B%2F3%3D%3D" || string(first.Body) != "a=1&a=2&b=%E9%A5%BC" || first.ContentLength != 19 {
		t.Errorf("got query %q, body %q, length %d", first.Query, first.Body, first.ContentLength)
	}
	if first.App != "app-7" || !first.Acted || first.Status != 200 {
		t.Errorf("got app %q, acted %v, status %d, want app-7, true, 200", first.App, first.Acted, first.Status)
	}
	if first.Credential != "made-up-t…" || first.Header.Get("Authorization") != "" || first.Header.Get("X-Other") != "kept" {
		t.Errorf("got credential %q, header %v, want the beginning only", first.Credential, first.Header)
	}
	if second.Acted || second.Status != 403 || second.Code != "9" {
		t.Errorf("refused call: got acted %v, status %d, code %q, want false, 403, 9", second.Acted, second.Status, second.Code)
	}
	if got := len(resiliencetest.Acted(calls)); got != 1 {
		t.Errorf("Acted: got %d, want 1", got)
	}
	if got := resiliencetest.Times(calls); !got[0].Equal(first.Time) || got[1].Before(got[0]) {
		t.Errorf("Times: got %v", got)
	}
	fake.Log().Reset()
	if got := fake.Log().Count(""); got != 0 {
		t.Errorf("after Reset: got %d calls, want 0", got)
	}
}
