package wechattest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

const (
	follower = "o0000000000000000000000001"
	second   = "o0000000000000000000000002"

	pathToken    = "/cgi-bin/token"
	pathStable   = "/cgi-bin/stable_token"
	pathClear    = "/cgi-bin/clear_quota"
	pathQuota    = "/cgi-bin/openapi/quota/get"
	pathCustom   = "/cgi-bin/message/custom/send"
	pathTemplate = "/cgi-bin/message/template/send"
	pathUpload   = "/cgi-bin/media/upload"
	pathDownload = "/cgi-bin/media/get"
	pathInfo     = "/cgi-bin/user/info"
	pathList     = "/cgi-bin/user/get"
	pathMenu     = "/cgi-bin/menu/create"
	pathLogin    = "/sns/jscode2session"
	pathCheck    = "/wxa/msg_sec_check"
)

var (
	opToken    = &resilience.Operation{Platform: "wechat", HTTPMethod: "GET", Path: pathToken}
	opCustom   = &resilience.Operation{Platform: "wechat", HTTPMethod: "POST", Path: pathCustom}
	opInfo     = &resilience.Operation{Platform: "wechat", HTTPMethod: "GET", Path: pathInfo}
	opList     = &resilience.Operation{Platform: "wechat", HTTPMethod: "GET", Path: pathList}
	opDownload = &resilience.Operation{Platform: "wechat", HTTPMethod: "GET", Path: pathDownload}
	opLogin    = &resilience.Operation{Platform: "wechat", HTTPMethod: "GET", Path: pathLogin}
)

// A caller calls the fake with plain net/http, as somebody who read the platform's documents would.
type caller struct {
	t             testing.TB
	client        *http.Client
	base          string
	appid, secret string
	token         string
}

// newCaller returns a caller that has a stable token.
func newCaller(t testing.TB, srv *wechattest.Server) *caller {
	t.Helper()
	c := &caller{t: t, client: &http.Client{Transport: srv.Transport()}, base: srv.URL(),
		appid: wechattest.AppID, secret: wechattest.AppSecret}
	return c.as(c.stable(false).text("access_token"))
}

// as returns a caller with another token; "" is none.
func (c *caller) as(token string) *caller {
	other := *c
	other.token = token
	return &other
}

// other returns a caller of another account, wx2.
func (c *caller) other(srv *wechattest.Server) *caller {
	c.t.Helper()
	other := *c
	other.appid, other.secret = "wx2", "made-up-secret-of-wx2"
	srv.AddApp(other.appid, other.secret)
	return other.as(other.stable(false).text("access_token"))
}

// An answer is what came back. Numbers in body keep their digits; body is nil where the answer is no JSON.
type answer struct {
	status int
	kind   string // content type
	header http.Header
	raw    string
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
	if v := a.field("errcode"); v != nil && fmt.Sprint(v) != "0" {
		return fmt.Sprint(v)
	}
	return ""
}

func (c *caller) get(path string, query ...string) answer {
	c.t.Helper()
	return c.do(http.MethodGet, path, pairs(query), "", nil)
}

// post sends a body as it is.
func (c *caller) post(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, url.Values{}, "application/json", strings.NewReader(body))
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

func (c *caller) do(method, path string, query url.Values, contentType string, body io.Reader) answer {
	c.t.Helper()
	a, err := c.try(context.Background(), method, path, query, contentType, body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (c *caller) try(ctx context.Context, method, path string, query url.Values, contentType string, body io.Reader) (answer, error) {
	if c.token != "" {
		query.Set("access_token", c.token)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path+"?"+query.Encode(), body)
	if err != nil {
		return answer{}, err
	}
	if contentType != "" {
		req.Header.Set("Content-Type", contentType)
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	data, err := io.ReadAll(resp.Body)
	a := answer{status: resp.StatusCode, kind: resp.Header.Get("Content-Type"), header: resp.Header, raw: string(data)}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if dec.Decode(&a.body) != nil {
		a.body = nil
	}
	return a, err
}

func (c *caller) stable(force bool) answer {
	c.t.Helper()
	return c.as("").post(pathStable, fmt.Sprintf(`{"grant_type":"client_credential","appid":%q,"secret":%q,"force_refresh":%t}`,
		c.appid, c.secret, force))
}

func (c *caller) plain() answer {
	c.t.Helper()
	return c.as("").get(pathToken, "grant_type=client_credential", "appid="+c.appid, "secret="+c.secret)
}

func (c *caller) info() answer {
	c.t.Helper()
	return c.get(pathInfo, "openid="+follower)
}

func (c *caller) say(openid, content string) answer {
	c.t.Helper()
	return c.post(pathCustom, fmt.Sprintf(`{"touser":%q,"msgtype":"text","text":{"content":%q}}`, openid, content))
}

func start(t *testing.T, opts ...wechattest.Option) (*wechattest.Server, *caller) {
	t.Helper()
	srv := wechattest.NewServer(opts...)
	t.Cleanup(srv.Close)
	return srv, newCaller(t, srv)
}

// bubble runs a test in virtual time, which begins at 2000-01-01 08:00 in China.
func bubble(t *testing.T, test func(t *testing.T, srv *wechattest.Server, c *caller), opts ...wechattest.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer(opts...)
		defer srv.Close()
		test(t, srv, newCaller(t, srv))
	})
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestRequestForm(t *testing.T) {
	srv, c := start(t)
	stray := c.as("nobody")
	chunked := func(c *caller, method, path, body string) answer {
		return c.do(method, path, url.Values{}, "application/json", io.MultiReader(strings.NewReader(body)))
	}
	with := func(content string) string {
		return `{"touser":"` + follower + `","msgtype":"text","text":{"content":"` + content + `"}}`
	}
	message := with("x")
	tests := []struct {
		name   string
		answer answer
		code   string
		text   string
	}{
		{"no token", c.as("").info(), "41001", "access_token missing"},
		{"unknown token", stray.info(), "40001", "invalid credential, access_token is invalid or not latest"},
		{"unknown path", c.get("/cgi-bin/nothing"), "40066", "invalid url"},
		{"unknown path comes before the token", stray.get("/cgi-bin/nothing"), "40066", "invalid url"},
		{"GET needed", c.post(pathInfo, "{}"), "43001", "require GET method"},
		{"POST needed", c.get(pathCustom), "43002", "require POST method"},
		{"method comes before the token", stray.get(pathCustom), "43002", "require POST method"},
		{"token comes before the body", stray.post(pathCustom, ""), "40001", "invalid credential, access_token is invalid or not latest"},
		{"empty body", c.post(pathCustom, ""), "44002", "empty post data"},
		{"empty body of a token call", c.as("").post(pathStable, ""), "44002", "empty post data"},
		{"no JSON", c.post(pathCustom, "touser="+follower), "47001", "data format error"},
		{"JSON, but no object", c.post(pathCustom, `[1]`), "47001", "data format error"},
		{"null", c.post(pathCustom, `null`), "47001", "data format error"},
		{"half an object", c.post(pathCustom, message[:40]), "47001", "data format error"},
		{"more than an object", c.post(pathCustom, message+message), "47001", "data format error"},
		{"bytes that are no UTF-8", c.post(pathCustom, with("\xcf\xff")), "47001", "data format error"},
		{"escape", c.post(pathCustom, with(`a\u0026b`)), "40033", "made-up text of 40033"},
		{"escape behind an escaped backslash", c.post(pathCustom, with(`\\\u4eca`)), "40033",
			"made-up text of 40033"},
		{"names are spelt exactly", c.post(pathCustom, strings.ReplaceAll(message, "touser", "ToUser")), "40003", "invalid openid"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			text, _, hasRequest := strings.Cut(tt.answer.text("errmsg"), " rid: ")
			if tt.answer.code() != tt.code || tt.answer.status != 200 || text != tt.text || !hasRequest {
				t.Errorf("got %d %s, want 200 %s %q", tt.answer.status, tt.answer.raw, tt.code, tt.text)
			}
			check(t, "content type", tt.answer.kind, "application/json; encoding=utf-8")
		})
	}
	for _, a := range []answer{
		chunked(c, "POST", pathCustom, message), chunked(stray, "POST", pathUpload, "x"), chunked(c, "GET", pathInfo, "x"),
	} {
		check(t, "chunked", []any{a.status, a.raw}, []any{412, ""})
	}
	check(t, "nothing was sent", len(srv.Sent()), 0)
	for _, call := range srv.Log().Calls("") {
		if call.Acted && call.Op != "cgi-bin/stable_token" {
			t.Errorf("%s %s acted", call.Method, call.Path)
		}
	}
	check(t, "a backslash that is escaped", c.post(pathCustom, with(`C:\\users`)).code(), "")
	check(t, "a line end behind the body", c.post(pathCustom, message+"\n").code(), "")
	check(t, "sent", srv.Sent(), []wechattest.Message{
		{To: follower, Type: "text", Text: `C:\users`}, {To: follower, Type: "text", Text: "x"},
	})
}

func TestRequestIDsAreFresh(t *testing.T) {
	_, c := start(t)
	form := regexp.MustCompile(` rid: [0-9a-f]{8}-[0-9a-f]{8}-[0-9a-f]{8}$`)
	seen := map[string]bool{}
	for range 20 {
		rid := form.FindString(c.as("nobody").info().text("errmsg"))
		if rid == "" || seen[rid] {
			t.Errorf("got %q, want a request id that was not there before", rid)
		}
		seen[rid] = true
	}
}

// TestShapesOfSuccess tells who answers errcode 0 and who none, and under which content type.
func TestShapesOfSuccess(t *testing.T) {
	srv, c := start(t)
	const jsonType = "application/json; encoding=utf-8"
	tests := []struct {
		name    string
		answer  answer
		kind    string
		errcode any
	}{
		{"token", c.plain(), jsonType, nil},
		{"stable_token", c.stable(false), jsonType, nil},
		{"clear_quota", c.post(pathClear, fmt.Sprintf(`{"appid":%q}`, wechattest.AppID)), jsonType, json.Number("0")},
		{"quota/get", c.post(pathQuota, `{"cgi_path":"/cgi-bin/user/get"}`), jsonType, json.Number("0")},
		{"custom/send", c.say(follower, "x"), jsonType, json.Number("0")},
		{"template/send", c.template(follower, "TM00015", ""), jsonType, json.Number("0")},
		{"media/upload", c.upload("image", "a.png", []byte("0123456789")), jsonType, nil},
		{"user/info", c.info(), jsonType, nil},
		{"user/get", c.get(pathList), jsonType, nil},
		{"menu/create", c.post(pathMenu, `{"button":[{"type":"click","name":"a","key":"k"}]}`), jsonType, json.Number("0")},
		{"jscode2session", c.login(srv.LoginCode(follower)), "text/plain", json.Number("0")},
		{"msg_sec_check", c.inspect("x"), jsonType, json.Number("0")},
	}
	for _, tt := range tests {
		if tt.answer.field("errcode") != tt.errcode || tt.answer.kind != tt.kind || tt.answer.status != 200 {
			t.Errorf("%s: got %d %s %s, want errcode %v as %s", tt.name, tt.answer.status, tt.answer.kind, tt.answer.raw, tt.errcode, tt.kind)
		}
	}
	check(t, "error of a download", c.get(pathDownload, "media_id=x").kind, "text/plain")
	check(t, "error of a login", c.login("x").kind, "text/plain")
}

func TestTextCodes(t *testing.T) {
	srv, c := start(t, wechattest.WithTextCodes())
	check(t, "refusal", c.as("nobody").info().raw[:18], `{"errcode":"40001"`)
	check(t, "success", c.say(follower, "x").raw, `{"errcode":"0","errmsg":"ok"}`)
	srv.Fail(opInfo, wechattest.Fault{Code: "-1"})
	check(t, "fault", c.info().raw[:15], `{"errcode":"-1"`)
}

func TestFaults(t *testing.T) {
	srv, c := start(t)
	srv.Fail(nil, wechattest.Fault{Status: 503})
	srv.Fail(opInfo, wechattest.Fault{Code: "-1"}, wechattest.Fault{Code: "45011", Text: "my words"})
	busy := c.info()
	check(t, "busy", []any{busy.status, busy.code(), busy.raw[:39]}, []any{200, "-1", `{"errcode":-1,"errmsg":"system error ri`})
	check(t, "own words", c.info().text("errmsg")[:14], "my words rid: ")
	check(t, "any operation", c.say(follower, "x").status, 503)
	check(t, "over", c.info().code(), "")
	srv.Fail(opInfo, wechattest.Fault{Code: "45011", Rate: 1})
	srv.Heal(opInfo)
	check(t, "healed", c.info().code(), "")

	srv.Fail(opCustom, wechattest.Fault{CutAfter: true})
	if _, err := c.try(t.Context(), "POST", pathCustom, url.Values{}, "application/json",
		strings.NewReader(fmt.Sprintf(`{"touser":%q,"msgtype":"text","text":{"content":"lost"}}`, follower))); err == nil {
		t.Error("cut after: got an answer")
	}
	check(t, "carried out though cut", srv.Sent()[0].Text, "lost")

	draw := func() string {
		srv.Seed(7)
		srv.Fail(opInfo, wechattest.Fault{Code: "-1", Rate: 0.5})
		defer srv.Heal(nil)
		var codes []string
		for range 30 {
			codes = append(codes, c.info().code())
		}
		return strings.Join(codes, ",")
	}
	check(t, "the same seed draws the same", draw(), draw())
}

// TestHandedCases plays what clients are tried with.
func TestHandedCases(t *testing.T) {
	srv, c := start(t)
	srv.Fail(opList, wechattest.Fault{Code: "40013"})
	list := c.get(pathList)
	check(t, "an error in place of a list", []any{list.status, list.code(), list.field("data")}, []any{200, "40013", nil})

	picture := c.get(pathDownload, "media_id=x")
	check(t, "an error in place of a picture", []any{picture.status, picture.kind, picture.code()}, []any{200, "text/plain", "40007"})
	exact := `{"errcode":40007,"errmsg":"invalid media_id hint: [demo0001]"}`
	srv.Fail(opDownload, wechattest.Fault{Body: exact, ContentType: "text/plain"})
	picture = c.get(pathDownload, "media_id=x")
	check(t, "the very bytes", []any{picture.status, picture.kind, picture.raw}, []any{200, "text/plain", exact})

	exact = `{"openid":"o0000000000000000000000005","session_key":"made-up","errcode":0}`
	srv.Fail(opLogin, wechattest.Fault{Body: exact, ContentType: "text/plain"})
	login := c.login("x")
	check(t, "JSON as text", []any{login.status, login.kind, login.raw}, []any{200, "text/plain", exact})

	srv.Fail(opInfo, wechattest.Fault{Code: "-1", Times: 2})
	srv.Fail(opCustom, wechattest.Fault{Code: "-1", Acted: true})
	check(t, "a busy read", []any{c.info().code(), c.info().code(), c.info().code()}, []any{"-1", "-1", ""})
	check(t, "a busy write", c.say(follower, "sent all the same").code(), "-1")
	check(t, "its outcome", srv.Sent()[0].Text, "sent all the same")

	menu := `{"button":[{"type":"view","name":"今日<新>","url":"https://shop.example/?a=1&b=2"}]}`
	check(t, "a menu with an ampersand", c.post(pathMenu, menu).code(), "")
	check(t, "its bytes", string(srv.Menu()), menu)
	check(t, "escaped", c.post(pathMenu, strings.ReplaceAll(menu, "&", `\u0026`)).code(), "40033")

	check(t, "an upload", c.upload("image", "a.png", []byte("0123456789")).code(), "")
}

func TestLog(t *testing.T) {
	srv, c := start(t)
	other := c.other(srv)
	other.info()
	c.as("nobody").info()
	calls := srv.Calls(opInfo)
	check(t, "apps", []any{calls[0].App, calls[1].App}, []any{"wx2", ""})
	check(t, "credentials", []any{calls[0].Credential, calls[1].Credential}, []any{"stable0002-x…", "no…"})
	check(t, "acted", []any{calls[0].Acted, calls[1].Acted, calls[1].Code}, []any{true, false, "40001"})
	c.plain()
	srv.LoginCode(follower)
	c.login("x")
	for _, call := range []resiliencetest.Call{srv.Log().Calls("cgi-bin/stable_token")[0], srv.Log().Calls("cgi-bin/token")[0],
		srv.Calls(opLogin)[0]} {
		check(t, call.Op, []any{call.App, call.Credential}, []any{wechattest.AppID, "made-up-ap…"})
	}
	check(t, "all", len(srv.Calls(nil)), 6)
	check(t, "by method and path", len(srv.Calls(&resilience.Operation{HTTPMethod: "GET", Path: "/x"})), 0)
}

func TestLoopback(t *testing.T) {
	srv, err := wechattest.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	check(t, "a call over a socket", newCaller(t, srv).info().text("openid"), follower)
	if srv.Listener() != nil {
		t.Error("Listener on loopback: got one")
	}
}

func TestListener(t *testing.T) {
	srv, c := start(t)
	srv.Listener().SetDialError(errors.New("no route"))
	c.client = &http.Client{Transport: srv.Transport()}
	if _, err := c.try(t.Context(), "GET", pathInfo, url.Values{}, "", nil); err == nil {
		t.Error("got an answer where dials fail")
	}
	srv.Listener().SetDialError(nil)
	check(t, "back", c.info().code(), "")
}

func TestClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		c := newCaller(t, srv)
		srv.Fail(opInfo, wechattest.Fault{Hang: true})
		done := make(chan error)
		go func() {
			_, err := c.try(t.Context(), "GET", pathInfo, url.Values{}, "", nil)
			done <- err
		}()
		time.Sleep(time.Second)
		srv.Close()
		if err := <-done; err == nil {
			t.Error("a call that hung: got an answer after Close")
		}
	})
}
