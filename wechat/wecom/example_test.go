package wecom_test

import (
	"context"
	"fmt"
	"log"

	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

func Example() {
	srv := wecomtest.NewServer() // a fake WeCom in memory; leave it and its options out to call WeCom itself
	defer srv.Close()
	client, err := wecom.New(append(srv.Options(), wecom.WithApp(srv.App()))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	sent, err := client.Messages.Send(context.Background(), &wecom.MessagesSendRequest{
		ToUser: []string{"u1", "u2", "nobody"}, MsgType: "text", Text: &wecom.Text{Content: "今日公告"},
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("delivered:", len(srv.Delivered()), "partial:", sent.Partial(), "not reached:", sent.InvalidUser)
	// Output: delivered: 2 partial: true not reached: [nobody]
}
