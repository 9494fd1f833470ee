// Package wechattest is a fake WeChat for tests, the server side of official accounts and mini programs: it answers the
// operations of package wechat from its own memory, checks tokens, request forms and parameters, keeps the documented quotas and
// does wrong what it is told to.
//
//	srv := wechattest.NewServer()
//	defer srv.Close()
//	client, err := wechat.New(append(srv.Options(), wechat.WithApp(srv.App()))...)
//
// # Who may call
//
// The fake knows the account [AppID] with the secret [AppSecret], the five followers from [OpenID] to
// o0000000000000000000000005 and the message template [TemplateID]. [Server.AddApp], [Server.AddUser] and [Server.AddTemplate]
// add more. Users and templates are known to every account of the fake; tokens and media belong to one.
//
// # Tokens
//
// They live for [TokenLife]. cgi-bin/token gives a new one each time, and the one before works for five more minutes.
// stable_token gives the same one until five minutes before its end. A token that ran out gets 42001; one that was replaced, or
// that the fake never made, 40001.
//
// # Quotas
//
// Each account has counters of its own for each operation: for the day, which begins at midnight in China (45009), and for the
// full minute (45011). The defaults are those of a new account; [WithDayLimit] and [WithMinuteLimit] change them. jscode2session
// is counted by end user, 100 in a minute. Calls are counted when they arrive, by time.Now: inside a testing/synctest bubble
// days pass at once. A call that is refused, for whatever reason, does not count.
//
// # What it is not
//
// Nobody reads the messages: [Server.Sent] keeps what was carried out, and [Server.UserActs] is a user's answer. Media are told
// apart by the ending of the file's name and not by their bytes. Menus of the types media_id and article_id may name whatever
// they like. Plain http is accepted, where the platform answers 43003.
package wechattest
