package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A weight says what a change asks of users.
type weight int

const (
	matters weight = iota // they should know
	breaks                // their code, or what it does, changes under them
	adds                  // nothing
)

// A change is one line.
type change struct {
	where  string
	text   string
	weight weight
}

// An addition is an operation that was not there.
type addition struct {
	platform string
	op       *spec.Operation
}

type report struct {
	base      string
	policies  []change
	contracts []change
	api       []change
	added     []addition
}

func added(was, is []*document) []addition {
	var out []addition
	for _, p := range pairs(was, is) {
		for _, ops := range p.operations() {
			if ops[0] == nil {
				out = append(out, addition{p.platform, ops[1]})
			}
		}
	}
	return out
}

func (r *report) breaks() bool {
	return slices.ContainsFunc(slices.Concat(r.policies, r.contracts, r.api), func(c change) bool { return c.weight == breaks })
}

// list writes everything for a reader at a terminal.
func (r *report) list(w io.Writer) {
	fmt.Fprintf(w, "Changes since %s\n", r.base)
	for _, part := range []struct {
		title   string
		changes []change
	}{{"Policies", r.policies}, {"Specs", r.contracts}, {"Go API", r.api}} {
		fmt.Fprintf(w, "\n%s\n", part.title)
		if len(part.changes) == 0 {
			fmt.Fprintln(w, "  no change")
		}
		listWeight(w, "breaking ", part.changes, breaks)
		listWeight(w, "changed  ", part.changes, matters)
		listWeight(w, "harmless ", part.changes, adds)
	}
	fmt.Fprintln(w)
}

// mostHarmless keeps a new platform from hiding what matters.
const mostHarmless = 40

func listWeight(w io.Writer, word string, changes []change, weight weight) {
	shown := 0
	for _, c := range changes {
		if c.weight != weight {
			continue
		}
		if shown++; weight == adds && shown > mostHarmless {
			continue
		}
		fmt.Fprintf(w, "  %s %s: %s\n", word, c.where, c.text)
	}
	if weight == adds && shown > mostHarmless {
		fmt.Fprintf(w, "  %s and %d more\n", word, shown-mostHarmless)
	}
}

// fragment writes what goes under "## Unreleased" of CHANGELOG.md.
func (r *report) fragment() string {
	var b strings.Builder
	section := func(title string, lines []string) {
		if len(lines) == 0 {
			return
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "### %s\n\n", title)
		for _, line := range lines {
			b.WriteString("- " + line + "\n")
		}
	}
	section("API changes", slices.Concat(bullets(r.api, breaks), bullets(r.contracts, breaks)))
	section("Policies", slices.Concat(bullets(r.policies, breaks), bullets(r.policies, matters), bullets(r.policies, adds)))
	section("Changed", bullets(r.contracts, matters))
	section("Added", additions(r.added))
	if b.Len() == 0 {
		return "No change for users.\n"
	}
	return b.String()
}

func bullets(changes []change, weight weight) []string {
	var out []string
	for _, c := range changes {
		if c.weight != weight {
			continue
		}
		line := fmt.Sprintf("`%s`: %s.", c.where, strings.TrimSuffix(c.text, "."))
		if weight == breaks {
			line = "**Breaking** " + line
		}
		out = append(out, line)
	}
	return out
}

func additions(added []addition) []string {
	var out []string
	for _, a := range added {
		out = append(out, fmt.Sprintf("`%s`: `%s.%s` (`%s`): %s.", a.platform, a.op.Service.Value, a.op.Method.Value, a.op.ID.Value,
			strings.TrimSuffix(a.op.Summary, ".")))
	}
	return out
}
