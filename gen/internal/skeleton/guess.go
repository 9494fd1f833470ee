package skeleton

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
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
		if sign := op.writes(); sign != "" {
			return guess{scope: "write", odd: true, review: fmt.Sprintf(
				"CHECK: %s, but %s looks like a write: taken for one that is never repeated; if it only reads, "+
					"write scope: read and idempotent: true",
				method, sign)}
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
		if sign := op.acts(); sign != "" {
			return guess{scope: "write", odd: true, review: fmt.Sprintf(
				"CHECK: %s, but %s looks like one that does more when it is done twice: taken for one that is never repeated; if a second "+
					"execution does no harm, write idempotent: true",
				method, sign)}
		}
		return guess{scope: "write", idempotent: true, review: method + ", taken for a write that may be repeated"}
	default:
		return guess{scope: "write", review: method + ", taken for a write that is never repeated"}
	}
}

// sign says where a word stands that tells what a call does; empty for no word.
func sign(word, where string) string {
	if word == "" {
		return ""
	}
	return "the word " + word + " in its " + where
}

// writes returns what makes a GET look like a write.
func (o *operation) writes() string {
	id := words(o.id)
	first := slices.IndexFunc(id, isVerb)
	if first >= 0 && slices.Contains(writing, id[first]) {
		return sign(id[first], "operationId")
	}
	for i, word := range id { // get-or-create
		if i > 0 && (id[i-1] == "or" || id[i-1] == "and") && slices.Contains(writing, word) {
			return sign(word, "operationId")
		}
	}
	if verb := o.inPath(writing); verb != "" {
		return sign(verb, "path")
	}
	if said := o.says(first >= 0); said != "" {
		return said
	}
	if first >= 0 {
		return "" // it says that it reads
	}
	if verb := o.inPath(writingNouns); verb != "" {
		return sign(verb, "path")
	}
	if i := slices.IndexFunc(id, func(word string) bool { return slices.Contains(writingNouns, word) }); i == 0 {
		return sign(id[i], "operationId")
	}
	return ""
}

// says looks at what the spec says of a GET besides its names.
func (o *operation) says(nameReads bool) string {
	if word := does(o.Summary, nameReads); word != "" {
		return sign(word, "summary")
	}
	if word := does(o.Description.Text, nameReads); word != "" && !nameReads && !tells(o.Summary) {
		return sign(word, "description") // a longer text begins with anything: "Enables an app to find ..."
	}
	if o.Answer != nil && o.Answer.Status == fmt.Sprint(http.StatusAccepted) {
		return "its answer 202, which says that something has begun,"
	}
	return ""
}

// acts returns what makes a PUT or DELETE look like one that does more when it is done twice.
func (o *operation) acts() string {
	id := words(o.id)
	if first := slices.IndexFunc(id, func(word string) bool { return isVerb(word) || slices.Contains(acting, word) }); first >= 0 {
		if slices.Contains(acting, id[first]) {
			return sign(id[first], "operationId")
		}
		return ""
	}
	return sign(o.ofPath(acting), "path")
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
