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

// notes keep the places of what was changed, and the names of the operations where these say more.
type notes struct {
	places map[change][]int
	names  map[change][]string
	said   map[int][]string   // what is told word by word
	fields map[noted][]string // what stands at a place, where its line says too little
}

// A noted is a place of a change.
type noted struct {
	change
	line int
}

func newNotes() *notes {
	return &notes{map[change][]int{}, map[change][]string{}, map[int][]string{}, map[noted][]string{}}
}

func (n *notes) copy() *notes {
	return &notes{maps.Clone(n.places), maps.Clone(n.names), maps.Clone(n.said), maps.Clone(n.fields)}
}

func (n *notes) add(line int, c change) { n.places[c] = append(n.places[c], line) }

// addNamed is add for what is told with the operation's name.
func (n *notes) addNamed(line int, c change, operation string) {
	n.add(line, c)
	n.names[c] = append(n.names[c], operation)
}

// addField is add for what is told with the field, or the operation, that it is about: with some of many.
func (n *notes) addField(line int, c change, what string) {
	n.add(line, c)
	n.fields[noted{c, line}] = append(n.fields[noted{c, line}], what)
}

// say adds a note of its own.
func (n *notes) say(line int, text string) { n.said[line] = append(n.said[line], text) }

// texts are the notes in the order of their first places.
func (n *notes) texts(lines *spec.Lines) []string {
	type note struct {
		line int
		text string
	}
	var all []note
	for c, places := range n.places {
		all = append(all, note{slices.Min(places), n.text(c, lines)})
	}
	for line, texts := range n.said {
		for _, text := range texts {
			all = append(all, note{line, text})
		}
	}
	slices.SortFunc(all, func(a, b note) int { return cmp.Or(cmp.Compare(a.line, b.line), strings.Compare(a.text, b.text)) })
	out := make([]string, len(all))
	for i, one := range all {
		file, line := lines.Place(one.line)
		out[i] = fmt.Sprintf("%s:%d: note: %s", file, line, one.text)
	}
	return out
}

// text tells of a kind of change: how often it was made, and of which operations or where else.
func (n *notes) text(c change, lines *spec.Lines) string {
	places := n.places[c]
	text := c.one
	if len(places) > 1 && strings.Contains(c.several, "%d") {
		text = fmt.Sprintf(c.several, len(places))
	}
	if names := n.names[c]; len(names) > 0 {
		return text + ": " + strings.Join(names, ", ")
	}
	const most = 4
	others := slices.Compact(slices.Sorted(slices.Values(places)))
	first, others := others[0], others[1:]
	if fields := n.fields[noted{c, first}]; len(fields) > 0 {
		text += ": " + strings.Join(fields, " and ")
	}
	if len(others) == 0 {
		return text
	}
	var also []string
	for _, line := range others[:min(len(others), most)] {
		also = append(also, strings.TrimSpace(lines.Text(line, first)+" "+strings.Join(n.fields[noted{c, line}], " and ")))
	}
	where := strings.Join(also, ", ")
	if more := len(others) - most; more > 0 {
		where += fmt.Sprintf(" and %d more", more)
	}
	return text + " (also " + where + ")"
}

// ownBody is the way to send what a request has no room for.
const ownBody = "; client.Do(ctx, op, body, &out) sends a body as it is, with resilience.WithParam for a path"

// anyGiven is what becomes of what has no type.
const anyGiven = " (wire.Raw in answers, which json.Unmarshal reads; any in requests, where you give what the alternative wants)"

// askForJSON is what to do where a platform has a choice.
const askForJSON = ", and no Accept is sent: where the platform gives another by itself, a transport of yours (WithTransport) has to ask for JSON"

// The kinds of changes.
var (
	plainNumber  = change{"a number without a format is read as int64 or float64", "%d numbers without a format are read as int64 or float64"}
	oddFormat    = change{"a format that says nothing about the Go type is dropped", "%d formats that say nothing about the Go type are dropped"}
	anyType      = change{"a choice of several types has no type in Go" + anyGiven, "%d choices of several types have no type in Go" + anyGiven}
	textOrNumber = change{"a choice of text and numbers is read as text-or-number", "%d choices of text and numbers are read as text-or-number"}
	merged       = change{"an object with alternatives is read as one with the fields of all", "%d objects with alternatives are read as ones with the fields of all"}
	oddType      = change{"a type that OpenAPI does not know is read as anything", "%d types that OpenAPI does not know are read as anything"}
	oddItems     = change{"a list that does not say what it holds is read as one of anything", "%d lists that do not say what they hold are read as ones of anything"}
	oddEnum      = change{"an enum that is neither of texts nor of whole numbers is read without its values", "%d enums that are neither of texts nor of whole numbers are read without their values"}
	noValue      = change{"a field whose values in the parts of an allOf exclude each other is read without them", "%d fields whose values in the parts of an allOf exclude each other are read without them"}
	besideRef    = change{"what stands beside a $ref is ignored, as OpenAPI 3.0 has it: write an allOf of both", "what stands beside %d $refs is ignored, as OpenAPI 3.0 has it: write an allOf of both"}
	oddPart      = change{"a part of an allOf that is no object is left out", "%d parts of an allOf that are no objects are left out"}
	fileInJSON   = change{"a binary text inside JSON is read as plain text", "%d binary texts inside JSON are read as plain text"}
	moreValues   = change{"what an object may hold beside its properties is neither read nor sent", "what %d objects may hold beside their properties is neither read nor sent"}
	oddEncoding  = change{"a field of a form whose encoding is no JSON, no list with commas and no repeated name is left out", "%d fields of forms whose encodings are no JSON, no lists with commas and no repeated names are left out"}
	filesAtOnce  = change{"a list of files takes one file", "%d lists of files take one file each"}
	ownCircle    = change{"a list or map that holds itself is read as anything where it does", "%d lists or maps that hold themselves are read as anything where they do"}
	oddName      = change{"a field whose name no Go tag can hold is left out", "%d fields whose names no Go tag can hold are left out"}
	emptyList    = change{"a required list of a request that may be empty is an optional field: an empty one is sent, nil is not", "%d required lists of requests that may be empty are optional fields: an empty one is sent, nil is not"}
	emptyInForm  = change{"a required list of a form that may be empty is an optional field: of an empty one nothing is sent", "%d required lists of forms that may be empty are optional fields: of an empty one nothing is sent"}
	neverNull    = change{"an optional field of a request that may be null is left out, and never sent as null" + ownBody, "%d optional fields of requests that may be null are left out, and never sent as null" + ownBody}
	readOnly     = change{"a field that only the platform sets is left out of a request", "%d fields that only the platform sets are left out of requests"}

	noID           = change{"an operation without operationId, or with one that another has, is named by its method and path", "%d operations without operationId, or with one that another has, are named by their method and path"}
	noSummary      = change{"an operation without summary takes its description or id", "%d operations without summary take their description or id"}
	oddMethod      = change{"a HEAD, OPTIONS or TRACE is left out", "%d operations of HEAD, OPTIONS or TRACE are left out"}
	calledBack     = change{"what the platform calls by itself is left out, a webhook or callback: a handler of yours takes it", "what the platform calls by itself is left out, %d webhooks or callbacks: handlers of yours take them"}
	twinPath       = change{"an operation whose path stands there twice, with and without its slash, is left out the second time", "%d operations whose paths stand there twice, with and without their slash, are left out the second time"}
	oddPath        = change{"an operation whose path holds ? or # is left out", "%d operations whose paths hold ? or # are left out"}
	otherServer    = change{"an operation with a server of its own is left out", "%d operations with servers of their own are left out"}
	cookie         = change{"a cookie parameter is left out", "%d cookie parameters are left out"}
	madeHeader     = change{"a header that the client makes is no parameter", "%d headers that the client makes are no parameters"}
	fromScheme     = change{"a parameter that the credential fills in is no parameter", "%d parameters that the credential fills in are no parameters"}
	joined         = change{"a parameter that is an object or a list is given as text, as the platform writes it", "%d parameters that are objects or lists are given as text, as the platform writes them"}
	textForAll     = change{"a parameter of several types is given as text: its lists and objects cannot be sent otherwise", "%d parameters of several types are given as text: their lists and objects cannot be sent otherwise"}
	oddChoice      = change{"of alternatives the objects are given by their fields: those that are none cannot be sent", "of %d choices the objects are given by their fields: the alternatives that are none cannot be sent"}
	spread         = change{"a parameter that is an object is given by its fields", "%d parameters that are objects are given by their fields"}
	spreadTwin     = change{"a field of an object parameter that has the name of another parameter is left out", "%d fields of object parameters that have the names of other parameters are left out"}
	oddParam       = change{"an optional parameter that cannot be written is left out", "%d optional parameters that cannot be written are left out"}
	pathParam      = change{"a parameter of a path is taken from the path, which does not say it as it should", "%d parameters of paths are taken from the paths, which do not say them as they should"}
	needsParam     = change{"an operation with a required parameter that cannot be written is left out", "%d operations with required parameters that cannot be written are left out"}
	bodyOfGet      = change{"the body of a GET is left out", "%d bodies of GETs are left out"}
	bodyOfDelete   = change{"a body of a DELETE that is neither JSON nor a form, and not required, is left out", "%d bodies of DELETEs that are neither JSON nor forms, and not required, are left out"}
	oneBody        = change{"a body of several media types is sent as one of them: JSON, else a form, else multipart", "%d bodies of several media types are sent as one of them: JSON, else a form, else multipart"}
	anyBody        = change{"a body of any media type is sent as JSON", "%d bodies of any media type are sent as JSON"}
	otherJSON      = change{"a body of a JSON type of its own is sent as application/json, which the platform may refuse", "%d bodies of JSON types of their own are sent as application/json, which the platform may refuse"}
	oddBody        = change{"an operation with a body that is neither JSON nor a form is left out", "%d operations with bodies that are neither JSON nor forms are left out"}
	needsField     = change{"an operation whose body needs a field that cannot be written is left out", "%d operations whose bodies need fields that cannot be written are left out"}
	hugeBody       = change{"an operation whose form unfolds to too many fields is left out", "%d operations whose forms unfold to too many fields are left out"}
	oneAnswer      = change{"an answer of several media types is read as its first JSON" + askForJSON, "%d answers of several media types are read as their first JSON" + askForJSON}
	pagesOnly      = change{"an answer that is JSON or a download is read as JSON, since it has x-pagination", "%d answers that are JSON or downloads are read as JSON, since they have x-pagination"}
	textAnswer     = change{"an answer of plain text is a download: the method gives a stream", "%d answers of plain text are downloads: the methods give streams"}
	otherAnswer    = change{"an answer that is no JSON is a download, whatever its schema says: the method gives a stream", "%d answers that are no JSON are downloads, whatever their schemas say: the methods give streams"}
	goodAnswers    = change{"of several good answers of an operation the first with content is read, and another as if it were that one", "of several good answers of %d operations the first with content is read, and another as if it were that one"}
	noGoodAnswer   = change{"an operation declares no good answer: what comes is taken for one without content, or as its default says", "%d operations declare no good answer: what comes is taken for one without content, or as their default says"}
	oneScheme      = change{"an operation offers several schemes: the first that a client can use is taken", "%d operations offer several schemes: the first that a client can use is taken"}
	severalSchemes = change{"an operation wants several schemes at once: one is the credential, and each other key a required field of the request", "%d operations want several schemes at once: one is the credential, and each other key a required field of the request"}
	twinSchemes    = change{"an operation wants two schemes at once that write to the same place: it can only be skipped", "%d operations want two schemes at once that write to the same place: they can only be skipped"}
	partScheme     = change{"of the schemes that an operation wants at once a client cannot use all: a transport of yours has to add the others", "of the schemes that %d operations want at once a client cannot use all: a transport of yours has to add the others"}
	openHeader     = change{"an Authorization header that no security scheme writes is a field of the request", "%d Authorization headers that no security scheme writes are fields of requests"}
	noScheme       = change{"an operation has no scheme that a client can use, and is called without credential", "%d operations have no scheme that a client can use, and are called without credential"}
	oneServer      = change{"of several servers the first absolute https address is taken", "of several servers the first absolute https address is taken"}
	serverVars     = change{"the variables of the server take their defaults", "the variables of the server take their defaults"}
	oddExtension   = change{"an extension that has the name of ours and says something else is ignored", "%d extensions that have names of ours and say something else are ignored"}
)
