package retry_test

import (
	"math"
	"strconv"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
)

var (
	read       = &resilience.Operation{Platform: "acme", ID: "things/show", Scope: resilience.Read, Idempotent: true}
	write      = &resilience.Operation{Platform: "acme", ID: "things/create", Scope: resilience.Write}
	overwrite  = &resilience.Operation{Platform: "acme", ID: "things/put", Scope: resilience.Write, Idempotent: true}
	allClasses = func() (classes []resilience.Class) {
		for c := resilience.OK; c <= resilience.UnknownOutcome; c++ {
			classes = append(classes, c)
		}
		return classes
	}()
)

// A script is a job that ends its attempts as told; the last outcome holds for all further ones.
type script struct {
	tb       testing.TB
	op       *resilience.Operation
	outcomes []retry.Outcome
	took     time.Duration // by each attempt; inside a bubble
	gate     func() error

	made  []time.Time // when attempts were made
	gates int
	out   retry.Outcome
}

func (s *script) Attempt(n int) *retry.Outcome {
	s.made = append(s.made, time.Now())
	if n != len(s.made) {
		s.tb.Errorf("attempt %d was made as number %d", len(s.made), n)
	}
	if s.took > 0 {
		time.Sleep(s.took) // tests that set it run in a testing/synctest bubble
	}
	s.out = s.outcomes[min(n, len(s.outcomes))-1]
	if s.out.Err == nil && !s.out.Class.Succeeded() {
		s.out.Err = apiError(s.op, s.out.Class, n)
	}
	return &s.out
}

func (s *script) Gate() error {
	s.gates++
	if s.gate == nil {
		return nil
	}
	return s.gate()
}

// waits returns the times between the attempts.
func (s *script) waits() (waits []time.Duration) {
	for i := 1; i < len(s.made); i++ {
		waits = append(waits, s.made[i].Sub(s.made[i-1])-s.took)
	}
	return waits
}

// apiError is the platform's error in answer to attempt n; its code is that number.
func apiError(op *resilience.Operation, class resilience.Class, n int) *resilience.APIError {
	return &resilience.APIError{Op: op, Class: class, Code: strconv.Itoa(n), Attempts: n}
}

func refusal(op *resilience.Operation, reason error) retry.Outcome {
	return retry.Outcome{Refused: true, Err: &resilience.RefusedError{Op: op, Reason: reason}}
}

// departed returns an outcome of an attempt that left.
func departed(class resilience.Class) retry.Outcome {
	return retry.Outcome{Class: class, Departed: true}
}

func call(op *resilience.Operation) *resilience.Call { return &resilience.Call{Op: op} }

// The extremes of what a random source can draw.
func least(int64) int64  { return 0 }
func most(n int64) int64 { return n - 1 }

// open is a configuration in which nothing but the class decides.
var open = retry.Config{
	Untiered: retry.Schedule{Repeats: 9, Wait: time.Second, MaxWait: time.Minute, Total: 1000 * time.Hour},
	Budget:   retry.Budget{Off: true},
}

func farAway() time.Time { return time.Now().Add(math.MaxInt64 / 4) }
