// Package wire is what all platforms share on the wire: how a typed request becomes text, how an answer becomes a verdict and then
// typed again.
//
// A generated method is a few lines over [Do]:
//
//	func (s *UsersService) Show(ctx context.Context, req *UsersShowRequest, opts ...resilience.CallOption) (*User, error) {
//		return wire.Do[User](ctx, s.caller, OpUsersShow, req, opts)
//	}
//
// Do lets the request write itself into an [Encoder], hands the call to the client's chain and reads the answer with [Decode]. Inside
// the chain each attempt is an [Outgoing] that authorizers complete, and an [Envelope] says what the answer means.
//
// Answers are read with patience, since the platforms send one field as a number today and as text tomorrow: unknown fields are
// ignored, a field that cannot be read is left at its zero value and named in Response.Faults, and numbers stay exact everywhere.
// The tolerant types ([Int], [Bool], [ID], [List], [Maybe], [RubyTime] ...) are for fields that change their type.
package wire
