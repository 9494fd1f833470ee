package wechattest_test

import (
	"fmt"
	"strings"
	"testing"
)

// inspect has a comment checked.
func (c *caller) inspect(content string) answer {
	c.t.Helper()
	return c.post(pathCheck, fmt.Sprintf(`{"version":2,"scene":2,"openid":%q,"content":%q}`, follower, content))
}

func TestTextCheck(t *testing.T) {
	_, c := start(t)
	good := c.inspect("好")
	check(t, "pass", []any{good.text("errcode"), good.field("result"), good.field("detail.0")}, []any{"0",
		map[string]any{"suggest": "pass", "label": 100},
		map[string]any{"strategy": "content_model", "errcode": 0, "suggest": "pass", "label": 100, "prob": 90}})
	risky := c.inspect("这是违禁品")
	check(t, "risky", []any{risky.code(), risky.field("result")}, []any{"", map[string]any{"suggest": "risky", "label": 20001}})
	check(t, "why", risky.field("detail.1"), map[string]any{
		"strategy": "keyword", "errcode": 0, "suggest": "risky", "label": 20001, "prob": 0, "level": 90, "keyword": "违禁"})
	if good.field("trace_id") == risky.field("trace_id") || good.text("trace_id") == "" {
		t.Errorf("trace ids: got %q and %q", good.text("trace_id"), risky.text("trace_id"))
	}
	check(t, "2,500 characters", c.inspect(strings.Repeat("长", 2500)).code(), "")
	refusals := []struct{ name, body, code string }{
		{"unknown user", `{"version":2,"scene":2,"openid":"o9","content":"x"}`, "61010"},
		{"no user", `{"version":2,"scene":2,"content":"x"}`, "41009"},
		{"no version", `{"scene":2,"openid":"` + follower + `","content":"x"}`, "40097"},
		{"version 1", `{"version":1,"scene":2,"openid":"` + follower + `","content":"x"}`, "40097"},
		{"version as text", `{"version":"2","scene":2,"openid":"` + follower + `","content":"x"}`, "40097"},
		{"no scene", `{"version":2,"openid":"` + follower + `","content":"x"}`, "40129"},
		{"scene 5", `{"version":2,"scene":5,"openid":"` + follower + `","content":"x"}`, "40129"},
		{"no content", `{"version":2,"scene":2,"openid":"` + follower + `"}`, "44004"},
		{"long", `{"version":2,"scene":2,"openid":"` + follower + `","content":"` + strings.Repeat("长", 2501) + `"}`, "45002"},
	}
	for _, tt := range refusals {
		check(t, tt.name, c.post(pathCheck, tt.body).code(), tt.code)
	}
}
