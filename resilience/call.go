package resilience

import (
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A Call is one wish of a caller: the operation, its data, and how it is to be made.
type Call struct {
	Op         *Operation
	Request    Request
	Stream     bool          // the answer is a download: Response.Stream instead of Response.Body
	Timeout    time.Duration // of the whole call, waits included; 0 means the configured one
	Account    string        // the account that acts; empty where there is only one, or where any may
	Credential string        // exactly this credential
	Key        string        // makes the call happen at most once
	Tier       Tier          // replaces the operation's
	Within     bool          // made on behalf of another call that waits for it and holds a place in flight
	Response   *Response     // filled in for the caller, on success and on the platform's errors
}

// A CallOption changes one call.
type CallOption func(*Call)

// WithTimeout bounds the whole call, waits and repeats included. The context's deadline holds as well.
func WithTimeout(d time.Duration) CallOption { return func(c *Call) { c.Timeout = d } }

// WithAccount makes the call as the account.
func WithAccount(account string) CallOption { return func(c *Call) { c.Account = account } }

// WithCredential makes the call with exactly this credential: no rotation, it waits or is refused.
func WithCredential(id string) CallOption { return func(c *Call) { c.Credential = id } }

// WithKey makes the call happen at most once for the key: another caller gets ErrDuplicate, which says what became of the first call.
// It holds for Config.KeyTTL (24 hours) in this client and this process, and all operations and accounts of the client share the keys:
// put into the key what it is for ("template/order-17/shipped"). It is free again only if the call was proven not to have been carried
// out.
func WithKey(key string) CallOption { return func(c *Call) { c.Key = key } }

// WithTier makes the call as patient as the tier says.
func WithTier(t Tier) CallOption { return func(c *Call) { c.Tier = t } }

// WithinCall marks a call that another call of the same client waits for, as the fetch of its access token. It takes no place in
// flight beside the other's, and a probation that the other is the probe of does not hold it up.
func WithinCall() CallOption { return func(c *Call) { c.Within = true } }

// WithParam sends one more parameter: in the path, if the operation's has a {name} that is open, else in the form of a POST, PUT or
// PATCH, and in the query of other methods or beside a JSON body.
func WithParam(name, value string) CallOption {
	return func(c *Call) {
		r, p := &c.Request, Param{Name: name, Value: value}
		switch {
		case strings.Contains(c.Op.Path, "{"+name+"}") && !slices.ContainsFunc(r.Path, func(q Param) bool { return q.Name == name }):
			r.Path = append(r.Path, p)
		case r.JSON == nil && hasForm(c.Op.HTTPMethod):
			r.Form = append(r.Form, p)
		default:
			r.Query = append(r.Query, p)
		}
	}
}

func hasForm(method string) bool {
	return method == http.MethodPost || method == http.MethodPut || method == http.MethodPatch
}

// WithResponse fills r with the raw answer, on success and on the platform's errors.
func WithResponse(r *Response) CallOption { return func(c *Call) { c.Response = r } }

// A Request is a call's data before it is authorized. It is never changed while a call runs, so that each attempt sends the same.
type Request struct {
	Path  []Param // what fills {name} in the operation's path
	Query []Param
	Form  []Param // of an application/x-www-form-urlencoded body, or the text parts of a multipart one: see Operation.Multipart
	JSON  []byte  // a JSON body
	Files []File  // of a multipart body

	Header []Param // beside what the client and the authorizer set, which hold

	Recipients []string // who gets it, for windows that count what one recipient gets
	Secrets    []Secret // what no error may show of all this, also where the platform echoes it
}

// A Param is a name and its value, not escaped.
type Param struct {
	Name, Value string
	JSON        bool // the value is JSON text, which a part of a multipart body says by its Content-Type
}

// A File is one part of a multipart body. Open is called once for each attempt and must give the same bytes each time.
type File struct {
	Field       string // the part's name
	Name        string // the file's name
	ContentType string
	Size        int64
	Open        func() (io.ReadCloser, error)
}

// A Response is a platform's answer.
type Response struct {
	Status     int
	Header     http.Header
	Body       []byte        // whole; nil for a download
	Stream     io.ReadCloser // a download, to be closed; nil else
	Class      Class
	RequestID  string
	Credential string   // who made the call
	Attempts   int      // that departed
	Faults     []string // dotted paths of fields that could not be read and were left zero; the rest was
}
