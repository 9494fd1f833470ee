package wecomtest_test

import (
	"bytes"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// A part of a multipart body. Disposition and kind are header lines as they are.
type part struct {
	disposition, kind string
	data              []byte
}

func mediaPart(file, kind string, data []byte) part {
	return part{`form-data; name="media"; filename="` + file + `"`, kind, data}
}

// form writes a multipart body and returns its type.
func form(t testing.TB, parts ...part) (*bytes.Buffer, string) {
	t.Helper()
	var body bytes.Buffer
	writer := multipart.NewWriter(&body)
	for _, p := range parts {
		header := textproto.MIMEHeader{"Content-Disposition": {p.disposition}}
		if p.kind != "" {
			header.Set("Content-Type", p.kind)
		}
		w, err := writer.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(p.data)
	}
	_ = writer.Close()
	return &body, writer.FormDataContentType()
}

func (c *caller) uploadParts(kind string, parts ...part) answer {
	c.t.Helper()
	body, contentType := form(c.t, parts...)
	return c.do(http.MethodPost, pathUpload, []string{"type=" + kind}, contentType, body)
}

func (c *caller) upload(kind, file, contentType string, data []byte) answer {
	c.t.Helper()
	return c.uploadParts(kind, mediaPart(file, contentType, data))
}

func png(n int) []byte { return append([]byte("\x89PNG\r\n\x1a\n"), make([]byte, n-8)...) }

func jpg(n int) []byte { return append([]byte("\xff\xd8\xff"), make([]byte, n-3)...) }

func amr(n int) []byte { return append([]byte("#!AMR\n"), make([]byte, n-6)...) }

func mp4(n int) []byte { return append([]byte("\x00\x00\x00\x18ftypisom"), make([]byte, n-12)...) }

func TestUpload(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wecomtest.Server, c *caller) {
		got := c.upload("image", "a.png", "image/png", png(100))
		check(t, "answer", []any{got.code(), got.field("errmsg"), got.field("type"), got.field("created_at")}, []any{0, "ok", "image", "946684800"})
		if _, isText := got.field("created_at").(string); !isText {
			t.Errorf("created_at: got %T, want text", got.field("created_at"))
		}
		if _, isNumber := got.field("errcode").(json.Number); !isNumber {
			t.Errorf("errcode: got %T, want a number", got.field("errcode"))
		}
		send := func() string {
			return c.fresh().post(pathSend, body(m{"msgtype": "image", "image": m{"media_id": got.field("media_id")}})).code()
		}
		time.Sleep(wecomtest.MediaLife - 1)
		check(t, "before three days", send(), 0)
		time.Sleep(time.Nanosecond)
		check(t, "after three days", send(), 40007)
	})
}

func TestUploadRules(t *testing.T) {
	t.Parallel() // the largest files take a while
	srv, c := start(t)
	file := func(n int) []byte { return bytes.Repeat([]byte("x"), n) }
	const mb = 1 << 20
	tests := []struct {
		name, kind string
		parts      []part
		code       int
	}{
		{"jpg", "image", []part{mediaPart("a.jpg", "image/jpeg", jpg(100))}, 0},
		{"larger picture", "image", []part{mediaPart("a.png", "image/png", png(10*mb+1))}, 40009},
		{"gif", "image", []part{mediaPart("a.gif", "image/gif", []byte("GIF89a......"))}, 40004},
		{"2 MB voice", "voice", []part{mediaPart("a.amr", "audio/amr", amr(2*mb))}, 0},
		{"larger voice", "voice", []part{mediaPart("a.amr", "audio/amr", amr(2*mb+1))}, 45001},
		{"mp3", "voice", []part{mediaPart("a.mp3", "audio/mpeg", []byte("ID3......"))}, 301017},
		{"larger video", "video", []part{mediaPart("a.mp4", "video/mp4", mp4(10*mb+1))}, 40011},
		{"avi", "video", []part{mediaPart("a.avi", "video/avi", []byte("RIFF......"))}, 40004},
		{"6 bytes", "file", []part{mediaPart("a.txt", "text/plain", file(6))}, 0},
		{"5 bytes", "file", []part{mediaPart("a.txt", "text/plain", file(5))}, 40006},
		{"larger file", "file", []part{mediaPart("a.zip", "application/zip", file(20*mb+1))}, 45001},
		{"empty", "file", []part{mediaPart("a.txt", "text/plain", nil)}, 44001},
		{"no type", "", []part{mediaPart("a.txt", "text/plain", file(9))}, 40005},
		{"unknown type", "thumb", []part{mediaPart("a.txt", "text/plain", file(9))}, 40005},
		{"no part", "file", nil, 44001},
		{"another name", "file", []part{{`form-data; name="file"; filename="a.txt"`, "text/plain", file(9)}}, 44001},
		{"no file name", "file", []part{{`form-data; name="media"`, "text/plain", file(9)}}, 44001},
		{"no content type", "file", []part{mediaPart("a.txt", "", file(9))}, 40004},
		{"two files", "file", []part{mediaPart("a.txt", "text/plain", file(9)), mediaPart("b.txt", "text/plain", file(9))}, 44001},
		{"a field beside it", "file", []part{mediaPart("a.txt", "text/plain", file(9)), {`form-data; name="x"`, "", file(1)}}, 44001},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check(t, "code", c.uploadParts(tt.kind, tt.parts...).code(), tt.code)
			srv.Log().Reset() // it holds the bodies
		})
	}
	body, contentType := form(t, mediaPart("a.txt", "text/plain", file(9)))
	check(t, "chunked", c.do(http.MethodPost, pathUpload, []string{"type=file"}, contentType, io.MultiReader(body)), answer{412, ""})
	check(t, "no multipart", c.do(http.MethodPost, pathUpload, []string{"type=file"}, "text/plain", strings.NewReader("xxxxxxxxx")).code(), 44001)
}
