package wire

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/textproto"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
)

// multipartBody lays the parts out beforehand, so that the length of the whole is known: platforms refuse chunked uploads.
func multipartBody(form []resilience.Param, files []resilience.File) (body, error) {
	var text bytes.Buffer
	w := multipart.NewWriter(&text)
	for _, p := range form {
		part, err := w.CreatePart(fieldHeader(&p))
		if err != nil {
			return body{}, err
		}
		_, _ = io.WriteString(part, p.Value) // into memory
	}
	m := &multipartReader{}
	size := int64(0)
	for i := range files {
		f := &files[i]
		if f.Open == nil || f.Size < 0 {
			return body{}, fmt.Errorf("file %q: want Open and a known Size", f.Field)
		}
		if _, err := w.CreatePart(partHeader(f)); err != nil {
			return body{}, err
		}
		m.parts = append(m.parts, part{text: bytes.Clone(text.Bytes()), file: f})
		size += int64(text.Len()) + f.Size
		text.Reset()
	}
	if err := w.Close(); err != nil {
		return body{}, err
	}
	m.parts = append(m.parts, part{text: text.Bytes()})
	return body{reader: m, size: size + int64(text.Len()), contentType: []string{w.FormDataContentType()}}, nil
}

var quotes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "%0D", "\n", "%0A")

// fieldHeader is that of a part without a file. OpenAPI says that an object or list travels as JSON in it, and servers that go by the
// types of parts take no other.
func fieldHeader(p *resilience.Param) textproto.MIMEHeader {
	h := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + quotes.Replace(p.Name) + `"`}}
	if p.JSON {
		h["Content-Type"] = []string{"application/json"}
	}
	return h
}

func partHeader(f *resilience.File) textproto.MIMEHeader {
	return textproto.MIMEHeader{
		"Content-Disposition": {`form-data; name="` + quotes.Replace(f.Field) + `"; filename="` + quotes.Replace(f.Name) + `"`},
		"Content-Type":        {contentTypeOr(f.ContentType, octetStream)},
	}
}

// A part is text followed by a file's content; the last one has no file.
type part struct {
	text []byte
	file *resilience.File
}

// A multipartReader reads the parts in turn. A file is opened when its turn comes, and must then have the size that it said.
type multipartReader struct {
	parts []part
	open  io.ReadCloser
	left  int64 // of the open file
}

func (m *multipartReader) Read(p []byte) (int, error) {
	for {
		if m.open != nil {
			n, err := m.readFile(p)
			if n > 0 || err != nil || len(p) == 0 {
				return n, err
			}
			continue
		}
		if len(m.parts) == 0 {
			return 0, io.EOF
		}
		if head := &m.parts[0]; len(head.text) > 0 {
			n := copy(p, head.text)
			head.text = head.text[n:]
			return n, nil
		}
		if err := m.next(); err != nil {
			return 0, err
		}
	}
}

// next opens the file of the part whose text has been read.
func (m *multipartReader) next() error {
	file := m.parts[0].file
	m.parts = m.parts[1:]
	if file == nil {
		return nil
	}
	open, err := file.Open()
	if err != nil {
		return fmt.Errorf("file %q: %w", file.Field, err)
	}
	m.open, m.left = open, file.Size
	return nil
}

func (m *multipartReader) readFile(p []byte) (int, error) {
	n, err := m.open.Read(p)
	m.left -= int64(n)
	ended := errors.Is(err, io.EOF)
	switch {
	case m.left < 0 || ended && m.left > 0:
		return 0, errFileChanged
	case ended:
		return n, m.Close()
	default:
		return n, err
	}
}

var errFileChanged = errors.New("the file has another size than it said: it was changed while it was sent")

// Close closes the open file.
func (m *multipartReader) Close() error {
	if m.open == nil {
		return nil
	}
	err := m.open.Close()
	m.open = nil
	return err
}
