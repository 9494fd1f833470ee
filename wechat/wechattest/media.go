package wechattest

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// MediaLife is how long uploaded files are kept.
const MediaLife = 3 * 24 * time.Hour

// A file is an uploaded one.
type file struct {
	app   *app
	kind  string // image, voice, video or thumb
	name  string
	data  []byte
	until time.Time
}

// A mediaKind says which files a type takes.
type mediaKind struct {
	most    int
	tooBig  string            // code
	endings map[string]string // content type by the ending of the file's name
}

func mediaKinds() map[string]mediaKind {
	return map[string]mediaKind{
		"image": {10 << 20, "40009", map[string]string{
			".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif"}},
		"voice": {2 << 20, "40010", map[string]string{".amr": "audio/amr", ".mp3": "audio/mpeg"}},
		"video": {10 << 20, "40011", map[string]string{".mp4": "video/mp4"}},
		"thumb": {64 << 10, "40012", map[string]string{".jpg": "image/jpeg", ".jpeg": "image/jpeg"}},
	}
}

func (s *Server) upload(r *request) resiliencetest.Answer {
	kind, known := mediaKinds()[r.query.Get("type")]
	if !known {
		return s.refuse(r.call, "40004")
	}
	f, announced := readFile(r.call)
	if f == nil {
		return s.refuse(r.call, "41005")
	}
	if code := kind.fault(f, announced); code != "" {
		return s.refuse(r.call, code)
	}
	now := time.Now()
	f.app, f.kind, f.until = r.app, r.query.Get("type"), now.Add(MediaLife)
	s.issued++
	id := fmt.Sprintf("made-up_media-%06d", s.issued)
	s.files[id] = f
	field := "media_id"
	if f.kind == "thumb" {
		field = "thumb_media_id"
	}
	return r.ok(map[string]any{"type": f.kind, field: id, "created_at": now.Unix()})
}

// fault returns the code of what is wrong with a file, "" if nothing is. announced is the length that its part names, "" if none.
func (k mediaKind) fault(f *file, announced string) string {
	switch {
	case k.endings[ending(f.name)] == "":
		return "40005"
	case len(f.data) == 0:
		return "44001"
	case announced != "" && announced != strconv.Itoa(len(f.data)):
		return "40006"
	case len(f.data) > k.most:
		return k.tooBig
	}
	return ""
}

func ending(name string) string { return strings.ToLower(path.Ext(name)) }

// readFile returns the file of a multipart body and the length that its part announces. It is nil unless the body is exactly one
// part named media, with a file name and a content type, up to the closing boundary: the platform reads no more kindly.
func readFile(c *resiliencetest.Call) (f *file, announced string) {
	kind, params, err := mime.ParseMediaType(c.ContentType)
	if err != nil || kind != "multipart/form-data" {
		return nil, ""
	}
	body := multipart.NewReader(bytes.NewReader(c.Body), params["boundary"])
	p, err := body.NextRawPart()
	if err != nil || p.FormName() != "media" || p.FileName() == "" || p.Header.Get("Content-Type") == "" {
		return nil, ""
	}
	data, err := io.ReadAll(p)
	if err != nil {
		return nil, ""
	}
	if _, err := body.NextRawPart(); !errors.Is(err, io.EOF) || !closed(c.Body, params["boundary"]) {
		return nil, ""
	}
	return &file{name: p.FileName(), data: data}, p.Header.Get("Content-Length")
}

// closed reports whether a body ends with its closing boundary.
func closed(body []byte, boundary string) bool {
	return bytes.HasSuffix(bytes.TrimRight(body, "\r\n"), []byte("--"+boundary+"--"))
}

// live returns the account's file of that id, nil if there is none any more.
func (s *Server) live(a *app, id string) *file {
	f := s.files[id]
	if f == nil || f.app != a || !time.Now().Before(f.until) {
		return nil
	}
	return f
}

func (s *Server) download(r *request) resiliencetest.Answer {
	id := r.value("media_id")
	f := s.live(r.app, id)
	switch {
	case id == "":
		return s.refuse(r.call, "41006")
	case f == nil:
		return s.refuse(r.call, "40007")
	case f.kind == "video":
		return r.ok(map[string]any{"video_url": "https://video.example/" + id + ".mp4"})
	}
	return resiliencetest.Answer{
		ContentType: mediaKinds()[f.kind].endings[ending(f.name)],
		Header:      http.Header{"Content-Disposition": {fmt.Sprintf("attachment; filename=%q", id+ending(f.name))}},
		Body:        f.data,
	}
}
