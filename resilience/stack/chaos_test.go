package stack_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

// TestChaos lets many callers meet every fault at once, with slow and failing dials, cancels, pauses and reloads. The fake counts:
// no second holds more than the limit, no write is done twice for one call, and afterwards everything that was held is back.
func TestChaos(t *testing.T) {
	for seed := range uint64(5) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) { synctest.Test(t, func(t *testing.T) { chaos(t, seed) }) })
	}
}

func chaos(t *testing.T, seed uint64) {
	const perSecond = 10
	b := newBench(t, stack.WithConfig(stack.Config{PerSecond: perSecond}))
	b.fake.Seed(seed)
	for _, f := range []resiliencetest.Fault{
		{CutBefore: true}, {CutAfter: true}, {Hang: true}, {Status: 503}, {HalfBody: true}, {Code: "45011", Text: "too fast"},
		{Code: "-1", Text: "busy"}, {Delay: 3 * time.Second}, {Status: 429, Header: http.Header{"Retry-After": {"2"}}}, {Code: "40003", Text: "no"},
	} {
		f.Rate = 0.04
		b.fake.Fail("", f)
	}
	var wg sync.WaitGroup
	for i := range 300 {
		wg.Go(func() { chaosCall(t, b, rand.New(rand.NewPCG(seed, uint64(i))), i) })
	}
	wg.Go(func() { meddle(b, rand.New(rand.NewPCG(seed, 999))) })
	wg.Wait()

	times := resiliencetest.Times(b.fake.Log().Calls(""))
	if got := resiliencetest.MaxInAnyWindow(times, time.Second); got > perSecond {
		t.Errorf("%d calls in one second, want at most %d", got, perSecond)
	}
	done := map[string]int{}
	for _, c := range resiliencetest.Acted(b.fake.Log().Calls(opWrite.ID)) {
		if done[c.Params.Get("id")]++; done[c.Params.Get("id")] > 1 {
			t.Errorf("write %s was done %d times", c.Params.Get("id"), done[c.Params.Get("id")])
		}
	}
	afterwards(t, b)
}

func chaosCall(t *testing.T, b *bench, rnd *rand.Rand, i int) {
	time.Sleep(time.Duration(rnd.IntN(60_000)) * time.Millisecond)
	ctx, cancel := context.WithTimeout(t.Context(), time.Duration(1+rnd.IntN(30_000))*time.Millisecond)
	defer cancel()
	op := []*resilience.Operation{opRead, opWrite, opSafe}[rnd.IntN(3)]
	_, err := b.call(ctx, op, resilience.WithParam("id", fmt.Sprint(i)), resilience.WithTier(resilience.Tier(rnd.IntN(4))))
	if err == nil {
		return
	}
	_, ours := errors.AsType[*resilience.RefusedError](err)
	_, theirs := errors.AsType[*resilience.APIError](err)
	if !ours && !theirs {
		t.Errorf("call %d: %v is neither kind of error", i, err)
	}
}

// meddle is an operator with a nervous hand and a bad network.
func meddle(b *bench, rnd *rand.Rand) {
	for range 30 {
		time.Sleep(2 * time.Second)
		switch rnd.IntN(5) {
		case 0:
			b.Pause(stack.Target{Scopes: []resilience.Scope{resilience.Scope(rnd.IntN(2))}}, "", "", time.Now().Add(time.Second))
		case 1:
			b.srv.Listener().SetDialDelay(time.Duration(rnd.IntN(1500)) * time.Millisecond)
		case 2:
			b.srv.Listener().SetDialError(errors.New("network unreachable"))
		case 3:
			b.srv.Listener().SetDialError(nil)
		default:
			_ = b.Reconfigure(stack.Config{PerSecond: 3 + rnd.IntN(8)})
		}
	}
}

// afterwards asks for as much as may be in flight, when all is well again.
func afterwards(t *testing.T, b *bench) {
	t.Helper()
	b.fake.Heal("")
	b.srv.Listener().SetDialError(nil)
	b.srv.Listener().SetDialDelay(0)
	if err := b.Reconfigure(stack.Config{}); err != nil {
		t.Fatal(err)
	}
	time.Sleep(3 * time.Hour)
	for _, op := range []*resilience.Operation{opRead, opWrite} {
		if _, err := b.call(t.Context(), op); err != nil { // ends probation
			t.Fatalf("%s after all: %v", op.ID, err)
		}
	}
	b.fake.Fail("", resiliencetest.Fault{Delay: time.Second, Rate: 1})
	start := time.Now()
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if _, err := b.call(t.Context(), opRead); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := time.Since(start); got > time.Second {
		t.Errorf("20 calls took %v, want 1s: a place in flight did not come back", got)
	}
	h := b.Health()
	if len(h.Cooldowns) != 0 || h.Scopes[0].Waiting+h.Scopes[1].Waiting != 0 {
		t.Errorf("health shows %+v, want nothing left", h)
	}
}
