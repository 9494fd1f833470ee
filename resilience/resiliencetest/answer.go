package resiliencetest

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"sync/atomic"
)

// An Answer is what a fake sends back.
type Answer struct {
	Status      int    // 0 means 200
	ContentType string // empty means application/json;charset=UTF-8, or for a body that begins with < what it looks like: text/html
	Header      http.Header
	Body        []byte
	Code        string // the platform's code if this refuses the call; only logged
}

// JSON returns an answer with v as its body; <, > and & stay as they are.
func JSON(status int, v any) Answer {
	var body bytes.Buffer
	enc := json.NewEncoder(&body)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return Answer{Status: http.StatusInternalServerError, ContentType: "text/plain", Body: []byte(err.Error())}
	}
	return Answer{Status: status, Body: bytes.TrimSuffix(body.Bytes(), []byte("\n"))}
}

// Record returns what h answers to r, to be sent by a [Fake]. What h leaves open is empty: the Status without a WriteHeader, the
// ContentType without that header.
func Record(h http.Handler, r *http.Request) Answer {
	w := &recorder{header: http.Header{}}
	h.ServeHTTP(w, r)
	w.WriteHeader(0)
	w.answer.ContentType = w.answer.Header.Get("Content-Type")
	w.answer.Header.Del("Content-Type")
	return w.answer
}

// Sequence returns a handler that answers with the status, 0 for the usual one, and with one of the bodies each time, as it is: first
// the first, and from then on the last. Without a body its answers are empty.
func Sequence(status int, bodies ...string) http.HandlerFunc {
	var calls atomic.Int64
	return func(w http.ResponseWriter, _ *http.Request) {
		n := int(calls.Add(1))
		w.WriteHeader(status)
		if len(bodies) > 0 {
			_, _ = io.WriteString(w, bodies[min(n, len(bodies))-1]) // a recorder takes everything
		}
	}
}

// A recorder is a ResponseWriter that keeps the answer.
type recorder struct {
	header http.Header
	wrote  bool
	answer Answer
}

func (w *recorder) Header() http.Header { return w.header }

// WriteHeader counts once, and ends what the header can say, as with net/http.
func (w *recorder) WriteHeader(status int) {
	if w.wrote {
		return
	}
	w.wrote = true
	w.answer.Status, w.answer.Header = status, w.header.Clone()
}

func (w *recorder) Write(body []byte) (int, error) {
	w.WriteHeader(0)
	w.answer.Body = append(w.answer.Body, body...)
	return len(body), nil
}

// contentType is what is sent as the type of the body.
func (a *Answer) contentType() string {
	switch {
	case a.ContentType != "":
		return a.ContentType
	case bytes.HasPrefix(bytes.TrimSpace(a.Body), []byte("<")):
		return http.DetectContentType(a.Body)
	default:
		return "application/json;charset=UTF-8"
	}
}
