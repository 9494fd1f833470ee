package stack

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
)

// An Option changes a client. New returns the errors of all its Options.
type Option func(*options) error

type options struct {
	transport   http.RoundTripper
	baseURL     string
	loopback    bool
	config      Config
	logger      *slog.Logger
	observers   []resilience.Observer
	userAgent   string
	proxy       func(*http.Request) (*url.URL, error)
	credentials []resilience.Credential
}

// WithTransport sends through rt instead of the package's own transport. rt must not follow redirects nor repeat requests; an
// http.Client is no transport, for its time-out, redirects and cookies would break what the chain promises.
func WithTransport(rt http.RoundTripper) Option {
	return func(o *options) error {
		if rt == nil {
			return errors.New("WithTransport: nil transport")
		}
		o.transport = rt
		return nil
	}
}

// WithBaseURL calls another address than the platform's own: a gateway, or a fake. It must be https, except with WithLoopbackHTTP.
func WithBaseURL(address string) Option {
	return func(o *options) error {
		u, err := url.Parse(address)
		if err != nil || u.Host == "" || u.RawQuery != "" || u.User != nil {
			return errors.New("WithBaseURL: want an address like https://host, without user and query")
		}
		o.baseURL = strings.TrimSuffix(address, "/")
		return nil
	}
}

// WithLoopbackHTTP allows a base address of plain http on the loopback interface, for tests. Elsewhere the token would travel in
// clear.
func WithLoopbackHTTP() Option {
	return func(o *options) error {
		o.loopback = true
		return nil
	}
}

// WithConfig replaces the production preset.
func WithConfig(cfg Config) Option {
	return func(o *options) error {
		if err := cfg.Validate(); err != nil {
			return fmt.Errorf("WithConfig: %w", err)
		}
		o.config = cfg
		return nil
	}
}

// WithLogger writes a line for each cooldown, circuit change and alert. Without it nothing is logged.
func WithLogger(l *slog.Logger) Option {
	return func(o *options) error {
		if l == nil {
			return errors.New("WithLogger: nil logger")
		}
		o.logger = l
		return nil
	}
}

// WithObserver tells f of every event. It may be given several times.
func WithObserver(f resilience.Observer) Option {
	return func(o *options) error {
		if f == nil {
			return errors.New("WithObserver: nil observer")
		}
		o.observers = append(o.observers, f)
		return nil
	}
}

// WithUserAgent names the program to the platform.
func WithUserAgent(name string) Option {
	return func(o *options) error {
		if name == "" || strings.ContainsAny(name, "\r\n") {
			return errors.New("WithUserAgent: want a name without line breaks")
		}
		o.userAgent = name
		return nil
	}
}

// WithProxy chooses the proxy of a request, as http.Transport does. Without it the usual variables (HTTPS_PROXY, NO_PROXY) hold; nil
// means none. It has no effect with WithTransport.
func WithProxy(proxy func(*http.Request) (*url.URL, error)) Option {
	return func(o *options) error {
		if proxy == nil {
			proxy = func(*http.Request) (*url.URL, error) { return nil, nil } //nolint:nilnil // net/http's word for "no proxy"
		}
		o.proxy = proxy
		return nil
	}
}

// WithCredential adds a credential. Client packages have options that read better for their platform.
func WithCredential(c resilience.Credential) Option {
	return func(o *options) error {
		o.credentials = append(o.credentials, c)
		return nil
	}
}

// Options is several options as one: client packages build theirs of it.
func Options(opts ...Option) Option {
	return func(o *options) error {
		var faults []error
		for _, opt := range opts {
			faults = append(faults, opt(o))
		}
		return errors.Join(faults...)
	}
}

// Invalid is an option that could not be made: New returns err.
func Invalid(err error) Option { return func(*options) error { return err } }

// checkBase says what is wrong with the base address.
func (o *options) checkBase() error {
	u, err := url.Parse(o.baseURL)
	if err != nil || u.Host == "" {
		return errors.New("the base address is not one: want https://host")
	}
	switch {
	case u.Scheme == "https":
		return nil
	case u.Scheme != "http":
		return fmt.Errorf("base address %s: scheme %q is unknown: want https", u.Redacted(), u.Scheme)
	case o.loopback && isLoopback(u.Hostname()):
		return nil
	default:
		return fmt.Errorf("base address %s is plain http, where the token travels in clear: want https (or WithLoopbackHTTP for a test on this machine)", u.Redacted())
	}
}

func isLoopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || (ip != nil && ip.IsLoopback())
}

// log is the observer that WithLogger adds.
func log(l *slog.Logger) resilience.Observer {
	return func(e resilience.Event) {
		attrs := []slog.Attr{slog.String("platform", e.Op.Platform), slog.String("operation", e.Op.ID), slog.String("scope", e.Scope.String())}
		if e.Credential != "" {
			attrs = append(attrs, slog.String("credential", e.Credential))
		}
		if e.Code != "" {
			attrs = append(attrs, slog.String("code", e.Code))
		}
		if !e.Until.IsZero() {
			attrs = append(attrs, slog.Time("until", e.Until))
		}
		level, text := slog.LevelWarn, ""
		switch e.Kind {
		case resilience.EventCooldown:
			text = "credential cools down"
			attrs = append(attrs, slog.String("class", e.Class.String()))
		case resilience.EventCircuit:
			text = "circuit opened"
			if e.Until.IsZero() {
				level, text = slog.LevelInfo, "circuit closed"
			}
		case resilience.EventAlert:
			text = "no credential is available"
			attrs = append(attrs, slog.Int("count", e.Count))
		case resilience.EventRecovered:
			level, text = slog.LevelInfo, "a credential is available again"
			attrs = append(attrs, slog.Int("alerts_held_back", e.Count))
		case resilience.EventDecodeFault:
			text = "fields of an answer could not be read"
		case resilience.EventAttempt, resilience.EventCall:
			return // metrics, not news
		}
		l.LogAttrs(context.Background(), level, text, attrs...)
	}
}
