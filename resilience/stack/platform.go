package stack

import (
	"context"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A Platform is what a client package knows of its platform: the generated tables and how calls are authorized.
type Platform struct {
	Name     string
	BaseURL  string                         // "https://api.weibo.com"
	Quotas   map[string][]resilience.Window // the windows of each quota group
	Errors   map[string]resilience.Rule     // what the platform's codes mean
	Envelope wire.Envelope                  // where answers carry their code
	Auth     Auth                           // nil: no call is authorized
}

// An Auth authorizes the calls of a platform.
type Auth interface {
	// Serves says whether the credential can make calls of the security scheme.
	Serves(scheme string, c *resilience.Credential) bool
	// Token returns the access token for the call, or "" if its scheme needs none. It may fetch one, and is asked before the circuit
	// is, so that nothing waits inside of it.
	Token(ctx context.Context, op *resilience.Operation, c *resilience.Credential) (resilience.Secret, error)
	// Renews says whether the credential's token can be replaced when the platform calls it expired.
	Renews(c *resilience.Credential) bool
	// Renew replaces a token that the platform has called expired.
	Renew(ctx context.Context, op *resilience.Operation, c *resilience.Credential, stale resilience.Secret) error
	// Authorize adds token and signature to one attempt. now is the platform's time as far as it is known.
	Authorize(out *wire.Outgoing, c *resilience.Credential, token resilience.Secret, now time.Time) error
}
