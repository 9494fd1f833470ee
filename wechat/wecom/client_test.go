package wecom_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

func apiError(t testing.TB, err error) *resilience.APIError {
	t.Helper()
	e, ok := errors.AsType[*resilience.APIError](err)
	if !ok {
		t.Fatalf("got %v, want an *APIError", err)
	}
	return e
}

func get(t *testing.T, c *wecom.Client, opts ...resilience.CallOption) error {
	t.Helper()
	_, err := c.Users.Get(t.Context(), &wecom.UsersGetRequest{UserID: "u1"}, opts...)
	return err
}

// TestSomeAreNotReached: zero does not mean everybody, and who was reached must not get it twice.
func TestSomeAreNotReached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		partial := 0
		client := newClient(t, srv, stack.WithObserver(func(e resilience.Event) {
			if e.Kind == resilience.EventCall && e.Class == resilience.Partial {
				partial++
			}
		}))
		srv.AddMember("u9", 2, false)
		got, err := client.Messages.Send(t.Context(), text("hi", "u1", "nobody", "U9"))
		if err != nil || !got.Partial() || !slices.Equal(got.InvalidUser, []string{"nobody"}) || !slices.Equal(got.UnlicensedUser, []string{"u9"}) {
			t.Errorf("got %+v, %v, want nobody and u9 named", got, err)
		}
		srv.Fail(wecom.OpMessagesSend, wecomtest.Fault{Body: `{"errcode":0,"errmsg":"ok","invaliduser":"u1|u2","msgid":"demo-1"}`})
		got, err = client.Messages.Send(t.Context(), text("hi", "u1", "u2", "u3"))
		if err != nil || got.MsgID != "demo-1" || !slices.Equal(got.InvalidUser, []string{"u1", "u2"}) {
			t.Errorf("got %+v, %v, want u1 and u2 named", got, err)
		}
		if n := len(srv.Calls(wecom.OpMessagesSend)); n != 2 || partial != 2 {
			t.Errorf("%d sends, %d of them counted as partial, want 2 and 2", n, partial)
		}
		_, err = client.Messages.Send(t.Context(), text("hi", "nobody"))
		if e := apiError(t, err); e.Code != wecom.CodeNoValidReceiver || !errors.Is(err, resilience.ErrInvalid) {
			t.Errorf("nobody at all: got %v, want 81013", err)
		}
	})
}

// TestAMembersLimit: what the platform would drop in silence is refused here, and others go on.
func TestAMembersLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		start := time.Now()
		for i := range 30 {
			if _, err := client.Messages.Send(t.Context(), text(fmt.Sprint(i), "u1", "u2")); err != nil {
				t.Fatal(err)
			}
		}
		_, err := client.Messages.Send(t.Context(), text("one too many", "u3", "u1"))
		e, ok := errors.AsType[*resilience.RefusedError](err)
		if !ok || !errors.Is(err, resilience.ErrLimited) || !strings.Contains(err.Error(), `"u1"`) || e.RetryAt.Sub(start) != time.Minute {
			t.Errorf("got %v, want a refusal that names u1, with RetryAt in a minute", err)
		}
		if _, err := client.Messages.Send(t.Context(), text("hi", "u3")); err != nil || time.Since(start) != 0 {
			t.Errorf("another member: %v after %v", err, time.Since(start))
		}
		for hour := time.Now().Add(time.Hour); time.Now().Before(hour); time.Sleep(time.Second) {
			_, _ = client.Messages.Send(t.Context(), text(fmt.Sprint("more ", time.Now()), "u1"))
		}
		sent := 0
		for _, c := range srv.Calls(wecom.OpMessagesSend) {
			if c.Acted && strings.Contains(string(c.Body), "u1") {
				sent++
			}
		}
		delivered := 0
		for _, m := range srv.Delivered() {
			if m.Member == "u1" {
				delivered++
			}
		}
		if sent != delivered || delivered != 1000 {
			t.Errorf("%d messages to u1 left and %d were delivered, want the hour's 1,000 and none dropped", sent, delivered)
		}
	})
}

// TestTheSameMessageTwice is delivered once by the platform if it is asked to look.
func TestTheSameMessageTwice(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		req := text("order 17 is on its way", "u1")
		req.EnableDuplicateCheck, req.Safe = new(int64(1)), new(int64(0))
		for range 2 {
			if _, err := client.Messages.Send(t.Context(), req); err != nil {
				t.Fatal(err)
			}
		}
		sent := srv.Calls(wecom.OpMessagesSend)
		if len(srv.Delivered()) != 1 || string(sent[0].Body) != string(sent[1].Body) || !strings.Contains(string(sent[0].Body), `"safe":0`) {
			t.Errorf("%d delivered of %s and %s, want one of two equal bodies", len(srv.Delivered()), sent[0].Body, sent[1].Body)
		}
	})
}

// TestTokens: 40014 and 42001 are worth a new token, 40001 is not.
func TestTokens(t *testing.T) {
	for _, code := range []string{"40014", "42001"} {
		synctest.Test(t, func(t *testing.T) {
			srv := wecomtest.NewServer()
			client := newClient(t, srv)
			if err := get(t, client); err != nil {
				t.Fatal(err)
			}
			srv.InvalidateTokens()
			srv.Fail(wecom.OpMessagesSend, wecomtest.Fault{Code: code})
			if _, err := client.Messages.Send(t.Context(), text("hi", "u1")); err != nil {
				t.Errorf("%s: %v", code, err)
			}
			if n, m, d := len(srv.Calls(wecom.OpMessagesSend)), len(srv.Calls(wecom.OpAuthGetToken)), len(srv.Delivered()); n != 2 || m != 2 || d != 1 {
				t.Errorf("%s: %d sends, %d fetches, %d delivered, want 2, 2 and 1", code, n, m, d)
			}
		})
	}
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		app := srv.App()
		app.Secret = "wrong"
		client, err := wecom.New(append(srv.Options(), wecom.WithApp(app))...)
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		defer func() { _ = client.Close() }()
		for range 100 {
			if err := get(t, client); !errors.Is(err, resilience.ErrNoCredential) {
				t.Fatalf("got %v, want ErrNoCredential", err)
			}
			time.Sleep(time.Minute)
		}
		if n := len(srv.Calls(nil)); n != 1 {
			t.Errorf("%d calls with a wrong secret, want 1: the address would be blocked", n)
		}
		if err := client.Stack().Put(srv.App().Credential()); err != nil {
			t.Fatal(err)
		}
		if err := get(t, client); err != nil {
			t.Errorf("with the right secret: %v", err)
		}
	})
}

// TestTwoApplications: each sends with its own token and under its own number.
func TestTwoApplications(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		srv.AddApp(1000003, "S2")
		client := newClient(t, srv, wecom.WithApp(wecom.App{CorpID: wecomtest.CorpID, AgentID: 1000003, Secret: "S2", Account: "alarms"}))
		for account, agent := range map[string]int64{"alarms": 1000003, wecomtest.CorpID + "/1000002": 1000002} {
			if _, err := client.Messages.Send(t.Context(), text("hi", "u1"), resilience.WithAccount(account)); err != nil {
				t.Fatal(err)
			}
			delivered := srv.Delivered()
			if last := delivered[len(delivered)-1]; last.Agent != agent {
				t.Errorf("%s sent as %d, want %d", account, last.Agent, agent)
			}
		}
		if n := len(srv.Calls(wecom.OpAuthGetToken)); n != 2 {
			t.Errorf("%d tokens for two applications, want 2", n)
		}
		// The base frequency is the company's.
		if got := spend(t, client, "alarms") + spend(t, client, wecomtest.CorpID+"/1000002"); got != 20 {
			t.Errorf("%d reads went at once, want 20", got)
		}
		low := stack.Config{Windows: map[string]stack.WindowChange{"base_minute": {Limit: 25}}}
		if err := client.Stack().Reconfigure(low); err != nil {
			t.Fatal(err)
		}
		if got := spend(t, client, "alarms") + spend(t, client, wecomtest.CorpID+"/1000002"); got != 5 {
			t.Errorf("%d more reads went at once, want the 5 that are left to the company", got)
		}
	})
}

// spend makes ten reads and counts those that go at once.
func spend(t *testing.T, c *wecom.Client, account string) (done int) {
	t.Helper()
	for range 10 {
		if get(t, c, resilience.WithAccount(account), resilience.WithTimeout(time.Millisecond)) == nil {
			done++
		}
	}
	return done
}

// TestAMessageNeedsAnApplication: a secret of the company's own functions has no number to send under.
func TestAMessageNeedsAnApplication(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		app := srv.App()
		app.AgentID = 0
		client, err := wecom.New(append(srv.Options(), wecom.WithApp(app))...)
		if err != nil {
			t.Fatal(err)
		}
		defer srv.Close()
		defer func() { _ = client.Close() }()
		_, err = client.Messages.Send(t.Context(), text("hi", "u1"))
		if !errors.Is(err, resilience.ErrInvalidRequest) || !strings.Contains(err.Error(), "AgentID") {
			t.Errorf("got %v, want ErrInvalidRequest that names the AgentID", err)
		}
		if err := get(t, client); err != nil {
			t.Errorf("a read: %v", err)
		}
	})
}

// TestTheWindowIsNotNamed: after 45009 a minute, and if that was not it an hour.
func TestTheWindowIsNotNamed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wecom.OpUsersGet, wecomtest.Fault{Code: "45009", Text: "api freq out of limit", Rate: 1})
		var ends []time.Duration
		for range 3 {
			err := get(t, client, resilience.WithTimeout(5*time.Second))
			e := apiError(t, err)
			if !errors.Is(err, resilience.ErrThrottled) || e.RequestID == "" {
				t.Fatalf("got %v with request id %q, want ErrThrottled with the hint", err, e.RequestID)
			}
			ends = append(ends, time.Until(e.RetryAt))
			if _, err := client.Departments.List(t.Context(), nil); err != nil {
				t.Errorf("another call: %v", err)
			}
			time.Sleep(time.Until(e.RetryAt))
		}
		if want := []time.Duration{time.Minute, time.Hour, time.Hour}; !slices.Equal(ends, want) {
			t.Errorf("it cools for %v, want %v", ends, want)
		}
	})
}

// TestALostAnswer: the message was sent, and is not sent again.
func TestALostAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wecom.OpMessagesSend, wecomtest.Fault{CutAfter: true})
		_, err := client.Messages.Send(t.Context(), text("hi", "u1"), resilience.WithKey("order-17"))
		if e := apiError(t, err); !errors.Is(err, resilience.ErrUnknownOutcome) || e.Key != "order-17" {
			t.Errorf("got %v, want an outcome unknown with the key", err)
		}
		_, err = client.Messages.Send(t.Context(), text("hi", "u1"), resilience.WithKey("order-17"))
		if !errors.Is(err, resilience.ErrDuplicate) || len(srv.Delivered()) != 1 {
			t.Errorf("got %v and %d delivered, want ErrDuplicate and 1", err, len(srv.Delivered()))
		}
		srv.Fail(wecom.OpUsersGet, wecomtest.Fault{CutAfter: true})
		if err := get(t, client); err != nil {
			t.Errorf("a read: %v", err)
		}
	})
}

// TestEveryCode lets the fake answer with codes of each class and checks what callers make of it.
func TestEveryCode(t *testing.T) {
	for _, test := range []struct {
		code        string
		read, write error
	}{
		{"-1", resilience.ErrTransient, resilience.ErrUnknownOutcome},
		{"6000", resilience.ErrThrottled, resilience.ErrThrottled},
		{"40003", resilience.ErrInvalid, resilience.ErrInvalid},
		{"40001", resilience.ErrUnauthorized, resilience.ErrUnauthorized},
		{"40056", resilience.ErrInvalid, resilience.ErrInvalid},
		{"40082", resilience.ErrRejected, resilience.ErrRejected},
		{"45033", resilience.ErrThrottled, resilience.ErrThrottled},
		{"60011", resilience.ErrForbidden, resilience.ErrForbidden},
		{"60020", resilience.ErrMisconfigured, resilience.ErrMisconfigured},
		{"60111", resilience.ErrNotFound, resilience.ErrNotFound},
		{"84061", resilience.ErrNotFound, resilience.ErrNotFound},
		{"95001", resilience.ErrRejected, resilience.ErrRejected},
		{"301002", resilience.ErrForbidden, resilience.ErrForbidden},
		{"999999", resilience.ErrRejected, resilience.ErrRejected},
	} {
		t.Run(test.code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := wecomtest.NewServer()
				client := newClient(t, srv)
				for _, way := range []struct {
					op   *resilience.Operation
					call func() error
					want error
				}{
					{wecom.OpUsersGet, func() error { return get(t, client, resilience.WithTimeout(5*time.Second)) }, test.read},
					{wecom.OpMessagesSend, func() error {
						_, err := client.Messages.Send(t.Context(), text("hi", "u1"), resilience.WithTimeout(5*time.Second))
						return err
					}, test.write},
				} {
					if err := client.Stack().Put(srv.App().Credential()); err != nil {
						t.Fatal(err)
					}
					time.Sleep(24 * time.Hour) // lets cooldowns end
					if err := way.call(); err != nil {
						t.Fatal(err)
					}
					srv.Fail(way.op, wecomtest.Fault{Code: test.code, Rate: 1})
					err := way.call()
					if e := apiError(t, err); e.Code != test.code || !errors.Is(err, way.want) {
						t.Errorf("%s: got %v, want %v", way.op.ID, err, way.want)
					}
					srv.Heal(nil)
				}
			})
		})
	}
}

func TestFaultyApps(t *testing.T) {
	_, err := wecom.New(wecom.WithApp(wecom.App{AgentID: -1}))
	for _, want := range []string{"CorpID is empty", "Secret is empty", "AgentID is -1"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want it to say %q", err, want)
		}
	}
}
