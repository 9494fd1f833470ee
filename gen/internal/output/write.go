package output

import (
	"bytes"
	"errors"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Write moves files into the folder, and removes those that gen wrote there before and does not now, which it returns. All new ones
// are written whole before the first gets its place, and if one cannot get it, the old ones are put back: a package is never half old
// and half new. A file that is there already as it should be is left alone, so that nobody takes it for a new one.
func (f *Folder) Write(files map[string][]byte) (removed []string, err error) {
	var changed []string
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if old, err := os.ReadFile(f.place(name)); err != nil || !bytes.Equal(old, files[name]) {
			changed = append(changed, name)
		}
	}
	stale, err := f.stale(files)
	if err != nil || len(changed)+len(stale) == 0 {
		return nil, err
	}
	if err := os.MkdirAll(f.Path, 0o755); err != nil { //nolint:gosec // a package's folder is for all to read
		return nil, fmt.Errorf("the output folder, nothing written: %w", err)
	}
	temporary, err := os.MkdirTemp(f.Path, ".gen-")
	if err != nil {
		return nil, fmt.Errorf("the output folder, nothing written: %w", err)
	}
	m := move{folder: f, fresh: filepath.Join(temporary, "new"), old: filepath.Join(temporary, "old")}
	err = m.stage(changed, files)
	if err == nil {
		err = m.swap(changed, stale)
	}
	if m.stuck {
		return nil, err // the old files lie in there
	}
	if err := errors.Join(err, os.RemoveAll(temporary)); err != nil {
		return nil, err
	}
	return stale, nil
}

// A move changes the files of a folder, or none of them.
type move struct {
	folder *Folder
	fresh  string // where the new files wait
	old    string // where the old files are kept until all is done
	undo   []func() error
	stuck  bool // an old file could not be put back
}

// stage writes the new files beside the old ones.
func (m *move) stage(names []string, files map[string][]byte) error {
	for _, name := range names {
		at := filepath.Join(m.fresh, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil { //nolint:gosec // as above
			return fmt.Errorf("%s, nothing written: %w", name, err)
		}
		if err := m.folder.write(at, files[name], 0o644); err != nil { // source is for all to read
			return fmt.Errorf("%s, nothing written: %w", name, err)
		}
	}
	return nil
}

// swap gives the new files their places, and takes the stale ones away.
func (m *move) swap(fresh, stale []string) error {
	for _, name := range slices.Concat(fresh, stale) {
		err := m.keep(name)
		if err == nil && slices.Contains(fresh, name) {
			err = m.put(name)
		}
		if err != nil {
			return m.back(fmt.Errorf("%s: %w", name, err))
		}
	}
	return nil
}

// keep takes the old file of a name out of its place.
func (m *move) keep(name string) error {
	from, to := m.folder.place(name), filepath.Join(m.old, filepath.FromSlash(name))
	info, err := os.Lstat(from)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.IsDir() {
		return errors.New("a folder has this name: move it away")
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil { //nolint:gosec // as above
		return err
	}
	if err := m.folder.rename(from, to); err != nil {
		return err
	}
	m.undo = append(m.undo, func() error { return m.folder.rename(to, from) })
	return nil
}

// put gives a new file its place.
func (m *move) put(name string) error {
	to := m.folder.place(name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil { //nolint:gosec // as above
		return err
	}
	if err := m.folder.rename(filepath.Join(m.fresh, filepath.FromSlash(name)), to); err != nil {
		return err
	}
	m.undo = append(m.undo, func() error { return os.Remove(to) })
	return nil
}

// back undoes everything, the last first.
func (m *move) back(cause error) error {
	for _, undo := range slices.Backward(m.undo) {
		if err := undo(); err != nil {
			m.stuck = true
			return fmt.Errorf("%w; and the package is in pieces, since the old files could not be put back: they are in %s (%w)", cause, m.old, err)
		}
	}
	return fmt.Errorf("the old files are as they were: %w", cause)
}

// stale lists the files that gen wrote before and does not now.
func (f *Folder) stale(files map[string][]byte) ([]string, error) {
	own, err := f.own()
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(own, func(name string) bool { return files[name] != nil }), nil
}

// own lists the files that gen wrote before: every *.gen.go of the folder itself, and of the fakes in it, this package's and, if it had
// another name, that one's. Any other folder inside may be another package.
func (f *Folder) own() ([]string, error) {
	own, packages, err := f.written(".")
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(packages)) {
		fakes, _, err := f.written(name + "test")
		if err != nil {
			return nil, err
		}
		own = append(own, fakes...)
	}
	return own, nil
}

// written lists the *.gen.go files in a folder of ours that gen wrote, and the names of their packages.
func (f *Folder) written(dir string) (files []string, packages map[string]bool, err error) {
	packages = map[string]bool{}
	if !isFolder(f.place(dir)) {
		return nil, nil, nil
	}
	found, err := os.ReadDir(f.place(dir))
	if err != nil {
		return nil, nil, fmt.Errorf("stale files: %w", err)
	}
	for _, e := range found {
		if e.IsDir() || !strings.HasSuffix(e.Name(), ".gen.go") {
			continue
		}
		name := path.Join(dir, e.Name())
		data, err := os.ReadFile(f.place(name))
		if err != nil {
			return nil, nil, fmt.Errorf("stale files: %w", err)
		}
		if !isOurs(data) {
			continue
		}
		files = append(files, name)
		if file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.PackageClauseOnly); err == nil {
			packages[file.Name.Name] = true
		}
	}
	return files, packages, nil
}

func isFolder(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func isOurs(data []byte) bool { return bytes.HasPrefix(data, []byte(head)) }
