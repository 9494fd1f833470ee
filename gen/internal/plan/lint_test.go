package plan_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

const classes = "ok, accepted-late, partial, throttled, quota-exhausted, penalized, source-limited, token-expired, credential-invalid, " +
	"misconfigured, clock-skew, forbidden, invalid, not-found, rejected, duplicate-content, transient, unknown-outcome"

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

// What several faults say.
const (
	isCredential = " is a token or signature, and a parameter: make it a security scheme; " +
		"add format: secret if it is what the call is about, or x-go-name if it is no secret"
	mayBeEmpty  = " is required and may be empty, which nobody can tell from forgotten: add minItems: 1, or take it out of required"
	mayBeLarge  = ", so nothing says how large it gets: add format: "
	noField     = ", and no field of a request: mark a parameter, or a field at the top of a request's body"
	noScalar    = ", and no text or whole number: drop x-from, or write type: string or type: integer"
	isMade      = " is a header that the client itself writes: drop it; a token or key is a security scheme"
	hasNoGoType = " has no Go type: use a format for both (number-or-text, text-or-number, bool-or-text, object-or-list), " +
		"or no type for anything"
)

// smallPath is a path of two operations, a and b, whose x-sdk hold first and second.
func smallPath(first, second string) string {
	const (
		guarded = "      x-resilience: {scope: read, group: all, idempotent: true}\n"
		answer  = `      responses: {"200": {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}` + "\n"
	)
	return "  /small:\n" +
		"    get:\n      operationId: a\n      summary: does a\n      x-sdk: {service: " + first + "}\n" + guarded + answer +
		"    post:\n      operationId: b\n      summary: does b\n      x-sdk: {service: " + second + "}\n" + guarded + answer
}

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
		want              []string // "message: cure" of each
	}{
		{"not YAML", "openapi: 3.0.3", "openapi: [3.0.3 #",
			[]string{"not YAML: did not find expected ',' or ']': correct the YAML"}},
		{"wrong version", "openapi: 3.0.3", "openapi: 3.1.0 #",
			[]string{`OpenAPI version "3.1.0" is not 3.0: write openapi: 3.0.3; 3.1 says some things otherwise`}},
		{"no platform", "x-platform: acme", "x-platform: Acme Inc #",
			[]string{`x-platform is "Acme Inc": change it to a name of small letters, digits and hyphens, such as acme or my-shop`}},
		{"plain http", "https://api.acme.example}]", "http://api.acme.example}] #",
			[]string{`server url "http://api.acme.example" is no https address: write https://host, or https://host/path`}},
		{"a server with a password", "https://api.acme.example}]", "'https://me:word@api.acme.example'}] #",
			[]string{`server url of "api.acme.example" holds a user or password: write https://host, or https://host/path; ` +
				"who calls is the business of a security scheme"}},
		{"a server with a variable", "https://api.acme.example}]", "'https://api.acme.example/{version}', variables: {version: {default: v1}}}] #",
			[]string{`server url "https://api.acme.example/{version}" has a variable that nothing fills: write the address with its variables filled in`}},
		{"unknown key of ours", "x-quotas:", "x-qoutas: #",
			[]string{`unknown key "x-qoutas" in the document: did you mean "x-quotas"?`}},
		{"a key of ours in the wrong place", "      x-resilience: {scope: read,", "      idempotent: true #\n      x-resilience: {scope: read,",
			[]string{`unknown key "idempotent" in the operation: it belongs inside x-resilience`}},
		{"a key of the document in an operation", "      x-resilience: {scope: read,", "      x-errors: {} #\n      x-resilience: {scope: read,",
			[]string{`unknown key "x-errors" in the operation: it belongs at the top`}},
		{"a key of an operation in the document", "security: [{user: []}]", "x-sdk: {} #\nsecurity: [{user: []}]",
			[]string{`unknown key "x-sdk" in the document: it belongs inside an operation`}},
		{"a group that no operation uses", "    all: [hour]", "    all: [hour]\n    more: [hour] #",
			[]string{"group more is that of no operation: write group: more in the x-resilience of the operations that count against it, or drop it"}},
		{"codes that no answer is known to carry", "x-envelope: {code: [code], message: [message]}\nx-errors:\n", "x-envelope: {message: [message]}\nx-errors:\n",
			[]string{"@7 x-errors is never looked at: no x-envelope says where answers carry their code: " +
				"add x-envelope: {code: [error.code]} with the path at which answers carry it, or drop the table"}},
		{"unknown key of OpenAPI", "summary: makes a user", "sumary: makes a user #",
			[]string{`unknown key "sumary" in the operation: did you mean "summary"?`}},
		{"unknown key of a row", "cools: group", "cool_s: group} #{",
			[]string{`unknown key "cool_s" in x-errors 10: did you mean "cools"?`}},
		{"text that no message holds", "class: rejected}", "class: rejected, says: {Minute: {class: throttled}}}",
			[]string{`text "Minute" of x-errors 2*.says is never found: write it in small letters: the message is compared so`}},
		{"texts of a text", "class: rejected}", "class: rejected, says: {minute: {class: throttled, name: Minute, says: {a: {class: ok}}}}}",
			[]string{`unknown key "name" in x-errors 2*.says minute: remove it`, `unknown key "says" in x-errors 2*.says minute: remove it`}},
		{"text without a class", "class: rejected}", "class: rejected, says: {minute: {cools: group}}}",
			[]string{"x-errors 2*.says minute has no class: add class: one of " + classes}},
		{"key twice", "title: Acme,", "title: Acme, title: Acme, #\n ",
			[]string{`key "title" in info stands at line 2 already: keep one of them`}},
		{"unknown class", "class: rejected}", "class: reject} #", []string{`unknown class "reject": did you mean "rejected"?`}},
		{"no class", "{class: rejected}", "{doc: so} #",
			[]string{"x-errors 2* has no class: add class: one of " + classes}},
		{"unknown level", "cools: group", "cools: scopes", []string{`unknown cools "scopes": did you mean "scope"?`}},
		{"unknown reset", "reset: hour", "reset: week",
			[]string{`unknown reset "week": choose one of ladder, minute, hour, day, minute-then-hour, hour-then-day`}},
		{"misspelt reset", "reset: hour", "reset: minute-than-hour",
			[]string{`unknown reset "minute-than-hour": did you mean "minute-then-hour"?`}},
		{"misspelt none", "cools: group", "cools: nonne", []string{`unknown cools "nonne": did you mean "none"?`}},
		{"empty text before a request id", "message: [message]}", `message: [message], request_id_after: ["rid: ", ""]} #`,
			[]string{"x-envelope.request_id_after has an empty text: write what stands before the request id, such as rid:"}},
		{"unknown key of the envelope", "message: [message]}", "message: [message], request_id_affter: x} #",
			[]string{`unknown key "request_id_affter" in x-envelope: did you mean "request_id_after"?`}},
		{"reset and span", "reset: hour,", "reset: hour, cool: 5m,",
			[]string{`x-errors 10 has both a reset and a cool: keep one of reset and cool`}},
		{"star inside a code", `"2*":`, `"2*3":`, []string{`code "2*3" has a * that is not its end: end it with the *`}},
		{"code's name", "HourIsOver}", "hour is over} #",
			[]string{`name "hour is over" of code 10 is no Go name: write letters and digits, such as UserRateLimit`}},
		{"window without a source", ", source: the manual}", "} #",
			[]string{"window hour has no source: add source: where the number is from"}},
		{"window of nothing", "limit: 100", "limit: 0", []string{`window hour.limit is "0": write a whole number of 1 or more`}},
		{"window's span", "per: 1h", "per: hourly",
			[]string{`window hour.per is "hourly": write a span such as 30s, 5m or 1h`}},
		{"window's span of nothing", "per: 1h", "per: 0s",
			[]string{"window hour.per is not positive: write a span such as 1s, 5m or 1h"}},
		{"window's key", "key: credential", "key: team",
			[]string{`unknown window key "team": choose one of credential, account, source, app, recipient`}},
		{"misspelt key of a window", "key: credential", "key: recipent",
			[]string{`unknown window key "recipent": did you mean "recipient"?`}},
		{"window without a key", "key: credential, ", "",
			[]string{"window hour has no key: add key: whose calls are counted together: credential, account, source, app, recipient"}},
		{"window apart by a word", "limit: 100,", "limit: 100, apart: yes,",
			[]string{`window hour.apart is "yes": write true or false`}},
		{"misspelt apart", "limit: 100,", "limit: 100, appart: true,",
			[]string{`unknown key "appart" in window hour: did you mean "apart"?`}},
		{"window of recipients that nobody names", "key: credential", "key: recipient",
			[]string{
				`@23 operation "users/show" names no recipient, by whom window hour of group all counts: add x-recipient: true ` +
					"to what says who gets it, or take another group",
			}},
		{"guard", "limit: 100,", "limit: 100, guard: 100,",
			[]string{"window hour.guard is 100 of a limit of 100: leave at least one call"}},
		{"offset", "limit: 100,", "limit: 100, offset: 2h,",
			[]string{
				"window hour has an offset and rolls: add aligned: true, or drop the offset",
				"window hour.offset is not less than its per: write less than per",
			}},
		{"unknown window", "all: [hour]", "all: [huor] #",
			[]string{
				"@11 window hour is in no group: add it to the groups under x-quotas.groups that it holds for, or drop it",
				`unknown window "huor" in group all: did you mean "hour"?`,
			}},
		{"unknown group", "group: all,", "group: al,", []string{`unknown group "al": did you mean "all"?`}},
		{"no group", "group: all, ", "",
			[]string{
				"x-resilience has no group: add group: the name of its windows in x-quotas, or none if the platform does not " +
					"count the call",
			}},
		{"no scope", "scope: read, ", "",
			[]string{"x-resilience has no scope: add scope: read or write; it says which cooldown and lane the call belongs to"}},
		{"unknown scope", "scope: read,", "scope: raed,", []string{`unknown scope "raed": did you mean "read"?`}},
		{"no idempotent", ", idempotent: true}", "}",
			[]string{
				"x-resilience has no idempotent: add idempotent: true if a second execution does no harm, else false; it alone " +
					"decides on repeats",
			}},
		{"idempotent maybe", "idempotent: true", "idempotent: maybe",
			[]string{`x-resilience.idempotent is "maybe": write true or false`}},
		{"unknown tier", "tier: bulk", "tier: bluk", []string{`unknown tier "bluk": did you mean "bulk"?`}},
		{"unknown account", "scope: read,", "scope: read, account: all,", []string{`unknown account "all": did you mean "any"?`}},
		{"cost that never fits", "group: none, idempotent: false, tier: bulk, cost: 2,", "group: all, idempotent: false, cost: 101,",
			[]string{"a cost of 101 never fits window hour: lower the cost or take another group"}},
		{"span of a time-out", "timeout: 5s", "timeout: 5",
			[]string{`x-resilience.timeout is "5": write a span such as 30s, 5m or 1h`}},
		{"unknown scheme", "[{user: []}]", "[{usr: []}] #", []string{`unknown security scheme "usr": did you mean "user"?`}},
		{"no service", "{service: Users, method: Show}", "{method: Show} #",
			[]string{"x-sdk has no service: add service: a Go name such as Statuses or Share"}},
		{"no method", "service: Users, method: Show", "service: Users",
			[]string{"x-sdk has no method: add method: a Go name such as Statuses or Share"}},
		{"method is no Go name", "method: Show", "method: show",
			[]string{`x-sdk.method "show" is no exported Go name: begin with a capital letter, then letters and digits`}},
		{"same operation id", "operationId: users/create", "operationId: users/show #",
			[]string{`operationId "users/show" stands at line 20 already: give each operation its own id`}},
		{"same method", "method: Create", "method: Show",
			[]string{`method Users.Show is that of operation "users/show" (line 19): choose another x-sdk.method`}},
		{"no x-resilience", "      x-resilience: {scope: read, group: all, idempotent: true}\n", "",
			[]string{`@19 operation "users/show" has no x-resilience: add x-resilience: {scope: ..., group: ..., idempotent: ...}`}},
		{"schema named like a request", "    Address:\n", "    UsersShowRequest: {type: object, properties: {a: {type: string}}}\n    Address:\n",
			[]string{
				"@19 Go name UsersShowRequest of the request of users/show is that of schema UsersShowRequest (line 64): rename " +
					"the schema, or choose another x-sdk.method",
			}},
		{"schema named like another", "    Address:\n", "    user: {type: object, properties: {a: {type: string}}} #\n    Address:\n",
			[]string{"Go name User of schema user is that of schema User (line 55): add x-go-name to one of them"}},
		{"schema named like the client", "    Address:\n", "    Client: {type: object, properties: {a: {type: string}}} #\n    Address:\n",
			[]string{"Go name Client of schema Client is that of the hand-written client: add x-go-name to one of them"}},
		{"fields of one name", "name: {type: string}\n        friends", "Name: {type: string}\n        name: {type: string} #\n        friends",
			[]string{`Go name Name of property name is that of "Name" (line 60): add x-go-name to one of them`}},
		{"field without a Go name", "        name: {type: string}\n        friends", "        演示: {type: string} #\n        friends",
			[]string{"property 演示 gives no Go name: add x-go-name"}},
		{"enum values of one name", "enum: [plain, vip]}", "enum: [vip_, vip]} #",
			[]string{`Go name KindVIP of value "vip" of Kind is that of value "vip_" of Kind (line 63): add x-enum-varnames`}},
		{"enum value without a name", "enum: [plain, vip]}", "enum: [plain, 演示]} #",
			[]string{`value "演示" of enum Kind gives no Go name: add x-enum-varnames`}},
		{"unresolved schema", "'#/components/schemas/Kind'", "'#/components/schemas/Kynd'",
			[]string{`unresolved $ref "#/components/schemas/Kynd": did you mean "#/components/schemas/Kind"?`}},
		{"schema of another file", "'#/components/schemas/Kind'", "'other.yaml#/Kind'",
			[]string{`unresolved $ref "other.yaml#/Kind": define it under components/schemas of this file`}},
		{"schema that is itself", "    Kind: {type: string, enum: [plain, vip]}", "    Kind: {$ref: '#/components/schemas/Kind'} #",
			[]string{"schema Kind refers to itself: define one of them"}},
		{
			"list that holds itself", "    Kind: {type: string, enum: [plain, vip]}",
			"    Kind: {type: array, items: {$ref: '#/components/schemas/Kind'}} #",
			[]string{"schema Kind holds itself and is no object: make it an object with a property that holds the list"},
		},
		{"token as a parameter", "{name: page, in: query,", "{name: access_token, in: query,",
			[]string{`"access_token"` + isCredential}},
		{"signature in a form", "                name: {type: string}\n",
			"                name: {type: string}\n                _aop_signature: {type: string} #\n",
			[]string{`"_aop_signature"` + isCredential}},
		{"number without a format", "{type: integer, format: int32}", "{type: integer}",
			[]string{
				"parameter page is an integer without a format, so nothing says how large it gets: add format: int32, int64, " +
					"number-or-text, unix-time",
			}},
		{"unknown format", "format: int32", "format: int23",
			[]string{`unknown format of type integer "int23": did you mean "int32"?`}},
		{"unknown type", "id: {type: integer, format: int64}", "id: {type: int}",
			[]string{`unknown type "int": choose one of integer, number, boolean, string, array, object`}},
		{"one of several", "name: {type: string}\n        friends", "name: {oneOf: [{type: string}]} #\n        friends",
			[]string{"oneOf in name" + hasNoGoType}},
		{"required list that may be empty", "{type: array, minItems: 1, items", "{type: array, items",
			[]string{`list "tags"` + mayBeEmpty}},
		{"required what is not there", "required: [name, tags]", "required: [name, tags, nmae] #",
			[]string{`required names "nmae", which is no property: add it to properties, or take it out of required`}},
		{"two JSON media types", "            application/json:\n",
			"            application/json: {schema: {type: object}}\n            text/plain: #\n",
			[]string{"two JSON media types in one response: declare one: answers are read as JSON whatever their Content-Type says"}},
		{"parameter in a cookie", "{name: page, in: query,", "{name: page, in: cookie,",
			[]string{
				`parameter page is in "cookie": write in: path, query or header; form fields stand in requestBody, cookies are ` +
					"not sent",
			}},
		{"header of the client", "{name: page, in: query,", "{name: user-agent, in: header,",
			[]string{"parameter user-agent" + isMade}},
		{"header of the authorizer", "{name: page, in: query,", "{name: Authorization, in: header,",
			[]string{"parameter Authorization" + isMade}},
		{"header of the body", "{name: page, in: query,", "{name: Content-Type, in: header,",
			[]string{"parameter Content-Type" + isMade}},
		{"header of the answer's form", "{name: page, in: query,", "{name: ACCEPT, in: header,",
			[]string{"parameter ACCEPT" + isMade}},
		{"header that is no word", "{name: page, in: query,", `{name: "X Page", in: header,`,
			[]string{"parameter X Page is no name of a header: write letters, digits and hyphens"}},
		{"header twice", "{name: page, in: query,", "{name: X-Page, in: header, schema: {type: string}}\n        - {name: x-page, in: header, #\n          ",
			[]string{`parameter "x-page" stands at line 26 already: keep one of them`}},
		{"header that is an object", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: X-Page, in: header, schema: {type: object, properties: {a: {type: string}}}}",
			[]string{"parameter X-Page of a header is no single value: write a text, a number or a list of them"}},
		{"header that is a list of lists", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: X-Page, in: header, schema: {type: array, items: {type: array, items: {type: string}}}}",
			[]string{"parameter X-Page of a header is no single value: write a text, a number or a list of them"}},
		{"header that is a file", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: X-Page, in: header, schema: {type: string, format: binary}}",
			[]string{"parameter X-Page is a file: move it to a multipart/form-data body"}},
		{"header of a form", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: X-Page, in: header, style: form, schema: {type: string}}",
			[]string{`unknown style "form": choose one of simple`}},
		{"header from the credential", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: X-App, in: header, x-from: credential, schema: {type: string}}",
			[]string{"parameter X-App is a header, and from the credential: drop it: the authorizer writes its headers by itself"}},
		{"parameter twice", "{name: page, in: query,", "{name: uid, in: query,",
			[]string{`parameter "uid" stands at line 25 already: keep one of them`}},
		{"path that lacks a parameter", "/users/{app}/show:", "/users/show: ",
			[]string{`@18 path parameter "app" is not in /users/show: write {app} into the path, or drop it`}},
		{"parameter that the path lacks", "/users/create:", "/users/{id}/create: ",
			[]string{"@34 {id} of the path is no parameter: add it to parameters with in: path"}},
		{"body of a GET", "      parameters:\n        - {name: uid",
			"      requestBody: #\n        content: {application/json: {schema: {type: object, properties: {a: {type: string}}}}}\n      parameters:\n        - {name: uid",
			[]string{"a GET has a body: send its fields as query parameters"}},
		{"body of XML", "application/x-www-form-urlencoded:", "application/xml: #",
			[]string{
				`a body of "application/xml" cannot be sent: use application/x-www-form-urlencoded, multipart/form-data or ` +
					"application/json",
			}},
		{"body without fields", formFields, "            schema: {type: string}\n",
			[]string{
				"@41 the body of application/x-www-form-urlencoded is no object with properties: describe its fields under " +
					"properties",
			}},
		{"file in a plain form", "name: {type: string}\n                tags", "name: {type: string, format: binary} #\n                tags",
			[]string{`file "name" in a form that is not multipart: use multipart/form-data`}},
		{"secret inside JSON", "street: {type: string}", "street: {type: string, format: secret} #",
			[]string{
				"property street is a secret inside JSON, where it would be sent as REDACTED: send it as a form field or query " +
					"parameter of its own, or drop the format",
			}},
		{"no good response", `"200": {description: OK}`, `"404": {description: OK}`,
			[]string{`@49 operation "users/create" has no good response: add "200"`}},
		{"pages of what has none", "      x-sdk: {service: Users, method: Create}",
			"      x-pagination: {style: page, param: name, items: x} #\n      x-sdk: {service: Users, method: Create}",
			[]string{"x-pagination on a call that has no pages: its request or its answer has no fields: drop it"}},
		{"pages that lead nowhere", "      x-sdk: {service: Users, method: Show}",
			"      x-pagination: {style: page, param: page, items: frends} #\n      x-sdk: {service: Users, method: Show}",
			[]string{
				`x-pagination.items "frends" leads to no field: there is no "frends": write the names on the wire, with dots ` +
					"between them",
			}},
		{"pages without a number", "      x-sdk: {service: Users, method: Show}",
			"      x-pagination: {style: cursor, param: page, items: friends} #\n      x-sdk: {service: Users, method: Show}",
			[]string{"x-pagination has no next: add next: where the answer holds the next cursor"}},
		{"unknown key of x-sdk", "{service: Users, method: Show}", "{service: Users, method: Show, docs: \"https://a.example\"}",
			[]string{`unknown key "docs" in x-sdk: did you mean "doc"?`}},
		{"unknown key of x-resilience", "scope: read,", "scope: read, idempotnt: true,",
			[]string{`unknown key "idempotnt" in x-resilience: did you mean "idempotent"?`}},
		{"unknown key unlike any other", "scope: read,", "scope: read, gallop: 1,",
			[]string{`unknown key "gallop" in x-resilience: remove it`}},
		{"unknown key of a window", "per: 1h,", "per: 1h, alinged: true,",
			[]string{`unknown key "alinged" in window hour: did you mean "aligned"?`}},
		{"unknown key of a schema", "street: {type: string}", "street: {type: string, fromat: id}",
			[]string{`unknown key "fromat" in street: did you mean "format"?`}},
		{"unknown class in an operation", "group: all, idempotent: true}", "group: all, idempotent: true, errors: {\"7\": {class: ivalid}}}",
			[]string{`unknown class "ivalid": did you mean "invalid"?`}},
		{"unknown group unlike any other", "group: all,", "group: everything,",
			[]string{`unknown group "everything": define it under x-quotas.groups, or write none`}},
		{"unknown window unlike any other", "all: [hour]", "all: [hour, everything]",
			[]string{`unknown window "everything" in group all: define it under x-quotas.windows`}},
		{"unknown tier unlike any other", "tier: bulk", "tier: x",
			[]string{`unknown tier "x": choose one of untiered, instant, bulk, sync`}},
		{"unknown scheme of an operation", "      summary: makes a user", "      security: [{signature: []}] #\n      summary: makes a user",
			[]string{`unknown security scheme "signature": define it under components/securitySchemes`}},
		{"no x-sdk", "      x-sdk: {service: Users, method: Show}\n", "",
			[]string{`@19 operation "users/show" has no x-sdk: add x-sdk: {service: ..., method: ...}`}},
		{"empty group", "group: all,", "group: ,", []string{`unknown group "": define it under x-quotas.groups, or write none`}},
		{"parameters of one Go name", "{name: page, in: query,", "{name: UID, in: query,",
			[]string{`Go name UID of parameter UID is that of "uid" (line 25): add x-go-name to one of them`}},
		{"parameter and form field of one Go name", "      summary: makes a user",
			"      parameters: [{name: Tags, in: query, schema: {type: string}}]\n      summary: makes a user",
			[]string{`@48 Go name Tags of field tags is that of "Tags" (line 36): add x-go-name to one of them`}},
		{"schemas of one Go name by different words", "    Address:\n",
			"    home_address: {type: object, properties: {a: {type: string}}}\n" +
				"    homeAddress: {type: object, properties: {a: {type: string}}} #\n    Address:\n",
			[]string{"Go name HomeAddress of schema homeAddress is that of schema home_address (line 64): add x-go-name to one of them"}},
		{"schema named like a service", "    Address:\n", "    UsersService: {type: object, properties: {a: {type: string}}}\n    Address:\n",
			[]string{"@22 Go name UsersService of service Users is that of schema UsersService (line 64): choose another x-sdk.service"}},
		{"operations of one Go name", "  /users/create:\n", smallPath("Users, method: ShowAll", "UsersShow, method: All") + "  /users/create:\n",
			[]string{"@43 Go name OpUsersShowAll of operation b is that of operation a (line 37): choose another x-sdk.service or x-sdk.method"}},
		{"codes of one name", "{class: rejected}", "{class: rejected, name: HourIsOver}",
			[]string{"Go name CodeHourIsOver of code 2* is that of code 10 (line 7): choose another name"}},
		{"windows of one Go name", "  groups:\n    all: [hour]",
			"    Hour: {limit: 9, per: 1m, key: source, source: the manual} #\n  groups:\n    all: [hour, Hour]",
			[]string{`window "Hour" gives no Go name of its own (see line 11): choose another name`}},
		{"iterator named like a method", "  /users/create:\n",
			strings.Replace(smallPath("Users, method: List", "Users, method: ListAll"), "      responses:",
				"      x-pagination: {style: page, param: page, items: friends} #\n"+
					"      parameters: [{name: page, in: query, schema: {type: integer, format: int64}}]\n      responses:", 1) +
				"  /users/create:\n",
			[]string{`method Users.ListAll is that of operation "b": choose another x-sdk.method`}},
		{"unresolved parameter", "- {name: page, in: query, schema: {type: integer, format: int32}}",
			"- {$ref: '#/components/parameters/page'}",
			[]string{`unresolved $ref "#/components/parameters/page": define it under components/parameters of this file`}},
		{"unresolved body", "      requestBody:\n        content:\n          application/x-www-form-urlencoded:\n" + formFields,
			"      requestBody: {$ref: '#/components/requestBodies/user'}\n",
			[]string{`unresolved $ref "#/components/requestBodies/user": define it under components/requestBodies of this file`}},
		{"unresolved response", `"200": {description: OK}`, `"200": {$ref: '#/components/responses/ok'}`,
			[]string{`unresolved $ref "#/components/responses/ok": define it under components/responses of this file`}},
		{"unresolved schema inside a list", "items: {$ref: '#/components/schemas/User'}", "items: {$ref: '#/components/schemas/Usr'}",
			[]string{`unresolved $ref "#/components/schemas/Usr": did you mean "#/components/schemas/User"?`}},
		{"signature in the query", "{name: page, in: query, schema: {type: integer, format: int32}}", "{name: sign, in: query, schema: {type: string}}",
			[]string{`"sign"` + isCredential}},
		{"app secret inside an object that is sent", "street: {type: string}", "app-secret: {type: string}",
			[]string{`"app-secret"` + isCredential}},
		{"fraction without a format", "        name: {type: string}\n        friends", "        name: {type: number} #\n        friends",
			[]string{"name is a number without a format" + mayBeLarge + "float, double, number-or-text"}},
		{"numbers of a list without a format", "items: {type: string}}", "items: {type: integer}}",
			[]string{"items of tags is an integer without a format" + mayBeLarge + "int32, int64, number-or-text, unix-time"}},
		{"two JSON media types of a body", "          application/x-www-form-urlencoded:\n" + formFields,
			"          application/json:\n" + formFields + "          text/json: {schema: {$ref: '#/components/schemas/Address'}} #\n",
			[]string{"two application/json media types: the first stands at line 41: keep one of them"}},
		{"body that is JSON and a form", formFields,
			formFields + "          application/json: {schema: {$ref: '#/components/schemas/Address'}} #\n",
			[]string{"the body is both JSON and a form: keep the one that the platform documents"}},
		{"any of several in a body", "                name: {type: string}\n", "                name: {anyOf: [{type: string}]} #\n",
			[]string{"anyOf in name" + hasNoGoType}},
		{"body that is one of several", formFields, "            schema: {oneOf: [{type: object}]}\n",
			[]string{
				"@41 the body of application/x-www-form-urlencoded is no object with properties: describe its fields under properties",
				"@42 oneOf in the body" + hasNoGoType,
			}},
		{"answer that is any of several", "schema: {$ref: '#/components/schemas/User'}", "schema: {anyOf: [{$ref: '#/components/schemas/User'}]}",
			[]string{"anyOf in the answer" + hasNoGoType}},
		{"parameter without a Go name", "{name: page, in: query,", "{name: 页, in: query,",
			[]string{"parameter 页 gives no Go name: add x-go-name"}},
		{"form field without a Go name", "                address: {", "                地址: {",
			[]string{"field 地址 gives no Go name: add x-go-name"}},
		{"schema without a Go name", "    Address:\n", "    地址: {type: object, properties: {a: {type: string}}} #\n    Address:\n",
			[]string{`schema "地址" gives no Go name: add x-go-name`}},
		{"Go name that is none", "street: {type: string}", "street: {type: string, x-go-name: street}",
			[]string{"property street gives no Go name: add x-go-name"}},
		{"required list that may have no item", "minItems: 1,", "minItems: 0,",
			[]string{`list "tags"` + mayBeEmpty}},
		{"required list of the query", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: ids, in: query, required: true, schema: {type: array, items: {type: string}}}",
			[]string{`list "ids"` + mayBeEmpty}},
		{"required list inside an object that is sent", "        street: {type: string}\n",
			"        street: {type: array, items: {type: string}}\n      required: [street] #\n",
			[]string{`list "street"` + mayBeEmpty}},
		{"unknown span of resets", "tier: bulk,", "tier: bulk, resets: week,",
			[]string{`unknown resets "week": choose one of hour, day`}},
		{"misspelt resets", "tier: bulk,", "tier: bulk, restes: day,",
			[]string{`unknown key "restes" in x-resilience: did you mean "resets"?`}},
		{"partial that leads nowhere", "group: all, idempotent: true}", "group: all, idempotent: true, partial: [friends, frends]}",
			[]string{
				`x-resilience.partial "frends" leads to no field: there is no "frends": write the names on the wire, with dots ` +
					"between them",
			}},
		{"partial through a list", "group: all, idempotent: true}", "group: all, idempotent: true, partial: friends.id}",
			[]string{
				`x-resilience.partial "friends.id" leads to no field: there is no "id": write the names on the wire, with dots ` +
					"between them",
			}},
		{"partial of no answer", "tier: bulk,", "tier: bulk, partial: [friends],",
			[]string{`x-resilience.partial "friends" on a call whose answer has no fields: describe the answer, or drop partial`}},
		{"empty partial", "group: all, idempotent: true}", `group: all, idempotent: true, partial: [""]}`,
			[]string{"x-resilience.partial has an empty path: write a path such as invaliduser or result.failed"}},
		{"recipient that is a number", "{name: page, in: query,", "{name: page, in: query, x-recipient: true,",
			[]string{`"page" is x-recipient, and holds no names: mark a text, a pipe-list or a list of texts`}},
		{"recipient that is an object", "{$ref: '#/components/schemas/Address'}", "{$ref: '#/components/schemas/Address', x-recipient: true}",
			[]string{`"address" is x-recipient, and holds no names: mark a text, a pipe-list or a list of texts`}},
		{"recipients that are numbers", "{type: array, minItems: 1, items: {type: string}}",
			"{type: array, minItems: 1, items: {type: integer, format: int64}, x-recipient: true}",
			[]string{`"tags" is x-recipient, and holds no names: mark a text, a pipe-list or a list of texts`}},
		{"recipient in an answer", "name: {type: string}\n        friends", "name: {type: string, x-recipient: true} #\n        friends",
			[]string{"property name is x-recipient" + noField}},
		{"recipient inside a field", "street: {type: string}", "street: {type: string, x-recipient: true}",
			[]string{"property street is x-recipient" + noField}},
		{"recipient of a list's items", "items: {type: string}}", "items: {type: string, x-recipient: true}}",
			[]string{`unknown key "x-recipient" in items of tags: remove it`}},
		{"recipient by a word", "                name: {type: string}\n", "                name: {type: string, x-recipient: touser} #\n",
			[]string{`name.x-recipient is "touser": write true or false`}},
		{"misspelt recipient", "                name: {type: string}\n", "                name: {type: string, x-recipent: true} #\n",
			[]string{`unknown key "x-recipent" in name: did you mean "x-recipient"?`}},
		{"recipient from the credential", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: page, in: query, x-from: credential, x-recipient: true, schema: {type: string}}",
			[]string{"parameter page is a recipient, and from the credential: keep one of x-from and x-recipient"}},
		{"from an unknown place", "{name: page, in: query,", "{name: page, in: query, x-from: credentials,",
			[]string{`unknown x-from "credentials": did you mean "credential"?`}},
		{"list from the credential", "{type: array, minItems: 1, items: {type: string}}",
			"{type: array, minItems: 1, items: {type: string}, x-from: credential}",
			[]string{"field tags is from the credential" + noScalar}},
		{"parameter from the credential that is no text", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: page, in: query, x-from: credential, schema: {type: boolean}}",
			[]string{"parameter page is from the credential" + noScalar}},
		{"from the credential in an answer", "name: {type: string}\n        friends", "name: {type: string, x-from: credential} #\n        friends",
			[]string{"property name is x-from" + noField}},
		{"pipe-list in the query", "{name: page, in: query, schema: {type: integer, format: int32}}",
			"{name: page, in: query, schema: {type: string, format: pipe-list}}",
			[]string{`"page" is a pipe-list outside JSON: write type: string, or send it in a JSON body`}},
		{"pipe-list in a form", "                name: {type: string}\n", "                name: {type: string, format: pipe-list} #\n",
			[]string{`"name" is a pipe-list outside JSON: write type: string, or send it in a JSON body`}},
		{"misspelt pipe-list", "street: {type: string}", "street: {type: string, format: pipelist}",
			[]string{`unknown format of type string "pipelist": did you mean "pipe-list"?`}},
		{"enum that is a pipe-list", "Kind: {type: string,", "Kind: {type: string, format: pipe-list,",
			[]string{"enum Kind is a pipe-list: make it the enum of a text, and the list a field of its own"}},
		{"constant that is no number", "{name: uid, in: query, required: true, schema: {type: integer, format: int64}}",
			"{name: uid, in: query, required: true, schema: {type: integer, format: int64, enum: [one]}}",
			[]string{`the one value "one" of "uid" is no integer: write a whole number of 64 bits`}},
		{"constants of one Go name", "        - {name: page, in: query, schema: {type: integer, format: int32}}\n",
			"        - {name: page, in: query, required: true, schema: {type: string, enum: [a]}}\n" +
				"        - {name: Page, in: query, required: true, schema: {type: string, enum: [b]}} #\n",
			[]string{`Go name Page of parameter Page is that of "page" (line 26): add x-go-name to one of them`}},
		{"JSON body that is a map", "          application/x-www-form-urlencoded:\n" + formFields,
			"          application/json: #\n            schema: {type: object, additionalProperties: {type: string}}\n",
			[]string{"the body of application/json is no object with properties: describe its fields under properties"}},
		{"form without properties", formFields, "            schema: {type: object}\n",
			[]string{
				"@41 the body of application/x-www-form-urlencoded is no object with properties: describe its fields under " +
					"properties",
			}},
		{"nullable by a word", "street: {type: string}", "street: {type: string, nullable: yes}",
			[]string{`street.nullable is "yes": write true or false`}},
		{"field named like the method that sends", "{name: page, in: query,", "{name: encode, in: query,",
			[]string{"Go name Encode of parameter encode is that of the method that sends the request: add x-go-name"}},
		{"two JSON media types beside content", "            application/json:\n",
			"            image/*: {schema: {type: string, format: binary}}\n            application/json: {schema: {type: object}}\n" +
				"            text/plain: #\n",
			[]string{"two JSON media types in one response: declare one: answers are read as JSON whatever their Content-Type says"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(sound, c.old) {
				t.Fatalf("the sound spec lacks %q", c.old)
			}
			checkFaults(t, strings.Replace(sound, c.old, c.broken, 1), c.want)
		})
	}
}

// checkFaults compares the faults of text, each whole, with what is wanted.
func checkFaults(t *testing.T, text string, want []string) {
	t.Helper()
	var got []string
	for _, f := range faultsOf(text, plan.Taken{}) {
		got = append(got, f.String())
	}
	if want = placed(text, want); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// placed gives each fault its place: that of "@line" before it; else the next marked line, or the last that is.
func placed(text string, faults []string) []string {
	marks := places(text)
	var out []string
	for _, f := range faults {
		if at, rest, _ := strings.Cut(f, " "); strings.HasPrefix(at, "@") {
			out = append(out, "acme.yaml:"+at[1:]+": "+rest)
			continue
		}
		out = append(out, fmt.Sprintf("acme.yaml:%d: %s", marks[0], f))
		if len(marks) > 1 {
			marks = marks[1:]
		}
	}
	return out
}

// places returns the lines of text that are marked, else the first that is not as in the sound spec.
func places(text string) []int {
	var marked []int
	before := strings.Split(sound, "\n")
	changed := 0
	for i, line := range strings.Split(text, "\n") {
		if changed == 0 && (i >= len(before) || line != before[i]) {
			changed = i + 1
		}
		if strings.HasSuffix(line, " #") || strings.Contains(line, " #{") {
			marked = append(marked, i+1)
		}
	}
	if len(marked) == 0 {
		return []int{changed}
	}
	return marked
}

func TestEveryFaultAtOnceInOrder(t *testing.T) {
	text := strings.NewReplacer(
		"limit: 100", "limit: x", // the method's name and the signature are found by the plan, the others while the spec is read
		"class: rejected}", "class: reject} #",
		"method: Show}", "method: show} #",
		"                name: {type: string}\n", "                sign: {type: string} #\n                name: {type: string}\n",
		"source: the manual}", "source: the manual} #",
		"'#/components/schemas/Kind'}", "'#/components/schemas/Kynd'} #",
	).Replace(sound)
	checkFaults(t, text, []string{
		`unknown class "reject": did you mean "rejected"?`,
		`window hour.limit is "x": write a whole number of 1 or more`,
		`x-sdk.method "show" is no exported Go name: begin with a capital letter, then letters and digits`,
		`"sign"` + isCredential,
		`unresolved $ref "#/components/schemas/Kynd": did you mean "#/components/schemas/Kind"?`,
	})
}

// TestOperationWithoutAPlaceShowsItsOtherFaults: a missing or doubled name hides nothing else that is wrong with the call.
func TestOperationWithoutAPlaceShowsItsOtherFaults(t *testing.T) {
	faulty := func(sdk string) string {
		return strings.NewReplacer(
			"{service: Users, method: Create}", sdk+" #",
			"group: none, idempotent: false", "group: none, idempotent: false, partial: [left]",
			"                name: {type: string}\n", "                sign: {type: string}\n                name: {type: string}\n                Name: {type: string}\n",
			"      requestBody:\n", "      x-pagination: {style: page, param: page, items: users}\n      requestBody:\n",
		).Replace(sound)
	}
	others := []string{
		`@38 x-resilience.partial "left" on a call whose answer has no fields: describe the answer, or drop partial`,
		"@39 x-pagination on a call that has no pages: its request or its answer has no fields: drop it",
		`@47 "sign"` + isCredential,
		`@49 Go name Name of field Name is that of "name" (line 48): add x-go-name to one of them`,
	}
	for _, c := range []struct{ name, sdk, want string }{
		{"no method", "{service: Users}", "x-sdk has no method: add method: a Go name such as Statuses or Share"},
		{"no service", "{method: Create}", "x-sdk has no service: add service: a Go name such as Statuses or Share"},
		{"no Go name", "{service: users, method: Create}",
			`x-sdk.service "users" is no exported Go name: begin with a capital letter, then letters and digits`},
		{"twice", "{service: Users, method: Show}",
			`method Users.Show is that of operation "users/show" (line 19): choose another x-sdk.method`},
	} {
		t.Run(c.name, func(t *testing.T) { checkFaults(t, faulty(c.sdk), append([]string{c.want}, others...)) })
	}
}

// TestCursorThatIsNone: a flag or a rate cannot say where the next page begins.
func TestCursorThatIsNone(t *testing.T) {
	text := strings.NewReplacer(
		"      x-sdk: {service: Users, method: Show}",
		"      x-pagination: {style: cursor, param: more, items: friends, next: rate} #\n      x-sdk: {service: Users, method: Show}",
		"{name: page, in: query, schema: {type: integer, format: int32}}", "{name: more, in: query, schema: {type: boolean}}",
		"        friends:", "        rate: {type: number, format: double}\n        friends:",
	).Replace(sound)
	checkFaults(t, text, []string{
		`"more" of x-pagination is no text and no whole number: name one`, `"rate" of x-pagination is no text and no whole number: name one`,
	})
}

func TestContentOrJSONHasNoPages(t *testing.T) {
	text := strings.NewReplacer(
		"      x-sdk: {service: Users, method: Show}", "      x-pagination: {style: page, param: page, items: friends} #\n      x-sdk: {service: Users, method: Show}",
		"            application/json:\n", "            image/*: {schema: {type: string, format: binary}}\n            application/json:\n",
	).Replace(sound)
	checkFaults(t, text, []string{"x-pagination on a call that has no pages: its request or its answer has no fields: drop it"})
}

func TestNamesTakenByHand(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"client.go": "package acme\n\ntype Client struct{ Users int }\n\nfunc (c *Client) Close() {}\n\ntype Address string\n",
		"more.go":   "package acme\n\nfunc (s *UsersService) Show() {}\n\nconst CodeHourIsOver = 1\n\nvar quotas = 1\n",
		"names.go":  "package acme\n\nvar OpUsersCreate int\n\ntype UsersService struct{}\n\nfunc KindVIP() {}\n\ntype UsersShowRequest int\n",
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
	const operationCure = ": choose another x-sdk.service or x-sdk.method, or rename the hand-written one"
	want := []string{
		"1: name quotas is declared at more.go:7 and is generated: rename the hand-written one",
		"7: Go name CodeHourIsOver is declared by hand at more.go:5: choose another name",
		"19: Go name UsersShowRequest is declared by hand at names.go:9: add x-go-name, or rename the hand-written one",
		"22: Go name UsersService is declared by hand at names.go:5" + operationCure,
		"22: method UsersService.Show is declared at more.go:3" + operationCure,
		"22: service Users is hidden by Client.Users at client.go:3" + operationCure,
		"37: Go name OpUsersCreate is declared by hand at names.go:3" + operationCure,
		"63: Go name KindVIP is declared by hand at names.go:7: add x-enum-varnames, or rename the hand-written one",
		"64: Go name Address is declared by hand at client.go:7: add x-go-name, or rename the hand-written one",
	}
	faults := faultsOf(sound, taken)
	if len(faults) != len(want) {
		t.Fatalf("got %v, want %d faults", faults, len(want))
	}
	for i, f := range faults {
		if got := f.String(); got != "acme.yaml:"+want[i] {
			t.Errorf("got %q, want %q", got, "acme.yaml:"+want[i])
		}
	}
	if _, err := plan.ReadTaken(filepath.Join(dir, "none")); err != nil {
		t.Errorf("a folder that is not there: %v", err)
	}
}

// TestParamsTakenByHand: what a method without a request sends has a type too, where it is not empty.
func TestParamsTakenByHand(t *testing.T) {
	fields := "            schema: {type: object, required: [by], properties: {by: {type: string, enum: [hand]}}}\n"
	taken := plan.Taken{Names: map[string]string{"usersCreateParams": "client.go:3"}}
	const want = "acme.yaml:37: Go name usersCreateParams is declared by hand at client.go:3: " +
		"choose another x-sdk.service or x-sdk.method, or rename the hand-written one"
	faults := faultsOf(strings.Replace(sound, formFields, fields, 1), taken)
	if len(faults) != 1 || faults[0].String() != want {
		t.Errorf("got %v, want %s", faults, want)
	}
	fields = strings.Replace(fields, "enum: [hand]", "x-from: credential", 1)
	text := strings.Replace(strings.Replace(sound, formFields, fields, 1), "application/x-www-form-urlencoded", "application/json", 1)
	if faults := faultsOf(text, taken); len(faults) > 0 {
		t.Errorf("an empty JSON object needs no type, and got %v", faults)
	}
}

// FuzzNew: a plan is asked of every document that can be read, however faulty, so that all faults show at once.
func FuzzNew(f *testing.F) {
	f.Add([]byte(sound))
	f.Add([]byte(strings.ReplaceAll(sound, "Kind", "Kynd")))
	f.Add([]byte(strings.NewReplacer("key: credential", "key: recipient", "{type: string}", "{type: string, enum: [a]}").Replace(sound)))
	f.Add([]byte(strings.ReplaceAll(sound, "{type: string}", "{type: string, format: pipe-list, x-recipient: true}")))
	f.Add([]byte("components: {schemas: {A: {allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/A'}]}}}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, fault := range faultsOf(string(data), plan.Taken{}) {
			if fault.Line < 1 || fault.Message == "" || fault.Cure == "" {
				t.Errorf("fault without line, message or cure: %+v", fault)
			}
		}
	})
}
