package stack_test

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

// TestWhatIsContentAndWhatIsNot: a file is content whatever it begins with, and a refusal is one whatever stands before it.
func TestWhatIsContentAndWhatIsNot(t *testing.T) {
	refusal := `{"errcode":40003,"errmsg":"no such media"}`
	named := http.Header{"Content-Disposition": {`attachment; filename="list.csv"`}}
	for _, test := range []struct {
		name    string
		fault   resiliencetest.Fault
		content bool
	}{
		{"a text with the name of a file", resiliencetest.Fault{Body: "name,city\n", ContentType: "text/csv", Header: named}, true},
		{"RTF begins with a brace", resiliencetest.Fault{Body: `{\rtf1\ansi demo}`, ContentType: "application/rtf"}, true},
		{"a parameter twice", resiliencetest.Fault{Body: "\x89PNG", ContentType: `image/png; name="a"; name="b"`, Header: named}, true},
		{"a refusal after a line break", resiliencetest.Fault{Body: "\n" + refusal, ContentType: "image/jpeg"}, false},
		{"a refusal after a byte order mark", resiliencetest.Fault{Body: "\ufeff" + refusal, ContentType: "image/jpeg"}, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t)
				b.fake.Fail(opGet.ID, test.fault)
				resp, err := b.Do(t.Context(), &resilience.Call{Op: opGet, Stream: true})
				n := b.fake.Log().Count(opGet.ID)
				if resp != nil && resp.Stream != nil {
					defer func() { _ = resp.Stream.Close() }()
				}
				switch {
				case !test.content:
					if !errors.Is(err, resilience.ErrInvalid) {
						t.Errorf("got %+v, %v, want the refusal", resp, err)
					}
				case err != nil || n != 1:
					t.Errorf("after %d requests got %v, want the content after one", n, err)
				case resp.Stream == nil:
					t.Errorf("got the body %q, want a stream", resp.Body)
				default:
					if got, err := io.ReadAll(resp.Stream); err != nil || string(got) != test.fault.Body {
						t.Errorf("got %q, %v, want %q", got, err, test.fault.Body)
					}
				}
			})
		})
	}
}

// bare is a transport that returns answers as spare as the contract of RoundTripper lets them be.
type bare struct {
	body   io.ReadCloser
	header http.Header
}

func (b bare) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: 200, Header: b.header, Body: b.body}, nil
}

// TestASpareAnswerOfAForeignTransport: no Request and no Body, as no transport should answer, are no panics.
func TestASpareAnswerOfAForeignTransport(t *testing.T) {
	for _, test := range []struct {
		name string
		rt   bare
		call *resilience.Call
	}{
		{"a download without Request", bare{io.NopCloser(strings.NewReader("png")), http.Header{"Content-Type": {"image/png"}}},
			&resilience.Call{Op: opGet, Stream: true}},
		{"no body", bare{nil, http.Header{"Content-Type": {"application/json"}}}, &resilience.Call{Op: opRead}},
		{"a download without body", bare{nil, http.Header{"Content-Type": {"image/png"}}}, &resilience.Call{Op: opGet, Stream: true}},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t, stack.WithTransport(test.rt))
				defer func() {
					if p := recover(); p != nil {
						t.Errorf("panic: %v", p)
					}
				}()
				resp, _ := b.Do(t.Context(), test.call)
				if resp != nil && resp.Stream != nil {
					_ = resp.Stream.Close()
				}
			})
		})
	}
}

// TestASecretThatIsEscapedInAnAnswer: gateways quote the address that was called, in the form in which it travelled.
func TestASecretThatIsEscapedInAnAnswer(t *testing.T) {
	const token = "dG9r/ZW4+c2VjcmV0=="
	query, slashed := url.QueryEscape(token), strings.ReplaceAll(token, "/", `\/`)
	for name, fault := range map[string]resiliencetest.Fault{
		"a gateway's page":    {Status: 502, ContentType: "text/html", Body: "<p>GET /cgi-bin/user/info?access_token=" + query + "</p>"},
		"a refusal's text":    {Code: "40003", Text: "bad request: access_token=" + query},
		"a slash in a string": {Body: `{"errcode":40003,"errmsg":"token ` + slashed + `"}`},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t, stack.WithCredential(resilience.Credential{ID: "b", Account: "b", Token: token}))
				fault.Rate = 1
				b.fake.Fail(opRead.ID, fault)
				_, err := b.call(t.Context(), opRead, resilience.WithAccount("b"))
				e := apiError(t, err)
				for _, form := range []string{token, query, slashed} {
					if all := e.Error() + e.Message + e.Body; strings.Contains(all, form) {
						t.Errorf("the token shows as %s: %s", form, all)
					}
				}
			})
		})
	}
}

// TestASecretOfTheRequestInAnAnswer: what a call sends as a secret beside its credential shows as little as that does, in errors and to
// observers.
func TestASecretOfTheRequestInAnAnswer(t *testing.T) {
	const sent = "k3y/of the caller"
	for name, fault := range map[string]resiliencetest.Fault{
		"in a text":      {Code: "40003", Text: "bad key " + sent},
		"on a page":      {Status: 502, ContentType: "text/html", Body: "<p>GET /?key=" + url.QueryEscape(sent) + "</p>"},
		"with no answer": {CutBefore: true},
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				var seen []string
				b := newBench(t, stack.WithObserver(func(e resilience.Event) {
					seen = append(seen, fmt.Sprintf("%+v %v", e, e.Err))
				}))
				fault.Rate = 1
				b.fake.Fail(opRead.ID, fault)
				_, err := b.call(t.Context(), opRead, func(c *resilience.Call) {
					c.Request.Secrets = append(c.Request.Secrets, sent)
					c.Request.Query = append(c.Request.Query, resilience.Param{Name: "key", Value: sent})
				})
				e := apiError(t, err)
				shown := fmt.Sprint(e.Error(), e.Message, e.Body, e.Cause, seen)
				for _, form := range []string{sent, url.QueryEscape(sent), url.PathEscape(sent)} {
					if strings.Contains(shown, form) || len(seen) == 0 {
						t.Errorf("the secret shows as %s: %s", form, shown)
					}
				}
			})
		})
	}
}

// TestASecretAtTheEdgeOfWhatIsMasked: a long body that repeats a long token is shortened by the masking, and the edge does not show.
func TestASecretAtTheEdgeOfWhatIsMasked(t *testing.T) {
	token := "tok-" + strings.Repeat("s", 508)
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithCredential(resilience.Credential{ID: "b", Account: "b", Token: resilience.Secret(token)}))
		b.fake.Fail(opRead.ID, resiliencetest.Fault{Code: "40003", Rate: 1, Body: `{"errcode":40003,"errmsg":"` + strings.Repeat(token, 40) + `"}`})
		_, err := b.call(t.Context(), opRead, resilience.WithAccount("b"))
		if e := apiError(t, err); strings.Contains(e.Body, token[:100]) {
			t.Errorf("100 characters of the token show: %.700s", e.Body)
		}
	})
}

// failingBody is a download that breaks with an error that quotes the request.
type failingBody struct{ text string }

func (f failingBody) Read([]byte) (int, error) { return 0, errors.New(f.text) }
func (failingBody) Close() error               { return nil }

type failingTransport struct{}

func (failingTransport) RoundTrip(r *http.Request) (*http.Response, error) {
	return &http.Response{
		StatusCode: 200, Request: r, Body: failingBody{"stream of " + r.URL.RawQuery + " broke"},
		Header: http.Header{"Content-Type": {"image/png"}, "Content-Disposition": {"attachment"}},
	}, nil
}

// TestADownloadThatBreaksShowsNoToken: not even a fetched one, which the credential does not hold.
func TestADownloadThatBreaksShowsNoToken(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithTransport(failingTransport{}))
		b.auth.token = "fetched-token-0000001"
		resp, err := b.Do(t.Context(), &resilience.Call{Op: opGet, Stream: true})
		if err != nil {
			t.Fatal(err)
		}
		_, err = io.ReadAll(resp.Stream)
		if err == nil || strings.Contains(err.Error(), b.auth.token.Reveal()) {
			t.Errorf("got %v, want an error without the token", err)
		}
		_ = resp.Stream.Close()
	})
}

// TestATokenRefusedForEverCoolsLonger is the ladder through the whole chain, for tokens that are replaced without a call of the pool.
func TestATokenRefusedForEverCoolsLonger(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opRead.ID, resiliencetest.Fault{Code: "40001", Rate: 1})
		for _, want := range []time.Duration{10 * time.Minute, 20 * time.Minute, 40 * time.Minute, time.Hour, time.Hour} {
			_, err := b.call(t.Context(), opRead)
			e := apiError(t, err)
			if got := time.Until(e.RetryAt); got != want {
				t.Fatalf("cools for %v, want %v", got, want)
			}
			time.Sleep(time.Until(e.RetryAt))
		}
	})
}
