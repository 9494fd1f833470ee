// Command weibo posts one text and reads it back.
//
//	go run ./weibo                                     # against a fake on loopback
//	go run ./weibo -token TOKEN -rip ADDRESS -text ... # against Weibo itself
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/weibo"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

func main() {
	token := flag.String("token", "", "a user's token; without one a fake answers")
	rip := flag.String("rip", "203.0.113.7", "the address of the user who posts")
	text := flag.String("text", "hello from dujiang https://wall.example/1", "what to post")
	flag.Parse()
	if err := run(context.Background(), *token, *rip, *text); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, token, rip, text string) error {
	var opts []stack.Option
	if token == "" {
		srv, err := weibotest.NewLoopback()
		if err != nil {
			return err
		}
		defer srv.Close()
		fmt.Println("no -token: a fake at", srv.URL(), "answers")
		opts, token = srv.Options(), "tok-1"
	}
	client, err := weibo.New(append(opts, weibo.WithAccount("me", token))...)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()

	post, err := client.Statuses.Share(ctx, &weibo.StatusesShareRequest{Status: text, RIP: rip})
	switch {
	case errors.Is(err, resilience.ErrUnknownOutcome):
		return fmt.Errorf("the post may be out, look before posting again: %w", err)
	case err != nil:
		return err
	}
	fmt.Println("posted", post.IDStr)

	for status, err := range client.Statuses.UserTimelineAll(ctx, nil) {
		if err != nil {
			return err
		}
		fmt.Println(status.CreatedAt.Format("15:04:05"), status.Text)
	}
	for _, scope := range client.Stack().Health().Scopes {
		fmt.Printf("%s: %d of %d tokens not throttled lately, circuit %s\n", scope.Scope, scope.Available, scope.Total, scope.Circuit)
	}
	return nil
}
