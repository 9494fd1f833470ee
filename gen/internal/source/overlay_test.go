package source_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/source"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// folder writes files and returns the folder that they are in.
func folder(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load reads acme.yaml with acme.overlay.yaml, or as a draft where there is none. Faults and notes name files by their base names.
func load(t testing.TB, files map[string]string) (doc *spec.Document, notes, faults []string) {
	t.Helper()
	dir := folder(t, files)
	o := source.Options{Spec: filepath.Join(dir, "acme.yaml"), Draft: true}
	if _, ok := files["acme.overlay.yaml"]; ok {
		o.Overlay, o.Draft = filepath.Join(dir, "acme.overlay.yaml"), false
	}
	doc, notes, found, err := source.Load(o)
	if err != nil {
		t.Fatal(err)
	}
	if doc != nil && !o.Draft {
		_, more := plan.New(doc, "acme", plan.Taken{})
		found = spec.Sort(append(found, more...))
	}
	for _, f := range found {
		faults = append(faults, strings.ReplaceAll(f.String(), dir+string(filepath.Separator), ""))
	}
	for i := range notes {
		notes[i] = strings.ReplaceAll(notes[i], dir+string(filepath.Separator), "")
	}
	return doc, notes, faults
}

// marked takes the # at the ends of lines away, and returns the numbers of those lines.
func marked(text string) (clean string, lines []int) {
	var b strings.Builder
	n := 0
	for line := range strings.Lines(text) {
		n++
		body, end := strings.TrimSuffix(line, "\n"), ""
		if strings.HasSuffix(line, "\n") {
			end = "\n"
		}
		for strings.HasSuffix(body, " #") {
			body = strings.TrimSuffix(body, " #")
			lines = append(lines, n)
		}
		b.WriteString(body + end)
	}
	return b.String(), lines
}

// check compares faults with the marks of the files they are in: "file: message: cure" of each, in the order of file and line.
func check(t *testing.T, files map[string]string, want []string) {
	t.Helper()
	clean := map[string]string{}
	var expected []string
	var places []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, lines := marked(files[name])
		clean[name] = text
		for _, n := range lines {
			places = append(places, fmt.Sprintf("%s:%d: ", name, n))
		}
	}
	if len(places) != len(want) {
		t.Fatalf("%d marks and %d faults: the case is wrong", len(places), len(want))
	}
	for i := range want {
		expected = append(expected, places[i]+want[i])
	}
	_, _, faults := load(t, clean)
	if !slices.Equal(faults, expected) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(faults, "\n"), strings.Join(expected, "\n"))
	}
}

const (
	foreign = `openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
security: [{token: []}]
paths:
  /users:
    get:
      operationId: listUsers
      responses: {"200": {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}
  /users/{id}:
    delete:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"204": {description: ok}}
components:
  securitySchemes:
    token: {type: http, scheme: Bearer, description: a token}
  schemas:
    User: {type: object, properties: {name: {type: string}}}
`
	overlay = `x-platform: acme
x-envelope: {code: [code]}
x-errors: {slow: {class: throttled}}
x-quotas:
  windows: {day: {limit: 10, per: 24h, key: account, source: their page}}
  groups: {all: [day]}
operations:
  listUsers:
    x-sdk: {service: Users, method: List}
    x-resilience: {scope: read, group: all, idempotent: true}
  DELETE /users/{id}:
    x-sdk: {service: Users, method: Delete}
    x-resilience: {scope: write, group: none, idempotent: true}
`
)

func TestOverlay(t *testing.T) {
	doc, _, faults := load(t, map[string]string{"acme.yaml": foreign, "acme.overlay.yaml": overlay})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	list, remove := doc.Operations[0], doc.Operations[1]
	file, line := doc.Place(list.Service.Line)
	for _, c := range []struct {
		name      string
		got, want any
	}{
		{"platform", doc.Platform, "acme"},
		{"errors", doc.Errors[0].Class, "throttled"},
		{"quotas", doc.Windows[0].Limit, 10},
		{"method", list.Service.Value + "." + list.Method.Value, "Users.List"},
		{"group", list.Group.Value, "all"},
		{"place", fmt.Sprintf("%s:%d", filepath.Base(file), line), "acme.overlay.yaml:9"},
		{"id made of method and path", remove.ID.Value, "DELETE /users/{id}"},
		{"scheme", list.Auth.Value, "token"},
		{"what a scheme says", *doc.Schemes[0], spec.Scheme{Line: 16, Name: "token", Type: "http", Scheme: "bearer", Doc: "a token"}},
		{"foreign", doc.Foreign, true},
	} {
		if fmt.Sprint(c.got) != fmt.Sprint(c.want) {
			t.Errorf("%s: got %v, want %v", c.name, c.got, c.want)
		}
	}
}

// In each case old is replaced by broken, in the overlay or in the spec, and each # at the end of a line is a fault there.
func TestOverlayLints(t *testing.T) {
	for _, c := range []struct {
		name, old, broken string
		want              []string
	}{
		{"unknown key", "x-errors: {slow: {class: throttled}}", "x-erors: {slow: {class: throttled}} #",
			[]string{`unknown key "x-erors" in the overlay: did you mean "x-errors"?`}},
		{"unknown key of an operation", "    x-sdk: {service: Users, method: Delete}", "    x-sdk: {service: Users, method: Delete}\n    x-sdc: 1 #",
			[]string{`unknown key "x-sdc" in operation DELETE /users/{id}: did you mean "x-sdk"?`}},
		{"unknown operation", "  listUsers:", "  listUser: {skip: true} #\n  listUsers:",
			[]string{"the spec has no operation listUser: remove it, or correct its name"}},
		{"misspelt operation", "  listUsers:", "  listUser: #",
			[]string{`the spec has no operation listUser: did you mean "listUsers"?`}},
		{"misspelt quotas", "x-quotas:", "x-quota: #",
			[]string{`unknown key "x-quota" in the overlay: did you mean "x-quotas"?`}},
		{"a key of x-resilience beside it", "    x-resilience: {scope: write,", "    idempotent: true #\n    x-resilience: {scope: write,",
			[]string{`unknown key "idempotent" in operation DELETE /users/{id}: it belongs inside x-resilience`}},
		{"a key of the top in an operation", "    x-resilience: {scope: write,", "    x-envelope: {} #\n    x-resilience: {scope: write,",
			[]string{`unknown key "x-envelope" in operation DELETE /users/{id}: it belongs at the top`}},
		{"a key of the top among the operations", "operations:\n", "operations:\n  x-platform: acme #\n",
			[]string{"x-platform is no operation: it belongs at the top of the overlay, beside operations"}},
		{"a key of an operation at the top", "x-errors:", "x-sdk: {} #\nx-errors:",
			[]string{`unknown key "x-sdk" in the overlay: it belongs inside an operation`}},
		{"a name that is none", "x-platform: acme", "x-platform: My Shop #",
			[]string{`x-platform is "My Shop": change it to a name of small letters, digits and hyphens, such as acme or my-shop`}},
		{"a group that no operation uses", "groups: {all: [day]}", "groups: {all: [day], more: [day]} #",
			[]string{"group more is that of no operation: write group: more in the x-resilience of the operations that count against it, or drop it"}},
		{"codes that nothing is looked up by", "x-envelope: {code: [code]}\nx-errors: {slow: {class: throttled}}", "x-envelope: {message: [text]}\nx-errors: {slow: {class: throttled}} #",
			[]string{"x-errors is never looked at: no x-envelope says where answers carry their code: " +
				"add x-envelope: {code: [error.code]} with the path at which answers carry it, or drop the table"}},
		{"a limit that is no number", "limit: 10, per: 24h,", "limit: 100/min, #\n   per: minute, #\n   ",
			[]string{`window day.limit is "100/min": write a whole number of 1 or more`, `window day.per is "minute": write a span such as 30s, 5m or 1h`}},
		{"a guess", "    x-sdk: {service: Users, method: List}", "    x-sdk: {service: Users, method: List}\n    review: GET, taken for a read #",
			[]string{`operation listUsers is a guess ("GET, taken for a read"): check scope and idempotent, then delete this line`}},
		{"skip that is no flag", "    x-sdk: {service: Users, method: List}", "    x-sdk: {service: Users, method: List}\n    skip: never #",
			[]string{"skip of operation listUsers is no yes or no: write true or false"}},
		{"no x-sdk", "  listUsers:\n    x-sdk: {service: Users, method: List}", "  listUsers: #",
			[]string{"operation listUsers has no x-sdk: add x-sdk, as gen -init prints it, or write skip: true"}},
		{"no x-resilience", "  listUsers:\n    x-sdk: {service: Users, method: List}\n    x-resilience: {scope: read, group: all, idempotent: true}",
			"  listUsers: #\n    x-sdk: {service: Users, method: List}",
			[]string{"operation listUsers has no x-resilience: add x-resilience, as gen -init prints it, or write skip: true"}},
		{"wrong scope", "{scope: read,", "{scope: reed, #\n     ", []string{`unknown scope "reed": did you mean "read"?`}},
		{"unknown group", "group: all,", "group: al, #\n     ", []string{`unknown group "al": did you mean "all"?`}},
		{"two names for one operation", "  DELETE /users/{id}:", "  GET /users: {skip: true} #\n  DELETE /users/{id}:",
			[]string{"operation GET /users is that of line 8: keep one of them"}},
		{"no platform", "x-platform: acme\nx-envelope: {code: [code]}", "x-envelope: {code: [code]} #",
			[]string{"the overlay has no x-platform: add x-platform: name, in small letters and digits"}},
		{"twice", "  DELETE /users/{id}:", "  listUsers: {skip: true} #\n  DELETE /users/{id}:",
			[]string{`key "listUsers" stands at line 8 already: keep one of them`}},
		{"a window of recipients that nobody names", "key: account, source: their page}}\n  groups: {all: [day]}\noperations:\n" +
			"  listUsers:\n    x-sdk: {service: Users, method: List}\n    x-resilience: {scope: read, group: all, idempotent: true}",
			"key: recipient, source: their page}}\n  groups: {all: [day]}\noperations:\n" +
				"  listUsers:\n    x-sdk: {service: Users, method: List}\n    x-resilience: {scope: read, group: all, idempotent: true} #",
			[]string{`operation "listUsers" names no recipient, by whom window day of group all counts: write recipients: [NAME] beside its ` +
				"x-resilience, of the parameter or field of the body that says who gets it, or take another group"}},
		{"a recipient that is no field", "    x-sdk: {service: Users, method: List}", "    x-sdk: {service: Users, method: List}\n    recipients: [name] #",
			[]string{`recipients of operation "listUsers": its request has no "name": name a parameter, or a field at the top of the body`}},
		{"a misspelt recipient", "    x-sdk: {service: Users, method: Delete}", "    x-sdk: {service: Users, method: Delete}\n    recipients: di #",
			[]string{`recipients of operation "DELETE /users/{id}": its request has no "di": did you mean "id"?`}},
		{"no recipient", "    x-sdk: {service: Users, method: Delete}", "    x-sdk: {service: Users, method: Delete}\n    recipients: [] #",
			[]string{"recipients of operation DELETE /users/{id} has no name: write [NAME] of a parameter, or of a field at the top of the body"}},
		{"recipients as in a spec", "    x-sdk: {service: Users, method: Delete}", "    x-sdk: {service: Users, method: Delete}\n    x-recipient: id #",
			[]string{`unknown key "x-recipient" in operation DELETE /users/{id}: did you mean "recipients"?`}},
		{"recipients in the wrong place", "group: none,", "recipients: [id], #\n      group: none,",
			[]string{`unknown key "recipients" in x-resilience: it stands beside x-resilience in an overlay; a spec of ours says x-recipient: true ` +
				"at the parameter or field"}},
		{"server that is no address", "x-errors:", "server: http://plain.example #\nx-errors:",
			[]string{`server url "http://plain.example" is no https address: write https://host, or https://host/path`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if strings.Count(overlay, c.old) != 1 {
				t.Fatalf("%q stands %d times in the overlay", c.old, strings.Count(overlay, c.old))
			}
			text := strings.Replace(overlay, c.old, c.broken, 1)
			check(t, map[string]string{"acme.yaml": foreign, "acme.overlay.yaml": text}, c.want)
		})
	}
}

// TestOverlayAndSpec: faults of two files at once, each with its own.
func TestOverlayAndSpec(t *testing.T) {
	broken := strings.Replace(foreign, "$ref: '#/components/schemas/User'}}}}}", "$ref: '#/components/schemas/Usr'}}}}} #", 1)
	guess := strings.Replace(overlay, "group: none,", "group: non, #\n     ", 1)
	check(t, map[string]string{"acme.yaml": broken, "acme.overlay.yaml": guess}, []string{
		`unknown group "non": did you mean "none"?`,
		`unresolved $ref "#/components/schemas/Usr": did you mean "User"?`,
	})
}

// TestBrokenOverlay: what is wrong with an overlay as a whole is said, and nothing of the operations that it lacks for that.
func TestBrokenOverlay(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"empty", "\n", "acme.overlay.yaml:1: the overlay is empty: print one with gen -init -spec SPEC"},
		{"a list", "\n- x-platform\n", "acme.overlay.yaml:2: the overlay is not a mapping: print one with gen -init -spec SPEC"},
		{"not YAML", "x-platform: acme\noperations: [a", "acme.overlay.yaml:1: not YAML: did not find expected ',' or ']': correct the YAML"},
		{"no JSON", "{\n\"x-platform\" 1}", "acme.overlay.yaml:1: not YAML"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, _, faults := load(t, map[string]string{"acme.yaml": foreign, "acme.overlay.yaml": c.text})
			if len(faults) != 1 || !strings.HasPrefix(faults[0], c.want) {
				t.Errorf("got %v, want %s", faults, c.want)
			}
		})
	}
	_, _, faults := load(t, map[string]string{"acme.yaml": foreign, "acme.overlay.yaml": "x-platform: acme\noperations: [a]\n"})
	if len(faults) == 0 || faults[0] != "acme.overlay.yaml:2: operations is not a mapping: write operations: {operationId: {...}}" {
		t.Errorf("got %v", faults)
	}
}

// TestRecipients: an overlay names what a spec of ours marks with x-recipient.
func TestRecipients(t *testing.T) {
	named := strings.NewReplacer("key: account", "key: recipient", "group: none, idempotent: true}", "group: all, idempotent: true}\n    recipients: [id]",
		"  listUsers:\n", "  listUsers:\n    skip: true\n").Replace(overlay)
	doc, _, faults := load(t, map[string]string{"acme.yaml": foreign, "acme.overlay.yaml": named})
	if len(faults) > 0 {
		t.Fatal(faults)
	}
	p, _ := plan.New(doc, "acme", plan.Taken{})
	if got := p.Services[0].Methods[0].Recipients(); !slices.Equal(got, []string{"id"}) {
		t.Errorf("got %q, want the parameter that the overlay names", got)
	}
	check(t, map[string]string{"acme.yaml": strings.Replace(foreign, "{type: string}}]", "{type: integer}}]", 1),
		"acme.overlay.yaml": strings.Replace(named, "recipients: [id]", "recipients: [id] #", 1)},
		[]string{`"id" of recipients holds no names: name a text or a list of texts`})
}
