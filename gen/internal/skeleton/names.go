package skeleton

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A namer gives each operation its place in the Go API, never the same twice and never one that a schema has.
type namer struct {
	schemas map[string]bool // Go names that the spec's schemas become
	used    map[string]bool // service + "." + method
}

func newNamer(doc *spec.Document) *namer {
	n := &namer{schemas: map[string]bool{}, used: map[string]bool{}}
	for _, s := range doc.Schemas {
		name := s.GoName.Value
		if name == "" {
			name, _ = naming.Exported(s.Name)
		}
		n.schemas[name] = true
	}
	for _, op := range doc.Operations {
		if op.Service.Value != "" {
			n.take(op.Service.Value, op.Method.Value)
			if op.Pages != nil {
				n.take(op.Service.Value, op.Method.Value+"All")
			}
		}
	}
	return n
}

// name returns the service and the method of an operation.
func (n *namer) name(op *operation) (service, method string) {
	service, about := n.service(op)
	candidates := append(methodNames(op, about), "Call")
	for _, c := range candidates {
		if n.free(service, c) {
			return service, n.take(service, c)
		}
	}
	for i := 2; ; i++ {
		if c := fmt.Sprint(candidates[0], i); n.free(service, c) {
			return service, n.take(service, c)
		}
	}
}

func (n *namer) take(service, method string) string {
	n.used[service+"."+method] = true
	return method
}

// free reports whether a method and all that is named after it can be declared.
func (n *namer) free(service, method string) bool {
	if !naming.IsExported(method) || n.used[service+"."+method] {
		return false
	}
	whole := service + method
	return !n.schemas["Op"+whole] && !n.schemas[whole+"Request"] && !n.schemas[whole+"Result"]
}

// takeAll reserves the name of the iterator over a method's pages; false if it has another meaning.
func (n *namer) takeAll(service, method string) bool {
	if n.used[service+"."+method+"All"] {
		return false
	}
	n.used[service+"."+method+"All"] = true
	return true
}

var version = regexp.MustCompile(`^(v?[0-9]+([._-][0-9]+)*[a-z]*[0-9]*|api|apis|rest|open|public)$`)

// service is named after the tag, or else the first word of the path that says something. about are its words.
func (n *namer) service(op *operation) (name string, about []string) {
	about = words(op.tag)
	if goName(about) == "" {
		about = nil
		for _, s := range op.segments() {
			if list := words(s); goName(list) != "" && !version.MatchString(strings.ToLower(s)) {
				about = list
				break
			}
		}
	}
	if len(about) == 0 {
		about = []string{"calls"}
	}
	name = goName(about)
	if naming.HidesService(name) || n.schemas[name+"Service"] {
		name += "Calls"
	}
	return name, about
}

// methodNames are names for a method, the best first: the operation's id without the service's words, then with them.
func methodNames(op *operation, about []string) []string {
	var out []string
	add := func(list []string) {
		if name := goName(list); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	if id := words(op.id); len(id) > 0 {
		if rest := without(id, about); goName(rest) != "" {
			add(rest)
		} else {
			add([]string{verbOf(op)})
		}
		add(id)
		if len(out) > 0 {
			add(append(words(out[0]), strings.ToLower(op.HTTPMethod)))
		}
		return out
	}
	verb := verbOf(op)
	var rest []string
	for _, s := range op.segments() {
		if !version.MatchString(strings.ToLower(s)) {
			rest = append(rest, words(s)...)
		}
	}
	add(append([]string{verb}, without(rest, about)...))
	add(append([]string{verb}, rest...))
	var whole []string
	for s := range strings.SplitSeq(op.Path, "/") {
		if list := words(s); len(list) > 0 && strings.Contains(s, "{") {
			whole = append(append(whole, "by"), list...)
		} else {
			whole = append(whole, list...)
		}
	}
	add(append([]string{verb}, whole...))
	return out
}

// verbOf names what a call without an id does, after its HTTP method.
func verbOf(op *operation) string {
	switch op.HTTPMethod {
	case http.MethodGet:
		if op.lists {
			return "list"
		}
		return "get"
	case http.MethodPost:
		return "create"
	case http.MethodPut:
		return "replace"
	case http.MethodPatch:
		return "update"
	default:
		return strings.ToLower(op.HTTPMethod)
	}
}
