// Package spec reads an OpenAPI 3.0 document with our extensions into plain values, and says everything that is wrong with it at once,
// each fault with its line.
//
// It knows nothing of Go names: those are the business of package plan.
package spec

import "time"

// A Document is a platform's spec. Everything keeps the order of the file.
type Document struct {
	File        string // as faults name it
	Title       string
	Description Prose
	Platform    string
	BaseURL     string
	Envelope    Envelope
	Errors      []*ErrorRow
	Windows     []*Window
	Groups      []*Group
	Schemes     []*Scheme
	Tags        map[string]string // what a service is about, by its name
	Operations  []*Operation
	Schemas     []*Schema // of components, each with a Name
	Overlay     []byte    // the text of the overlay of a draft
	Foreign     bool      // brought by a user with an overlay, and read leniently: names that clash are told apart by a number

	lines Lines
	named map[string]*Schema
}

// A Scheme is a security scheme.
type Scheme struct {
	Line   int
	Name   string
	Type   string // apiKey, http, oauth2, openIdConnect
	In     string // of an apiKey: header or query
	Param  string // of an apiKey: the name of the header or parameter
	Scheme string // of http, in small letters: bearer or basic
	Doc    string
}

// A Failure is an answer of an operation that is no success, as far as a foreign spec describes it.
type Failure struct {
	Line    int
	Status  string   // 429, 4XX, default
	Headers []string // as the spec writes them
	Schema  *Schema  // nil where it has none
}

// An Envelope lists the dotted paths at which answers carry their code and the rest; the first that is present counts.
type Envelope struct {
	Code, Subcode, Message, RequestID, Success []string
	RequestIDAfter                             []string // texts of the message after one of which the request id stands
	Good                                       []string // codes that mean success
}

// An ErrorRow is what a code means. Class, Cools and Reset are the words of the spec.
type ErrorRow struct {
	Line  int
	Code  string
	Name  Text // of its Go constant; empty for none
	Class string
	Cools string
	Reset string
	Cool  time.Duration
	Doc   string
	Says  []*ErrorRow // what it means instead where the message holds the text, which is the Code here
}

// A Window is a limit of the platform.
type Window struct {
	Line    int
	Name    string
	Limit   int
	Per     time.Duration
	Key     string
	Aligned bool
	Offset  time.Duration
	Guard   int
	Smooth  bool
	Hard    bool
	Apart   bool // each group counts by itself
	Source  string
}

// A Group is the windows that a call counts against.
type Group struct {
	Line    int
	Name    string
	Windows []Text
}

// An Operation is one call.
type Operation struct {
	Line             int
	ID               Text
	HTTPMethod       string
	Path             string
	Summary          string
	Description      Prose
	Deprecated       bool
	DeprecatedReason string
	Service          Text
	Method           Text
	Link             string // its documentation page
	Scope            string // read or write
	Group            Text   // none: not counted
	Idempotent       bool
	AnyAccount       bool
	Cost             int
	Tier             string
	Timeout          time.Duration
	Sensitive        bool
	Resets           string // whose budgets a success gives back: hour or day; empty: none
	Partial          []Text // paths of the answer that are not empty when only a part was done
	Errors           []*ErrorRow
	Auth             Text // security scheme; empty: none
	Params           []*Param
	Body             *Body
	Answer           *Answer
	Pages            *Pagination
	Tags             []string   // of a foreign spec
	Recipients       []Text     // of a foreign spec: the parameters and fields of the body that the overlay says to name who gets it
	Given            bool       // of a foreign spec's draft: the overlay has it already
	Failures         []*Failure // of a foreign spec
}

// A Param is a parameter of the path, the query or a header.
type Param struct {
	Line           int
	Name           string
	In             string
	Doc            string
	Required       bool
	Deprecated     bool
	Commas         bool // a list travels as one value with commas, not as repeated names
	FromCredential bool // filled from the credential, so that no caller gives it
	Recipient      bool // says who gets what is sent
	FromZero       bool // it counts from 0, by its default, its least or its description
	Schema         *Schema
}

// The kinds of bodies.
const (
	FormBody      = "application/x-www-form-urlencoded"
	MultipartBody = "multipart/form-data"
	JSONBody      = "application/json"
)

// A Body is what a POST carries.
type Body struct {
	Line   int
	Kind   string // MultipartBody too where the spec declares both it and FormBody
	Plain  bool   // of MultipartBody: the spec declares FormBody too, for what is sent without a file
	Schema *Schema
	Commas map[string]bool // the fields whose lists travel as one value with commas

	Repeats  map[string]bool // of a foreign spec: the fields whose lists repeat their name
	Required bool            // of a foreign spec
}

// An Answer is what a good call gives back: a download, JSON, or with both Binary and Schema one of them.
type Answer struct {
	Line   int
	Status string  // 200, 201, 2XX
	Type   string  // the media type: of the download if it can be one; empty where nothing is answered
	Binary bool    // a download
	Schema *Schema // nil for what is only a download, and where nothing is answered

	Example string // of a foreign spec: JSON of the answer that it shows; empty for none
}

// The styles of paging.
const (
	PageStyle   = "page"
	CursorStyle = "cursor"
	OffsetStyle = "offset"
)

// A Pagination says how to get the next page. Param and Items are dotted paths into request and answer.
type Pagination struct {
	Line  int
	Style string
	Param Text // of the request: page number, cursor or offset
	First Text // the number of the first page; empty where it is not said, which means 1
	Items Text // of the answer: the list
	Next  Text // of the answer: the next cursor
	Total Text // of the answer: items in all
	Pages Text // of the answer: pages in all
	Size  Text // of the request: items a page
	Count int  // what Size is set to where the caller leaves it open
}

// A Schema is a type of the spec.
type Schema struct {
	Line             int
	Name             string // of components; empty for one that stands inside another
	Ref              string // the name of another schema, which this one is
	Type             string
	Format           string
	Doc              string
	GoName           Text
	Properties       []*Property
	Required         []Text
	Items            *Schema
	MinItems         *int
	Default          *int // of a whole number: what is taken where none is sent
	Most             *int // of a whole number: the largest that there may be
	MayBeEmpty       bool // of a text: minLength is 0, so that an empty one is no forgotten one
	AllOf            []*Schema
	More             int     // the line of additionalProperties that allow something
	Values           *Schema // of a map
	Enum             []Text
	EnumNames        []Text
	Examples         []string // of a foreign spec: JSON of the values that it shows, the best first
	Nullable         bool
	Deprecated       bool
	DeprecatedReason string
}

// A Property is a field of an object. Its marks mean something at the top of a request's body.
type Property struct {
	Line           int
	Name           string
	FromCredential bool // as of a Param
	Recipient      bool
	Schema         *Schema
}
