package main

import (
	"cmp"
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
	props, required := d.Properties(op.Body.Schema)
	for _, p := range props {
		out = append(out, field{p.Name, required[p.Name] > 0, p.FromCredential, p.Recipient, op.Body.Commas[p.Name], p.Schema})
	}
	return out
}

// constant returns the one value that a field is always sent with: callers have none to give. The generator decides so by the same signs.
func (f field) constant() (value string, ok bool) {
	s := f.schema
	if !f.required || s == nil || s.Ref != "" || s.Nullable || len(s.Enum) != 1 {
		return "", false
	}
	return s.Enum[0].Value, slices.Contains([]string{"string", "integer", "number", "boolean"}, s.Type)
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
	words := func(s []string) string { return cmp.Or(strings.Join(s, ", "), "none") }
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
