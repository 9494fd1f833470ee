package source_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestLineEnds: YAML ends lines where editors do not. Nodes keep their file all the same, and faults name the line that editors show.
func TestLineEnds(t *testing.T) {
	for name, end := range map[string]string{"U+2028": "\u2028", "U+2029": "\u2029", "U+0085": "\u0085", "carriage return": "\r", "both": "\r\n", "line feed": "\n"} {
		t.Run(name, func(t *testing.T) {
			answer := func(ref string) string {
				return "      responses: {\"200\": {description: ok, content: {application/json: {schema: {$ref: '" + ref + "'}}}}}"
			}
			text := head + "paths:\n  /other:\n    get:\n      operationId: other\n" + answer("b.yaml#/components/schemas/Other") + "\n" +
				"      description: |\n        text" + strings.Repeat(end+"        more", 30) + "\n" +
				"  /user:\n    get:\n      operationId: user\n" + answer("#/components/schemas/User") + "\n" +
				"components: {schemas: {User: {type: object, properties: {own: {type: string}}}}}\n"
			files := map[string]string{"acme.yaml": text, "b.yaml": "components:\n  schemas:\n    Other: {type: object, properties: {x: {type: string}}}\n" +
				"    User: {type: object, properties: {another: {type: string}}}\n" + strings.Repeat("#\n", 60)}
			doc, _, faults := load(t, files)
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			if user := doc.Named("User"); user == nil || len(user.Properties) != 1 || user.Properties[0].Name != "own" {
				t.Errorf("got the User %+v, want that of the spec itself", user)
			}
			files["acme.yaml"] = strings.Replace(text, "#/components/schemas/User", "#/components/schemas/Usr", 1)
			before, _, _ := strings.Cut(files["acme.yaml"], "Usr")
			line := strings.Count(before, "\n") + 1
			if _, _, faults := load(t, files); len(faults) != 1 || !strings.HasPrefix(faults[0], fmt.Sprintf("acme.yaml:%d: unresolved $ref", line)) {
				t.Errorf("got %v, want one of acme.yaml:%d", faults, line)
			}
		})
	}
}

// TestOtherEncodings: a text whose line feeds are no single bytes, and files behind it.
func TestOtherEncodings(t *testing.T) {
	wide := func(text string) string {
		var b strings.Builder
		b.WriteString("\xff\xfe")
		for _, r := range text {
			b.WriteByte(byte(r))
			b.WriteByte(byte(r >> 8))
		}
		return b.String()
	}
	text := head + "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: 'b.yaml#/A'}}}}}}}}\n"
	doc, _, faults := load(t, map[string]string{"acme.yaml": text, "b.yaml": wide("\n\n\nA: {properties: {x: {$ref: '#/B'}}}\nB: {properties: {y: {type: string}}}\n")})
	if len(faults) > 0 || doc.Named("B") == nil {
		t.Errorf("got %v", faults)
	}
}
