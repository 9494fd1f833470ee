package stack_test

import (
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

// TestPartialSuccess: what was done for some is a success of its own class, and is not made again.
func TestPartialSuccess(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var classes []resilience.Class
		b := newBench(t, stack.WithObserver(func(e resilience.Event) {
			if e.Kind == resilience.EventCall {
				classes = append(classes, e.Class)
			}
		}))
		op := *opWrite
		op.Partial = []string{"invaliduser"}
		b.fake.Fail(op.ID, resiliencetest.Fault{Body: `{"errcode":0,"errmsg":"ok","invaliduser":"u1|u2","msgid":"demo-1"}`})
		resp, err := b.call(t.Context(), &op)
		if err != nil || resp.Class != resilience.Partial || !resp.Class.Succeeded() {
			t.Fatalf("got %+v, %v, want a success of class partial", resp, err)
		}
		if _, err := b.call(t.Context(), &op); err != nil {
			t.Fatal(err)
		}
		if n := b.fake.Log().Count(op.ID); n != 2 {
			t.Errorf("%d requests for 2 calls", n)
		}
		if len(classes) != 2 || classes[0] != resilience.Partial || classes[1] != resilience.OK {
			t.Errorf("observers saw %v, want partial and ok", classes)
		}
	})
}

// TestARefusalInThePlaceOfContent: neither status nor content type says that a download failed.
func TestARefusalInThePlaceOfContent(t *testing.T) {
	refusal := `{"errcode":40003,"errmsg":"no such media"}`
	for _, test := range []struct {
		name  string
		fault resiliencetest.Fault
		want  string // the content; "" means the refusal
		body  bool   // content that came as JSON
	}{
		{name: "as text", fault: resiliencetest.Fault{Body: refusal, ContentType: "text/plain"}},
		{name: "as JSON", fault: resiliencetest.Fault{Body: refusal}},
		{name: "as a picture", fault: resiliencetest.Fault{Body: refusal, ContentType: "image/jpeg"}},
		{name: "without a type that holds", fault: resiliencetest.Fault{Body: refusal, ContentType: "application/octet-stream"}},
		{name: "a picture without a name", fault: resiliencetest.Fault{Body: "png", ContentType: "image/png"}, want: "png"},
		{name: "text", fault: resiliencetest.Fault{Body: "a,b\n1,2\n", ContentType: "text/csv; charset=utf-8"}, want: "a,b\n1,2\n"},
		{name: "plain text", fault: resiliencetest.Fault{Body: "dear all", ContentType: "text/plain"}, want: "dear all"},
		{name: "a page with a name", want: "<p>", fault: resiliencetest.Fault{
			Body: "<p>", ContentType: "text/html", Header: http.Header{"Content-Disposition": {`attachment; filename="a.html"`}},
		}},
		{name: "a refusal as text with a name", fault: resiliencetest.Fault{
			Body: refusal, ContentType: "text/plain", Header: http.Header{"Content-Disposition": {`attachment; filename="a.json"`}},
		}},
		{name: "a file that begins like JSON", want: "{1}", fault: resiliencetest.Fault{
			Body: "{1}", ContentType: "application/octet-stream", Header: http.Header{"Content-Disposition": {`attachment; filename="a.bin"`}},
		}},
		{name: "JSON that is no refusal", fault: resiliencetest.Fault{Body: `{"video_url":"https://v.example/1"}`, ContentType: "text/plain"}, body: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				b := newBench(t)
				b.fake.Fail(opGet.ID, test.fault)
				resp, err := b.Do(t.Context(), &resilience.Call{Op: opGet, Stream: true})
				switch {
				case test.body:
					if err != nil || resp.Stream != nil || string(resp.Body) != test.fault.Body {
						t.Errorf("got %+v, %v, want the JSON as the body", resp, err)
					}
				case test.want == "":
					if e := apiError(t, err); e.Code != "40003" || !errors.Is(err, resilience.ErrInvalid) || resp != nil {
						t.Errorf("got %v and %v, want the refusal alone", e, resp)
					}
				default:
					if err != nil {
						t.Fatal(err)
					}
					got, err := io.ReadAll(resp.Stream)
					if err != nil || string(got) != test.want {
						t.Errorf("got %q, %v, want %q", got, err, test.want)
					}
					if err := resp.Stream.Close(); err != nil {
						t.Error(err)
					}
				}
			})
		})
	}
}

// TestATokenThatIsRefusedTwice: at most two requests, then the credential cools and comes back by itself.
func TestATokenThatIsRefusedTwice(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opRead.ID, resiliencetest.Fault{Code: "40001", Text: "invalid credential", Times: 2})
		_, err := b.call(t.Context(), opRead)
		if e := apiError(t, err); e.Code != "40001" || !errors.Is(err, resilience.ErrUnauthorized) || e.Attempts != 2 {
			t.Errorf("got %v after %d attempts, want 40001 after 2", e, e.Attempts)
		}
		_, err = b.call(t.Context(), opWrite)
		refused, ok := errors.AsType[*resilience.RefusedError](err)
		if !ok || !strings.Contains(refused.Detail, "40001") || time.Until(refused.RetryAt) != 10*time.Minute {
			t.Fatalf("got %v, want a refusal for 10 minutes that names the code", err)
		}
		time.Sleep(10 * time.Minute)
		if _, err := b.call(t.Context(), opWrite); err != nil {
			t.Error(err)
		}
		if b.auth.renewed != 1 {
			t.Errorf("%d renewals, want 1", b.auth.renewed)
		}
	})
}

// TestAnEndUsersLimit waits for what the code says, and holds up nobody else.
func TestAnEndUsersLimit(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		op := *opRead
		op.Idempotent, op.Tier = false, resilience.Instant
		op.Errors = map[string]resilience.Rule{"45011": {Class: resilience.Throttled, Cools: resilience.CoolNone, Reset: resilience.ResetMinute}}
		time.Sleep(20 * time.Second)
		b.fake.Fail(op.ID, resiliencetest.Fault{Code: "45011"})
		start := time.Now()
		_, err := b.call(t.Context(), &op)
		if e := apiError(t, err); !errors.Is(err, resilience.ErrThrottled) || e.RetryAt.Sub(start) != 40*time.Second || time.Since(start) != 0 {
			t.Errorf("after %v got %v with RetryAt in %v, want it at once and at the full minute", time.Since(start), err, e.RetryAt.Sub(start))
		}
		if _, err := b.call(t.Context(), &op); err != nil {
			t.Errorf("the next user: %v", err)
		}
	})
}

// TestARefusalSaysWhatIsBehindIt: whoever waits for a budget need not know that its credential cools down meanwhile.
func TestARefusalSaysWhatIsBehindIt(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Code: "45009"})
		for i := range 2 {
			_, err := b.call(t.Context(), opWrite)
			if !errors.Is(err, resilience.ErrQuotaExhausted) {
				t.Errorf("call %d: got %v, want ErrQuotaExhausted", i+1, err)
			}
			if got := errors.Is(err, resilience.ErrNoCredential); got != (i == 1) {
				t.Errorf("call %d: is ErrNoCredential: %v", i+1, got)
			}
		}
	})
}

// TestAWaitLeavesTimeForTheAnswer: a write that departs at the last moment would be carried out, and nobody would know.
func TestAWaitLeavesTimeForTheAnswer(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{MaxWait: 2 * time.Hour, Windows: map[string]stack.WindowChange{"hour": {Limit: 1}}}))
		if _, err := b.call(t.Context(), opWrite); err != nil {
			t.Fatal(err)
		}
		_, err := b.call(t.Context(), opWrite, resilience.WithTimeout(time.Minute))
		refused, ok := errors.AsType[*resilience.RefusedError](err)
		if !ok || !errors.Is(err, resilience.ErrLimited) || !strings.Contains(refused.Detail, `than this call may wait, 59s (max_wait, or what is left of its time-out): window "hour" is full`) {
			t.Fatalf("got %v, want a refusal that says how long it might wait", err)
		}
		wait := time.Until(refused.RetryAt)
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Delay: 700 * time.Millisecond, Times: 2})
		if _, err := b.call(t.Context(), opWrite, resilience.WithTimeout(wait+500*time.Millisecond)); !errors.Is(err, resilience.ErrLimited) {
			t.Errorf("half a second before its end: got %v, want a refusal", err)
		}
		if _, err := b.call(t.Context(), opWrite, resilience.WithTimeout(wait+2*time.Second)); err != nil {
			t.Errorf("two seconds before its end: %v", err)
		}
		if n := b.fake.Log().Count(opWrite.ID); n != 2 {
			t.Errorf("%d writes arrived, want 2", n)
		}
	})
}

// TestAKeySaysWhatBecameOfItsCall: sent, under way, or lost.
func TestAKeySaysWhatBecameOfItsCall(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t, stack.WithConfig(stack.Config{KeyTTL: time.Hour}))
		start := time.Now()
		b.fake.Fail(opWrite.ID, resiliencetest.Fault{Delay: time.Second}, resiliencetest.Fault{CutAfter: true})
		again := func(key, want string) {
			t.Helper()
			_, err := b.call(t.Context(), opWrite, resilience.WithKey(key))
			e, ok := errors.AsType[*resilience.RefusedError](err)
			if !ok || !errors.Is(err, resilience.ErrDuplicate) || !strings.Contains(e.Detail, want) || !e.RetryAt.Equal(start.Add(time.Hour)) {
				t.Errorf("got %v, want ErrDuplicate with %q for an hour", err, want)
			}
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			_, _ = b.call(t.Context(), opWrite, resilience.WithKey("one"))
		}()
		time.Sleep(time.Millisecond)
		again("one", "is not done")
		<-done
		again("one", "was carried out")
		start = time.Now()
		_, _ = b.call(t.Context(), opWrite, resilience.WithKey("two"))
		again("two", "nobody knows")
	})
}

// TestOperationsOfOnesOwn: what is missing in them is said before anything is sent.
func TestOperationsOfOnesOwn(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		for want, op := range map[string]*resilience.Operation{
			"slash":      {HTTPMethod: "GET", Path: "cgi-bin/x", Auth: "user"},
			"HTTPMethod": {Path: "/cgi-bin/x", Auth: "user"},
		} {
			_, err := b.call(t.Context(), op)
			if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), want) || strings.HasPrefix(err.Error(), ":") {
				t.Errorf("got %v, want ErrInvalidRequest that says %q", err, want)
			}
		}
		if n := b.fake.Log().Count(""); n != 0 {
			t.Errorf("%d requests left", n)
		}
	})
}

// TestACredentialThatIsOut: nobody knows when it is back, so nothing says so.
func TestACredentialThatIsOut(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBench(t)
		op := *opRead
		op.Errors = map[string]resilience.Rule{"40125": {Class: resilience.CredentialInvalid}}
		b.fake.Fail(op.ID, resiliencetest.Fault{Code: "40125"})
		for i := range 2 {
			_, err := b.call(t.Context(), &op)
			if !errors.Is(err, resilience.ErrUnauthorized) || strings.Contains(err.Error(), "retry at") {
				t.Errorf("call %d: got %v, want ErrUnauthorized without a time", i+1, err)
			}
		}
	})
}
