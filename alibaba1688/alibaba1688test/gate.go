package alibaba1688test

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the platform's signature is HMAC-SHA1
	"encoding/hex"
	"mime"
	"net/http"
	"net/url"
	"sort"
	"strings"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

const (
	root           = "/openapi"
	paramSignature = "_aop_signature"
	paramToken     = "access_token"
	codeFrequency  = "gw.QosAppFrequencyLimit"
)

// An address is a request's path, taken apart: protocol, version, namespace, name and AppKey.
type address struct{ call, appKey string }

// parse takes a path below /openapi apart. call is what the table of operations has; without the AppKey the path ends there.
func parse(path string) (address, bool) {
	rest, found := strings.CutPrefix(path, root+"/")
	parts := strings.Split(rest, "/")
	if !found || len(parts) < 4 || len(parts) > 5 {
		return address{}, false
	}
	a := address{call: strings.Join(parts[:4], "/")}
	if len(parts) == 5 {
		a.appKey = parts[4]
	}
	return a, true
}

// credential returns the call's access token and the AppKey of its path.
func (s *Server) credential(r *http.Request) (secret, app string) {
	a, _ := parse(r.URL.Path)
	return r.Form.Get(paramToken), a.appKey
}

// admit goes through the gateway's checks in their order: path, AppKey, signature, frequency, token.
func (s *Server) admit(c *resiliencetest.Call, r *http.Request) *resiliencetest.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, op := s.target(c.Path)
	if op == nil {
		return new(s.gateway("gw.APIUnsupported", "Api is not supported, path: "+c.Path))
	}
	if a.appKey == "" {
		return new(s.gateway("gw.AppKeyMissing", "AppKey is missing in the path"))
	}
	app := s.apps[a.appKey]
	if app == nil {
		return new(s.gateway("gw.AppKeyNotFound", "AppKey is not found: "+a.appKey))
	}
	if op.open {
		return nil
	}
	switch got := r.Form.Get(paramSignature); {
	case got == "":
		return new(s.gateway("gw.SignatureMissing", "Signature is missing"))
	case !signedBy(app.secret, strings.TrimPrefix(c.Path, root+"/"), r.Form, got):
		return new(s.gateway("gw.SignatureInvalid", "Invalid signature"))
	}
	if op.uncounted {
		return nil
	}
	if !s.take(app.key, c.Time) {
		return new(s.gateway(codeFrequency, message(codeFrequency)))
	}
	if t := s.tokens[r.Form.Get(paramToken)]; op.needsToken && (t == nil || t.app != app || !t.good(c.Time)) {
		return new(s.unauthorized(c))
	}
	return nil
}

// signedBy checks a signature by the published rule: each name and its raw value are joined, the joined texts sorted by their bytes
// and put behind the path. File parts of multipart bodies are not in the form and so not signed.
func signedBy(secret, path string, form url.Values, signature string) bool {
	var pieces []string
	for name, values := range form {
		if name == paramSignature {
			continue
		}
		for _, value := range values {
			pieces = append(pieces, name+value)
		}
	}
	sort.Strings(pieces)
	h := hmac.New(sha1.New, []byte(secret))
	_, _ = h.Write([]byte(path + strings.Join(pieces, ""))) // a hash's Write never fails
	want := strings.ToUpper(hex.EncodeToString(h.Sum(nil)))
	return len(form[paramSignature]) == 1 && hmac.Equal([]byte(want), []byte(signature))
}

// A request is a call that the gateway let through.
type request struct {
	call *resiliencetest.Call
	form url.Values
	app  *app
	op   *operation
}

func (r *request) value(name string) string { return r.form.Get(name) }

// refuse answers in the form of the call.
func (r *request) refuse(code, text string) resiliencetest.Answer { return r.op.refuse(code, text) }

// act checks that required parameters are there and carries the call out.
func (s *Server) act(c *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
	s.mu.Lock()
	defer s.mu.Unlock()
	a, op := s.target(c.Path)
	if op == nil || s.apps[a.appKey] == nil {
		return s.gateway("gw.APIUnsupported", "Api is not supported, path: "+c.Path)
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if r.Method == http.MethodPost && (err != nil || (kind != "application/x-www-form-urlencoded" && kind != "multipart/form-data")) {
		return s.gateway("400", "Content-Type is not a form: "+kind)
	}
	for _, name := range op.required {
		if r.Form.Get(name) == "" {
			return s.gateway("gw.ParamMissing", "Missing argument, argumentName: "+name)
		}
	}
	return op.act(s, &request{call: c, form: r.Form, app: s.apps[a.appKey], op: op})
}

func ok(v any) resiliencetest.Answer { return resiliencetest.JSON(http.StatusOK, v) }
