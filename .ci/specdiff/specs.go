package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A document is a platform's spec at one of the two times.
type document struct {
	*spec.Document
	name string // specs/acme.yaml
	data []byte
}

// A pair is a platform's spec at both times; one of them is nil where the platform came or went.
type pair struct {
	platform string
	was, is  *document
}

// readSpecs reads all specs below root. What today's reader finds wrong in an old spec is said and does not hinder: what it could
// read is compared. What is wrong in the working tree must be mended first.
func readSpecs(root, revision string, notes io.Writer) ([]*document, error) {
	paths, err := filepath.Glob(filepath.Join(root, "specs", "*.yaml"))
	if err != nil {
		return nil, err
	}
	var out []*document
	for _, path := range paths {
		data, err := os.ReadFile(path) //nolint:gosec // a file of the project
		if err != nil {
			return nil, err
		}
		name := "specs/" + filepath.Base(path)
		doc, faults := spec.Parse(name, data)
		switch {
		case revision == "" && len(faults) > 0:
			return nil, fmt.Errorf("%s, one of %d faults: run make generate", faults[0], len(faults))
		case doc == nil:
			return nil, fmt.Errorf("%s at %s cannot be read: %s", name, revision, faults[0])
		case len(faults) > 0:
			fmt.Fprintf(notes, "note: %s at %s is compared as far as today's generator reads it: %d fault(s), the first is %s\n",
				name, revision, len(faults), faults[0])
		}
		out = append(out, &document{doc, name, data})
	}
	if len(out) == 0 && revision == "" {
		return nil, fmt.Errorf("%s holds no specs", filepath.Join(root, "specs"))
	}
	return out, nil
}

// pairs puts together what speaks of the same platform, which may have got another file.
func pairs(was, is []*document) []pair {
	var out []pair
	for _, d := range is {
		i := slices.IndexFunc(was, func(w *document) bool { return w.Platform == d.Platform })
		p := pair{platform: d.Platform, is: d}
		if i >= 0 {
			p.was = was[i]
		}
		out = append(out, p)
	}
	for _, w := range was {
		if !slices.ContainsFunc(is, func(d *document) bool { return w.Platform == d.Platform }) {
			out = append(out, pair{platform: w.Platform, was: w})
		}
	}
	slices.SortStableFunc(out, func(a, b pair) int { return strings.Compare(a.platform, b.platform) })
	return out
}

// operations matches the operations of both times: by the platform's name for them, then by method and path for one that was renamed.
// A nil means that it came or went.
func (p pair) operations() [][2]*spec.Operation {
	var out [][2]*spec.Operation
	taken := map[*spec.Operation]bool{}
	partner := map[*spec.Operation]*spec.Operation{}
	for _, same := range []func(a, b *spec.Operation) bool{
		func(a, b *spec.Operation) bool { return a.ID.Value == b.ID.Value },
		func(a, b *spec.Operation) bool { return a.HTTPMethod == b.HTTPMethod && a.Path == b.Path },
	} {
		for _, op := range p.is.all() {
			for _, old := range p.was.all() {
				if partner[op] == nil && !taken[old] && same(old, op) {
					partner[op], taken[old] = old, true
				}
			}
		}
	}
	for _, op := range p.is.all() {
		out = append(out, [2]*spec.Operation{partner[op], op})
	}
	for _, old := range p.was.all() {
		if !taken[old] {
			out = append(out, [2]*spec.Operation{old, nil})
		}
	}
	return out
}

func (d *document) all() []*spec.Operation {
	if d == nil {
		return nil
	}
	return d.Operations
}
