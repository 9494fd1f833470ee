// Package source brings a spec to the one form that package spec reads, whatever the form it has: one file or several, YAML or JSON,
// OpenAPI 3.0 or 3.1, with our extensions inside it or in an overlay beside it.
//
// An own spec (no overlay, no draft) goes to [spec.Parse] as it is, which is strict. A foreign one is read leniently: what has no plain
// Go type gets none, what a client cannot send is left out, and each kind of such a change is said once, as a note with a count and the
// first place. The spec itself is never changed.
package source
