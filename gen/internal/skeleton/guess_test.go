package skeleton_test

import (
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// TestWhatIsSaidOfAGet: a summary, a description and an answer tell of a write too, whatever the call's name is.
func TestWhatIsSaidOfAGet(t *testing.T) {
	for _, c := range []struct{ id, summary, description, status, sign string }{
		{"b1", "Deletes everything", "", "200", "the word deletes in its summary"},
		{"b1", "Starts a recount of the whole warehouse.", "", "200", "the word starts in its summary"},
		{"b1", "This endpoint permanently removes a user", "", "200", "the word removes in its summary"},
		{"b1", "Pushes the queue on", "", "200", "the word pushes in its summary"},
		{"b1", "Notifies them", "", "200", "the word notifies in its summary"},
		{"b1", "Run the job", "", "200", "the word run in its summary"},
		{"b1", "Stock recount", "Recounts all stock. It takes a while.", "200", "the word recounts in its description"},
		{"b1", "A job", "", "202", "its answer 202,"},
		{"getToken", "Creates a token", "", "200", "the word creates in its summary"},
		{"getFeed", "Updates the feed and returns it", "", "200", "the word updates in its summary"},
		{"apps/get-org", "An organization", "Enables an app to find it", "200", ""},
		{"b1", "Gets an organization", "Enables an app to find it", "200", ""},
		{"b1", "Updates since a date", "", "200", "the word updates in its summary"}, // a doubt is asked about
		{"getUpdates", "Updates since a date", "", "200", ""},
		{"b1", "Returns what was deleted", "", "200", ""},
		{"b1", "Gets a user and creates none", "", "200", ""},
		{"b1", "Runs of a job", "", "200", ""},
		{"b1", "Archive", "", "200", ""},
		{"b1", "Post by its number", "", "200", ""},
		{"b1", "Early deletions", "", "200", ""},
		{"b1", "Only the owner deletes it", "", "200", ""},
		{"b1", "", "", "200", ""},
	} {
		op := operation(c.id, "GET", "/x")
		op.Summary, op.Description.Text, op.Answer = c.summary, c.description, &spec.Answer{Status: c.status}
		out, _ := read(t, document(op))
		got := out.Operations[c.id]
		if c.sign == "" && strings.Contains(got.Review, "CHECK") || c.sign != "" && !strings.HasPrefix(got.Review, "CHECK: GET, but "+c.sign) {
			t.Errorf("%s %q %q %s: review says %q, want %q", c.id, c.summary, c.description, c.status, got.Review, c.sign)
		}
		if got.Resilience.Idempotent != (c.sign == "") {
			t.Errorf("%s %q %q %s: idempotent is %t", c.id, c.summary, c.description, c.status, got.Resilience.Idempotent)
		}
	}
}

// coded makes a document whose errors have one of the codes.
func coded(codes ...string) *spec.Document {
	op := operation("list", "GET", "/users")
	code := &spec.Schema{Type: "string"}
	for _, c := range codes {
		code.Enum = append(code.Enum, spec.Text{Value: c})
	}
	op.Failures = []*spec.Failure{{Line: 20, Status: "400", Schema: object(&spec.Property{Name: "code", Schema: code}, prop("message", "string"))}}
	return document(op)
}

// TestClasses: a code gets a row where its words are sure, and only there.
func TestClasses(t *testing.T) {
	for class, codes := range map[string][]string{
		"throttled":       {"rate_limited", "RateLimitExceeded", "too_many_requests", "ThrottlingException throttling", "429"},
		"quota-exhausted": {"quota_exceeded", "daily_limit_exceeded", "API_QUOTA_EXHAUSTED"},
		"token-expired":   {"token_expired", "accessTokenExpired", "session_expired"},
		"credential-invalid": {
			"token_invalid", "invalid_token", "token_revoked", "api_key_invalid", "InvalidApiKey", "unauthorized", "UNAUTHENTICATED",
			"authentication_failed", "401",
		},
		"forbidden": {"forbidden", "access_denied", "PERMISSION_DENIED", "insufficient_permissions"},
		"not-found": {"not_found", "UserNotFound", "404"},
		"transient": {"internal", "INTERNAL_SERVER_ERROR", "service_unavailable", "temporarily_unavailable", "503"},
		"": {
			"email_taken", "validation_failed", "invalid", "card_expired", "coupon_token_expired", "missing_parameter", "file_size_limit_exceeded",
			"storage_quota_exceeded", "generate_failed", "exchange_rate_unknown", "item_unavailable", "page_token_invalid", "internal_note_missing",
			"already_exists", "limit", "two_factor_authentication_required", "token_not_found", "演示",
		},
	} {
		for _, code := range codes {
			_, text := read(t, coded(code))
			row := "# x-errors:\n#   \"" + code + "\": {class: " + class + "}\n"
			if class == "" {
				row = "# x-errors:\n#   CODE: {class: throttled}\n"
			}
			if !strings.Contains(text, row) {
				t.Errorf("the text for code %q lacks %q", code, row)
			}
			if told := strings.Contains(text, "do not tell more than the HTTP status: "+code+"."); told != (class == "") {
				t.Errorf("code %q without a row is told of: %t", code, told)
			}
		}
	}
}

// TestNoCodes: nothing that the spec does not say looks as if it did.
func TestNoCodes(t *testing.T) {
	for name, c := range map[string]struct {
		doc       *spec.Document
		want, not string
	}{
		"no enum":   {coded(), "No schema of the spec lists codes: write the platform's own in the place of CODE.\n# x-errors:\n#   CODE: {class: throttled}\n", "rate_limited"},
		"no errors": {document(operation("a", "GET", "/a")), "The spec describes no errors: the paths below show the form", "The spec describes errors"},
	} {
		if _, text := read(t, c.doc); !strings.Contains(text, c.want) || strings.Contains(text, c.not) {
			t.Errorf("%s: want %q and no %q in\n%s", name, c.want, c.not, text)
		}
	}
	message := coded()
	message.Operations[0].Failures[0].Schema = object(prop("message", "string"))
	if _, text := read(t, message); strings.Contains(text, "# x-errors:") || !strings.Contains(text, "The spec's errors have no code") {
		t.Errorf("a table of codes for errors without one:\n%s", text)
	}
}

// TestStrangeSigns: what no YAML holds does not break the overlay.
func TestStrangeSigns(t *testing.T) {
	for name, sign := range map[string]string{"bell": "\a", "delete": "\x7f", "next line": "\u0085", "line": "\u2028", "order": "\ufeff", "c1": "\u009f"} {
		op := operation("a"+sign+"b", "GET", "/a")
		op.Summary = "shows" + sign + "all"
		if out, _ := read(t, document(op)); out.Operations["a"+sign+"b"].SDK.Service == "" {
			t.Errorf("%s: the operation is not found again: %+v", name, out.Operations)
		}
	}
}
