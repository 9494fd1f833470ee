package resiliencetest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

func TestRecord(t *testing.T) {
	tests := []struct {
		name    string
		handler http.HandlerFunc
		want    resiliencetest.Answer
	}{
		{"nothing", func(http.ResponseWriter, *http.Request) {}, resiliencetest.Answer{Header: http.Header{}}},
		{"a body alone", func(w http.ResponseWriter, r *http.Request) {
			_, _ = fmt.Fprintf(w, "%s %s", r.Method, r.FormValue("a"))
		},
			resiliencetest.Answer{Header: http.Header{}, Body: []byte("GET b")}},
		{"everything, in two parts", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/csv")
			w.Header().Set("X-Page", "2")
			w.WriteHeader(http.StatusAccepted)
			_, _ = io.WriteString(w, "a,")
			_, _ = io.WriteString(w, "b")
		}, resiliencetest.Answer{Status: 202, ContentType: "text/csv", Header: http.Header{"X-Page": {"2"}}, Body: []byte("a,b")}},
		{"what comes too late", func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "a")
			w.Header().Set("X-Page", "2")
			w.WriteHeader(http.StatusAccepted)
		}, resiliencetest.Answer{Header: http.Header{}, Body: []byte("a")}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := resiliencetest.Record(tt.handler, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/x?a=b", nil))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSequence(t *testing.T) {
	for want, bodies := range map[string][]string{"a b b b": {"a", "b"}, "c c c c": {"c"}, "   ": nil} {
		h := resiliencetest.Sequence(http.StatusAccepted, bodies...)
		var got []string
		for range 4 {
			answer := resiliencetest.Record(h, nil)
			if got = append(got, string(answer.Body)); answer.Status != http.StatusAccepted {
				t.Errorf("status: got %d, want 202", answer.Status)
			}
		}
		if all := strings.Join(got, " "); all != want {
			t.Errorf("%v: got %q, want %q", bodies, all, want)
		}
	}
}

// TestContentType: a page of HTML is not sent as JSON, whether it is an answer or a fault.
func TestContentType(t *testing.T) {
	for body, want := range map[string]string{
		"{}": "application/json", `{"a":`: "application/json", "": "application/json", "oops": "application/json",
		"<html>": "text/html", " <!doctype html><p>": "text/html", "<?xml version=\"1.0\"?>": "text/xml",
	} {
		fake := &resiliencetest.Fake{Act: func(*resiliencetest.Call, *http.Request) resiliencetest.Answer {
			return resiliencetest.Answer{Status: http.StatusBadGateway, Body: []byte(body)}
		}}
		srv := resiliencetest.Serve(fake)
		fake.Fail("", resiliencetest.Fault{Status: http.StatusBadGateway, Body: body})
		for _, what := range []string{"fault", "answer"} {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, srv.URL(), nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := srv.Transport().RoundTrip(req)
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			if got, _, _ := strings.Cut(resp.Header.Get("Content-Type"), ";"); got != want {
				t.Errorf("%s %q: got %s, want %s", what, body, got, want)
			}
		}
		srv.Close()
	}
}
