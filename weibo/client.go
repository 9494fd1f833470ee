package weibo

import (
	"context"
	"errors"
	"fmt"
	"net/url"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

// A Client calls Weibo. Its services are fields: Statuses, Comments, Users, Account, OAuth2. Safe for concurrent use; make one for
// all calls of a program, since two clients of one token do not know of each other's calls.
type Client struct {
	services
	stack *stack.Stack
}

// New returns a client. Without options of its own it can only make calls that need no token: give it accounts. The error names
// every faulty option.
func New(opts ...stack.Option) (*Client, error) {
	s, err := stack.New(stack.Platform{
		Name: "weibo", BaseURL: baseURL, Quotas: quotas(), Errors: errorRules(), Envelope: envelope(), Auth: auth{},
	}, opts...)
	if err != nil {
		return nil, err
	}
	return &Client{services: newServices(s), stack: s}, nil
}

// WithAccount adds a Weibo user by the tokens that it has granted to one or more apps. The credentials are named name/1, name/2 ...
// in the tokens' order; name must be unique in the client.
func WithAccount(name string, tokens ...string) stack.Option {
	if name == "" {
		return stack.Invalid(errors.New("WithAccount: the account has no name"))
	}
	if len(tokens) == 0 {
		return stack.Invalid(fmt.Errorf("WithAccount: account %q has no token", name))
	}
	var opts []stack.Option
	for i, token := range tokens {
		id := fmt.Sprintf("%s/%d", name, i+1)
		if token == "" {
			opts = append(opts, stack.Invalid(fmt.Errorf("WithAccount: token %s is empty", id)))
			continue
		}
		opts = append(opts, stack.WithCredential(resilience.Credential{ID: id, Account: name, Token: resilience.Secret(token)}))
	}
	return stack.Options(opts...)
}

// WithApp adds an app's key and secret, which OAuth2.AccessToken needs and nothing else.
func WithApp(appKey, appSecret string) stack.Option {
	if appKey == "" || appSecret == "" {
		return stack.Invalid(errors.New("WithApp: want the app's key and its secret"))
	}
	return stack.WithCredential(resilience.Credential{
		ID: "app/" + appKey, Account: "app/" + appKey, App: appKey, Secret: resilience.Secret(appSecret),
	})
}

// Do makes a call that this package does not know, through the same chain. params are text values, in the query of a GET and the
// form of a POST; out is a pointer that the answer is read into, or nil.
func (c *Client) Do(
	ctx context.Context, op *resilience.Operation, params map[string]string, out any, opts ...resilience.CallOption,
) error {
	return wire.Call(ctx, c.stack, op, wire.Values(params), out, opts)
}

// Stack returns the client's middleware, to look at its health, pause it or change its credentials.
func (c *Client) Stack() *stack.Stack { return c.stack }

// Close refuses all further calls. Those that departed go on.
func (c *Client) Close() error { return c.stack.Close() }

// AuthorizeURL is the page on which a user grants the app a token. Weibo sends the user back to redirectURI, which must be the one
// registered for the app, with a code for OAuth2.AccessToken and the state as given: compare it, it keeps strangers from planting
// their own code.
func AuthorizeURL(appKey, redirectURI, state string) string {
	return baseURL + "/oauth2/authorize?" + url.Values{
		"client_id": {appKey}, "redirect_uri": {redirectURI}, "response_type": {"code"}, "state": {state},
	}.Encode()
}
