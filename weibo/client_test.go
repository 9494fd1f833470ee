package weibo_test

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/dujiang-go/dujiang/weibo"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

const rip = "203.0.113.7"

func newClient(t testing.TB, srv *weibotest.Server, opts ...stack.Option) *weibo.Client {
	t.Helper()
	client, err := weibo.New(append(srv.Options(), opts...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		srv.Close()
	})
	return client
}

// calls makes each operation once; a new operation without a row fails the test.
var calls = map[*resilience.Operation]func(t *testing.T, c *weibo.Client, srv *weibotest.Server){
	weibo.OpStatusesShare: func(t *testing.T, c *weibo.Client, srv *weibotest.Server) {
		got := share(t, c, "你好 a+b&c=50% https://wall.example/1")
		if got.Text != "你好 a+b&c=50% https://wall.example/1" || got.IDStr == "" || fmt.Sprint(got.ID) != got.IDStr {
			t.Errorf("got %q with ids %d and %s", got.Text, got.ID, got.IDStr)
		}
		if got.CreatedAt.IsZero() {
			t.Error("created_at was not read")
		}
		pic := wire.FileBytes("a.png", "image/png", []byte("\x89PNG\r\n\x1a\nrest"))
		if _, err := c.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: "with a picture", RIP: rip, Pic: pic}); err != nil {
			t.Errorf("with a picture: %v", err)
		}
		calls := srv.Calls(weibo.OpStatusesShare)
		for i, want := range []string{"application/x-www-form-urlencoded", "multipart/form-data"} { // only a picture travels in parts
			if kind, _, _ := strings.Cut(calls[i].ContentType, ";"); kind != want {
				t.Errorf("post %d was sent as %s, want %s", i, kind, want)
			}
		}
	},
	weibo.OpStatusesCount: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		a, b := share(t, c, "one"), share(t, c, "two")
		if _, err := c.Comments.Create(t.Context(), &weibo.CommentsCreateRequest{ID: a.ID, Comment: "yes", RIP: rip}); err != nil {
			t.Fatal(err)
		}
		got, err := c.Statuses.Count(t.Context(), &weibo.StatusesCountRequest{IDs: []int64{a.ID, b.ID}})
		if err != nil || len(got) != 2 || got[0].Comments+got[1].Comments != 1 {
			t.Errorf("got %+v, %v, want one comment on two posts", got, err)
		}
	},
	weibo.OpStatusesMentions: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		if _, err := c.Statuses.Mentions(t.Context(), nil); err != nil {
			t.Error(err)
		}
	},
	weibo.OpStatusesUserTimeline: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		post := share(t, c, "to be read back")
		got, err := c.Statuses.UserTimeline(t.Context(), &weibo.StatusesUserTimelineRequest{Count: new(int64(5))})
		if err != nil || len(got.Statuses) != 1 || got.Statuses[0].ID != post.ID {
			t.Errorf("got %+v, %v, want the post %d", got, err, post.ID)
		}
	},
	weibo.OpCommentsShow: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		post := share(t, c, "discussed")
		var want []int64
		for i := range 3 {
			comment, err := c.Comments.Create(t.Context(), &weibo.CommentsCreateRequest{ID: post.ID, Comment: fmt.Sprint("no. ", i), RIP: rip})
			if err != nil {
				t.Fatal(err)
			}
			want = append(want, comment.ID)
		}
		var got []int64
		for comment, err := range c.Comments.ShowAll(t.Context(), &weibo.CommentsShowRequest{ID: post.ID, Count: new(int64(2))}) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, comment.ID)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("walked over %v, want %v", got, want)
		}
	},
	weibo.OpCommentsCreate: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		post := share(t, c, "commented")
		got, err := c.Comments.Create(t.Context(), &weibo.CommentsCreateRequest{ID: post.ID, Comment: "yes", RIP: rip})
		if err != nil || got.Text != "yes" {
			t.Errorf("got %+v, %v", got, err)
		}
	},
	weibo.OpCommentsReply: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		post := share(t, c, "answered")
		first, err := c.Comments.Create(t.Context(), &weibo.CommentsCreateRequest{ID: post.ID, Comment: "why?", RIP: rip})
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.Comments.Reply(t.Context(), &weibo.CommentsReplyRequest{ID: post.ID, Cid: first.ID, Comment: "because", RIP: rip})
		if err != nil || got.ID == first.ID {
			t.Errorf("got %+v, %v", got, err)
		}
	},
	weibo.OpUsersShow: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		got, err := c.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(int64(1001))})
		if err != nil || got.ID != 1001 || got.ScreenName == "" {
			t.Errorf("got %+v, %v, want user 1001", got, err)
		}
	},
	weibo.OpAccountRateLimitStatus: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		got, err := c.Account.RateLimitStatus(t.Context(), nil)
		if err != nil || got.UserLimit != 150 || got.RemainingUserHits != 150 || got.ResetTime.IsZero() {
			t.Errorf("got %+v, %v, want the whole budget of 150", got, err)
		}
	},
	weibo.OpOAuth2AccessToken: func(t *testing.T, c *weibo.Client, srv *weibotest.Server) {
		code, err := srv.Grant(weibotest.AppKey, 1001)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.OAuth2.AccessToken(t.Context(), &weibo.OAuth2AccessTokenRequest{
			GrantType: "authorization_code", Code: new(code), RedirectURI: new("https://wall.example/callback"),
		})
		if err != nil || got.AccessToken == "" || got.ExpiresIn <= 0 || got.UID != "1001" {
			t.Errorf("got %+v, %v, want a token of 1001", got, err)
		}
	},
	weibo.OpOAuth2GetTokenInfo: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		got, err := c.OAuth2.GetTokenInfo(t.Context(), &weibo.OAuth2GetTokenInfoRequest{AccessToken: "tok-1"})
		if err != nil || got.UID != "1001" || got.ExpireIn <= 0 {
			t.Errorf("got %+v, %v, want the token of 1001", got, err)
		}
	},
	weibo.OpOAuth2RevokeOAuth2: func(t *testing.T, c *weibo.Client, _ *weibotest.Server) {
		if got, err := c.OAuth2.RevokeOAuth2(t.Context(), &weibo.OAuth2RevokeOAuth2Request{AccessToken: "tok-1"}); err != nil || !got.Result {
			t.Fatalf("got %+v, %v, want true", got, err)
		}
		_, err := c.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(int64(1001))})
		if !errors.Is(err, resilience.ErrForbidden) && !errors.Is(err, resilience.ErrUnauthorized) {
			t.Errorf("a revoked token still calls: %v", err)
		}
	},
}

func share(t *testing.T, c *weibo.Client, text string) *weibo.Status {
	t.Helper()
	post, err := c.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: text, RIP: rip})
	if err != nil {
		t.Fatal(err)
	}
	return post
}

func TestEveryOperation(t *testing.T) {
	for _, op := range weibo.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			call := calls[op]
			if call == nil {
				t.Fatal("no test calls it")
			}
			synctest.Test(t, func(t *testing.T) {
				srv := weibotest.NewServer()
				client := newClient(t, srv, weibo.WithAccount("wall", "tok-1"), weibo.WithApp(weibotest.AppKey, weibotest.AppSecret))
				call(t, client, srv)
				if len(srv.Calls(op)) == 0 {
					t.Error("the call did not arrive")
				}
			})
		})
	}
}

// TestEveryCode lets the fake answer with each documented code and checks what the caller and the pool make of it.
func TestEveryCode(t *testing.T) {
	for _, test := range []struct {
		code        string
		read, write error // nil: success
	}{
		{"10001", resilience.ErrTransient, resilience.ErrUnknownOutcome},
		{"10009", resilience.ErrTransient, resilience.ErrUnknownOutcome},
		{"10006", resilience.ErrUnauthorized, resilience.ErrUnauthorized},
		{"10014", resilience.ErrForbidden, resilience.ErrForbidden},
		{"10016", resilience.ErrInvalid, resilience.ErrInvalid},
		{"10017", resilience.ErrInvalid, resilience.ErrInvalid},
		{"10020", resilience.ErrRejected, resilience.ErrRejected},
		{"10022", resilience.ErrSourceLimited, resilience.ErrSourceLimited},
		{"10023", resilience.ErrQuotaExhausted, resilience.ErrQuotaExhausted},
		{"10024", resilience.ErrQuotaExhausted, resilience.ErrQuotaExhausted},
		{"20003", resilience.ErrNotFound, resilience.ErrNotFound},
		{"20015", resilience.ErrTransient, resilience.ErrUnknownOutcome},
		{"20016", resilience.ErrQuotaExhausted, resilience.ErrQuotaExhausted},
		{"20019", resilience.ErrDuplicateContent, resilience.ErrDuplicateContent},
		{"20032", nil, nil},
		{"21321", resilience.ErrForbidden, resilience.ErrForbidden},
		{"21327", resilience.ErrUnauthorized, resilience.ErrUnauthorized},
		{"21332", resilience.ErrUnauthorized, resilience.ErrUnauthorized},
		{"24301", resilience.ErrTransient, resilience.ErrUnknownOutcome},
		{"19999", resilience.ErrTransient, resilience.ErrUnknownOutcome}, // unknown: the system's
		{"29999", resilience.ErrRejected, resilience.ErrRejected},        // unknown: the service's
	} {
		t.Run(test.code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := weibotest.NewServer()
				client := newClient(t, srv, weibo.WithAccount("wall", "tok-1"))
				srv.Fail(nil, weibotest.Fault{Code: test.code, Text: "said by the platform", Rate: 1})
				_, err := client.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: "x", RIP: rip})
				check(t, "write", err, test.write, test.code)
				if n := len(srv.Calls(weibo.OpStatusesShare)); n != 1 {
					t.Errorf("the write arrived %d times, want once", n)
				}
			})
			synctest.Test(t, func(t *testing.T) {
				srv := weibotest.NewServer()
				client := newClient(t, srv, weibo.WithAccount("wall", "tok-1"))
				srv.Fail(nil, weibotest.Fault{Code: test.code, Text: "said by the platform", Rate: 1})
				_, err := client.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(int64(1001))})
				check(t, "read", err, test.read, test.code)
			})
		})
	}
}

func check(t *testing.T, what string, err, want error, code string) {
	t.Helper()
	if want == nil {
		if err != nil {
			t.Errorf("%s: got %v, want success", what, err)
		}
		return
	}
	e, ok := errors.AsType[*resilience.APIError](err)
	if !ok || !errors.Is(err, want) || e.Code != code || !strings.Contains(e.Message, "said by the platform") {
		t.Errorf("%s: got %v, want %v with code %s and the platform's text", what, err, want, code)
	}
}

// TestPlatformTextIsKept: the reason stands in the text, so it is not replaced by ours; nothing cools, nothing is repeated.
func TestPlatformTextIsKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		client := newClient(t, srv, weibo.WithAccount("wall", "tok-1"))
		srv.Fail(weibo.OpStatusesShare, weibotest.Fault{
			Status: 400, Body: `{"error":"text not find domain!","error_code":10017,"request":"/2/statuses/share.json"}`,
		})
		_, err := client.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: "x", RIP: rip})
		e, ok := errors.AsType[*resilience.APIError](err)
		if !ok || e.Code != weibo.CodeInvalidParameter || e.Message != "text not find domain!" || e.Status != 400 || e.Attempts != 1 {
			t.Fatalf("got %#v, want 10017 with the platform's text", err)
		}
		if h := client.Stack().Health(); len(h.Cooldowns) != 0 || len(h.Out) != 0 {
			t.Errorf("health shows %+v, want nothing", h)
		}
		share(t, client, "the next one goes on")
	})
}

// TestIDsAreExact: an id beyond 2^53 through the typed answer, a generic map, text and back into a request.
func TestIDsAreExact(t *testing.T) {
	const id = "5012345678901234567"
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		client := newClient(t, srv, weibo.WithAccount("wall", "tok-1"))
		answer := weibotest.Fault{Status: 200, Body: `{"id":` + id + `,"idstr":"` + id + `","mid":"` + id + `"}`, Times: 2}
		srv.Fail(weibo.OpStatusesShare, answer)
		post := share(t, client, "x")
		if fmt.Sprint(post.ID) != id || post.IDStr != id || string(post.MID) != id {
			t.Errorf("got %d, %s, %s, want %s", post.ID, post.IDStr, post.MID, id)
		}
		var generic map[string]any
		if err := client.Do(t.Context(), weibo.OpStatusesShare, map[string]string{"status": "y", "rip": rip}, &generic); err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(generic["id"]); got != id {
			t.Errorf("the generic map holds %s, want %s", got, id)
		}
		_, _ = client.Comments.Show(t.Context(), &weibo.CommentsShowRequest{ID: post.ID})
		sent := srv.Calls(weibo.OpCommentsShow)
		if len(sent) != 1 || sent[0].Params.Get("id") != id {
			t.Errorf("sent on as %v, want %s", sent, id)
		}
	})
}

// TestOneInterfaceIsExhausted: 10024 of one app cools that interface of that app, and the other app of the account takes over.
func TestOneInterfaceIsExhausted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		client := newClient(t, srv, weibo.WithAccount("wall", "tok-1", "tok-2"))
		srv.Fail(weibo.OpStatusesMentions, weibotest.Fault{Code: "10024", Text: "User requests for (statuses/mentions) out of rate limit!"})
		for range 4 { // alternating calls
			if _, err := client.Statuses.Mentions(t.Context(), nil); err != nil {
				t.Fatalf("mentions: %v", err)
			}
			if _, err := client.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(int64(1001))}); err != nil {
				t.Fatalf("users/show: %v", err)
			}
		}
		refused := srv.Calls(weibo.OpStatusesMentions)[0].App
		showed := map[string]int{}
		for _, c := range srv.Calls(weibo.OpUsersShow) {
			showed[c.App]++
		}
		if showed[refused] != 2 {
			t.Errorf("users/show went through %v, want both apps in turn", showed)
		}
		for i, c := range srv.Calls(weibo.OpStatusesMentions) {
			if i > 0 && c.App == refused {
				t.Errorf("call %d of mentions went to the app that had refused", i)
			}
		}
		h := client.Stack().Health()
		if len(h.Cooldowns) != 1 {
			t.Fatalf("health shows %+v, want one cooldown", h.Cooldowns)
		}
		got := h.Cooldowns[0]
		if got.Credential != "wall/1" || got.Group != "statuses_mentions" || got.Code != "10024" || time.Until(got.Until) != 10*time.Minute {
			t.Errorf("health shows %+v, want wall/1 for statuses_mentions, 10 minutes", got)
		}
		if reads := h.Scopes[resilience.Read]; reads.Available != 2 {
			t.Errorf("%d of %d credentials available for reads, want both", reads.Available, reads.Total)
		}
	})
}

func TestOptionsSayWhatIsWrong(t *testing.T) {
	for _, test := range []struct {
		name string
		opt  stack.Option
		want string
	}{
		{"no token", weibo.WithAccount("wall"), `"wall" has no token`},
		{"an empty token", weibo.WithAccount("wall", "a", ""), "wall/2 is empty"},
		{"no name", weibo.WithAccount("", "a"), "no name"},
		{"no secret", weibo.WithApp("1", ""), "WithApp"},
		{"twice", stack.Options(weibo.WithAccount("wall", "a"), weibo.WithAccount("wall", "b")), "wall/1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, err := weibo.New(test.opt); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want it to say %q", err, test.want)
			}
		})
	}
}

func TestMissingParameterIsNamed(t *testing.T) {
	client, err := weibo.New(weibo.WithAccount("wall", "tok-1"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = client.Close() }()
	_, err = client.Statuses.Share(t.Context(), &weibo.StatusesShareRequest{Status: "x"})
	if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), "rip") {
		t.Errorf("got %v, want ErrInvalidRequest that names rip", err)
	}
}

func TestAuthorizeURL(t *testing.T) {
	got, err := url.Parse(weibo.AuthorizeURL("1000001", "https://shop.example/back?from=a&b", "st&te=1"))
	if err != nil {
		t.Fatal(err)
	}
	want := url.Values{"client_id": {"1000001"}, "response_type": {"code"}, "redirect_uri": {"https://shop.example/back?from=a&b"}, "state": {"st&te=1"}}
	if got.Scheme != "https" || got.Host != "api.weibo.com" || got.Path != "/oauth2/authorize" || !maps.EqualFunc(got.Query(), want, slices.Equal) {
		t.Errorf("got %v, want https://api.weibo.com/oauth2/authorize with %v", got, want)
	}
}
