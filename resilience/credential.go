package resilience

import "log/slog"

// A Credential is what lets an app call a platform: a user's token, or an app's key and secret.
type Credential struct {
	ID       string // names it in errors, events and Health; unique in a client, never a secret
	Account  string // the identity that acts; repeats and rotation stay inside one account
	Source   string // names the address that its calls leave from; empty means the machine's own
	App      string // the app's public id (AppKey, appid, corpid), where calls need it; those that name none count as one app
	Agent    string // the application inside the app that calls act for, where there are several (WeCom's agentid)
	Secret   Secret // the app's secret
	Token    Secret // the access token, where it is given and not fetched
	Refresh  Secret // the refresh token, where the platform issues one
	Overlays []Overlay
}

// An Overlay changes one window for one credential: an app that was granted more, or that is past its probation.
type Overlay struct {
	Window string `json:"window"`          // the window's name
	Limit  int    `json:"limit,omitempty"` // replaces the limit; 0 leaves it
	Off    bool   `json:"off,omitempty"`   // the window does not hold for this credential
}

// A Secret is text that never shows: fmt, JSON and slog print REDACTED.
type Secret string

const redacted = "REDACTED"

// String returns "REDACTED", or nothing for an empty Secret.
func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return redacted
}

// GoString returns "REDACTED".
func (s Secret) GoString() string { return `"` + s.String() + `"` }

// MarshalText returns "REDACTED", so that no Secret reaches JSON or a text log.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// LogValue returns "REDACTED".
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// Reveal returns the text itself, to be sent and for nothing else.
func (s Secret) Reveal() string { return string(s) }

// Hint returns the beginning of the secret for display: at most 12 characters, and never more than a third of it.
func (s Secret) Hint() string {
	if s == "" {
		return ""
	}
	runes := []rune(string(s))
	return string(runes[:min(12, len(runes)/3)]) + "…"
}
