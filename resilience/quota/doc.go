// Package quota answers one question: when may one more call go?
//
// A [Limit] is the state of one window for one key. It is pure: time is an argument, nothing waits, nothing locks. A call is first
// reserved and then either departs, which stamps the window, or is given back, which leaves no trace; so a slow dial cannot bunch
// calls that were admitted one by one, and a call that never left costs nothing.
//
// Rolling windows of up to 1,024 calls keep each departure (a ring of stamps) and are exact. Larger ones count departures in 256
// parts of the window and forget a part only when all of it is too old: they err on the careful side by less than 0.4 %. Aligned
// windows count since their start. Inside short windows golang.org/x/time/rate paces the calls, so that a limit of 20 a second is
// not spent in the first millisecond.
package quota
