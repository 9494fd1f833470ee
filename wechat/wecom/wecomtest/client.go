package wecomtest

import (
	"github.com/dujiang-go/dujiang/resilience/stack"
	"github.com/dujiang-go/dujiang/wechat/wecom"
)

// Options returns what a client needs to call the fake instead of WeCom. The application is the user's business:
// wecom.WithApp(srv.App()).
func (s *Server) Options() []stack.Option {
	return []stack.Option{stack.WithTransport(s.Transport()), stack.WithBaseURL(s.URL()), stack.WithLoopbackHTTP()}
}

// App returns the application that the fake knows from the start.
func (s *Server) App() wecom.App {
	return wecom.App{CorpID: CorpID, AgentID: AgentID, Secret: Secret}
}
