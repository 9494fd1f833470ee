package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"

	"golang.org/x/exp/apidiff"
)

// apiChanges compares what the module's packages export at both times. Both must compile.
func apiChanges(ctx context.Context, before, after string) ([]change, error) {
	was, err := exported(ctx, before)
	if err != nil {
		return nil, fmt.Errorf("the Go API before: %w", err)
	}
	is, err := exported(ctx, after)
	if err != nil {
		return nil, fmt.Errorf("the Go API now: %w", err)
	}
	var out []change
	for _, c := range apidiff.ModuleChanges(was, is).Changes {
		weight := breaks
		if c.Compatible {
			weight = adds
		}
		text := strings.ReplaceAll(c.Message, is.Path+"/", "")
		where, rest := packageOf(text)
		out = append(out, change{where: where, text: rest, weight: weight})
	}
	slices.SortStableFunc(out, func(a, b change) int { return strings.Compare(a.where, b.where) })
	return out, nil
}

// packageOf takes "./weibo.Client.Close: removed" apart, and "package weibo: removed".
func packageOf(text string) (where, rest string) {
	subject, what, _ := strings.Cut(text, ": ")
	if path, ok := strings.CutPrefix(subject, "package "); ok {
		return path, "package " + what
	}
	path := strings.TrimPrefix(subject, "./")
	slash := strings.LastIndexByte(path, '/') + 1
	dot := strings.IndexByte(path[slash:], '.')
	if path == subject || dot < 0 {
		return "module", text
	}
	return path[:slash+dot], path[slash+dot+1:] + ": " + what
}

// A listed package is what go list says of it.
type listed struct {
	ImportPath string
	Name       string
	Export     string // the file of its export data
	DepOnly    bool   // whether it is here only because another imports it
	Module     *struct{ Path string }
}

// exported loads the packages of the module in dir that others can import.
func exported(ctx context.Context, dir string) (*apidiff.Module, error) {
	pkgs, err := golist(ctx, dir)
	if err != nil {
		return nil, err
	}
	files := map[string]string{}
	for _, p := range pkgs {
		files[p.ImportPath] = p.Export
	}
	imp := importer.ForCompiler(token.NewFileSet(), "gc", func(path string) (io.ReadCloser, error) {
		if files[path] == "" {
			return nil, fmt.Errorf("no export data of %s", path)
		}
		return os.Open(files[path])
	})
	module := &apidiff.Module{}
	for _, p := range pkgs {
		if p.DepOnly || p.Name == "main" || slices.Contains(strings.Split(p.ImportPath, "/"), "internal") {
			continue
		}
		pkg, err := imp.Import(p.ImportPath)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.ImportPath, err)
		}
		module.Path = p.Module.Path
		module.Packages = append(module.Packages, pkg)
	}
	return module, nil
}

func golist(ctx context.Context, dir string) ([]listed, error) {
	var said bytes.Buffer
	// Without the folder's name in what is compiled, the build cache knows an old revision again in another folder.
	cmd := exec.CommandContext(ctx, "go", "list", "-trimpath", "-export", "-deps", "-json=ImportPath,Name,Export,DepOnly,Module", "./...")
	cmd.Dir = dir
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w: %s", err, bytes.TrimSpace(said.Bytes()))
	}
	var pkgs []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			return pkgs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		pkgs = append(pkgs, p)
	}
}
