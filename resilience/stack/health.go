package stack

import (
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/breaker"
	"github.com/dujiang-go/dujiang/resilience/tokenpool"
)

// A Health is what a stack knows at one time. Looking changes nothing and sends nothing. That a credential is available means that no
// throttle was seen lately, not that quota is known to be left.
type Health struct {
	Platform  string               `json:"platform"`
	Time      time.Time            `json:"time"`
	Scopes    []ScopeHealth        `json:"scopes"` // write, read
	Cooldowns []tokenpool.Cooldown `json:"cooldowns,omitempty"`
	Out       []tokenpool.Out      `json:"out,omitempty"`
	Pauses    []tokenpool.Pause    `json:"pauses,omitempty"`
}

// A ScopeHealth is how one scope is served.
type ScopeHealth struct {
	Scope resilience.Scope `json:"scope"`
	tokenpool.ScopeHealth
	Circuit      breaker.State `json:"circuit"`
	CircuitUntil time.Time     `json:"circuit_until,omitzero"`
	RetryBudget  int           `json:"retry_budget"` // tokens left
}

// Health returns the state now.
func (s *Stack) Health() Health {
	now := time.Now()
	pool := s.pool.Health()
	h := Health{Platform: s.platform.Name, Time: now, Cooldowns: pool.Cooldowns, Out: pool.Out, Pauses: pool.Pauses}
	for i, circuit := range s.breakers {
		scope := resilience.Scope(i)
		state, until := circuit.State(now)
		h.Scopes = append(h.Scopes, ScopeHealth{
			Scope: scope, ScopeHealth: pool.Scopes[i], Circuit: state, CircuitUntil: until, RetryBudget: s.retrier.Budget(scope),
		})
	}
	return h
}
