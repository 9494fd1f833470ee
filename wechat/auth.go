package wechat

import (
	"context"
	"fmt"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/token"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// The security schemes of the spec.
const (
	schemeToken = "token" // the account's access token, in the query
	schemeApp   = "app"   // appid and secret, where the call takes them
)

// paramToken is the query parameter that the access token travels in.
const paramToken = "access_token"

// An auth fills in appid and secret, and keeps access tokens.
type auth struct {
	tokens *token.Cache
}

func (a *auth) Serves(scheme string, c *resilience.Credential) bool {
	switch scheme {
	case schemeToken:
		return c.App != "" && (c.Secret != "" || c.Token != "")
	case schemeApp:
		return c.App != "" && c.Secret != ""
	default:
		return false
	}
}

// Token returns the account's access token: one that is fetched by the secret, or the one that was given.
func (a *auth) Token(ctx context.Context, op *resilience.Operation, c *resilience.Credential) (resilience.Secret, error) {
	switch {
	case op.Auth != schemeToken:
		return "", nil
	case c.Secret == "":
		return c.Token, nil
	default:
		return a.tokens.Token(ctx, c)
	}
}

// Renews holds for accounts whose secret is known.
func (a *auth) Renews(c *resilience.Credential) bool { return c.Secret != "" }

func (a *auth) Renew(ctx context.Context, _ *resilience.Operation, c *resilience.Credential, stale resilience.Secret) error {
	_, err := a.tokens.Renew(ctx, c, stale)
	return err
}

// Authorize puts the token into the query, and what the operation takes from the credential where it takes it.
func (a *auth) Authorize(out *wire.Outgoing, c *resilience.Credential, token resilience.Secret, _ time.Time) error {
	for _, name := range out.Op.FromCredential {
		var err error
		switch name {
		case "appid":
			err = out.Fill(name, c.App)
		case "secret":
			err = out.Fill(name, c.Secret)
		default:
			err = fmt.Errorf("wechat: %s wants %q from the credential, which has none", out.Op, name)
		}
		if err != nil {
			return err
		}
	}
	if token != "" {
		out.Query = wire.Set(out.Query, paramToken, token.Reveal())
	}
	return nil
}

// newTokens returns the cache of access tokens. They are fetched through the client's own chain, by the credential that they are for,
// and in the stable mode: two processes get the same token, and neither ends the other's. A refresh is never forced, for that would end
// a token that others hold, and there are 20 a day.
func newTokens(c *Client) (*token.Cache, error) {
	return token.New(token.Config{
		Name: "wechat",
		Fetch: func(ctx context.Context, cred *resilience.Credential, _ resilience.Secret) (token.Token, error) {
			now := time.Now()
			got, err := c.Auth.StableToken(ctx, nil,
				resilience.WithCredential(cred.ID), resilience.WithTier(resilience.Instant), resilience.WithinCall())
			if err != nil {
				return token.Token{}, err
			}
			return token.Token{Value: got.AccessToken, Expires: now.Add(time.Duration(got.ExpiresIn) * time.Second)}, nil
		},
	})
}
