package weibo

import (
	"context"
	"errors"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// The security schemes of the spec.
const (
	schemeUser = "user" // a user's token
	schemeApp  = "app"  // the app's key and secret
)

// An auth puts a user's token into the header and an app's key and secret into the form.
type auth struct{}

func (auth) Serves(scheme string, c *resilience.Credential) bool {
	switch scheme {
	case schemeUser:
		return c.Token != ""
	case schemeApp:
		return c.App != "" && c.Secret != ""
	default:
		return false
	}
}

func (auth) Token(_ context.Context, _ *resilience.Operation, c *resilience.Credential) (resilience.Secret, error) {
	return c.Token, nil
}

// Renews is false: web apps get no refresh token, the user has to grant anew.
func (auth) Renews(*resilience.Credential) bool { return false }

func (auth) Renew(context.Context, *resilience.Operation, *resilience.Credential, resilience.Secret) error {
	return errors.New("weibo: a token cannot be renewed: the user has to grant it anew")
}

func (auth) Authorize(out *wire.Outgoing, c *resilience.Credential, token resilience.Secret, _ time.Time) error {
	switch out.Op.Auth {
	case schemeUser:
		out.Header.Set("Authorization", "OAuth2 "+token.Reveal())
	case schemeApp:
		out.Form = append(out.Form,
			resilience.Param{Name: "client_id", Value: c.App}, resilience.Param{Name: "client_secret", Value: c.Secret.Reveal()})
	}
	return nil
}
