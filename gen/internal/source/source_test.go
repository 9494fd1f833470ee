package source_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/source"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// head begins a foreign spec that takes one line.
const head = "openapi: 3.0.3\ninfo: {title: A, version: '1'}\nservers: [{url: https://a.example}]\n"

// TestSizesOfPages: how many entries a page has stands in parameters and bodies, also behind a reference.
func TestSizesOfPages(t *testing.T) {
	text := head + `paths:
  /a:
    post:
      operationId: a
      parameters:
        - {name: one, in: query, schema: {type: integer, default: 20, maximum: 100}}
        - {name: two, in: query, schema: {$ref: "#/components/schemas/Size"}}
        - {name: odd, in: query, schema: {type: integer, default: many, maximum: 1e3}}
      requestBody: {content: {application/json: {schema: {type: object, properties: {three: {$ref: "#/components/schemas/Size"}}}}}}
      responses: {"204": {description: ok}}
components: {schemas: {Size: {type: integer, format: int32, default: 20, maximum: 100}}}
`
	doc, _, faults := load(t, map[string]string{"acme.yaml": text})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	op := doc.Operations[0]
	for _, s := range []*spec.Schema{op.Params[0].Schema, op.Params[1].Schema, op.Body.Schema.Properties[0].Schema} {
		if s = doc.Resolve(s); s.Default == nil || *s.Default != 20 || s.Most == nil || *s.Most != 100 {
			t.Errorf("got %+v, want 20 and at most 100", s)
		}
	}
	if s := op.Params[2].Schema; s.Default != nil || s.Most != nil {
		t.Errorf("got %+v of what is no number", s)
	}
}

// TestSpecLints: what even a lenient reading refuses, each # being the place of a fault.
func TestSpecLints(t *testing.T) {
	const paths = "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n"
	answer := func(schema string) string {
		return head + "paths:\n  /a:\n    get:\n      operationId: a\n      responses:\n        '200':\n          description: ok\n" +
			"          content:\n            application/json:\n              schema: " + schema + "\n"
	}
	for _, c := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"Swagger", map[string]string{"acme.yaml": "swagger: '2.0' #\npaths: {}\n"},
			[]string{"Swagger 2.0 is not read: convert it to OpenAPI 3 first, with swagger2openapi, openapi-format or editor.swagger.io"}},
		{"no version", map[string]string{"acme.yaml": "info: {} #\n"},
			[]string{"the spec does not say its OpenAPI version: name an OpenAPI 3 document, which begins with openapi: 3.0.3 or the like"}},
		{"a later version", map[string]string{"acme.yaml": "openapi: 4.0.0 #\n"},
			[]string{`OpenAPI version "4.0.0" is not known: bring it as 3.0 or 3.1`}},
		{"a list", map[string]string{"acme.yaml": "- openapi #\n"}, []string{"the spec is not a mapping: name an OpenAPI 3 document"}},
		{"no paths", map[string]string{"acme.yaml": "openapi: 3.0.3 #\n"}, []string{"the spec has no paths: name a document with operations"}},
		{"a key of ours, misspelt", map[string]string{"acme.yaml": head + paths + "x-quota: {} #\nx-quo: {}\n"},
			[]string{`unknown key "x-quota": did you mean "x-quotas"?`}},
		{"an operation's key of ours, misspelt", map[string]string{"acme.yaml": strings.Replace(head+paths, "{operationId: a,", "{operationId: a,\n  x-resilence: {}, #\n ", 1)},
			[]string{`unknown key "x-resilence": did you mean "x-resilience"?`}},
		{"a scheme that nothing defines", map[string]string{"acme.yaml": head + "security: [{tokn: []}] #\n" + paths + "components: {securitySchemes: {token: {type: http, scheme: bearer}}}\n"},
			[]string{`unknown security scheme "tokn": did you mean "token"?`}},
		{"a key twice", map[string]string{"acme.yaml": head + paths + "info: {} #\n"}, []string{`key "info" stands at line 2 already: keep one of them`}},
		{"a reference to nothing", map[string]string{"acme.yaml": answer("{$ref: '#/components/schemas/A'} #")},
			[]string{`unresolved $ref "#/components/schemas/A": correct it: the part after # is a path such as #/components/schemas/User`}},
		{"a reference in a circle", map[string]string{"acme.yaml": answer("{$ref: '#/components/schemas/A'}") + "components: {schemas: {A: {$ref: '#/components/schemas/A'}}} #\n"},
			[]string{"a reference leads to itself: refer to a definition"}},
		{"an anchor", map[string]string{"acme.yaml": answer("{$ref: '#user'} #")},
			[]string{`$ref "#user" names an anchor: correct it: the part after # is a path such as #/components/schemas/User`}},
		{"a file that is not there", map[string]string{"acme.yaml": answer("{$ref: more/user.yaml} #")},
			[]string{`$ref "more/user.yaml" cannot be read: no such file or directory: correct the path, which counts from the folder of this file`}},
		{"a file outside", map[string]string{"acme.yaml": answer("{$ref: ../user.yaml} #")},
			[]string{`$ref "../user.yaml" leads out of the spec's folder: keep all files of a spec below the folder of its first`}},
		{"an absolute file", map[string]string{"acme.yaml": answer("{$ref: 'file:///etc/passwd'} #")},
			[]string{`$ref "file:///etc/passwd" is neither: write a path or an https address`}},
		{"another machine", map[string]string{"acme.yaml": answer("{$ref: 'https://b.example/a.yaml'} #")},
			[]string{`$ref "https://b.example/a.yaml" leads to another machine: copy the file beside the spec, or allow it with -allow-remote`}},
		{"a folder", map[string]string{"acme.yaml": answer("{$ref: more} #"), "more/x.yaml": ""},
			[]string{`$ref "more" cannot be read: it is no file: correct the path, which counts from the folder of this file`}},
		{"in another file", map[string]string{"acme.yaml": answer("{$ref: 'b.yaml#/A'}"), "b.yaml": "A:\n  properties:\n    x: {$ref: '#/Bee'} #\nBe: {}\n"},
			[]string{`unresolved $ref "#/Bee": did you mean "Be"?`}},
		{"another file that is no YAML", map[string]string{"acme.yaml": answer("{$ref: 'b.yaml#/A'}"), "b.yaml": "A: [ #\n"},
			nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.want == nil {
				_, _, faults := load(t, map[string]string{"acme.yaml": c.files["acme.yaml"], "b.yaml": "A: 1\nB: [\n"})
				if len(faults) != 1 || !strings.HasPrefix(faults[0], "b.yaml:2: not YAML") {
					t.Errorf("got %v, want one fault of b.yaml", faults)
				}
				return
			}
			check(t, c.files, c.want)
		})
	}
}

// TestNotInOverlay: an operation that the spec has got since.
func TestNotInOverlay(t *testing.T) {
	more := strings.Replace(foreign, "    delete:", "    get: #\n      operationId: getUser\n      responses: {}\n    delete:", 1)
	text, lines := marked(more)
	_, _, faults := load(t, map[string]string{"acme.yaml": text, "acme.overlay.yaml": overlay})
	want := fmt.Sprintf("acme.yaml:%d: operation getUser is not in acme.overlay.yaml: append what gen -init -spec SPEC -overlay acme.overlay.yaml prints, or write skip: true for it there", lines[0])
	if !slices.Equal(faults, []string{want}) {
		t.Errorf("got %v, want %s", faults, want)
	}
	skipped := overlay + "  getUser: {skip: true, review: never mind}\n"
	doc, _, faults := load(t, map[string]string{"acme.yaml": text, "acme.overlay.yaml": skipped})
	if len(faults) > 0 || len(doc.Operations) != 2 {
		t.Errorf("with skip: got %v and %d operations, want 2", faults, len(doc.Operations))
	}
}

// TestNotes: each kind of change once, with a count and the first place, whatever was left out besides.
func TestNotes(t *testing.T) {
	text := head + `paths:
  /a:
    get:
      parameters: [{name: n, in: query, schema: {type: integer}}]
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: 'b.yaml'}}}}}
  /b:
    post:
      operationId: b
      summary: does b
      requestBody: {content: {text/csv: {schema: {type: integer}}}}
      responses: {"200": {description: ok}}
`
	_, notes, faults := load(t, map[string]string{"acme.yaml": text, "b.yaml": "properties:\n  x: {type: number}\n  y: {type: array}\n"})
	want := []string{
		"acme.yaml:6: note: an operation without operationId, or with one that another has, is named by its method and path",
		"acme.yaml:6: note: an operation without summary takes its description or id",
		"acme.yaml:7: note: 2 numbers without a format are read as int64 or float64 (also b.yaml:2)",
		"acme.yaml:10: note: an operation with a body that is neither JSON nor a form is left out: b",
		"b.yaml:3: note: a list that does not say what it holds is read as one of anything",
	}
	if len(faults) > 0 || !slices.Equal(notes, want) {
		t.Errorf("got\n%s\n%v\nwant\n%s", strings.Join(notes, "\n"), faults, strings.Join(want, "\n"))
	}
}

// TestRemote fetches what another machine has, if it may, and what that refers to.
func TestRemote(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/schemas/user.json", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"type": "object", "properties": {"pet": {"$ref": "../pet.yaml#/Pet"}, "own": {"$ref": "file:///etc/passwd"}}}`))
	})
	mux.HandleFunc("/pet.yaml", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte("Pet: {properties: {name: {type: text}}}"))
	})
	srv := httptest.NewServer(mux)
	defer srv.Close()
	dir := folder(t, map[string]string{"acme.yaml": head + "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '" +
		srv.URL + "/schemas/user.json'}}}}}}}}\n"})
	doc, _, faults, err := source.Load(source.Options{Spec: filepath.Join(dir, "acme.yaml"), Draft: true, AllowRemote: true})
	if err != nil {
		t.Fatal(err)
	}
	if doc.Named("User") == nil || doc.Named("Pet") == nil {
		t.Errorf("got %d schemas, want those of both files", len(doc.Schemas))
	}
	if want := srv.URL + `/schemas/user.json:1: $ref "file:///etc/passwd" is neither: write a path or an https address`; len(faults) != 1 || faults[0].String() != want {
		t.Errorf("got %v, want %s", faults, want)
	}
}

// TestLinksStayInside: a link in the spec's folder that leads out of it is not followed.
func TestLinksStayInside(t *testing.T) {
	outside := folder(t, map[string]string{"secret.yaml": "A: {type: string}\n"})
	dir := folder(t, map[string]string{"acme.yaml": head + "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: 'link/secret.yaml#/A'}}}}}}}}\n"})
	if err := os.Symlink(outside, filepath.Join(dir, "link")); err != nil {
		t.Skipf("this system lets nobody make links, so that none can be followed: %v", err)
	}
	_, _, faults, err := source.Load(source.Options{Spec: filepath.Join(dir, "acme.yaml"), Draft: true})
	if err != nil || len(faults) != 1 || !strings.Contains(faults[0].Message, "cannot be read") {
		t.Errorf("got %v, %v, want one fault", faults, err)
	}
}

func TestMissingFiles(t *testing.T) {
	dir := folder(t, map[string]string{"acme.yaml": foreign})
	for _, o := range []source.Options{
		{Spec: filepath.Join(dir, "none.yaml"), Draft: true}, {Spec: filepath.Join(dir, "none", "acme.yaml"), Draft: true},
		{Spec: filepath.Join(dir, "acme.yaml"), Overlay: filepath.Join(dir, "none.yaml")}, {Spec: filepath.Join(dir, "none.yaml")},
	} {
		if _, _, _, err := source.Load(o); err == nil || !strings.Contains(err.Error(), "none") {
			t.Errorf("%+v: got %v, want an error that names the file", o, err)
		}
	}
}

// TestStrictStaysStrict: without an overlay a spec is read as our own.
func TestStrictStaysStrict(t *testing.T) {
	dir := folder(t, map[string]string{"acme.yaml": foreign})
	_, notes, faults, err := source.Load(source.Options{Spec: filepath.Join(dir, "acme.yaml")})
	if err != nil || len(notes) > 0 || !slices.ContainsFunc(faults, func(f spec.Fault) bool { return strings.Contains(f.Message, "none of our keys") }) {
		t.Errorf("got %v, %v, %v, want faults and no notes", notes, faults, err)
	}
}

// TestBombs: small texts that stand for more than any memory holds, and depths that no stack does.
func TestBombs(t *testing.T) {
	var aliases, merges, choices, nested strings.Builder
	for i := range 60 {
		fmt.Fprintf(&aliases, "    A%d: &a%d {properties: {x: %s, y: %s}}\n", i, i, alias(i), alias(i))
		fmt.Fprintf(&merges, "    A%d: &a%d {<<: [%s, %s]}\n", i, i, alias(i), alias(i))
		fmt.Fprintf(&choices, "    A%d: {type: object, properties: {x%d: {}}, oneOf: [{allOf: [%s], properties: {a: {}}}, {allOf: [%s], properties: {b: {}}}]}\n", i, i, ref(i), ref(i))
		fmt.Fprintf(&nested, "    A%d: {type: object, properties: {x: %s}, oneOf: [{properties: {x: %s, y: %s}}, {properties: {x: {properties: {x: {$ref: '#/components/schemas/A59'}}}, y: {allOf: [%s], properties: {x: %s}}}}]}\n",
			i, ref(i), ref(i), ref(i), ref(i), ref(i))
	}
	use := "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/A59'}}}}}}}}\n"
	for _, c := range []struct{ name, text, want string }{
		{"aliases of aliases", head + use + "components:\n  schemas:\n" + aliases.String(), "unfolds to more than"},
		{"merges of merges", head + use + "components:\n  schemas:\n" + merges.String(), ""},
		{"choices of choices", head + use + "components:\n  schemas:\n" + choices.String(), "the alternatives of an object unfold"},
		{"choices that hold each other", head + use + "components:\n  schemas:\n" + nested.String(), "unfolds to more than"},
		{"an alias that holds itself", head + strings.Replace(use, "schema: {", "schema: &s {properties: {a: *s, b: *s}, ", 1), "unresolved"},
		{"one that only holds itself", head + strings.Replace(use, "{$ref: '#/components/schemas/A59'}", "&s {properties: {a: *s}}", 1), ""},
		{"depth", head + strings.Replace(use, "{$ref: '#/components/schemas/A59'}", strings.Repeat("{items: ", 300)+"{}"+strings.Repeat("}", 300), 1), "nested more than"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, faults := load(t, map[string]string{"acme.yaml": c.text})
			if c.want == "" && len(faults) > 0 || c.want != "" && !strings.Contains(strings.Join(faults, "\n"), c.want) {
				t.Errorf("got %.500v, want %q", faults, c.want)
			}
		})
	}
}

func ref(i int) string { return fmt.Sprintf("{$ref: '#/components/schemas/A%d'}", max(0, i-1)) }

func alias(i int) string {
	if i == 0 {
		return "{}"
	}
	return fmt.Sprintf("*a%d", i-1)
}
