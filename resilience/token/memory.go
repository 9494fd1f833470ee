package token

import (
	"context"
	"fmt"
	"io"
	"sync"
)

// A Memory is a Store in this process. Clients that use the same credentials must share one.
type Memory struct {
	mu     sync.RWMutex
	tokens map[string]Token
}

// NewMemory returns an empty Memory.
func NewMemory() *Memory { return &Memory{tokens: map[string]Token{}} }

// Load returns the token under key.
func (m *Memory) Load(_ context.Context, key string) (Token, bool, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	t, ok := m.tokens[key]
	return t, ok, nil
}

// Save keeps t under key.
func (m *Memory) Save(_ context.Context, key string, t Token) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.tokens[key] = t
	return nil
}

// Format prints the number of tokens and none of them, whatever the verb.
func (m *Memory) Format(f fmt.State, _ rune) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	_, _ = io.WriteString(f, fmt.Sprintf("token.Memory(%d)", len(m.tokens)))
}
