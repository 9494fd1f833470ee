package wecom

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/token"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// The security schemes of the spec.
const (
	schemeToken = "token" // the application's access token, in the query
	schemeApp   = "app"   // the company's id and the application's secret
)

// paramToken is the query parameter that the access token travels in.
const paramToken = "access_token"

// An auth fills in who calls, and keeps access tokens.
type auth struct {
	tokens *token.Cache
}

func (a *auth) Serves(scheme string, c *resilience.Credential) bool {
	return c.App != "" && c.Secret != "" && (scheme == schemeToken || scheme == schemeApp)
}

func (a *auth) Token(ctx context.Context, op *resilience.Operation, c *resilience.Credential) (resilience.Secret, error) {
	if op.Auth != schemeToken {
		return "", nil
	}
	return a.tokens.Token(ctx, c)
}

func (a *auth) Renews(*resilience.Credential) bool { return true }

func (a *auth) Renew(ctx context.Context, _ *resilience.Operation, c *resilience.Credential, stale resilience.Secret) error {
	_, err := a.tokens.Renew(ctx, c, stale)
	return err
}

// Authorize puts the token into the query, and what the operation takes from the credential where it takes it.
func (a *auth) Authorize(out *wire.Outgoing, c *resilience.Credential, token resilience.Secret, _ time.Time) error {
	for _, name := range out.Op.FromCredential {
		if err := fill(out, name, c); err != nil {
			return err
		}
	}
	if token != "" {
		out.Query = wire.Set(out.Query, paramToken, token.Reveal())
	}
	return nil
}

func fill(out *wire.Outgoing, name string, c *resilience.Credential) error {
	switch name {
	case "corpid":
		return out.Fill(name, c.App)
	case "corpsecret":
		return out.Fill(name, c.Secret)
	case "agentid":
		agent, err := strconv.ParseInt(c.Agent, 10, 64)
		if err != nil {
			return fmt.Errorf("wecom: %s is sent by an application, and %s has no AgentID: give it in its App", out.Op, c.ID)
		}
		return out.Fill(name, agent)
	default:
		return fmt.Errorf("wecom: %s wants %q from the credential, which has none", out.Op, name)
	}
}

// newTokens returns the cache of access tokens. They are fetched through the client's own chain, by the application that they are for.
func newTokens(c *Client) (*token.Cache, error) {
	return token.New(token.Config{
		Name: "wecom",
		Fetch: func(ctx context.Context, cred *resilience.Credential, _ resilience.Secret) (token.Token, error) {
			now := time.Now()
			got, err := c.Auth.GetToken(ctx,
				resilience.WithCredential(cred.ID), resilience.WithTier(resilience.Instant), resilience.WithinCall())
			if err != nil {
				return token.Token{}, err
			}
			return token.Token{Value: got.AccessToken, Expires: now.Add(time.Duration(got.ExpiresIn) * time.Second)}, nil
		},
	})
}
