package weibotest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"mime/multipart"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

// A caller calls the fake with plain net/http, as somebody who read the platform's documents would.
type caller struct {
	t      testing.TB
	client *http.Client
	base   string
	token  string
}

func newCaller(t testing.TB, srv *weibotest.Server) *caller {
	t.Helper()
	return &caller{t: t, client: &http.Client{Transport: srv.Transport()}, base: srv.URL(), token: "tok-1"}
}

// as returns a caller with another token.
func (c *caller) as(token string) *caller { return &caller{c.t, c.client, c.base, token} }

// An answer is what came back. Numbers in body keep their digits.
type answer struct {
	status int
	body   any
}

func (a answer) field(path string) any {
	v := a.body
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i := 0
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}

func (a answer) text(path string) string { return fmt.Sprint(a.field(path)) }

// code returns the platform's code, "" on success.
func (a answer) code() string {
	if v := a.field("error_code"); v != nil {
		return fmt.Sprint(v)
	}
	return ""
}

func (c *caller) get(path string, query ...string) answer {
	c.t.Helper()
	return c.do(http.MethodGet, path+"?"+pairs(query).Encode(), "", nil)
}

func (c *caller) post(path string, form ...string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, "application/x-www-form-urlencoded", strings.NewReader(pairs(form).Encode()))
}

// pairs makes values of "name=value".
func pairs(list []string) url.Values {
	values := url.Values{}
	for _, pair := range list {
		name, value, _ := strings.Cut(pair, "=")
		values.Add(name, value)
	}
	return values
}

func (c *caller) do(method, path, contentType string, body io.Reader) answer {
	c.t.Helper()
	a, err := c.try(context.Background(), method, path, contentType, body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (c *caller) try(ctx context.Context, method, path, contentType string, body io.Reader) (answer, error) {
	req, err := http.NewRequestWithContext(ctx, method, c.base+path, body)
	if err != nil {
		return answer{}, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	if c.token != "" {
		req.Header.Set("Authorization", "OAuth2 "+c.token)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	a := answer{status: resp.StatusCode}
	dec := json.NewDecoder(resp.Body)
	dec.UseNumber()
	return a, dec.Decode(&a.body)
}

func (c *caller) share(text string) answer {
	c.t.Helper()
	return c.post("/2/statuses/share.json", "status="+text, "rip=192.0.2.7")
}

func start(t *testing.T, opts ...weibotest.Option) (*weibotest.Server, *caller) {
	t.Helper()
	srv := weibotest.NewServer(opts...)
	t.Cleanup(srv.Close)
	return srv, newCaller(t, srv)
}

var (
	opShare = &resilience.Operation{Platform: "weibo", ID: "statuses/share", HTTPMethod: "POST", Path: "/2/statuses/share.json"}
	opShow  = &resilience.Operation{Platform: "weibo", ID: "users/show", HTTPMethod: "GET", Path: "/2/users/show.json"}
)

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestPostsAreKept(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		first := c.share("hello 饼干 <&> https://app.example/1")
		check(t, "id is a number of 19 digits", first.text("id"), "5012345678901234567")
		check(t, "idstr", first.field("idstr"), "5012345678901234567")
		check(t, "mid", first.field("mid"), "5012345678901234567")
		check(t, "text", first.field("text"), "hello 饼干 <&> https://app.example/1")
		check(t, "created_at", first.field("created_at"), "Sat Jan 01 08:00:00 +0800 2000")
		check(t, "author", first.field("user.screen_name"), "wall")
		check(t, "province is text", first.field("user.province"), "11")
		for i := range 6 {
			check(t, "share", c.as("tok-2").share(fmt.Sprint("more ", i, " @wall")).code(), "")
		}

		timeline := c.get("/2/statuses/user_timeline.json")
		check(t, "timeline gives 5", len(timeline.field("statuses").([]any)), 5)
		check(t, "timeline counts all", timeline.text("total_number"), 7)
		check(t, "newest first", timeline.field("statuses.0.text"), "more 5 @wall")
		check(t, "own app's posts", len(c.get("/2/statuses/user_timeline.json", "base_app=1").field("statuses").([]any)), 1)
		trimmed := c.get("/2/statuses/user_timeline.json", "trim_user=1", "uid=1001")
		check(t, "trim_user", []any{trimmed.field("statuses.0.user"), trimmed.text("statuses.0.user_id")}, []any{nil, "1001"})

		mentions := c.get("/2/statuses/mentions.json", "count=4")
		check(t, "mentions", mentions.field("statuses.3.text"), "more 2 @wall")
		second := c.get("/2/statuses/mentions.json", "count=4", "page=2")
		check(t, "mentions, second page", second.field("statuses.1.text"), "more 0 @wall")
		check(t, "end of mentions", second.text("next_cursor"), 0)
		byCursor := c.get("/2/statuses/mentions.json", "count=4", "max_id="+mentions.text("next_cursor"))
		check(t, "mentions by cursor", byCursor.field("statuses.0.text"), "more 1 @wall")
		since := c.get("/2/statuses/mentions.json", "since_id="+mentions.text("next_cursor"))
		check(t, "mentions since", len(since.field("statuses").([]any)), 4)

		id := first.field("idstr").(string)
		counts := c.get("/2/statuses/count.json", "ids="+id+",77")
		check(t, "a bare list without the unknown post", len(counts.body.([]any)), 1)
		check(t, "counted post", counts.text("0.id"), id)
	})
}

func TestTimelineCap(t *testing.T) {
	_, c := start(t, weibotest.WithTimelineCap(0))
	for i := range 7 {
		c.share(fmt.Sprint("post ", i))
	}
	page := c.get("/2/statuses/user_timeline.json", "count=3", "page=3")
	check(t, "third page of three", len(page.field("statuses").([]any)), 1)
	check(t, "oldest", page.field("statuses.0.text"), "post 0")
}

func TestComments(t *testing.T) {
	_, c := start(t)
	id := c.share("a post").field("idstr").(string)
	first := c.post("/2/comments/create.json", "id="+id, "comment=well", "rip=192.0.2.7")
	check(t, "comment", first.field("text"), "well")
	check(t, "its post", first.field("status.idstr"), id)
	cid := first.field("idstr").(string)
	reply := c.post("/2/comments/reply.json", "id="+id, "cid="+cid, "comment=yes", "rip=192.0.2.7")
	check(t, "reply names whom it answers", reply.field("text"), "回复@wall:yes")
	check(t, "reply", []any{reply.field("reply_comment.idstr"), reply.text("rootid"), reply.text("floor_number")}, []any{cid, cid, 2})
	plain := c.post("/2/comments/reply.json", "id="+id, "cid="+reply.text("id"), "comment=no", "without_mention=1", "rip=192.0.2.7")
	check(t, "reply without mention", []any{plain.field("text"), plain.text("rootid")}, []any{"no", cid})

	shown := c.get("/2/comments/show.json", "id="+id, "count=2")
	check(t, "comments", []any{shown.text("total_number"), shown.field("comments.0.text"), shown.text("next_cursor")},
		[]any{3, "no", cid})
	check(t, "the post is with them", shown.field("status.idstr"), id)
	check(t, "comments are counted", c.get("/2/statuses/count.json", "ids="+id).text("0.comments"), 3)
}

func TestUsers(t *testing.T) {
	srv, c := start(t)
	c.share("my newest")
	me := c.get("/2/users/show.json", "uid=1001")
	check(t, "me", []any{me.field("screen_name"), me.text("statuses_count"), me.field("status.text")}, []any{"wall", 1, "my newest"})
	trimmed := c.get("/2/users/show.json", "screen_name=wall", "trim_status=1")
	check(t, "trim_status", []any{trimmed.field("status"), trimmed.field("status_id")}, []any{nil, "5012345678901234567"})
	guest := c.get("/2/users/show.json", "uid=1002")
	check(t, "who did not grant the app shows less", []any{guest.field("screen_name"), guest.field("description")}, []any{"guest", nil})

	srv.AddUser(1003, "other")
	if err := srv.AddToken("tok-other", weibotest.AppKey, 1003); err != nil {
		t.Fatal(err)
	}
	check(t, "post of another user", c.as("tok-other").share("hi @wall").code(), "")
	check(t, "it is a mention", c.get("/2/statuses/mentions.json").field("statuses.0.user.screen_name"), "other")
	check(t, "for tok-2's app it is not", c.as("tok-2").get("/2/statuses/mentions.json").text("total_number"), 0)
	if err := srv.AddToken("x", "no such app", 1003); err == nil {
		t.Error("AddToken for an unknown app: got no error")
	}
	if err := srv.AddToken("x", weibotest.AppKey, 9); err == nil {
		t.Error("AddToken for an unknown user: got no error")
	}
}

func TestPictures(t *testing.T) {
	_, c := start(t)
	upload := func(field string, data []byte) answer {
		t.Helper()
		var body bytes.Buffer
		form := multipart.NewWriter(&body)
		for name, value := range map[string]string{"status": fmt.Sprint("picture of ", len(data)), "rip": "192.0.2.7"} {
			if err := form.WriteField(name, value); err != nil {
				t.Fatal(err)
			}
		}
		if field != "" {
			part, err := form.CreateFormFile(field, "a.png")
			if err != nil {
				t.Fatal(err)
			}
			_, _ = part.Write(data)
		}
		_ = form.Close()
		return c.do(http.MethodPost, "/2/statuses/share.json", form.FormDataContentType(), &body)
	}
	png := append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, 100)...)
	good := upload("pic", png)
	check(t, "picture", good.field("thumbnail_pic"), "https://pic.example/thumbnail/5012345678901234567.jpg")
	check(t, "feature 2", len(c.get("/2/statuses/user_timeline.json", "feature=2").field("statuses").([]any)), 1)
	check(t, "no picture", upload("", nil).code(), "20007")
	check(t, "empty picture", upload("pic", nil).code(), "20007")
	check(t, "text as picture", upload("pic", []byte("hello")).code(), "20005")
	check(t, "5 MB", upload("pic", append(png, make([]byte, 5<<20)...)).code(), "20006")
}

func TestRefusals(t *testing.T) {
	srv, c := start(t, weibotest.WithLinkRequired(), weibotest.Unlimited())
	post := c.share("first https://app.example/1").field("idstr").(string)
	other := c.share("second https://app.example/1").field("idstr").(string)
	remark := c.post("/2/comments/create.json", "id="+post, "comment=once", "rip=192.0.2.7").field("idstr").(string)
	srv.Expire("tok-8")
	srv.Revoke("tok-9")
	const (
		share  = "/2/statuses/share.json"
		create = "/2/comments/create.json"
		reply  = "/2/comments/reply.json"
		rip    = "rip=192.0.2.7"
	)
	long := strings.Repeat("长", 141)
	tests := []struct {
		name   string
		answer answer
		code   string
		status int
		error  string
	}{
		{"no token", c.as("").get("/2/users/show.json", "uid=1001"), "21332", 400, "invalid_access_token"},
		{"unknown token", c.as("tok-10").get("/2/users/show.json", "uid=1001"), "21332", 400, "invalid_access_token"},
		{"token ran out", c.as("tok-8").get("/2/users/show.json", "uid=1001"), "21327", 400, "expired_token"},
		{"grant ended", c.as("tok-9").share("x"), "21321", 403, "applications over the unaudited use restrictions!"},
		{"unknown path", c.get("/2/statuses/nothing.json"), "10020", 400, "Request api not found!"},
		{"wrong method", c.get(share, "status=x", rip), "10021", 400, "HTTP method is not suported for this request!"},
		{"wrong media type", c.do("POST", share, "application/json", strings.NewReader("{}")), "10007", 400,
			"Unsupport mediatype (application/json)"},
		{"parameter missing", c.post(share, rip), "10016", 400, "Miss required parameter (status) , see doc for more info"},
		{"rip missing", c.post(share, "status=x"), "10016", 400, "Miss required parameter (rip) , see doc for more info"},
		{"rip is no address", c.post(share, "status=x", "rip=here"), "10017", 400,
			"Parameter (rip)'s value invalid, expect (ip) , but get (here) , see doc for more info"},
		{"query of a POST does not count", c.do("POST", share+"?status=x&rip=192.0.2.7", "", nil), "10016", 400,
			"Miss required parameter (status) , see doc for more info"},
		{"empty text", c.post(share, "status=", rip), "20008", 400, "content is null!"},
		{"long text", c.share(long), "20012", 400, "text too long, please input text less than 140 characters!"},
		{"no link", c.share("just words"), "10017", 400, "text not find domain!"},
		{"same text", c.share("second https://app.example/1"), "20019", 400, "repeat conetnt!"},
		{"same text from another app", c.as("tok-2").share("second https://app.example/1"), "20019", 400, "repeat conetnt!"},
		{"ids missing", c.get("/2/statuses/count.json"), "10016", 400, "Miss required parameter (ids) , see doc for more info"},
		{"ids empty", c.get("/2/statuses/count.json", "ids="), "20001", 400, "IDs is null!"},
		{"ids too many", c.get("/2/statuses/count.json", "ids=1"+strings.Repeat(",1", 100)), "20009", 400, "IDs is too many!"},
		{"ids not numbers", c.get("/2/statuses/count.json", "ids=a"), "10008", 400, "param error, see doc for more info."},
		{"another user's timeline", c.get("/2/statuses/user_timeline.json", "uid=1002"), "21335", 400,
			"Request uid's value must be the current user"},
		{"another name's timeline", c.get("/2/statuses/user_timeline.json", "screen_name=guest"), "21335", 400,
			"Request uid's value must be the current user"},
		{"page is no number", c.get("/2/statuses/mentions.json", "page=x"), "10008", 400, "param error, see doc for more info."},
		{"comments of no post", c.get("/2/comments/show.json", "id=7"), "20101", 400, "target weibo does not exist!"},
		{"comments without id", c.get("/2/comments/show.json"), "10016", 400,
			"Miss required parameter (id) , see doc for more info"},
		{"comment on no post", c.post(create, "id=7", "comment=x", rip), "20101", 400, "target weibo does not exist!"},
		{"empty comment", c.post(create, "id="+post, "comment=", rip), "20008", 400, "content is null!"},
		{"long comment", c.post(create, "id="+post, "comment="+long, rip), "20012", 400,
			"text too long, please input text less than 140 characters!"},
		{"same comment", c.post(create, "id="+post, "comment=once", rip), "20019", 400, "repeat conetnt!"},
		{"comment without rip", c.post(create, "id="+post, "comment=x"), "10016", 400,
			"Miss required parameter (rip) , see doc for more info"},
		{"reply to no comment", c.post(reply, "id="+post, "cid=7", "comment=x", rip), "20201", 400,
			"target weibo comment does not exist!"},
		{"reply under another post", c.post(reply, "id="+other, "cid="+remark, "comment=x", rip), "20201", 400,
			"target weibo comment does not exist!"},
		{"reply without cid", c.post(reply, "id="+post, "comment=x", rip), "10016", 400,
			"Miss required parameter (cid) , see doc for more info"},
		{"no such user", c.get("/2/users/show.json", "uid=5"), "20003", 400, "User does not exists!"},
		{"no such name", c.get("/2/users/show.json", "screen_name=nobody"), "20003", 400, "User does not exists!"},
		{"neither uid nor name", c.get("/2/users/show.json"), "20502", 400, "please input right target user id or screen_name!"},
		{"uid and name", c.get("/2/users/show.json", "uid=1001", "screen_name=wall"), "10008", 400,
			"param error, see doc for more info."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if tt.answer.code() != tt.code || tt.answer.status != tt.status || tt.answer.field("error") != tt.error {
				t.Errorf("got %d %s %q, want %d %s %q", tt.answer.status, tt.answer.code(), tt.answer.field("error"),
					tt.status, tt.code, tt.error)
			}
			if _, isNumber := tt.answer.field("error_code").(json.Number); !isNumber {
				t.Errorf("error_code: got %T, want a number", tt.answer.field("error_code"))
			}
			if request := tt.answer.text("request"); !strings.HasPrefix(request, "/2/") {
				t.Errorf("request: got %q, want the path", request)
			}
		})
	}
}

func TestTokenAsParameter(t *testing.T) {
	_, c := start(t)
	c = c.as("")
	check(t, "in the query", c.get("/2/users/show.json", "uid=1001", "access_token=tok-3").field("screen_name"), "wall")
	check(t, "in the form", c.post("/2/statuses/share.json", "status=x", "rip=192.0.2.7", "access_token=tok-3").field("text"), "x")
}

func TestSameTextAllowed(t *testing.T) {
	_, c := start(t, weibotest.WithSameTextAllowed())
	c.share("twice")
	check(t, "same text", c.share("twice").code(), "")
	check(t, "two posts", c.get("/2/statuses/user_timeline.json").text("total_number"), 2)
}

func TestOAuth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		defer srv.Close()
		c := newCaller(t, srv).as("")
		srv.AddApp("42", "secret-42", "https://app.example/callback")
		code, err := srv.Grant("42", weibotest.GuestUID)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := srv.Grant("43", weibotest.GuestUID); err == nil {
			t.Error("Grant for an unknown app: got no error")
		}
		exchange := func(change ...string) answer {
			form := []string{"client_id=42", "client_secret=secret-42", "grant_type=authorization_code", "code=" + code,
				"redirect_uri=https://app.example/callback"}
			values := pairs(form)
			maps.Copy(values, pairs(change))
			if slot := values["drop"]; slot != nil {
				values.Del(slot[0])
			}
			return c.do(http.MethodPost, "/oauth2/access_token", "application/x-www-form-urlencoded", strings.NewReader(values.Encode()))
		}
		refusals := []struct{ name, change, code, word string }{
			{"secret", "client_secret=x", "21324", "invalid_client"},
			{"app", "client_id=x", "21324", "invalid_client"},
			{"redirect", "redirect_uri=https://else.example", "21322", "redirect_uri_mismatch"},
			{"no redirect", "drop=redirect_uri", "21322", "redirect_uri_mismatch"},
			{"grant type", "grant_type=password", "21328", "unsupported_grant_type"},
			{"refresh token", "grant_type=refresh_token", "21325", "invalid_grant"},
			{"code", "code=x", "21325", "invalid_grant"},
			{"no code", "drop=code", "21323", "invalid_request"},
			{"another app's code", "client_id=2000000001", "21324", "invalid_client"},
		}
		for _, tt := range refusals {
			got := exchange(tt.change)
			check(t, tt.name, []any{got.code(), got.field("error"), got.status, got.field("error_uri")},
				[]any{tt.code, tt.word, 400, "/oauth2/access_token"})
		}
		check(t, "no client_id", exchange("drop=client_id").field("error"), "Miss required parameter (client_id) , see doc for more info")

		got := exchange()
		check(t, "token", []any{got.text("expires_in"), got.field("remind_in"), got.field("uid"), got.field("isRealName")},
			[]any{2592000, "2592000", "1002", "true"})
		if _, isNumber := got.field("expires_in").(json.Number); !isNumber {
			t.Errorf("expires_in: got %T, want a number", got.field("expires_in"))
		}
		check(t, "a code is good once", exchange().field("error_description"), "invalid authorization code:"+code)

		token := got.field("access_token").(string)
		time.Sleep(time.Hour)
		info := c.post("/oauth2/get_token_info", "access_token="+token)
		check(t, "token info", []any{info.text("uid"), info.text("appkey"), info.field("scope"), info.text("create_at"), info.text("expire_in")},
			[]any{1002, 42, nil, 946684800, 2592000 - 3600})
		check(t, "it works", c.as(token).share("by the guest").field("user.screen_name"), "guest")
		check(t, "argument beats header", c.as("tok-1").post("/oauth2/get_token_info", "access_token="+token).text("uid"), 1002)
		check(t, "revoke", c.post("/oauth2/revokeoauth2", "access_token="+token).field("result"), "true")
		check(t, "revoked", c.as(token).share("again").code(), "21321")
		check(t, "revoked, info", c.post("/oauth2/get_token_info", "access_token="+token).code(), "21321")

		late, err := srv.Grant("42", weibotest.GuestUID)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Minute)
		check(t, "a code ages", exchange("code="+late).code(), "21325")
		if err := srv.AddToken("tok-x", "42", weibotest.GuestUID); err != nil {
			t.Fatal(err)
		}
		time.Sleep(weibotest.TokenLife - time.Second)
		check(t, "a second before the end", c.as("tok-x").get("/2/users/show.json", "uid=1002").code(), "")
		time.Sleep(time.Second)
		check(t, "at the end", c.as("tok-x").get("/2/users/show.json", "uid=1002").code(), "21327")
	})
}

func TestFaults(t *testing.T) {
	srv, c := start(t)
	srv.Fail(opShow, weibotest.Fault{Code: "10023", Text: "User requests out of rate limit"}, weibotest.Fault{Code: "10024"})
	got := c.get("/2/users/show.json", "uid=1001")
	check(t, "code and text", []any{got.status, got.text("error_code"), got.field("error"), got.field("request")},
		[]any{403, 10023, "User requests out of rate limit", "/2/users/show.json"})
	check(t, "code's own text", c.get("/2/users/show.json", "uid=1001").field("error"), "User requests for (users/show) out of rate limit!")
	check(t, "faults end", c.get("/2/users/show.json", "uid=1001").code(), "")

	srv.Fail(opShare, weibotest.Fault{CutAfter: true})
	_, err := c.try(t.Context(), http.MethodPost, "/2/statuses/share.json", "application/x-www-form-urlencoded",
		strings.NewReader("status=lost&rip=192.0.2.7"))
	if !errors.Is(err, io.EOF) {
		t.Errorf("cut after acting: got %v, want EOF", err)
	}
	check(t, "the post is there", c.get("/2/statuses/user_timeline.json").field("statuses.0.text"), "lost")

	srv.Fail(opShare, weibotest.Fault{Code: "20032", Acted: true, Status: 200})
	late := c.share("late")
	check(t, "accepted late", []any{late.status, late.code()}, []any{200, "20032"})
	check(t, "late post", c.get("/2/statuses/user_timeline.json").field("statuses.0.text"), "late")

	srv.Fail(nil, weibotest.Fault{Status: 503, Body: `{}`, Rate: 1})
	check(t, "outage", []any{c.share("x").status, c.get("/2/users/show.json", "uid=1001").status}, []any{503, 503})
	srv.Heal(nil)
	check(t, "healed", c.share("x").code(), "")

	calls := srv.Calls(opShare)
	check(t, "calls of share", len(calls), 4)
	check(t, "who called", []any{calls[0].App, calls[0].Credential, calls[0].Acted, calls[1].Code}, []any{weibotest.AppKey, "t…", true, "20032"})
	check(t, "all calls", len(srv.Calls(nil)), len(srv.Log().Calls("")))
	own := &resilience.Operation{HTTPMethod: "GET", Path: "/2/own.json"}
	c.get("/2/own.json")
	check(t, "calls of an operation that the fake does not know", len(srv.Calls(own)), 1)
}

func TestFaultRateIsSeeded(t *testing.T) {
	run := func(seed uint64) string {
		srv := weibotest.NewServer(weibotest.Unlimited())
		defer srv.Close()
		srv.Seed(seed)
		srv.Fail(opShow, weibotest.Fault{Code: "10001", Rate: 0.5})
		c := newCaller(t, srv)
		var codes strings.Builder
		for range 40 {
			codes.WriteString(c.get("/2/users/show.json", "uid=1001").code() + ",")
		}
		return codes.String()
	}
	first, second := run(3), run(3)
	if first != second {
		t.Errorf("one seed gave two results: %s and %s", first, second)
	}
	if first == run(4) {
		t.Error("two seeds gave one result")
	}
}

func TestLoopback(t *testing.T) {
	srv, err := weibotest.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	check(t, "over a socket", newCaller(t, srv).share("hello").field("text"), "hello")
	if srv.Listener() != nil {
		t.Error("Listener on loopback: got one, want nil")
	}
}

func TestDialDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := weibotest.NewServer()
		defer srv.Close()
		srv.Listener().SetDialDelay(2 * time.Second)
		begin := time.Now()
		newCaller(t, srv).share("hello")
		check(t, "took", time.Since(begin), 2*time.Second)
		check(t, "arrival", srv.Calls(nil)[0].Time.Sub(begin), 2*time.Second)
		check(t, "calls in a second", resiliencetest.MaxInAnyWindow(resiliencetest.Times(srv.Calls(nil)), time.Second), 1)
	})
}
