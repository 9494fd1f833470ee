package changes_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/changes"
)

// before is a package as gen writes one.
var before = map[string]string{
	"operations.gen.go": `package acme

// OpUsersGet is getUser.
var OpUsersGet = &resilience.Operation{
	Platform: "acme", ID: "getUser", Service: "Users", Method: "Get", HTTPMethod: "GET", Path: "/users/{id}",
	Scope: resilience.Read, Group: "all", Idempotent: true, Auth: "a",
}

// OpUsersCreate is createUser.
var OpUsersCreate = &resilience.Operation{
	Platform: "acme", ID: "createUser", Service: "Users", Method: "Create", HTTPMethod: "POST", Path: "/users",
	Scope: resilience.Write, Group: "all", Auth: "a",
}

const baseURL = "https://acme.example"

// Codes.
const (
	CodeTaken = "taken"
	CodeGone  = "gone"
)
`,
	"models.gen.go": `package acme

type UsersGetRequest struct {
	ID   string
	Lang *string
}

type UsersCreateRequest struct {
	Email string   ` + "`json:\"email\"`" + `
	Tags  []string ` + "`json:\"tags\"`" + `
	Home  *Address ` + "`json:\"home\"`" + `
}

type Address struct {
	City string ` + "`json:\"city\" wire:\"required\"`" + `
}

type User struct {
	ID   string ` + "`json:\"id\"`" + `
	Role Role   ` + "`json:\"role\"`" + `
}

type Role string

const RoleAdmin Role = "admin"

func (r *UsersGetRequest) Encode(e *wire.Encoder) { e.Path("id", r.ID) }

func (r *UsersCreateRequest) Encode(e *wire.Encoder) {
	if r.Email == "" {
		e.Missing("email")
	}
}
`,
	"services.gen.go": `package acme

type services struct {
	Users *UsersService
}

type UsersService struct{ caller wire.Caller }

func (s *UsersService) Get(ctx context.Context, req *UsersGetRequest, opts ...resilience.CallOption) (*User, error) { return nil, nil }

func (s *UsersService) Create(ctx context.Context, req *UsersCreateRequest, opts ...resilience.CallOption) (*User, error) { return nil, nil }
`,
	"client.gen.go": `package acme

type Client struct {
	services
	stack *stack.Stack
}

func WithToken(account string, tokens ...string) stack.Option { return nil }

func WithKey(account string, keys ...string) stack.Option { return nil }
`,
	"acmetest/server.gen.go": "package acmetest\n\ntype Server struct{}\n\nfunc (s *Server) Close() {}\n",
}

// after is the package with texts in the place of others, in pairs.
func after(t *testing.T, pairs ...string) map[string]string {
	t.Helper()
	out := maps.Clone(before)
	for i := 0; i < len(pairs); i += 2 {
		found := false
		for name, text := range out {
			if strings.Contains(text, pairs[i]) {
				out[name], found = strings.ReplaceAll(text, pairs[i], pairs[i+1]), true
			}
		}
		if !found {
			t.Fatalf("no file holds %q", pairs[i])
		}
	}
	return out
}

func between(was, is map[string]string) []string {
	bytes := func(files map[string]string) map[string][]byte {
		out := map[string][]byte{}
		for name, text := range files {
			out[name] = []byte(text)
		}
		return out
	}
	return changes.Between(bytes(was), bytes(is))
}

const (
	getMethod = "func (s *UsersService) Get(ctx context.Context, req *UsersGetRequest, opts ...resilience.CallOption) (*User, error) { return nil, nil }"
	newCall   = `
var OpUsersDrop = &resilience.Operation{Platform: "acme", ID: "dropUser", Service: "Users", Method: "Drop", HTTPMethod: "DELETE", Path: "/users/{id}"}

type UsersDropRequest struct{ ID string }

func (s *UsersService) Drop(ctx context.Context, req *UsersDropRequest) error { return nil }

func (r *UsersDropRequest) Encode(e *wire.Encoder) { e.Path("id", r.ID) }
`
)

func TestBetween(t *testing.T) {
	const must, treated = "callers of acme must change: ", "calls of acme are treated otherwise now: "
	tests := []struct {
		name  string
		pairs []string
		want  []string
	}{
		{"nothing", nil, nil},
		{"what nobody sees", []string{"acme.example", "other.example", "stack *stack.Stack", "other int", "caller wire.Caller", "c wire.Caller", "return nil, nil", "panic(1)",
			"req *UsersGetRequest", "request *UsersGetRequest"}, nil},
		{"never repeated", []string{", Idempotent: true", ""}, []string{treated + "Users.Get was sent again after an answer that was lost, and is never sent again now"}},
		{"repeated", []string{"Scope: resilience.Write", "Scope: resilience.Write, Idempotent: true"},
			[]string{treated + "Users.Create was never sent again after an answer that was lost, and is sent again now"}},
		{"scope, group and credential", []string{`resilience.Read, Group: "all"`, "resilience.Write", `Scope: resilience.Write, Group: "all", Auth: "a"`, `Scope: resilience.Write, Group: "new", Auth: "b"`},
			[]string{treated + `Users.Get was a read, is a write; Users.Get counted against "all", counts against nothing; Users.Create counted against "all", ` +
				`counts against "new"; Users.Create took a credential of "a", takes a credential of "b"`}},
		{"an option that is gone", []string{"func WithKey(account string, keys ...string) stack.Option { return nil }", ""}, []string{must + "WithKey is gone"}},
		{"an option of another name", []string{"WithKey(", "WithAPIKey("}, []string{must + "WithKey is gone", "acme has 1 new function"}},
		{"another signature", []string{"WithKey(account string, keys ...string)", "WithKey(user, password string)"},
			[]string{must + "WithKey took (string, ...string), takes (string, string)"}},
		{"another answer", []string{"Create(ctx context.Context, req *UsersCreateRequest, opts ...resilience.CallOption) (*User, error)", "Create(ctx context.Context, req *UsersCreateRequest, opts ...resilience.CallOption) error"},
			[]string{must + "UsersService.Create gave (*User, error), gives (error)"}},
		{"a pointer", []string{"ID   string\n\tLang", "ID   *string\n\tLang"}, []string{must + "UsersGetRequest.ID was string, is *string"}},
		{"a field that is gone", []string{"Lang *string", ""}, []string{must + "UsersGetRequest.Lang is gone"}},
		{"fields that have come", []string{"Lang *string", "Lang *string\n\tSize, From *int64", "type User struct {", "type User struct {\n\tName string"}, []string{"acme has 3 new fields"}},
		{"a field that must be there", []string{"Lang *string", "Lang *string\n\tShop string"}, []string{must + "UsersGetRequest.Shop is new and required"}},
		{"a list that must be there", []string{"e.Missing(\"email\")\n\t}", "e.Missing(\"email\")\n\t}\n\tif len(r.Tags) == 0 {\n\t\te.Missing(\"tags\")\n\t}"},
			[]string{must + "UsersCreateRequest.Tags is required now"}},
		{"a list that need not be there any more", []string{`wire:"required"`, ``}, nil},
		{"a field inside that must be there", []string{"City string", "Code string `json:\"code\" wire:\"required\"`\n\tCity string"}, []string{must + "Address.Code is new and required"}},
		{"a constant", []string{`CodeTaken = "taken"`, `CodeTaken = "exists"`, `CodeGone  = "gone"`, ``, `RoleAdmin Role = "admin"`, `RoleAdmin Role = "root"`},
			[]string{must + `CodeGone is gone; CodeTaken was "taken", is "exists"; RoleAdmin was Role "admin", is Role "root"`}},
		{"a type", []string{"type Role string", "type Role int64", "type Address struct {\n\tCity string `json:\"city\" wire:\"required\"`\n}", "type Address string"},
			[]string{must + "Address was a struct, is string; Role was string, is int64"}},
		{"a call that is gone", []string{getMethod, "", `ID: "getUser"`, `ID: "x"`, "var OpUsersGet = &resilience.Operation{", "var _ = other{", "type UsersGetRequest", "type hidden", "*UsersGetRequest) Encode", "*hidden) Encode"},
			[]string{must + "UsersService.Get is gone"}},
		{"a call of another name", []string{"UsersGet", "UsersFetch", `Method: "Get"`, `Method: "Fetch"`, ") Get(", ") Fetch("}, []string{must + "UsersService.Get is UsersService.Fetch now"}},
		{"a call of another id", []string{`ID: "getUser"`, `ID: "readUser"`, ", Idempotent: true", ""},
			[]string{treated + "Users.Get was sent again after an answer that was lost, and is never sent again now"}},
		{"a call that has come", []string{"type Role string", "type Role string\n" + newCall}, []string{"acme has 1 new call"}},
		{"a service that is gone", []string{"UsersService", "PeopleService", "Users *", "People *", `Service: "Users"`, `Service: "People"`, "UsersGet", "PeopleGet", "UsersCreate", "PeopleCreate"},
			[]string{must + "UsersService.Get is PeopleService.Get now; UsersService.Create is PeopleService.Create now"}},
		{"a service that has come", []string{"Users *UsersService", "Users *UsersService\n\tNotes *NotesService", "type Role string", "type Role string\n\ntype NotesService struct{}\n" +
			strings.NewReplacer("Users", "Notes", `"dropUser"`, `"dropNote"`, "/users", "/notes").Replace(newCall)}, []string{"acme has 1 new call"}},
		{"the fake", []string{"Close()", "End()"}, []string{"callers of acmetest must change: Server.Close is gone", "acmetest has 1 new method"}},
		{"the package", []string{"package acme\n", "package shop\n"}, []string{"callers of shop must change: package acme is shop"}},
		{"policies first", []string{", Idempotent: true", "", "Lang *string", "Size *int64"},
			[]string{treated + "Users.Get was sent again after an answer that was lost, and is never sent again now", must + "UsersGetRequest.Lang is gone", "acme has 1 new field"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := between(before, after(t, tt.pairs...)); !slices.Equal(got, tt.want) {
				t.Errorf("got  %s\nwant %s", strings.Join(got, "\n     "), strings.Join(tt.want, "\n     "))
			}
		})
	}
}

// TestBetweenOthers: what came or went as a whole, and what is no Go.
func TestBetweenOthers(t *testing.T) {
	if got := between(nil, before); got != nil {
		t.Errorf("on the first time: %v", got)
	}
	without := maps.Clone(before)
	delete(without, "acmetest/server.gen.go")
	if got := between(before, without); !slices.Equal(got, []string{"callers must change: package acmetest is gone"}) {
		t.Errorf("without its fake: %v", got)
	}
	broken := maps.Clone(before)
	broken["own.go"] = "package acme\n\nfunc Broken( {"
	if got := between(broken, broken); got != nil {
		t.Errorf("the same broken file twice: %v", got)
	}
}

// TestBetweenMany: the first are named and the others counted, in the same order each time.
func TestBetweenMany(t *testing.T) {
	var fields strings.Builder
	for i := range 30 {
		fields.WriteString("\tF" + string(rune('A'+i%26)) + strings.Repeat("x", i/26) + " *string\n")
	}
	was := map[string]string{"models.gen.go": "package acme\n\ntype User struct {\n" + fields.String() + "}\n"}
	is := map[string]string{"models.gen.go": "package acme\n\ntype User struct{}\n"}
	want := []string{"callers of acme must change: User.FA is gone; User.FAx is gone; User.FB is gone; User.FBx is gone; User.FC is gone; User.FCx is gone; " +
		"User.FD is gone; User.FDx is gone; ... and 22 more"}
	for range 20 {
		if got := between(was, is); !slices.Equal(got, want) {
			t.Fatalf("got %v", got)
		}
	}
}
