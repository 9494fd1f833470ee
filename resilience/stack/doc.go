// Package stack puts the middleware together: one [Stack] for each client, one fixed order for every call.
//
//	observe    every attempt and every outcome is an Event
//	gate       paused? circuit open? key used? refused at once, nothing sent, no quota spent
//	retry      what may be repeated, when, within one budget
//	tokenpool  a credential and a place in all its windows, all or nothing
//	token      an access token, fetched or renewed if need be
//	breaker    is the service itself down?
//	send       authorize, sign, send; the windows are stamped when the headers are written
//	classify   the answer gets its Class here; nobody above reads bodies
//
// # What an answer does
//
//	class                           was it done?    repeated: idempotent / not             credential            circuit
//	ok, accepted-late, partial      yes             no                                     success               success
//	throttled                       no              another credential, or later / same    cools, 10 s to 60 s   neutral
//	quota-exhausted                 no              another credential / same              cools, see Rule       neutral
//	penalized                       no              another credential / same              cools 24 h            neutral
//	source-limited                  no              no                                     the address cools     neutral
//	token-expired                   no              once, with a new token / same          -                     neutral
//	credential-invalid              no              another credential / same              out of use; cools
//	                                                                                       if it renews itself   neutral
//	misconfigured                   no              another credential / same              cools, 10 to 60 min   neutral
//	clock-skew                      no              once, with the server's time / same    -                     neutral
//	forbidden, invalid, not-found,
//	rejected, duplicate-content     no              no                                     -                     success
//	transient                       perhaps         yes / only if it never left            -                     failure
//	unknown-outcome                 perhaps         - / never                              -                     failure
//
// "Neutral" proves the service alive while the circuit is half open. A time-out before half of an attempt's own says nothing either.
// Token calls that other calls wait for have a circuit of their own, and are not stopped by the pause of one scope.
package stack
