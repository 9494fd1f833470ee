package wire

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"reflect"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Caller makes calls: a client's whole chain.
type Caller interface {
	Do(ctx context.Context, call *resilience.Call) (*resilience.Response, error)
}

// A FaultObserver is a Caller that wants to know which fields of an answer could not be read.
type FaultObserver interface {
	// DecodeFaults is told of a call whose answer was read but for the fields in resp.Faults, in the caller's goroutine.
	DecodeFaults(call *resilience.Call, resp *resilience.Response)
}

// Do makes the call op with the parameters req and returns its typed answer. A nil req has no parameters.
//
// Nothing was sent if the error is a [resilience.RefusedError]; a parameter that is missing or cannot be written is one with
// ErrInvalidRequest. An answer that is JSON but of another shape than T is a [resilience.APIError]; one with single unreadable fields
// is a success, and the fields stand in [resilience.Response.Faults].
func Do[T any](ctx context.Context, c Caller, op *resilience.Operation, req Params, opts []resilience.CallOption) (*T, error) {
	out := new(T)
	if err := Call(ctx, c, op, req, out, opts); err != nil {
		return nil, err
	}
	return out, nil
}

// Call makes the call op with the parameters req and reads the answer into out, a pointer; the answer is thrown away if out is nil.
// Errors are those of [Do].
func Call(ctx context.Context, c Caller, op *resilience.Operation, req Params, out any, opts []resilience.CallOption) error {
	if v := reflect.ValueOf(out); out != nil && (v.Kind() != reflect.Pointer || v.IsNil()) {
		return refuse(op, fmt.Sprintf("the answer cannot be read into %T: want a pointer that is not nil", out))
	}
	f, err := newCall(c, op, req, opts)
	if err != nil {
		return err
	}
	resp, err := send(ctx, c, &f.call)
	if err != nil {
		return err
	}
	if out == nil || resp.Status == http.StatusNoContent {
		return nil
	}
	return f.read(c, resp, out)
}

// Download makes the call op with the parameters req and returns its answer with the content in Response.Stream, which the caller
// closes. Errors are those of [Do]: a refusal that the platform sends in place of the content is an error, never a stream. A JSON answer
// that is no refusal is content too.
func Download(
	ctx context.Context, c Caller, op *resilience.Operation, req Params, opts []resilience.CallOption,
) (*resilience.Response, error) {
	f, err := newCall(c, op, req, opts)
	if err != nil {
		return nil, err
	}
	f.call.Stream = true
	resp, err := send(ctx, c, &f.call)
	if err == nil && resp.Stream == nil {
		resp.Body, resp.Stream = nil, io.NopCloser(bytes.NewReader(resp.Body))
	}
	return resp, err
}

// A Content is the answer of an operation that gives either content or JSON: a picture, or the address of a film.
type Content[T any] struct {
	*resilience.Response    // its Stream is the content, to be closed; nil if the answer was JSON
	JSON                 *T // nil if the answer was content
}

// DownloadOr makes the call op with the parameters req and returns its answer, content or JSON. Errors are those of [Do].
func DownloadOr[T any](
	ctx context.Context, c Caller, op *resilience.Operation, req Params, opts []resilience.CallOption,
) (*Content[T], error) {
	f, err := newCall(c, op, req, opts)
	if err != nil {
		return nil, err
	}
	f.call.Stream = true
	resp, err := send(ctx, c, &f.call)
	if err != nil {
		return nil, err
	}
	if resp.Stream != nil {
		return &Content[T]{Response: resp}, nil
	}
	out := &Content[T]{Response: resp, JSON: new(T)}
	if resp.Status == http.StatusNoContent {
		return out, nil
	}
	if err := f.read(c, resp, out.JSON); err != nil {
		return nil, err
	}
	return out, nil
}

// newCall encodes req and applies opts, in this order: an option may add parameters.
func newCall(c Caller, op *resilience.Operation, req Params, opts []resilience.CallOption) (*outbound, error) {
	if op == nil {
		return nil, refuse(nil, "the operation is nil")
	}
	if c == nil {
		return nil, refuse(op, "there is no client: make one with the platform package's New")
	}
	f := &outbound{call: resilience.Call{Op: op}}
	f.enc.op, f.enc.req, f.enc.room = op, &f.call.Request, f.room[:0]
	if req != nil {
		req.Encode(&f.enc)
	}
	if err := f.enc.err(); err != nil {
		return nil, err
	}
	for _, opt := range opts {
		if opt != nil {
			opt(&f.call)
		}
	}
	return f, nil
}

// An outbound is all that a call needs here, in one allocation: the call itself, its encoder and its decoder, which others see through
// interfaces, and room for the usual number of parameters.
type outbound struct {
	call resilience.Call
	enc  Encoder
	room [6]resilience.Param
	dec  decoder
}

// read reads the call's answer into out.
func (f *outbound) read(c Caller, resp *resilience.Response, out any) error {
	faults, err := f.dec.read(resp.Body, out)
	if err != nil {
		return unreadable(f.call.Op, resp, err)
	}
	if len(faults) > 0 {
		report(c, &f.call, resp, faults)
	}
	return nil
}

func send(ctx context.Context, c Caller, call *resilience.Call) (*resilience.Response, error) {
	resp, err := c.Do(ctx, call)
	if err == nil && resp == nil {
		err = fmt.Errorf("%s: the chain returned neither an answer nor an error", call.Op)
	}
	return resp, err
}

// unreadable turns an answer that is not what the operation promises into an error. The call was made, so that for a write nobody
// knows whether it was carried out.
func unreadable(op *resilience.Operation, resp *resilience.Response, cause error) error {
	class := resilience.UnknownOutcome
	if op.Idempotent {
		class = resilience.Transient
	}
	return &resilience.APIError{
		Op: op, Credential: resp.Credential, Status: resp.Status, RequestID: resp.RequestID, Class: class, Attempts: resp.Attempts,
		Message: "the answer could not be read", Cause: cause,
	}
}

func report(c Caller, call *resilience.Call, resp *resilience.Response, faults []string) {
	resp.Faults = faults
	if call.Response != nil {
		call.Response.Faults = faults
	}
	if o, ok := c.(FaultObserver); ok {
		o.DecodeFaults(call, resp)
	}
}

func refuse(op *resilience.Operation, detail string) error {
	return &resilience.RefusedError{Op: op, Reason: resilience.ErrInvalidRequest, Detail: detail}
}
