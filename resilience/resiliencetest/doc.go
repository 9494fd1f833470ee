// Package resiliencetest is what fake platforms and tests of the chain are made of: a network in memory, a server on it, a script
// of faults, a log of calls and an oracle that counts them.
//
//	fake := &resiliencetest.Fake{Act: func(c *resiliencetest.Call, r *http.Request) resiliencetest.Answer {
//		return resiliencetest.JSON(200, map[string]string{"hello": c.Params.Get("name")})
//	}}
//	srv := resiliencetest.Serve(fake)
//	defer srv.Close()
//	fake.Fail("GET /hello", resiliencetest.Fault{Status: 503, Times: 2})
//	client := &http.Client{Transport: srv.Transport()}
//
// Everything works inside a testing/synctest bubble, where time is virtual and waits are exact, and outside. Inside a bubble make the
// server there and close it before the bubble ends. Instants are those of time.Now.
//
// The oracle shares no code with the middleware's own counting, so that a shared mistake cannot hide.
package resiliencetest
