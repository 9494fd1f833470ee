package breaker

import "fmt"

// A State is what a circuit does with calls.
type State uint8

// The states of a circuit.
const (
	Closed   State = iota // calls pass
	HalfOpen              // one call at a time may try whether the service is back
	Open                  // calls are refused
)

var stateNames = []string{"closed", "half-open", "open"}

// String returns the state's name.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("state(%d)", uint8(s))
}

// MarshalText writes the state as its name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Verdict is what an attempt says about the service. The zero Verdict says nothing.
type Verdict uint8

// The verdicts.
const (
	Neutral  Verdict = iota // nothing was learned: cancelled, refused by the chain, never departed
	Answered                // the platform answered with a throttle or the like: neutral, but proof of life to a probe
	Success                 // the service did its work, or refused the call as wrong
	Failure                 // the service failed
)

var verdictNames = []string{"neutral", "answered", "success", "failure"}

// String returns the verdict's name.
func (v Verdict) String() string {
	if int(v) < len(verdictNames) {
		return verdictNames[v]
	}
	return fmt.Sprintf("verdict(%d)", uint8(v))
}
