package wechat_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func Example() {
	srv := wechattest.NewServer() // a fake WeChat in memory; leave it and its options out to call WeChat itself
	defer srv.Close()
	client, err := wechat.New(append(srv.Options(), wechat.WithApp(srv.App()))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	ctx := context.Background()
	follower, err := client.Users.Info(ctx, &wechat.UsersInfoRequest{OpenID: wechattest.OpenID})
	if err != nil {
		log.Fatal(err)
	}
	_, err = client.Messages.CustomSend(ctx, &wechat.MessagesCustomSendRequest{
		ToUser: follower.OpenID, MsgType: "text", Text: &wechat.CustomText{Content: "你好, " + follower.Nickname},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(srv.Sent()[0].Text)
	// Output: 你好, 用户 1
}

func ExampleClient_dailyLimit() {
	srv := wechattest.NewServer()
	defer srv.Close()
	srv.Fail(wechat.OpMessagesCustomSend, wechattest.Fault{Code: wechat.CodeDailyLimit, Text: "reach max api daily quota limit"})
	client, err := wechat.New(append(srv.Options(), wechat.WithApp(srv.App()))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	ctx := context.Background()
	hello := &wechat.MessagesCustomSendRequest{
		ToUser: wechattest.OpenID, MsgType: "text", Text: &wechat.CustomText{Content: "hello"},
	}
	_, err = client.Messages.CustomSend(ctx, hello)
	if e, ok := errors.AsType[*resilience.APIError](err); ok {
		fmt.Println("theirs:", e.Code, errors.Is(err, resilience.ErrQuotaExhausted))
	}
	// The call cools until midnight in China; nothing is sent before, and other calls go on.
	_, err = client.Messages.CustomSend(ctx, hello)
	if e, ok := errors.AsType[*resilience.RefusedError](err); ok {
		fmt.Println("ours:", e.Reason, e.RetryAt.Round(time.Second).In(time.FixedZone("CST", 8*60*60)).Format("15:04"))
	}
	// Output:
	// theirs: 45009 true
	// ours: no credential available 00:00
}

// A call that the spec lacks goes through the same chain.
func ExampleClient_Do() {
	srv := wechattest.NewServer()
	defer srv.Close()
	client, err := wechat.New(append(srv.Options(), wechat.WithApp(srv.App()))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	quotaOf := &resilience.Operation{
		Platform: "wechat", ID: "my/quota", HTTPMethod: "POST", Path: "/cgi-bin/openapi/quota/get", Auth: "token",
		Scope: resilience.Read, Idempotent: true,
	}
	var out struct {
		Quota struct {
			DailyLimit int `json:"daily_limit"`
		} `json:"quota"`
	}
	body := map[string]string{"cgi_path": "/cgi-bin/message/custom/send"}
	if err := client.Do(context.Background(), quotaOf, body, &out); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Quota.DailyLimit)
	// Output: 500000
}
