package wecom

// Partial reports whether somebody did not get the message: users that are unknown, out of the application's sight or without a
// licence, departments and tags.
func (r *MessagesSendResult) Partial() bool {
	return len(r.InvalidUser)+len(r.InvalidParty)+len(r.InvalidTag)+len(r.UnlicensedUser) > 0
}
