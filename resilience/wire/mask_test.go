package wire_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

const (
	secret  = "TOK-SECRET-0001"
	address = "https://api.example/cgi-bin/user/info?access_token=" + secret + "&openid=o1"
	masked  = "https://api.example/cgi-bin/user/info?access_token=REDACTED&openid=REDACTED"
)

func TestMasked(t *testing.T) {
	get := &resilience.Operation{Platform: "acme", ID: "x", HTTPMethod: "GET", Path: "/cgi-bin/user/info"}
	post := &resilience.Operation{Platform: "acme", ID: "x", HTTPMethod: "POST", Path: "/openapi/{ns}/create/{appKey}"}
	tests := []struct {
		name, base string
		op         *resilience.Operation
		req        resilience.Request
		want       string
	}{
		{"query", "https://api.example", get, resilience.Request{Query: pairs("access_token", secret, "openid", "o1")}, masked},
		{"form of a GET", "https://api.example", get, resilience.Request{Form: pairs("access_token", secret)},
			"https://api.example/cgi-bin/user/info?access_token=REDACTED"},
		{"path", "https://api.example", post, resilience.Request{Path: pairs("ns", "trade", "appKey", secret), Form: pairs("f", secret)},
			"https://api.example/openapi/REDACTED/create/REDACTED"},
		{"name with odd characters", "https://api.example", get, resilience.Request{Query: pairs("a&b", secret)},
			"https://api.example/cgi-bin/user/info?a%26b=REDACTED"},
		{"user in the base", "https://user:" + secret + "@api.example", get, resilience.Request{},
			"https://REDACTED@api.example/cgi-bin/user/info"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wire.NewOutgoing(tt.base, tt.op, &tt.req).Masked(); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// everyText returns err in every way in which it might be printed, and the same of each error on its chain.
func everyText(t *testing.T, err error) []string {
	t.Helper()
	var texts []string
	for _, verb := range []string{"%v", "%+v", "%#v", "%q", "%s", "%x"} {
		texts = append(texts, fmt.Sprintf(verb, err))
	}
	asJSON, jsonErr := json.Marshal(err)
	if jsonErr != nil {
		t.Fatalf("%T does not marshal: %v", err, jsonErr)
	}
	texts = append(texts, string(asJSON))
	switch e := err.(type) { //nolint:errorlint // each error of the tree is looked at
	case interface{ Unwrap() error }:
		if child := e.Unwrap(); child != nil {
			texts = append(texts, everyText(t, child)...)
		}
	case interface{ Unwrap() []error }:
		for _, child := range e.Unwrap() {
			texts = append(texts, everyText(t, child)...)
		}
	}
	return texts
}

// A typed error carries the address in its own text and hides nothing.
type typedError struct{ Address string }

func (e *typedError) Error() string { return "cannot reach " + e.Address }

var errSentinel = errors.New("sentinel")

// A slowError is a net.Error whose text shows the address.
type slowError struct{}

func (slowError) Error() string        { return "no answer from " + address }
func (slowError) Timeout() bool        { return true }
func (slowError) Temporary() bool      { return true }
func (slowError) Is(target error) bool { return target == context.DeadlineExceeded }

func TestMaskError(t *testing.T) {
	reset := &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", syscall.ECONNRESET)}
	tests := []struct {
		name string
		err  error
		is   []error
		says []string
	}{
		{"reset", &url.Error{Op: "Get", URL: address, Err: reset}, []error{syscall.ECONNRESET}, []string{"connection reset by peer"}},
		{"bare reset", reset, []error{syscall.ECONNRESET}, []string{"read tcp"}},
		{"time-out", &url.Error{Op: "Get", URL: address, Err: context.DeadlineExceeded}, []error{context.DeadlineExceeded}, nil},
		{"cancelled", fmt.Errorf("Get %q: %w", address, context.Canceled), []error{context.Canceled}, nil},
		{"giving up", fmt.Errorf("GET %s giving up after 3 attempt(s): %w", address, &url.Error{Op: "Get", URL: address, Err: io.EOF}),
			[]error{io.EOF}, []string{"giving up after 3"}},
		{"joined", errors.Join(fmt.Errorf("first: %w", &url.Error{Op: "Get", URL: address, Err: context.DeadlineExceeded}), errSentinel),
			[]error{context.DeadlineExceeded, errSentinel}, []string{"first: "}},
		{"typed with the address in a field", &typedError{address}, nil, []string{"cannot reach"}},
		{"secret deep inside a net error", &net.OpError{Op: "dial", Net: "tcp", Err: fmt.Errorf("no route for %s: %w", secret, errSentinel)},
			[]error{errSentinel}, []string{"dial tcp", "no route for REDACTED"}},
		{"net error that shows the address", slowError{}, []error{context.DeadlineExceeded}, []string{"no answer from"}},
		{"secret escaped for an address", errors.New("echo: a%2Fb%2BTOK and a%2Fb+TOK"), nil, []string{"echo: "}},
		{"unknown address", errors.New("redirected to https://u:p@other.example/x?ticket=TICKET-9 or <http://h/?q>"), nil,
			[]string{"https://REDACTED@other.example/x?ticket=REDACTED", "<http://h/?REDACTED>"}},
		{"url error without a cause", &url.Error{Op: "Get", URL: address}, nil, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := wire.MaskError(tt.err, "GET", masked, secret, "", "a/b+TOK", "TICKET-9")
			for _, text := range everyText(t, err) {
				for _, s := range []string{secret, "o1&", "openid=o1", "544f4b2d534543524554", "TOK and", "b+TOK", "TICKET-9", "u:p@"} {
					if strings.Contains(text, s) {
						t.Errorf("%q shows in %s", s, text)
					}
				}
			}
			for _, part := range append(tt.says, "Get", masked) {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("got %v, want it to say %q", err, part)
				}
			}
			for _, target := range tt.is {
				if !errors.Is(err, target) {
					t.Errorf("errors.Is(%v, %v) is false", err, target)
				}
			}
			outer, ok := errors.AsType[*url.Error](err)
			if !ok || outer.URL != masked || outer.Op != "Get" {
				t.Errorf("got the url.Error %+v, want one with the masked address", outer)
			}
		})
	}
}

func TestMaskErrorKeepsWhatKindItWas(t *testing.T) {
	reset := &net.OpError{Op: "read", Net: "tcp", Err: fmt.Errorf("%s: %w", secret, syscall.ECONNRESET)}
	err := wire.MaskError(&url.Error{Op: "Post", URL: address, Err: reset}, "POST", masked, secret)
	if op, ok := errors.AsType[*net.OpError](err); !ok || op.Op != "read" {
		t.Errorf("errors.As to *net.OpError: got %v in %v", op, err)
	}
	if !strings.HasPrefix(err.Error(), `Post "https://`) {
		t.Errorf("got %v, want the method as net/http writes it", err)
	}
	slow := wire.MaskError(fmt.Errorf("attempt: %w", slowError{}), "GET", masked, secret)
	inner, ok := errors.AsType[*url.Error](slow)
	if !ok {
		t.Fatal("no url.Error")
	}
	if timeout, ok := errors.AsType[net.Error](inner.Err); !ok || !timeout.Timeout() {
		t.Errorf("got %v, want a net.Error that timed out", inner.Err)
	}
	if wire.MaskError(nil, "GET", masked) != nil {
		t.Error("a nil error did not stay nil")
	}
}

func TestMaskErrorLeavesTheOriginalAlone(t *testing.T) {
	original := errors.Join(&url.Error{Op: "Get", URL: address, Err: io.EOF}, errSentinel)
	before := original.Error()
	_ = wire.MaskError(original, "GET", masked, secret)
	if got := original.Error(); got != before {
		t.Errorf("the error that was given now says %s", got)
	}
}

func TestMaskErrorOfOverlappingSecrets(t *testing.T) {
	err := wire.MaskError(errors.New("echo tok-12 and tok-1"), "GET", masked, "tok-1", "tok-12")
	if got, want := errors.Unwrap(err).Error(), "echo REDACTED and REDACTED"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestMaskErrorKeepsACleanCauseItself(t *testing.T) {
	cause := fmt.Errorf("dial: %w", errSentinel)
	err := wire.MaskError(cause, "GET", masked, secret)
	if got := errors.Unwrap(err); got != cause { //nolint:errorlint // identity is the question
		t.Errorf("got %v, want the cause itself", got)
	}
}

// With a real transport, so that net/http's own words are seen.
func TestMaskErrorOfRealFailures(t *testing.T) {
	get := func(ctx context.Context, header string) error {
		o := wire.NewOutgoing("http://api.example", opShow, &resilience.Request{Query: pairs("access_token", secret)})
		if header != "" {
			o.Header.Set("Authorization", header)
		}
		r, err := o.HTTP(ctx)
		if err != nil {
			t.Fatal(err)
		}
		client := http.Client{Transport: (&rawServer{}).transport(t)}
		resp, err := client.Do(r)
		if err == nil {
			_ = resp.Body.Close()
			t.Fatal("got an answer, want a failure")
		}
		return wire.MaskError(err, o.Op.HTTPMethod, o.Masked(), secret, header)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	for name, err := range map[string]error{
		"closed without an answer": get(t.Context(), ""), "cancelled": get(cancelled, ""), "line break in the token": get(t.Context(), secret+"\n"),
	} {
		for _, text := range everyText(t, err) {
			if strings.Contains(text, secret) {
				t.Errorf("%s: the secret shows in %s", name, text)
			}
		}
	}
}
