// Package wecom is a client of WeCom (Enterprise WeChat) for the applications of a company: it keeps access tokens, stays inside the
// quotas and never sends a message twice by itself.
//
//	client, err := wecom.New(wecom.WithApp(wecom.App{CorpID: "ww0000000000000001", AgentID: 1000002, Secret: secret}))
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	sent, err := client.Messages.Send(ctx, &wecom.MessagesSendRequest{
//		ToUser: []string{"u1", "u2"}, MsgType: "text", Text: &wecom.Text{Content: "你好"},
//	})
//
// # Applications and tokens
//
// Each application has tokens of its own; the client fetches and renews them, once for all callers. When the platform refuses a token
// (40014, 42001) it is renewed once and the call is made once more. 40001 speaks of the secret: the application is out of use until
// Stack().Put brings another, for failing token calls block the address. A message names its application by itself.
//
// # Quotas
//
// 10,000 calls a minute and 150,000 an hour for the company and each single call of the API, twice and four times that for an address.
// The platform answers 45009 without a word on the window: the call cools for a minute, and if that was not it for an hour.
//
// Messages are not counted there. A member gets 30 a minute and 1,000 an hour from an application, and what is above is dropped in
// silence: this client refuses it, naming the member, with RetryAt. Messages to departments, tags and @all reach members that it cannot
// count.
//
// # Partial success
//
// Messages.Send succeeds when one receiver was reached. The others stand in the result (see [MessagesSendResult.Partial]), the class
// is resilience.Partial, and the message is not sent again: who was reached would get it twice.
//
// # Errors
//
// See package resilience: *resilience.RefusedError means that nothing was sent, *resilience.APIError carries WeCom's own code and text,
// and as RequestID the hint that support asks for.
//
// The access token travels in the query, as the platform wants it. No error, event or log line shows it.
package wecom
