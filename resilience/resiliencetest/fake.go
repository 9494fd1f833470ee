package resiliencetest

import (
	"bytes"
	"io"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Fake is what fake platforms share: it logs each call, plays its fault and answers. What is the platform's own stands in the
// fields; each may be nil. The zero Fake answers {} to everything.
type Fake struct {
	// Name names the operation of a request: "METHOD /path" if it is nil or returns "".
	Name func(r *http.Request) string
	// Credential returns what authorizes a call, in full, of which only the beginning is logged, and the app that it belongs to as far
	// as the fake knows. Forms are parsed, as for Act. nil: the token of the Authorization header.
	Credential func(r *http.Request) (secret, app string)
	// Admit looks at a call when it arrives, before any delay: quotas belong here. An Answer refuses the call.
	Admit func(c *Call, r *http.Request) *Answer
	// Act carries a call out and answers. Forms are parsed: r.Form, r.PostForm, r.MultipartForm. nil: 200 and {}.
	Act func(c *Call, r *http.Request) Answer
	// Refuse puts a fault's Code and Text into the platform's form. nil: status 400, {"code": ..., "message": ...}.
	Refuse func(c *Call, code, text string) Answer

	faults Faults
	log    Log
}

// Fail adds faults to the operation's script, as [Faults.Add] does. op is the operation's name; "" means every operation.
func (f *Fake) Fail(op string, faults ...Fault) { f.faults.Add(op, faults...) }

// Heal drops the operation's faults; op "" means all.
func (f *Fake) Heal(op string) { f.faults.Clear(op) }

// Seed starts the random source of faults with a Rate anew.
func (f *Fake) Seed(seed uint64) { f.faults.Seed(seed) }

// Log returns the log of calls.
func (f *Fake) Log() *Log { return &f.log }

// maxBody bounds what a fake reads of a request.
const maxBody = 64 << 20

// ServeHTTP implements http.Handler.
func (f *Fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(io.LimitReader(r.Body, maxBody))
	if err != nil {
		cut() // the caller left in the middle of its request: nothing arrived
	}
	call := f.arrival(r, body)
	f.log.begin(call)
	fault, faulted := f.faults.Next(call.Op)
	f.log.change(func() { call.Faulted = faulted })

	answer, ok := f.answer(call, r, &fault)
	if !ok || fault.CutAfter {
		cut()
	}
	fault.change(&answer)
	f.log.change(func() { call.Status = answer.Status })
	write(w, &answer, fault.HalfBody)
}

// arrival reads what a request says.
func (f *Fake) arrival(r *http.Request, body []byte) *Call {
	call := &Call{
		Op: r.Method + " " + r.URL.Path, Method: r.Method, Path: r.URL.Path, Query: r.URL.RawQuery, Params: url.Values{},
		ContentType: r.Header.Get("Content-Type"), ContentLength: r.ContentLength, Body: body, Header: maps.Clone(r.Header),
	}
	delete(call.Header, "Authorization")
	delete(call.Header, "Cookie")
	r.Body = io.NopCloser(bytes.NewReader(body))
	// What cannot be parsed is not there: the fakes answer as platforms do, that a parameter is missing.
	_ = r.ParseMultipartForm(maxBody)
	for name, values := range r.Form {
		call.Params[name] = append([]string(nil), values...)
	}
	if f.Name != nil {
		if name := f.Name(r); name != "" {
			call.Op = name
		}
	}
	_, secret, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if f.Credential != nil {
		secret, call.App = f.Credential(r)
	}
	call.Credential = resilience.Secret(secret).Hint()
	return call
}

// answer makes the call's answer, as far as the fault lets it; false means that there is none.
func (f *Fake) answer(call *Call, r *http.Request, fault *Fault) (Answer, bool) {
	var refusal *Answer
	if fault.acts() && f.Admit != nil {
		refusal = f.Admit(call, r)
	}
	if !wait(fault.Delay, closing(r)) {
		return Answer{}, false
	}
	switch {
	case fault.CutBefore:
		return Answer{}, false
	case fault.Hang:
		select {
		case <-r.Context().Done():
		case <-closing(r):
		}
		return Answer{}, false
	}
	answer := f.act(call, r, fault, refusal)
	if fault.replaces() {
		answer = f.replacement(call, fault)
	}
	f.log.change(func() { call.Code = answer.Code })
	return answer, true
}

func (f *Fake) act(call *Call, r *http.Request, fault *Fault, refusal *Answer) Answer {
	if refusal != nil {
		return *refusal
	}
	if !fault.acts() {
		return Answer{}
	}
	answer := Answer{Body: []byte("{}")}
	if f.Act != nil {
		answer = f.Act(call, r)
	}
	f.log.change(func() { call.Acted = answer.Code == "" })
	return answer
}

// replacement is the answer that a fault puts in the platform's place.
func (f *Fake) replacement(call *Call, fault *Fault) Answer {
	answer := Answer{Status: http.StatusOK}
	switch {
	case fault.Code != "" && f.Refuse != nil:
		answer = f.Refuse(call, fault.Code, fault.Text)
	case fault.Code != "":
		answer = JSON(http.StatusBadRequest, map[string]string{"code": fault.Code, "message": fault.Text})
	}
	answer.Code = fault.Code
	if fault.Body != "" {
		answer.Body = []byte(fault.Body)
	}
	return answer
}

// write sends the answer, or its first half under the announced length of the whole: net/http then closes the connection.
func write(w http.ResponseWriter, answer *Answer, half bool) {
	maps.Copy(w.Header(), answer.Header)
	w.Header().Set("Content-Type", answer.contentType())
	w.Header().Set("Content-Length", strconv.Itoa(len(answer.Body)))
	w.WriteHeader(answer.Status)
	body := answer.Body
	if half {
		body = body[:len(body)/2]
	}
	_, _ = w.Write(body) // the caller may have left
}

// cut closes the connection without an answer, in net/http's own way, and never returns.
func cut() {
	panic(http.ErrAbortHandler) //nolint:forbidigo // the server recovers it silently: that is how a handler aborts
}

// wait waits for d and reports true, or false if done comes first.
func wait(d time.Duration, done <-chan struct{}) bool {
	if d <= 0 {
		return true
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-done:
		return false
	}
}
