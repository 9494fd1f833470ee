package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A field is what a call sends: a parameter, or a field at the top of its body.
type field struct {
	name           string
	required       bool
	fromCredential bool
	recipient      bool
	commas         bool
	schema         *spec.Schema
}

// fields lists what a call sends.
func (d *document) fields(op *spec.Operation) []field {
	var out []field
	for _, p := range op.Params {
		out = append(out, field{p.Name, p.Required, p.FromCredential, p.Recipient, p.Commas, p.Schema})
	}
	if op.Body == nil {
		return out
	}
	seen := map[*spec.Schema]bool{}
	var walk func(s *spec.Schema)
	walk = func(s *spec.Schema) {
		if s = d.Resolve(s); s == nil || seen[s] {
			return
		}
		seen[s] = true
		for _, part := range s.AllOf {
			walk(part)
		}
		for _, p := range s.Properties {
			required := slices.ContainsFunc(s.Required, func(t spec.Text) bool { return t.Value == p.Name })
			out = append(out, field{p.Name, required, p.FromCredential, p.Recipient, op.Body.Commas[p.Name], p.Schema})
		}
	}
	walk(op.Body.Schema)
	return out
}

// constant returns the one value that a field is always sent with: callers have none to give.
func (f field) constant() (value string, ok bool) {
	if s := f.schema; f.required && s != nil && s.Ref == "" && len(s.Enum) == 1 && (s.Type == "string" || s.Type == "integer") {
		return s.Enum[0].Value, true
	}
	return "", false
}

// A request is what a call sends beside what its caller gives, in words.
type request struct {
	recipients, fromCredential, constants, commas, body string
}

func (d *document) request(op *spec.Operation) request {
	var to, credential, constants, commas []string
	for _, f := range d.fields(op) {
		if f.recipient {
			to = append(to, f.name)
		}
		if f.fromCredential {
			credential = append(credential, f.name)
		}
		if value, ok := f.constant(); ok {
			constants = append(constants, fmt.Sprintf("%s=%q", f.name, value))
		}
		if f.commas {
			commas = append(commas, f.name)
		}
	}
	words := func(s []string) string { return or(strings.Join(s, ", "), "none") }
	r := request{words(to), words(credential), words(constants), words(commas), "none"}
	if op.Body != nil {
		r.body = op.Body.Kind
	}
	return r
}

// pages says how a call's pages are walked through: what decides on what a caller may set, and the rest.
func pages(op *spec.Operation) (way, size string) {
	p := op.Pages
	if p == nil {
		return "none", "none"
	}
	way = fmt.Sprintf("%s by %s", p.Style, p.Param.Value)
	for _, part := range []struct{ name, path string }{
		{"items", p.Items.Value}, {"next", p.Next.Value}, {"total", p.Total.Value}, {"pages", p.Pages.Value},
	} {
		if part.path != "" {
			way += ", " + part.name + " in " + part.path
		}
	}
	if size = "the platform's"; p.Count > 0 {
		size = fmt.Sprintf("%d in %s", p.Count, p.Size.Value)
	}
	return way, size
}
