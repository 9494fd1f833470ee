package skeleton_test

import (
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/skeleton"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

const prosaic = `openapi: 3.0.3
info:
  title: Acme
  version: "1"
  description: |
    The shop of Acme, since 2019.

    每个商家每分钟最多调用 120 次，同一买家每天最多 3 条。
    At most 20 uploads, 50 RPS for all.

    | code | meaning |
    | --- | --- |
    | 10001 | bad |
servers: [{url: https://a.example}]
paths:
  /a:
    get:
      operationId: a
      summary: reads
      description: No more than 5
        calls at once. Error codes are 7 and 8.
      responses: {"204": {description: ok}}
`

// readProse reads a spec as it is, with all that stands in its texts.
func readProse(t *testing.T, text string) string {
	t.Helper()
	doc, _ := spec.Parse("dir/acme.yaml", []byte("x-platform: acme\n"+text))
	if doc == nil {
		t.Fatal("no document")
	}
	doc.Foreign = true
	out, _ := skeleton.Overlay(doc)
	return strings.ReplaceAll(out, "\n# ", " ") // its comments are broken over lines
}

// TestProse: texts are not read, and where they speak of limits and codes is told.
func TestProse(t *testing.T) {
	text := readProse(t, prosaic)
	for _, want := range []string{
		`No number is found: the spec's texts are not read beyond words such as "600 requests per minute". ` +
			"Look at dir/acme.yaml:9, dir/acme.yaml:10, dir/acme.yaml:21. The number of the example",
		"No schema of the spec lists codes: write the platform's own in the place of CODE. Its texts are not read, and may tell them: " +
			"look at dir/acme.yaml:12, dir/acme.yaml:21. x-errors:",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	silent := readProse(t, strings.NewReplacer("120 次", "", "每天最多 3 条", "", "50 RPS", "", "calls", "guests", "codes", "texts", "code", "kind").Replace(prosaic))
	for _, want := range []string{"No number is found in the spec's texts, of which", "in the place of CODE. x-errors:"} {
		if !strings.Contains(silent, want) {
			t.Errorf("the text lacks %q:\n%s", want, silent)
		}
	}
	found := readProse(t, strings.Replace(prosaic, "since 2019", "100 requests per minute", 1))
	if want := "This number is one that is found in the spec's texts, which are not read beyond that: look at dir/acme.yaml:7, dir/acme.yaml:9, "; !strings.Contains(found, want) {
		t.Errorf("the text lacks %q:\n%s", want, found)
	}
}

// TestGoodCodes: what the schema of a code says of success, and a guess where it says nothing.
func TestGoodCodes(t *testing.T) {
	const guess = `"0", "OK"`
	for _, c := range []struct {
		doc, want string
		enum      []spec.Text
	}{
		{"0 为成功", `"0"`, nil},
		{"错误码，`0` 表示成功，其他失败", `"0"`, nil},
		{"0: success; 1: failure", `"0"`, nil},
		{"1 on success", `"1"`, nil},
		{"200 OK", `"200"`, nil},
		{"SUCCESS means success", `"SUCCESS"`, nil},
		{"success: 0, otherwise the error", `"0"`, nil},
		{"成功时返回 0", `"0"`, nil},
		{"the code, -1 for success", `"-1"`, nil},
		{"whether it is a success", guess, nil},
		{"0 means unsuccessful", guess, nil},
		{"API success", guess, nil},
		{"20 successive failures", guess, nil},
		{"", guess, nil},
		{"", `"OK"`, []spec.Text{{Value: "OK"}}},
		{"", guess, []spec.Text{{Value: "OK"}, {Value: "NO"}}},
	} {
		code := &spec.Property{Name: "code", Schema: &spec.Schema{Line: 9, Type: "string", Doc: c.doc, Enum: c.enum}}
		op := operation("list", "GET", "/users")
		op.Answer = &spec.Answer{Schema: object(code)}
		op.Failures = []*spec.Failure{{Line: 20, Status: "500", Schema: object(prop("code", "string"), prop("message", "string"))}}
		_, text := read(t, document(op))
		end := ": A GUESS, look at the platform's documentation\n"
		if c.want != guess {
			end = " at dir/acme.yaml:9"
		}
		_, after, ok := strings.Cut(text, "#   good: ["+c.want+"] # ")
		if line, _, _ := strings.Cut(after, "\n"); !ok || !strings.Contains(line+"\n", end) {
			t.Errorf("%q, %v: want %s:\n%s", c.doc, c.enum, c.want, text)
		}
	}
}
