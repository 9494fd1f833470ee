package skeleton

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

func (w *writer) quotas() {
	l := limits(w.doc, w.ops)
	w.blank()
	w.comment("The platform's limits. Calls then wait here for their turn, for at most Config.MaxWait (30s unless set); one whose turn is " +
		"later than that fails at once, and none is sent that would be refused. Without it nothing is counted: a 429 cools the credential " +
		"for as long as its Retry-After says.")
	if l.calls > 0 {
		w.comment("The spec declares 429 for %s, first for %s at %s.", spec.Count(l.calls, "operation"), l.op, w.at(l.line))
	}
	if len(l.headers) > 0 {
		w.comment("Its answers tell of limits in the headers %s.", strings.Join(l.headers, ", "))
	}
	where := w.look(limitWords, 0)
	number, per, source := 60, "1m", "https://docs.acme.example/limits, where the platform says so"
	switch {
	case l.number > 0:
		number, per, source = l.number, l.per, fmt.Sprintf("the spec: %s", l.quote)
		if where != "" {
			w.comment("This number is one that is found in the spec's texts, which are not read beyond that: look at %s.", where)
		}
	case where != "":
		w.comment("No number is found: the spec's texts are not read beyond words such as \"600 requests per minute\". Look at %s. The number of the "+
			"example is to be replaced, and its source by the page that says so.", where)
	default:
		w.comment("No number is found in the spec's texts, of which words such as \"600 requests per minute\" are understood: that of the example is " +
			"to be replaced, and its source by the page that says so.")
	}
	w.line("# x-quotas:")
	w.line("#   windows:")
	w.line("#     calls: {limit: %d, per: %s, key: credential, source: %s} # key: credential, account, app, source (the address) or recipient",
		number, per, scalar(source))
	w.line("#   groups:")
	w.line("#     all: [calls]")
	w.comment("Then write group: all in place of group: none below, at least at one operation: a group that none counts against is a fault.")
}

// A limit is what the spec tells of a quota.
type limit struct {
	calls   int // that may answer 429
	op      string
	line    int
	headers []string // of their answers, that speak of rates
	number  int      // found in a text; 0 for none
	per     string
	quote   string
}

func limits(doc *spec.Document, ops []*operation) limit {
	var l limit
	l.find(doc.Description.Text)
	for _, op := range ops {
		counted := false
		for _, f := range op.Failures {
			for _, h := range f.Headers {
				if name := plain(h); strings.Contains(name, "ratelimit") || name == "retryafter" || strings.Contains(name, "quota") {
					if !slices.Contains(l.headers, h) {
						l.headers = append(l.headers, h)
					}
				}
			}
			if f.Status != "429" || counted {
				continue
			}
			counted = true
			if l.calls++; l.calls == 1 {
				l.op, l.line = op.name(), f.Line
			}
		}
		l.find(op.Description.Text)
		l.find(op.Summary)
	}
	return l
}

var perTime = regexp.MustCompile(`(?i)\b([0-9][0-9,]*)\s+(?:api\s+)?(?:requests|calls|queries|reqs?)\s*(?:per|/|an?|in\s+an?|in\s+one|every|each)\s*(second|minute|hour|day)\b`)

// find looks for a number of calls per time in a text.
func (l *limit) find(text string) {
	if l.number > 0 {
		return
	}
	m := perTime.FindStringSubmatch(text)
	if m == nil {
		return
	}
	n, err := strconv.Atoi(strings.ReplaceAll(m[1], ",", ""))
	if err != nil || n < 1 {
		return
	}
	l.number, l.quote = n, line(m[0], 80)
	l.per = map[string]string{"second": "1s", "minute": "1m", "hour": "1h", "day": "24h"}[strings.ToLower(m[2])]
}
