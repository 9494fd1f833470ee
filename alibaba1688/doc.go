// Package alibaba1688 is a client of the 1688 open platform that never exceeds an AppKey's limits, never orders twice by itself, and
// signs every attempt anew.
//
//	client, err := alibaba1688.New(alibaba1688.WithAppKey(alibaba1688.AppKey{Key: "1000001", Secret: secret, RefreshToken: refresh}))
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	order, err := client.Orders.Get(ctx, &alibaba1688.OrdersGetRequest{WebSite: "1688", OrderID: 202512345678901234})
//
// # Limits
//
// 20 calls a second for each AppKey, of which 19 are used so that network jitter does no harm, and 900 in 5 minutes for new AppKeys;
// exceeding them has led to bans of 24 hours. Both numbers were reported by operators and stand in no document: an AppKey that is
// past its first time sets Aged, others change them by stack.Config.Windows.
//
// # Writes
//
// The platform has no documented protection against doubled orders. A creation whose answer was lost is never repeated and ends in
// resilience.ErrUnknownOutcome: look for the order in Orders.List before creating it again, by the OutOrderID that you gave to
// Orders.CreateCross. Orders.FastCreate takes no such number: there look by the time of creation and the goods.
//
// # Numbers
//
// Order ids have up to 19 digits and are kept exactly. Details speak yuan, previews and creations speak fen; see the fields.
//
// # Errors
//
// See package resilience: *resilience.RefusedError means that nothing was sent, *resilience.APIError carries the platform's own code
// and text.
package alibaba1688
