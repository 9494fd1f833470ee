// Package weibotest is a fake Weibo for tests: it answers the operations of package weibo from its own memory, checks tokens and
// parameters, keeps the documented quotas and does wrong what it is told to.
//
//	srv := weibotest.NewServer()
//	defer srv.Close()
//	client, err := weibo.New(append(srv.Options(), weibo.WithAccount("wall", "tok-1"))...)
//
// # Who may call
//
// The fake knows the tokens tok-1 to tok-9. They belong to nine apps (app keys 2000000001 to 2000000009, secrets made-up-secret-1 to
// made-up-secret-9) and to one user, 1001, whose name is wall. User 1002, guest, granted no app. [Server.AddApp], [Server.AddUser] and
// [Server.AddToken] add more.
//
// # Quotas
//
// The defaults are those of an unreviewed app, in full hours: 150 calls for a user in an app (10023), of them 30 posts and 60 comments
// (10024), and 1,000 calls from an address (10022). account/rate_limit_status and oauth2 are not counted, and neither are refused
// calls. Options change each number. Calls are counted when they arrive, by time.Now: inside a testing/synctest bubble hours pass at
// once.
//
// # What it is not
//
// Posts and comments are kept as they came: nothing is cut, reviewed or shortened. Nobody reposts or likes, so those counters stay 0.
// No app of the fake is a mobile one, so oauth2/access_token refuses every refresh token with 21325.
package weibotest
