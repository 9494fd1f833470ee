package main

import (
	"errors"
	"fmt"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat/wecom"
	"github.com/dujiang-go/dujiang/wechat/wecom/wecomtest"
)

// droppedInSilence: WeCom delivers 30 messages a minute to a member and drops the rest without a word.
func droppedInSilence(t *testing.T, r *report) {
	const messages = 50
	// play sends messages to u1, and then one to others.
	play := func(cfg stack.Config) (good, told, delivered int, other *wecom.MessagesSendResult) {
		srv := wecomtest.NewServer()
		defer srv.Close()
		client, err := wecom.New(append(srv.Options(), wecom.WithApp(srv.App()), stack.WithConfig(cfg))...)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = client.Close() }()
		alarm := func(text string, to ...string) (*wecom.MessagesSendResult, error) {
			return client.Messages.Send(t.Context(), &wecom.MessagesSendRequest{ToUser: to, MsgType: "text", Text: &wecom.Text{Content: text}})
		}
		for n := range messages {
			_, err := alarm(fmt.Sprint("alarm ", n), "u1")
			switch e, refused := errors.AsType[*resilience.RefusedError](err); {
			case err == nil:
				good++
			case refused && !e.RetryAt.IsZero():
				told++
			}
		}
		delivered = len(srv.Delivered())
		if other, err = alarm("and to others", "u2", "left-in-may"); err != nil {
			t.Fatal(err)
		}
		return good, told, delivered, other
	}
	good, told, delivered, other := play(stack.Production())
	blind := stack.Production()
	blind.Windows = map[string]stack.WindowChange{"member_minute": {Off: true}}
	bookGood, _, bookDelivered, _ := play(blind)

	r.verdict(verdict{
		promise: "WeCom drops what a member gets above 30 a minute in silence: it is refused here instead, with the time; others go on",
		dujiang: fmt.Sprintf("%d answers of success, %d delivered, %d refused with RetryAt; a message to others goes on and says who was not reached: %q",
			good, delivered, told, []string(other.InvalidUser)),
		textbook: fmt.Sprintf("knows no such limit: %d answers of success, %d delivered", bookGood, bookDelivered),
		kept:     good == 30 && delivered == 30 && told == messages-30 && other.Partial(),
	})
}
