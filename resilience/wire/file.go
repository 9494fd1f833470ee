package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
)

// A File is the content of a file part. It can be opened anew for each attempt, so that a repeat sends the same bytes.
type File = resilience.File

const octetStream = "application/octet-stream"

// FileBytes is a file of the bytes data, which must not change afterwards. An empty contentType means application/octet-stream.
func FileBytes(name, contentType string, data []byte) *File {
	return &File{
		Name: name, ContentType: contentTypeOr(contentType, octetStream), Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
}

// FilePath is the file at path, opened for each attempt. Its type is told by the ending of its name; change ContentType for others
// than the usual pictures, sounds and films.
func FilePath(path string) (*File, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("file to upload: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("file to upload: %s is not a regular file", path)
	}
	return &File{
		Name: filepath.Base(path), ContentType: contentTypeOf(path), Size: info.Size(),
		Open: func() (io.ReadCloser, error) {
			return os.Open(path) //nolint:gosec // the caller's own choice of a file to send
		},
	}, nil
}

// FileReader is a file of what r gives, read at once and kept, since an attempt may have to send it again. More than limit bytes is
// an error; use FilePath for big files.
func FileReader(name, contentType string, r io.Reader, limit int64) (*File, error) {
	if r == nil {
		return nil, fmt.Errorf("file %q: the reader is nil", name)
	}
	data, err := ReadAll(r, limit)
	if errors.Is(err, ErrTooLarge) {
		return nil, fmt.Errorf("file %q: more than %d bytes: raise the limit, or send it with FilePath: %w", name, limit, err)
	}
	if err != nil {
		return nil, fmt.Errorf("file %q: %w", name, err)
	}
	return FileBytes(name, contentType, data), nil
}

func contentTypeOr(contentType, otherwise string) string {
	if contentType == "" {
		return otherwise
	}
	return contentType
}

// contentTypeOf knows the platforms' media. The mime package would ask the machine's own tables, which differ.
func contentTypeOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jpg", ".jpeg":
		return "image/jpeg"
	case ".png":
		return "image/png"
	case ".gif":
		return "image/gif"
	case ".bmp":
		return "image/bmp"
	case ".webp":
		return "image/webp"
	case ".mp3":
		return "audio/mpeg"
	case ".amr":
		return "audio/amr"
	case ".mp4":
		return "video/mp4"
	default:
		return octetStream
	}
}
