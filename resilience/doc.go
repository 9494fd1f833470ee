// Package resilience is the vocabulary that typed clients, the middleware and its users share: what an [Operation] is, which
// [Window] bounds it, who acts ([Credential]), what an answer means ([Class]) and which errors come back.
//
// It imports the standard library only. The packages below it do the work and stack puts them together in one fixed order:
//
//	observe -> gate -> retry -> tokenpool (credential, windows, in-flight cap) -> breaker -> authorize -> send -> classify
//
// # Errors
//
// A [RefusedError] is ours: nothing was sent. An [APIError] is the platform's, or the network's: something left. Both unwrap to the
// sentinels of this package, so that a caller decides with errors.Is and reads details with errors.AsType:
//
//	_, err := client.Statuses.Share(ctx, req)
//	switch {
//	case errors.Is(err, resilience.ErrUnknownOutcome):
//		// it may have been done: look before asking again
//	case errors.Is(err, resilience.ErrQuotaExhausted), errors.Is(err, resilience.ErrLimited):
//		// later: RetryAt of the error says when
//	}
//
// The first call that the platform refuses for want of quota is an APIError; those after it are RefusedErrors, with ErrNoCredential and
// the same ErrQuotaExhausted. ErrNoCredential without a RetryAt means that somebody has to do something: New had no credential, or the
// platform has refused it for good.
package resilience
