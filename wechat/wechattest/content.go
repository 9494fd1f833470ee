package wechattest

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

const (
	riskyWord   = "违禁" // a content that holds it is risky
	longestText = 2500 // characters
)

func (s *Server) checkText(r *request) resiliencetest.Answer {
	content, scene := r.value("content"), r.body.number("scene")
	switch {
	case r.body.number("version") != 2:
		return s.refuse(r.call, "40097")
	case scene < 1 || scene > 4:
		return s.refuse(r.call, "40129")
	case r.value("openid") == "":
		return s.refuse(r.call, "41009")
	case s.users[r.value("openid")] == nil:
		return s.refuse(r.call, "61010")
	case content == "":
		return s.refuse(r.call, "44004")
	case utf8.RuneCountInString(content) > longestText:
		return s.refuse(r.call, "45002")
	}
	s.issued++
	result := map[string]any{"suggest": "pass", "label": 100}
	detail := []any{verdict("content_model", "pass", 100, 90)}
	if strings.Contains(content, riskyWord) {
		result = map[string]any{"suggest": "risky", "label": 20001}
		word := verdict("keyword", "risky", 20001, 0)
		word["level"], word["keyword"] = 90, riskyWord
		detail = []any{verdict("content_model", "risky", 20001, 90), word}
	}
	return s.done(r, map[string]any{"trace_id": fmt.Sprintf("made-up-trace-%06d", s.issued), "result": result, "detail": detail})
}

// verdict is what one strategy says.
func verdict(strategy, suggest string, label, prob int) map[string]any {
	return map[string]any{"strategy": strategy, "errcode": 0, "suggest": suggest, "label": label, "prob": prob}
}
