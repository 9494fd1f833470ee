package main

import (
	"fmt"
	"slices"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/oasdiff/oasdiff/checker"
	"github.com/oasdiff/oasdiff/diff"
	"github.com/oasdiff/oasdiff/load"
)

// contracts compares the plain OpenAPI of the specs, as oasdiff judges it for clients.
func contracts(was, is []*document) ([]change, error) {
	var out []change
	for _, p := range pairs(was, is) {
		switch {
		case p.was == nil:
			out = append(out, change{where: p.platform, text: fmt.Sprintf("new platform: %d operations", len(p.is.Operations)), weight: adds})
			continue
		case p.is == nil:
			out = append(out, change{where: p.platform, text: fmt.Sprintf("platform removed: %d operations", len(p.was.Operations)), weight: breaks})
			continue
		}
		changes, err := p.contract()
		if err != nil {
			return nil, err
		}
		out = append(out, changes...)
	}
	return out, nil
}

func (p pair) contract() ([]change, error) {
	a, err := p.was.openAPI()
	if err != nil {
		return nil, err
	}
	b, err := p.is.openAPI()
	if err != nil {
		return nil, err
	}
	d, sources, err := diff.GetWithOperationsSourcesMap(diff.NewConfig(), a, b)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p.is.name, err)
	}
	words := checker.NewDefaultLocalizer()
	found := checker.CheckBackwardCompatibilityUntilLevel(checker.NewConfig(checker.GetAllChecks()), d, sources, checker.INFO)
	// A schema that many operations use changes once for the reader.
	var order []change
	places := map[change][]string{}
	for _, c := range found {
		one := change{where: p.platform, text: c.GetUncolorizedText(words), weight: weighed(c.GetLevel())}
		if _, ok := places[one]; !ok {
			order = append(order, one)
			places[one] = nil
		}
		if c.GetPath() == "" {
			continue
		}
		if at := p.called(c.GetOperation(), c.GetPath()); !slices.Contains(places[one], at) {
			places[one] = append(places[one], at)
		}
	}
	for i, c := range order {
		if at := places[c]; len(at) > 0 {
			order[i].where += " " + several(at)
		}
	}
	return order, nil
}

// called finds the platform's name of the operation at a path.
func (p pair) called(method, path string) string {
	for _, d := range []*document{p.is, p.was} {
		for _, op := range d.Operations {
			if op.HTTPMethod == method && op.Path == path {
				return op.ID.Value
			}
		}
	}
	return method + " " + path
}

func weighed(level checker.Level) weight {
	switch level {
	case checker.ERR:
		return breaks
	case checker.WARN:
		return matters
	default:
		return adds
	}
}

func (d *document) openAPI() (*load.SpecInfo, error) {
	info, err := load.NewSpecInfoFromData(openapi3.NewLoader(), d.data, d.name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.name, err)
	}
	return info, nil
}
