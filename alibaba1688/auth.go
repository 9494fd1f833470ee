package alibaba1688

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/token"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// The security schemes of the spec, and one for calls of public data.
const (
	schemeUser = "user" // access token and signature
	schemeSign = "sign" // signature alone
	schemeApp  = "app"  // key and secret in the form, unsigned
)

// An auth signs calls and keeps access tokens.
type auth struct {
	tokens *token.Cache
}

func (a *auth) Serves(_ string, c *resilience.Credential) bool { return c.App != "" && c.Secret != "" }

// Token returns the member's access token: the lasting one, one fetched by the refresh token, or none for apps of a single user.
func (a *auth) Token(ctx context.Context, op *resilience.Operation, c *resilience.Credential) (resilience.Secret, error) {
	switch {
	case op.Auth != schemeUser:
		return "", nil
	case c.Refresh != "":
		return a.tokens.Token(ctx, c)
	default:
		return c.Token, nil
	}
}

// Renews holds for members with a refresh token.
func (a *auth) Renews(c *resilience.Credential) bool { return c.Refresh != "" }

func (a *auth) Renew(ctx context.Context, _ *resilience.Operation, c *resilience.Credential, stale resilience.Secret) error {
	_, err := a.tokens.Renew(ctx, c, stale)
	return err
}

// Authorize fills in the AppKey and signs what the attempt will send. A signature that came with the parameters is dropped.
func (a *auth) Authorize(out *wire.Outgoing, c *resilience.Credential, token resilience.Secret, now time.Time) error {
	out.SetPath("appKey", c.App)
	if out.Op.Auth == schemeApp {
		out.Form = append(out.Form,
			resilience.Param{Name: "client_id", Value: c.App}, resilience.Param{Name: "client_secret", Value: c.Secret.Reveal()})
		return nil
	}
	if len(out.JSON) > 0 {
		return errors.New("alibaba1688: a JSON body cannot be signed: send parameters")
	}
	system := func(p resilience.Param) bool {
		return p.Name == paramSignature || p.Name == paramToken || p.Name == paramTimestamp
	}
	out.Query = slices.DeleteFunc(out.Query, system)
	out.Form = slices.DeleteFunc(out.Form, system)
	if token != "" {
		out.Form = append(out.Form, resilience.Param{Name: paramToken, Value: token.Reveal()})
	}
	out.Form = append(out.Form, resilience.Param{Name: paramTimestamp, Value: strconv.FormatInt(now.UnixMilli(), 10)})
	signed := sign(strings.TrimPrefix(out.Path, "/"), slices.Concat(out.Query, out.Form), c.Secret)
	out.Form = append(out.Form, resilience.Param{Name: paramSignature, Value: signed})
	return nil
}

// newTokens returns the cache of access tokens. They are fetched through the client's own chain, by the credential that they are for.
func newTokens(c *Client) (*token.Cache, error) {
	return token.New(token.Config{
		Store: token.NewMemory(),
		Fetch: func(ctx context.Context, cred *resilience.Credential, _ resilience.Secret) (token.Token, error) {
			now := time.Now()
			got, err := c.OAuth.GetToken(ctx, &OAuthGetTokenRequest{
				GrantType: "refresh_token", RefreshToken: cred.Refresh,
			}, resilience.WithCredential(cred.ID), resilience.WithTier(resilience.Instant), resilience.WithinCall())
			if err != nil {
				return token.Token{}, err
			}
			return token.Token{
				Value: got.AccessToken, Expires: now.Add(time.Duration(got.ExpiresIn) * time.Second),
			}, nil
		},
	})
}
