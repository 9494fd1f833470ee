package bench_test

import (
	"context"
	"strings"
	"testing"
)

// BenchmarkUserInfo is user/info: a GET, and an answer of 17 fields.
func BenchmarkUserInfo(b *testing.B) { benchmark(b, userJSON, peer.readUser) }

// BenchmarkMessage is message/custom/send: a POST of a small text, and the shortest answer.
func BenchmarkMessage(b *testing.B) {
	benchmark(b, sentJSON, func(p peer, ctx context.Context) error { return p.message(ctx) })
}

func benchmark(b *testing.B, answer string, call func(peer, context.Context) error) {
	for _, p := range peers() {
		b.Run(p.name, func(b *testing.B) {
			client, ctx := p.make(b, canned{answer}), b.Context()
			if err := call(client, ctx); err != nil { // fetches the token too
				b.Fatal(err)
			}
			b.ReportAllocs()
			for b.Loop() {
				if err := call(client, ctx); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestPeersDecode: what is measured reads its answers. A client that skipped one would not see a refusal inside of HTTP 200.
func TestPeersDecode(t *testing.T) {
	for _, p := range peers() {
		t.Run(p.name, func(t *testing.T) {
			if err := p.make(t, canned{userJSON}).readUser(t.Context()); err != nil {
				t.Error(err)
			}
			if err := p.make(t, canned{sentJSON}).message(t.Context()); err != nil {
				t.Error(err)
			}
			refused := p.make(t, canned{refusedJSON})
			if err := refused.message(t.Context()); err == nil || !strings.Contains(err.Error(), "45015") {
				t.Errorf("message: got %v, want 45015", err)
			}
			if err := refused.readUser(t.Context()); err == nil || !strings.Contains(err.Error(), "45015") {
				t.Errorf("user/info: got %v, want 45015", err)
			}
		})
	}
}
