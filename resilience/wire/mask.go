package wire

import (
	"errors"
	"net"
	"net/url"
	"slices"
	"strings"
)

const redacted = "REDACTED"

// Masked returns the address for errors: scheme, host, path and the names of the query's parameters, but no value of a parameter, be
// it of the query or of the path.
func (o *Outgoing) Masked() string {
	var b strings.Builder
	b.WriteString(maskAddress(o.Base))
	rest := o.Op.Path
	for {
		before, after, found := strings.Cut(rest, "{")
		b.WriteString(before)
		if !found {
			break
		}
		b.WriteString(redacted)
		_, rest, _ = strings.Cut(after, "}")
	}
	sep := byte('?')
	for _, p := range o.Query {
		sep = writeMasked(&b, sep, p.Name)
	}
	if !o.formInBody() {
		for _, p := range o.Form {
			sep = writeMasked(&b, sep, p.Name)
		}
	}
	return b.String()
}

func writeMasked(b *strings.Builder, sep byte, name string) byte {
	b.WriteByte(sep)
	writeEscaped(b, name)
	b.WriteByte('=')
	b.WriteString(redacted)
	return '&'
}

// maskAddress masks the user and the query's values of any address, also of one that cannot be parsed.
func maskAddress(address string) string {
	front, query, hasQuery := strings.Cut(address, "?")
	if scheme, rest, ok := strings.Cut(front, "://"); ok {
		host, path, slash := strings.Cut(rest, "/")
		if at := strings.LastIndexByte(host, '@'); at >= 0 {
			host = redacted + host[at:]
		}
		front = scheme + "://" + host
		if slash {
			front += "/" + path
		}
	}
	if !hasQuery {
		return front
	}
	var b strings.Builder
	b.WriteString(front)
	b.WriteByte('?')
	for i, pair := range strings.Split(query, "&") {
		if i > 0 {
			b.WriteByte('&')
		}
		name, _, has := strings.Cut(pair, "=")
		if !has {
			name = redacted // a lone word may be a value
		}
		b.WriteString(name)
		if has {
			b.WriteByte('=')
			b.WriteString(redacted)
		}
	}
	return b.String()
}

// MaskError returns err as a *url.Error whose method and address are the given ones and which shows none of the secret texts: not in its
// text, and not in any error on its chain. Addresses inside err are replaced by masked, secrets by REDACTED, also where they are escaped.
// errors.Is still finds context errors and sentinels, errors.As still finds net.Error, *net.OpError and *url.Error.
// A nil err stays nil.
func MaskError(err error, method, masked string, texts ...string) error {
	if err == nil {
		return nil
	}
	cause := err
	if e, ok := err.(*url.Error); ok { //nolint:errorlint // the outermost only: what lies deeper is cleaned in its place
		cause = e.Err
	}
	m := &masker{masked: masked, secrets: texts}
	m.collect(err)
	clean, _ := m.clean(cause)
	return &url.Error{Op: methodWord(method), URL: masked, Err: clean}
}

// MaskText takes the secrets out of a text that may echo what was sent, also where they are escaped for an address, JSON or HTML. Those of
// fewer than 4 characters are no secrets, and would tear words apart.
func MaskText(text string, texts ...string) string {
	return secrets(slices.DeleteFunc(slices.Clone(texts), func(s string) bool { return len(s) < 4 })).mask(text)
}

// methodWord is how net/http spells a method in a url.Error: "Get".
func methodWord(method string) string {
	if method == "" {
		return "Get"
	}
	return method[:1] + strings.ToLower(method[1:])
}

// A masker knows what must not show.
type masker struct {
	masked    string
	secrets   secrets
	addresses []string // found in the error
}

// collect notes the address of every url.Error in err's tree.
func (m *masker) collect(err error) {
	if e, ok := err.(*url.Error); ok && e.URL != "" { //nolint:errorlint // the tree is walked node by node
		m.addresses = append(m.addresses, e.URL)
	}
	for _, child := range children(err) {
		m.collect(child)
	}
}

// children returns what err wraps.
func children(err error) []error {
	switch e := err.(type) { //nolint:errorlint // the tree is walked node by node
	case interface{ Unwrap() error }:
		if child := e.Unwrap(); child != nil {
			return []error{child}
		}
	case interface{ Unwrap() []error }:
		return e.Unwrap()
	}
	return nil
}

// clean returns err itself where nothing in its tree shows a secret, else a copy that tells the same without it.
func (m *masker) clean(err error) (clean error, changed bool) { //nolint:revive // the error is the result, not how it went
	if err == nil {
		return errNoCause, true
	}
	kids := children(err)
	for i, kid := range kids {
		if cleanKid, differs := m.clean(kid); differs {
			if !changed {
				kids = slices.Clone(kids) // they are the error's own
			}
			kids[i], changed = cleanKid, true
		}
	}
	switch e := err.(type) { //nolint:errorlint // the tree is walked node by node
	case *url.Error:
		return &url.Error{Op: e.Op, URL: m.masked, Err: only(kids)}, true
	case *net.OpError:
		if changed {
			return &net.OpError{Op: e.Op, Net: e.Net, Source: e.Source, Addr: e.Addr, Err: only(kids)}, true
		}
	}
	text := err.Error()
	if scrubbed := m.scrub(text); changed || scrubbed != text {
		return newMaskedError(err, scrubbed, kids), true
	}
	return err, false
}

var errNoCause = errors.New("no cause given")

func only(errs []error) error {
	if len(errs) == 0 {
		return errNoCause
	}
	return errs[0]
}

// scrub replaces addresses and secrets in text.
func (m *masker) scrub(text string) string {
	for _, a := range m.addresses {
		text = strings.ReplaceAll(text, a, m.masked)
	}
	return m.secrets.mask(scrubAddresses(text))
}

// scrubAddresses masks every address in text that begins with a scheme, whoever wrote it there.
func scrubAddresses(text string) string {
	const mark = "://"
	var b strings.Builder
	for {
		i := strings.Index(text, mark)
		if i < 0 {
			break
		}
		start := strings.LastIndexAny(text[:i], " \"'<(=\n\t") + 1
		end := len(text)
		if stop := strings.IndexAny(text[i:], " \"'<>)\n\t"); stop >= 0 {
			end = i + stop
		}
		b.WriteString(text[:start])
		b.WriteString(maskAddress(text[start:end]))
		text = text[end:]
	}
	if b.Len() == 0 {
		return text
	}
	return b.String() + text
}

// A maskedError stands for an error whose text showed a secret. It keeps no reference to that error's text.
type maskedError struct {
	text    string
	causes  []error
	is      func(error) bool
	timeout bool
	brief   bool // temporary
}

func newMaskedError(err error, text string, causes []error) error {
	m := &maskedError{text: text, causes: causes}
	if e, ok := err.(interface{ Is(error) bool }); ok {
		m.is = e.Is
	}
	if e, ok := err.(interface{ Timeout() bool }); ok {
		m.timeout = e.Timeout()
		if e, ok := err.(interface{ Temporary() bool }); ok {
			m.brief = e.Temporary()
		}
		return maskedNetError{m}
	}
	return m
}

// Error returns the text without secrets.
func (e *maskedError) Error() string { return e.text }

// Unwrap returns the cleaned causes.
func (e *maskedError) Unwrap() []error { return e.causes }

// Is answers as the error that it stands for.
func (e *maskedError) Is(target error) bool { return e.is != nil && e.is(target) }

// A maskedNetError stands for a net.Error.
type maskedNetError struct{ *maskedError }

// Timeout answers as the error that it stands for.
func (e maskedNetError) Timeout() bool { return e.timeout }

// Temporary answers as the error that it stands for.
func (e maskedNetError) Temporary() bool { return e.brief }
