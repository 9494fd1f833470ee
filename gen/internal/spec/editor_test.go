package spec_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

const editorSchema = "../../../specs/schema.json"

// ours lists where the schema holds what a function of the reader reads: the keys of an object that is all ours, or those of our keys
// that an object of OpenAPI may hold besides.
var ours = map[string]struct{ keys, besides string }{
	"envelope":       {keys: "envelope"},
	"errorRow":       {keys: "error"},
	"says":           {keys: "said"},
	"window":         {keys: "window"},
	"quotaKeys":      {keys: "quotas"},
	"sdkKeys":        {keys: "sdk"},
	"resilienceKeys": {keys: "resilience"},
	"paginationKeys": {keys: "pagination"},
	"document":       {besides: "keysOfDocument"},
	"operation":      {besides: "keysOfOperation"},
	"parameter":      {besides: "keysOfParameter"},
	"schemaKeys":     {besides: "keysOfSchema"},
	"property":       {besides: "keysOfProperty"}, // with those of every schema
	"reference":      {besides: "keysOfReference"},
}

// words lists where the schema holds the words of a variable of the reader.
var words = map[string][]string{
	"classes":  {"error", "properties", "class", "enum"},
	"levels":   {"error", "properties", "cools", "enum"},
	"resets":   {"error", "properties", "reset", "enum"},
	"spans":    {"resilience", "properties", "resets", "enum"},
	"scopes":   {"resilience", "properties", "scope", "enum"},
	"accounts": {"resilience", "properties", "account", "enum"},
	"tiers":    {"resilience", "properties", "tier", "enum"},
	"keys":     {"window", "properties", "key", "enum"},
	"styles":   {"pagination", "properties", "style", "enum"},
	"origins":  {"from", "enum"},
	"types":    {"parts", "properties", "type", "enum"},
}

// TestEditorSchemaKnowsWhatTheReaderKnows reads the reader's source: a key or word that is added to it alone, or to the schema alone,
// shows here.
func TestEditorSchemaKnowsWhatTheReaderKnows(t *testing.T) {
	read := readerSource(t)
	defs := schemaDefinitions(t)
	for function, keys := range read.keys {
		at, known := ours[function]
		extensions := filtered(keys)
		switch {
		case !known && len(extensions) > 0:
			t.Errorf("the reader's %s reads %v, and this test does not know which part of %s holds them", function, extensions, editorSchema)
		case at.keys != "":
			same(t, "the keys of "+function, keys, slices.Collect(maps.Keys(inside(t, defs, at.keys, "properties").(map[string]any))))
		case function == "property":
			same(t, "our keys of "+function, slices.Concat(extensions, filtered(read.keys["schemaKeys"])), texts(inside(t, defs, at.besides, "then", "enum")))
			same(t, "our keys of a "+function+" that refers", slices.Concat(extensions, filtered(read.keys["reference"])),
				texts(inside(t, defs, "keysOfReferringProperty", "then", "enum")))
		case at.besides != "":
			same(t, "our keys of "+function, extensions, texts(inside(t, defs, at.besides, "then", "enum")))
		}
	}
	for function := range ours {
		if len(read.keys[function]) == 0 {
			t.Errorf("the reader has no function or list %s that reads keys: has it another name?", function)
		}
	}
	for list, path := range words {
		same(t, "the words of "+list, read.words[list], texts(inside(t, defs, path...)))
	}
	formats := defs["formats"].(map[string]any)
	for kind, known := range read.formats {
		held, _ := formats[kind].(map[string]any)
		same(t, "the formats of "+kind, known, texts(held["enum"]))
	}
	same(t, "the types with formats", slices.Collect(maps.Keys(read.formats)), slices.Collect(maps.Keys(formats)))
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func same(t *testing.T, what string, reader, schema []string) {
	t.Helper()
	slices.Sort(reader)
	slices.Sort(schema)
	if !slices.Equal(reader, schema) {
		t.Errorf("%s: the reader has %v, %s has %v", what, reader, editorSchema, schema)
	}
}

// filtered returns our own keys.
func filtered(keys []string) []string {
	return slices.DeleteFunc(slices.Clone(keys), func(k string) bool { return !strings.HasPrefix(k, "x-") })
}

func texts(list any) []string {
	var out []string
	values, _ := list.([]any)
	for _, v := range values {
		text, _ := v.(string)
		out = append(out, text)
	}
	return out
}

func inside(t *testing.T, defs map[string]any, path ...string) any {
	t.Helper()
	var at any = defs
	for _, key := range path {
		m, _ := at.(map[string]any)
		if at = m[key]; at == nil {
			t.Fatalf("%s has no $defs/%s", editorSchema, strings.Join(path, "/"))
		}
	}
	return at
}

func schemaDefinitions(t *testing.T) map[string]any {
	t.Helper()
	var schema struct {
		Defs map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal(readFile(t, editorSchema), &schema); err != nil {
		t.Fatal(err)
	}
	return schema.Defs
}

// A source is what the reader's Go files say that it reads.
type source struct {
	keys    map[string][]string // by the function that reads them
	words   map[string][]string // by the variable that lists them
	formats map[string][]string // by type
}

func readerSource(t *testing.T) source {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	out := source{map[string][]string{}, map[string][]string{}, map[string][]string{}}
	constants := map[string]string{}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, file)
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.ValueSpec); ok && len(s.Values) == len(s.Names) {
				for i, name := range s.Names {
					if text, ok := literal(s.Values[i]); ok {
						constants[name.Name] = text
					}
				}
			}
			return true
		})
	}
	for _, file := range files {
		for _, decl := range file.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				out.function(d)
			case *ast.GenDecl:
				out.variables(d, constants)
			}
		}
	}
	return out
}

// function collects the keys that stand in calls of the reader's methods for objects.
func (s source) function(f *ast.FuncDecl) {
	ast.Inspect(f, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method, ok := call.Fun.(*ast.SelectorExpr)
		if !ok || method.Sel.Name != "object" && method.Sel.Name != "described" {
			return true
		}
		for _, arg := range call.Args[2:] { // after the node and what it is called
			ast.Inspect(arg, func(n ast.Node) bool {
				if text, ok := literal(n); ok {
					s.keys[f.Name.Name] = append(s.keys[f.Name.Name], strings.TrimPrefix(text, "-"))
				}
				return true
			})
		}
		return true
	})
}

func (s source) variables(d *ast.GenDecl, constants map[string]string) {
	for _, one := range d.Specs {
		v, ok := one.(*ast.ValueSpec)
		if !ok || len(v.Values) != len(v.Names) {
			continue
		}
		for i, name := range v.Names {
			list, ok := v.Values[i].(*ast.CompositeLit)
			if !ok {
				continue
			}
			switch name.Name {
			case "schemaKeys", "quotaKeys", "sdkKeys", "resilienceKeys", "paginationKeys":
				for _, key := range listed(list, constants) {
					s.keys[name.Name] = append(s.keys[name.Name], strings.TrimPrefix(key, "-"))
				}
			case "formats":
				for _, e := range list.Elts {
					pair, _ := e.(*ast.KeyValueExpr)
					kind, _ := literal(pair.Key)
					s.formats[kind] = nil
					if known, ok := pair.Value.(*ast.CompositeLit); ok {
						s.formats[kind] = listed(known, constants)
					}
				}
			default:
				s.words[name.Name] = listed(list, constants)
			}
		}
	}
}

// listed returns the texts of a list, of which some may be constants.
func listed(list *ast.CompositeLit, constants map[string]string) []string {
	var out []string
	for _, e := range list.Elts {
		if text, ok := literal(e); ok {
			out = append(out, text)
		} else if name, ok := e.(*ast.Ident); ok {
			out = append(out, constants[name.Name])
		}
	}
	return out
}

func literal(n ast.Node) (string, bool) {
	l, ok := n.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

func compiled(t *testing.T) *jsonschema.Schema {
	t.Helper()
	s, err := jsonschema.NewCompiler().Compile(editorSchema)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// asJSON is what an editor's language server makes of a YAML document: keys are texts, whatever they look like.
func asJSON(t *testing.T, n *yaml.Node) any {
	t.Helper()
	switch n.Kind {
	case yaml.DocumentNode:
		return asJSON(t, n.Content[0])
	case yaml.AliasNode:
		return asJSON(t, n.Alias)
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = asJSON(t, n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, e := range n.Content {
			out[i] = asJSON(t, e)
		}
		return out
	default:
		var v any
		if err := n.Decode(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func validated(t *testing.T, text []byte) error {
	t.Helper()
	var root yaml.Node
	if err := yaml.Unmarshal(text, &root); err != nil {
		t.Fatal(err)
	}
	return compiled(t).Validate(asJSON(t, &root))
}

// TestEditorSchemaTakesTheSpecs: what the generator takes is not underlined in an editor.
func TestEditorSchemaTakesTheSpecs(t *testing.T) {
	ownSpecs, err := filepath.Glob("../../../specs/*.yaml")
	if err != nil || len(ownSpecs) == 0 {
		t.Fatalf("no specs: %v", err)
	}
	cases, err := filepath.Glob("../../testdata/*/spec.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(ownSpecs, cases...) {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), "overlay.yaml")); err == nil {
			continue // a foreign spec, whose extensions stand beside it
		}
		if err := validated(t, readFile(t, path)); err != nil {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestEditorSchemaFindsFaults: what the reader refuses is underlined too, and the reader does refuse it.
func TestEditorSchemaFindsFaults(t *testing.T) {
	good := string(readFile(t, "../../testdata/pages/spec.yaml"))
	if err := validated(t, []byte(good)); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ name, from, to string }{
		{"key of the document", "x-quotas:", "x-quota:"},
		{"key of x-resilience", "idempotent:", "idempotnet:"},
		{"word", "scope: read", "scope: raed"},
		{"required key", "scope: read, ", ""},
		{"cursor without next", ", next: next_cursor}", "}"},
		{"key of an operation", "x-pagination:", "x-paginatoin:"},
		{"key of a window", "per: ", "pre: "},
		{"number without a format", "type: integer, format: int64", "type: integer"},
		{"unknown format", "format: int64", "format: int65"},
		{"small letter", "service: ", "service: x"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if !strings.Contains(good, test.from) {
				t.Fatalf("the spec holds no %q", test.from)
			}
			bad := []byte(strings.Replace(good, test.from, test.to, 1))
			if err := validated(t, bad); err == nil {
				t.Error("the schema lets it pass")
			}
			if _, faults := spec.Parse("acme.yaml", bad); len(faults) == 0 && test.name != "small letter" { // which the planner refuses
				t.Error("the reader lets it pass")
			}
		})
	}
}
