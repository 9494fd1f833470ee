package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// sound is a spec without a fault; each case below breaks it at one place.
const sound = `openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
x-envelope: {code: [code], message: [message]}
x-errors:
  "10": {class: quota-exhausted, cools: group, reset: hour, name: HourIsOver}
  "2*": {class: rejected}
x-quotas:
  windows:
    hour: {limit: 100, per: 1h, key: credential, source: the manual}
  groups:
    all: [hour]
security: [{user: []}]
paths:
  /users/{app}/show:
    parameters:
      - {name: app, in: path, required: true, x-from: credential, schema: {type: string}}
    get:
      operationId: users/show
      summary: returns a user
      x-sdk: {service: Users, method: Show}
      x-resilience: {scope: read, group: all, idempotent: true}
      parameters:
        - {name: uid, in: query, required: true, schema: {type: integer, format: int64}}
        - {name: page, in: query, schema: {type: integer, format: int32}}
      responses:
        "200":
          description: OK
          content:
            application/json:
              schema: {$ref: '#/components/schemas/User'}
  /users/create:
    post:
      operationId: users/create
      summary: makes a user
      x-sdk: {service: Users, method: Create}
      x-resilience: {scope: write, group: none, idempotent: false, tier: bulk, cost: 2, timeout: 5s}
      requestBody:
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [name, tags]
              properties:
                name: {type: string}
                tags: {type: array, minItems: 1, items: {type: string}}
                address: {$ref: '#/components/schemas/Address'}
      responses:
        "200": {description: OK}
components:
  securitySchemes:
    user: {type: http, scheme: bearer}
  schemas:
    User:
      type: object
      description: a person
      properties:
        id: {type: integer, format: int64}
        name: {type: string}
        friends: {type: array, items: {$ref: '#/components/schemas/User'}}
        kind: {$ref: '#/components/schemas/Kind'}
    Kind: {type: string, enum: [plain, vip]}
    Address:
      type: object
      properties:
        street: {type: string}
`

const formFields = `            schema:
              type: object
              required: [name, tags]
              properties:
                name: {type: string}
                tags: {type: array, minItems: 1, items: {type: string}}
                address: {$ref: '#/components/schemas/Address'}
`

func faultsOf(text string, taken plan.Taken) []spec.Fault {
	doc, faults := spec.Parse("acme.yaml", []byte(text))
	if doc == nil {
		return faults
	}
	_, more := plan.New(doc, "acme", taken)
	return spec.Sort(append(faults, more...))
}

func TestSoundSpecHasNoFault(t *testing.T) {
	if faults := faultsOf(sound, plan.Taken{}); len(faults) > 0 {
		t.Errorf("got %v", faults)
	}
}

// In each case old is replaced by broken, and every line of the result that holds # gets a fault, in this order; no other line does.
func TestLints(t *testing.T) {
	for _, c := range []struct {
		name, old, broken string
		want              []string // "message: cure" of each, or a part of it
	}{
		{"not YAML", "openapi: 3.0.3", "openapi: [3.0.3 #", []string{"not YAML"}},
		{"wrong version", "openapi: 3.0.3", "openapi: 3.1.0 #", []string{`OpenAPI version "3.1.0" is not 3.0: write openapi: 3.0.3`}},
		{"no platform", "x-platform: acme", "x-platform: Acme Inc #", []string{`x-platform is "Acme Inc"`}},
		{"plain http", "https://api.acme.example}]", "http://api.acme.example}] #",
			[]string{"is no https address: write https://host"}},
		{"unknown key of ours", "x-quotas:", "x-qoutas: #",
			[]string{`unknown key "x-qoutas" in the document: did you mean "x-quotas"?`, "@23 unknown group"}},
		{"unknown key of OpenAPI", "summary: makes a user", "sumary: makes a user #",
			[]string{"@34 operation \"users/create\" has no summary", `unknown key "sumary" in the operation: did you mean "summary"?`}},
		{"unknown key of a row", "cools: group", "cool_s: group} #{", []string{`did you mean "cools"?`}},
		{"key twice", "title: Acme,", "title: Acme, title: Acme, #\n ",
			[]string{`key "title" in info stands at line 2 already: keep one of them`}},
		{"unknown class", "class: rejected}", "class: reject} #", []string{`unknown class "reject": did you mean "rejected"?`}},
		{"no class", "{class: rejected}", "{doc: so} #", []string{`code "2*" has no class: add class: one of ok, `}},
		{"unknown level", "cools: group", "cools: scopes", []string{`unknown cools "scopes": did you mean "scope"?`}},
		{"unknown reset", "reset: hour", "reset: week",
			[]string{`unknown reset "week": choose one of ladder, hour, day, hour-then-day`}},
		{"reset and span", "reset: hour,", "reset: hour, cool: 5m,", []string{"both a reset and a cool: keep one"}},
		{"star inside a code", `"2*":`, `"2*3":`, []string{`code "2*3" has a * that is not its end`}},
		{"code's name", "HourIsOver}", "hour is over} #", []string{"is no Go name"}},
		{"window without a source", ", source: the manual}", "} #",
			[]string{"window hour has no source: add source: where the number is from"}},
		{"window of nothing", "limit: 100", "limit: 0", []string{`window hour.limit is "0": write a whole number of 1 or more`}},
		{"window's span", "per: 1h", "per: hourly", []string{`window hour.per is "hourly": write a span`, "is not positive"}},
		{"window's key", "key: credential", "key: app",
			[]string{`unknown window key "app": choose one of credential, account, source`}},
		{"guard", "limit: 100,", "limit: 100, guard: 100,", []string{"guard is 100 of a limit of 100"}},
		{"offset", "limit: 100,", "limit: 100, offset: 2h,",
			[]string{"has an offset and rolls: add aligned: true", "not less than its per"}},
		{"unknown window", "all: [hour]", "all: [huor] #",
			[]string{"@11 window hour is in no group", `unknown window "huor" in group all: did you mean "hour"?`}},
		{"unknown group", "group: all,", "group: al,", []string{`unknown group "al": did you mean "all"?`}},
		{"no group", "group: all, ", "",
			[]string{"x-resilience has no group: add group: the name of its windows in x-quotas, or none"}},
		{"no scope", "scope: read, ", "", []string{"x-resilience has no scope: add scope: read or write"}},
		{"unknown scope", "scope: read,", "scope: raed,", []string{`unknown scope "raed": did you mean "read"?`}},
		{"no idempotent", ", idempotent: true}", "}", []string{"x-resilience has no idempotent: add idempotent"}},
		{"idempotent maybe", "idempotent: true", "idempotent: maybe",
			[]string{`x-resilience.idempotent is "maybe": write true or false`}},
		{"unknown tier", "tier: bulk", "tier: bluk", []string{`unknown tier "bluk": did you mean "bulk"?`}},
		{"unknown account", "scope: read,", "scope: read, account: all,", []string{`unknown account "all"`}},
		{"cost that never fits", "group: none, idempotent: false, tier: bulk, cost: 2,", "group: all, idempotent: false, cost: 101,",
			[]string{"a cost of 101 never fits window hour"}},
		{"span of a time-out", "timeout: 5s", "timeout: 5", []string{`x-resilience.timeout is "5"`}},
		{"unknown scheme", "[{user: []}]", "[{usr: []}] #", []string{`unknown security scheme "usr": did you mean "user"?`}},
		{"no service", "{service: Users, method: Show}", "{method: Show} #", []string{"x-sdk has no service: add service"}},
		{"no method", "service: Users, method: Show", "service: Users", []string{"x-sdk has no method: add method"}},
		{"method is no Go name", "method: Show", "method: show", []string{`x-sdk.method "show" is no exported Go name`}},
		{"same operation id", "operationId: users/create", "operationId: users/show #",
			[]string{`operationId "users/show" stands at line 20 already`}},
		{"same method", "method: Create", "method: Show",
			[]string{`method Users.Show is that of operation "users/show" (line 19): choose another x-sdk.method`}},
		{"no x-resilience", "      x-resilience: {scope: read, group: all, idempotent: true}\n", "",
			[]string{"@19 operation \"users/show\" has no x-resilience: add x-resilience"}},
		{"schema named like a request", "    Address:\n", "    UsersShowRequest: {type: object, properties: {a: {type: string}}}\n    Address:\n",
			[]string{"@19 Go name UsersShowRequest of the request of users/show is that of schema UsersShowRequest"}},
		{"schema named like another", "    Address:\n", "    user: {type: object, properties: {a: {type: string}}} #\n    Address:\n",
			[]string{"Go name User of schema user is that of schema User (line 55): add x-go-name to one of them"}},
		{"schema named like the client", "    Address:\n", "    Client: {type: object, properties: {a: {type: string}}} #\n    Address:\n",
			[]string{"is that of the hand-written client"}},
		{"fields of one name", "name: {type: string}\n        friends", "Name: {type: string}\n        name: {type: string} #\n        friends",
			[]string{`Go name Name of property name is that of "Name" (line 60): add x-go-name to one of them`}},
		{"field without a Go name", "        name: {type: string}\n        friends", "        演示: {type: string} #\n        friends",
			[]string{"property 演示 gives no Go name: add x-go-name"}},
		{"enum values of one name", "enum: [plain, vip]}", "enum: [vip_, vip]} #",
			[]string{`Go name KindVIP of value "vip" of Kind is that of value "vip_" of Kind`}},
		{"enum value without a name", "enum: [plain, vip]}", "enum: [plain, 演示]} #",
			[]string{"gives no Go name: add x-enum-varnames"}},
		{"unresolved schema", "'#/components/schemas/Kind'", "'#/components/schemas/Kynd'",
			[]string{`unresolved $ref "#/components/schemas/Kynd": did you mean "#/components/schemas/Kind"?`}},
		{"schema of another file", "'#/components/schemas/Kind'", "'other.yaml#/Kind'",
			[]string{`unresolved $ref "other.yaml#/Kind"`}},
		{"schema that is itself", "    Kind: {type: string, enum: [plain, vip]}", "    Kind: {$ref: '#/components/schemas/Kind'} #",
			[]string{"schema Kind refers to itself"}},
		{
			"list that holds itself", "    Kind: {type: string, enum: [plain, vip]}",
			"    Kind: {type: array, items: {$ref: '#/components/schemas/Kind'}} #",
			[]string{"schema Kind holds itself and is no object"},
		},
		{"token as a parameter", "{name: page, in: query,", "{name: access_token, in: query,",
			[]string{`"access_token" is a token or signature, and a parameter: make it a security scheme`}},
		{"signature in a form", "                name: {type: string}\n",
			"                name: {type: string}\n                _aop_signature: {type: string} #\n",
			[]string{"is a token or signature"}},
		{"number without a format", "{type: integer, format: int32}", "{type: integer}",
			[]string{"parameter page is an integer without a format"}},
		{"unknown format", "format: int32", "format: int23",
			[]string{`unknown format of type integer "int23": did you mean "int32"?`}},
		{"unknown type", "id: {type: integer, format: int64}", "id: {type: int}", []string{`unknown type "int": choose one of`}},
		{"one of several", "name: {type: string}\n        friends", "name: {oneOf: [{type: string}]} #\n        friends",
			[]string{"oneOf in name has no Go type: use a format"}},
		{"required list that may be empty", "{type: array, minItems: 1, items", "{type: array, items",
			[]string{`list "tags" is required and may be empty`}},
		{"required what is not there", "required: [name, tags]", "required: [name, tags, nmae] #",
			[]string{`required names "nmae", which is no property`}},
		{"two JSON media types", "            application/json:\n",
			"            application/json: {schema: {type: object}}\n            text/plain: #\n",
			[]string{"two JSON media types in one response: declare one"}},
		{"parameter in a header", "{name: page, in: query,", "{name: page, in: header,",
			[]string{`parameter page is in "header": write in: path or in: query`}},
		{"parameter twice", "{name: page, in: query,", "{name: uid, in: query,",
			[]string{`parameter "uid" stands at line 25 already`}},
		{"path that lacks a parameter", "/users/{app}/show:", "/users/show: ",
			[]string{`@18 path parameter "app" is not in /users/show`}},
		{"parameter that the path lacks", "/users/create:", "/users/{id}/create: ", []string{"@34 {id} of the path is no parameter"}},
		{"body of a GET", "      parameters:\n        - {name: uid",
			"      requestBody: #\n        content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}\n      parameters:\n        - {name: uid",
			[]string{"a GET has a body"}},
		{"body of XML", "application/x-www-form-urlencoded:", "application/xml: #",
			[]string{`a body of "application/xml" cannot be sent`}},
		{"body without fields", formFields, "            schema: {type: string}\n",
			[]string{"@41 the body of application/x-www-form-urlencoded is no object with properties"}},
		{"file in a plain form", "name: {type: string}\n                tags", "name: {type: string, format: binary} #\n                tags",
			[]string{`file "name" in a form that is not multipart: use multipart/form-data`}},
		{"secret inside JSON", "street: {type: string}", "street: {type: string, format: secret} #",
			[]string{"is a secret inside JSON, where it would be sent as REDACTED"}},
		{"no good response", `"200": {description: OK}`, `"404": {description: OK}`,
			[]string{`@49 operation "users/create" has no good response: add "200"`}},
		{"pages of what has none", "      x-sdk: {service: Users, method: Create}",
			"      x-pagination: {style: page, param: name, items: x} #\n      x-sdk: {service: Users, method: Create}",
			[]string{"x-pagination on a call that has no pages"}},
		{"pages that lead nowhere", "      x-sdk: {service: Users, method: Show}",
			"      x-pagination: {style: page, param: page, items: frends} #\n      x-sdk: {service: Users, method: Show}",
			[]string{`leads to no field: there is no "frends"`}},
		{"pages without a number", "      x-sdk: {service: Users, method: Show}",
			"      x-pagination: {style: cursor, param: page, items: friends} #\n      x-sdk: {service: Users, method: Show}",
			[]string{"x-pagination has no next: add next"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(sound, c.old) {
				t.Fatalf("the sound spec lacks %q", c.old)
			}
			checkFaults(t, strings.Replace(sound, c.old, c.broken, 1), c.want)
		})
	}
}

// checkFaults compares faults with what is wanted: each stands at a line that ends in #, or, without one, at the first line that was
// changed, or where "@line" before it says. A nil want means: at least one, at a line of the change.
func checkFaults(t *testing.T, text string, want []string) {
	t.Helper()
	faults := faultsOf(text, plan.Taken{})
	if want == nil && len(faults) > 0 {
		want = make([]string, len(faults))
	}
	if len(faults) != len(want) {
		t.Fatalf("got %d faults %v, want %d", len(faults), faults, len(want))
	}
	due := places(text)
	hit := map[int]bool{}
	for i, f := range faults {
		message := want[i]
		if at, rest, ok := strings.Cut(message, " "); ok && strings.HasPrefix(at, "@") {
			message = rest
			if got := fmt.Sprintf("@%d", f.Line); got != at {
				t.Errorf("fault %d stands at %s, want %s", i, got, at)
			}
		} else if !due[f.Line] {
			t.Errorf("fault %d stands at line %d, want one of %v: %v", i, f.Line, due, f)
		}
		hit[f.Line] = true
		if !strings.Contains(f.Message+": "+f.Cure, message) {
			t.Errorf("fault %d: got %q, want %q", i, f.Message+": "+f.Cure, message)
		}
		if f.File != "acme.yaml" || f.Cure == "" {
			t.Errorf("fault %d names file %q and cure %q", i, f.File, f.Cure)
		}
	}
	for line := range due {
		if !hit[line] && !strings.Contains(strings.Join(want, " "), "@") {
			t.Errorf("no fault stands at line %d: got %v", line, faults)
		}
	}
}

// places returns the lines of text that are marked, else the first that is not as in the sound spec.
func places(text string) map[int]bool {
	due := map[int]bool{}
	before := strings.Split(sound, "\n")
	changed := 0
	for i, line := range strings.Split(text, "\n") {
		if changed == 0 && (i >= len(before) || line != before[i]) {
			changed = i + 1
		}
		if strings.HasSuffix(line, " #") || strings.Contains(line, " #{") {
			due[i+1] = true
		}
	}
	if len(due) == 0 {
		due[changed] = true
	}
	return due
}

func TestEveryFaultAtOnceInOrder(t *testing.T) {
	broken := strings.NewReplacer("class: rejected", "class: reject", "limit: 100", "limit: x", "scope: read", "scope: raed").Replace(sound)
	var lines []int
	for _, f := range faultsOf(broken, plan.Taken{}) {
		lines = append(lines, f.Line)
	}
	if len(lines) != 3 || lines[0] != 8 || lines[1] != 11 || lines[2] != 23 {
		t.Errorf("got faults at lines %v, want 8, 11 and 23", lines)
	}
}

func TestNamesTakenByHand(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"client.go": "package acme\n\ntype Client struct{ Users int }\n\nfunc (c *Client) Close() {}\n\ntype Address string\n",
		"more.go":   "package acme\n\nfunc (s *UsersService) Show() {}\n\nconst CodeHourIsOver = 1\n\nvar quotas = 1\n",
		// Not hand-written, or not of the package.
		"old.gen.go":   "package acme\n\ntype User struct{}\n",
		"acme_test.go": "package acme\n\ntype Kind int\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	taken, err := plan.ReadTaken(dir)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"1: name quotas is declared at more.go:7 and is generated",
		"7: Go name CodeHourIsOver is declared by hand at more.go:5",
		"22: method UsersService.Show is declared at more.go:3",
		"22: service Users is hidden by Client.Users at client.go:3",
		"64: Go name Address is declared by hand at client.go:7",
	}
	faults := faultsOf(sound, taken)
	if len(faults) != len(want) {
		t.Fatalf("got %v, want %d faults", faults, len(want))
	}
	for i, f := range faults {
		if got := f.String(); !strings.HasPrefix(got, "acme.yaml:"+want[i]+": ") {
			t.Errorf("got %q, want %q and a cure", got, want[i])
		}
	}
	if _, err := plan.ReadTaken(filepath.Join(dir, "none")); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// FuzzNew: a plan is asked of every document that can be read, however faulty, so that all faults show at once.
func FuzzNew(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(strings.ReplaceAll(sound, "Kind", "Kynd")))
	f.Add([]byte("components: {schemas: {A: {allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, fault := range faultsOf(string(data), plan.Taken{}) {
			if fault.Line < 1 || fault.Message == "" || fault.Cure == "" {
				t.Errorf("fault without line, message or cure: %+v", fault)
			}
		}
	})
}
