package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// foreign is a spec of a user, without our extensions. SCHEMES and SECURITY are for each test to fill in.
const foreign = `openapi: 3.0.3
info: {title: Acme API, version: "1"}
servers: [{url: https://api.acme.example}]
security: SECURITY
paths:
  /users:
    get:
      operationId: listUsers
      parameters: [{name: page, in: query, schema: {type: integer}}]
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: object, properties: {users: {type: array, items: {type: string}}}}}}}
    post:
      operationId: createUser
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses: {"204": {description: ok}}
components:
  securitySchemes: SCHEMES
`

const reviewedOverlay = `x-platform: acme
operations:
  listUsers:
    x-sdk: {service: Users, method: List}
    x-resilience: {scope: read, group: none, idempotent: true}
    x-pagination: {style: page, param: page, items: users}
  createUser:
    x-sdk: {service: Users, method: Create}
    x-resilience: {scope: write, group: none, idempotent: false}
`

var (
	reviews  = regexp.MustCompile(`(?m)^ +review: .*\n`)
	examples = regexp.MustCompile(`(?m)^# (x-\w+:|  +\S.*)$`)
)

func foreignSpec(schemes, security string) []byte {
	return []byte(strings.NewReplacer("SCHEMES", schemes, "SECURITY", security).Replace(foreign))
}

// gen runs the generator as the command line does.
func gen(args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = run(args, &out, &err)
	return code, out.String(), err.String()
}

// TestEverySchemeCompiles: each kind of security scheme alone, none, and several; what is generated is compiled before it is written.
func TestEverySchemeCompiles(t *testing.T) {
	module := scratch(t)
	const (
		bearer = "a: {type: http, scheme: bearer}"
		oauth  = "b: {type: oauth2, flows: {}}"
		basic  = "c: {type: http, scheme: basic}"
		header = "d: {type: apiKey, in: header, name: X-Key}"
		query  = "e: {type: apiKey, in: query, name: key}"
		open   = "f: {type: openIdConnect, openIdConnectUrl: 'https://acme.example/'}"
		other  = "h: {type: mutualTLS}"
		cookie = "i: {type: apiKey, in: cookie, name: key}"
		twins  = "g-g: {type: http, scheme: bearer}"
	)
	tests := []struct {
		name, schemes, security string
		options                 []string
	}{
		{"none", "{}", "[]", nil},
		{"bearer", "{" + bearer + "}", "[{a: []}]", []string{"WithToken(account string, tokens ...string)"}},
		{"oauth2", "{" + oauth + "}", "[{b: [read]}]", []string{"WithToken("}},
		{"basic", "{" + basic + "}", "[{c: []}]", []string{"WithBasic(user, password string)"}},
		{"header", "{" + header + "}", "[{d: []}]", []string{"WithKey(account string, keys ...string)"}},
		{"query", "{" + query + "}", "[{e: []}]", []string{"WithKey("}},
		{"connect", "{" + open + "}", "[{f: []}]", []string{"WithToken("}},
		{"unused", "{" + bearer + ", " + basic + "}", "[{a: []}]", []string{"WithA("}}, // named as if the other were used
		{"unusable", "{" + bearer + ", " + other + ", " + cookie + "}", "[{a: []}]", []string{"WithToken("}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := filepath.Join(module, tt.name)
			spec, overlay := filepath.Join(dir, "acme.yaml"), filepath.Join(dir, "acme.overlay.yaml")
			put(t, spec, foreignSpec(tt.schemes, tt.security))
			put(t, overlay, []byte(reviewedOverlay))
			if code, _, said := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", dir); code != 0 {
				t.Fatalf("exit code %d: %s", code, said)
			}
			made := string(read(t, filepath.Join(dir, "client.gen.go")))
			if n := strings.Count(made, "\nfunc With"); n != len(tt.options) {
				t.Errorf("%d options, want %d", n, len(tt.options))
			}
			for _, option := range tt.options {
				if !strings.Contains(made, "\nfunc "+option) {
					t.Errorf("client.gen.go lacks %s", option)
				}
			}
		})
	}
	t.Run("several", func(t *testing.T) {
		dir := filepath.Join(module, "several")
		spec, overlay := filepath.Join(dir, "acme.yaml"), filepath.Join(dir, "acme.overlay.yaml")
		text := strings.Replace(string(foreignSpec("{"+bearer+", "+twins+"}", "[{a: []}]")), "      operationId: createUser\n",
			"      operationId: createUser\n      security: [{g-g: []}]\n", 1)
		put(t, spec, []byte(text))
		put(t, overlay, []byte(reviewedOverlay))
		if code, _, said := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", dir); code != 0 {
			t.Fatalf("exit code %d: %s", code, said)
		}
		made := string(read(t, filepath.Join(dir, "client.gen.go")))
		for _, want := range []string{"\nfunc WithA(", "\nfunc WithGG(", `schemeGG = "g-g"`} {
			if !strings.Contains(made, want) {
				t.Errorf("client.gen.go lacks %s", want)
			}
		}
	})
}

// TestHandWrittenWins: a client and a fake of the user's own are not written over, and that is said.
func TestHandWrittenWins(t *testing.T) {
	module := scratch(t)
	spec, overlay, out := filepath.Join(module, "acme.yaml"), filepath.Join(module, "o.yaml"), filepath.Join(module, "acme")
	put(t, spec, foreignSpec("{a: {type: http, scheme: bearer}}", "[{a: []}]"))
	put(t, overlay, []byte(reviewedOverlay))
	args := []string{"-spec", spec, "-overlay", overlay, "-package", "acme", "-out", out}
	if code, _, said := gen(args...); code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	put(t, filepath.Join(out, "own.go"), []byte("package acme\n\ntype Client struct{ services }\n"))
	put(t, filepath.Join(out, "acmetest", "own.go"), []byte("package acmetest\n\nfunc NewServer() {}\n"))
	code, _, said := gen(args...)
	if code != 0 || !strings.Contains(said, "client.gen.go is not written: the package has a client of its own at own.go:3") ||
		!strings.Contains(said, "acmetest/server.gen.go is not written: the package has a fake of its own at own.go:3") {
		t.Errorf("exit code %d: %s", code, said)
	}
	for _, name := range []string{"client.gen.go", "acmetest/server.gen.go"} {
		if exists(filepath.Join(out, name)) {
			t.Errorf("%s is there still", name)
		}
	}
	put(t, filepath.Join(out, "own.go"), []byte("package acme\n\nfunc WithToken() {}\n"))
	if code, _, said = gen(args...); code != 1 || !strings.Contains(said, "name WithToken is declared at own.go:3 and is generated") {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestWholeClientFaults: names that the client's own methods hide.
func TestWholeClientFaults(t *testing.T) {
	module := scratch(t)
	spec, overlay := filepath.Join(module, "acme.yaml"), filepath.Join(module, "o.yaml")
	put(t, spec, foreignSpec("{a: {type: http, scheme: bearer}}", "[{a: []}]"))
	put(t, overlay, []byte(strings.ReplaceAll(reviewedOverlay, "service: Users", "service: Close")))
	code, _, said := gen("-spec", spec, "-overlay", overlay, "-package", "acme", "-out", filepath.Join(module, "acme"))
	if want := overlay + ":4: service Close is hidden by the client's method of that name: choose another x-sdk.service"; code != 1 || !strings.Contains(said, want) {
		t.Errorf("exit code %d: %s, want %s", code, said, want)
	}
}

// TestInit: what is printed is refused as long as it is not reviewed, each guess at its line, and is a whole overlay after that.
func TestInit(t *testing.T) {
	specs, err := filepath.Glob("testdata/*/overlay.yaml")
	if err != nil || len(specs) == 0 {
		t.Fatalf("no foreign specs: %v", err)
	}
	module := scratch(t)
	for _, at := range specs {
		spec := filepath.Join(filepath.Dir(at), "spec.yaml")
		t.Run(filepath.Dir(at), func(t *testing.T) {
			out := filepath.Join(module, filepath.Base(filepath.Dir(at)))
			overlay := filepath.Join(out, "overlay.yaml")
			code, text, said := gen("-init", "-spec", spec)
			if code != 0 || !strings.Contains(said, "operations to review") {
				t.Fatalf("exit code %d: %s", code, said)
			}
			put(t, overlay, []byte(text))
			args := []string{"-spec", spec, "-overlay", overlay, "-package", "acme", "-out", out}
			if code, _, said = gen(args...); code != 1 || exists(filepath.Join(out, "client.gen.go")) {
				t.Errorf("unreviewed guesses: exit code %d", code)
			}
			n := 0
			for i, line := range strings.Split(text, "\n") {
				if strings.HasPrefix(line, "    review: ") {
					n++
					if !strings.Contains(said, fmt.Sprintf("%s:%d: operation ", overlay, i+1)) {
						t.Errorf("no fault at line %d", i+1)
					}
				}
			}
			if n == 0 || strings.Count(said, "is a guess") != n {
				t.Errorf("%d guesses are refused, want %d", strings.Count(said, "is a guess"), n)
			}
			put(t, overlay, []byte(reviews.ReplaceAllString(text, "")))
			if code, _, said = gen(args...); code != 0 {
				t.Errorf("reviewed: exit code %d: %s", code, said)
			}
			put(t, overlay, []byte(strings.ReplaceAll(switchedOn(reviews.ReplaceAllString(text, "")), "group: none", "group: all")))
			if code, _, said = gen(args...); code != 0 {
				t.Errorf("with the examples switched on: exit code %d: %s", code, said)
			}
		})
	}
}

// TestFakeAnswersAsTheSpec: status and type of each operation's good answer, whose example the client takes.
func TestFakeAnswersAsTheSpec(t *testing.T) {
	module := scratch(t)
	const thing = "{schema: {type: object, properties: {id: {type: integer}}}}"
	rows := []struct{ name, responses, want string }{
		{"plain", `{"200": {description: ok, content: {application/json: ` + thing + `}}}`, "body: `{\"id\":1}`"},
		{"made", `{"201": {description: ok, content: {application/json; charset=utf-8: ` + thing + `}}}`, "status: 201,\n"},
		{"late", `{"202": {description: ok}}`, "status: 202},\n"},
		{"gone", `{"204": {description: ok}}`, "status: 204},\n"},
		{"ranged", `{"2XX": {description: ok, content: {application/json: ` + thing + `}}}`, "body: `{\"id\":1}`"},
		{"vendors", `{"203": {description: ok, content: {application/vnd.acme+json: ` + thing + `}}}`, `status: 203, kind: "application/vnd.acme+json"`},
		{"pdf", `{"200": {description: ok, content: {application/pdf: {schema: {type: string, format: binary}}}}}`, `kind: "application/pdf"`},
		{"png", `{"200": {description: ok, content: {image/png: {}}}}`, `kind: "image/png"`},
		{"pictures", `{"200": {description: ok, content: {image/*: {}}}}`, `kind: "application/octet-stream"`},
		{"text", `{"200": {description: ok, content: {text/plain: {schema: {type: string}}}}}`, `kind: "text/plain"`},
		{"anything", `{"200": {description: ok, content: {"*/*": ` + thing + `}}}`, "body: `{\"id\":1}`"},
	}
	var spec strings.Builder
	spec.WriteString("openapi: 3.0.3\ninfo: {title: Acme, version: '1'}\nservers: [{url: https://api.acme.example}]\npaths:\n")
	overlay, calls := "x-platform: acme\noperations:\n", ""
	for _, row := range rows {
		fmt.Fprintf(&spec, "  /%s: {post: {operationId: %s, responses: %s}}\n", row.name, row.name, row.responses)
		method := strings.ToUpper(row.name[:1]) + row.name[1:]
		overlay += fmt.Sprintf("  %s: {x-sdk: {service: Things, method: %s}, x-resilience: {scope: write, group: none, idempotent: false}}\n", row.name, method)
		answer := "_, "
		if row.name == "late" || row.name == "gone" {
			answer = ""
		}
		calls += fmt.Sprintf("\tif %serr := c.Things.%s(t.Context()); err != nil {\n\t\tt.Error(err)\n\t}\n", answer, method)
	}
	put(t, filepath.Join(module, "acme.yaml"), []byte(spec.String()))
	put(t, filepath.Join(module, "o.yaml"), []byte(overlay))
	out := filepath.Join(module, "acme")
	code, _, said := gen("-spec", filepath.Join(module, "acme.yaml"), "-overlay", filepath.Join(module, "o.yaml"), "-package", "acme", "-out", out)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, said)
	}
	made := string(read(t, filepath.Join(out, "acmetest", "server.gen.go")))
	for _, row := range rows {
		_, rest, _ := strings.Cut(made, fmt.Sprintf("{name: %q, ", row.name))
		if rest, _, _ = strings.Cut(rest, "{name:"); !strings.Contains(rest, row.want) || strings.Contains(rest, "status:") != strings.Contains(row.want, "status:") {
			t.Errorf("%s: got %s, want %s", row.name, rest, row.want)
		}
	}
	put(t, filepath.Join(out, "behaviour_test.go"), []byte(`package acme

import (
	"testing"

	"example.com/stranger/acme/acmetest"
)

func TestCalls(t *testing.T) {
	srv := acmetest.NewServer()
	defer srv.Close()
	c, err := New(srv.Options()...)
	if err != nil {
		t.Fatal(err)
	}
`+calls+"}\n"))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "./acme")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("the disk is full") }

// TestOutputThatFails: a reader that left, a full disk: one line, exit code 1.
func TestOutputThatFails(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	for name, stdout := range map[string]io.Writer{"broken pipe": w, "disk is full": broken{}} {
		var stderr bytes.Buffer
		code := run([]string{"-init", "-spec", "testdata/form_client/spec.yaml"}, stdout, &stderr)
		if code != 1 || !strings.Contains(stderr.String(), name) || strings.Contains(stderr.String(), "goroutine") {
			t.Errorf("%s: exit code %d: %s", name, code, stderr.String())
		}
	}
}

// TestHelp: the help shows both steps and every flag, and is no error.
func TestHelp(t *testing.T) {
	code, _, said := gen("-help")
	for _, want := range []string{"gen -init -spec acme.yaml > acme.overlay.yaml", "-overlay acme.overlay.yaml", "-allow-remote", "-package NAME", "-out FOLDER"} {
		if code != 0 || !strings.Contains(said, want) {
			t.Errorf("exit code %d, the help lacks %q: %s", code, want, said)
		}
	}
}

// TestFlagsThatDoNotGoTogether: a word why, exit code 2.
func TestFlagsThatDoNotGoTogether(t *testing.T) {
	for want, args := range map[string][]string{
		"-init needs the spec":      {"-init"},
		"-init only prints":         {"-init", "-spec", "a.yaml", "-out", "x"},
		"goes with -overlay":        {"-spec", "a.yaml", "-package", "a", "-out", "x", "-allow-remote"},
		"flag provided but not":     {"-spce", "a.yaml"},
		`"type" cannot be imported`: {"-spec", "a.yaml", "-package", "type", "-out", "x"},
		`"main" cannot be imported`: {"-spec", "a.yaml", "-package", "main", "-out", "x"},
		`"Acme" is no package's`:    {"-spec", "a.yaml", "-package", "Acme", "-out", "x"},
		`"1st" is no package's`:     {"-spec", "a.yaml", "-package", "1st", "-out", "x"},
		`unknown argument "a.yaml"`: {"-init", "a.yaml"},
	} {
		if code, _, said := gen(args...); code != 2 || !strings.Contains(said, want) || !strings.Contains(said, "gen -help") {
			t.Errorf("%v: exit code %d: %q, want %q", args, code, said, want)
		}
	}
}
