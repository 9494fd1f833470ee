package skeleton_test

import (
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/skeleton"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A printed overlay, as YAML reads it.
type printed struct {
	Platform   string `yaml:"x-platform"`
	Server     string `yaml:"server"`
	Operations map[string]struct {
		SDK        struct{ Service, Method string } `yaml:"x-sdk"`
		Resilience struct {
			Scope, Group string
			Idempotent   bool
		} `yaml:"x-resilience"`
		Pagination map[string]string `yaml:"x-pagination"`
		Review     string
	}
}

func read(t *testing.T, doc *spec.Document) (printed, string) {
	t.Helper()
	text, sum := skeleton.Overlay(doc)
	var out printed
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatalf("not YAML: %v\n%s", err, text)
	}
	if sum.Operations != len(doc.Operations) || len(out.Operations) != len(doc.Operations) {
		t.Errorf("%d of %d operations were printed, %d read", sum.Operations, len(doc.Operations), len(out.Operations))
	}
	for line := range strings.Lines(text) {
		if strings.TrimRight(line, " \n") != strings.TrimSuffix(line, "\n") {
			t.Errorf("blanks at the end of %q", line)
		}
	}
	return out, text
}

func document(ops ...*spec.Operation) *spec.Document {
	return &spec.Document{File: "dir/acme.yaml", Title: "Acme API", BaseURL: "https://api.acme.example", Operations: ops, Foreign: true}
}

func operation(id, method, path string) *spec.Operation {
	if id == "" {
		id = method + " " + path
	}
	return &spec.Operation{Line: 7, ID: spec.Text{Value: id}, HTTPMethod: method, Path: path}
}

// TestGuesses: what each kind of call is taken for, and that doubt is said.
func TestGuesses(t *testing.T) {
	tests := []struct {
		id, method, path string
		scope            string
		idempotent       bool
		check            string // the word that the review names; empty for a plain guess
	}{
		{"getUser", "GET", "/users/{id}", "read", true, ""},
		{"headUser", "HEAD", "/users/{id}", "read", true, ""},
		{"putUser", "PUT", "/users/{id}", "write", true, ""},
		{"deleteUser", "DELETE", "/users/{id}", "write", true, ""},
		{"createUser", "POST", "/users", "write", false, ""},
		{"patchUser", "PATCH", "/users/{id}", "write", false, ""},
		{"deleteUser", "GET", "/user/delete", "write", false, "the word delete "},
		{"", "GET", "/users/{id}/cancel", "write", false, "the word cancel "},
		{"sendMessage", "GET", "/sendMessage", "write", false, "the word send "},
		{"users.reset", "GET", "/users/{id}", "write", false, "the word reset "},
		{"getSettings", "GET", "/settings", "read", true, ""},
		{"getResetToken", "GET", "/tokens", "read", true, ""},
		{"listUpdates", "GET", "/updates", "read", true, ""},
		{"getThings", "GET", "/things/send", "write", false, "the word send "},
		{"templates_getLock", "GET", "/templates/{id}/lock", "read", true, ""},
		{"bulkRun_list", "GET", "/runs", "read", true, ""},
		{"download-archive", "GET", "/archive", "read", true, ""},
		{"getOrCreateUser", "GET", "/user", "write", false, "the word create "},
		{"", "GET", "/archive", "write", false, "the word archive "},
		{"changePassword", "GET", "/password", "write", false, "the word change "},
		{"", "GET", "/delete/users/{id}", "write", false, "the word delete "},
		{"checks/rerequest", "POST", "/check-suites/{id}/rerequest", "write", false, ""},
		{"checkToken", "POST", "/token", "read", false, "the word check "},
		{"searchUsers", "POST", "/users/search", "read", false, "the word search "},
		{"", "POST", "/users:query", "read", false, "the word query "},
		{"", "POST", "/users:batchCreate", "write", false, ""},
		{"count", "POST", "/count", "read", false, "the word count "},
		{"createList", "POST", "/list", "write", false, ""},
		{"postSearch", "POST", "/users", "read", false, "the word search "},
		{"postMessage", "POST", "/messages", "write", false, ""},
		{"recountStock", "GET", "/stock/recount", "write", false, "the word recount "},
		{"rebuildIndex", "GET", "/index", "write", false, "the word rebuild "},
		{"transferMoney", "GET", "/money", "write", false, "the word transfer "},
		{"chargeCard", "GET", "/card", "write", false, "the word charge "},
		{"withdraw", "GET", "/cash", "write", false, "the word withdraw "},
		{"likePost", "GET", "/like", "write", false, "the word like "},
		{"listTransfers", "GET", "/transfers", "read", true, ""},
		{"sendMessage", "PUT", "/messages/send", "write", false, "the word send "},
		{"incrementCounter", "PUT", "/counter", "write", false, "the word increment "},
		{"", "PUT", "/orders/{id}/refund", "write", false, "the word refund "},
		{"popMessage", "DELETE", "/messages", "write", false, "the word pop "},
		{"replaceTrigger", "PUT", "/triggers/{id}", "write", true, ""},
		{"addMember", "PUT", "/teams/{id}/members/{member}", "write", true, ""},
	}
	for _, tt := range tests {
		t.Run(tt.method+" "+tt.id+tt.path, func(t *testing.T) {
			doc := document(operation(tt.id, tt.method, tt.path))
			out, _ := read(t, doc)
			got := out.Operations[doc.Operations[0].ID.Value]
			if r := got.Resilience; r.Scope != tt.scope || r.Idempotent != tt.idempotent || r.Group != "none" {
				t.Errorf("taken for %+v, want %s, idempotent %t", r, tt.scope, tt.idempotent)
			}
			if tt.check == "" && strings.Contains(got.Review, "CHECK") || !strings.Contains(got.Review, tt.check) || got.Review == "" {
				t.Errorf("review says %q, want a word of %s", got.Review, tt.check)
			}
			if tt.check != "" && !strings.HasPrefix(got.Review, "CHECK: ") {
				t.Errorf("review %q does not begin with CHECK", got.Review)
			}
		})
	}
}

// listing makes a call answer a list.
func listing(op *spec.Operation) *spec.Operation {
	op.Answer = &spec.Answer{Schema: &spec.Schema{Type: "array", Items: &spec.Schema{Type: "string"}}}
	return op
}

// TestNames: where calls stand in Go.
func TestNames(t *testing.T) {
	tagged := func(op *spec.Operation, tag string) *spec.Operation { op.Tags = []string{tag}; return op }
	tests := []struct {
		op      *spec.Operation
		service string
		method  string
	}{
		{tagged(operation("getUserById", "GET", "/v1/u/{id}"), "users"), "Users", "GetByID"},
		{tagged(operation("repos/list-for-org", "GET", "/orgs/{org}/repos"), "repos"), "Repos", "ListForOrg"},
		{tagged(operation("listPets", "GET", "/pets"), "pet store"), "PetStore", "ListPets"},
		{tagged(operation("Accounts_PostAccounts", "POST", "/accounts"), "Accounts"), "Accounts", "Post"},
		{tagged(operation("Users", "GET", "/users"), "users"), "Users", "Get"},
		{tagged(operation("Users", "POST", "/users"), "users"), "Users", "Create"},
		{operation("cgi-bin/message/send", "POST", "/cgi-bin/message/send"), "CgiBin", "MessageSend"},
		{operation("3GPPFoo", "POST", "/api/v2/things"), "Things", "X3GppFoo"},
		{listing(operation("", "GET", "/v1/orders")), "Orders", "List"},
		{operation("", "GET", "/v1/session"), "Session", "Get"},
		{operation("", "GET", "/orders/{id}"), "Orders", "Get"},
		{operation("", "PUT", "/orders/{id}/lines/{line}"), "Orders", "ReplaceLines"},
		{operation("演示", "GET", "/演示"), "Calls", "Get"},
		{tagged(operation("closeIt", "POST", "/x"), "close"), "CloseCalls", "It"},
		{tagged(operation("do", "POST", "/x"), "stack"), "StackCalls", "Do"},
	}
	for _, tt := range tests {
		doc := document(tt.op)
		out, _ := read(t, doc)
		if got := out.Operations[tt.op.ID.Value].SDK; got.Service != tt.service || got.Method != tt.method {
			t.Errorf("%s became %s.%s, want %s.%s", tt.op.ID.Value, got.Service, got.Method, tt.service, tt.method)
		}
	}
}

// TestNamesAreUnique: calls with one id, and calls whose names give one name.
func TestNamesAreUnique(t *testing.T) {
	ops := []*spec.Operation{
		operation("get", "GET", "/users/{id}"), operation("get", "GET", "/users"), operation("get-users", "GET", "/users/a"),
		operation("getUser", "GET", "/users/b"), operation("get_user", "GET", "/users/c"), operation("GetUsers", "POST", "/users/d"),
	}
	doc := document(ops...)
	doc.Schemas = []*spec.Schema{{Name: "UsersGetRequest"}}
	out, text := read(t, doc)
	seen := map[string]bool{"Users.Get": true} // whose request would be the schema
	for name, op := range out.Operations {
		if key := op.SDK.Service + "." + op.SDK.Method; seen[key] {
			t.Errorf("%s became %s, which is taken", name, key)
		} else {
			seen[key] = true
		}
	}
	for _, name := range []string{"GET /users/{id}", "GET /users"} {
		if _, ok := out.Operations[name]; !ok {
			t.Errorf("an id that two calls have is not told apart by %q:\n%s", name, text)
		}
	}
}

func object(props ...*spec.Property) *spec.Schema {
	return &spec.Schema{Type: "object", Properties: props}
}

func prop(name, kind string) *spec.Property {
	s := &spec.Schema{Type: kind}
	if kind == "array" {
		s.Items = &spec.Schema{Type: "string"}
	}
	return &spec.Property{Name: name, Schema: s}
}

// TestPagination: guessed where it is clear, and only there.
func TestPagination(t *testing.T) {
	query := func(kind string, names ...string) []*spec.Param {
		var out []*spec.Param
		for _, name := range names {
			out = append(out, &spec.Param{Name: name, In: "query", Schema: &spec.Schema{Type: kind}})
		}
		return out
	}
	sized := func(name string, size *int) *spec.Param {
		return &spec.Param{Name: name, In: "query", Schema: &spec.Schema{Type: "integer", Default: size}}
	}
	address := &spec.Property{Name: "next", Schema: &spec.Schema{Type: "string", Format: "uri"}}
	list := prop("items", "array")
	tests := []struct {
		name   string
		params []*spec.Param
		answer *spec.Schema
		want   map[string]string
	}{
		{"page", query("integer", "page", "per_page"), object(list, prop("total_pages", "integer")),
			map[string]string{"style": "page", "param": "page", "items": "items", "pages": "total_pages"}},
		{"page by total", query("integer", "page"), object(list, prop("total", "integer")),
			map[string]string{"style": "page", "param": "page", "items": "items", "total": "total"}},
		{"total beside the list", append(query("integer", "page_no"), sized("page_size", new(20))),
			object(prop("total", "integer"), &spec.Property{Name: "data", Schema: object(list, prop("total_count", "integer"))}),
			map[string]string{"style": "page", "param": "page_no", "items": "data.items", "total": "data.total_count", "size": "page_size", "count": "20"}},
		{"total elsewhere, no default", append(query("integer", "page"), sized("limit", nil)),
			object(list, &spec.Property{Name: "meta", Schema: object(prop("total", "integer"))}),
			map[string]string{"style": "page", "param": "page", "items": "items", "total": "meta.total"}},
		{"pages and total", query("integer", "page"), object(list, prop("pages", "integer"), prop("total", "integer")),
			map[string]string{"style": "page", "param": "page", "items": "items", "pages": "pages"}},
		{"total is a text", query("integer", "page"), object(list, prop("total", "string")),
			map[string]string{"style": "page", "param": "page", "items": "items"}},
		{"offset", query("integer", "offset", "limit"), object(list, prop("total", "integer")),
			map[string]string{"style": "offset", "param": "offset", "items": "items", "total": "total"}},
		{"cursor", query("string", "page_token"), object(list, prop("nextPageToken", "string")),
			map[string]string{"style": "cursor", "param": "page_token", "items": "items", "next": "nextPageToken"}},
		{"list one level below", query("integer", "page"), object(&spec.Property{Name: "data", Schema: object(list)}),
			map[string]string{"style": "page", "param": "page", "items": "data.items"}},
		{"next is an address", query("string", "cursor"), object(list, address), nil},
		{"two lists", query("integer", "page"), object(list, prop("warnings", "array")), nil},
		{"no list", query("integer", "page"), object(prop("total", "integer")), nil},
		{"the answer is a list", query("integer", "page"), &spec.Schema{Type: "array", Items: &spec.Schema{Type: "string"}}, nil},
		{"page of 0", []*spec.Param{{Name: "page", In: "query", FromZero: true, Schema: &spec.Schema{Type: "integer"}}}, object(list),
			map[string]string{"style": "page", "param": "page", "first": "0", "items": "items"}},
		{"a name with a dot", query("integer", "page.number"), object(list), nil},
		{"a cursor that is a number", query("number", "cursor"), object(list, prop("next", "number")), nil},
		{"page is a text", query("string", "page"), object(list), nil},
		{"nothing to page by", query("integer", "limit"), object(list), nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			op := operation("list", "GET", "/users")
			op.Params, op.Answer = tt.params, &spec.Answer{Schema: tt.answer}
			out, _ := read(t, document(op))
			got := out.Operations["list"].Pagination
			if review := out.Operations["list"].Review; tt.want["total"] != "" && !strings.Contains(review, "as many entries came as "+tt.want["total"]+" says") {
				t.Errorf("the review is %q", review)
			}
			if len(got) != len(tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
			for key, want := range tt.want {
				if got[key] != want {
					t.Errorf("%s is %q, want %q", key, got[key], want)
				}
			}
		})
	}
}

// TestHints: the examples hold what the spec tells of errors and limits.
func TestHints(t *testing.T) {
	problem := object(&spec.Property{Name: "error", Schema: object(
		&spec.Property{Name: "code", Schema: &spec.Schema{Type: "string", Enum: []spec.Text{{Value: "rate_limited"}, {Value: "404"}}}},
		prop("message", "string"))}, prop("request_id", "string"))
	list := operation("list", "GET", "/users")
	list.Failures = []*spec.Failure{{Line: 20, Status: "429", Headers: []string{"X-RateLimit-Limit", "Server"}, Schema: problem}}
	list.Params = []*spec.Param{{Name: "Idempotency-Key", In: "header", Schema: &spec.Schema{Type: "string"}}}
	other := operation("other", "GET", "/other")
	other.Answer = &spec.Answer{Schema: object(&spec.Property{Name: "error", Schema: object(prop("code", "string"))})}
	doc := document(list, other)
	doc.Description.Text = "Each client may make 1,200 requests per hour."
	doc.BaseURL = ""
	out, text := read(t, doc)
	for _, want := range []string{
		"#   code: [error.code]\n", "#   message: [error.message]\n", "#   request_id: [request_id]\n",
		`#   "rate_limited": {class: throttled}`, `#   "404": {class: not-found}`, "transient, unknown-outcome.\n",
		"# All keys: https://github.com/dujiang-go/dujiang/blob/main/specs/README.md\n", "for at most Config.MaxWait (30s unless set)",
		"the good answer of other has a field error.code too", "declares 429 for 1 operation, first for list at dir/acme.yaml:20", "X-RateLimit-Limit",
		"limit: 1200, per: 1h,", "# recipients    [toUser]", "source (the address) or recipient\n", "takes Idempotency-Key", "x-platform: acme ",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	if strings.Contains(text, "headers Server") || out.Server == "" || !strings.Contains(out.Server, ".invalid") {
		t.Errorf("server is %q in\n%s", out.Server, text)
	}
}

// TestCommand: what is printed can be run from the same folder, whatever the path of the spec.
func TestCommand(t *testing.T) {
	for _, tt := range []struct{ file, want string }{
		{"acme.yaml", "-spec acme.yaml -overlay acme.overlay.yaml -package acme -out acme\n"},
		{"../api/acme.v2.json", "-spec ../api/acme.v2.json -overlay acme.v2.overlay.yaml -package acmev2 -out acmev2\n"},
		{"the spec/bob's.yaml", `-spec 'the spec/bob'\''s.yaml' -overlay 'bob'\''s.overlay.yaml' -package bobs -out bobs` + "\n"},
		{"接口/聚店.yaml", "-spec 接口/聚店.yaml -overlay 聚店.overlay.yaml -package acme -out acme\n"},
	} {
		doc := document(operation("a", "GET", "/a"))
		doc.File = tt.file
		text, _ := skeleton.Overlay(doc)
		if !strings.Contains(text, " "+tt.want) || !strings.Contains(text, "("+tt.file+":7)") {
			t.Errorf("%s: got\n%s\nwant %s", tt.file, text, tt.want)
		}
	}
}

// TestPlatform guesses the short name.
func TestPlatform(t *testing.T) {
	for _, tt := range []struct{ title, server, want string }{
		{"Acme API", "", "acme"}, {"Swagger Petstore - OpenAPI 3.0", "", "petstore"}, {"GitHub v3 REST API", "", "github"},
		{"Hetzner Cloud API", "", "hetzner-cloud"}, {"The API", "https://api.acme.example/v1", "acme"}, {"演示", "https://10.0.0.1", "platform"}, {"", "", "platform"},
		{"360 Degrees", "", "degrees"},
	} {
		doc := document()
		doc.Title, doc.BaseURL = tt.title, tt.server
		text, _ := skeleton.Overlay(doc)
		if !strings.Contains(text, "\nx-platform: "+tt.want+" #") {
			t.Errorf("%q at %q gives none of %q", tt.title, tt.server, tt.want)
		}
	}
}
