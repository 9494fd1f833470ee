package wecomtest

import "testing"

// TestDefaults holds the numbers of the documents, which are too large to be called up to.
func TestDefaults(t *testing.T) {
	c := defaults()
	for _, name := range []string{"gettoken", "media/upload", "user/get", "department/list", "kf/send_msg"} {
		if got, want := c.api[name], (limits{10_000, 150_000}); got != want {
			t.Errorf("%s: got %v, want %v", name, got, want)
		}
	}
	if got, want := c.address, (limits{20_000, 600_000}); got != want {
		t.Errorf("an address: got %v, want %v", got, want)
	}
	if got, want := c.member, (limits{30, 1000}); got != want {
		t.Errorf("a member: got %v, want %v", got, want)
	}
	if got, counted := c.api["message/send"]; counted {
		t.Errorf("message/send: got %v, want no limit", got)
	}
}
