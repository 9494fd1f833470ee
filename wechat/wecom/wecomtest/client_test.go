package wecomtest_test

import (
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// TestOptions hands the fake's options to a real client, in memory and on loopback.
func TestOptions(t *testing.T) {
	memory := wecomtest.NewServer()
	loopback, err := wecomtest.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	op := &resilience.Operation{
		Platform: "wecom", ID: "user/get", HTTPMethod: "GET", Path: pathUser, Scope: resilience.Read, Idempotent: true, Auth: "token",
	}
	for _, srv := range []*wecomtest.Server{memory, loopback} {
		client, err := wecom.New(append(srv.Options(), wecom.WithApp(srv.App()))...)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			UserID string `json:"userid"`
		}
		err = client.Do(t.Context(), op, nil, &got, resilience.WithParam("userid", "u1"))
		if err != nil || got.UserID != "u1" {
			t.Errorf("got %+v, %v, want u1", got, err)
		}
		check(t, "calls", []any{len(srv.Calls(opToken)), len(srv.Calls(opUser)), srv.Calls(opUser)[0].App},
			[]any{1, 1, "ww0000000000000001/1000002"})
		if err := client.Close(); err != nil {
			t.Error(err)
		}
		srv.Close()
	}
}
