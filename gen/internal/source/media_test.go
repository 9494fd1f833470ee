package source_test

import (
	"slices"
	"strings"
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

// TestEitherWay: an answer that is JSON or a download is either of them, and another notation of the JSON is none.
func TestEitherWay(t *testing.T) {
	const (
		object = "{schema: {$ref: '#/components/schemas/A'}}"
		binary = "{schema: {type: string, format: binary}}"
		text   = "{schema: {type: string}}"
		both   = "Binary JSON"
		first  = "acme.yaml:6: note: an answer of several media types is read as its first JSON, and no Accept is sent: " +
			"where the platform gives another by itself, a transport of yours (WithTransport) has to ask for JSON: a"
	)
	for _, c := range []struct {
		name, responses string
		want, kind      string
		note            string
	}{
		{"anything", "'200': {content: {application/json: " + object + ", '*/*': " + binary + "}}", both, "application/octet-stream", ""},
		{"bytes", "'200': {content: {application/octet-stream: " + binary + ", application/json: " + object + "}}", both, "application/octet-stream", ""},
		{"a picture", "'200': {content: {application/json: " + object + ", image/png: {}, image/gif: {}}}", both, "image/png", ""},
		{"a table", "'200': {content: {text/csv: " + text + ", application/json: " + object + "}}", both, "text/csv", ""},
		{"a tree", "'200': {content: {text/xml: " + text + ", application/json: " + object + "}}", both, "text/xml", ""},
		{"by a name", "'200': {content: {application/json: " + object + ", application/pdf: {schema: {$ref: '#/components/schemas/File'}}}}", both, "application/pdf", ""},
		{"in another answer", "'200': {content: {image/png: " + binary + "}}, '202': {content: {application/json: " + object + "}}", both, "image/png", ""},
		{"the other way round", "'200': {content: {application/json: " + object + "}}, '206': {content: {image/png: " + binary + "}}", both, "image/png", ""},
		{"two files", "'200': {content: {application/pdf: " + binary + ", image/png: " + binary + "}}", "Binary", "application/pdf", ""},
		{"two answers of JSON", "'200': {content: {application/json: " + object + "}}, '201': {content: {application/json: " + object + "}}", "JSON", "application/json",
			"acme.yaml:6: note: of several good answers of an operation the first with content is read, and another as if it were that one: a"},
		{"the same as XML", "'200': {content: {application/xml: " + object + ", application/json: " + object + "}}", "JSON", "application/json",
			first},
		{"another shape as XML", "'200': {content: {application/xml: {schema: {properties: {b: {type: string}}}}, application/json: " + object + "}}", "JSON", "application/json",
			first},
		{"events", "'200': {content: {text/event-stream: {schema: {properties: {b: {type: string}}}}, application/json: " + object + "}}", both, "text/event-stream", ""},
		{"the same as JSON", "'200': {content: {text/plain: " + object + ", application/json: " + object + ", text/json: " + object + "}}", "JSON", "application/json", ""},
		{"the same text", "'200': {content: {text/plain: " + text + ", application/json: " + text + "}}", "JSON", "application/json",
			first},
		{"pages", "'200': {content: {text/csv: " + text + ", application/json: " + object + "}}}, x-pagination: {style: page, param: page, items: list", "JSON", "application/json",
			"acme.yaml:6: note: an answer that is JSON or a download is read as JSON, since it has x-pagination: a"},
	} {
		for _, version := range []string{"3.0.3", "3.1.0"} {
			doc, notes, faults := load(t, map[string]string{"acme.yaml": strings.Replace(head, "3.0.3", version, 1) + "paths:\n  /a:\n" +
				"    get: {operationId: a, summary: a, responses: {" + c.responses + "}}\n" +
				"components: {schemas: {A: {type: object, properties: {a: {type: string}}}, File: {type: string, format: binary}}}\n"})
			var want []string
			if c.note != "" {
				want = []string{c.note}
			}
			if len(faults) > 0 || !slices.Equal(notes, want) {
				t.Fatalf("%s: got %q and %q, want %q", c.name, notes, faults, want)
			}
			answer, got := doc.Operations[0].Answer, ""
			if answer.Binary {
				got = "Binary"
			}
			if answer.Schema != nil {
				got = strings.TrimSpace(got + " JSON")
			}
			if got != c.want || answer.Type != c.kind {
				t.Errorf("%s: got %s of %s, want %s of %s", c.name, got, answer.Type, c.want, c.kind)
			}
		}
	}
}
