// Command specdiff says what changed for users between a git revision and the working tree: policies first, then the specs, then the
// Go API. The listing goes to standard error, a fragment for CHANGELOG.md to standard output.
//
//	make spec-diff BASE=v0.1.0 >fragment.md
//
// It ends with 0 if users need not do anything, 3 if something breaks, and 1 if it could not tell.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

// The exit codes.
const (
	harmless = 0
	unknown  = 1
	breaking = 3
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("specdiff", flag.ContinueOnError)
	flags.SetOutput(stderr)
	base := flags.String("base", "", "the git revision to compare with")
	dir := flags.String("dir", ".", "the project's folder")
	if err := flags.Parse(args); errors.Is(err, flag.ErrHelp) {
		return harmless
	} else if err != nil {
		return unknown
	}
	if *base == "" || flags.NArg() > 0 {
		fmt.Fprintln(stderr, "specdiff: want -base REVISION, such as the last release's tag")
		return unknown
	}
	report, err := compare(ctx, *dir, *base, stderr)
	if err != nil {
		fmt.Fprintln(stderr, "specdiff:", err)
		return unknown
	}
	report.list(stderr)
	if _, err := io.WriteString(stdout, report.fragment()); err != nil {
		fmt.Fprintln(stderr, "specdiff:", err)
		return unknown
	}
	if report.breaks() {
		return breaking
	}
	return harmless
}

// compare looks at the specs and packages below dir as they are and as they were at base.
func compare(ctx context.Context, dir, base string, notes io.Writer) (*report, error) {
	before, remove, err := checkout(ctx, dir, base)
	if err != nil {
		return nil, err
	}
	defer remove()
	was, err := readSpecs(before, base, notes)
	if err != nil {
		return nil, err
	}
	is, err := readSpecs(dir, "", notes)
	if err != nil {
		return nil, err
	}
	r := &report{base: base, policies: policies(was, is), added: added(was, is)}
	if r.contracts, err = contracts(was, is); err != nil {
		return nil, err
	}
	if r.api, err = apiChanges(ctx, before, dir); err != nil {
		return nil, err
	}
	return r, nil
}
