package skeleton

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// Texts are for people: what they say of limits and codes is not read, but where they do so can be told.
var (
	limitWords = regexp.MustCompile(`(?i)\b(limit(s|ed)?|quotas?|throttl\w*|rate|qps|rps|tps|qpm|rpm|rpd|per[ -](second|minute|hour|day|month)|requests?|calls?)\b` +
		`|次|每(秒|分|小时|天|日|周|月)|频率|频次|限流|限额|限制|配额|上限`)
	codeWords = regexp.MustCompile(`(?i)\b((error|err|return|status|result|business)[ _-]?codes?|codes?|errcode|errno)\b|错误码|返回码|状态码|错误代码|返回值`)
	digit     = regexp.MustCompile(`[0-9]`)
)

// look names the places where the spec's texts have words beside digits, or at most below lines above some; empty for none.
func (w *writer) look(words *regexp.Regexp, below int) string {
	found := speaking(w.doc.Description, words, below)
	for _, op := range w.ops {
		found = append(found, speaking(op.Description, words, below)...)
	}
	found = slices.Compact(found)
	const most = 5
	var places []string
	for _, line := range found[:min(len(found), most)] {
		places = append(places, w.at(line))
	}
	text := strings.Join(places, ", ")
	if more := len(found) - most; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

func speaking(text spec.Prose, words *regexp.Regexp, below int) []int {
	lines := strings.Split(text.Text, "\n")
	var out []int
	for i, line := range lines {
		if words.MatchString(line) && digit.MatchString(strings.Join(lines[i:min(len(lines), i+1+below)], "")) {
			out = append(out, text.At(i))
		}
	}
	return out
}
