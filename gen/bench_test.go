package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// The targets, far enough above what a slow machine takes to mean something when they are missed.
const (
	maxFirst   = 15 * time.Second // for 1,000 operations
	maxAgain   = 3 * time.Second  // for them again, without a change
	maxMemory  = 1536             // megabytes, for the same
	maxLines   = 6500             // for 120 operations
	maxCompile = 600 * time.Millisecond
)

// synthetic is a spec of many operations: half GET with 7 parameters, half POST with 7 fields, each with an answer of its own.
func synthetic(operations int) []byte {
	var b bytes.Buffer
	b.WriteString(`openapi: 3.0.3
info: {title: Acme, version: "1"}
servers: [{url: https://api.acme.example}]
x-platform: acme
x-envelope: {code: [code], message: [message], good: ["0"]}
x-quotas:
  windows:
    hour: {limit: 100, per: 1h, key: credential, source: made up}
  groups: {all: [hour]}
components:
  securitySchemes: {user: {type: http, scheme: bearer}}
  schemas:
    User: {type: object, description: a person, properties: {id: {type: integer, format: int64}, name: {type: string}}}
`)
	for i := range operations {
		fmt.Fprintf(&b, "    Thing%d:\n      type: object\n      description: a thing of kind %d\n      properties:\n", i, i)
		b.WriteString("        id: {type: integer, format: int64}\n        name: {type: string, description: its name}\n" +
			"        created: {type: string, format: local-time}\n        active: {type: boolean}\n" +
			"        tags: {type: array, items: {type: string}}\n        user: {$ref: \"#/components/schemas/User\"}\n")
	}
	b.WriteString("paths:\n")
	for i := range operations {
		get := i%2 == 0
		verb, scope := "post", "write"
		if get {
			verb, scope = "get", "read"
		}
		fmt.Fprintf(&b, "  /things/%d:\n    %s:\n      operationId: things/%d\n      summary: asks for thing %d\n"+
			"      x-sdk: {service: Things%d, method: Do%d}\n      x-resilience: {scope: %s, group: all, idempotent: %v}\n      security: [{user: []}]\n",
			i, verb, i, i, i/20, i, scope, get)
		form := "      parameters:\n"
		if !get {
			form = "      requestBody:\n        content:\n          application/json:\n" +
				"            schema:\n              type: object\n              required: [id]\n              properties:\n"
		}
		b.WriteString(form)
		for j, typ := range []string{
			"type: string", "type: string", "type: integer, format: int32", "type: boolean", "type: array, items: {type: string}",
			"type: integer, format: int64", "type: string",
		} {
			name := fmt.Sprintf("option_%d", j)
			if j == 0 {
				name = "id"
			}
			if get {
				fmt.Fprintf(&b, "        - {name: %s, in: query, required: %v, description: what is asked for, schema: {%s}}\n", name, j == 0, typ)
			} else {
				fmt.Fprintf(&b, "                %s: {%s, description: what is sent}\n", name, typ)
			}
		}
		fmt.Fprintf(&b, "      responses: {\"200\": {description: done, content: {application/json: {schema: {$ref: \"#/components/schemas/Thing%d\"}}}}}\n", i)
	}
	return b.Bytes()
}

// program builds gen, and puts a spec of so many operations beside it in a module of its own.
func program(tb testing.TB, operations int) (gen, module string) {
	tb.Helper()
	module = scratch(tb)
	gen = filepath.Join(module, "gen.exe")
	if said, err := exec.CommandContext(tb.Context(), "go", "build", "-o", gen, ".").CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, said)
	}
	put(tb, filepath.Join(module, "acme.yaml"), synthetic(operations))
	return gen, module
}

// once runs gen and returns how long it took, and its largest size in megabytes where the system tells.
func once(tb testing.TB, gen, module string) (time.Duration, float64) {
	tb.Helper()
	cmd := exec.CommandContext(tb.Context(), gen, "-spec", "acme.yaml", "-package", "acme", "-out", "acme")
	cmd.Dir = module
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	began := time.Now()
	if said, err := cmd.CombinedOutput(); err != nil {
		tb.Fatalf("%v\n%s", err, said)
	}
	return time.Since(began), megabytes(cmd.ProcessState)
}

// BenchmarkThousandOperations is one run of gen from nothing.
func BenchmarkThousandOperations(b *testing.B) {
	gen, module := program(b, 1000)
	for b.Loop() {
		if err := os.RemoveAll(filepath.Join(module, "acme")); err != nil {
			b.Fatal(err)
		}
		took, size := once(b, gen, module)
		if took > maxFirst || size > maxMemory {
			b.Errorf("took %v and %.0f MB, want at most %v and %d MB", took, size, maxFirst, maxMemory)
		}
		b.ReportMetric(size, "MB")
	}
}

// BenchmarkWithoutChanges is another run where all is as it should be.
func BenchmarkWithoutChanges(b *testing.B) {
	gen, module := program(b, 1000)
	once(b, gen, module)
	for b.Loop() {
		if took, _ := once(b, gen, module); took > maxAgain {
			b.Errorf("took %v, want at most %v", took, maxAgain)
		}
	}
}

// BenchmarkCompile is what the Go compiler takes for a package of 120 operations, in CPU.
func BenchmarkCompile(b *testing.B) {
	gen, module := program(b, 120)
	once(b, gen, module)
	config := filepath.Join(module, "importcfg")
	list := exec.CommandContext(b.Context(), "go", "list", "-mod=mod", "-export", "-deps", "-f",
		"{{if .DepOnly}}{{if .Export}}packagefile {{.ImportPath}}={{.Export}}{{end}}{{end}}", "./acme")
	list.Dir = module
	exports, err := list.Output()
	if err != nil {
		b.Fatal(err)
	}
	put(b, config, exports)
	files, err := filepath.Glob(filepath.Join(module, "acme", "*.go"))
	if err != nil {
		b.Fatal(err)
	}
	tools, err := exec.CommandContext(b.Context(), "go", "env", "GOTOOLDIR").Output()
	if err != nil {
		b.Fatal(err)
	}
	compiler := filepath.Join(strings.TrimSpace(string(tools)), "compile")
	args := []string{"-pack", "-p", "example.com/stranger/acme", "-importcfg", config, "-o", filepath.Join(module, "acme.a")}
	best := time.Hour // other programs make each run longer, and none shorter
	for b.Loop() {
		cmd := exec.CommandContext(b.Context(), compiler, append(args, files...)...)
		if said, err := cmd.CombinedOutput(); err != nil {
			b.Fatalf("%v\n%s", err, said)
		}
		best = min(best, cmd.ProcessState.UserTime()+cmd.ProcessState.SystemTime())
	}
	b.ReportMetric(float64(best.Milliseconds()), "best-cpu-ms")
	if best > maxCompile {
		b.Errorf("took %v of CPU, want at most %v", best, maxCompile)
	}
}

// TestSizeOfManyOperations: what is read in reviews has to stay small.
func TestSizeOfManyOperations(t *testing.T) {
	module := scratch(t)
	put(t, filepath.Join(module, "acme.yaml"), synthetic(120))
	generate(t, filepath.Join(module, "acme.yaml"), filepath.Join(module, "acme"))
	lines := 0
	for name, text := range written(t, module) {
		if strings.HasSuffix(name, ".go") {
			lines += strings.Count(text, "\n")
		}
	}
	t.Logf("%d lines for 120 operations", lines)
	if lines > maxLines || lines < maxLines/2 {
		t.Errorf("%d lines for 120 operations, want at most %d", lines, maxLines)
	}
}

// TestThousandOperations: nothing in the generator grows with the square of a spec.
func TestThousandOperations(t *testing.T) {
	module := scratch(t)
	put(t, filepath.Join(module, "acme.yaml"), synthetic(1000))
	generate(t, filepath.Join(module, "acme.yaml"), filepath.Join(module, "acme"))
	if n := strings.Count(string(read(t, filepath.Join(module, "acme", "operations.gen.go"))), "= &resilience.Operation{"); n != 1000 {
		t.Errorf("%d operations were written", n)
	}
}

func megabytes(p *os.ProcessState) float64 {
	if runtime.GOOS != "linux" {
		return 0
	}
	return maxResident(p) / 1024
}
