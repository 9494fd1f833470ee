package skeleton

import "slices"

// class guesses what an error's code means; empty where its words do not say it for sure: a wrong row would hold against a status that
// is right, and a class such as throttled has writes repeated.
func class(code string) string {
	list := words(code)
	has := func(wanted ...string) bool {
		return slices.ContainsFunc(list, func(word string) bool { return slices.Contains(wanted, word) })
	}
	only := func(among ...string) bool {
		return !slices.ContainsFunc(list, func(word string) bool { return !slices.Contains(among, word) })
	}
	together := func(first, second string) bool { return plain(code) == first+second || has(first) && has(second) }
	isToken := has("token", "tokens", "jwt", "session", "apikey", "credential", "credentials", "bearer") || together("api", "key")
	switch {
	case has("throttled", "throttling", "throttle", "toomanyrequests", "429", "ratelimit", "ratelimited", "ratelimitexceeded"),
		has("rate") && has("limit", "limited", "limits", "exceeded"), has("too") && has("many") && has("requests", "calls"):
		return "throttled"
	case has("quota", "daily", "hourly") && has("exceeded", "exhausted", "reached") && only(quotaWords...):
		return "quota-exhausted"
	case isToken && has("expired") && only(credentialWords...):
		return "token-expired"
	case isToken && has("invalid", "revoked", "bad", "malformed", "missing", "wrong", "unknown", "required", "rejected") && only(credentialWords...),
		has("unauthorized", "unauthenticated", "401"), has("authentication") && only("authentication", "failed", "required", "error", "invalid"):
		return "credential-invalid"
	case has("forbidden", "403"), together("access", "denied"), has("permission", "permissions") && has("denied", "missing", "insufficient"):
		return "forbidden"
	case together("not", "found") && !isToken, has("404"):
		return "not-found"
	case only("internal", "server", "error", "service", "temporarily", "unavailable", "backend", "gateway", "timeout", "500", "502", "503", "504", "bad") &&
		has("internal", "unavailable", "gateway", "500", "502", "503", "504"):
		return "transient"
	}
	return ""
}

// quotaWords are those that a code about the number of calls consists of. A quota of another kind, as that of a disk, has more.
var quotaWords = []string{
	"quota", "limit", "daily", "hourly", "api", "request", "requests", "call", "calls", "exceeded", "exhausted", "reached", "error",
}

// credentialWords are those that a code about the credential consists of. A token of another kind, as a coupon's or a page's, has more.
var credentialWords = []string{
	"token", "tokens", "jwt", "session", "apikey", "api", "key", "credential", "credentials", "bearer", "access", "auth", "authentication", "error",
	"invalid", "revoked", "bad", "malformed", "missing", "wrong", "unknown", "required", "rejected", "is", "expired", "client", "or",
}
