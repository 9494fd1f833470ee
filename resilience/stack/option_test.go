package stack_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

func TestWithUserAgent(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		for _, want := range []string{"dujiang", "shop/1.2 (+https://shop.example)"} {
			var opts []stack.Option
			if want != "dujiang" {
				opts = append(opts, stack.WithUserAgent(want))
			}
			b := newBench(t, opts...)
			if _, err := b.call(t.Context(), opRead); err != nil {
				t.Fatal(err)
			}
			if got := b.fake.Log().Calls(opRead.ID)[0].Header.Get("User-Agent"); !strings.HasPrefix(got, want) {
				t.Errorf("got %q, want %q", got, want)
			}
		}
	})
	for _, name := range []string{"", "shop\r\nX-Evil: 1"} {
		if _, err := stack.New(stack.Platform{Name: "test", BaseURL: "https://api.example"}, stack.WithUserAgent(name)); err == nil ||
			!strings.Contains(err.Error(), "WithUserAgent") {
			t.Errorf("%q: got %v, want a fault of WithUserAgent", name, err)
		}
	}
}

// TestWithProxy: the proxy is asked for the platform's address; without one, and where it fails, nothing goes around it.
func TestWithProxy(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.String())
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	}))
	defer server.Close()
	address, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("no proxy for this host")
	for _, tt := range []struct {
		name, base string
		proxy      func(*http.Request) (*url.URL, error)
		asked      string
		fails      error
	}{
		{"a proxy", "http://127.0.0.1:1", http.ProxyURL(address), "http://127.0.0.1:1/ping", nil},
		{"none", server.URL, nil, "/ping", nil},
		{"one that fails", server.URL, func(*http.Request) (*url.URL, error) { return nil, broken }, "", broken},
	} {
		t.Run(tt.name, func(t *testing.T) {
			asked = nil
			s, err := stack.New(stack.Platform{Name: "test", BaseURL: "https://api.example"},
				stack.WithBaseURL(tt.base), stack.WithLoopbackHTTP(), stack.WithProxy(tt.proxy), stack.WithConfig(stack.Testing()))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = s.Close() }()
			op := &resilience.Operation{Platform: "test", ID: "ping", HTTPMethod: "GET", Path: "/ping", Scope: resilience.Write}
			if _, err := s.Do(t.Context(), &resilience.Call{Op: op}); !errors.Is(err, tt.fails) || strings.Join(asked, " ") != tt.asked {
				t.Errorf("got %v, and asked for %q, want %v and %q", err, asked, tt.fails, tt.asked)
			}
		})
	}
}
