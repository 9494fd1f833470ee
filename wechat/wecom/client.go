package wecom

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A Client calls WeCom. Its services are fields: Auth, Messages, Media, Users, Departments, KF. Safe for concurrent use; make one for
// all calls of a program, since two clients of one company do not know of each other's calls.
type Client struct {
	services
	stack *stack.Stack
	auth  *auth
}

// An App is an application of a company.
type App struct {
	CorpID  string            // the company: "ww0000000000000001"
	AgentID int64             // the application, which its messages come from; 0 for those that send none
	Secret  resilience.Secret // the application's own, which gets its access tokens
	Account string            // names it in calls, errors and Health; empty: the CorpID, a slash and the AgentID
}

// Credential returns the app as [stack.Stack.Put] takes it. Its ID is the account's name.
func (a App) Credential() resilience.Credential {
	c := resilience.Credential{ID: a.Account, App: a.CorpID, Secret: a.Secret}
	if a.AgentID != 0 {
		c.Agent = strconv.FormatInt(a.AgentID, 10)
	}
	if c.ID == "" {
		c.ID = a.CorpID + "/" + c.Agent
	}
	c.Account = c.ID
	return c
}

// WithApp adds an application. With several of them, of one company or more, each call names its own by resilience.WithAccount: what
// an application may see and whom it may write to is its own.
func WithApp(a App) stack.Option {
	var faults []error
	if a.CorpID == "" {
		faults = append(faults, errors.New("the CorpID is empty"))
	}
	if a.Secret == "" {
		faults = append(faults, errors.New("the Secret is empty: tokens cannot be fetched"))
	}
	if a.AgentID < 0 {
		faults = append(faults, fmt.Errorf("the AgentID is %d: want the application's number, or 0 if it sends no messages", a.AgentID))
	}
	if err := errors.Join(faults...); err != nil {
		return stack.Invalid(fmt.Errorf("WithApp: App %s/%d: %w", a.CorpID, a.AgentID, err))
	}
	return stack.WithCredential(a.Credential())
}

// New returns a client. Without an App it cannot make a call. The error names every faulty option.
func New(opts ...stack.Option) (*Client, error) {
	c := &Client{auth: &auth{}}
	s, err := stack.New(stack.Platform{
		Name: "wecom", BaseURL: baseURL, Quotas: quotas(), Errors: errorRules(), Envelope: envelope(), Auth: c.auth,
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
// op needs HTTPMethod, Path and Auth: "token" for calls with the access token, "app" for those that take the corpid and the secret themselves,
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
