package wechattest_test

import (
	"bytes"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// A piece is a part of a multipart body.
type piece struct {
	header map[string]string
	data   []byte
}

// filePiece is the part that the platform wants.
func filePiece(name string, data []byte) piece {
	return piece{map[string]string{
		"Content-Disposition": fmt.Sprintf(`form-data; name="media"; filename=%q`, name), "Content-Type": "application/octet-stream",
	}, data}
}

func multipartBody(t testing.TB, pieces ...piece) (body []byte, contentType string) {
	t.Helper()
	var buffer bytes.Buffer
	form := multipart.NewWriter(&buffer)
	for _, p := range pieces {
		header := textproto.MIMEHeader{}
		for name, value := range p.header {
			header.Set(name, value)
		}
		w, err := form.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write(p.data)
	}
	if err := form.Close(); err != nil {
		t.Fatal(err)
	}
	return buffer.Bytes(), form.FormDataContentType()
}

func (c *caller) upload(kind, name string, data []byte) answer {
	c.t.Helper()
	body, contentType := multipartBody(c.t, filePiece(name, data))
	return c.do(http.MethodPost, pathUpload, url.Values{"type": {kind}}, contentType, bytes.NewReader(body))
}

func TestUploads(t *testing.T) {
	bubble(t, func(t *testing.T, _ *wechattest.Server, c *caller) {
		got := c.upload("image", "a.png", []byte("0123456789"))
		check(t, "upload", []any{got.text("type"), got.text("created_at"), got.field("thumb_media_id")}, []any{"image", 946684800, nil})
		thumb := c.upload("thumb", "a.JPG", []byte("0123456789"))
		check(t, "thumb", []any{thumb.text("type"), thumb.field("media_id"), thumb.field("thumb_media_id") != nil}, []any{"thumb", nil, true})
		if got.text("media_id") == thumb.text("thumb_media_id") {
			t.Error("two uploads got the same id")
		}
	})
}

func TestUploadRefusals(t *testing.T) {
	_, c := start(t)
	data := func(n int) []byte { return make([]byte, n) }
	tests := []struct {
		kind, name string
		data       []byte
		code       string
	}{
		{"image", "a.png", data(10 << 20), ""},
		{"image", "a.gif", data(10<<20 + 1), "40009"},
		{"voice", "a.amr", data(2 << 20), ""},
		{"voice", "a.mp3", data(2<<20 + 1), "40010"},
		{"video", "a.mp4", data(10 << 20), ""},
		{"video", "a.mp4", data(10<<20 + 1), "40011"},
		{"thumb", "a.jpg", data(64 << 10), ""},
		{"thumb", "a.jpeg", data(64<<10 + 1), "40012"},
		{"image", "a.png", nil, "44001"},
		{"image", "a.mp4", data(1), "40005"},
		{"image", "a", data(1), "40005"},
		{"thumb", "a.png", data(1), "40005"},
		{"file", "a.png", data(1), "40004"},
		{"", "a.png", data(1), "40004"},
	}
	for _, tt := range tests {
		t.Run(fmt.Sprint(tt.kind, " ", tt.name, " ", len(tt.data)), func(t *testing.T) {
			check(t, "code", c.upload(tt.kind, tt.name, tt.data).code(), tt.code)
		})
	}
}

// TestUploadForm sends bodies that are not quite what the platform wants.
func TestUploadForm(t *testing.T) {
	srv, c := start(t)
	good := filePiece("a.png", []byte("0123456789"))
	without := func(name string) piece {
		p := filePiece("a.png", []byte("0123456789"))
		delete(p.header, name)
		return p
	}
	disposed := func(value string) piece {
		p := filePiece("a.png", []byte("0123456789"))
		p.header["Content-Disposition"] = value
		return p
	}
	measured := func(n string) piece {
		p := filePiece("a.png", []byte("0123456789"))
		p.header["Content-Length"] = n
		return p
	}
	field := piece{map[string]string{"Content-Disposition": `form-data; name="type"`}, []byte("image")}
	body, contentType := multipartBody(t, good)
	tests := []struct {
		name   string
		pieces []piece
		code   string
	}{
		{"as it should be", []piece{good}, ""},
		{"its length is named", []piece{measured("10")}, ""},
		{"a wrong length is named", []piece{measured("11")}, "40006"},
		{"no part", nil, "41005"},
		{"another name", []piece{disposed(`form-data; name="file"; filename="a.png"`)}, "41005"},
		{"no file name", []piece{disposed(`form-data; name="media"`)}, "41005"},
		{"no content type", []piece{without("Content-Type")}, "41005"},
		{"two files", []piece{good, good}, "41005"},
		{"a field beside it", []piece{field, good}, "41005"},
		{"a field behind it", []piece{good, field}, "41005"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body, contentType := multipartBody(t, tt.pieces...)
			got := c.do(http.MethodPost, pathUpload, url.Values{"type": {"image"}}, contentType, bytes.NewReader(body))
			check(t, "code", got.code(), tt.code)
		})
	}
	raw := func(contentType string, body io.Reader) answer {
		return c.do(http.MethodPost, pathUpload, url.Values{"type": {"image"}}, contentType, body)
	}
	_, boundary, _ := strings.Cut(contentType, "boundary=")
	check(t, "no closing boundary", raw(contentType, bytes.NewReader(bytes.TrimSuffix(body, []byte("--\r\n")))).code(), "41005")
	check(t, "no boundary at the end", raw(contentType, bytes.NewReader(body[:len(body)-len(boundary)-8])).code(), "41005")
	check(t, "another content type", raw("application/octet-stream", bytes.NewReader(body)).code(), "41005")
	check(t, "the bare file", raw("image/png", strings.NewReader("0123456789")).code(), "41005")
	check(t, "empty", raw(contentType, nil).code(), "44002")
	chunked := raw(contentType, io.MultiReader(bytes.NewReader(body)))
	check(t, "chunked", []any{chunked.status, chunked.raw}, []any{412, ""})
	acted := 0
	for _, call := range srv.Log().Calls("cgi-bin/media/upload") {
		if call.Acted {
			acted++
		}
	}
	check(t, "kept", acted, 2)
}

func TestDownloads(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		data := []byte("{\"errcode\":40007}\x00\xff") // bytes, whatever they look like
		for _, tt := range []struct{ kind, name, field, want, ending string }{
			{"image", "a.png", "media_id", "image/png", ".png"},
			{"image", "a.jpg", "media_id", "image/jpeg", ".jpg"},
			{"voice", "a.amr", "media_id", "audio/amr", ".amr"},
			{"thumb", "a.jpg", "thumb_media_id", "image/jpeg", ".jpg"},
		} {
			id := c.upload(tt.kind, tt.name, data).text(tt.field)
			got := c.get(pathDownload, "media_id="+id)
			check(t, tt.kind, []any{got.status, got.kind, got.raw, got.header.Get("Content-Disposition")},
				[]any{200, tt.want, string(data), `attachment; filename="` + id + tt.ending + `"`})
		}
		video := c.upload("video", "a.mp4", data).text("media_id")
		got := c.get(pathDownload, "media_id="+video)
		check(t, "video", []any{got.kind, got.body, got.header.Get("Content-Disposition")},
			[]any{"application/json; encoding=utf-8", map[string]any{"video_url": "https://video.example/" + video + ".mp4"}, ""})

		image := c.upload("image", "a.png", data).text("media_id")
		check(t, "no id", c.get(pathDownload).code(), "41006")
		refused := c.get(pathDownload, "media_id=x")
		check(t, "unknown id", []any{refused.status, refused.code(), refused.kind, refused.header.Get("Content-Disposition")},
			[]any{200, "40007", "text/plain", ""})
		check(t, "another account", c.other(srv).get(pathDownload, "media_id="+image).code(), "40007")
		check(t, "without a token", []any{c.as("").get(pathDownload).code(), c.as("").get(pathDownload).kind}, []any{"41001", "text/plain"})

		time.Sleep(72*time.Hour - time.Minute)
		c = c.as(c.stable(false).text("access_token"))
		time.Sleep(time.Minute - 1)
		check(t, "before three days are over", c.get(pathDownload, "media_id="+image).raw, string(data))
		time.Sleep(time.Nanosecond)
		check(t, "after three days", c.get(pathDownload, "media_id="+image).code(), "40007")
		check(t, "nor can it be sent", c.post(pathCustom,
			fmt.Sprintf(`{"touser":%q,"msgtype":"image","image":{"media_id":%q}}`, follower, image)).code(), "40007")
	})
}
