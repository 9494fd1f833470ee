// Package bench compares the typed clients with others that are in use. It holds tests and benchmarks only, in a module of its own, so
// that users of the clients do not get the others' requirements with them.
//
// The tests let a foreign client call a fake platform over its own HTTP code: what somebody wrote for the platform itself, without
// knowing the fake, must work against it.
//
// The benchmarks make the same call with both clients, each with its token at hand, on a transport that answers from memory:
//
//	go test -run '^$' -bench . -benchmem
//
// They measure all that a client does for a call except the network: build the request, pass it on, read and decode the answer. In
// dujiang's figures the whole chain is included, quota windows, in-flight cap, circuit and attempt time-out; the other client has no
// such thing. The transport's own work is in both.
package bench
