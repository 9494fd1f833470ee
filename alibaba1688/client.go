package alibaba1688

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A Client calls 1688. Its services are fields: Orders, Products, Logistics, OAuth. Safe for concurrent use; make one for all calls
// of a program, since two clients of one AppKey do not know of each other's calls.
type Client struct {
	services
	stack *stack.Stack
	auth  *auth
}

// An AppKey is an app, with the member that has authorized it.
type AppKey struct {
	Key     string            // the app's public number
	Secret  resilience.Secret // signs every call
	Account string            // the member that acts; empty: the app's own, named like the Key
	// Token is the member's access token where the console shows a lasting one. Apps of a single user need none.
	Token resilience.Secret
	// RefreshToken gets access tokens, which live for ten hours, and renews them. It lives for half a year.
	RefreshToken resilience.Secret
	// Aged says that the AppKey is past its first time, so that the limit of 900 calls in 5 minutes does not hold for it.
	Aged bool
}

// WithAppKey adds an AppKey. Its limits are the app's: give it once, with one member.
func WithAppKey(k AppKey) stack.Option {
	var faults []error
	if k.Key == "" {
		faults = append(faults, errors.New("the Key is empty"))
	}
	if k.Secret == "" {
		faults = append(faults, errors.New("the Secret is empty: calls cannot be signed"))
	}
	if k.Token != "" && k.RefreshToken != "" {
		faults = append(faults, errors.New("Token and RefreshToken are both given: keep the one that holds"))
	}
	if err := errors.Join(faults...); err != nil {
		return stack.Invalid(fmt.Errorf("WithAppKey: AppKey %q: %w", k.Key, err))
	}
	c := resilience.Credential{
		ID: k.Key, Account: k.Account, App: k.Key, Secret: k.Secret, Token: k.Token, Refresh: k.RefreshToken,
	}
	if c.Account == "" {
		c.Account = k.Key
	}
	if k.Aged {
		c.Overlays = []resilience.Overlay{{Window: windowNewKey, Off: true}}
	}
	return stack.WithCredential(c)
}

// windowNewKey is the window that holds for new AppKeys only.
const windowNewKey = "new_key"

// New returns a client. Without an AppKey it cannot make a call. The error names every faulty option.
func New(opts ...stack.Option) (*Client, error) {
	c := &Client{auth: &auth{}}
	s, err := stack.New(stack.Platform{
		Name: "alibaba1688", BaseURL: baseURL, Quotas: quotas(), Errors: errorRules(), Envelope: envelope(), Auth: c.auth,
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

// Do makes a call that this package does not know, through the same chain. params are text values (objects and arrays as JSON text),
// signed and sent in the query of a GET and the form of a POST; out is a pointer that the answer is read into, or nil. The
// operation's path ends in {appKey}.
func (c *Client) Do(
	ctx context.Context, op *resilience.Operation, params map[string]string, out any, opts ...resilience.CallOption,
) error {
	return wire.Call(ctx, c.stack, op, wire.Values(params), out, opts)
}

// Stack returns the client's middleware, to look at its health, pause it or change its credentials.
func (c *Client) Stack() *stack.Stack { return c.stack }

// Close refuses all further calls. Those that departed go on.
func (c *Client) Close() error {
	c.auth.tokens.Close()
	return c.stack.Close()
}

// AuthorizeURL is the page on which a member authorizes the app. 1688 sends the member back to redirectURI, whose domain must be the
// registered one, with a code for OAuth.GetToken that lives for two minutes, and the state as given: compare it, it keeps strangers
// from planting their own code.
func AuthorizeURL(appKey, redirectURI, state string) string {
	return "https://auth.1688.com/oauth/authorize?" + url.Values{
		"client_id": {appKey}, "site": {"1688"}, "redirect_uri": {redirectURI}, "state": {state},
	}.Encode()
}
