package weibotest

import "github.com/dujiang-go/dujiang/resilience/stack"

// Options returns what a client needs to call the fake instead of Weibo. The account is the user's business:
// weibo.WithAccount("wall", "tok-1").
func (s *Server) Options() []stack.Option {
	return []stack.Option{stack.WithTransport(s.Transport()), stack.WithBaseURL(s.URL()), stack.WithLoopbackHTTP()}
}
