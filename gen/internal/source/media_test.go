package source_test

import (
	"slices"
	"testing"
)

// TestWhatIsNoJSON: a body or an answer of a type that has none in Go is told of where it stands.
func TestWhatIsNoJSON(t *testing.T) {
	const (
		plain    = "acme.yaml:8: note: an answer of plain text is a download: the method gives a stream"
		download = "acme.yaml:8: note: an answer that is no JSON is a download, whatever its schema says: the method gives a stream"
		gone     = "acme.yaml:9: note: a body of a DELETE that is neither JSON nor a form, and not required, is left out: a"
		leftOut  = "acme.yaml:6: note: an operation with a body that is neither JSON nor a form is left out: a"
		list     = "{type: array, items: {type: string}}"
	)
	for _, tt := range []struct {
		name, kind, schema string // of the answer
		method, body       string // what is sent
		want               string
		operations         int
		binary             bool // the answer is a download
	}{
		{"a table", "text/csv", list, "get", "", download, 1, true},
		{"a table that is a text", "text/csv", "{type: string}", "get", "", plain, 1, true},
		{"a tree", "application/xml", "{type: object, properties: {a: {type: string}}}", "get", "", download, 1, true},
		{"a tree in text", "text/xml", "{type: object, properties: {a: {type: string}}}", "get", "", download, 1, true},
		{"events", "text/event-stream", "{type: object, properties: {a: {type: string}}}", "get", "", download, 1, true},
		{"a file", "application/pdf", "{type: string}", "get", "", "", 1, true},
		{"JSON under another name", "text/plain", list, "get", "", "", 1, false},
		{"JSON as a page", "text/html", "{type: object, properties: {a: {type: string}}}", "get", "", "", 1, false},
		{"JSON of any type", "'*/*'", list, "get", "", "", 1, false},
		{"text to a DELETE", "application/json", list, "delete", "{text/plain: {schema: {type: string}}}", gone, 1, false},
		{"text that a DELETE needs", "application/json", list, "delete", "{text/plain: {schema: {type: string}}}, required: true", leftOut, 0, false},
		{"text to a POST", "application/json", list, "post", "{text/plain: {schema: {type: string}}}", leftOut, 0, false},
		{"no body of a DELETE", "application/json", list, "delete", "{}", "", 1, false},
		{"a form of anything", "application/json", list, "post", "{application/x-www-form-urlencoded: {schema: {type: object, additionalProperties: true}}}", leftOut, 0, false},
		{"a form of nothing", "application/json", list, "post", "{application/x-www-form-urlencoded: {schema: {type: object}}}", "", 1, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := head + "paths:\n  /a:\n    " + tt.method + ":\n      {operationId: a, summary: a,\n      responses: {'200': {description: ok, content: {" +
				tt.kind + ": {schema: " + tt.schema + "}}}}"
			if tt.body != "" {
				text += ",\n      requestBody: {content: " + tt.body + "}"
			}
			doc, notes, faults := load(t, map[string]string{"acme.yaml": text + "}\n"})
			var want []string
			if tt.want != "" {
				want = []string{tt.want}
			}
			if len(faults) > 0 || !slices.Equal(notes, want) || len(doc.Operations) != tt.operations {
				t.Fatalf("got %q, faults %q and %d operations, want %q and %d", notes, faults, len(doc.Operations), want, tt.operations)
			}
			if tt.operations > 0 && doc.Operations[0].Answer.Binary != tt.binary {
				t.Errorf("a download: got %t, want %t", !tt.binary, tt.binary)
			}
		})
	}
}
