// Package token keeps the access tokens that a platform issues for a short time: it fetches each once for all callers, renews it in
// time, and never trusts a token that the platform has refused.
//
//	cache, err := token.New(token.Config{Name: "1688", Fetch: fetch})
//	...
//	secret, err := cache.Token(ctx, cred)          // before a call
//	secret, err = cache.Renew(ctx, cred, secret)   // after the platform refused it, once
//
// On many platforms each fetch kills the token before it, so the rules are strict: one fetch at a time for a credential, the store is
// read again before each fetch, and a refused token is compared by value with the stored one first, since somebody else may have
// renewed it already. Times are wall time: a token runs out while the machine sleeps.
package token

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/url"
	"sync"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
)

// A Token is an access token as a platform issued it.
type Token struct {
	Value   resilience.Secret
	Refresh resilience.Secret // what renews it, where the platform issues such; empty keeps the one before
	Expires time.Time         // wall time; zero means never
	Fetched time.Time         // set by the Cache; tells the lifetime together with Expires
}

// valid reports whether t may be used at now.
func (t Token) valid(now time.Time) bool {
	return t.Value != "" && (t.Expires.IsZero() || now.Before(t.Expires))
}

// fresh reports whether t need not be renewed yet: its end is further away than margin, or than half of its lifetime if that is less.
func (t Token) fresh(now time.Time, margin time.Duration) bool {
	if t.Expires.IsZero() {
		return t.Value != ""
	}
	if !t.Fetched.IsZero() {
		margin = min(margin, t.Expires.Sub(t.Fetched)/2)
	}
	return t.valid(now.Add(margin))
}

// wall strips the monotonic readings, which stand still while the machine sleeps.
func (t Token) wall() Token {
	t.Expires, t.Fetched = t.Expires.Round(0), t.Fetched.Round(0)
	return t
}

// ErrSame says that a fetch brought the very token that the platform had refused: the token is not what is wrong.
var ErrSame = errors.New("the platform gives out the token that it refuses")

// A Fetch gets a new token for cred; cred.Refresh is the newest known. refused is the token that the platform did not take, on which
// evidence a platform may be asked to replace it by force; it is empty where there was none, or it only ran out. Fetch must end soon
// when ctx does. Its error is shown to callers: it must not hold secrets.
type Fetch func(ctx context.Context, cred *resilience.Credential, refused resilience.Secret) (Token, error)

// A Store keeps tokens, for one process or for many. Values that cannot be read are a miss (false) or an error; the Cache takes both as
// none. An implementation must keep secrets out of logs and errors, and is asked once for each call of a client: one that is far away
// should remember what it read for a moment.
type Store interface {
	Load(ctx context.Context, key string) (Token, bool, error)
	Save(ctx context.Context, key string, t Token) error
}

// keyOf names a credential's token in a Store. Tokens belong to an app and an account; another secret or another grant is another
// token, so a digest of them is part of the key, never they themselves.
func keyOf(name string, cred *resilience.Credential) string {
	who := cred.App
	if who == "" {
		who = cred.ID
	}
	grant := sha256.New()
	for _, s := range []resilience.Secret{cred.Secret, cred.Token, cred.Refresh} {
		grant.Write([]byte(s.Reveal()))
		grant.Write([]byte{0})
	}
	return url.PathEscape(name) + "/" + url.PathEscape(cred.Account) + "/" + url.PathEscape(who) + "/" +
		hex.EncodeToString(grant.Sum(nil)[:8])
}

// A keys remembers the keys of credentials, which never change: a digest for each call would cost more than all the rest.
type keys struct {
	known sync.Map // *resilience.Credential -> string
	mu    sync.Mutex
	count int
}

// maxKeys bounds what is remembered of credentials that were replaced since.
const maxKeys = 1 << 16

func (k *keys) of(name string, cred *resilience.Credential) string {
	if key, ok := k.known.Load(cred); ok {
		return key.(string)
	}
	key := keyOf(name, cred)
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.count++; k.count > maxKeys {
		k.known.Clear()
		k.count = 1
	}
	k.known.Store(cred, key)
	return key
}
