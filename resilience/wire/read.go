package wire

import (
	"errors"
	"fmt"
	"io"
)

// ErrTooLarge says that an answer or a file has more bytes than its limit.
var ErrTooLarge = errors.New("too large")

// ReadAll reads r to its end, at most limit bytes. It returns ErrTooLarge when there are more, and never a part: a cut body that
// happens to parse is worse than an error.
func ReadAll(r io.Reader, limit int64) ([]byte, error) { return ReadSized(r, -1, limit) }

// ReadSized is ReadAll for a reader that says its size beforehand; less than 0 means that it does not. A size that is not true does no
// harm.
func ReadSized(r io.Reader, size, limit int64) ([]byte, error) {
	limit = max(0, limit)
	if size < 0 {
		size = usual - 1
	}
	buf := make([]byte, 0, 1+min(size, limit, maxTrusted)) // the byte more finds the end
	for {
		n, err := r.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		if int64(len(buf)) > limit {
			return nil, fmt.Errorf("%w: more than %d bytes", ErrTooLarge, limit)
		}
		if errors.Is(err, io.EOF) {
			return buf, nil
		}
		if err != nil {
			return nil, err
		}
		if len(buf) == cap(buf) {
			buf = grow(buf, limit)
		}
	}
}

// maxTrusted is how much room is made for a size that somebody else says.
const maxTrusted = 1 << 20

// usual is room for most answers.
const usual = 512

// grow doubles buf's room, but never beyond the byte that proves it too large.
func grow(buf []byte, limit int64) []byte {
	size := max(usual, int64(cap(buf))*2)
	if size >= limit {
		size = limit + 1
	}
	grown := make([]byte, len(buf), size)
	copy(grown, buf)
	return grown
}
