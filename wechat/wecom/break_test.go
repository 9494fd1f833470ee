package wecom_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// TestAMemberIsOneHoweverItsIDIsWritten: userids are the same in upper and lower case.
func TestAMemberIsOneHoweverItsIDIsWritten(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		srv.AddMember("demo", 1, true)
		client := newClient(t, srv)
		for range 30 {
			if _, err := client.Messages.Send(t.Context(), text("hi", "demo")); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := client.Messages.Send(t.Context(), text("hi", "Demo")); !errors.Is(err, resilience.ErrLimited) {
			t.Errorf("the 31st message of the minute: got %v, want ErrLimited", err)
		}
	})
}

// TestMessagesToThousands: every member gets at most 30 a minute when messages name many.
func TestMessagesToThousands(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		var all []string
		for i := range 1000 {
			all = append(all, fmt.Sprint("m", i))
			srv.AddMember(all[i], 1, true)
		}
		for i := range 100 { // who was written to before
			srv.AddMember(fmt.Sprint("old", i), 1, true)
			if _, err := client.Messages.Send(t.Context(), text("hi", fmt.Sprint("old", i))); err != nil {
				t.Fatal(err)
			}
		}
		sent := 0
		for _, to := range append([][]string{all}, slices.Repeat([][]string{all[:500]}, 40)...) {
			if _, err := client.Messages.Send(t.Context(), text("hi", to...)); err == nil {
				sent++
			}
		}
		if sent != 30 {
			t.Errorf("%d messages to each member in a minute, want 30", sent)
		}
	})
}

// TestAThrottledTokenCallIsNotRepeated: HTTP 429 for gettoken, which would block the address.
func TestAThrottledTokenCallIsNotRepeated(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wecom.OpAuthGetToken, wecomtest.Fault{Status: http.StatusTooManyRequests, Rate: 1})
		for range 9 {
			_, _ = client.Messages.Send(t.Context(), text("hi", "u1"))
			time.Sleep(time.Second)
		}
		if n := len(srv.Calls(wecom.OpAuthGetToken)); n > 1 {
			t.Errorf("%d token calls in 9s after an answer that says too many: want one, and then 10s of silence", n)
		}
	})
}

// TestTheSameSecretAfterItWasMended: 40001 speaks of the secret; somebody mends it on the platform's side and puts the
// application back.
func TestTheSameSecretAfterItWasMended(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wecomtest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wecom.OpAuthGetToken, wecomtest.Fault{Code: "40001"})
		if _, err := client.Messages.Send(t.Context(), text("hi", "u1")); !errors.Is(err, resilience.ErrUnauthorized) {
			t.Fatalf("got %v, want ErrUnauthorized", err)
		}
		if err := client.Stack().Put(srv.App().Credential()); err != nil {
			t.Fatal(err)
		}
		if _, err := client.Messages.Send(t.Context(), text("hi", "u1")); err != nil {
			t.Errorf("after Put: %v", err)
		}
	})
}

// TestTwoApplicationsOfOneCompany share each call's minute and get messages through while tokens end, answers are lost, callers leave
// and everything is paused now and then.
func TestTwoApplicationsOfOneCompany(t *testing.T) {
	for seed := range uint64(4) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { twoApplications(t, seed) })
		})
	}
}

func twoApplications(t *testing.T, seed uint64) {
	rnd := rand.New(rand.NewPCG(seed, 5))
	srv := wecomtest.NewServer()
	srv.Seed(seed)
	srv.AddApp(7, "made-up-secret-7")
	for i := range 4 {
		srv.AddMember(fmt.Sprint("u", i), 1, true)
	}
	var mu sync.Mutex
	var printed []string
	second := wecom.App{CorpID: wecomtest.CorpID, AgentID: 7, Secret: "made-up-secret-7"}
	client := newClient(t, srv, wecom.WithApp(second),
		stack.WithConfig(stack.Config{Windows: map[string]stack.WindowChange{"base_minute": {Limit: 12}, "member_minute": {Limit: 5}}}),
		stack.WithObserver(func(e resilience.Event) {
			mu.Lock()
			defer mu.Unlock()
			printed = append(printed, fmt.Sprintf("%v %+v", e.Err, e))
		}))
	apps := []wecom.App{srv.App(), second}
	srv.Fail(wecom.OpAuthGetToken, wecomtest.Fault{Rate: 0.1, CutAfter: true}, wecomtest.Fault{Rate: 0.2, Delay: 2 * time.Second}, wecomtest.Fault{Rate: 0.05, HalfBody: true})
	srv.Fail(wecom.OpMessagesSend, wecomtest.Fault{Rate: 0.05, CutAfter: true})
	srv.Fail(wecom.OpUsersGet, wecomtest.Fault{Rate: 0.05, CutAfter: true}, wecomtest.Fault{Rate: 0.05, CutBefore: true})
	var wg sync.WaitGroup
	for range 300 {
		ctx, cancel := context.WithCancel(t.Context())
		if rnd.IntN(8) == 0 {
			time.AfterFunc(time.Duration(rnd.IntN(5000))*time.Millisecond, cancel)
		}
		as := resilience.WithAccount(apps[rnd.IntN(2)].Credential().Account)
		write, to := rnd.IntN(2) == 0, []string{fmt.Sprint("u", rnd.IntN(4)), fmt.Sprint("u", rnd.IntN(4))}
		wg.Go(func() {
			defer cancel()
			var err error
			if write {
				_, err = client.Messages.Send(ctx, text("hi", to...), as)
			} else {
				_, err = client.Users.Get(ctx, &wecom.UsersGetRequest{UserID: to[0]}, as)
			}
			mu.Lock()
			defer mu.Unlock()
			printed = append(printed, fmt.Sprintf("%v %+v", err, err))
		})
		switch rnd.IntN(30) {
		case 0:
			srv.InvalidateTokens()
		case 1:
			client.Stack().Pause(stack.Target{}, "", "", time.Now().Add(3*time.Second))
		case 2:
			if err := client.Stack().Put(apps[rnd.IntN(2)].Credential()); err != nil {
				t.Error(err)
			}
		case 3:
			client.Stack().Remove(second.Credential().ID)
			if err := client.Stack().Put(second.Credential()); err != nil {
				t.Error(err)
			}
		}
		time.Sleep(time.Duration(rnd.IntN(1500)) * time.Millisecond)
	}
	wg.Wait()
	for _, op := range []*resilience.Operation{wecom.OpAuthGetToken, wecom.OpUsersGet} {
		var times []time.Time
		for _, c := range srv.Calls(op) {
			times = append(times, c.Time)
		}
		checkMinute(t, op.ID, times, 12)
	}
	got := map[string][]time.Time{}
	for _, m := range srv.Delivered() {
		key := fmt.Sprint(m.Agent, " to ", m.Member)
		got[key] = append(got[key], m.Time)
	}
	for key, times := range got {
		checkMinute(t, key, times, 5)
	}
	if n := len(srv.Delivered()); n < 10 {
		t.Errorf("only %d messages arrived", n)
	}
	for _, line := range printed {
		for _, secret := range []string{wecomtest.Secret, "made-up-secret-7", "madeupmadeup"} {
			if strings.Contains(line, secret) {
				t.Fatalf("a secret shows: %.300s", line)
			}
		}
	}
	srv.Heal(nil)
	time.Sleep(2 * time.Hour)
	for _, app := range apps {
		as := resilience.WithAccount(app.Credential().Account)
		if _, err := client.Messages.Send(t.Context(), text("hi", "u1"), as); err != nil {
			t.Errorf("%s afterwards: %v", app.Credential().ID, err)
		}
		if _, err := client.Users.Get(t.Context(), &wecom.UsersGetRequest{UserID: "u1"}, as); err != nil {
			t.Errorf("%s afterwards: %v", app.Credential().ID, err)
		}
	}
}

func checkMinute(t *testing.T, name string, times []time.Time, limit int) {
	t.Helper()
	slices.SortFunc(times, time.Time.Compare)
	for i := limit; i < len(times); i++ {
		if span := times[i].Sub(times[i-limit]); span < time.Minute {
			t.Errorf("%s: %d in %v, want at most %d a minute", name, limit+1, span, limit)
			return
		}
	}
}
