package wire

import (
	"encoding/json"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
)

// Params is what request types implement: the request writes itself into e.
type Params interface {
	Encode(e *Encoder)
}

// An Encoder collects a request's parameters for one operation, and every fault on the way. Parameters keep the order in which they
// come. Generated requests are its users; see [Encode].
type Encoder struct {
	op     *resilience.Operation
	req    *resilience.Request
	room   []resilience.Param // of the first list that is begun
	json   jsonText           // what is being written
	faults []string
}

// Encode returns the parameters of req for op, as [Do] sends them. The error is a [resilience.RefusedError] with ErrInvalidRequest
// that names every fault. A nil req has no parameters.
func Encode(op *resilience.Operation, req Params) (resilience.Request, error) {
	if op == nil {
		return resilience.Request{}, refuse(nil, "the operation is nil")
	}
	var out resilience.Request
	e := Encoder{op: op, req: &out}
	if req != nil {
		req.Encode(&e)
	}
	if err := e.err(); err != nil {
		return resilience.Request{}, err
	}
	return out, nil
}

// Path fills {name} in the operation's path with value, which must not be empty nor a path of its own ("." or "..").
func (e *Encoder) Path(name, value string) {
	switch value {
	case "":
		e.fault(`path parameter "` + name + `" is empty: it is a part of the address`)
	case ".", "..":
		e.fault(`path parameter "` + name + `" is "` + value + `": it would change the address`)
	default:
		e.req.Path = append(e.req.Path, resilience.Param{Name: name, Value: value})
	}
}

// Query adds a parameter to the query.
func (e *Encoder) Query(name, value string) { e.req.Query = e.add(e.req.Query, name, value) }

// Form adds a parameter to the form of the body, or a text part to a multipart body.
func (e *Encoder) Form(name, value string) { e.req.Form = e.add(e.req.Form, name, value) }

// QueryJSON adds v to the query as JSON text in one value; a text, which anything may be, as it is.
func (e *Encoder) QueryJSON(name string, v any) {
	if p, ok := e.param(name, v); ok {
		e.Query(name, p.Value)
	}
}

// FormJSON adds v to the form as JSON text in one value; a text, which anything may be, as it is.
func (e *Encoder) FormJSON(name string, v any) {
	if p, ok := e.param(name, v); ok {
		e.Form(name, p.Value)
		e.req.Form[len(e.req.Form)-1].JSON = p.JSON
	}
}

// param makes one value of v.
func (e *Encoder) param(name string, v any) (p resilience.Param, ok bool) {
	text, ok := e.marshal(name, v)
	if !ok {
		return p, false
	}
	if text[0] == '"' && json.Unmarshal(text, &p.Value) == nil {
		return p, true
	}
	return resilience.Param{Value: string(text), JSON: true}, true
}

// JSON makes v the body. Nothing in it is escaped that JSON lets be raw: platforms measure and match the text that travels, and some
// refuse \u escapes. Hence a control character, which has no other form, is a fault, as is text that is not UTF-8.
func (e *Encoder) JSON(v any) {
	text, ok := e.marshal("body", v)
	if !ok {
		return
	}
	if isNull(text) {
		text = []byte("{}")
	}
	raw, fault := unescaped(text)
	if fault != "" {
		e.fault("the body holds " + fault)
	}
	e.req.JSON = raw
}

// Recipient names who gets the call, for windows that count what one recipient gets.
func (e *Encoder) Recipient(names ...string) { e.req.Recipients = append(e.req.Recipients, names...) }

// Header adds a header that the operation takes. What the client and the authorizer set holds in its place.
func (e *Encoder) Header(name, value string) {
	e.req.Header = append(e.req.Header, resilience.Param{Name: name, Value: value})
}

// Reveal returns the text of a secret that is sent, and keeps it out of every error.
func (e *Encoder) Reveal(s resilience.Secret) string {
	if s != "" {
		e.req.Secrets = append(e.req.Secrets, s)
	}
	return s.Reveal()
}

// File adds a file part called name; a nil f adds none.
func (e *Encoder) File(name string, f *File) {
	if f == nil {
		return
	}
	if f.Open == nil {
		e.fault(`file "` + name + `" has no content: make it with FileBytes, FilePath or FileReader`)
		return
	}
	part := *f
	part.Field = name
	e.req.Files = append(e.req.Files, part)
}

// Missing records that the required parameter name is not set.
func (e *Encoder) Missing(name string) {
	e.fault(`required parameter "` + name + `" is not set: fill its field of the request`)
}

func (e *Encoder) add(list []resilience.Param, name, value string) []resilience.Param {
	if list == nil {
		list, e.room = e.room, nil
	}
	return append(list, resilience.Param{Name: name, Value: value})
}

func (e *Encoder) marshal(name string, v any) ([]byte, bool) {
	text, err := e.json.marshal(v)
	if err != nil {
		e.fault(`parameter "` + name + `" cannot be written as JSON: ` + err.Error())
		return nil, false
	}
	return text, true
}

func (e *Encoder) fault(text string) { e.faults = append(e.faults, text) }

func (e *Encoder) err() error {
	if len(e.faults) == 0 {
		return nil
	}
	return refuse(e.op, strings.Join(e.faults, "; "))
}

// JSON is the parameters of a call that the spec does not know: v becomes the JSON body of a POST, {} if it is nil. A GET has no body,
// and v must be nil.
func JSON(v any) Params { return jsonParams{v} }

type jsonParams struct{ value any }

func (p jsonParams) Encode(e *Encoder) {
	switch {
	case e.op.HTTPMethod != http.MethodGet && p.value == nil:
		e.req.JSON = []byte("{}")
	case e.op.HTTPMethod != http.MethodGet:
		e.JSON(p.value)
	case p.value != nil:
		e.fault("a GET has no body: give its parameters by resilience.WithParam")
	}
}

// Values is the parameters of a call that the spec does not know: plain text, sent sorted by name. What the operation's path names
// in {} fills the path; the rest travels in the form of a POST, PUT or PATCH, and in the query of other methods.
type Values map[string]string

// Encode writes the values into e.
func (v Values) Encode(e *Encoder) {
	names := slices.AppendSeq(make([]string, 0, len(v)), maps.Keys(v))
	slices.Sort(names)
	for _, name := range names {
		switch {
		case strings.Contains(e.op.Path, "{"+name+"}"):
			e.Path(name, v[name])
		case e.op.HTTPMethod == http.MethodPost, e.op.HTTPMethod == http.MethodPut, e.op.HTTPMethod == http.MethodPatch:
			e.Form(name, v[name])
		default:
			e.Query(name, v[name])
		}
	}
}

// Text returns the text form of a parameter's value: numbers in decimal without exponent, booleans as true and false.
func Text[T ~string | ~int | ~int32 | ~int64 | ~float64 | ~bool](v T) string {
	switch x := any(v).(type) {
	case string:
		return x
	case int:
		return strconv.Itoa(x)
	case int32:
		return strconv.FormatInt(int64(x), 10)
	case int64:
		return strconv.FormatInt(x, 10)
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case bool:
		return strconv.FormatBool(x)
	}
	return namedText(reflect.ValueOf(v))
}

func namedText(v reflect.Value) string {
	switch {
	case v.CanInt():
		return strconv.FormatInt(v.Int(), 10)
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'f', -1, 64)
	case v.Kind() == reflect.Bool:
		return strconv.FormatBool(v.Bool())
	default:
		return v.String()
	}
}
