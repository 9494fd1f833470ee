package spec_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

const small = `openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example/v1/}]
x-platform: acme
x-envelope: {code: [error_code, error], good: ["", "0"], success: success, request_id_after: "rid: "}
x-errors:
  "": {class: unknown-outcome}
  "10": {class: quota-exhausted, cool: 6h, doc: rest}
  "11": {class: throttled, cools: none, reset: minute-then-hour, says: {second: {class: penalized, cools: group}}}
x-quotas:
  windows:
    day: {limit: 100, per: 24h, key: source, aligned: true, offset: -8h, guard: 2, hard: true, apart: true, source: the manual}
  groups: {all: [day]}
paths:
  /show:
    get:
      operationId: users/show
      summary: returns a user
      x-sdk: {service: Users, method: Show, doc: "https://acme.example/show"}
      x-resilience: {scope: read, group: all, idempotent: true, account: any, timeout: 3s, resets: day, partial: [alpha], errors: {"9": {class: not-found}}}
      parameters: [{$ref: '#/components/parameters/ids'}]
      responses: {"200": {$ref: '#/components/responses/user'}}
components:
  parameters:
    ids: {name: ids, in: query, x-recipient: true, explode: false, schema: {type: array, items: {type: integer, format: int64}}}
  responses:
    user: {description: OK, content: {text/plain: {schema: {$ref: '#/components/schemas/User'}}}}
  schemas:
    User: {type: object, properties: {zeta: {type: string, minLength: 0, x-from: credential}, alpha: {}, friend: {$ref: '#/components/schemas/User'}}}
`

func TestParse(t *testing.T) {
	doc, faults := spec.Parse("acme.yaml", []byte(small))
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	op, window := doc.Operations[0], doc.Windows[0]
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"base address without its slash", doc.BaseURL, "https://api.acme.example/v1"},
		{"code paths", fmt.Sprint(doc.Envelope.Code), "[error_code error]"},
		{"a single path", fmt.Sprint(doc.Envelope.Success), "[success]"},
		{"text before a request id", fmt.Sprintf("%q", doc.Envelope.RequestIDAfter), `["rid: "]`},
		{"good codes", fmt.Sprintf("%q", doc.Envelope.Good), `["" "0"]`},
		{"the empty code", doc.Errors[0].Code + "|" + doc.Errors[0].Class, "|unknown-outcome"},
		{"defaults of a row", doc.Errors[1].Cools + " " + doc.Errors[1].Reset, "scope ladder"},
		{"span of a row", doc.Errors[1].Cool, 6 * time.Hour},
		{"window", fmt.Sprintln(window.Limit, window.Per, window.Key, window.Aligned, window.Offset, window.Guard, window.Hard), "100 24h0m0s source true -8h0m0s 2 true\n"},
		{"operation", fmt.Sprintln(op.ID.Value, op.HTTPMethod, op.Path, op.Scope, op.Group.Value, op.Idempotent, op.AnyAccount, op.Timeout), "users/show GET /show read all true true 3s\n"},
		{"its own codes", op.Errors[0].Code, "9"},
		{"its line", op.Line, 16},
		{"what cools nothing", doc.Errors[2].Cools + " " + doc.Errors[2].Reset, "none minute-then-hour"},
		{"another meaning by the text", fmt.Sprint(*doc.Errors[2].Says[0]), "{9 second { 0} penalized group ladder 0s  []}"},
		{"a window of each group", window.Apart, true},
		{"what a success gives back", op.Resets, "day"},
		{"what was not done", op.Partial[0].Value, "alpha"},
		{"a recipient", op.Params[0].Recipient && !op.Params[0].FromCredential, true},
		{"marks of a property", doc.Named("User").Properties[0].FromCredential && !doc.Named("User").Properties[0].Recipient, true},
		{"shared parameter with commas", op.Params[0].Commas && op.Params[0].Name == "ids", true},
		{"a text that may be empty", doc.Named("User").Properties[0].Schema.MayBeEmpty, true},
		{"answer as text", op.Answer.Schema.Ref, "User"},
		{"no credential", op.Auth.Value, ""},
		{"order of fields", doc.Named("User").Properties[0].Name, "zeta"},
		{"recursion", doc.Resolve(doc.Named("User").Properties[2].Schema) == doc.Named("User"), true},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

// TestParseJSON: a spec may be JSON, which is YAML.
func TestParseJSON(t *testing.T) {
	text := `{"openapi": "3.0.3", "info": {"title": "A", "version": "1"}, "servers": [{"url": "https://a.example"}],
"x-platform": "a", "paths": {"/p": {"get": {"operationId": "p", "summary": "does", "x-sdk": {"service": "S", "method": "M"},
"x-resilience": {"scope": "read", "group": "none", "idempotent": "yes"}, "responses": {"200": {"description": "OK"}}}}}}`
	_, faults := spec.Parse("a.json", []byte(text))
	if len(faults) != 1 || !strings.HasPrefix(faults[0].String(), `a.json:3: x-resilience.idempotent is "yes": write true or false`) {
		t.Errorf("got %v, want the fault of line 3", faults)
	}
}

func TestParseStrangeInput(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nothing", "", "acme.yaml:1: the spec is empty"},
		{"text", "hello", "acme.yaml:1: the document is not a mapping"},
		{"tab", "openapi: 3.0.3\n\tinfo: x", "acme.yaml:2: not YAML"},
		{"binary", "\x00\x01", "acme.yaml:1: not YAML"},
		{"anchor that holds itself", "a: &a [*a]", "unknown key"},
		{"aliases of aliases", bomb(), "YAML aliases more than 10000 times"},
		{"deep", "components: {schemas: {A: " + strings.Repeat("{items: ", 300) + "{}" + strings.Repeat("}", 300) + "}}", "nested more than 200 levels deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, faults := spec.Parse("acme.yaml", []byte(c.text))
			var all strings.Builder
			for _, f := range faults {
				all.WriteString(f.String() + "\n")
			}
			if !strings.Contains(all.String(), c.want) {
				t.Errorf("got %q, want %q", all.String(), c.want)
			}
		})
	}
}

// bomb is a small text that stands for a schema with more fields than any memory holds.
func bomb() string {
	var text strings.Builder
	text.WriteString("components: {schemas: {A0: &a0 {type: string}")
	for i := range 60 {
		fmt.Fprintf(&text, ", A%d: &a%d {properties: {x: *a%d, y: *a%d}}", i+1, i+1, i, i)
	}
	return text.String() + "}}"
}

func TestReadFile(t *testing.T) {
	if _, err := spec.ReadFile(filepath.Join(t.TempDir(), "none.yaml")); err == nil || !strings.Contains(err.Error(), "none.yaml") {
		t.Errorf("got %v, want an error that names the file", err)
	}
	path := filepath.Join(t.TempDir(), "acme.yaml")
	if err := os.WriteFile(path, []byte(small), 0o600); err != nil {
		t.Fatal(err)
	}
	data, err := spec.ReadFile(path)
	if doc, faults := spec.Parse(path, data); err != nil || len(faults) > 0 || doc.File != path {
		t.Errorf("got %v, %v, %v", doc, faults, err)
	}
}

func TestSort(t *testing.T) {
	faults := spec.Sort([]spec.Fault{{"b", 1, "x", "y"}, {"a", 20, "x", "y"}, {"a", 3, "x", "y"}, {"a", 20, "x", "y"}})
	if got := fmt.Sprint(faults); got != "[a:3: x: y a:20: x: y b:1: x: y]" {
		t.Errorf("got %s", got)
	}
}

// FuzzParse: whatever the bytes, no panic, and each fault has a line and a cure.
func FuzzParse(f *testing.F) {
	f.Add([]byte(small))
	f.Add([]byte("a: &a\n  b: *a"))
	f.Add([]byte("components: {schemas: {A: {$ref: '#/components/schemas/A'}}}"))
	f.Add([]byte("x-quotas: {windows: {a: }, groups: {b: [a, c]}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		doc, faults := spec.Parse("fuzz.yaml", data)
		if doc == nil && len(faults) == 0 {
			t.Error("neither a document nor a fault")
		}
		for _, fault := range faults {
			if fault.Line < 1 || fault.Message == "" || fault.Cure == "" {
				t.Errorf("fault without line, message or cure: %+v", fault)
			}
		}
	})
}
