// Package plan turns a spec into what the generated package will hold: services with their methods, operations, and Go types with
// all their names. Whatever the spec says that cannot become good Go is a fault.
package plan

import (
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A Plan is a whole generated package. Everything keeps the order of the spec.
type Plan struct {
	Package  string
	Doc      *spec.Document
	Services []*Service
	Types    []*Type
}

// A Service is a group of calls: one struct.
type Service struct {
	Name    string // Statuses
	Type    string // StatusesService
	About   string // what its calls are about; empty where the spec does not say
	Methods []*Method
}

// A Method is one call.
type Method struct {
	Op      *spec.Operation
	Service *Service
	Name    string
	Var     string // of its operation: OpStatusesShare
	Request *Type  // nil without parameters that a caller gives
	Fixed   *Type  // what is sent all the same where Request is nil: constants, a JSON body without fields; nil for nothing
	Answer  Answer
	Pages   *Pages

	FromCredential []string // the names on the wire, outside the path, that the authorizer fills in
}

// An Answer is what a method returns. With both Download and Value it is one of them.
type Answer struct {
	Download bool
	Value    *Value // nil where nothing is answered
}

// A Type is a declared Go type.
type Type struct {
	Line   int
	Name   string
	Schema string // its name in the spec; empty for a type that the plan makes
	Doc    string // a sentence without its subject: "is a post"
	Part   string // of a type that the plan makes: "an entry of [Order.Lines]"
	Fields []*Field
	Enum   []EnumValue // of a named scalar, whose Base says which
	Base   *Value
	Input  bool // is sent: optional fields can be left out
	JSON   bool // travels as JSON as a whole
	For    *Method

	Constants []*Field // of a request: what is sent with one value always, so that it is no field

	names map[string]*Field // fields and constants by their Go names
	wires map[string][]wire // what its fields are on the wire, by the Go names that this gives
}

// writes is the name of the method by which a value of t is sent.
func (t *Type) writes() string {
	if t.For != nil {
		return "Encode"
	}
	return "MarshalJSON"
}

func (t *Type) add(f *Field) {
	if t.names == nil {
		t.names = map[string]*Field{}
	}
	f.Input = t.Input
	t.Fields, t.names[f.Name] = append(t.Fields, f), f
}

// An EnumValue is a known value of an enum.
type EnumValue struct{ Const, Value string }

// A Field is a field of a struct.
type Field struct {
	Line             int
	Name             string
	Wire             string // its name on the wire
	Doc              string
	Value            *Value
	Required         bool
	Deprecated       bool
	DeprecatedReason string
	In               string // of a request: path, query, header, form, json or file
	Commas           bool   // a list in one value, with commas
	Repeats          bool   // of a form: a list as one value for each entry
	Recipient        bool   // of a request: says who gets what is sent
	Nullable         bool   // is sent in any case, as null where it is nil
	Always           bool   // of an object inside a request: has one value, which is sent where none is set
	Inside           bool   // of a request: the objects in it have required fields of their own
	Input            bool   // of a type that is sent
}

// A Kind is how a value is written and read.
type Kind uint8

// The kinds of values.
const (
	Scalar Kind = iota // number, text, boolean
	Enum               // a named scalar
	Text               // a scalar that says nothing when it is empty, so that it needs no pointer: an id
	Secret
	Time
	File
	Object
	List
	Map
	Raw   // anything
	Pipes // a list of texts that travels as one text, with | between them
)

// A Value is the type of a field.
type Value struct {
	Kind   Kind
	Type   string // OpenAPI's
	Format string
	Name   string // of an Object or Enum: the Go type
	Elem   *Value // of a List or Map
	Loose  bool   // a List that may be a single object
	Schema *spec.Schema
}
