package wechattest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// message returns the platform's text of a code.
func message(code string) string {
	switch code {
	case "-1":
		return "system error"
	case "40001":
		return "invalid credential, access_token is invalid or not latest"
	case "40003":
		return "invalid openid"
	case "40007":
		return "invalid media_id"
	case "40013":
		return "invalid appid"
	case "40029":
		return "invalid code"
	case "40066":
		return "invalid url"
	case "40125":
		return "invalid appsecret"
	case "40163":
		return "code been used"
	case "41001":
		return "access_token missing"
	case "41005":
		return "media data missing"
	case "42001":
		return "access_token expired"
	case "43001":
		return "require GET method"
	case "43002":
		return "require POST method"
	case "44002":
		return "empty post data"
	case codeDay:
		return "reach max api daily quota limit"
	case codeMinute:
		return "api minute-quota reach limit"
	case "45015":
		return "response out of time limit or subscription is canceled"
	case "45047":
		return "out of response count limit"
	case "47001":
		return "data format error"
	case "48006":
		return "forbid to clear quota because of reaching the limit"
	default:
		return "made-up text of " + code
	}
}

// refuse answers a call with a code in the code's own words.
func (s *Server) refuse(c *resiliencetest.Call, code string) resiliencetest.Answer {
	return s.refusal(c, code, "")
}

// refusal answers a call with a code in the platform's form: inside a 200. An empty text means the code's own.
func (s *Server) refusal(c *resiliencetest.Call, code, text string) resiliencetest.Answer {
	if text == "" {
		text = message(code)
	}
	rid := fmt.Sprintf("00000000-%08x-00000001", s.refusals.Add(1))
	answer := resiliencetest.JSON(http.StatusOK, map[string]any{"errcode": s.errcode(code), "errmsg": text + " rid: " + rid})
	answer.ContentType = contentType(c.Path)
	if c.Path == pathDownload {
		answer.ContentType = textType
	}
	answer.Code = code
	return answer
}

// errcode returns a code as it stands in answers.
func (s *Server) errcode(code string) any {
	if _, err := strconv.Atoi(code); err != nil || s.cfg.textCodes {
		return code
	}
	return json.Number(code)
}

const (
	jsonType = "application/json; encoding=utf-8"
	textType = "text/plain"
)

func contentType(path string) string {
	if strings.HasPrefix(path, "/sns/") {
		return textType
	}
	return jsonType
}

// ok answers with the fields alone: calls that return data have no errcode.
func (r *request) ok(fields map[string]any) resiliencetest.Answer {
	answer := resiliencetest.JSON(http.StatusOK, fields)
	answer.ContentType = contentType(r.call.Path)
	return answer
}

// done answers with errcode 0, errmsg "ok" and the fields, which may be nil.
func (s *Server) done(r *request, fields map[string]any) resiliencetest.Answer {
	body := map[string]any{"errcode": s.errcode("0"), "errmsg": "ok"}
	maps.Copy(body, fields)
	return r.ok(body)
}
