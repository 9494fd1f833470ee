package skeleton

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
)

// The verbs by which calls are known that do not do what their HTTP method says. Those that are nouns as often (a lock, an archive) tell
// less: they do not count where another word says that the call reads.
var (
	writing = []string{
		"delete", "remove", "create", "update", "send", "set", "cancel", "reset", "add", "insert", "save", "submit", "publish", "edit", "modify",
		"replace", "revoke", "approve", "reject", "activate", "deactivate", "enable", "disable", "start", "stop", "restart", "trigger",
		"execute", "register", "unregister", "subscribe", "unsubscribe", "logout", "pay", "refund", "destroy", "clear", "reboot", "rotate",
		"rename", "upload", "invite", "unlock", "restore",
	}
	writingNouns = []string{"post", "change", "run", "move", "join", "leave", "lock", "archive", "purge", "mark", "import"}
	reading      = []string{
		"search", "query", "list", "get", "find", "count", "fetch", "lookup", "read", "show", "describe", "retrieve", "browse", "batchget", "mget",
		"suggest", "autocomplete", "estimate", "download", "export", "watch", "head",
	}
	readingNouns = []string{"check", "filter", "view", "preview"}
)

// A guess is what an operation is taken for, and why.
type guess struct {
	scope      string
	idempotent bool
	review     string
	odd        bool // its name says otherwise than its HTTP method
}

// take guesses what a call does. A wrong guess must not hurt: what is in doubt is never repeated.
func take(op *operation) guess {
	method := op.HTTPMethod
	switch method {
	case http.MethodGet, http.MethodHead:
		if verb, where := op.writes(); verb != "" {
			return guess{scope: "write", odd: true, review: fmt.Sprintf(
				"CHECK: %s, but the word %s in its %s looks like a write: taken for one that is never repeated; if it only reads, "+
					"write scope: read and idempotent: true",
				method, verb, where)}
		}
		return guess{scope: "read", idempotent: true, review: method + ", taken for a read"}
	case http.MethodPost:
		if verb, where := op.reads(); verb != "" {
			return guess{scope: "read", odd: true, review: fmt.Sprintf(
				"CHECK: POST, but the word %s in its %s looks like a read: taken for one that is not repeated; if a second execution does "+
					"no harm, write idempotent: true",
				verb, where)}
		}
		return guess{scope: "write", review: "POST, taken for a write that is never repeated"}
	case http.MethodPut, http.MethodDelete:
		return guess{scope: "write", idempotent: true, review: method + ", taken for a write that may be repeated"}
	default:
		return guess{scope: "write", review: method + ", taken for a write that is never repeated"}
	}
}

// writes returns the verb that makes a GET look like a write, and where it stands.
func (o *operation) writes() (verb, where string) {
	id := words(o.id)
	first := slices.IndexFunc(id, isVerb)
	if first >= 0 && slices.Contains(writing, id[first]) {
		return id[first], "operationId"
	}
	for i, word := range id { // get-or-create
		if i > 0 && (id[i-1] == "or" || id[i-1] == "and") && slices.Contains(writing, word) {
			return word, "operationId"
		}
	}
	if verb := o.inPath(writing); verb != "" {
		return verb, "path"
	}
	if first >= 0 {
		return "", "" // it says that it reads
	}
	if verb := o.inPath(writingNouns); verb != "" {
		return verb, "path"
	}
	if i := slices.IndexFunc(id, func(word string) bool { return slices.Contains(writingNouns, word) }); i == 0 {
		return id[i], "operationId"
	}
	return "", ""
}

// reads returns the verb that makes a POST look like a read.
func (o *operation) reads() (verb, where string) {
	id := words(o.id)
	if first := slices.IndexFunc(id, isVerb); first >= 0 {
		if slices.Contains(reading, id[first]) {
			return id[first], "operationId"
		}
		return "", ""
	}
	if len(id) > 0 {
		if slices.Contains(readingNouns, id[0]) {
			return id[0], "operationId"
		}
		if slices.Contains(writingNouns, id[0]) {
			return "", ""
		}
	}
	if verb := o.ofPath(slices.Concat(reading, readingNouns)); verb != "" {
		return verb, "path"
	}
	return "", ""
}

// isVerb reports whether a word says what a call does. The first one that does so tells: the reset in getResetToken is a noun.
func isVerb(word string) bool {
	return slices.Contains(writing, word) || slices.Contains(reading, word)
}

// inPath looks for a verb at the beginning of the path's parts, the last of them first: /users/{id}/delete, /sendMessage.
func (o *operation) inPath(verbs []string) string {
	if verb := o.ofPath(verbs); verb != "" {
		return verb
	}
	for _, segment := range slices.Backward(o.segments()) {
		if verb := begins(segment, verbs); verb != "" {
			return verb
		}
	}
	return ""
}

// ofPath looks for a verb at the end of the path only, where actions stand: /users/search, /users:search.
func (o *operation) ofPath(verbs []string) string {
	end := o.Path[strings.LastIndex(o.Path, "/")+1:]
	if _, action, ok := strings.Cut(end, ":"); ok {
		return begins(action, verbs)
	}
	if strings.Contains(end, "{") {
		return ""
	}
	return begins(end, verbs)
}

// begins returns the first word of a text if it is one of the verbs.
func begins(text string, verbs []string) string {
	if list := words(text); len(list) > 0 && slices.Contains(verbs, list[0]) {
		return list[0]
	}
	return ""
}

// remarks are what else a reviewer should know.
func (o *operation) remarks() []string {
	var out []string
	for _, p := range o.Params {
		if p.In == "header" && strings.Contains(plain(p.Name), "idempotencykey") {
			out = append(out, "takes "+p.Name+": always sent with a value of its own, it may be repeated")
		}
	}
	if o.Deprecated {
		out = append(out, "deprecated, skip: true leaves it out")
	}
	return out
}
