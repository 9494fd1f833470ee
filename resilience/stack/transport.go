package stack

import (
	"crypto/tls"
	"net"
	"net/http"
	"net/url"
	"time"
)

// newTransport is the stack's own transport. It follows no redirects (only an http.Client would) and unpacks gzip.
func newTransport(proxy func(*http.Request) (*url.URL, error)) *http.Transport {
	dialer := &net.Dialer{Timeout: 5 * time.Second, KeepAlive: 30 * time.Second}
	return &http.Transport{
		Proxy:               proxy,
		DialContext:         dialer.DialContext,
		TLSHandshakeTimeout: 5 * time.Second,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		MaxIdleConns:        256,
		MaxIdleConnsPerHost: 64,
		IdleConnTimeout:     90 * time.Second,
		ForceAttemptHTTP2:   true,
	}
}
