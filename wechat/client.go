package wechat

import (
	"context"
	"errors"
	"fmt"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A Client calls WeChat. Its services are fields: Auth, Quota, Messages, Media, Users, Menu, Login, Security. Safe for concurrent use;
// make one for all calls of a program, since two clients of one account do not know of each other's calls.
type Client struct {
	services
	stack *stack.Stack
	auth  *auth
}

// An App is an official account or a mini program.
type App struct {
	ID      string            // the appid: "wx0000000000000001"
	Secret  resilience.Secret // the AppSecret, which gets access tokens
	Account string            // names it in calls, errors and Health; empty: the ID
	// Token is an access token from elsewhere, for programs that do not hold the Secret because one service fetches the tokens for
	// all. It is not renewed: Stack().Put replaces it.
	Token resilience.Secret
}

// Credential returns the app as [stack.Stack.Put] takes it. Its ID is the account's name.
func (a App) Credential() resilience.Credential {
	name := a.Account
	if name == "" {
		name = a.ID
	}
	return resilience.Credential{ID: name, Account: name, App: a.ID, Secret: a.Secret, Token: a.Token}
}

// WithApp adds an official account or a mini program. With several of them each call names its own by resilience.WithAccount, for the
// openids of one mean nothing to another.
func WithApp(a App) stack.Option {
	var faults []error
	if a.ID == "" {
		faults = append(faults, errors.New("the ID is empty: want the appid"))
	}
	switch {
	case a.Secret == "" && a.Token == "":
		faults = append(faults, errors.New("both Secret and Token are empty: tokens cannot be fetched"))
	case a.Secret != "" && a.Token != "":
		faults = append(faults, errors.New("both Secret and Token are given: keep the Secret, or the Token where another service renews it"))
	}
	if err := errors.Join(faults...); err != nil {
		return stack.Invalid(fmt.Errorf("WithApp: App %q: %w", a.ID, err))
	}
	return stack.WithCredential(a.Credential())
}

// New returns a client. Without an App it cannot make a call. The error names every faulty option.
func New(opts ...stack.Option) (*Client, error) {
	c := &Client{auth: &auth{}}
	s, err := stack.New(stack.Platform{
		Name: "wechat", BaseURL: baseURL, Quotas: quotas(), Errors: errorRules(), Envelope: envelope(), Auth: c.auth,
	}, opts...)
	if err != nil {
		return nil, err
	}
	c.services, c.stack = newServices(s), s
	if c.auth.tokens, err = newTokens(c); err != nil {
		return nil, err
	}
	return c, nil
}

// Do makes a call that this package does not know, through the same chain. body travels as JSON with a POST ({} if it is nil), further
// parameters in the query by resilience.WithParam; out is a pointer that the answer is read into, or nil.
//
// op needs HTTPMethod, Path and Auth: "token" for calls with the access token, "app" for those that take the appid and the secret themselves,
// "" for those that take neither. Without Scope, Idempotent and Group it is an uncounted write that is never repeated. Declare it once.
func (c *Client) Do(ctx context.Context, op *resilience.Operation, body, out any, opts ...resilience.CallOption) error {
	return wire.Call(ctx, c.stack, op, wire.JSON(body), out, opts)
}

// Stack returns the client's middleware, to look at its health, pause it or change its credentials.
func (c *Client) Stack() *stack.Stack { return c.stack }

// Close refuses all further calls. Those that departed go on.
func (c *Client) Close() error {
	c.auth.tokens.Close()
	return c.stack.Close()
}
