// Package skeleton writes the overlay that a foreign spec lacks: what each call is taken for, and why, to be read and corrected by
// whoever knows the platform.
package skeleton

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A Summary says how much there is to read.
type Summary struct {
	Operations int
	Odd        int // whose names say otherwise than their HTTP methods
}

// Overlay returns the skeleton for a foreign spec, in the order of the spec. Each operation is a guess and says so in a review line, as
// long as which stands nothing is generated; without these lines it is a whole overlay.
func Overlay(doc *spec.Document) (string, Summary) {
	w := newWriter(doc)
	w.failures, w.known = failures(doc, w.ops)
	w.head()
	w.envelope()
	w.errors()
	w.quotas()
	w.operations()
	return readable(w.text.String()), w.summary
}

type writer struct {
	doc      *spec.Document
	ops      []*operation
	names    *namer
	failures envelope
	known    bool // the spec describes some
	text     strings.Builder
	summary  Summary
}

func newWriter(doc *spec.Document) *writer {
	return &writer{doc: doc, ops: operations(doc), names: newNamer(doc)}
}

func (w *writer) comment(format string, args ...any) {
	w.text.WriteString(wrapped(fmt.Sprintf(format, args...)))
}
func (w *writer) line(format string, args ...any) { fmt.Fprintf(&w.text, format+"\n", args...) }
func (w *writer) blank()                          { w.text.WriteByte('\n') }

// at names a line of the spec.
func (w *writer) at(line int) string {
	file, in := w.doc.Place(line)
	return fmt.Sprintf("%s:%d", file, in)
}

func (w *writer) head() {
	file := filepath.Base(w.doc.File)
	name := strings.TrimSuffix(file, filepath.Ext(file))
	pkg := w.packageName(name)
	w.comment("What %s does not say of its calls: where each stands in the Go API, whether it may be repeated, what it counts against. "+
		"All of it is guessed, for you to correct. %s itself stays as it is.", file, file)
	w.line("#")
	w.line("# 1. Read each operation below, correct what is wrong, and delete its review line: as long as one stands, nothing is")
	w.line("#    generated. Those that begin with CHECK need a look at the platform's documentation.")
	w.line("# 2. Then, with the name that you have given to this file:")
	w.line("#    go run github.com/dujiang-go/dujiang/gen@latest -spec %s -overlay %s -package %s -out %s", shellWord(w.doc.File),
		shellWord(name+".overlay.yaml"), pkg, pkg)
	w.line("#")
	w.line("# x-sdk         the method in Go: client.Service.Method(ctx, ...)")
	w.line("# scope         read or write: a throttled write does not stop the reads, nor the other way round")
	w.line("# idempotent    true if a second execution does no harm. It alone decides: true is repeated when an answer is lost, false")
	w.line("#               ends in resilience.ErrUnknownOutcome instead of doing the thing twice")
	w.line("# group         which limits of x-quotas the call counts against; none: it is not counted")
	w.line("# x-pagination  makes an iterator over all pages beside the method: List gets ListAll")
	w.line("# recipients    [toUser]: the parameters, or fields of the body, that say who gets it, for windows with key: recipient")
	w.line("# skip: true    leaves an operation out")
	w.line("#")
	w.line("# All keys: %s", reference)
	w.blank()
	w.line("x-platform: %s # its name in errors, events and Health: small letters, digits and hyphens", platform(w.doc))
	if address, given := server(w.doc); given {
		w.line("# server: %s # where the calls go: set it to send them elsewhere", address)
	} else {
		w.line("server: %s # the spec names no https address: write where the calls go", address)
	}
}

// packageName makes a package name of the file's, or of the platform's where the file's says nothing.
func (w *writer) packageName(file string) string {
	for _, from := range []string{file, platform(w.doc)} {
		name := strings.Join(strings.FieldsFunc(strings.ToLower(from), func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < '0' || r > '9')
		}), "")
		if name != "" && name[0] >= 'a' && !slices.Contains([]string{"spec", "openapi", "swagger", "api", "index", "schema"}, name) {
			return name
		}
	}
	return "acme"
}

// reference is the page that explains every key.
const reference = "https://github.com/dujiang-go/dujiang/blob/main/specs/README.md"

// envelope writes what is known of errors as examples, switched off: a wrong path here makes refusals of good answers.
func (w *writer) envelope() {
	w.blank()
	w.comment("Where answers carry their error code. Without it the HTTP status alone says what went wrong (429 throttled, 401 credential, " +
		"404 not found, 5xx transient ...), which is right for most platforms. With it, errors carry the platform's own code and text, and a " +
		"refusal inside HTTP 200 is found.")
	e := w.failures
	if w.known {
		w.comment("The spec describes errors so: %s, first at %s.", spec.Count(e.calls, "operation"), w.at(e.line))
	} else {
		w.comment("The spec describes no errors: the paths below show the form, and are to be replaced by the platform's.")
	}
	if e.clash != "" {
		w.comment("Careful: the good answer of %s has a field %s too. good lists the values of it that mean success; any other would be taken "+
			"for a refusal.", e.clash, e.code)
	}
	w.line("# x-envelope:")
	w.example("code", e.code, "error.code")
	w.example("message", e.message, "error.message")
	if e.requestID != "" {
		w.line("#   request_id: [%s]", scalar(e.requestID))
	}
	if e.clash != "" || !w.known {
		good, why := w.good()
		w.line("#   good: [%s] # codes that mean success, where good answers carry one: %s", good, why)
	}
}

// errors writes what the spec's codes are taken for. Those whose words leave a doubt get no row: then the HTTP status holds.
func (w *writer) errors() {
	w.blank()
	w.comment("What codes mean, where the HTTP status does not say it; a row holds against the status. It needs x-envelope.code. class is one of:")
	w.comment("%s.", strings.Join(spec.Classes(), ", "))
	if w.known && w.failures.code == "" {
		w.comment("The spec's errors have no code, so that there is nothing to say a meaning of.")
		return
	}
	var rows, doubtful []string
	for _, code := range w.failures.codes {
		if c := class(code); c != "" {
			rows = append(rows, fmt.Sprintf("#   %s: {class: %s}", quoted(code), c))
		} else {
			doubtful = append(doubtful, code)
		}
	}
	switch {
	case len(w.failures.codes) == 0:
		const below = 3 // the head of a table, and what divides it from the rows
		text := "No schema of the spec lists codes: write the platform's own in the place of CODE."
		if where := w.look(codeWords, below); where != "" {
			text += " Its texts are not read, and may tell them: look at " + where + "."
		}
		w.comment("%s", text)
	case len(doubtful) > 0:
		w.comment("Of these codes of the spec the words do not tell more than the HTTP status: %s.", line(strings.Join(doubtful, ", "), 800))
	}
	w.line("# x-errors:")
	for _, row := range rows {
		w.line("%s", row)
	}
	if len(rows) == 0 {
		w.line("#   CODE: {class: throttled}")
	}
}

func (w *writer) example(key, found, otherwise string) {
	switch {
	case found != "":
		w.line("#   %s: [%s]", key, scalar(found))
	case !w.known:
		w.line("#   %s: [%s]", key, otherwise)
	}
}

// quoted writes a code as a text, since 40001 without quotes is a number to its reader.
func quoted(code string) string {
	if text := scalar(code); text[0] == '"' {
		return text
	}
	return `"` + code + `"`
}
