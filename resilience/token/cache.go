package token

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

const (
	defaultMargin  = 5 * time.Minute
	defaultTimeout = 10 * time.Second
	defaultBackoff = 10 * time.Second

	// blips is by how much the back-off is shorter after a failure of the network or the service, which needs no person to end.
	blips = 10
)

// Config says where tokens come from and where they are kept. Zero fields mean the default beside them.
type Config struct {
	Name    string        // the platform's, so that several may share a Store
	Fetch   Fetch         // required
	Store   Store         // nil means a NewMemory of this Cache's own
	Margin  time.Duration // how long before its end a token is renewed, at most half its lifetime; 0 means 5m
	Timeout time.Duration // of one fetch, whatever the callers' deadlines; 0 means 10s
	// Backoff is how long a refused fetch is not tried again, and how long a token that replaced a refused one is not replaced in turn;
	// 0 means 10s. After failures of the network or the service it is a tenth.
	Backoff time.Duration
	Logger  *slog.Logger // is told when the Store fails; nil means silence
}

func (cfg Config) withDefaults() (Config, error) {
	var faults []error
	if cfg.Fetch == nil {
		faults = append(faults, errors.New("token: Fetch is nil: say how a token is fetched"))
	}
	for _, d := range []struct {
		name      string
		value     *time.Duration
		otherwise time.Duration
	}{
		{"Margin", &cfg.Margin, defaultMargin}, {"Timeout", &cfg.Timeout, defaultTimeout}, {"Backoff", &cfg.Backoff, defaultBackoff},
	} {
		if *d.value < 0 {
			faults = append(faults, fmt.Errorf("token: %s is %v: want a positive time, or 0 for %v", d.name, *d.value, d.otherwise))
		}
		if *d.value == 0 {
			*d.value = d.otherwise
		}
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.New(slog.DiscardHandler)
	}
	return cfg, errors.Join(faults...)
}

// A Cache hands out tokens. It is safe for concurrent use.
type Cache struct {
	cfg  Config
	last *Memory // what this process fetched last, for when the Store fails, or is none
	keys keys

	mu      sync.Mutex
	closed  bool
	flights map[string]*flight
	history map[string]history
	running sync.WaitGroup
}

// A flight is one fetch on behalf of all who wait for it. token and err are set before done is closed.
type flight struct {
	refused resilience.Secret
	done    chan struct{}
	cancel  context.CancelFunc
	token   Token
	fetched bool // and not found in the Store
	err     error
}

// A history is what must not happen again too soon.
type history struct {
	failure   error                  // of the last fetch
	of        *resilience.Credential // which was made for this one: another one of its name has not failed
	notBefore time.Time              // the end of the back-off after it
	renewed   time.Time              // when a refused token was replaced
}

// New returns a Cache. The error names every fault of cfg.
func New(cfg Config) (*Cache, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	return &Cache{cfg: cfg, last: NewMemory(), flights: map[string]*flight{}, history: map[string]history{}}, nil
}

// Format prints nothing of what the Cache holds, whatever the verb.
func (c *Cache) Format(f fmt.State, _ rune) { _, _ = io.WriteString(f, "token.Cache("+c.cfg.Name+")") }

// Token returns a valid token for cred: the stored one, or one that is fetched once for all who ask. Near its end one caller renews it
// while the others go on with it. A credential that came with a token uses that first.
//
// The error is a [resilience.RefusedError]: ErrNoCredential with the failure of the fetch as its cause and RetryAt, or ErrClosed. It is
// ctx's own error if ctx ends first.
func (c *Cache) Token(ctx context.Context, cred *resilience.Credential) (resilience.Secret, error) {
	key := c.keys.of(c.cfg.Name, cred)
	stored := c.load(ctx, key, cred, "")
	now := time.Now()
	if stored.fresh(now, c.cfg.Margin) {
		return stored.Value, nil
	}
	if stored.valid(now) && c.flying(key) {
		return stored.Value, nil
	}
	got, err := c.fetched(ctx, key, cred, "")
	if err != nil && stored.valid(time.Now()) {
		return stored.Value, nil // early renewal failed; the token is good for a while
	}
	return got.Value, err
}

// Renew returns another token after the platform refused the one given. Where the stored one differs already it is returned without a
// fetch. A token that replaced a refused one is not replaced before the back-off is over. Errors are those of [Cache.Token]; where the
// fetch brought the refused token once more they match [ErrSame].
func (c *Cache) Renew(ctx context.Context, cred *resilience.Credential, refused resilience.Secret) (resilience.Secret, error) {
	if refused == "" {
		return c.Token(ctx, cred)
	}
	key := c.keys.of(c.cfg.Name, cred)
	for {
		stored := c.load(ctx, key, cred, refused)
		if stored.Value != refused && stored.valid(time.Now()) {
			return stored.Value, nil
		}
		got, err := c.fetched(ctx, key, cred, refused)
		if err != nil || got.Value != refused {
			return got.Value, err
		}
		if err := c.afresh(key, cred); err != nil {
			err.Cause = ErrSame
			return "", err
		}
		// The flight that this caller joined was begun for another reason and brought the same token: ask for a better one.
	}
}

// Close ends running fetches and waits for them. Whoever waits for a fetch, or needs one later, gets ErrClosed.
func (c *Cache) Close() {
	c.mu.Lock()
	c.closed = true
	for _, f := range c.flights {
		f.cancel()
	}
	c.mu.Unlock()
	c.running.Wait()
}

// load returns the best token that is known without a fetch: valid and not refused, if there is such a one; the zero Token if there is
// none at all. What this process fetched last stands in where the Store fails or lags behind.
func (c *Cache) load(ctx context.Context, key string, cred *resilience.Credential, refused resilience.Secret) Token {
	if c.cfg.Store == nil {
		own, ok, _ := c.last.Load(ctx, key)
		if !ok {
			own.Value = cred.Token
		}
		return own
	}
	stored, ok, err := c.cfg.Store.Load(ctx, key)
	if err != nil && ctx.Err() == nil {
		c.cfg.Logger.WarnContext(ctx, "token store cannot be read", "credential", cred.ID, "error", err)
	}
	if err != nil || !ok {
		stored = Token{}
	}
	stored = stored.wall()
	own, _, _ := c.last.Load(ctx, key)
	first, second := stored, own
	if stored.Value == "" || !stored.Fetched.IsZero() && own.Fetched.After(stored.Fetched) {
		first, second = own, stored
	}
	if now := time.Now(); second.valid(now) && second.Value != refused && (!first.valid(now) || first.Value == refused) {
		return second
	}
	if first.Value == "" {
		return Token{Value: cred.Token}
	}
	return first
}

func (c *Cache) flying(key string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.flights[key] != nil
}

// fetched joins the running fetch of key or begins one, and waits for it.
func (c *Cache) fetched(ctx context.Context, key string, cred *resilience.Credential, refused resilience.Secret) (Token, error) {
	if err := ctx.Err(); err != nil {
		return Token{}, waitError(cred, err)
	}
	f, err := c.join(ctx, key, cred, refused)
	if err != nil {
		return Token{}, err
	}
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return Token{}, waitError(cred, ctx.Err())
	}
}

func (c *Cache) join(ctx context.Context, key string, cred *resilience.Credential, refused resilience.Secret) (*flight, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return nil, closedError(cred)
	}
	if f := c.flights[key]; f != nil {
		return f, nil
	}
	if err := c.history[key].forbids(cred, refused, c.cfg.Backoff); err != nil {
		return nil, err
	}
	// The fetch outlives an impatient caller: the others must not lose their token with it.
	flightCtx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.cfg.Timeout)
	f := &flight{refused: refused, done: make(chan struct{}), cancel: cancel, err: errors.New("the fetch did not return")}
	c.flights[key] = f
	c.running.Go(func() {
		defer c.land(key, cred, f)
		f.token, f.err = c.fly(flightCtx, key, cred, f)
	})
	return f, nil
}

// land ends a flight and remembers how it went.
func (c *Cache) land(key string, cred *resilience.Credential, f *flight) {
	f.cancel()
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.flights, key)
	h := c.history[key]
	now := time.Now()
	switch {
	case f.err != nil && c.closed:
		f.err = closedError(cred)
	case f.err != nil:
		h.failure, h.of, h.notBefore = f.err, cred, now.Add(backoffAfter(f.err, c.cfg.Backoff))
		f.err = h.refusal(cred)
		if unsent(h.failure) {
			h.failure = nil // the chain refused, and knows itself when it no longer does
		}
	case f.refused != "" && f.fetched:
		h.renewed = now
	}
	c.history[key] = h
	close(f.done)
}

// fly gets a token: from the store, if somebody has put a better one there meanwhile, else by a fetch.
func (c *Cache) fly(ctx context.Context, key string, cred *resilience.Credential, f *flight) (Token, error) {
	stored, now := c.load(ctx, key, cred, f.refused), time.Now()
	if stored.Value != f.refused && (stored.fresh(now, c.cfg.Margin) || f.refused != "" && stored.valid(now)) {
		return stored, nil
	}
	latest := *cred
	if stored.Refresh != "" {
		latest.Refresh = stored.Refresh
	}
	got, err := c.cfg.Fetch(ctx, &latest, f.refused)
	if err == nil {
		got.Fetched = time.Now()
		err = check(got)
	}
	if err != nil {
		// Another process may have used up the refresh token, and stored what it got.
		other := c.load(ctx, key, cred, f.refused)
		if other.Value != stored.Value && other.Value != f.refused && other.valid(time.Now()) {
			return other, nil
		}
		return Token{}, err
	}
	if got.Refresh == "" {
		got.Refresh = stored.Refresh
	}
	f.fetched = true
	c.save(ctx, key, cred, got.wall())
	return got, nil
}

func (c *Cache) save(ctx context.Context, key string, cred *resilience.Credential, t Token) {
	_ = c.last.Save(ctx, key, t) // a Memory does not fail
	if c.cfg.Store == nil {
		return
	}
	if err := c.cfg.Store.Save(ctx, key, t); err != nil {
		c.cfg.Logger.WarnContext(ctx, "token store cannot be written", "credential", cred.ID, "error", err)
	}
}

func check(t Token) error {
	if t.Value == "" {
		return errors.New("the platform's answer holds no token")
	}
	if !t.valid(time.Now()) {
		return fmt.Errorf("the platform's token has ended already, at %s: check this machine's clock", t.Expires.Format(time.RFC3339))
	}
	return nil
}

// afresh says why a refused token may not be replaced once more, nil if it may.
func (c *Cache) afresh(key string, cred *resilience.Credential) *resilience.RefusedError {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.history[key].forbids(cred, "refused", c.cfg.Backoff)
}

// forbids returns the error for a fetch that would come too soon.
func (h history) forbids(cred *resilience.Credential, refused resilience.Secret, backoff time.Duration) *resilience.RefusedError {
	now := time.Now()
	if h.failure != nil && h.of == cred && now.Before(h.notBefore) {
		return h.refusal(cred)
	}
	if again := h.renewed.Add(backoff); refused != "" && !h.renewed.IsZero() && now.Before(again) {
		return &resilience.RefusedError{
			Reason: resilience.ErrNoCredential, Credential: cred.ID, RetryAt: again,
			Detail: "the token was replaced a moment ago and is refused again, so the token is not what is wrong",
		}
	}
	return nil
}

func (h history) refusal(cred *resilience.Credential) *resilience.RefusedError {
	e := &resilience.RefusedError{
		Reason: resilience.ErrNoCredential, Credential: cred.ID, RetryAt: h.notBefore, Detail: "no token", Cause: h.failure,
	}
	ours, refused := errors.AsType[*resilience.RefusedError](h.failure)
	if refused && ours.RetryAt.After(e.RetryAt) {
		e.RetryAt = ours.RetryAt
	}
	if theirs, ok := errors.AsType[*resilience.APIError](h.failure); ok && theirs.RetryAt.After(e.RetryAt) {
		e.RetryAt = theirs.RetryAt
	}
	if refused && unsent(h.failure) {
		e.RetryAt = ours.RetryAt // nothing else stands in the way
	}
	return e
}

// unsent reports whether a fetch failed because our own chain refused it.
func unsent(err error) bool {
	_, ours := errors.AsType[*resilience.RefusedError](err)
	_, theirs := errors.AsType[*resilience.APIError](err)
	return ours && !theirs
}

// backoffAfter is long where only a person can help, and short where the network or the service failed.
func backoffAfter(err error, backoff time.Duration) time.Duration {
	for _, passing := range []error{
		resilience.ErrTransient, resilience.ErrUnknownOutcome, resilience.ErrCircuitOpen, context.DeadlineExceeded,
	} {
		if errors.Is(err, passing) {
			return backoff / blips
		}
	}
	return backoff
}

func waitError(cred *resilience.Credential, err error) error {
	return fmt.Errorf("waiting for a token of credential %s: %w", cred.ID, err)
}

func closedError(cred *resilience.Credential) error {
	return &resilience.RefusedError{Reason: resilience.ErrClosed, Credential: cred.ID}
}
