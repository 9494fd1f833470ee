package plan_test

import (
	"strings"
	"testing"
)

// TestAnswersThatAreNoJSON: a schema that nothing can be read by is a fault; a file is a download, by whatever name.
func TestAnswersThatAreNoJSON(t *testing.T) {
	const answer = "            application/json:\n              schema: {$ref: '#/components/schemas/User'}\n"
	if !strings.Contains(sound, answer) {
		t.Fatal("the sound spec has another answer")
	}
	const unread = "@31 KIND is no JSON, which its schema says: write schema: {type: string, format: binary}, which makes it a download"
	for _, tt := range []struct {
		name, kind, schema string
		want               string
	}{
		{"a table", "text/csv", "{type: array, items: {type: string}}", unread},
		{"a tree", "application/xml", "{$ref: '#/components/schemas/User'}", unread},
		{"a text", "application/pdf", "{type: string}", unread},
		{"a file", "application/pdf", "{type: string, format: binary}", ""},
		{"a file by its name", "application/pdf", "{$ref: '#/components/schemas/Whole'}", ""},
		{"JSON under another name", "text/plain", "{$ref: '#/components/schemas/User'}", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(sound, answer, "            "+tt.kind+":\n              schema: "+tt.schema+"\n", 1)
			text = strings.Replace(text, "  schemas:\n", "  schemas:\n    Whole: {type: string, format: binary}\n", 1)
			var want []string
			if tt.want != "" {
				want = []string{strings.Replace(tt.want, "KIND", tt.kind, 1)}
			}
			checkFaults(t, text, want)
		})
	}
}
