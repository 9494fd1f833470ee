package resilience

import "time"

// An Event tells an [Observer] what happened. It holds no secret, no address and no answer's body.
type Event struct {
	Kind       EventKind
	Time       time.Time
	Op         *Operation
	Account    string
	Credential string
	Attempt    int           // counted from 1; 0 where no attempt was made
	Class      Class         // of an attempt's or a call's outcome
	Code       string        // the platform's
	Err        error         // of a call that failed or was refused
	Took       time.Duration // an attempt's time, or a call's including its waits
	Until      time.Time     // the end of a cooldown or of an open circuit
	Scope      Scope         // of a circuit, cooldown or alert
	Count      int           // of an alert: failures and refusals so far
}

// An EventKind is what happened.
type EventKind uint8

// The kinds of events.
const (
	EventAttempt     EventKind = iota // an attempt ended
	EventCall                         // a call ended
	EventCooldown                     // a cooldown began
	EventCircuit                      // a circuit changed; Until is zero when it closed
	EventAlert                        // no credential of a scope is available: the 1st failure or refusal and each 10th
	EventRecovered                    // one is available again; Count is the number of alerts held back
	EventDecodeFault                  // a field of an answer could not be read; the rest was
)

var eventNames = []string{"attempt", "call", "cooldown", "circuit", "alert", "recovered", "decode-fault"}

// String returns the kind's name.
func (k EventKind) String() string { return eventNames[k] }

// An Observer is told of every event, in the goroutine that causes it: it must be quick and must not call the client.
type Observer func(Event)
