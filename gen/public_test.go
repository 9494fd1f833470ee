//go:build publicspecs

package main

import (
	"bytes"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// publicSpecs are specs that others publish, of different size and taste, in modules of the Go module proxy. None is committed here.
var publicSpecs = []struct {
	name, module, path string
	operations         int // as many as the spec has, or fewer where some cannot be called by a generated client
}{
	// JSON, 3.0, the largest: many reused responses, alternatives, names such as +1 and -1.
	{"github", "github.com/ogen-go/ogen@v1.14.0", "_testdata/examples/api.github.com.json", 765},
	// YAML, 3.0: forms with a[b][c], choices everywhere, bodies of GETs.
	{"stripe", "github.com/pb33f/libopenapi@v0.28.0", "test_specs/stripe.yaml", 490},
	// YAML, 3.0: long descriptions, extensions of a vendor, envelopes of allOf.
	{"asana", "github.com/pb33f/libopenapi@v0.28.0", "test_specs/asana.yaml", 150},
	// JSON, 3.0: a POST for everything, without summaries.
	{"telegram", "github.com/ogen-go/ogen@v1.14.0", "_testdata/examples/gotd_bot_api.json", 87},
	// YAML, 3.1, two files: every style of parameters and bodies.
	{"speakeasy", "github.com/pb33f/libopenapi@v0.28.0", "test_specs/speakeasy-test.yaml", 140},
	// JSON, 3.0: ids of three languages' taste, media types of its own, schemas that hold themselves.
	{"kubernetes", "github.com/ogen-go/ogen@v1.14.0", "_testdata/examples/k8s.json", 739},
	// JSON, 3.0: everything optional, downloads.
	{"docusign", "github.com/pb33f/libopenapi@v0.28.0", "test_specs/docusignv3.1.json", 399},
	// YAML, 3.0, small: no operationIds, another alphabet.
	{"2ch", "github.com/ogen-go/ogen@v1.14.0", "_testdata/examples/2ch.yml", 16},
}

var (
	reviewLine  = regexp.MustCompile(`(?m)^ +review:.*\n`)
	operation   = regexp.MustCompile(`(?m)^    x-sdk:`)
	serverGiven = regexp.MustCompile(`(?m)^server:`)
)

// TestPublicSpecs goes the way of a user for each: print the overlay, delete the review lines, generate, compile.
func TestPublicSpecs(t *testing.T) {
	module := scratch(t)
	for _, c := range publicSpecs {
		t.Run(c.name, func(t *testing.T) {
			spec := filepath.Join(download(t, c.module), filepath.FromSlash(c.path))
			var skeleton, stderr bytes.Buffer
			if code := run([]string{"-init", "-spec", spec}, &skeleton, &stderr); code != 0 {
				t.Fatalf("-init: exit code %d: %s", code, stderr.String())
			}
			guessed := filepath.Join(module, c.name+".guessed.yaml")
			put(t, guessed, skeleton.Bytes())
			stderr.Reset()
			out := filepath.Join(module, c.name)
			if code := run([]string{"-spec", spec, "-overlay", guessed, "-package", "acme", "-out", out}, io.Discard, &stderr); code != 1 {
				t.Errorf("with guesses in it: exit code %d, want 1", code)
			}
			if !strings.Contains(stderr.String(), "is a guess") {
				t.Errorf("nothing is said of the guesses: %.2000s", stderr.String())
			}
			overlay := reviewLine.ReplaceAll(skeleton.Bytes(), nil)
			if !serverGiven.Match(overlay) {
				overlay = append([]byte("server: https://api.acme.example\n"), overlay...)
			}
			reviewed := filepath.Join(module, c.name+".overlay.yaml")
			put(t, reviewed, overlay)
			stderr.Reset()
			if code := run([]string{"-spec", spec, "-overlay", reviewed, "-package", "acme", "-out", out}, io.Discard, &stderr); code != 0 {
				t.Fatalf("exit code %d: %.4000s", code, stderr.String())
			}
			if got := len(operation.FindAll(overlay, -1)); got < c.operations {
				t.Errorf("%d operations, want %d or more", got, c.operations)
			}
		})
	}
	cmd := exec.CommandContext(t.Context(), "go", "vet", "-mod=mod", "./...")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=", "GOWORK=off")
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("the generated packages do not pass vet: %v\n%.4000s", err, said)
	}
}

// download fetches a module through the module proxy and returns its folder.
func download(t *testing.T, module string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "mod", "download", "-json", module)
	cmd.Dir = t.TempDir()
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	said, err := cmd.Output()
	var got struct{ Dir, Error string }
	if failed := json.Unmarshal(said, &got); err != nil || failed != nil || got.Dir == "" {
		t.Fatalf("%s cannot be fetched: %v %v %s", module, err, failed, got.Error)
	}
	return got.Dir
}
