// Package wecomtest is a fake WeCom for tests: it answers the operations of package wecom from its own memory, checks tokens and
// messages, keeps the documented quotas and does wrong what it is told to.
//
//	srv := wecomtest.NewServer()
//	defer srv.Close()
//	client, err := wecom.New(append(srv.Options(), wecom.WithApp(srv.App()))...)
//
// # Who is there
//
// The fake is one enterprise, [CorpID], with one application, [AgentID] and its [Secret]; [Server.AddApp] adds more. Its departments
// are 1, 2 below it and 3 below 2. Member u5 is in department 1, u1 and u2 are in 2, u3 and u4 in 3; tag 1 holds u1 and u2. All are
// visible to every application. Member ids are compared without case. [Server.AddMember] and [Server.AddTag] add more. Customers of
// the customer-service account [OpenKFID] may be written to after [Server.CustomerWrites].
//
// # Quotas
//
// Each single API may be called 10,000 times a minute and 150,000 times an hour by the enterprise, and 20,000 and 600,000 times from
// an address; message/send is not counted. One call too many is answered 45009 and blocks that API for 60 seconds or 60 minutes. More
// than 2,000 failed gettoken calls in an hour block gettoken for the address for an hour. A member gets 30 messages a minute and 1,000
// an hour from one application; the rest is dropped without a word. Whether the platform counts in fixed or in rolling spans is not
// documented: the fake takes rolling ones, the stricter reading. Refused calls are not counted. Options change the numbers. Calls are
// counted when they arrive, by time.Now: inside a testing/synctest bubble hours pass at once.
//
// # Where the documents are silent
//
// A message that is suppressed as a duplicate gets the answer of the first one. A customer-service msgid that was used before gets
// 40058. A part that msgtype names and that is not there gets 40008. Unknown paths and wrong verbs get HTTP 404 and 405, and bodies of
// unknown length (chunked) get 412. A department stands for those below it too.
//
// # What it is not
//
// The ceiling of person-times a day and the limit of calls in debug mode are not kept. The length of voice files is not measured.
// Customer-service messages never fail after they were accepted. The texts of errors are not the platform's, whose own words change.
package wecomtest
