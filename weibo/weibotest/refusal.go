package weibotest

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// messages returns the platform's texts, in its own spelling.
func messages() map[string]string {
	return map[string]string{
		"10006": "source paramter(appkey) is missing",
		"10007": "Unsupport mediatype (%s)",
		"10008": "param error, see doc for more info.",
		"10014": "Insufficient app permissions!",
		"10016": "Miss required parameter (%s) , see doc for more info",
		"10017": "%s",
		"10020": "Request api not found!",
		"10021": "HTTP method is not suported for this request!",
		"10022": "IP requests out of rate limit!",
		"10023": "User requests out of rate limit!",
		"10024": "User requests for (%s) out of rate limit!",
		"20001": "IDs is null!",
		"20003": "User does not exists!",
		"20005": "Unsupported image type, only suport JPG, GIF, PNG!",
		"20006": "Image size too large.",
		"20007": "Does multipart has image?",
		"20008": "content is null!",
		"20009": "IDs is too many!",
		"20012": "text too long, please input text less than 140 characters!",
		"20016": "out of limit!",
		"20019": "repeat conetnt!",
		"20031": "Test and verify",
		"20101": "target weibo does not exist!",
		"20201": "target weibo comment does not exist!",
		"20502": "please input right target user id or screen_name!",
		"21321": "applications over the unaudited use restrictions!",
		"21327": "expired_token",
		"21332": "invalid_access_token",
		"21335": "Request uid's value must be the current user",
	}
}

// message returns the text of a code, with arg in the place that the platform leaves for it.
func message(code, arg string) string {
	text, ok := messages()[code]
	if !ok {
		return "made-up text of " + code
	}
	if strings.Contains(text, "%s") {
		return fmt.Sprintf(text, arg)
	}
	return text
}

// refuse answers a call with a code; arg is what its text names: a parameter, an interface.
func refuse(c *resiliencetest.Call, code, arg string) resiliencetest.Answer {
	return refusal(c, code, message(code, arg))
}

// refusal answers a call with a code in the platform's form. An empty text means the code's own.
func refusal(c *resiliencetest.Call, code, text string) resiliencetest.Answer {
	if text == "" {
		text = message(code, c.Op)
	}
	return envelope(c, code, map[string]any{"error": text})
}

// refuseOAuth answers in the form of the oauth2 calls: a word in place of the text, and a description.
func refuseOAuth(c *resiliencetest.Call, code, word, description string) resiliencetest.Answer {
	return envelope(c, code, map[string]any{"error": word, "error_uri": c.Path, "error_description": description})
}

func envelope(c *resiliencetest.Call, code string, body map[string]any) resiliencetest.Answer {
	body["request"] = c.Path
	body["error_code"] = code
	if _, err := strconv.Atoi(code); err == nil {
		body["error_code"] = json.Number(code) // a number in live answers
	}
	answer := resiliencetest.JSON(statusOf(code), body)
	answer.Code = code
	return answer
}

// statusOf returns the HTTP status of a code. No table of them is documented; these were seen: 403 for limits and missing rights, 400
// for the rest.
func statusOf(code string) int {
	switch code {
	case "10004", "10005", "10013", "10014", "10022", "10023", "10024", "10032", "20015", "20016", "20022", "20031", "21321":
		return http.StatusForbidden
	}
	return http.StatusBadRequest
}
