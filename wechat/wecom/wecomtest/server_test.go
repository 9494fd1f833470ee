package wecomtest_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// A caller calls the fake with plain net/http, as somebody who read the platform's documents would.
type caller struct {
	t      testing.TB
	client *http.Client
	base   string
	token  string
}

// newCaller returns a caller with the first application's token.
func newCaller(t testing.TB, srv *wecomtest.Server) *caller {
	t.Helper()
	c := &caller{t: t, client: &http.Client{Transport: srv.Transport()}, base: srv.URL()}
	return c.as(c.login(wecomtest.CorpID, wecomtest.Secret).text("access_token"))
}

// as returns a caller with another token.
func (c *caller) as(token string) *caller { return &caller{c.t, c.client, c.base, token} }

func (c *caller) login(corpid, secret string) answer {
	c.t.Helper()
	return c.as("").get("/cgi-bin/gettoken", "corpid="+corpid, "corpsecret="+secret)
}

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

func (a answer) code() string { return a.text("errcode") }

func (c *caller) get(path string, query ...string) answer {
	c.t.Helper()
	return c.do(http.MethodGet, path, query, "", nil)
}

func (c *caller) post(path, body string) answer {
	c.t.Helper()
	return c.do(http.MethodPost, path, nil, "application/json", strings.NewReader(body))
}

func (c *caller) do(method, path string, query []string, contentType string, body io.Reader) answer {
	c.t.Helper()
	a, err := c.try(context.Background(), method, path, query, contentType, body)
	if err != nil {
		c.t.Fatalf("%s %s: %v", method, path, err)
	}
	return a
}

func (c *caller) try(ctx context.Context, method, path string, query []string, contentType string, body io.Reader) (answer, error) {
	values := url.Values{}
	for _, pair := range query {
		name, value, _ := strings.Cut(pair, "=")
		values.Add(name, value)
	}
	if c.token != "" {
		values.Set("access_token", c.token)
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base+path+"?"+values.Encode(), body)
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
	a := answer{status: resp.StatusCode}
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return answer{}, err
	}
	if resp.Header.Get("Content-Type") == "text/plain" {
		a.body = string(raw)
		return a, nil
	}
	dec := json.NewDecoder(strings.NewReader(string(raw)))
	dec.UseNumber()
	return a, dec.Decode(&a.body)
}

// text sends a text to members.
func (c *caller) sendText(touser, content string) answer {
	c.t.Helper()
	return c.post(pathSend, body(map[string]any{"touser": touser, "text": map[string]any{"content": content}}))
}

// body is a message/send body: a text to u1, changed. A nil takes a field away.
func body(change map[string]any) string {
	message := map[string]any{
		"touser": "u1", "msgtype": "text", "agentid": wecomtest.AgentID, "text": map[string]any{"content": "hello"},
	}
	maps.Copy(message, change)
	maps.DeleteFunc(message, func(_ string, v any) bool { return v == nil })
	return encode(message)
}

func encode(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(raw)
}

// m is short for what JSON calls an object.
type m = map[string]any

func start(t *testing.T, opts ...wecomtest.Option) (*wecomtest.Server, *caller) {
	t.Helper()
	srv := wecomtest.NewServer(opts...)
	t.Cleanup(srv.Close)
	return srv, newCaller(t, srv)
}

const (
	pathToken       = "/cgi-bin/gettoken"
	pathSend        = "/cgi-bin/message/send"
	pathUpload      = "/cgi-bin/media/upload"
	pathUser        = "/cgi-bin/user/get"
	pathDepartments = "/cgi-bin/department/list"
	pathKF          = "/cgi-bin/kf/send_msg"
)

var (
	opToken = &resilience.Operation{Platform: "wecom", ID: "gettoken", HTTPMethod: "GET", Path: pathToken}
	opSend  = &resilience.Operation{Platform: "wecom", ID: "message/send", HTTPMethod: "POST", Path: pathSend}
	opUser  = &resilience.Operation{Platform: "wecom", ID: "user/get", HTTPMethod: "GET", Path: pathUser}
)

func check(t testing.TB, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

// bubble runs a test in virtual time with a fake of its own.
func bubble(t *testing.T, test func(t *testing.T, srv *wecomtest.Server, c *caller), opts ...wecomtest.Option) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer(opts...)
		defer srv.Close()
		test(t, srv, newCaller(t, srv))
	})
}

func TestErrorForm(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wecomtest.Server, c *caller) {
		first, second := c.get(pathUser, "userid=nobody"), c.get(pathUser, "userid=nobody")
		check(t, "status", first.status, 200)
		if _, isNumber := first.field("errcode").(json.Number); !isNumber {
			t.Errorf("errcode: got %T, want a number", first.field("errcode"))
		}
		form := regexp.MustCompile(`^userid not found, hint: \[946684800_\d+_[0-9a-f]{6}\], from ip: 203\.0\.113\.9, ` +
			`more info at https://open\.work\.weixin\.qq\.com/devtool/query\?e=60111$`)
		if !form.MatchString(first.text("errmsg")) {
			t.Errorf("errmsg: got %q", first.text("errmsg"))
		}
		if first.text("errmsg") == second.text("errmsg") {
			t.Error("two errors have one hint")
		}
		check(t, "typed fields are there and empty", []any{first.field("userid"), first.field("department"), first.field("extattr")},
			[]any{"", []any{}, map[string]any{}})
		check(t, "gettoken too", c.login(wecomtest.CorpID, "x").field("access_token"), "")
		good := c.get(pathUser, "userid=u1")
		check(t, "success", []any{good.code(), good.field("errmsg")}, []any{0, "ok"})
	})
}

func TestRequestForm(t *testing.T) {
	srv, c := start(t)
	check(t, "unknown path", c.get("/cgi-bin/nothing"), answer{404, "Not Found"})
	check(t, "wrong verb", c.get(pathSend), answer{405, "Method Not Allowed"})
	// A reader of unknown length makes net/http send chunks.
	chunked := c.do(http.MethodPost, pathSend, nil, "application/json", io.MultiReader(strings.NewReader(body(nil))))
	check(t, "chunked", chunked, answer{412, ""})
	check(t, "nothing was done", len(srv.Delivered()), 0)

	whole := body(nil)
	half := c.post(pathSend, strings.TrimSuffix(whole, "}")+",}")
	check(t, "what stands before a fault counts", []any{half.code(), half.field("errmsg")}, []any{0, "Warning: wrong json format. ok"})
	check(t, "it is sent", len(srv.Delivered()), 1)
	for name, bad := range map[string]string{"no JSON": "touser=u1", "empty": "", "list": "[1]", "cut": whole[:20]} {
		got := c.post(pathSend, bad)
		check(t, name, []any{got.code(), strings.HasPrefix(got.text("errmsg"), "Warning: wrong json format. invalid message type, hint: ")},
			[]any{40008, true})
	}
	check(t, "more after the end", c.post(pathSend, whole+"x").field("errmsg"), "Warning: wrong json format. ok")
}

func TestTokens(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		begin := time.Now()
		first := c.login(wecomtest.CorpID, wecomtest.Secret)
		check(t, "expires_in", first.text("expires_in"), 7200)
		if n := len(first.text("access_token")); n < 256 || n > 512 {
			t.Errorf("token of %d bytes, want a long one of at most 512", n)
		}
		srv.AddApp(1000003, "secret-3")
		other := c.login(wecomtest.CorpID, "secret-3").text("access_token")
		time.Sleep(time.Hour)
		again := c.login(wecomtest.CorpID, wecomtest.Secret)
		check(t, "the same while it is valid", again.field("access_token"), first.field("access_token"))
		check(t, "what is left of it", again.text("expires_in"), 3600)
		if other == first.text("access_token") {
			t.Error("two applications have one token")
		}
		show := func(token string) string { return c.as(token).get(pathUser, "userid=u1").code() }
		time.Sleep(time.Until(begin.Add(wecomtest.TokenLife)) - 1)
		check(t, "before the end", show(c.token), 0)
		time.Sleep(time.Nanosecond)
		check(t, "at the end", show(c.token), 42001)
		next := c.login(wecomtest.CorpID, wecomtest.Secret).text("access_token")
		check(t, "another one", []any{next != c.token, show(next), show(c.token)}, []any{true, 0, 42001})
		srv.InvalidateTokens()
		check(t, "ended before its time", show(next), 40014)
		check(t, "and replaced", show(c.login(wecomtest.CorpID, wecomtest.Secret).text("access_token")), 0)
		check(t, "none", show(""), 41001)
		check(t, "unknown", show("x"), 40014)
		check(t, "another enterprise", c.login("ww0000000000000002", wecomtest.Secret).code(), 40013)
	})
}

// TestTokenEndsInADelay: a call that was let in may find its token ended when it is carried out.
func TestTokenEndsInADelay(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wecomtest.Server, c *caller) {
		srv.Fail(opUser, wecomtest.Fault{Delay: time.Minute})
		time.Sleep(wecomtest.TokenLife - time.Second)
		check(t, "code", c.get(pathUser, "userid=u1").code(), 42001)
		check(t, "the next has room", c.fresh().get(pathUser, "userid=u1").code(), 0)
	}, wecomtest.WithParallel(1))
}

func TestLoginRefusals(t *testing.T) {
	_, c := start(t)
	c = c.as("")
	tests := []struct {
		name  string
		query []string
		code  int
	}{
		{"no corpid", []string{"corpsecret=" + wecomtest.Secret}, 41002},
		{"no secret", []string{"corpid=" + wecomtest.CorpID}, 41004},
		{"wrong corpid", []string{"corpid=ww0000000000000002", "corpsecret=" + wecomtest.Secret}, 40013},
		{"wrong secret", []string{"corpid=" + wecomtest.CorpID, "corpsecret=x"}, 40001},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { check(t, "code", c.get(pathToken, tt.query...).code(), tt.code) })
	}
}

// TestTwoApplications is one enterprise with two applications: a token is good for the agentid of its own.
func TestTwoApplications(t *testing.T) {
	srv, c := start(t)
	srv.AddApp(1000003, "secret-3")
	other := c.as(c.login(wecomtest.CorpID, "secret-3").text("access_token"))
	to := func(agent any) string { return body(m{"agentid": agent}) }
	check(t, "own", []any{c.post(pathSend, to(1000002)).code(), other.post(pathSend, to(1000003)).code()}, []any{0, 0})
	check(t, "another's", []any{c.post(pathSend, to(1000003)).code(), other.post(pathSend, to(1000002)).code()}, []any{301002, 301002})
	check(t, "unknown", c.post(pathSend, to(1000004)).code(), 40056)
	check(t, "no number", c.post(pathSend, to("1000002")).code(), 40056)
	check(t, "missing", c.post(pathSend, to(nil)).code(), 41011)
	calls := srv.Calls(opSend)
	check(t, "who called", []any{calls[0].App, calls[1].App}, []any{"ww0000000000000001/1000002", "ww0000000000000001/1000003"})
	tokens := srv.Calls(opToken)
	check(t, "who asked for tokens", []any{tokens[0].App, tokens[1].App}, []any{"ww0000000000000001/1000002", "ww0000000000000001/1000003"})
	check(t, "no secret is logged", tokens[0].Credential, "made-…")
	sent := srv.Delivered()
	check(t, "delivered", []any{len(sent), sent[0].Agent, sent[1].Agent}, []any{2, 1000002, 1000003})

	srv.AddApp(1000003, "secret-4")
	check(t, "a new secret", c.login(wecomtest.CorpID, "secret-4").field("access_token"), other.token)
	check(t, "the old secret", c.login(wecomtest.CorpID, "secret-3").code(), 40001)
}

func TestFaults(t *testing.T) {
	srv, c := start(t)
	srv.Fail(opUser, wecomtest.Fault{Code: "45009"}, wecomtest.Fault{Code: "-1", Text: "system busy here"}, wecomtest.Fault{Code: "99"})
	got := c.get(pathUser, "userid=u1")
	check(t, "code's own text", []any{got.status, got.code(), strings.HasPrefix(got.text("errmsg"), "api freq out of limit, hint: [")},
		[]any{200, 45009, true})
	got = c.get(pathUser, "userid=u1")
	check(t, "text", []any{got.code(), strings.HasPrefix(got.text("errmsg"), "system busy here, hint: [")}, []any{-1, true})
	check(t, "unknown code", c.get(pathUser, "userid=u1").code(), 99)
	check(t, "faults end", c.get(pathUser, "userid=u1").code(), 0)

	// A send that was carried out and never answered.
	srv.Fail(opSend, wecomtest.Fault{CutAfter: true})
	_, err := c.try(t.Context(), http.MethodPost, pathSend, nil, "application/json", strings.NewReader(body(nil)))
	if !errors.Is(err, io.EOF) {
		t.Errorf("cut after acting: got %v, want EOF", err)
	}
	check(t, "it was carried out once", len(srv.Delivered()), 1)

	srv.Fail(opSend, wecomtest.Fault{Acted: true, Body: `{"errcode":0,"errmsg":"ok","invaliduser":"u1|u2","msgid":"demo-1"}`})
	got = c.sendText("u1|u2|u3", "some")
	check(t, "an answer of one's own", []any{got.field("invaliduser"), got.field("msgid"), len(srv.Delivered())}, []any{"u1|u2", "demo-1", 4})

	srv.Fail(nil, wecomtest.Fault{Status: 503, Body: `{}`, Rate: 1})
	check(t, "outage", []any{c.sendText("u1", "x").status, c.get(pathUser, "userid=u1").status}, []any{503, 503})
	srv.Heal(nil)
	check(t, "healed", c.sendText("u1", "x").code(), 0)

	calls := srv.Calls(opUser)
	check(t, "log", []any{len(calls), calls[0].Code, calls[0].Acted, calls[3].Acted}, []any{5, "45009", false, true})
	check(t, "all calls", len(srv.Calls(nil)), srv.Log().Count(""))
	c.get("/cgi-bin/own")
	own := &resilience.Operation{HTTPMethod: "GET", Path: "/cgi-bin/own"}
	check(t, "calls of an operation that the fake does not know", len(srv.Calls(own)), 1)
}

func TestFaultRateIsSeeded(t *testing.T) {
	run := func(seed uint64) string {
		srv := wecomtest.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		srv.Seed(seed)
		srv.Fail(opUser, wecomtest.Fault{Code: "-1", Rate: 0.5})
		var codes strings.Builder
		for range 40 {
			codes.WriteString(c.get(pathUser, "userid=u1").code() + ",")
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
	srv, err := wecomtest.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	check(t, "over a socket", newCaller(t, srv).sendText("u1", "hello").code(), 0)
	if srv.Listener() != nil {
		t.Error("Listener on loopback: got one, want nil")
	}
}

func TestDialDelay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		defer srv.Close()
		srv.Listener().SetDialDelay(2 * time.Second)
		begin := time.Now()
		newCaller(t, srv)
		check(t, "took", time.Since(begin), 2*time.Second)
		check(t, "calls in a second", resiliencetest.MaxInAnyWindow(resiliencetest.Times(srv.Calls(nil)), time.Second), 1)
	})
}
