//go:build unix

package source_test

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/dujiang-go/dujiang/gen/internal/source"
)

// TestPipe: a reference to a named pipe does not wait for a writer.
func TestPipe(t *testing.T) {
	dir := folder(t, map[string]string{"acme.yaml": head + "paths: {/a: {$ref: pipe.yaml}}\n"})
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.yaml"), 0o600); err != nil {
		t.Skipf("this file system makes no named pipes, so that none can be met: %v", err)
	}
	_, _, faults, err := source.Load(source.Options{Spec: filepath.Join(dir, "acme.yaml"), Draft: true})
	if err != nil || len(faults) != 1 || !strings.Contains(faults[0].Message, "it is no file") {
		t.Errorf("got %v, %v, want one fault", faults, err)
	}
}
