package retry

import (
	"sync"
	"time"
)

// Keys remembers which keys were used, so that a call happens at most once for its key. It lives in the process's memory, which it
// bounds by forgetting claims after their time. It is safe for concurrent use.
type Keys struct {
	ttl time.Duration

	mu             sync.Mutex
	claims         map[string]*claim
	oldest, newest *claim // in the order in which they were made, which is the order in which they end
}

// A Use is what became of the call that claimed a key.
type Use struct {
	At, Ends time.Time // of the claim
	Settled  bool      // the call has ended
	Unknown  bool      // and nobody knows whether it was carried out
}

type claim struct {
	Use
	key          string
	older, newer *claim
}

// sweep is how many old claims a new one may carry off. More than one, so that the table shrinks; few, so that no caller pays for all.
const sweep = 4

// NewKeys returns an empty Keys whose claims end after ttl. A ttl of 0 or less means 24 hours.
func NewKeys(ttl time.Duration) *Keys {
	if ttl <= 0 {
		ttl = 24 * time.Hour
	}
	return &Keys{ttl: ttl, claims: make(map[string]*claim)}
}

// Claim claims key from now on. It reports false if the key is claimed already, and by which use; that claim is not made longer.
func (k *Keys) Claim(key string, now time.Time) (earlier Use, claimed bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c, ok := k.claims[key]; ok {
		if now.Before(c.Ends) {
			return c.Use, false
		}
		k.drop(c)
	}
	for range sweep {
		if k.oldest == nil || now.Before(k.oldest.Ends) {
			break
		}
		k.drop(k.oldest)
	}
	k.add(&claim{key: key, Use: Use{At: now, Ends: now.Add(k.ttl)}})
	return Use{}, true
}

// Settle says how the call ended whose claim was made at the time.
func (k *Keys) Settle(key string, claimed time.Time, unknown bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c, ok := k.claims[key]; ok && c.At.Equal(claimed) {
		c.Settled, c.Unknown = true, unknown
	}
}

// Free gives up the claim that was made at the time because it is proven that its call was not carried out. A call that took longer
// than its claim may find the key claimed by another: that claim stays. A key that is not claimed is no error.
func (k *Keys) Free(key string, claimed time.Time) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if c, ok := k.claims[key]; ok && c.At.Equal(claimed) {
		k.drop(c)
	}
}

// Len returns how many claims are in memory. Some may have ended.
func (k *Keys) Len() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return len(k.claims)
}

func (k *Keys) add(c *claim) {
	k.claims[c.key] = c
	c.older = k.newest
	if k.newest == nil {
		k.oldest = c
	} else {
		k.newest.newer = c
	}
	k.newest = c
}

func (k *Keys) drop(c *claim) {
	delete(k.claims, c.key)
	if c.older == nil {
		k.oldest = c.newer
	} else {
		c.older.newer = c.newer
	}
	if c.newer == nil {
		k.newest = c.older
	} else {
		c.newer.older = c.older
	}
}
