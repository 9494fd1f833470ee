package wechattest

import (
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat"
)

// Options returns what a client needs to call the fake instead of WeChat. The account is extra: wechat.WithApp(srv.App()).
func (s *Server) Options() []stack.Option {
	return []stack.Option{stack.WithTransport(s.Transport()), stack.WithBaseURL(s.URL()), stack.WithLoopbackHTTP()}
}

// App returns the account that the fake knows from the start, with its secret.
func (s *Server) App() wechat.App { return wechat.App{ID: AppID, Secret: AppSecret} }
