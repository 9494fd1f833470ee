package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// shop is a spec that tells of its errors.
const shop = `openapi: 3.0.3
info: {title: Shop, version: "1"}
servers: [{url: https://api.shop.example}]
security: [{token: []}]
paths:
  /users/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: string}}]
    get:
      tags: [users]
      operationId: getUser
      summary: Returns a user
      responses:
        "200": {description: ok, content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
        default: {$ref: "#/components/responses/Error"}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  responses:
    Error: {description: no, content: {application/json: {schema: {$ref: "#/components/schemas/Error"}}}}
  schemas:
    Error:
      type: object
      properties:
        code: {type: string, enum: [rate_limited, token_invalid, email_taken, internal]}
        message: {type: string}
`

// switchedOn makes the examples of an overlay part of it.
func switchedOn(overlay string) string {
	head, rest, _ := strings.Cut(overlay, "\nx-platform:")
	return head + "\nx-platform:" + examples.ReplaceAllString(rest, "$1")
}

// TestExamplesOfAnOverlay switches on what -init prints as examples: it is right as it stands, and with groups that nothing counts
// against it is refused.
func TestExamplesOfAnOverlay(t *testing.T) {
	module := scratch(t)
	spec, overlay := filepath.Join(module, "shop.yaml"), filepath.Join(module, "o.yaml")
	put(t, spec, []byte(shop))
	_, text, _ := gen("-init", "-spec", spec)
	text = switchedOn(reviews.ReplaceAllString(text, ""))
	put(t, overlay, []byte(text))
	args := []string{"-spec", spec, "-overlay", overlay, "-package", "shop", "-out", filepath.Join(module, "shop")}
	if code, _, said := gen(args...); code != 1 || !strings.Contains(said, "group all is that of no operation: write group: all in the x-resilience") {
		t.Errorf("groups of nothing: exit code %d: %s", code, said)
	}
	put(t, overlay, []byte(strings.ReplaceAll(text, "group: none", "group: all")))
	if code, _, said := gen(args...); code != 0 || strings.Contains(said, "x-e") {
		t.Fatalf("exit code %d: %s", code, said)
	}
	put(t, filepath.Join(module, "shop", "behaviour_test.go"), []byte(`package shop

import (
	"errors"
	"testing"
	"testing/synctest"

	"example.com/stranger/shop/shoptest"

	"github.com/dujiang-go/dujiang/resilience"
)

func TestSecondToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := shoptest.NewServer()
		defer srv.Close()
		c, err := New(append(srv.Options(), WithToken("me", "a", "b"))...)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		refused := shoptest.Fault{Status: 401, Code: "token_invalid"}
		srv.Fail(OpUsersGet, refused)
		if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: "1"}); err != nil {
			t.Errorf("with a second token: %v", err)
		}
		srv.Fail(OpUsersGet, refused)
		if _, err := c.Users.Get(t.Context(), &UsersGetRequest{ID: "1"}); !errors.Is(err, resilience.ErrUnauthorized) {
			t.Errorf("with none left: got %v, want ErrUnauthorized", err)
		}
	})
}
`))
	cmd := exec.CommandContext(t.Context(), "go", "test", "-mod=mod", "./shop")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("what is generated does not behave: %v\n%s", err, said)
	}
}

// TestUpdateOfAnOverlay: what -init prints for an overlay is what that one lacks, and can be appended as it is.
func TestUpdateOfAnOverlay(t *testing.T) {
	module := scratch(t)
	spec, overlay := filepath.Join(module, "shop.yaml"), filepath.Join(module, "o.yaml")
	put(t, spec, []byte(shop))
	_, text, _ := gen("-init", "-spec", spec)
	reviewed := reviews.ReplaceAllString(text, "")
	put(t, overlay, []byte(reviewed))
	args := []string{"-spec", spec, "-overlay", overlay, "-package", "shop", "-out", filepath.Join(module, "shop")}
	if code, more, said := gen("-init", "-spec", spec, "-overlay", overlay); code != 0 || more != "" || !strings.Contains(said, "0 operations") {
		t.Errorf("nothing is lacking: exit code %d, printed %q, said %s", code, more, said)
	}
	put(t, spec, []byte(strings.Replace(shop, "    get:\n", "    delete: {tags: [users], operationId: getsUser, summary: Deletes a user, "+
		"responses: {\"204\": {description: ok}}}\n    get:\n", 1)))
	code, _, said := gen(args...)
	if want := "operation getsUser is not in " + overlay + ": append what gen -init -spec SPEC -overlay " + overlay + " prints"; code != 1 || !strings.Contains(said, want) {
		t.Errorf("exit code %d: %s, want %q", code, said, want)
	}
	code, more, said := gen("-init", "-spec", spec, "-overlay", overlay)
	if code != 0 || strings.Count(more, "x-sdk:") != 1 || !strings.Contains(said, "1 operations to review") {
		t.Fatalf("exit code %d, printed\n%s\nsaid %s", code, more, said)
	}
	put(t, overlay, []byte(reviewed+more))
	if code, _, said := gen(args...); code != 1 || !strings.Contains(said, "operation getsUser is a guess") || strings.Contains(said, "getUser is") {
		t.Errorf("a guess that nobody has looked at: exit code %d: %s", code, said)
	}
	put(t, overlay, reviews.ReplaceAll([]byte(reviewed+more), nil))
	if code, _, said := gen(args...); code != 0 {
		t.Errorf("exit code %d: %s", code, said)
	}
}

// TestForgottenFiles: a flag that is missing, or a file, is named with its cure.
func TestForgottenFiles(t *testing.T) {
	module := scratch(t)
	spec := filepath.Join(module, "shop.yaml")
	put(t, spec, []byte(shop))
	rest := []string{"-package", "shop", "-out", filepath.Join(module, "shop")}
	for want, args := range map[string][]string{
		spec + ":1: the spec has none of our keys, such as x-sdk and x-resilience: they stand in an overlay: give it with -overlay FILE": {"-spec", spec},
		"the spec . cannot be read: it is no file: correct -spec":                                                                        {"-spec", ".", "-overlay", spec},
		"the spec none.yaml does not exist: correct -spec":                                                                               {"-spec", "none.yaml"},
		"the spec none.yaml does not exist: correct -spec, a":                                                                            {"-spec", "none.yaml", "-overlay", spec},
		"the overlay none.yaml does not exist: correct -overlay":                                                                         {"-spec", spec, "-overlay", "none.yaml"},
	} {
		code, _, said := gen(append(args, rest...)...)
		if code != 1 || !strings.Contains(said, want) || strings.Count(said, "\n") > 2 {
			t.Errorf("%v: exit code %d: %q, want %q", args, code, said, want)
		}
	}
}
