// Command gen writes a typed client package from an OpenAPI spec: models, services, the tables that the middleware goes by, and for a
// spec of yours the client itself with a fake for tests.
//
//	go run github.com/dujiang-go/dujiang/gen@latest -init -spec acme.yaml > acme.overlay.yaml
//	go run github.com/dujiang-go/dujiang/gen@latest -spec acme.yaml -overlay acme.overlay.yaml -package acme -out acme
//
// A spec says nothing of what may be repeated and what a call counts against. That stands in an overlay beside it: -init prints one in
// which everything is guessed and marked for review, and the spec itself is never changed. Without -overlay the spec has to hold our
// extensions itself, and is read strictly.
//
// The package in -out must belong to a module that requires github.com/dujiang-go/dujiang. gen writes *.gen.go and OPERATIONS.md
// there and touches no other file. It says everything that is wrong with spec and overlay at once, as file:line: message: cure, and then
// writes nothing; nor does it write what does not compile. Over a package that it wrote before, it says what changes for callers.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/dujiang-go/dujiang/gen/internal/changes"
	"github.com/dujiang-go/dujiang/gen/internal/client"
	"github.com/dujiang-go/dujiang/gen/internal/docs"
	"github.com/dujiang-go/dujiang/gen/internal/output"
	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/skeleton"
	"github.com/dujiang-go/dujiang/gen/internal/source"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

func main() {
	// A reader that leaves early (gen -init ... | head) is an error of a write like another, and no reason to be killed.
	signal.Ignore(syscall.SIGPIPE)
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// A job is what the command line asks for.
type job struct {
	spec, overlay, pkg, out string
	init, allowRemote       bool
}

const usage = `gen writes a typed, resilient Go client from an OpenAPI 3 spec.

With a spec of yours, in two steps:

  gen -init -spec acme.yaml > acme.overlay.yaml
      prints what the spec does not say, guessed and marked for your review:
      method names, what may be repeated, what counts against which limit.
      Read it, correct it, delete the review lines.

  gen -spec acme.yaml -overlay acme.overlay.yaml -package acme -out acme
      writes the package acme to the folder acme, with a client, and a fake
      of the platform for tests to acme/acmetest.

When the spec has got new operations:

  gen -init -spec acme.yaml -overlay acme.overlay.yaml >> acme.overlay.yaml
      appends what the overlay lacks, for your review. Generating anew then
      says what callers of the package must change, and what treats them
      otherwise.

With a spec that holds our extensions itself (specs/README.md):

  gen -spec acme.yaml -package acme -out acme

The spec is YAML or JSON, OpenAPI 3.0 or 3.1, one file or several. The folder
must belong to a module that requires github.com/dujiang-go/dujiang; only
*.gen.go files and OPERATIONS.md are written there. Exit codes: 0 done,
1 nothing was written, 2 the command line is wrong.

Flags:
`

// run returns the exit code: 0 done, 1 nothing was written, 2 the command line is wrong.
func run(args []string, stdout, stderr io.Writer) int {
	j, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		say(stderr, "gen: %v\ngen -help explains the flags\n", err)
		return 2
	}
	do := j.generate
	if j.init {
		do = j.skeleton
	}
	done, err := do(stdout, stderr)
	if err != nil {
		say(stderr, "gen: %v\n", err)
	}
	if err != nil || !done {
		return 1
	}
	return 0
}

// say writes to a stream whose failures there is nobody left to tell of.
func say(w io.Writer, format string, args ...any) { _, _ = fmt.Fprintf(w, format, args...) }

func parse(args []string, stderr io.Writer) (job, error) {
	var j job
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&j.spec, "spec", "", "the OpenAPI spec: `FILE`, YAML or JSON")
	flags.BoolVar(&j.init, "init", false,
		"print an overlay for the spec to standard output, with everything guessed, and write nothing; with -overlay what that one lacks")
	flags.StringVar(&j.overlay, "overlay", "", "the overlay that says what the spec does not: `FILE`")
	flags.BoolVar(&j.allowRemote, "allow-remote", false, "fetch what $refs to http(s) addresses name; else they are faults")
	flags.StringVar(&j.pkg, "package", "", "the `NAME` of the package to write")
	flags.StringVar(&j.out, "out", "", "the `FOLDER` to write it to")
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			say(stderr, "%s", usage)
			flags.SetOutput(stderr)
			flags.PrintDefaults()
		}
		return j, err
	}
	return j, j.check(flags.Args())
}

var packageName = regexp.MustCompile("^[a-z][a-z0-9_]*$")

// check finds what is missing on the command line, or does not go together.
func (j *job) check(more []string) error {
	const want = "want -spec FILE -package NAME -out FOLDER, with -overlay FILE for a spec without our extensions, or -init -spec FILE"
	switch {
	case len(more) > 0:
		return fmt.Errorf("unknown argument %q: %s", more[0], want)
	case j.init && j.spec == "":
		return errors.New("-init needs the spec: want -init -spec FILE")
	case j.init && (j.pkg != "" || j.out != ""):
		return errors.New("-init only prints an overlay: want -init -spec FILE, with -overlay FILE for what that one lacks, then the other " +
			"flags without -init")
	case j.init:
		return nil
	case j.spec == "" || j.pkg == "" || j.out == "":
		return errors.New(want)
	case token.IsKeyword(j.pkg), j.pkg == "main":
		return fmt.Errorf("-package %q cannot be imported: choose another name", j.pkg)
	case !packageName.MatchString(j.pkg):
		return fmt.Errorf("-package %q is no package's name: want small letters and digits", j.pkg)
	case j.allowRemote && j.overlay == "":
		return errors.New("-allow-remote goes with -overlay or -init: a spec with our extensions is one file")
	}
	return nil
}

// load reads the spec and says what there is to say about it. doc is nil if it cannot be used.
func (j *job) load(stderr io.Writer) (*spec.Document, []spec.Fault, error) {
	doc, notes, faults, err := source.Load(source.Options{Spec: j.spec, Overlay: j.overlay, AllowRemote: j.allowRemote, Draft: j.init})
	for _, note := range notes {
		say(stderr, "%s\n", note)
	}
	return doc, faults, err
}

// refused says all faults, and reports whether there are any.
func refused(stderr io.Writer, faults []spec.Fault, nothing string) bool {
	for _, f := range faults {
		say(stderr, "%s\n", f)
	}
	if len(faults) > 0 {
		say(stderr, "gen: %d fault(s), nothing %s\n", len(faults), nothing)
	}
	return len(faults) > 0
}

// skeleton prints the overlay for a foreign spec.
func (j *job) skeleton(stdout, stderr io.Writer) (done bool, err error) {
	doc, faults, err := j.load(stderr)
	if err != nil || refused(stderr, faults, "printed") {
		return false, err
	}
	text, sum := "", skeleton.Summary{}
	if j.overlay == "" {
		text, sum = skeleton.Overlay(doc)
	} else if text, sum, faults = skeleton.Missing(doc, j.overlay); refused(stderr, faults, "printed") {
		return false, nil
	}
	if _, err := io.WriteString(stdout, text); err != nil {
		return false, fmt.Errorf("the overlay was not printed whole: %w", err)
	}
	say(stderr, "gen: %s: %d operations to review, %d of them marked CHECK\n", j.spec, sum.Operations, sum.Odd)
	return true, nil
}

// generate writes the package.
func (j *job) generate(stdout, stderr io.Writer) (done bool, err error) {
	folder, err := output.Open(j.out)
	if err != nil {
		return false, err
	}
	doc, faults, err := j.load(stderr)
	if err != nil {
		return false, err
	}
	if doc == nil {
		refused(stderr, faults, "written")
		return false, nil
	}
	out, err := j.files(doc, faults, folder)
	if err != nil {
		return false, err
	}
	if refused(stderr, spec.Sort(out.Faults), "written") {
		return false, nil
	}
	if err := folder.Check(out.Files); err != nil {
		return false, err
	}
	was, is, err := folder.Sources(out.Files)
	if err != nil {
		return false, err
	}
	removed, err := folder.Write(out.Files)
	if err != nil {
		return false, err
	}
	out.Notes = append(out.Notes, changes.Between(was, is)...)
	for _, name := range removed {
		out.Notes = append(out.Notes, name+" is gone: the spec makes it no more")
	}
	for _, note := range out.Notes {
		say(stderr, "gen: %s\n", note)
	}
	say(stdout, "gen: %s: %d operations in %s\n", j.spec, len(doc.Operations), j.out)
	return true, nil
}

// files makes the package's files, unless there are faults: those that reading has found, and those that only planning shows.
func (j *job) files(doc *spec.Document, faults []spec.Fault, folder *output.Folder) (client.Output, error) {
	out := client.Output{Files: map[string][]byte{}}
	taken, err := plan.ReadTaken(folder.Path)
	if err != nil {
		return out, err
	}
	if j.overlay != "" {
		taken.Options = client.Options(doc)
	}
	p, more := plan.New(doc, j.pkg, taken)
	faults = append(faults, more...)
	header := render.Header{Spec: folder.Name(j.spec)}
	if j.overlay != "" {
		fake, err := plan.ReadTaken(filepath.Join(folder.Path, client.Fake(j.pkg)))
		if err != nil {
			return out, err
		}
		if out, err = client.Files(p, header, taken, fake); err != nil && len(faults) == 0 {
			return out, err
		}
	}
	if out.Faults = append(faults, out.Faults...); len(out.Faults) > 0 {
		return out, nil
	}
	files, err := render.Files(p, header)
	if err != nil {
		return out, err
	}
	maps.Copy(out.Files, files)
	if docs.HandWritten(folder.Path) {
		out.Notes = append(out.Notes, docs.Name+" is written by hand: it stays as it is")
	} else {
		out.Files[docs.Name] = docs.Operations(p)
	}
	return out, nil
}
