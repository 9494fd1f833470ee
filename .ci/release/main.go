// Command release makes a version of the project: it checks, sets the version where it stands, commits and tags. It never pushes.
//
//	make release VERSION=v0.2.0        # says what it would do
//	make release VERSION=v0.2.0 DO=1   # does it
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// branch is the only one that versions are made of.
const branch = "main"

// generator is the file that says the generator's version, which stands in the head of everything that it writes.
const generator = "gen/internal/render/render.go"

// tagged are the nested modules that users ask for by version. The others are run from a clone.
var tagged = []string{"gen"}

func main() {
	if err := run(context.Background(), os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// A release is a version in the making.
type release struct {
	dir     string
	version string
	do      bool
	out     io.Writer
}

func run(ctx context.Context, args []string, stdout, stderr io.Writer) error {
	r := release{out: stdout}
	flags := flag.NewFlagSet("release", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.StringVar(&r.version, "version", "", "the version, such as v0.2.0")
	flags.StringVar(&r.dir, "dir", ".", "the project's folder")
	flags.BoolVar(&r.do, "do", false, "do it, and not only say what would be done")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if err := r.allowed(ctx); err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.setGenerator, r.check} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	if err := r.record(ctx); err != nil {
		return err
	}
	pushed := append([]string{branch}, r.tags()...)
	if !r.do {
		r.say("nothing was done: add DO=1 to do it")
		return nil
	}
	r.say("done, and not pushed: git push --atomic origin %s", strings.Join(pushed, " "))
	return nil
}

// A module path without /v2 at its end has no version of that major number.
var version = regexp.MustCompile(`^v[01]\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z]+(\.[0-9A-Za-z]+)*)?$`)

// allowed says what keeps the version from being made.
func (r release) allowed(ctx context.Context) error {
	if !version.MatchString(r.version) {
		return fmt.Errorf("VERSION=%q: write v0.2.0 or v1.0.0-rc.1; v2 and above need another module path", r.version)
	}
	on, err := r.git(ctx, "branch", "--show-current")
	if err != nil {
		return err
	}
	if on != branch {
		return fmt.Errorf("on branch %q: versions are made of %s", on, branch)
	}
	changed, err := r.git(ctx, "status", "--porcelain")
	if err != nil {
		return err
	}
	if changed != "" {
		return fmt.Errorf("the tree holds changes: commit them first\n%s", changed)
	}
	for _, tag := range r.tags() {
		found, err := r.git(ctx, "tag", "--list", tag)
		if err != nil {
			return err
		}
		if found != "" {
			return fmt.Errorf("tag %s is there already: a version is never changed, take the next", tag)
		}
	}
	return r.announced()
}

// announced looks for the version in the changelog, which users read in the tagged tree.
func (r release) announced() error {
	text, err := os.ReadFile(filepath.Join(r.dir, "CHANGELOG.md"))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "##" && words[1] == r.version {
			return nil
		}
	}
	return fmt.Errorf("CHANGELOG.md has no heading \"## %s\": rename \"## Unreleased\" and commit", r.version)
}

var generatorVersion = regexp.MustCompile(`(?m)^(const Version = )"[^"\n]*"$`)

// setGenerator writes the version into the generator and everything that it has written.
func (r release) setGenerator(ctx context.Context) error {
	path := filepath.Join(r.dir, filepath.FromSlash(generator))
	text, err := os.ReadFile(path) //nolint:gosec // a file of the project
	if err != nil {
		return err
	}
	if !generatorVersion.Match(text) {
		return fmt.Errorf("%s has no line: const Version = \"...\"", generator)
	}
	fresh := generatorVersion.ReplaceAll(text, []byte(`${1}"`+r.version+`"`))
	if string(fresh) == string(text) {
		return nil
	}
	r.say("set the generator's version in %s and regenerate: make generate golden", generator)
	if !r.do {
		return nil
	}
	if err := os.WriteFile(path, fresh, 0o644); err != nil { //nolint:gosec // source is for all to read
		return err
	}
	return r.project(ctx, "generate", "golden")
}

// check proves what is about to be tagged.
func (r release) check(ctx context.Context) error {
	r.say("prove it: make check")
	if !r.do {
		return nil
	}
	return r.project(ctx, "check")
}

// record makes the commits and tags, all of them or none.
func (r release) record(ctx context.Context) error {
	start, err := r.git(ctx, "rev-parse", "HEAD")
	if err != nil {
		return err
	}
	for _, step := range []func(context.Context) error{r.commitVersion, r.tagRoot, r.bumpNested, r.tagNested} {
		if err := step(ctx); err != nil {
			return errors.Join(err, r.back(ctx, start))
		}
	}
	return nil
}

// back takes commits and tags away again. The tree held no change before, so that nothing else is lost.
func (r release) back(ctx context.Context, start string) error {
	ctx = context.WithoutCancel(ctx)
	for _, tag := range r.tags() {
		found, err := r.git(ctx, "tag", "--list", tag)
		if err == nil && found != "" {
			_, err = r.git(ctx, "tag", "-d", tag)
		}
		if err != nil {
			return err
		}
	}
	if _, err := r.git(ctx, "reset", "-q", "--hard", start); err != nil {
		return fmt.Errorf("git reset --hard %s takes the commits back: %w", start, err)
	}
	return errors.New("nothing is committed or tagged")
}

// tags are those of a version, the root's first.
func (r release) tags() []string {
	out := []string{r.version}
	for _, module := range tagged {
		out = append(out, module+"/"+r.version)
	}
	return out
}

// commitVersion commits what the version has changed, if it has.
func (r release) commitVersion(ctx context.Context) error {
	if !r.do {
		return nil
	}
	return r.commit(ctx, "release "+r.version+": say the version")
}

func (r release) tagRoot(ctx context.Context) error { return r.tag(ctx, r.version) }

// bumpNested lets the nested modules require the version. They still take the clone's own, by their replace lines.
func (r release) bumpNested(ctx context.Context) error {
	root, err := r.modulePath(ctx, ".")
	if err != nil {
		return err
	}
	nested, err := r.nested()
	if err != nil {
		return err
	}
	for _, module := range nested {
		for _, required := range append([]string{root}, prefixed(root, tagged)...) {
			if err := r.require(ctx, module, required); err != nil {
				return err
			}
		}
	}
	if !r.do {
		return nil
	}
	return r.commit(ctx, "release "+r.version+": require it in nested modules")
}

func (r release) require(ctx context.Context, module, required string) error {
	text, err := os.ReadFile(filepath.Join(r.dir, module, "go.mod")) //nolint:gosec // a file of the project
	if err != nil {
		return err
	}
	if !regexp.MustCompile(`(?m)^(require )?\s*` + regexp.QuoteMeta(required) + ` v`).Match(text) {
		return nil
	}
	r.say("require %s@%s in %s", required, r.version, module)
	if !r.do {
		return nil
	}
	_, err = r.command(ctx, "go", "-C", module, "mod", "edit", "-require="+required+"@"+r.version)
	return err
}

func (r release) tagNested(ctx context.Context) error {
	for _, module := range tagged {
		if err := r.tag(ctx, module+"/"+r.version); err != nil {
			return err
		}
	}
	return nil
}

// nested lists the folders of the modules inside this one. Test data holds modules of strangers.
func (r release) nested() ([]string, error) {
	var out []string
	err := filepath.WalkDir(r.dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case ".git", ".tools", "bin", "testdata":
				return filepath.SkipDir
			}
			return nil
		}
		if dir, err := filepath.Rel(r.dir, filepath.Dir(path)); d.Name() == "go.mod" && dir != "." {
			out = append(out, dir)
			return err
		}
		return nil
	})
	return out, err
}

func (r release) modulePath(ctx context.Context, module string) (string, error) {
	return r.command(ctx, "go", "-C", module, "list", "-m")
}

func prefixed(root string, modules []string) []string {
	out := make([]string, len(modules))
	for i, m := range modules {
		out[i] = root + "/" + m
	}
	return out
}

func (r release) tag(ctx context.Context, name string) error {
	r.say("tag %s", name)
	if !r.do {
		return nil
	}
	_, err := r.git(ctx, "tag", "-a", "-m", name, name)
	return err
}

// commit records what the steps before it have changed; nothing where that is nothing.
func (r release) commit(ctx context.Context, message string) error {
	changed, err := r.git(ctx, "status", "--porcelain")
	if err != nil || changed == "" {
		return err
	}
	r.say("commit: %s", message)
	if _, err := r.git(ctx, "add", "--all"); err != nil {
		return err
	}
	_, err = r.git(ctx, "commit", "-q", "-m", message)
	return err
}

func (r release) say(format string, args ...any) {
	fmt.Fprintf(r.out, "release: "+format+"\n", args...)
}

func (r release) git(ctx context.Context, args ...string) (string, error) {
	return r.command(ctx, "git", args...)
}

// command runs a program in the project's folder and returns what it prints.
func (r release) command(ctx context.Context, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...) //nolint:gosec // git and go, with a checked version
	cmd.Dir = r.dir
	var said strings.Builder
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w: %s", name, strings.Join(args, " "), err, strings.TrimSpace(said.String()))
	}
	return strings.TrimSpace(string(out)), nil
}

// project makes targets of the project, whose progress the user follows. Nothing is committed before the last of them.
func (r release) project(ctx context.Context, targets ...string) error {
	cmd := exec.CommandContext(ctx, "make", append([]string{"--no-print-directory"}, targets...)...) //nolint:gosec // targets of this project
	cmd.Dir = r.dir
	cmd.Stdout, cmd.Stderr = r.out, r.out
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("make %s: %w; nothing is committed or tagged: git restore . takes the version back", strings.Join(targets, " "), err)
	}
	return nil
}
