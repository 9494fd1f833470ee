package alibaba1688_test

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/alibaba1688"
	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// currentTime is a call that the spec does not have: the gateway's clock, which proves address, key and signature at once.
var currentTime = &resilience.Operation{
	Platform: "alibaba1688", ID: "system:currentTime-1", HTTPMethod: http.MethodGet, Path: "/param2/1/system/currentTime/{appKey}",
	Scope: resilience.Read, Idempotent: true, Auth: "user",
}

// gateway is the least fake: it keeps what came and answers an empty object.
func gateway(t *testing.T, key alibaba1688.AppKey) (*alibaba1688.Client, *resiliencetest.Fake) {
	t.Helper()
	fake := &resiliencetest.Fake{Name: func(r *http.Request) string {
		parts := strings.Split(r.URL.Path, "/")
		return parts[len(parts)-2]
	}}
	srv := resiliencetest.Serve(fake)
	opts := []stack.Option{
		stack.WithTransport(srv.Transport()), stack.WithBaseURL(srv.URL()), stack.WithLoopbackHTTP(), alibaba1688.WithAppKey(key),
	}
	client, err := alibaba1688.New(opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		srv.Close()
	})
	return client, fake
}

// at moves the bubble's clock to a moment.
func at(ms int64) { time.Sleep(time.Until(time.UnixMilli(ms))) }

// TestSignatureOnTheWire sends the vectors through the whole client, as GET and as POST.
func TestSignatureOnTheWire(t *testing.T) {
	for _, test := range []struct {
		name   string
		params map[string]string
		want   string
	}{
		{"Chinese, blank, plus, ampersand, percent", map[string]string{"keywords": "连衣裙 A+B&C=50%", "page": "1"}, "D03BB70A2D565A25C98A50F9B47CDE19AD76D051"},
		{"a stale signature and time are replaced", map[string]string{"b": "2", "a": "1", "_aop_signature": "OLD", "_aop_timestamp": "1", "access_token": "x"},
			"462325631331EE5629E1DBDFE381E694395798F5"},
	} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(method+" "+test.name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					at(1700000000000)
					client, fake := gateway(t, alibaba1688.AppKey{Key: "1000000", Secret: "test123", Token: "tok-A"})
					op := *currentTime
					op.HTTPMethod = method
					if err := client.Do(t.Context(), &op, test.params, nil); err != nil {
						t.Fatal(err)
					}
					got := fake.Log().Calls("currentTime")[0].Params
					if s := got["_aop_signature"]; len(s) != 1 || s[0] != test.want {
						t.Errorf("signatures %v, want %s once", s, test.want)
					}
					if len(got["_aop_timestamp"]) != 1 || len(got["access_token"]) != 1 || got.Get("access_token") != "tok-A" {
						t.Errorf("got %v, want one time and the client's token", got)
					}
					if want := test.params["keywords"]; got.Get("keywords") != want {
						t.Errorf("keywords arrived as %q, want %q", got.Get("keywords"), want)
					}
				})
			})
		}
	}
}

// TestNewTokenIsSignedAnew: token and time are inside the signed text, so the second attempt has another signature.
func TestNewTokenIsSignedAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, fake := gateway(t, alibaba1688.AppKey{Key: "1000000", Secret: "test123", RefreshToken: "ref-1"})
		token := func(value string, delay time.Duration) resiliencetest.Fault {
			return resiliencetest.Fault{Delay: delay, Status: 200, Body: `{"aliId":"8800000000001","resource_owner":"demo","memberId":"b2b-0000000001","expires_in":"35999","access_token":"` + value + `"}`}
		}
		fake.Fail("getToken", token("tok-A", 0), token("tok-B", 500*time.Millisecond))
		fake.Fail("currentTime", resiliencetest.Fault{Status: 400, Body: `{"error_code":"401","error_message":"Request need user authorized"}`})
		at(1700000000000)
		if err := client.Do(t.Context(), currentTime, map[string]string{"b": "2"}, nil); err != nil {
			t.Fatal(err)
		}
		calls := fake.Log().Calls("currentTime")
		if len(calls) != 2 {
			t.Fatalf("%d attempts, want 2", len(calls))
		}
		for i, want := range []struct{ token, time, signature string }{
			{"tok-A", "1700000000000", "695FBD9E11ED917A1FA4FEC41322512D4B8A8F7E"},
			{"tok-B", "1700000000500", "DB5EA14B874F42F514B466EA2E875C1A7CE8C8CD"},
		} {
			p := calls[i].Params
			if p.Get("access_token") != want.token || p.Get("_aop_timestamp") != want.time || p.Get("_aop_signature") != want.signature {
				t.Errorf("attempt %d carried %v, want %+v", i+1, p, want)
			}
		}
		if n := fake.Log().Count("getToken"); n != 2 {
			t.Errorf("%d token requests, want 2", n)
		}
	})
}

// TestCursors walks a call that is linked by cursors with plus, slash and equals in them.
func TestCursors(t *testing.T) {
	search := &resilience.Operation{
		Platform: "alibaba1688", ID: "search", HTTPMethod: http.MethodGet, Path: "/param2/1/test/search/{appKey}",
		Scope: resilience.Read, Idempotent: true, Auth: "user",
	}
	synctest.Test(t, func(t *testing.T) {
		client, fake := gateway(t, alibaba1688.AppKey{Key: "1000000", Secret: "test123"})
		page := func(item, next string) resiliencetest.Fault {
			return resiliencetest.Fault{Status: 200, Body: `{"items":["` + item + `"],"next_cursor":"` + next + `"}`}
		}
		fake.Fail("search", page("a", "MTY+/3=="), page("b", "MTY+/3==")) // the second page repeats its cursor
		var got []string
		var ended error
		pages := wire.Pages(t.Context(), func(ctx context.Context, cursor string) ([]string, string, error) {
			params := map[string]string{"keyword": "a&b=c#d"}
			if cursor != "" {
				params["cursor"] = cursor
			}
			var out struct {
				Items []string `json:"items"`
				Next  string   `json:"next_cursor"`
			}
			err := client.Do(ctx, search, params, &out)
			return out.Items, out.Next, err
		})
		for item, err := range pages {
			if ended = err; err == nil {
				got = append(got, item)
			}
		}
		if strings.Join(got, "") != "ab" || ended == nil || !strings.Contains(ended.Error(), `"MTY+/3==" twice`) {
			t.Errorf("walked over %v and then %v, want a and b, and an error for the circle", got, ended)
		}
		calls := fake.Log().Calls("search")
		if _, sent := calls[0].Params["cursor"]; sent {
			t.Errorf("page 1 sent %q, want no cursor", calls[0].Query)
		}
		if !strings.Contains(calls[1].Query, "cursor=MTY%2B%2F3%3D%3D") {
			t.Errorf("page 2 sent %q, want cursor=MTY%%2B%%2F3%%3D%%3D", calls[1].Query)
		}
		for _, c := range calls {
			if c.Params.Get("keyword") != "a&b=c#d" {
				t.Errorf("the keyword arrived as %q", c.Params.Get("keyword"))
			}
		}
	})
}

// TestRefreshIsShared: many calls of a fresh client wait for one token.
func TestRefreshIsShared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, fake := gateway(t, alibaba1688.AppKey{Key: "1000000", Secret: "test123", RefreshToken: "ref-1"})
		fake.Fail("getToken", resiliencetest.Fault{Delay: 300 * time.Millisecond, Status: 200, Body: `{"expires_in":36000,"access_token":"tok-A"}`})
		errs := make(chan error, 40)
		for range 40 {
			go func() { errs <- client.Do(t.Context(), currentTime, nil, nil) }()
		}
		for range 40 {
			if err := <-errs; err != nil {
				t.Error(err)
			}
		}
		if n := fake.Log().Count("getToken"); n != 1 {
			t.Errorf("%d token requests, want 1", n)
		}
	})
}

// TestRefusedRefreshToken: the caller learns that the token cannot be had, and nothing is signed without it.
func TestRefusedRefreshToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client, fake := gateway(t, alibaba1688.AppKey{Key: "1000000", Secret: "test123", RefreshToken: "ref-secret-1"})
		fake.Fail("getToken", resiliencetest.Fault{Status: 400, Body: `{"error":"invalid_grant","error_description":"refresh token ref-secret-1 ended"}`, Rate: 1})
		err := client.Do(t.Context(), currentTime, nil, nil)
		e, ok := errors.AsType[*resilience.APIError](err)
		if !errors.Is(err, resilience.ErrNoCredential) || !ok || e.Code != "invalid_grant" {
			t.Errorf("got %v, want ErrNoCredential because of invalid_grant", err)
		}
		if strings.Contains(err.Error(), "ref-secret-1") {
			t.Errorf("the refresh token that the platform echoes is in %v", err)
		}
		if r, ok := errors.AsType[*resilience.RefusedError](err); !ok || time.Until(r.RetryAt) <= 0 {
			t.Errorf("got %v, want the time to ask again", err)
		}
		if n := fake.Log().Count("currentTime"); n != 0 {
			t.Errorf("%d calls left without a token", n)
		}
	})
}

func TestRefusalsInsideGoodAnswers(t *testing.T) {
	for _, test := range []struct {
		name, body, code string
		want             error
	}{
		{"success as text", `{"success":"false","errorCode":"400_1","errorMessage":"no such address"}`, "400_1", resilience.ErrInvalid},
		{"double wrapper", `{"result":{"success":false,"code":"400","message":"bad"}}`, "400", resilience.ErrInvalid},
		{"gateway code in a 200", `{"error_code":"gw.APIACLDecline","error_message":"AppKey is not allowed(acl)"}`, "gw.APIACLDecline", resilience.ErrForbidden},
		{"unknown gateway code", `{"error_code":"gw.SomethingNew","error_message":"?"}`, "gw.SomethingNew", resilience.ErrRejected},
		{"no code at all", `{"success":false}`, "", resilience.ErrTransient},
		{"good codes", `{"success":true,"code":"200","message":"ok"}`, "", nil},
		{"success as text, good", `{"success":"true"}`, "", nil},
		{"a list", `{"result":[],"totalRecord":0}`, "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, fake := gateway(t, alibaba1688.AppKey{Key: "1000000", Secret: "test123"})
				fake.Fail("", resiliencetest.Fault{Status: 200, Body: test.body, Rate: 1})
				err := client.Do(t.Context(), alibaba1688.OpOrdersList, nil, nil)
				if test.want == nil {
					if err != nil {
						t.Errorf("got %v, want success", err)
					}
					return
				}
				e, ok := errors.AsType[*resilience.APIError](err)
				if !ok || !errors.Is(err, test.want) || e.Code != test.code {
					t.Errorf("got %v, want %v with code %q", err, test.want, test.code)
				}
			})
		})
	}
}

func TestAppKeysSayWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		name string
		key  alibaba1688.AppKey
		want string
	}{
		{"no key", alibaba1688.AppKey{Secret: "s"}, "Key is empty"},
		{"no secret", alibaba1688.AppKey{Key: "1"}, "Secret is empty"},
		{"two tokens", alibaba1688.AppKey{Key: "1", Secret: "s", Token: "a", RefreshToken: "b"}, "Token and RefreshToken"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := alibaba1688.New(alibaba1688.WithAppKey(test.key)); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want it to say %q", err, test.want)
			}
		})
	}
}

func TestAuthorizeURL(t *testing.T) {
	got, err := url.Parse(alibaba1688.AuthorizeURL("1000001", "https://shop.example/back?from=a&b", "st&te=1"))
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{"client_id": {"1000001"}, "site": {"1688"}, "redirect_uri": {"https://shop.example/back?from=a&b"}, "state": {"st&te=1"}}
	if got.Scheme != "https" || got.Host != "auth.1688.com" || got.Path != "/oauth/authorize" || !maps.EqualFunc(got.Query(), want, slices.Equal) {
		t.Errorf("got %v, want https://auth.1688.com/oauth/authorize with %v", got, want)
	}
}
