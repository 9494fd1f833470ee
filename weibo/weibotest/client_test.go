package weibotest_test

import (
	"testing"

	"github.com/dujiang-go/dujiang/weibo"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

// TestOptions hands the fake's options to a real client, in memory and on loopback.
func TestOptions(t *testing.T) {
	memory := weibotest.NewServer()
	loopback, err := weibotest.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	for _, srv := range []*weibotest.Server{memory, loopback} {
		client, err := weibo.New(append(srv.Options(), weibo.WithAccount("wall", "tok-1"))...)
		if err != nil {
			t.Fatal(err)
		}
		got, err := client.Users.Show(t.Context(), &weibo.UsersShowRequest{UID: new(weibotest.UID)})
		if err != nil || got.ScreenName != weibotest.ScreenName {
			t.Errorf("got %+v, %v, want the user of tok-1", got, err)
		}
		check(t, "calls", len(srv.Calls(weibo.OpUsersShow)), 1)
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
	}
}
