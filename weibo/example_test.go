package weibo_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/weibo"
	"github.com/dujiang-go/dujiang/weibo/weibotest"
)

func Example() {
	srv := weibotest.NewServer() // a fake Weibo in memory; leave it and its options out to call Weibo itself
	defer srv.Close()
	client, err := weibo.New(append(srv.Options(), weibo.WithAccount("wall", "tok-1", "tok-2"))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	ctx := context.Background()
	post, err := client.Statuses.Share(ctx, &weibo.StatusesShareRequest{Status: "notice https://wall.example/1", RIP: "203.0.113.7"})
	if err != nil {
		log.Fatal(err)
	}
	counts, err := client.Statuses.Count(ctx, &weibo.StatusesCountRequest{IDs: []int64{post.ID}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(post.Text, counts[0].Comments)
	// Output: notice https://wall.example/1 0
}

func ExampleClient_quotaExhausted() {
	srv := weibotest.NewServer()
	defer srv.Close()
	srv.Fail(weibo.OpUsersShow, weibotest.Fault{Code: "10023", Text: "User requests out of rate limit!"})
	client, err := weibo.New(append(srv.Options(), weibo.WithAccount("wall", "tok-1"))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	ctx := context.Background()
	_, err = client.Users.Show(ctx, &weibo.UsersShowRequest{UID: new(int64(1001))})
	if e, ok := errors.AsType[*resilience.APIError](err); ok {
		fmt.Println("theirs:", e.Code, errors.Is(err, resilience.ErrQuotaExhausted))
	}
	// The token cools until the hour ends, for writes too: the next call is refused here and costs nothing.
	_, err = client.Statuses.Share(ctx, &weibo.StatusesShareRequest{Status: "hello", RIP: "203.0.113.7"})
	if e, ok := errors.AsType[*resilience.RefusedError](err); ok {
		fmt.Println("ours:", e.Reason, e.RetryAt.Round(time.Second).Minute())
	}
	// Output:
	// theirs: 10023 true
	// ours: no credential available 0
}
