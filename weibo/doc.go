// Package weibo is a client of the Sina Weibo open platform that stays inside its quotas, never posts twice by itself, and uses all
// the tokens that an account has.
//
//	client, err := weibo.New(weibo.WithAccount("wall", tokens...))
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	post, err := client.Statuses.Share(ctx, &weibo.StatusesShareRequest{Status: "今日公告 https://wall.example/1", RIP: userAddress})
//
// # Accounts and tokens
//
// An account is the Weibo user that acts; each of its tokens belongs to another app and has quotas of its own. Calls rotate through
// the tokens of one account. Reads of public data (users/show, comments/show, statuses/count) may use the tokens of any account; for
// the others a client with several accounts is told who acts by [github.com/dujiang-go/dujiang/resilience.WithAccount].
//
// # Quotas
//
// The numbers stand in the generated table with their sources: 150 calls an hour for each token in all, of which 30 posts and 60
// comments, and 1,000 an hour for each address. They are those of an unreviewed app; an app that was granted more says so by
// stack.Config.Windows. The platform has the last word: 10023 cools a token for reads and writes until the hour ends, 10024 only the
// interface that was refused, 10022 everything behind the address.
//
// # Errors
//
// See package resilience: *resilience.RefusedError means that nothing was sent, *resilience.APIError carries Weibo's own code and
// text. Codes that are errors of content (20019 and the like) are never tried with another token.
//
// Tokens travel in the Authorization header, not in the address.
package weibo
