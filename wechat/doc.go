// Package wechat is a client of WeChat's server API for official accounts and mini programs that keeps access tokens, stays inside the
// account's quotas and never sends a message twice by itself.
//
//	client, err := wechat.New(wechat.WithApp(wechat.App{ID: "wx0000000000000001", Secret: secret}))
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	_, err = client.Messages.CustomSend(ctx, &wechat.MessagesCustomSendRequest{
//		ToUser: openid, MsgType: "text", Text: &wechat.CustomText{Content: "你好"},
//	})
//
// # Tokens
//
// The client fetches the access token by the stable call before it is needed and renews it before it ends, once for all callers. When
// the platform refuses a token (40001, 40014, 42001) it is compared with the newest one, renewed once if it still is that, and the call
// is made once more. A token that is refused again is not what is wrong: the account cools down, beginning with 10 minutes, and is
// tried anew. The platform accepts token calls from listed addresses only; 40164 says which address to enter.
//
// # Quotas
//
// Limits are the account's and hold for each call of the API: a day's, sometimes a minute's. The numbers stand in the generated table
// with their sources; they are those of a new official account. Larger accounts have more, test accounts less: Quota.Get tells, and
// stack.Config.Windows changes them. The platform has the last word, in an answer with HTTP 200: 45009 cools the call until midnight in
// China, 45011 until the full minute. Quota.Clear gives the day's budgets back, ten times a month, and ends what cooled for want of
// them; nothing does it by itself. Two processes that use one account do not know of each other's calls.
//
// # Messages
//
// How many messages a user may get without an answer is the platform's to count: 45015 and 45047 are errors about that user, stop
// nobody else, and are not repeated. Message/custom/send has no protection against doubles: a send whose answer was lost, or that was
// answered with -1, is never repeated and ends in resilience.ErrUnknownOutcome.
//
// # Texts
//
// JSON travels as raw UTF-8 without escapes, as the platform wants it. A control character in a request is refused here with its code;
// in answers (nicknames hold them) they are kept.
//
// # Errors
//
// See package resilience: *resilience.RefusedError means that nothing was sent, *resilience.APIError carries WeChat's own code and
// text, and as RequestID the rid that support asks for.
//
// The access token travels in the query, as the platform wants it. No error, event or log line shows it.
package wechat
