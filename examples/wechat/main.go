// Command wechat sends a customer service message and a picture to a follower, and lists the followers.
//
//	cd examples
//	go run ./wechat                                         # against a fake on loopback
//	go run ./wechat -appid APPID -secret SECRET -to OPENID  # against WeChat itself, from an address that the account lists
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/dujiang-go/dujiang/wechat"
	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func main() {
	appid := flag.String("appid", "", "the account's appid; without one a fake answers")
	secret := flag.String("secret", "", "the account's AppSecret")
	to := flag.String("to", wechattest.OpenID, "the openid of who gets the message")
	text := flag.String("text", "你好 from dujiang", "what to send")
	flag.Parse()
	if err := run(context.Background(), wechat.App{ID: *appid, Secret: resilience.Secret(*secret)}, *to, *text); err != nil {
		log.Fatal(err)
	}
}

// picture is the smallest file that counts as a picture.
var picture = []byte("\x89PNG\r\n\x1a\n")

func run(ctx context.Context, app wechat.App, to, text string) error {
	var opts []stack.Option
	if app.ID == "" {
		srv, err := wechattest.NewLoopback()
		if err != nil {
			return err
		}
		defer srv.Close()
		fmt.Println("no -appid: a fake at", srv.URL(), "answers")
		opts, app = srv.Options(), srv.App()
	}
	client, err := wechat.New(append(opts, wechat.WithApp(app))...)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()

	// The key makes sure that a second run of the same job does not send the message again while this process lives.
	_, err = client.Messages.CustomSend(ctx, &wechat.MessagesCustomSendRequest{
		ToUser: to, MsgType: "text", Text: &wechat.CustomText{Content: text},
	}, resilience.WithKey("greeting/"+to))
	switch e, ok := errors.AsType[*resilience.APIError](err); {
	case errors.Is(err, resilience.ErrUnknownOutcome):
		return fmt.Errorf("the message may be out, do not send it again: %w", err)
	case ok && (e.Code == wechat.CodeTooManyReplies || e.Code == wechat.CodeReplyWindowClosed):
		fmt.Println("the user has to write first:", err)
	case err != nil:
		return err
	default:
		fmt.Println("sent")
	}

	media, err := client.Media.Upload(ctx, &wechat.MediaUploadRequest{Type: "image", Media: wire.FileBytes("a.png", "image/png", picture)})
	if err != nil {
		return err
	}
	fmt.Println("uploaded", media.MediaID, "which is kept for three days from", media.CreatedAt.Format("15:04:05"))

	for openid, err := range client.Users.GetAll(ctx, nil) {
		if err != nil {
			return err
		}
		fmt.Println("follower", openid)
	}
	for _, scope := range client.Stack().Health().Scopes {
		fmt.Printf("%s: %d of %d accounts not throttled lately, circuit %s\n", scope.Scope, scope.Available, scope.Total, scope.Circuit)
	}
	return nil
}
