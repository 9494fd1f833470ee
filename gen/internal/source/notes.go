package source

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A change is a kind of thing that a lenient reading does, told of one and of several.
type change struct{ one, several string }

// notes count what was changed, and keep the first place.
type notes struct {
	counts map[change]int
	first  map[change]int
}

func newNotes() *notes { return &notes{map[change]int{}, map[change]int{}} }

func (n *notes) add(line int, c change) {
	n.counts[c]++
	if at, ok := n.first[c]; !ok || line < at {
		n.first[c] = line
	}
}

// texts are the notes in the order of their places.
func (n *notes) texts(lines *spec.Lines) []string {
	all := make([]change, 0, len(n.counts))
	for c := range n.counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b change) int {
		return cmp.Or(cmp.Compare(n.first[a], n.first[b]), strings.Compare(a.one, b.one))
	})
	out := make([]string, len(all))
	for i, c := range all {
		file, line := lines.Place(n.first[c])
		text := c.one
		if n.counts[c] > 1 && strings.Contains(c.several, "%d") {
			text = fmt.Sprintf(c.several, n.counts[c])
		}
		out[i] = fmt.Sprintf("%s:%d: note: %s", file, line, text)
	}
	return out
}

// The kinds of changes.
var (
	plainNumber  = change{"a number without a format is read as int64 or float64", "%d numbers without a format are read as int64 or float64"}
	oddFormat    = change{"a format that says nothing about the Go type is dropped", "%d formats that say nothing about the Go type are dropped"}
	anyType      = change{"a choice of several types has no type in Go: wire.Raw in answers, any in requests", "%d choices of several types have no type in Go: wire.Raw in answers, any in requests"}
	textOrNumber = change{"a choice of text and numbers is read as text-or-number", "%d choices of text and numbers are read as text-or-number"}
	merged       = change{"an object with alternatives is read as one with the fields of all", "%d objects with alternatives are read as ones with the fields of all"}
	oddType      = change{"a type that OpenAPI does not know is read as anything", "%d types that OpenAPI does not know are read as anything"}
	oddItems     = change{"a list that does not say what it holds is read as one of anything", "%d lists that do not say what they hold are read as ones of anything"}
	oddEnum      = change{"an enum that is neither of texts nor of whole numbers is read without its values", "%d enums that are neither of texts nor of whole numbers are read without their values"}
	oddPart      = change{"a part of an allOf that is no object is left out", "%d parts of an allOf that are no objects are left out"}
	fileInJSON   = change{"a binary text inside JSON is read as plain text", "%d binary texts inside JSON are read as plain text"}
	filesAtOnce  = change{"a list of files takes one file", "%d lists of files take one file each"}
	ownCircle    = change{"a list or map that holds itself is read as anything where it does", "%d lists or maps that hold themselves are read as anything where they do"}
	oddName      = change{"a field whose name no Go tag can hold is left out", "%d fields whose names no Go tag can hold are left out"}
	emptyList    = change{"a required list that may be empty is an optional field", "%d required lists that may be empty are optional fields"}
	readOnly     = change{"a field that only the platform sets is left out of a request", "%d fields that only the platform sets are left out of requests"}

	noID         = change{"an operation without operationId, or with one that another has, is named by its method and path", "%d operations without operationId, or with one that another has, are named by their method and path"}
	noSummary    = change{"an operation without summary takes its description or id", "%d operations without summary take their description or id"}
	oddMethod    = change{"a HEAD, OPTIONS or TRACE is left out", "%d operations of HEAD, OPTIONS or TRACE are left out"}
	oddPath      = change{"an operation whose path holds ? or # is left out", "%d operations whose paths hold ? or # are left out"}
	otherServer  = change{"an operation with a server of its own is left out", "%d operations with servers of their own are left out"}
	cookie       = change{"a cookie parameter is left out", "%d cookie parameters are left out"}
	madeHeader   = change{"a header that the client makes is no parameter", "%d headers that the client makes are no parameters"}
	fromScheme   = change{"a parameter that the credential fills in is no parameter", "%d parameters that the credential fills in are no parameters"}
	joined       = change{"a parameter that is an object or a list is given as text, as the platform writes it", "%d parameters that are objects or lists are given as text, as the platform writes them"}
	spread       = change{"a parameter that is an object is given by its fields", "%d parameters that are objects are given by their fields"}
	oddParam     = change{"an optional parameter that cannot be written is left out", "%d optional parameters that cannot be written are left out"}
	pathParam    = change{"a parameter of a path is taken from the path, which does not say it as it should", "%d parameters of paths are taken from the paths, which do not say them as they should"}
	needsParam   = change{"an operation with a required parameter that cannot be written is left out", "%d operations with required parameters that cannot be written are left out"}
	bodyOfGet    = change{"the body of a GET is left out", "%d bodies of GETs are left out"}
	oneBody      = change{"a body of several media types is sent as one of them: JSON, else a form, else multipart", "%d bodies of several media types are sent as one of them: JSON, else a form, else multipart"}
	otherJSON    = change{"a body of a JSON type of its own is sent as application/json", "%d bodies of JSON types of their own are sent as application/json"}
	oddBody      = change{"an operation with a body that is neither JSON nor a form is left out", "%d operations with bodies that are neither JSON nor forms are left out"}
	oneAnswer    = change{"an answer of several media types is read as one of them: JSON first", "%d answers of several media types are read as one of them: JSON first"}
	goodAnswers  = change{"of several good answers of an operation the first with content is read", "of several good answers of %d operations the first with content is read"}
	noGoodAnswer = change{"an operation declares no good answer: what comes is taken for one without content, or as its default says", "%d operations declare no good answer: what comes is taken for one without content, or as their default says"}
	oneScheme    = change{"an operation offers several schemes: the first that a client can use is taken", "%d operations offer several schemes: the first that a client can use is taken"}
	bothSchemes  = change{"an operation wants several schemes at once: only the first that a client can use is taken", "%d operations want several schemes at once: only the first that a client can use is taken"}
	noScheme     = change{"an operation has no scheme that a client can use, and is called without credential", "%d operations have no scheme that a client can use, and are called without credential"}
	oneServer    = change{"of several servers the first absolute https address is taken", "of several servers the first absolute https address is taken"}
	serverVars   = change{"the variables of the server take their defaults", "the variables of the server take their defaults"}
	oddExtension = change{"an extension that has the name of ours and says something else is ignored", "%d extensions that have names of ours and say something else are ignored"}
)

func (n *notes) copy() *notes { return &notes{maps.Clone(n.counts), maps.Clone(n.first)} }
