package wecomtest

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"strconv"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// MediaLife is how long a media id is good.
const MediaLife = 3 * 24 * time.Hour

type upload struct {
	kind    string
	expires time.Time
}

// smallest is a size that is still too small, in bytes.
const smallest = 5

// A mediaKind says what may be uploaded as one type.
type mediaKind struct {
	largest       int64  // bytes
	small, large  string // the codes for wrong sizes
	format        func(head []byte) bool
	formatIsWrong string
}

// kindOf returns the rules of a type; false if it is none.
func kindOf(name string) (mediaKind, bool) {
	switch name {
	case "image":
		return mediaKind{10 << 20, "40009", "40009", isPicture, "40004"}, true
	case "voice":
		return mediaKind{2 << 20, "40006", "45001", isAMR, "301017"}, true
	case "video":
		return mediaKind{10 << 20, "40011", "40011", isMP4, "40004"}, true
	case "file":
		return mediaKind{20 << 20, "40006", "45001", func([]byte) bool { return true }, ""}, true
	}
	return mediaKind{}, false
}

func isPicture(head []byte) bool {
	return bytes.HasPrefix(head, []byte("\xff\xd8\xff")) || bytes.HasPrefix(head, []byte("\x89PNG\r\n\x1a\n"))
}

func isAMR(head []byte) bool { return bytes.HasPrefix(head, []byte("#!AMR")) }

func isMP4(head []byte) bool { return len(head) >= 8 && string(head[4:8]) == "ftyp" }

func (s *Server) upload(r *request) resiliencetest.Answer {
	name := r.query.Get("type")
	kind, known := kindOf(name)
	if !known {
		return r.refuse("40005")
	}
	part := onlyPart(r.http.MultipartForm)
	switch {
	case part == nil:
		return r.refuse("44001")
	case part.Header.Get("Content-Type") == "":
		return r.refuse("40004")
	}
	if code := kind.fault(part); code != "" {
		return r.refuse(code)
	}
	id := fmt.Sprintf("media-%s-%d-made-up", name, len(s.media)+1)
	s.media[id] = upload{kind: name, expires: r.now.Add(MediaLife)}
	return r.ok(map[string]any{
		"type": name, "media_id": id, "created_at": strconv.FormatInt(r.now.Unix(), 10), // text, as the documents show it
	})
}

// onlyPart returns the file part media, nil if there is none or something else beside it. A part without a file name is no file.
func onlyPart(form *multipart.Form) *multipart.FileHeader {
	if form == nil || len(form.Value) > 0 || len(form.File) != 1 || len(form.File["media"]) != 1 {
		return nil
	}
	return form.File["media"][0]
}

// fault returns the code that a file is refused with, "" if it is good.
func (k mediaKind) fault(part *multipart.FileHeader) string {
	switch {
	case part.Size == 0:
		return "44001"
	case part.Size <= smallest:
		return k.small
	case part.Size > k.largest:
		return k.large
	}
	file, err := part.Open()
	if err != nil {
		return "44001"
	}
	defer func() { _ = file.Close() }() // it is memory
	head := make([]byte, 8)
	n, _ := io.ReadFull(file, head) // a file may be shorter
	if !k.format(head[:n]) {
		return k.formatIsWrong
	}
	return ""
}

// badMedia reports whether a media id is not that of a living upload of the kind.
func (s *Server) badMedia(id, kind string, now time.Time) bool {
	m, known := s.media[id]
	return !known || m.kind != kind || !now.Before(m.expires)
}
