package acme

import (
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
)

// A mixed caller answers as a chain does: content is a stream, JSON a body.
type mixed struct{ answers []resilience.Response }

func (m *mixed) Do(_ context.Context, call *resilience.Call) (*resilience.Response, error) {
	if !call.Stream {
		return nil, io.ErrUnexpectedEOF
	}
	next := m.answers[0]
	m.answers = m.answers[1:]
	return &next, nil
}

func TestContentOrJSON(t *testing.T) {
	s := newServices(&mixed{[]resilience.Response{
		{Status: http.StatusOK, Stream: io.NopCloser(strings.NewReader("png"))},
		{Status: http.StatusOK, Body: []byte(`{"video_url":"https://v.example","size":5}`)},
		{Status: http.StatusOK, Body: []byte(`{"left_out":["a"]}`)},
	}}).Media
	picture, err := s.Get(t.Context(), &MediaGetRequest{MediaID: "m"})
	if err != nil || picture.JSON != nil {
		t.Fatalf("got %+v, %v, want content", picture, err)
	}
	defer picture.Stream.Close()
	if text, err := io.ReadAll(picture.Stream); err != nil || string(text) != "png" {
		t.Errorf("got %q, %v", text, err)
	}
	film, err := s.Get(t.Context(), &MediaGetRequest{MediaID: "m"})
	if err != nil || film.Stream != nil || film.JSON == nil || film.JSON.VideoURL != "https://v.example" || film.JSON.Size != 5 {
		t.Errorf("got %+v, %v, want JSON", film, err)
	}
	code, err := s.Code(t.Context())
	if err != nil || code.JSON == nil || len(code.JSON.LeftOut) != 1 {
		t.Errorf("got %+v, %v, want JSON", code, err)
	}
}
