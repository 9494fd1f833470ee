package resiliencetest

import (
	"context"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// A Listener is a network of one address in memory: what is dialed here is accepted here. Its connections behave like TCP ones with
// two differences: writes wait for the reader, and a connection that was cut reads as EOF, never as a reset.
type Listener struct {
	conns   chan net.Conn
	closed  chan struct{}
	close   sync.Once
	delay   atomic.Int64
	dials   atomic.Int64
	failure atomic.Pointer[error]
}

// NewListener returns a Listener that is open for dials.
func NewListener() *Listener {
	return &Listener{conns: make(chan net.Conn), closed: make(chan struct{})}
}

// Dial opens a connection, whatever network and address are, after the dial delay. It fails when the context ends first, when the
// Listener is closed, and as SetDialError says.
func (l *Listener) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	l.dials.Add(1)
	if d := time.Duration(l.delay.Load()); d > 0 {
		timer := time.NewTimer(d)
		defer timer.Stop()
		select {
		case <-timer.C:
		case <-ctx.Done():
			return nil, dialError(ctx.Err())
		case <-l.closed:
			return nil, dialError(net.ErrClosed)
		}
	}
	if err := l.failure.Load(); err != nil {
		return nil, dialError(*err)
	}
	client, server := net.Pipe()
	select {
	case l.conns <- server:
		return client, nil
	case <-ctx.Done():
		return nil, dialError(ctx.Err())
	case <-l.closed:
		return nil, dialError(net.ErrClosed)
	}
}

func dialError(err error) error {
	return &net.OpError{Op: "dial", Net: memory, Addr: memoryAddr{}, Err: err}
}

// SetDialDelay makes each later dial take d. Instant dials hide the burst that a slow dial lets through.
func (l *Listener) SetDialDelay(d time.Duration) { l.delay.Store(int64(d)) }

// SetDialError makes each later dial fail with err, after the delay; nil ends that.
func (l *Listener) SetDialError(err error) {
	if err == nil {
		l.failure.Store(nil)
		return
	}
	l.failure.Store(&err)
}

// Dials returns how many dials were begun.
func (l *Listener) Dials() int { return int(l.dials.Load()) }

// Transport returns a new http.Transport that dials here: with keep-alive, without a proxy.
func (l *Listener) Transport() *http.Transport {
	return &http.Transport{DialContext: l.Dial, MaxIdleConnsPerHost: 64, IdleConnTimeout: 90 * time.Second}
}

// Accept returns the next connection that was dialed.
func (l *Listener) Accept() (net.Conn, error) {
	select {
	case conn := <-l.conns:
		return conn, nil
	case <-l.closed:
		return nil, &net.OpError{Op: "accept", Net: memory, Addr: memoryAddr{}, Err: net.ErrClosed}
	}
}

// Close ends the Listener: dials and Accept fail from now on. It may be called more than once.
func (l *Listener) Close() error {
	l.close.Do(func() { close(l.closed) })
	return nil
}

// Addr returns an address that names the network "memory".
func (l *Listener) Addr() net.Addr { return memoryAddr{} }

const memory = "memory"

type memoryAddr struct{}

func (memoryAddr) Network() string { return memory }
func (memoryAddr) String() string  { return memory }
