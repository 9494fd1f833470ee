package wechat_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func info(ctx context.Context, c *wechat.Client) error {
	_, err := c.Users.Info(ctx, &wechat.UsersInfoRequest{OpenID: openid})
	return err
}

// TestOneTokenForAll: callers that come at once wait for one fetch, also when they fill the account's places in flight.
func TestOneTokenForAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpAuthStableToken, wechattest.Fault{Delay: 300 * time.Millisecond})
		var wg sync.WaitGroup
		for range 100 {
			wg.Go(func() {
				if err := info(t.Context(), client); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := len(srv.Calls(wechat.OpAuthStableToken)); n != 1 {
			t.Errorf("%d tokens were fetched, want 1", n)
		}
	})
}

// TestARefusedTokenIsReplacedOnce: each of the three codes leads to one fetch and one replay, of writes too.
func TestARefusedTokenIsReplacedOnce(t *testing.T) {
	for _, code := range []string{"40001", "40014", "42001"} {
		t.Run(code, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				srv := wechattest.NewServer()
				client := newClient(t, srv)
				warm(t, client)
				srv.InvalidateToken(wechattest.AppID)
				srv.Fail(wechat.OpMessagesCustomSend, wechattest.Fault{Code: code, Text: "access_token expired"})
				if _, err := client.Messages.CustomSend(t.Context(), text(openid, "hi")); err != nil {
					t.Fatal(err)
				}
				sent, fetched := srv.Calls(wechat.OpMessagesCustomSend), srv.Calls(wechat.OpAuthStableToken)
				if len(sent) != 2 || len(fetched) != 2 || len(srv.Sent()) != 1 {
					t.Errorf("%d sends, %d fetches, %d messages, want 2, 2 and 1", len(sent), len(fetched), len(srv.Sent()))
				}
				for _, f := range fetched {
					if strings.Contains(string(f.Body), "true") {
						t.Errorf("a refresh was forced: %s", f.Body)
					}
				}
			})
		})
	}
}

// TestManyMeetTheSameRefusedToken: whoever comes with the old one gets the new one that is there already.
func TestManyMeetTheSameRefusedToken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		warm(t, client)
		srv.InvalidateToken(wechattest.AppID)
		srv.Fail(wechat.OpAuthStableToken, wechattest.Fault{Delay: 200 * time.Millisecond})
		var wg sync.WaitGroup
		for i := range 30 {
			wg.Go(func() {
				time.Sleep(time.Duration(i) * 20 * time.Millisecond) // some come while it is fetched, some later
				if err := info(t.Context(), client); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if n := len(srv.Calls(wechat.OpAuthStableToken)); n != 2 {
			t.Errorf("%d tokens were fetched, want one more than at the start", n)
		}
	})
}

// TestTheTokenIsNotTheTrouble: 40001 whatever the token ends after one replay, and the account comes back by itself.
func TestTheTokenIsNotTheTrouble(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		srv.Fail(wechat.OpUsersInfo, wechattest.Fault{Code: "40001", Text: "invalid credential, access_token is invalid or not latest", Rate: 1})
		err := info(t.Context(), client)
		if e := apiError(t, err); e.Code != "40001" || !errors.Is(err, resilience.ErrUnauthorized) {
			t.Errorf("got %v, want ErrUnauthorized with 40001", err)
		}
		if n, m := len(srv.Calls(wechat.OpUsersInfo)), len(srv.Calls(wechat.OpAuthStableToken)); n > 2 || m > 2 {
			t.Errorf("%d requests and %d fetches, want at most 2 and 2", n, m)
		}
		srv.Heal(nil)
		time.Sleep(11 * time.Minute)
		if err := info(t.Context(), client); err != nil {
			t.Errorf("after its cooldown: %v", err)
		}
	})
}

// TestTheAddressIsNotListed: the text says which address to enter, and nobody hammers until somebody has.
func TestTheAddressIsNotListed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		full := "invalid ip 203.0.113.9 ipv6 ::ffff:203.0.113.9, not in whitelist"
		srv.Fail(wechat.OpAuthStableToken, wechattest.Fault{Code: "40164", Text: full, Rate: 1})
		err := info(t.Context(), client)
		e := apiError(t, err)
		if !errors.Is(err, resilience.ErrMisconfigured) || e.Code != "40164" || !strings.Contains(err.Error(), full) {
			t.Errorf("got %v, want ErrMisconfigured with the whole text", err)
		}
		for range 600 {
			err := info(t.Context(), client)
			if err == nil || !strings.Contains(err.Error(), "40164") {
				t.Fatalf("got %v, want a refusal that names the code", err)
			}
			time.Sleep(time.Second)
		}
		if n := len(srv.Calls(wechat.OpAuthStableToken)); n > 2 {
			t.Errorf("%d token calls in 10 minutes, want at most 2", n)
		}
		if n := len(srv.Calls(wechat.OpUsersInfo)); n != 0 {
			t.Errorf("%d calls left without a token", n)
		}
		srv.Heal(nil)
		time.Sleep(20 * time.Minute)
		if err := info(t.Context(), client); err != nil {
			t.Errorf("after the address was listed: %v", err)
		}
	})
}

// TestTokensAreRenewedInTime: ten hours, a call a minute.
func TestTokensAreRenewedInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		client := newClient(t, srv)
		for range 600 {
			if err := info(t.Context(), client); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute)
		}
		if n := len(srv.Calls(wechat.OpAuthStableToken)); n < 5 || n > 10 {
			t.Errorf("%d tokens in ten hours, want about 6", n)
		}
		for _, c := range srv.Calls(wechat.OpUsersInfo) {
			if c.Code != "" {
				t.Fatalf("a call met %s", c.Code)
			}
		}
	})
}

// TestATokenFromElsewhere is used as it is, and replaced by Put.
func TestATokenFromElsewhere(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		fetcher := newClient(t, srv)
		token := func() resilience.Secret {
			got, err := fetcher.Auth.StableToken(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			return got.AccessToken
		}
		app := wechat.App{ID: wechattest.AppID, Token: token()}
		client, err := wechat.New(append(srv.Options(), wechat.WithApp(app))...)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = client.Close() }()
		if err := info(t.Context(), client); err != nil {
			t.Fatal(err)
		}
		srv.InvalidateToken(wechattest.AppID)
		if err := info(t.Context(), client); !errors.Is(err, resilience.ErrUnauthorized) {
			t.Errorf("got %v, want ErrUnauthorized", err)
		}
		app.Token = token()
		if err := client.Stack().Put(app.Credential()); err != nil {
			t.Fatal(err)
		}
		if err := info(t.Context(), client); err != nil {
			t.Errorf("with the new token: %v", err)
		}
	})
}

// TestNoSecretShows looks for secret and token in all that can be printed, whatever goes wrong.
func TestNoSecretShows(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := wechattest.NewServer()
		var events []string
		client := newClient(t, srv, stack.WithObserver(func(e resilience.Event) { events = append(events, fmt.Sprintf("%+v", e)) }))
		got, err := client.Auth.StableToken(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		token := got.AccessToken.Reveal()
		printed := []string{fmt.Sprintf("%+v %+v", got, client.Stack().Health())}
		for _, fault := range []wechattest.Fault{
			{CutBefore: true}, {CutAfter: true},
			{Code: "40003", Text: "echo of what was sent: "}, {Body: "{"}, {HalfBody: true},
		} {
			fault.Rate = 1
			for _, op := range wechat.Operations() {
				echo := fault
				if echo.Text != "" && op.Auth == "token" {
					echo.Text += token
				} else if echo.Text != "" {
					echo.Text += wechattest.AppSecret
				}
				srv.Fail(op, echo)
			}
			_, login := client.Login.JSCode2Session(t.Context(), &wechat.LoginJSCode2SessionRequest{JSCode: "c"})
			_, fetch := client.Auth.StableToken(t.Context(), nil)
			_, send := client.Messages.CustomSend(t.Context(), text(openid, "hi"))
			for _, err := range []error{login, fetch, send, info(t.Context(), client)} {
				printed = append(printed, fmt.Sprintf("%v %+v %#v", err, err, err))
				if e, ok := errors.AsType[*resilience.APIError](err); ok {
					printed = append(printed, fmt.Sprintf("%+v", e), e.Body, e.Message)
				}
			}
			srv.Heal(nil)
		}
		for _, line := range append(printed, events...) {
			for _, secret := range []string{token, wechattest.AppSecret} {
				if strings.Contains(line, secret) {
					t.Errorf("a secret shows: %.300s", line)
				}
			}
		}
	})
}
