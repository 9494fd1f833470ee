package resiliencetest_test

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// get makes a GET and returns status and body.
func get(ctx context.Context, client *http.Client, url string) (int, string, error) {
	return send(ctx, client, http.MethodGet, url, "")
}

func send(ctx context.Context, client *http.Client, method, url, form string) (int, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(form))
	if err != nil {
		return 0, "", err
	}
	if method == http.MethodPost {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	resp, err := client.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	return resp.StatusCode, string(body), err
}

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }

func TestServerInABubble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := resiliencetest.Serve(http.HandlerFunc(hello))
		defer srv.Close()
		srv.Listener().SetDialDelay(3 * time.Second)
		client := &http.Client{Transport: srv.Transport()}
		start := time.Now()
		var wg sync.WaitGroup
		for range 50 {
			wg.Go(func() {
				if _, body, err := get(t.Context(), client, srv.URL()+"/x"); err != nil || body != "hello" {
					t.Errorf("got %q, %v, want hello", body, err)
				}
			})
		}
		wg.Wait()
		if got, want := time.Since(start), 3*time.Second; got != want {
			t.Errorf("50 parallel calls with a dial delay of 3s took %v, want %v", got, want)
		}
		if got := srv.Listener().Dials(); got != 50 {
			t.Errorf("dials: got %d, want 50", got)
		}
		if _, _, err := get(t.Context(), client, srv.URL()+"/x"); err != nil {
			t.Error(err)
		}
		if got := srv.Listener().Dials(); got != 50 {
			t.Errorf("dials after a call on a kept connection: got %d, want 50", got)
		}
	})
}

func TestServerCloseEndsHandlersAndConnections(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		fake := &resiliencetest.Fake{}
		fake.Fail("GET /hang", resiliencetest.Fault{Hang: true})
		fake.Fail("GET /slow", resiliencetest.Fault{Delay: 100 * time.Hour})
		srv := resiliencetest.Serve(fake)
		client := &http.Client{Transport: srv.Transport()}
		var wg sync.WaitGroup
		for _, path := range []string{"/hang", "/slow"} {
			wg.Go(func() {
				if _, _, err := get(t.Context(), client, srv.URL()+path); err == nil {
					t.Errorf("%s: got an answer, want an error", path)
				}
			})
		}
		// An answer before the end of the request leaves the server's goroutine asleep for half a second.
		early := resiliencetest.Serve(http.HandlerFunc(hello))
		if _, _, err := send(t.Context(), &http.Client{Transport: early.Transport()}, http.MethodPost, early.URL(),
			strings.Repeat("x", 2<<20)); err != nil {
			t.Logf("early answer to a large POST: %v", err) // either is right: the answer, or the broken request
		}
		synctest.Wait()
		start := time.Now()
		srv.Close()
		wg.Wait()
		if got := time.Since(start); got != 0 {
			t.Errorf("Close took %v, want 0", got)
		}
		early.Close()
		early.Close()
		for _, c := range fake.Log().Calls("") {
			if c.Acted || c.Status != 0 {
				t.Errorf("%s: got acted %v, status %d, want neither", c.Op, c.Acted, c.Status)
			}
		}
		if _, _, err := get(t.Context(), client, srv.URL()); !errors.Is(err, net.ErrClosed) {
			t.Errorf("call after Close: got %v, want net.ErrClosed", err)
		}
	})
}

func TestListenerDials(t *testing.T) {
	refused := errors.New("refused")
	tests := []struct {
		name   string
		set    func(l *resiliencetest.Listener)
		want   error
		wantIn time.Duration
	}{
		{"closed", func(l *resiliencetest.Listener) { _ = l.Close() }, net.ErrClosed, 0},
		{"closed in the delay", func(l *resiliencetest.Listener) {
			l.SetDialDelay(time.Second)
			time.AfterFunc(300*time.Millisecond, func() { _ = l.Close() })
		}, net.ErrClosed, 300 * time.Millisecond},
		{"error", func(l *resiliencetest.Listener) { l.SetDialError(refused) }, refused, 0},
		{"error after the delay", func(l *resiliencetest.Listener) {
			l.SetDialDelay(time.Second)
			l.SetDialError(refused)
		}, refused, time.Second},
		{"context ends in the delay", func(l *resiliencetest.Listener) { l.SetDialDelay(time.Minute) },
			context.DeadlineExceeded, 10 * time.Second},
		{"nobody accepts", func(*resiliencetest.Listener) {}, context.DeadlineExceeded, 10 * time.Second},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				l := resiliencetest.NewListener()
				tt.set(l)
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				start := time.Now()
				_, err := l.Dial(ctx, "tcp", "anything:1")
				if !errors.Is(err, tt.want) {
					t.Errorf("got %v, want %v", err, tt.want)
				}
				if e, ok := errors.AsType[*net.OpError](err); !ok || e.Op != "dial" {
					t.Errorf("got %#v, want a *net.OpError of a dial", err)
				}
				if got := time.Since(start); got != tt.wantIn {
					t.Errorf("took %v, want %v", got, tt.wantIn)
				}
			})
		})
	}
}

func TestDialErrorEnds(t *testing.T) {
	srv := resiliencetest.Serve(http.HandlerFunc(hello))
	defer srv.Close()
	srv.Listener().SetDialError(errors.New("refused"))
	client := &http.Client{Transport: srv.Transport()}
	if _, _, err := get(t.Context(), client, srv.URL()); err == nil {
		t.Error("got an answer, want the dial's error")
	}
	srv.Listener().SetDialError(nil)
	if _, body, err := get(t.Context(), client, srv.URL()); err != nil || body != "hello" {
		t.Errorf("got %q, %v, want hello", body, err)
	}
}

func TestServerOnLoopback(t *testing.T) {
	srv, err := resiliencetest.ServeLoopback(http.HandlerFunc(hello))
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: srv.Transport()}
	if _, body, err := get(t.Context(), client, srv.URL()); err != nil || body != "hello" {
		t.Errorf("got %q, %v, want hello", body, err)
	}
	srv.Close()
	if _, _, err := get(t.Context(), client, srv.URL()); err == nil {
		t.Error("call after Close: got an answer, want an error")
	}
	if srv.Listener() != nil {
		t.Error("Listener on loopback: got one, want nil")
	}
}
