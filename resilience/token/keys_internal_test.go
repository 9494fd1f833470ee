package token

import (
	"fmt"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
)

func TestKeysAreRememberedAndForgotten(t *testing.T) {
	var k keys
	cred := &resilience.Credential{ID: "a", Account: "wall", Secret: "s"}
	if got, want := k.of("p", cred), keyOf("p", cred); got != want || k.of("p", cred) != want {
		t.Errorf("got %s, want %s, both times", got, want)
	}
	for i := range maxKeys + 10 {
		k.of("p", &resilience.Credential{ID: fmt.Sprint(i)})
	}
	n := 0
	k.known.Range(func(any, any) bool { n++; return true })
	if n > maxKeys {
		t.Errorf("%d keys are remembered, want at most %d", n, maxKeys)
	}
}
