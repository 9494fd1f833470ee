package client

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// statusOf is the HTTP status that refusals of a class come with, by its name in package net/http. Others are a BadRequest.
var statusOf = map[string]string{
	"throttled": "TooManyRequests", "quota-exhausted": "TooManyRequests", "penalized": "TooManyRequests", "source-limited": "TooManyRequests",
	"token-expired": "Unauthorized", "credential-invalid": "Unauthorized", "forbidden": "Forbidden", "misconfigured": "Forbidden",
	"not-found": "NotFound", "rejected": "UnprocessableEntity", "duplicate-content": "Conflict",
	"transient": "ServiceUnavailable", "unknown-outcome": "InternalServerError",
	"ok": "OK", "accepted-late": "OK", "partial": "OK",
}

// A statusRow is a case of the fake's statusOf: the error codes of one class, or of one beginning.
type statusRow struct {
	op     string // whose code it is; empty for those of all
	codes  []string
	Status string
}

// Condition is the case in Go.
func (r *statusRow) Condition() string {
	conditions := make([]string, len(r.codes))
	for i, code := range r.codes {
		conditions[i] = "code == " + strconv.Quote(code)
		if prefix, wild := strings.CutSuffix(code, "*"); wild {
			conditions[i] = "strings.HasPrefix(code, " + strconv.Quote(prefix) + ")"
		}
		if r.op != "" {
			conditions[i] = "op == " + strconv.Quote(r.op) + " && " + conditions[i]
		}
	}
	return strings.Join(conditions, ",\n\t\t")
}

// wild is the length of a beginning of codes; 0 for whole codes.
func (r *statusRow) wild() int {
	if code := r.codes[0]; strings.HasSuffix(code, "*") {
		return len(code)
	}
	return 0
}

type statusRows []*statusRow

// OfOperations reports whether some rows hold for one operation only.
func (rows statusRows) OfOperations() bool {
	return slices.ContainsFunc(rows, func(r *statusRow) bool { return r.op != "" })
}

// Statuses are the cases in the order in which the middleware looks codes up: whole codes, those of the operation first, then the longest
// beginnings. There are none where all refusals come with one status.
func (m *model) Statuses() statusRows {
	if m.InBand {
		return nil
	}
	var rows statusRows
	add := func(op string, list []*spec.ErrorRow) {
		for _, e := range list {
			if e.Code != "" {
				rows = append(rows, &statusRow{op: op, codes: []string{e.Code}, Status: cmp.Or(statusOf[e.Class], "BadRequest")})
			}
		}
	}
	for _, op := range m.Doc.Operations {
		add(op.ID.Value, op.Errors)
	}
	add("", m.Doc.Errors)
	slices.SortStableFunc(rows, func(a, b *statusRow) int {
		if a.wild() == 0 || b.wild() == 0 {
			return cmp.Compare(a.wild(), b.wild())
		}
		return cmp.Compare(b.wild(), a.wild())
	})
	return joined(rows)
}

// joined makes one case of neighbours that differ in the code alone, and drops those at the end that say what holds anyhow.
func joined(rows statusRows) statusRows {
	var out statusRows
	for _, r := range rows {
		last := len(out) - 1
		if last >= 0 && out[last].op == r.op && out[last].Status == r.Status && r.wild() == 0 && out[last].wild() == 0 {
			out[last].codes = append(out[last].codes, r.codes...)
			continue
		}
		out = append(out, r)
	}
	for len(out) > 0 && out[len(out)-1].Status == "BadRequest" {
		out = out[:len(out)-1]
	}
	return out
}

// success is the HTTP status of an operation's good answer; 0 for the usual 200.
func success(op *spec.Operation) int {
	if op.Answer == nil {
		return 0
	}
	status, err := strconv.Atoi(op.Answer.Status)
	if err != nil || status == http.StatusOK || http.StatusText(status) == "" {
		return 0
	}
	return status
}
