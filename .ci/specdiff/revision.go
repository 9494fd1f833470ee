package main

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// checkout writes the files of a revision of dir's repository to a folder of their own, which remove takes away.
func checkout(ctx context.Context, dir, revision string) (folder string, remove func(), err error) {
	if strings.HasPrefix(revision, "-") {
		return "", nil, fmt.Errorf("%q is no revision", revision)
	}
	var said bytes.Buffer
	// Only what lies in dir, which need not be the top of the repository; the names in the archive begin there.
	cmd := exec.CommandContext(ctx, "git", "archive", "--format=tar", revision) //nolint:gosec // a revision that does not begin with a dash
	cmd.Dir = dir
	cmd.Stderr = &said
	archive, err := cmd.Output()
	if err != nil {
		return "", nil, fmt.Errorf("git archive %s: %w: %s", revision, err, bytes.TrimSpace(said.Bytes()))
	}
	folder, err = os.MkdirTemp("", "specdiff-")
	if err != nil {
		return "", nil, fmt.Errorf("no place for revision %s: %w", revision, err)
	}
	remove = func() { _ = os.RemoveAll(folder) }
	if err := unpack(bytes.NewReader(archive), folder); err != nil {
		remove()
		return "", nil, fmt.Errorf("revision %s: %w", revision, err)
	}
	return folder, remove, nil
}

// unpack writes the plain files of an archive; nothing of what is compared is a link.
func unpack(archive io.Reader, folder string) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	for r := tar.NewReader(archive); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		data, err := io.ReadAll(r)
		if err != nil {
			return err
		}
		name := filepath.FromSlash(h.Name)
		if err := root.MkdirAll(filepath.Dir(name), 0o750); err != nil {
			return err
		}
		if err := root.WriteFile(name, data, 0o600); err != nil {
			return err
		}
	}
}
