package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const acme = `openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
x-envelope: {code: [code]}
x-errors:
  "7": {class: throttled, cools: group, cool: 5s, doc: slow down}
x-quotas:
  windows:
    hour: {limit: 100, per: 1h, key: credential, source: limits page}
  groups: {all: [hour]}
paths:
  /users:
    get:
      operationId: users/show
      summary: returns one user
      x-sdk: {service: Users, method: Show}
      x-resilience: {scope: read, group: all, idempotent: true}
      parameters:
        - {name: uid, in: query, schema: {type: integer, format: int64}}
      responses: {"200": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}}
    post:
      operationId: users/create
      summary: makes a user
      x-sdk: {service: Users, method: Create}
      x-resilience: {scope: write, group: all, idempotent: false}
      responses: {"200": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}}
  /orders:
    get:
      operationId: orders/list
      summary: returns orders
      x-sdk: {service: Orders, method: List}
      x-resilience: {scope: read, group: none, idempotent: true, partial: [bad, worse]}
      x-pagination: {style: page, param: page, items: orders, pages: pages, size: size, count: 50}
      security: [{user: []}]
      parameters:
        - {name: page, in: query, schema: {type: integer, format: int32}}
        - {name: size, in: query, schema: {type: integer, format: int32}}
        - {name: ids, in: query, explode: false, schema: {type: array, items: {type: integer, format: int64}}}
        - {name: agent, in: query, x-from: credential, required: true, schema: {type: string}}
        - {name: kind, in: query, required: true, schema: {type: integer, format: int32, enum: [2]}}
        - {name: full, in: query, required: true, schema: {type: boolean, enum: [true]}}
      responses: {"200": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/Orders"}}}}}
    post:
      operationId: orders/create
      summary: makes an order
      x-sdk: {service: Orders, method: Create}
      x-resilience: {scope: write, group: none, idempotent: false}
      requestBody: {required: true, content: {application/json: {schema: {$ref: "#/components/schemas/Order"}}}}
      responses: {"200": {description: done}}
components:
  securitySchemes:
    user: {type: http, scheme: bearer}
  schemas:
    Orders: {type: object, properties: {pages: {type: integer, format: int32}, orders: {type: array, items: {type: string}}}}
    Part: {type: object, properties: {buyer: {type: string, x-recipient: true}, shop: {type: string, x-from: credential}}}
    Order: {allOf: [{$ref: "#/components/schemas/Part"}, {type: object, properties: {note: {type: string}}}]}
    User:
      type: object
      properties:
        name: {type: string}
        age: {type: integer, format: int32}
`

const code = `// Package acme is a client.
package acme

// A Client calls.
type Client struct{ Name string }

// Show returns one user.
func (c *Client) Show(uid int64) string { return c.Name }

// Version is the client's.
const Version = "1"
`

// A deed is what happens to the working tree after the commit.
type deed func(t *testing.T, dir string)

// swapped replaces text in a file, which must be there.
func swapped(file string, pairs ...string) deed {
	return func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, file)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text := string(data)
		for i := 0; i < len(pairs); i += 2 {
			if !strings.Contains(text, pairs[i]) {
				t.Fatalf("%s holds no %q", file, pairs[i])
			}
			text = strings.Replace(text, pairs[i], pairs[i+1], 1)
		}
		put(t, path, text)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// repository commits a project of one platform.
func repository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "specs", "acme.yaml"), acme)
	put(t, filepath.Join(dir, "go.mod"), "module example.com/sdk\n\ngo 1.26\n")
	put(t, filepath.Join(dir, "acme", "acme.go"), code)
	for _, args := range [][]string{
		{"init", "-q"}, {"add", "."},
		{"-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "commit.gpgsign=false", "commit", "-q", "-m", "first"},
	} {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir = dir
		if said, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, said)
		}
	}
	return dir
}

const remove = `    post:
      operationId: users/create
      summary: makes a user
      x-sdk: {service: Users, method: Create}
      x-resilience: {scope: write, group: all, idempotent: false}
      responses: {"200": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}}
`

const insert = `  /users/all:
    get:
      operationId: users/list
      summary: returns all users.
      x-sdk: {service: Users, method: List}
      x-resilience: {scope: read, group: all, idempotent: true}
      responses: {"200": {description: done, content: {application/json: {schema: {$ref: "#/components/schemas/User"}}}}}
components:
`

func TestChanges(t *testing.T) {
	spec := func(pairs ...string) deed { return swapped("specs/acme.yaml", pairs...) }
	tests := []struct {
		name     string
		do       deed
		exit     int
		listed   []string
		fragment []string
	}{
		{
			name: "nothing", do: func(*testing.T, string) {}, exit: harmless,
			listed: []string{"Policies\n  no change", "Specs\n  no change", "Go API\n  no change"}, fragment: []string{"No change for users."},
		},
		{
			name: "scope", do: spec("scope: read", "scope: write"), exit: breaking,
			listed:   []string{"breaking  acme users/show: scope: read -> write"},
			fragment: []string{"### Policies\n\n- **Breaking** `acme users/show`: scope: read -> write"},
		},
		{
			name: "idempotent", do: spec("idempotent: false", "idempotent: true"), exit: breaking,
			listed: []string{"breaking  acme users/create: idempotent: no -> yes (it is sent again now after an answer that was lost)"},
		},
		{
			name: "lower quota", do: spec("limit: 100, per: 1h", "limit: 150, per: 2h"), exit: harmless,
			listed:   []string{"changed   acme window hour: 100 per 1h -> 150 per 2h (lower), for users/show, users/create"},
			fragment: []string{"`acme window hour`: 100 per 1h -> 150 per 2h (lower)"},
		},
		{
			name: "higher quota, another key", do: spec("limit: 100, per: 1h, key: credential", "limit: 101, per: 1h, key: app"), exit: harmless,
			listed: []string{"100 per 1h -> 101 per 1h (higher)", "counts by credential -> counts by app"},
		},
		{
			name: "class", do: spec("class: throttled, cools: group, cool: 5s", "class: penalized, cools: group, cool: 1m30s"), exit: harmless,
			listed: []string{`changed   acme: x-errors "7": throttled, cools group for 5s -> penalized, cools group for 1m30s`},
		},
		{
			name: "code gone and come", do: spec(`"7": {`, `"8": {`), exit: harmless,
			listed: []string{`x-errors "8": new: throttled`, `x-errors "7": gone: was throttled`},
		},
		{
			name: "partial, resets and a class of one operation",
			do:   spec("group: all, idempotent: true}", `group: none, idempotent: true, partial: [bad], resets: day, errors: {"9": {class: invalid}}}`),
			listed: []string{
				"acme users/show: group: all -> none", "partial: none -> bad", "resets: nothing -> day", `errors "9": new: invalid`,
			},
		},
		{
			name: "what is sent of itself", exit: breaking,
			do: spec("x-from: credential, required: true, ", "", "enum: [2]", "enum: [2, 3]", "enum: [true]", "nullable: true, enum: [true]",
				"shop: {type: string, x-from: credential}", "shop: {type: string}"),
			listed: []string{
				"breaking  acme orders/list: from the credential: agent -> none", `breaking  acme orders/list: sent always: kind="2", full="true" -> none`,
				"breaking  acme orders/create: from the credential: shop -> none",
			},
		},
		{
			name: "how it is sent", exit: harmless,
			do: spec("explode: false, ", "", "buyer: {type: string, x-recipient: true}", "buyer: {type: string}"),
			listed: []string{
				"changed   acme orders/list: lists with commas: ids -> none", "changed   acme orders/create: recipients: buyer -> none",
			},
		},
		{
			name: "walk through the pages", exit: breaking, do: spec("style: page", "style: offset", "pages: pages", "total: pages", "count: 50", "count: 200"),
			listed: []string{
				"breaking  acme orders/list: pages: page by page, items in orders, pages in pages -> offset by page, items in orders, total in pages",
				"changed   acme orders/list: size of pages: 50 in size -> 200 in size",
			},
		},
		{
			name: "pages where there were none", exit: harmless, do: spec("idempotent: true}\n      parameters", "idempotent: true}\n      x-pagination: {style: cursor, param: uid, items: friends, next: age}\n      parameters", "        age: {", "        friends: {type: array, items: {type: string}}\n        age: {"),
			listed: []string{"changed   acme users/show: pages: none -> cursor by uid"},
		},
		{
			name: "no credential any more", exit: breaking, do: spec("security: [{user: []}]", "security: []"),
			listed: []string{"breaking  acme orders/list: authorized as: user -> nobody"},
		},
		{
			name: "another address", exit: breaking, do: spec("api.acme.example", "api2.acme.example"),
			listed: []string{"breaking  acme: server: https://api.acme.example -> https://api2.acme.example (calls and credentials go there)"},
		},
		{
			name: "less that counts as partial", exit: breaking, do: spec("[bad, worse]", "[worse]"),
			listed: []string{"breaking  acme orders/list: partial: bad, worse -> worse"},
		},
		{
			name: "operation renamed", do: spec("users/show", "users/get"), exit: breaking,
			listed: []string{"breaking  acme users/get: operationId: users/show -> users/get"},
		},
		{
			name: "operation removed", do: spec(remove, ""), exit: breaking,
			listed:   []string{"Policies\n  no change", "breaking  acme users/create: "},
			fragment: []string{"### API changes\n\n- **Breaking** `acme users/create`"},
		},
		{
			name: "optional parameter", do: spec("      parameters:\n", "      parameters:\n        - {name: lang, in: query, schema: {type: string}}\n"),
			exit: harmless, listed: []string{"harmless  acme users/show: ", "lang"},
		},
		{
			name: "required parameter", exit: breaking,
			do:     spec("      parameters:\n", "      parameters:\n        - {name: lang, in: query, required: true, schema: {type: string}}\n"),
			listed: []string{"breaking  acme users/show: ", "lang"},
		},
		{
			name: "operation added", do: spec("components:\n", insert), exit: harmless,
			listed:   []string{"harmless  acme users/list: "},
			fragment: []string{"### Added\n\n- `acme`: `Users.List` (`users/list`): returns all users.\n"},
		},
		{
			name: "field of an answer removed", do: spec("        age: {type: integer, format: int32}\n", ""),
			listed: []string{"acme users/show, users/create: ", "age"},
		},
		{
			name: "platform removed", exit: breaking, listed: []string{"breaking  acme: platform removed: 4 operations", "harmless  other: new platform: 4 operations"},
			do: spec("x-platform: acme", "x-platform: other"),
		},
		{
			name: "Go package added and removed", exit: breaking,
			do: func(t *testing.T, dir string) {
				t.Helper()
				if err := os.Rename(filepath.Join(dir, "acme"), filepath.Join(dir, "acme2")); err != nil {
					t.Fatal(err)
				}
			},
			listed: []string{"breaking  acme: package removed", "harmless  acme2: package added"},
		},
		{
			name: "Go method removed, constant added", exit: breaking,
			do:       swapped("acme/acme.go", "Show(uid int64)", "Get(uid int64)", "const Version", "const Name = \"acme\"\n\n// Version is the client's.\nconst Version"),
			listed:   []string{"breaking  acme: (*Client).Show: removed", "harmless  acme: Name: added"},
			fragment: []string{"### API changes\n\n- **Breaking** `acme`: (*Client).Show: removed."},
		},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := repository(t)
			test.do(t, dir)
			var stdout, stderr bytes.Buffer
			code := run(t.Context(), []string{"-base", "HEAD", "-dir", dir}, &stdout, &stderr)
			if code != test.exit {
				t.Errorf("exit code %d, want %d", code, test.exit)
			}
			for _, want := range test.listed {
				if !strings.Contains(stderr.String(), want) {
					t.Errorf("the listing lacks %q:\n%s", want, stderr.String())
				}
			}
			for _, want := range test.fragment {
				if !strings.Contains(stdout.String(), want) {
					t.Errorf("the fragment lacks %q:\n%s", want, stdout.String())
				}
			}
		})
	}
}

// TestPoliciesComeFirst: what no compiler shows stands above what it does.
func TestPoliciesComeFirst(t *testing.T) {
	dir := repository(t)
	swapped("specs/acme.yaml", "limit: 100", "limit: 10", "idempotent: true", "idempotent: false", "x-errors:", "tags: []\nx-errors:")(t, dir)
	var stdout, stderr bytes.Buffer
	run(t.Context(), []string{"-base", "HEAD", "-dir", dir}, &stdout, &stderr)
	text := stderr.String()
	last := -1
	for _, want := range []string{"Policies", "breaking ", "changed ", "Specs", "Go API"} {
		at := strings.Index(text, want)
		if at <= last {
			t.Fatalf("%q does not stand after what is before it:\n%s", want, text)
		}
		last = at
	}
}

func TestWhatCannotBeTold(t *testing.T) {
	dir := repository(t)
	tests := []struct {
		name string
		args []string
		do   deed
		want string
	}{
		{"no revision", []string{"-dir", dir}, nil, "want -base"},
		{"unknown revision", []string{"-dir", dir, "-base", "v9"}, nil, "git archive v9"},
		{"a flag for a revision", []string{"-dir", dir, "-base", "--output=x"}, nil, "is no revision"},
		{"a fault now", []string{"-dir", dir, "-base", "HEAD"}, swapped("specs/acme.yaml", "scope: read", "scope: raed"), "specs/acme.yaml:18: "},
		{"no Go now", []string{"-dir", dir, "-base", "HEAD"}, swapped("acme/acme.go", "return c.Name", "return 1"), "the Go API now"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			args := test.args
			if test.do != nil {
				own := repository(t)
				test.do(t, own)
				args[1] = own
			}
			var stdout, stderr bytes.Buffer
			if code := run(t.Context(), args, &stdout, &stderr); code != unknown {
				t.Errorf("exit code %d, want %d", code, unknown)
			}
			if !strings.Contains(stderr.String(), test.want) || stdout.Len() > 0 {
				t.Errorf("got %q and on standard output %q, want %q and nothing", stderr.String(), stdout.String(), test.want)
			}
		})
	}
}

// TestOldSpecWithFaults: what today's reader refuses in a spec of yesterday does not keep the rest from being compared.
func TestOldSpecWithFaults(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "specs", "acme.yaml"), strings.Replace(acme, "summary: returns one user", "summary: returns one user\n      x-old: 1", 1))
	var notes bytes.Buffer
	docs, err := readSpecs(dir, "v1", &notes)
	if err != nil || len(docs) != 1 || len(docs[0].Operations) != 4 {
		t.Fatalf("got %v (%v), want all operations", docs, err)
	}
	if !strings.Contains(notes.String(), "specs/acme.yaml at v1") || !strings.Contains(notes.String(), "x-old") {
		t.Errorf("the note is %q", notes.String())
	}
}
