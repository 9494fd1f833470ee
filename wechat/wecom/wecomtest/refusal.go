package wecomtest

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"strconv"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// messages returns what the codes mean, in our words.
func messages() map[string]string {
	return map[string]string{
		"-1":     "system busy",
		"40001":  "invalid credential",
		"40004":  "invalid media type",
		"40005":  "invalid type",
		"40006":  "invalid file size",
		"40007":  "invalid media_id",
		"40008":  "invalid message type",
		"40009":  "invalid picture size",
		"40011":  "invalid video size",
		"40013":  "invalid corpid",
		"40014":  "invalid access_token",
		"40032":  "invalid length of userid list",
		"40035":  "invalid parameter",
		"40039":  "invalid length of url",
		"40056":  "invalid agentid",
		"40058":  "request parameters do not fit",
		"40063":  "parameter empty",
		"41001":  "access_token missing",
		"41002":  "corpid missing",
		"41004":  "secret missing",
		"41006":  "media_id missing",
		"41009":  "userid missing",
		"41010":  "url missing",
		"41011":  "agentid missing",
		"41016":  "title missing",
		"41033":  "description missing",
		"41035":  "external_userid missing",
		"42001":  "access_token expired",
		"42014":  "invalid task_id",
		"42027":  "template card: keyname missing",
		"42028":  "template card: url missing",
		"42029":  "template card: media id missing",
		"42030":  "template card: appid missing",
		"42031":  "template card: invalid card_type",
		"42033":  "template card: title missing",
		"42035":  "template card: invalid length of horizontal list",
		"42036":  "template card: invalid length of vertical list",
		"42037":  "template card: invalid length of option list",
		"42042":  "template card: invalid length of jump list",
		"42043":  "template card: invalid question key",
		"42044":  "template card: invalid picture url",
		"42045":  "template card: invalid card action",
		"42047":  "template card: invalid length of select list",
		"44001":  "empty media data",
		"44004":  "empty content",
		"45001":  "media too large",
		"45002":  "content too long",
		"45008":  "more than 8 articles",
		"45009":  "api freq out of limit",
		"45032":  "author too long",
		"45033":  "api concurrent out of limit",
		"60003":  "department not found",
		"60111":  "userid not found",
		"60123":  "invalid department id",
		"60251":  "open_kfid missing",
		"81013":  "user & party & tag all invalid",
		"82001":  "touser & toparty & totag all empty",
		"82002":  "invalid length of department list",
		"82003":  "invalid length of tag list",
		"95001":  "message count reached",
		"95002":  "more than 48 hours since the customer wrote",
		"95004":  "open_kfid not found",
		"95008":  "more than 10 menu items",
		"95013":  "conversation ended",
		"95018":  "conversation state forbids sending",
		"301002": "not allowed to operate another agent with this access_token",
		"301017": "voice must be AMR",
	}
}

func message(code string) string {
	if text, ok := messages()[code]; ok {
		return text
	}
	return "made-up text of " + code
}

// warning stands before the text of an answer to JSON that was broken and read as far as it went.
const warning = "Warning: wrong json format. "

func (r *request) refuse(code string) resiliencetest.Answer {
	text := message(code)
	if r.body.broken {
		text = warning + text
	}
	return r.server.refusal(r.call, code, text)
}

func (r *request) ok(fields map[string]any) resiliencetest.Answer {
	body := maps.Clone(fields)
	body["errcode"], body["errmsg"] = 0, "ok"
	if r.body.broken {
		body["errmsg"] = warning + "ok"
	}
	return resiliencetest.JSON(http.StatusOK, body)
}

// callerAddress is the address that errors show, one from the range for documents.
const callerAddress = "203.0.113.9"

// refusal answers a call with a code in the platform's form: HTTP 200, a hint and the caller's address in the text, and the fields of
// the operation's answer with nothing in them. An empty text means the code's own.
func (s *Server) refusal(c *resiliencetest.Call, code, text string) resiliencetest.Answer {
	if text == "" {
		text = message(code)
	}
	n := s.hints.Add(1)
	body := emptyFields(operationAt(c.Path))
	body["errcode"] = code
	if _, err := strconv.Atoi(code); err == nil {
		body["errcode"] = json.Number(code)
	}
	body["errmsg"] = fmt.Sprintf("%s, hint: [%d_%d_%06x], from ip: %s, more info at "+
		"https://open.work.weixin.qq.com/devtool/query?e=%s", text, c.Time.Unix(), n, (n*7919)&0xffffff, callerAddress, code)
	answer := resiliencetest.JSON(http.StatusOK, body)
	answer.Code = code
	return answer
}

func emptyFields(op *operation) map[string]any {
	fields := map[string]any{}
	if op == nil {
		return fields
	}
	for _, name := range op.emptyText {
		fields[name] = ""
	}
	for _, name := range op.emptyList {
		fields[name] = []any{}
	}
	for _, name := range op.emptyObject {
		fields[name] = map[string]any{}
	}
	return fields
}
