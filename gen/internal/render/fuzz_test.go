package render_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/plan"
	"github.com/dujiang-go/dujiang/gen/internal/render"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A compiler finds what the Go compiler would say about generated code.
type compiler struct{ exports map[string]string }

// newCompiler takes the packages that generated code imports from the module above.
func newCompiler(tb testing.TB) *compiler {
	tb.Helper()
	root, err := filepath.Abs("../../..")
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.CommandContext(tb.Context(), "go", "list", "-export", "-json=ImportPath,Export",
		"context", "iter", "strconv", "strings", "time", render.Module+"/resilience", render.Module+"/resilience/wire")
	cmd.Dir = root
	said, err := cmd.Output()
	if err != nil {
		tb.Skipf("there is no module %s in the folder above: %v", render.Module, err)
	}
	c := &compiler{map[string]string{}}
	for d := json.NewDecoder(bytes.NewReader(said)); ; {
		var p struct{ ImportPath, Export string }
		if err := d.Decode(&p); errors.Is(err, io.EOF) {
			return c
		} else if err != nil {
			tb.Fatal(err)
		}
		c.exports[p.ImportPath] = p.Export
	}
}

func (c *compiler) compile(files map[string][]byte) error {
	set := token.NewFileSet()
	var parsed []*ast.File
	for name, text := range files {
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		parsed = append(parsed, file)
	}
	open := func(path string) (io.ReadCloser, error) { return os.Open(c.exports[path]) }
	config := types.Config{Importer: importer.ForCompiler(set, "gc", open)}
	_, err := config.Check("acme", set, parsed, nil)
	return err
}

// FuzzPlan writes specs of every kind: each has a fault that is told, or becomes code that compiles. Its input is a number that all
// choices follow from, and not the choices themselves: the fuzzer would spend its time on making those shorter.
func FuzzPlan(f *testing.F) {
	c := newCompiler(f)
	for seed := range uint64(100) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		text, err := json.Marshal(newDice(seed).document())
		if err != nil {
			t.Fatal(err)
		}
		doc, faults := spec.Parse("acme.yaml", text)
		if doc == nil {
			t.Fatalf("not read: %v\n%s", faults, text)
		}
		doc.Foreign = seed%2 == 1 // where names that clash are told apart
		p, more := plan.New(doc, "acme", plan.Taken{})
		for _, fault := range append(faults, more...) {
			if fault.Line < 1 || fault.Message == "" || fault.Cure == "" {
				t.Errorf("fault without line, message or cure: %+v", fault)
			}
		}
		if len(faults)+len(more) > 0 {
			return
		}
		files, err := render.Files(p, render.Header{Spec: "acme.yaml"})
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		if err := c.compile(files); err != nil {
			t.Fatalf("%v\n%s\n%s", err, text, bytes.Join([][]byte{files["models.gen.go"], files["services.gen.go"], files["operations.gen.go"]}, nil))
		}
	})
}

// TestFuzzReachesTheCompiler: most of what the fuzz starts from has to have no fault, or it tests nothing.
func TestFuzzReachesTheCompiler(t *testing.T) {
	sound := 0
	const all = 400
	for seed := range uint64(all) {
		text, err := json.Marshal(newDice(seed).document())
		if err != nil {
			t.Fatal(err)
		}
		doc, faults := spec.Parse("acme.yaml", text)
		if _, more := plan.New(doc, "acme", plan.Taken{}); len(faults)+len(more) == 0 {
			sound++
		}
	}
	if sound < all/10 {
		t.Errorf("%d of %d specs are without a fault", sound, all)
	}
}
