package main

import (
	"bytes"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// elsewhere is the variable that makes a test's own program generate all cases: the module, and how deep in it to stand.
const elsewhere = "GEN_ELSEWHERE"

// TestSameBytesEverywhere generates every case on what might be two machines: one processor or sixteen, another language, clock, home
// and working folder. The bytes are the same, and say nothing of the machine.
func TestSameBytesEverywhere(t *testing.T) {
	if module, ok := os.LookupEnv(elsewhere); ok {
		generateAll(t, module)
		return
	}
	t.Parallel()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var modules []string
	var runs []*exec.Cmd
	for i, environment := range [][]string{
		{"GOMAXPROCS=1", "LANG=C", "LC_ALL=C", "TZ=UTC"},
		{"GOMAXPROCS=16", "LANG=zh_CN.GBK", "LC_ALL=tr_TR.UTF-8", "TZ=Asia/Shanghai", "USER=somebody", "TMPDIR=" + t.TempDir()},
	} {
		module := scratch(t)
		if err := os.CopyFS(filepath.Join(module, "specs"), os.DirFS("testdata")); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), program, "-test.run=^"+t.Name()+"$")
		cmd.Env = append(os.Environ(), append(environment, elsewhere+"="+module)...)
		if i > 0 {
			cmd.Dir = module
		}
		said := &bytes.Buffer{}
		cmd.Stdout, cmd.Stderr = said, said
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		modules, runs = append(modules, module), append(runs, cmd)
	}
	var machines []map[string]string
	for i, cmd := range runs {
		if err := cmd.Wait(); err != nil {
			t.Fatalf("%v\n%s", err, cmd.Stdout)
		}
		machines = append(machines, written(t, modules[i]))
	}
	if len(machines[0]) < 3*10 {
		t.Errorf("only %d files were written", len(machines[0]))
	}
	for _, name := range slices.Sorted(maps.Keys(machines[0])) {
		if machines[0][name] != machines[1][name] {
			t.Errorf("%s differs between two machines", name)
		}
		from, _, _ := strings.Cut(name, "/")
		if strings.HasSuffix(name, ".go") && !strings.Contains(machines[0][name], " from specs/"+from+"/spec.yaml; DO NOT EDIT.") {
			t.Errorf("%s does not name its spec", name)
		}
	}
	if len(machines[0]) != len(machines[1]) {
		t.Errorf("%d files on one machine and %d on the other", len(machines[0]), len(machines[1]))
	}
}

// generateAll does so from the module's folder, or for each case from the folder of its spec.
func generateAll(t *testing.T, module string) {
	specs, err := filepath.Glob(filepath.Join(module, "specs", "*", "spec.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range specs {
		dir := filepath.Dir(spec)
		name := filepath.Base(dir)
		args := []string{"-package", "acme", "-spec", spec, "-out", filepath.Join(module, name)}
		overlay := filepath.Join(dir, "overlay.yaml")
		if here == module {
			t.Chdir(dir)
			args, overlay = []string{"-package", "acme", "-spec", "spec.yaml", "-out", filepath.Join("..", "..", name)}, "overlay.yaml"
		}
		if exists(overlay) {
			args = append(args, "-overlay", overlay)
		}
		var stderr bytes.Buffer
		if code := run(args, io.Discard, &stderr); code != 0 {
			t.Errorf("%s: exit code %d: %s", name, code, stderr.String())
		}
	}
}

// written is what stands in a module beside its specs, and shows nothing of where that is.
func written(t *testing.T, module string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(module, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(module, path)
		if err != nil || strings.HasPrefix(name, "specs"+string(filepath.Separator)) || !strings.ContainsRune(name, filepath.Separator) {
			return err
		}
		text := string(read(t, path))
		for _, of := range []string{module, os.TempDir(), time.Now().Format(time.DateOnly), "somebody"} {
			if strings.Contains(text, of) {
				t.Errorf("%s holds %q", name, of)
			}
		}
		out[filepath.ToSlash(name)] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
