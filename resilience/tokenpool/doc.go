// Package tokenpool decides which credential makes a call, and when.
//
// A [Pool] holds the credentials of one platform. [Pool.Acquire] grants a call one of them together with a place in every window that
// counts it, all or nothing, and otherwise waits in the call's lane or refuses at once with the time to ask again. What a grant
// holds is only reserved; [Permit.Depart] stamps the windows when the request's headers are written, and [Permit.Release] gives back
// what never left.
//
// # Lanes
//
// Calls that the same credentials can serve under the same windows wait in one lane, first come first served inside a tier. A lane
// whose window is full holds up no other: neither the other scope, nor another group, nor a call that names its credential.
//
// # Cooldowns
//
// A throttle cools the credential for the scope, or what the error table says instead. The steps are 10, 20, 40 and 60 minutes
// where the platform names no end (10 s doubling to 60 s for limits of a second or a minute), one step for each incident: answers
// to calls that left before the cooldown began change nothing. Afterwards the credential is on probation: one call at a time until
// one succeeds. When every credential of a lane cools, calls are refused at once with the earliest end.
package tokenpool
