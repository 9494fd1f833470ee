package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
)

// spare is how many parameters authorizers usually add.
const spare = 4

// An Outgoing is one attempt's request before it is HTTP: authorizers add tokens and signatures to it. It belongs to its attempt and
// may be changed freely, but for the bytes of JSON and the Files, which all attempts of a call share.
type Outgoing struct {
	Op          *resilience.Operation
	Base        string // "https://api.weibo.com"
	Path        string // starts with "/"
	Query, Form []resilience.Param
	JSON        []byte
	Files       []resilience.File
	Header      http.Header

	// Room for what most attempts need, so that it is one allocation with the rest.
	room    [spare]resilience.Param
	reader  bytes.Reader
	url     url.URL
	request http.Request
}

// NewOutgoing prepares an attempt of req: a copy, so that attempts never share what authorizers change. {name} in the operation's
// path is filled from req.Path; what is left is for an authorizer's [Outgoing.SetPath].
func NewOutgoing(base string, op *resilience.Operation, req *resilience.Request) *Outgoing {
	o := &Outgoing{
		Op: op, Base: strings.TrimSuffix(base, "/"), Path: op.Path,
		Form: roomy(req.Form), JSON: req.JSON, Files: slices.Clip(req.Files),
		Header: make(http.Header, spare),
	}
	o.Query = append(o.room[:0], req.Query...)
	for _, p := range req.Header {
		o.Header.Add(p.Name, p.Value)
	}
	for _, p := range req.Path {
		o.SetPath(p.Name, p.Value)
	}
	return o
}

func roomy(params []resilience.Param) []resilience.Param {
	if len(params) == 0 {
		return nil
	}
	return append(make([]resilience.Param, 0, len(params)+spare), params...)
}

// SetPath fills {name} in the path with value, escaped.
func (o *Outgoing) SetPath(name, value string) {
	o.Path = strings.ReplaceAll(o.Path, "{"+name+"}", url.PathEscape(value))
}

// Fill sets a parameter from the credential, a text or a number, where the operation takes its own: in the JSON body if there is one,
// else in the form of a POST or the query of a GET. It replaces the caller's, if there is one.
func (o *Outgoing) Fill(name string, value any) error {
	if secret, ok := value.(resilience.Secret); ok {
		value = secret.Reveal()
	}
	switch text := fmt.Sprint(value); {
	case o.JSON != nil:
		return o.fillJSON(name, value)
	case o.Op.HTTPMethod == http.MethodGet:
		o.Query = Set(o.Query, name, text)
	default:
		o.Form = Set(o.Form, name, text)
	}
	return nil
}

// Set adds a parameter to the end of params, in the place of those of its name.
func Set(params []resilience.Param, name, value string) []resilience.Param {
	params = slices.DeleteFunc(params, func(p resilience.Param) bool { return p.Name == name })
	return append(params, resilience.Param{Name: name, Value: value})
}

// fillJSON writes a member in front of those of the body, in bytes of its own: attempts share the body.
func (o *Outgoing) fillJSON(name string, value any) error {
	s := scanner{data: o.JSON}
	if s.space() != '{' {
		return fmt.Errorf("%s: the body must be a JSON object, for %s belongs into it", o.Op, name)
	}
	member, err := rawJSON(map[string]any{name: value})
	if err != nil {
		return fmt.Errorf("%s: %s cannot be written as JSON: %w", o.Op, name, err)
	}
	body := append(make([]byte, 0, len(member)+len(o.JSON)), member[:len(member)-1]...)
	whole := s.members(0, func(other []byte) bool {
		value := s.value(1)
		if string(other) != name && value != nil {
			body = append(append(append(append(body, ','), quote(other)...), ':'), value...)
		}
		return value != nil
	})
	if !whole {
		return fmt.Errorf("%s: the body is not JSON", o.Op)
	}
	o.JSON = append(body, '}')
	return nil
}

// quote returns a member's name as JSON.
func quote(name []byte) []byte {
	text, err := rawJSON(string(name))
	if err != nil {
		return []byte(`""`) // no text fails
	}
	return text
}

// HTTP makes the request. The body is the JSON; or the form, as multipart/form-data if there are files or the operation says so; else it
// is empty. What cannot travel in the body (the form of a GET, or beside JSON) travels in the query. The request uses o.Header itself.
//
// It is called once for an attempt. The body's exact length is known. A GET has a body that is not nil but
// empty, and no request has a GetBody: otherwise net/http would repeat it by itself on a connection that died, though it may have
// been carried out. On the wire such a GET has neither body nor Content-Length nor Transfer-Encoding.
func (o *Outgoing) HTTP(ctx context.Context) (*http.Request, error) {
	address, err := o.address()
	if err != nil {
		return nil, err
	}
	body, err := o.body()
	if err != nil {
		return nil, err
	}
	if o.Header == nil {
		o.Header = make(http.Header, 1)
	}
	if body.contentType != nil {
		o.Header["Content-Type"] = body.contentType
	}
	req := http.Request{
		Method: o.Op.HTTPMethod, URL: address, Host: address.Host, Header: o.Header,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Body: body.reader, ContentLength: body.size,
	}
	o.request = *req.WithContext(ctx) // the only way to give it a context; these two are on the stack
	return &o.request, nil
}

// address puts the address together. Its errors do not show the query, which carries tokens.
func (o *Outgoing) address() (*url.URL, error) {
	if name, open := unfilled(o.Path); open {
		return nil, fmt.Errorf("%s: the path %s lacks {%s}: give it as a parameter, or in the credential", o.Op, o.Op.Path, name)
	}
	u, err := o.parsed()
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%s: the base address %q is not one: want https://host", o.Op, maskAddress(o.Base))
	}
	u.RawQuery = o.query()
	return u, nil
}

// parsed does what url.Parse does, and for plain addresses without its care.
func (o *Outgoing) parsed() (*url.URL, error) {
	scheme, rest, ok := strings.Cut(o.Base, "://")
	if !ok || (scheme != "https" && scheme != "http") || !isPlain(rest) || !isPlain(o.Path) {
		return url.Parse(o.Base + o.Path)
	}
	o.url = url.URL{Scheme: scheme, Host: rest, Path: o.Path}
	if host, path, deeper := strings.Cut(rest, "/"); deeper {
		o.url.Host, o.url.Path = host, "/"+path+o.Path
	}
	return &o.url, nil
}

// isPlain reports whether nothing in an address has a meaning beyond itself.
func isPlain(s string) bool {
	for i := range len(s) {
		if c := s[i]; !unreserved[c] && c != '/' {
			return false
		}
	}
	return true
}

// unfilled returns the first {name} that is left in path.
func unfilled(path string) (string, bool) {
	_, rest, open := strings.Cut(path, "{")
	name, _, _ := strings.Cut(rest, "}")
	return name, open
}

// formInBody reports whether the form is the body.
func (o *Outgoing) formInBody() bool {
	return o.JSON == nil && o.Op.HTTPMethod != http.MethodGet && o.Op.HTTPMethod != http.MethodHead
}

func (o *Outgoing) query() string {
	params, more := o.Query, o.Form
	if o.formInBody() {
		more = nil
	}
	var b strings.Builder
	b.Grow(sizeOf(params) + sizeOf(more))
	writeParams(&b, params)
	writeParams(&b, more)
	return b.String()
}

// sizeOf returns how many bytes writeParams writes at most, if there are no escapes.
func sizeOf(params []resilience.Param) (n int) {
	for _, p := range params {
		n += len(p.Name) + len(p.Value) + len("=&")
	}
	return n
}

// writeParams writes params as application/x-www-form-urlencoded, in the order given.
func writeParams(b *strings.Builder, params []resilience.Param) {
	for _, p := range params {
		if b.Len() > 0 {
			b.WriteByte('&')
		}
		writeEscaped(b, p.Name)
		b.WriteByte('=')
		writeEscaped(b, p.Value)
	}
}

// writeEscaped writes s with everything but the unreserved characters of RFC 3986 as %XX. A blank is %20, since a plus is a blank
// for some servers only.
func writeEscaped(b *strings.Builder, s string) {
	const hex = "0123456789ABCDEF"
	plain := 0 // what is before it has been written
	for i := range len(s) {
		if c := s[i]; !unreserved[c] {
			b.WriteString(s[plain:i])
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
			plain = i + 1
		}
	}
	b.WriteString(s[plain:])
}

// unreserved is a table, since tokens are long and every byte of them is looked up.
var unreserved = func() (table [256]bool) {
	for _, c := range []byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~") {
		table[c] = true
	}
	return table
}()

type body struct {
	reader      io.ReadCloser
	size        int64
	contentType []string // as a header holds it
}

// Content types that all requests share.
var (
	jsonType = []string{"application/json; charset=UTF-8"}
	formType = []string{"application/x-www-form-urlencoded; charset=UTF-8"}
)

func (o *Outgoing) body() (body, error) {
	switch {
	case o.JSON != nil && len(o.Files) > 0:
		return body{}, fmt.Errorf("%s: a body is either JSON or files, not both", o.Op)
	case len(o.Files) > 0 && !o.formInBody():
		return body{}, fmt.Errorf("%s: a %s cannot carry files", o.Op, o.Op.HTTPMethod)
	case len(o.Files) > 0, o.Op.Multipart && o.formInBody() && len(o.Form) > 0:
		return multipartBody(o.Form, o.Files)
	case o.JSON != nil:
		return o.inMemory(o.JSON, jsonType), nil
	case o.formInBody() && len(o.Form) > 0:
		return o.inMemory(o.form(), formType), nil
	case o.formInBody():
		// A non-nil body of length 0 would be sent chunked. net/http does not repeat a POST that has left.
		return body{reader: http.NoBody}, nil
	default:
		return body{reader: noBody{}}, nil
	}
}

// noBody is empty as http.NoBody is, but net/http does not know it.
type noBody struct{}

func (noBody) Read([]byte) (int, error) { return 0, io.EOF }
func (noBody) Close() error             { return nil }

func (o *Outgoing) form() []byte {
	var b strings.Builder
	b.Grow(sizeOf(o.Form) * 2) // Chinese and JSON grow by their escapes
	writeParams(&b, o.Form)
	return []byte(b.String())
}

// inMemory keeps to what net/http knows to be in memory, a bytes.Reader: then headers and body leave in one go.
func (o *Outgoing) inMemory(data []byte, contentType []string) body {
	o.reader.Reset(data)
	return body{reader: io.NopCloser(&o.reader), size: int64(len(data)), contentType: contentType}
}
