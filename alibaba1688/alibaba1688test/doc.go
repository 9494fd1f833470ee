// Package alibaba1688test is a fake 1688 for tests: it answers the operations of package alibaba1688 from its own memory, checks
// signatures, tokens and parameters, keeps the call limits and does wrong what it is told to.
//
//	srv := alibaba1688test.NewServer()
//	defer srv.Close()
//	client, err := alibaba1688.New(append(srv.Options(), alibaba1688.WithAppKey(srv.AppKey()))...)
//
// # Who may call
//
// The fake knows the AppKey [AppKey] with the secret [AppSecret], one member, and the member's lasting token [AccessToken], as the
// console shows them. [RefreshToken] gets tokens that live ten hours. [Server.AddApp], [Server.AddToken] and [Server.Grant] add more.
//
// # Limits
//
// An AppKey may make 20 calls in any second and 900 in any five minutes; one call more is refused and bans the AppKey for 24 hours:
// gw.QosAppFrequencyLimit, HTTP 400. No document names these numbers; operators report them. [WithAgedKey] drops the 900, other
// options change each number. Every call of the AppKey with a good signature counts when it arrives, by time.Now, except those of
// system.oauth2 and the gateway's clock: inside a testing/synctest bubble hours pass at once.
//
// # Orders and goods
//
// Orders are made of the goods of [Server.Offers] and go through waitbuyerpay, waitsellersend, waitbuyerreceive and success by
// [Server.Pay], [Server.Ship] and [Server.Receive]. Creating one twice makes two, as on the platform: outOrderId only finds them again.
package alibaba1688test
