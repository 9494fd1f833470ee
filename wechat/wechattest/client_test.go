package wechattest_test

import (
	"testing"

	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// TestOptions hands the fake's options and its account to a real client, in memory and on loopback.
func TestOptions(t *testing.T) {
	memory := wechattest.NewServer()
	loopback, err := wechattest.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	for _, srv := range []*wechattest.Server{memory, loopback} {
		client, err := wechat.New(append(srv.Options(), wechat.WithApp(srv.App()))...)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: follower})
			if err != nil || got.OpenID != follower {
				t.Errorf("got %+v, %v, want the first follower", got, err)
			}
		}
		check(t, "calls and tokens", []any{len(srv.Calls(wechat.OpUsersInfo)), srv.Tokens(srv.App().ID)}, []any{2, 1})
		srv.InvalidateToken(srv.App().ID)
		if _, err := client.Users.Info(t.Context(), &wechat.UsersInfoRequest{OpenID: follower}); err != nil {
			t.Error(err)
		}
		check(t, "once more, with a new token", []any{len(srv.Calls(wechat.OpUsersInfo)), srv.Tokens(srv.App().ID)}, []any{4, 2})
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
	}
}

// TestNames holds the fake's table of operations against the client's.
func TestNames(t *testing.T) {
	srv, c := start(t)
	for _, op := range wechat.Operations() {
		c.do(op.HTTPMethod, op.Path, pairs(nil), "", nil)
		if calls := srv.Calls(op); len(calls) == 0 || calls[len(calls)-1].Code == "40066" || calls[len(calls)-1].Op != op.ID {
			t.Errorf("%s %s: got %+v, want a call that the fake names %s", op.HTTPMethod, op.Path, calls, op.ID)
		}
	}
}
