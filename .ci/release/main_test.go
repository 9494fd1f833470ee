package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var project = map[string]string{
	"go.mod":          "module example.com/sdk\n\ngo 1.26\n",
	"sdk.go":          "package sdk\n",
	"CHANGELOG.md":    "# Changelog\n\n## v0.2.0 (2031-05-04)\n\nThings.\n\n## v0.1.0\n",
	"gen/go.mod":      "module example.com/sdk/gen\n\ngo 1.26\n",
	generator:         "package render\n\n// Version is the generator's.\nconst Version = \"v0.1.0\"\n",
	"examples/go.mod": "module example.com/sdk/examples\n\ngo 1.26\n\nrequire example.com/sdk v0.1.0\n\nreplace example.com/sdk => ../\n",
	".ci/diff/go.mod": "module example.com/sdk/gen/diff\n\ngo 1.26\n\nrequire (\n\texample.com/sdk/gen v0.1.0\n)\n\n" +
		"replace example.com/sdk/gen => ../../gen\n",
	"gen/testdata/x/go.mod": "module stranger\n\ngo 1.26\n\nrequire example.com/sdk v0.1.0\n",
	// The project's own targets leave a trace each.
	"Makefile": "generate golden:\n\t@cp gen/internal/render/render.go $@.txt\ncheck:\n\t@test ! -e broken.txt && test -e CHANGELOG.md\n",
}

func repository(t *testing.T) string {
	t.Helper()
	for key, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com", "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com",
		"GOFLAGS": "", "GOWORK": "off",
	} {
		t.Setenv(key, value)
	}
	dir := t.TempDir()
	for name, text := range project {
		put(t, filepath.Join(dir, name), text)
	}
	git(t, dir, "init", "-q", "-b", "main")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "first")
	return dir
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir = dir
	said, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, said)
	}
	return strings.TrimSpace(string(said))
}

func TestDryRunChangesNothing(t *testing.T) {
	dir := repository(t)
	before := git(t, dir, "log", "--oneline")
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-version", "v0.2.0", "-dir", dir}, &out, &out); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"make generate golden", "make check", "tag v0.2.0\n", "require example.com/sdk@v0.2.0 in examples\n",
		"require example.com/sdk/gen@v0.2.0 in .ci/diff\n", "tag gen/v0.2.0\n", "nothing was done",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it does not say %q:\n%s", want, out.String())
		}
	}
	if got := git(t, dir, "log", "--oneline"); got != before {
		t.Errorf("the history is %q", got)
	}
	if got := git(t, dir, "status", "--porcelain") + git(t, dir, "tag"); got != "" {
		t.Errorf("something was changed: %s", got)
	}
}

func TestRelease(t *testing.T) {
	dir := repository(t)
	var out bytes.Buffer
	if err := run(t.Context(), []string{"-version", "v0.2.0", "-dir", dir, "-do"}, &out, &out); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	for _, test := range []struct{ at, file, want string }{
		{"v0.2.0", generator, `const Version = "v0.2.0"`}, // and what is generated with it
		{"v0.2.0", "generate.txt", `const Version = "v0.2.0"`},
		{"v0.2.0", "golden.txt", `const Version = "v0.2.0"`},
		{"gen/v0.2.0", "examples/go.mod", "require example.com/sdk v0.2.0"},
		{"gen/v0.2.0", "examples/go.mod", "replace example.com/sdk => ../"},
		{"gen/v0.2.0", ".ci/diff/go.mod", "example.com/sdk/gen v0.2.0"},
		{"gen/v0.2.0", "gen/testdata/x/go.mod", "require example.com/sdk v0.1.0"}, // a stranger's
	} {
		if got := git(t, dir, "show", test.at+":"+test.file); !strings.Contains(got, test.want) {
			t.Errorf("%s at %s is %q, want %q", test.file, test.at, got, test.want)
		}
	}
	if got := git(t, dir, "log", "--format=%s"); got != "release v0.2.0: require it in nested modules\nrelease v0.2.0: say the version\nfirst" {
		t.Errorf("the history is %q", got)
	}
	if got := git(t, dir, "rev-parse", "gen/v0.2.0^{}") == git(t, dir, "rev-parse", "main"); !got {
		t.Error("gen/v0.2.0 is not the head of main")
	}
	if got := git(t, dir, "status", "--porcelain"); got != "" {
		t.Errorf("changes are left: %s", got)
	}
	if !strings.Contains(out.String(), "not pushed: git push --atomic origin main v0.2.0 gen/v0.2.0") {
		t.Errorf("it does not say how to push:\n%s", out.String())
	}
	if err := run(t.Context(), []string{"-version", "v0.2.0", "-dir", dir, "-do"}, &out, &out); err == nil || !strings.Contains(err.Error(), "tag v0.2.0") {
		t.Errorf("the same version again: %v", err)
	}
}

// TestACommitThatIsRefused: a version is made whole or not at all, and can be made again.
func TestACommitThatIsRefused(t *testing.T) {
	dir := repository(t)
	before := git(t, dir, "log", "--oneline")
	hook := filepath.Join(dir, ".git", "hooks", "commit-msg")
	put(t, hook, "#!/bin/sh\n! grep -q nested \"$1\"\n")
	if err := os.Chmod(hook, 0o700); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	err := run(t.Context(), []string{"-version", "v0.2.0", "-dir", dir, "-do"}, &out, &out)
	if err == nil || !strings.Contains(err.Error(), "git commit") || !strings.Contains(err.Error(), "nothing is committed or tagged") {
		t.Errorf("got %v", err)
	}
	if got := git(t, dir, "log", "--oneline"); got != before {
		t.Errorf("the history is %q", got)
	}
	if got := git(t, dir, "status", "--porcelain") + git(t, dir, "tag"); got != "" {
		t.Errorf("something is left: %s", got)
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	if err := run(t.Context(), []string{"-version", "v0.2.0", "-dir", dir, "-do"}, &out, &out); err != nil {
		t.Errorf("once more: %v", err)
	}
}

func TestRefusals(t *testing.T) {
	tests := []struct {
		name, version string
		do            func(dir string)
		want          string
	}{
		{"no version", "", nil, "write v0.2.0"},
		{"no v", "0.2.0", nil, "write v0.2.0"},
		{"leading zero", "v0.02.0", nil, "write v0.2.0"},
		{"a flag", "-f", nil, "write v0.2.0"},
		{"another module path", "v2.0.0", nil, "another module path"},
		{"changes", "v0.2.0", func(dir string) { put(t, filepath.Join(dir, "new.go"), "package sdk\n") }, "new.go"},
		{"another branch", "v0.2.0", func(dir string) { git(t, dir, "switch", "-q", "-c", "side") }, `on branch "side"`},
		{"nested tag", "v0.2.0", func(dir string) { git(t, dir, "tag", "gen/v0.2.0") }, "gen/v0.2.0"},
		{"no word in the changelog", "v0.3.0", nil, `"## v0.3.0"`},
		{"check fails", "v0.2.0", func(dir string) {
			put(t, filepath.Join(dir, "broken.txt"), "x")
			git(t, dir, "add", ".")
			git(t, dir, "commit", "-q", "-m", "second")
		}, "make check: exit status 2; nothing is committed or tagged"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			dir := repository(t)
			if test.do != nil {
				test.do(dir)
			}
			before := git(t, dir, "tag") + git(t, dir, "log", "--oneline")
			var out bytes.Buffer
			err := run(t.Context(), []string{"-version=" + test.version, "-dir", dir, "-do"}, &out, &out)
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %q", err, test.want)
			}
			if got := git(t, dir, "tag") + git(t, dir, "log", "--oneline"); got != before {
				t.Errorf("something was made: %s", got)
			}
		})
	}
}
