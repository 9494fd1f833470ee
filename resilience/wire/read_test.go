package wire_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/dujiang-go/dujiang/resilience/wire"
)

func TestReadAll(t *testing.T) {
	broken := errors.New("broken")
	tests := []struct {
		name  string
		r     io.Reader
		limit int64
		want  string
		err   error
	}{
		{"nothing", strings.NewReader(""), 10, "", nil},
		{"less", strings.NewReader("12345"), 10, "12345", nil},
		{"exactly", strings.NewReader("1234567890"), 10, "1234567890", nil},
		{"one more", strings.NewReader("12345678901"), 10, "", wire.ErrTooLarge},
		{"limit 0, nothing", strings.NewReader(""), 0, "", nil},
		{"limit 0", strings.NewReader("1"), 0, "", wire.ErrTooLarge},
		{"negative limit", strings.NewReader("1"), -5, "", wire.ErrTooLarge},
		{"byte by byte", iotest.OneByteReader(strings.NewReader("1234567890")), 10, "1234567890", nil},
		{"data together with the end", iotest.DataErrReader(strings.NewReader("1234567890")), 10, "1234567890", nil},
		{"broken in the middle", io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(broken)), 10, "", broken},
		{"cut", io.MultiReader(strings.NewReader("12345"), iotest.ErrReader(io.ErrUnexpectedEOF)), 10, "", io.ErrUnexpectedEOF},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := wire.ReadAll(tt.r, tt.limit)
			if !errors.Is(err, tt.err) || string(got) != tt.want {
				t.Errorf("got %q, %v, want %q, %v", got, err, tt.want, tt.err)
			}
			if err != nil && got != nil {
				t.Errorf("a part of %d bytes was handed over beside the error", len(got))
			}
		})
	}
}

func TestReadAllAtEverySize(t *testing.T) {
	for size := range 2100 {
		data := bytes.Repeat([]byte{byte(size)}, size)
		if got, err := wire.ReadAll(bytes.NewReader(data), int64(size)); err != nil || !bytes.Equal(got, data) {
			t.Fatalf("%d bytes at their own limit: got %d, %v", size, len(got), err)
		}
		if size > 0 {
			if _, err := wire.ReadAll(bytes.NewReader(data), int64(size-1)); !errors.Is(err, wire.ErrTooLarge) {
				t.Fatalf("%d bytes at one less: got %v, want ErrTooLarge", size, err)
			}
		}
	}
}

// A counting reader says how much was taken from it.
type countingReader struct {
	r io.Reader
	n int64
}

func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

// A small answer that unpacks to 4 MiB, the same unpacked, and the same in chunks.
func TestHugeAnswerIsRefusedWhole(t *testing.T) {
	const size, limit = 4 << 20, 1 << 20
	huge := append(append([]byte(`{"a":"`), bytes.Repeat([]byte("x"), size-8)...), `"}`...)
	var packed bytes.Buffer
	zip := gzip.NewWriter(&packed)
	if _, err := zip.Write(huge); err != nil {
		t.Fatal(err)
	}
	if err := zip.Close(); err != nil {
		t.Fatal(err)
	}
	answers := map[string]http.HandlerFunc{
		"gzip": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Encoding", "gzip")
			_, _ = w.Write(packed.Bytes())
		},
		"plain": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", strconv.Itoa(len(huge)))
			_, _ = w.Write(huge)
		},
		"chunked": func(w http.ResponseWriter, _ *http.Request) {
			for part := range slices.Chunk(huge, 64<<10) {
				_, _ = w.Write(part)
			}
		},
	}
	for name, answer := range answers {
		t.Run(name, func(t *testing.T) {
			srv := httptest.NewServer(answer)
			defer srv.Close()
			resp, err := srv.Client().Get(srv.URL) //nolint:noctx // a local server that answers at once
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			counted := &countingReader{r: resp.Body}
			got, err := wire.ReadAll(counted, limit)
			if got != nil || !errors.Is(err, wire.ErrTooLarge) {
				t.Errorf("got %d bytes, %v, want ErrTooLarge", len(got), err)
			}
			if counted.n != limit+1 {
				t.Errorf("read %d bytes, want the limit and one", counted.n)
			}
		})
	}
}

func TestReadAllNeedsAtMostTwiceItsLimit(t *testing.T) {
	const limit = 1 << 20
	huge := bytes.Repeat([]byte("x"), 4*limit)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := wire.ReadAll(bytes.NewReader(huge), limit)
	runtime.ReadMemStats(&after)
	if !errors.Is(err, wire.ErrTooLarge) {
		t.Fatalf("got %v, want ErrTooLarge", err)
	}
	if got := after.TotalAlloc - before.TotalAlloc; got > 2*limit+64<<10 {
		t.Errorf("allocated %d bytes in all for a limit of %d, want at most twice", got, limit)
	}
}

func TestFileReader(t *testing.T) {
	f, err := wire.FileReader("a.txt", "", strings.NewReader("12345"), 5)
	if err != nil || f.Size != 5 || f.ContentType != "application/octet-stream" || f.Name != "a.txt" {
		t.Fatalf("got %+v, %v, want a file of 5 bytes", f, err)
	}
	for range 2 {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != "12345" {
			t.Errorf("got %q, %v, want 12345 each time", got, err)
		}
	}
	_, err = wire.FileReader("a.txt", "", strings.NewReader("123456"), 5)
	if !errors.Is(err, wire.ErrTooLarge) || !strings.Contains(err.Error(), `"a.txt": more than 5 bytes`) {
		t.Errorf("got %v, want an error that names file and limit", err)
	}
	if _, err := wire.FileReader("a.txt", "", iotest.ErrReader(errSentinel), 5); !errors.Is(err, errSentinel) {
		t.Errorf("got %v, want the reader's error", err)
	}
	if _, err := wire.FileReader("a.txt", "", nil, 5); err == nil {
		t.Error("a nil reader: got no error")
	}
}

func TestFilePath(t *testing.T) {
	dir := t.TempDir()
	types := map[string]string{
		"a.JPG": "image/jpeg", "a.png": "image/png", "a.gif": "image/gif", "a.bmp": "image/bmp", "a.webp": "image/webp",
		"a.mp3": "audio/mpeg", "a.amr": "audio/amr", "a.mp4": "video/mp4", "a.pdf": "application/octet-stream", "a": "application/octet-stream",
	}
	for name, want := range types {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
		f, err := wire.FilePath(path)
		if err != nil || f.ContentType != want || f.Name != name || f.Size != 1 {
			t.Errorf("%s: got %+v, %v, want the type %s", name, f, err, want)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "gone")} {
		if _, err := wire.FilePath(path); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want an error that names it", path, err)
		}
	}
}

// TestReadSized: the size is taken for what somebody says.
func TestReadSized(t *testing.T) {
	for _, size := range []int64{-1, 0, 1, 9, 10, 11, 4096, 1 << 40} {
		for _, limit := range []int64{9, 10, 1 << 20} {
			got, err := wire.ReadSized(strings.NewReader("0123456789"), size, limit)
			if limit < 10 {
				if !errors.Is(err, wire.ErrTooLarge) {
					t.Errorf("size %d, limit %d: got %v, want ErrTooLarge", size, limit, err)
				}
				continue
			}
			if err != nil || string(got) != "0123456789" {
				t.Errorf("size %d, limit %d: got %q, %v", size, limit, got, err)
			}
		}
	}
	if got, err := wire.ReadSized(strings.NewReader("0123456789"), 10, 1<<20); err != nil || cap(got) > 16 {
		t.Errorf("room for %d bytes was made (%v), want little more than 10", cap(got), err)
	}
}
