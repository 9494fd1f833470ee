// Command wecom sends a message of an application to members of a company and says who did not get it.
//
//	cd examples
//	go run ./wecom                                                                # against a fake on loopback
//	go run ./wecom -corpid CORPID -agentid NUMBER -secret SECRET -to USER1,USER2  # against WeCom itself
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

func main() {
	corpid := flag.String("corpid", "", "the company's id; without one a fake answers")
	agentid := flag.Int64("agentid", 0, "the application's number")
	secret := flag.String("secret", "", "the application's secret")
	to := flag.String("to", "u1,u2,left-in-may", "the userids of who gets the message")
	text := flag.String("text", "你好 from dujiang", "what to send")
	flag.Parse()
	app := wecom.App{CorpID: *corpid, AgentID: *agentid, Secret: resilience.Secret(*secret)}
	if err := run(context.Background(), app, strings.Split(*to, ","), *text); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, app wecom.App, to []string, text string) error {
	var opts []stack.Option
	if app.CorpID == "" {
		srv, err := wecomtest.NewLoopback()
		if err != nil {
			return err
		}
		defer srv.Close()
		fmt.Println("no -corpid: a fake at", srv.URL(), "answers")
		opts, app = srv.Options(), srv.App()
	}
	client, err := wecom.New(append(opts, wecom.WithApp(app))...)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()

	sent, err := client.Messages.Send(ctx, &wecom.MessagesSendRequest{
		ToUser: to, MsgType: "text", Text: &wecom.Text{Content: text},
		EnableDuplicateCheck: new(int64(1)), // the platform drops the same message within half an hour
	})
	switch e, ok := errors.AsType[*resilience.RefusedError](err); {
	case errors.Is(err, resilience.ErrUnknownOutcome):
		return fmt.Errorf("the message may be out: %w", err)
	case ok && errors.Is(err, resilience.ErrLimited):
		return fmt.Errorf("not before %s: %w", e.RetryAt.Format(time.TimeOnly), err)
	case err != nil:
		return err
	}
	fmt.Println("sent", sent.MsgID)
	if sent.Partial() {
		fmt.Printf("not reached: %q; without a licence: %q\n", sent.InvalidUser, sent.UnlicensedUser)
	}

	departments, err := client.Departments.List(ctx, nil)
	if err != nil {
		return err
	}
	for _, d := range departments.Department {
		fmt.Println("department", d.ID, d.Name)
	}
	return nil
}
