package output

import (
	"fmt"
	"go/build"
	"maps"
	"os"
	"path"
	"slices"
	"strings"
)

// Sources returns the Go files of the packages that gen wrote here before, as they are and as they will be once files are written, those
// written by hand among both. Names are as in files. There are none on the first time.
func (f *Folder) Sources(files map[string][]byte) (was, is map[string][]byte, err error) {
	own, err := f.own()
	if err != nil || len(own) == 0 {
		return nil, nil, err
	}
	was, is = map[string][]byte{}, map[string][]byte{}
	for name, data := range files {
		if path.Ext(name) == ".go" {
			is[name] = data
		}
	}
	dirs := map[string]bool{}
	for _, name := range own {
		if was[name], err = os.ReadFile(f.place(name)); err != nil {
			return nil, nil, fmt.Errorf("the old files: %w", err)
		}
		dirs[path.Dir(name)] = true
	}
	for _, dir := range slices.Sorted(maps.Keys(dirs)) {
		for _, name := range f.handWritten(dir, files) {
			data, err := os.ReadFile(f.place(name))
			if err != nil {
				return nil, nil, fmt.Errorf("the package's own files: %w", err)
			}
			was[name], is[name] = data, data
		}
	}
	return was, is, nil
}

// handWritten lists the Go files of dir that the package keeps besides files.
func (f *Folder) handWritten(dir string, files map[string][]byte) []string {
	entries, err := os.ReadDir(f.place(dir))
	if err != nil {
		return nil // there is no folder, so that there are none
	}
	var out []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		if _, fresh := files[name]; fresh || strings.HasSuffix(name, "_test.go") || path.Ext(name) != ".go" {
			continue
		}
		if ok, err := build.Default.MatchFile(f.place(dir), e.Name()); !ok || err != nil {
			continue
		}
		if data, err := os.ReadFile(f.place(name)); err == nil && !isOurs(data) {
			out = append(out, name)
		}
	}
	return out
}
