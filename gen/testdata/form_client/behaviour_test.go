package acme

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"example.com/stranger/form_client/acmetest"

	"github.com/dujiang-go/dujiang/resilience"
)

// TestBehaviour: a form API of one scheme, whose refusals come with HTTP 200, through its own fake.
func TestBehaviour(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := acmetest.NewServer()
		defer srv.Close()
		c, err := New(append(srv.Options(), WithKey("me", "k1", "k2"))...)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = c.Close() }()
		var resp resilience.Response
		added, err := c.Notes.Add(t.Context(), &NotesAddRequest{Text: "a&b", Tag: new("x")}, resilience.WithResponse(&resp))
		if err != nil || added.ID != 1 || resp.Class != resilience.OK || len(resp.Faults) > 0 {
			t.Errorf("got %+v, %+v, %v, want a whole success", added, resp, err)
		}
		if call := srv.Calls(OpNotesAdd)[0]; call.Params.Get("text") != "a&b" || call.Params.Get("tag") != "x" || call.Params.Get("api_key") != "k1" {
			t.Errorf("sent %v", call.Params)
		}
		n := 0
		for note, err := range c.Notes.NextAll(t.Context(), nil) {
			if n++; err != nil || n > 3 || note.Text != "text" {
				t.Fatalf("note %d: %+v, %v", n, note, err)
			}
		}
		if n != 1 {
			t.Errorf("%d notes, want 1", n)
		}
		srv.Answer(OpNotesAdd, 0, `{"ok":true,"code":0,"id":2,"failed":["x"]}`)
		if _, err := c.Notes.Add(t.Context(), &NotesAddRequest{Text: "b"}, resilience.WithResponse(&resp)); err != nil || resp.Class != resilience.Partial {
			t.Errorf("got %v, %v, want a part", resp.Class, err)
		}
		sent := len(srv.Calls(OpNotesAdd))
		_, err = c.Notes.Add(t.Context(), &NotesAddRequest{Text: "c", Tag: new("x")}, resilience.WithTimeout(time.Second))
		if !errors.Is(err, resilience.ErrLimited) || len(srv.Calls(OpNotesAdd)) != sent {
			t.Errorf("got %v after %d calls, want that tag x has had its one of the hour", err, len(srv.Calls(OpNotesAdd)))
		}
		if _, err := c.Notes.Add(t.Context(), &NotesAddRequest{Text: "c", Tag: new("y")}); err != nil {
			t.Errorf("got %v for another tag", err)
		}
		srv.Fail(OpNotesNext, acmetest.Fault{Code: "99", Text: "no"})
		_, err = c.Notes.Next(t.Context(), nil)
		if e, ok := errors.AsType[*resilience.APIError](err); !ok || e.Status != 200 || e.Code != "99" || e.Message != "no" {
			t.Errorf("got %v, want the refusal inside HTTP 200", err)
		}
		var out Added
		own := &resilience.Operation{Platform: "acme-notes", ID: "own", HTTPMethod: "POST", Path: "/notes/{what}", Auth: "key"}
		srv.Answer(nil, 200, `{"ok":true,"code":0,"id":3}`)
		srv.Answer(OpNotesAdd, 200, `{"ok":true,"code":0,"id":4}`)
		if err := c.Do(t.Context(), own, map[string]string{"what": "add", "text": "c"}, &out); err != nil || out.ID != 4 {
			t.Errorf("got %+v, %v", out, err)
		}
		if _, err := c.Notes.Next(t.Context(), nil); err != nil {
			t.Errorf("got %v, want the answer of all", err)
		}
		srv.Handle(OpNotesNext, func(w http.ResponseWriter, r *http.Request) {
			next := map[string]string{"": "m2", "m2": "m3"}[r.FormValue("marker")]
			_, _ = fmt.Fprintf(w, `{"ok":true,"code":0,"notes":[{"text":"after %s"}],"next":%q}`, r.FormValue("marker"), next)
		})
		var texts []string
		for note, err := range c.Notes.NextAll(t.Context(), nil) {
			if err != nil {
				t.Fatal(err)
			}
			texts = append(texts, note.Text)
		}
		if got := strings.Join(texts, ", "); got != "after , after m2, after m3" {
			t.Errorf("got %s", got)
		}
		srv.Fail(OpNotesNext, acmetest.Fault{Code: "7"})
		_, err = c.Notes.Next(t.Context(), nil, resilience.WithTimeout(time.Second))
		if !errors.Is(err, resilience.ErrThrottled) || srv.Calls(OpNotesNext)[len(srv.Calls(OpNotesNext))-1].Status != 200 {
			t.Errorf("got %v, want the refusal inside HTTP 200", err)
		}
	})
}
