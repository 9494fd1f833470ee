package resiliencetest

import (
	"context"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"
)

// A Server serves HTTP in memory, or on a loopback socket. Close it: no goroutine of it is left then, as a synctest bubble needs.
type Server struct {
	url       string
	memory    *Listener // nil on loopback
	http      *http.Server
	closing   chan struct{}
	closeOnce sync.Once
	running   sync.WaitGroup // the accept loop, connections and handlers
}

// memoryURL is what in-memory servers are called. Dials in memory ignore it; it is a loopback address so that clients accept plain
// http for it, and its port is one where nobody answers if the transport is forgotten.
const memoryURL = "http://127.0.0.1:1"

// Serve serves h in memory.
func Serve(h http.Handler) *Server {
	l := NewListener()
	s := &Server{url: memoryURL, memory: l}
	s.start(l, h)
	return s
}

// ServeLoopback serves h on a free port of 127.0.0.1. It does not work inside a synctest bubble.
func ServeLoopback(h http.Handler) (*Server, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("resiliencetest: listen on loopback: %w", err)
	}
	s := &Server{url: "http://" + l.Addr().String()}
	s.start(l, h)
	return s, nil
}

// URL returns the server's address: scheme, host and port, without a slash at the end.
func (s *Server) URL() string { return s.url }

// Listener returns the network in memory, to set dial delays and errors; nil on loopback.
func (s *Server) Listener() *Listener { return s.memory }

// Transport returns a new http.Transport that reaches the server, with keep-alive and without a proxy.
func (s *Server) Transport() *http.Transport {
	if s.memory != nil {
		return s.memory.Transport()
	}
	return &http.Transport{MaxIdleConnsPerHost: 64, IdleConnTimeout: 90 * time.Second}
}

// Close cuts all connections and waits until every handler has ended. It may be called more than once.
func (s *Server) Close() {
	s.closeOnce.Do(func() {
		close(s.closing)
		_ = s.http.Close() // the listener's error is of no use: nobody listens any more
	})
	s.running.Wait()
}

type closingKey struct{}

func (s *Server) start(l net.Listener, h http.Handler) {
	s.closing = make(chan struct{})
	base := context.WithValue(context.Background(), closingKey{}, (<-chan struct{})(s.closing))
	//nolint:gosec // no ReadHeaderTimeout: it would cut unused connections at round instants of virtual time, when calls are made too
	s.http = &http.Server{
		Handler:     s.tracked(h),
		BaseContext: func(net.Listener) context.Context { return base },
		ConnState:   s.track,
		ErrorLog:    log.New(io.Discard, "", 0),
	}
	s.running.Go(func() { _ = s.http.Serve(l) }) // always ends with ErrServerClosed
}

// track counts connections. net/http's own Close does not wait for their goroutines, some of which sleep half a second after an
// answer that came before the end of the request.
func (s *Server) track(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		s.running.Add(1)
	case http.StateClosed, http.StateHijacked:
		s.running.Done()
	case http.StateActive, http.StateIdle:
	}
}

// tracked counts handlers too: one that has taken its connection over is no longer counted by it.
func (s *Server) tracked(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.running.Add(1)
		defer s.running.Done()
		h.ServeHTTP(w, r)
	})
}

// closing returns the channel that is closed when the request's Server closes; nil on servers of another kind.
func closing(r *http.Request) <-chan struct{} {
	done, _ := r.Context().Value(closingKey{}).(<-chan struct{})
	return done
}
