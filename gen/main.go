// Command gen writes a typed client package from an OpenAPI spec with our extensions: models, services, and the tables that the
// middleware goes by.
//
//	go run github.com/dujiang-go/dujiang/gen@latest -spec acme.yaml -package acme -out acme
//
// The package in -out must belong to a module that requires github.com/dujiang-go/dujiang. gen writes *.gen.go there and touches no
// other file. It says everything that is wrong with the spec at once, as file:line: message: cure, and then writes nothing; nor does
// it write what does not compile.
package main

import (
	"errors"
	"flag"
	"fmt"
	"go/token"
	"io"
	"os"

	"github.com/dujiang-go/dujiang/gen/internal/output"
	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// A job is what the command line asks for.
type job struct{ spec, pkg, out string }

// run returns the exit code: 0 done, 1 nothing was written, 2 the command line is wrong.
func run(args []string, stdout, stderr io.Writer) int {
	j, err := parse(args, stderr)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err != nil {
		fmt.Fprintln(stderr, "gen:", err)
		return 2
	}
	count, faults, err := j.do()
	for _, f := range faults {
		fmt.Fprintln(stderr, f)
	}
	switch {
	case err != nil:
		fmt.Fprintln(stderr, "gen:", err)
		return 1
	case len(faults) > 0:
		fmt.Fprintf(stderr, "gen: %d fault(s) in the spec, nothing written\n", len(faults))
		return 1
	}
	fmt.Fprintf(stdout, "gen: %s: %d operations in %s\n", j.spec, count, j.out)
	return 0
}

func parse(args []string, stderr io.Writer) (job, error) {
	var j job
	flags := flag.NewFlagSet("gen", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&j.spec, "spec", "", "the OpenAPI spec, YAML or JSON")
	flags.StringVar(&j.pkg, "package", "", "the name of the package to write")
	flags.StringVar(&j.out, "out", "", "the folder to write it to")
	if err := flags.Parse(args); err != nil {
		return j, err
	}
	switch {
	case flags.NArg() > 0:
		return j, fmt.Errorf("unknown argument %q: want -spec FILE -package NAME -out FOLDER", flags.Arg(0))
	case j.spec == "" || j.pkg == "" || j.out == "":
		return j, errors.New("want -spec FILE -package NAME -out FOLDER")
	case !token.IsIdentifier(j.pkg) || j.pkg == "_":
		return j, fmt.Errorf("-package %q is no Go name: want small letters and digits", j.pkg)
	}
	return j, nil
}

// do makes the package. Faults are the spec's, the error is anything else.
func (j job) do() (operations int, faults []spec.Fault, err error) {
	folder, err := output.Open(j.out)
	if err != nil {
		return 0, nil, err
	}
	doc, faults, err := spec.Load(j.spec)
	if err != nil {
		return 0, nil, err
	}
	if doc == nil {
		return 0, faults, nil
	}
	taken, err := plan.ReadTaken(folder.Path)
	if err != nil {
		return 0, nil, err
	}
	p, more := plan.New(doc, j.pkg, taken)
	if faults = spec.Sort(append(faults, more...)); len(faults) > 0 {
		return 0, faults, nil
	}
	files, err := render.Files(p, render.Header{Spec: folder.Name(j.spec)})
	if err != nil {
		return 0, nil, err
	}
	if err := folder.Check(files); err != nil {
		return 0, nil, err
	}
	return len(doc.Operations), nil, folder.Write(files)
}
