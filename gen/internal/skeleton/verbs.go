package skeleton

import (
	"slices"
	"strings"
)

// The verbs by which calls are known that do not do what their HTTP method says. Those that are nouns as often (a lock, an archive) tell
// less: they do not count where another word says that the call reads.
var (
	writing = []string{
		"delete", "remove", "create", "update", "send", "set", "cancel", "reset", "add", "insert", "save", "submit", "publish", "edit", "modify",
		"replace", "revoke", "approve", "reject", "activate", "deactivate", "enable", "disable", "start", "stop", "restart", "trigger",
		"execute", "register", "unregister", "subscribe", "unsubscribe", "logout", "pay", "refund", "destroy", "clear", "reboot", "rotate",
		"rename", "upload", "invite", "unlock", "restore", "recount", "rebuild", "reindex", "recalculate", "recompute", "regenerate", "refresh",
		"resend", "rerun", "reprocess", "resync", "requeue", "redeploy", "recreate", "renew", "reopen", "reassign", "reschedule", "reload",
		"replay", "retry", "generate", "withdraw", "buy", "purchase", "increment", "decrement", "increase", "decrease", "append", "pop", "enqueue",
		"dequeue", "redeem", "consume", "notify", "dispatch", "launch", "deploy", "install", "uninstall", "provision", "terminate", "suspend",
		"resume", "shutdown", "wipe", "truncate", "flush", "invalidate", "expire", "grant", "assign", "unassign", "upsert", "migrate", "toggle",
		"follow", "unfollow", "mute", "unmute", "accept", "decline", "acknowledge", "confirm", "apply", "initialize", "kick", "erase", "detach",
	}
	writingNouns = []string{
		"post", "change", "run", "move", "join", "leave", "lock", "archive", "purge", "mark", "import", "transfer", "charge", "vote", "like",
		"deposit", "sync", "copy", "clone", "merge", "push", "pull", "commit", "block", "claim", "build", "broadcast", "ban", "begin", "attach",
		"put", "drop", "rollback", "undo", "book", "capture", "release",
	}
	reading = []string{
		"search", "query", "list", "get", "find", "count", "fetch", "lookup", "read", "show", "describe", "retrieve", "browse", "batchget", "mget",
		"suggest", "autocomplete", "estimate", "download", "export", "watch", "head",
	}
	readingNouns = []string{"check", "filter", "view", "preview"}

	// acting are those of the writing that do more when they are done twice, whatever the HTTP method promises.
	acting = []string{
		"send", "resend", "refund", "increment", "decrement", "increase", "decrease", "charge", "pay", "transfer", "withdraw", "deposit", "buy",
		"purchase", "append", "push", "pop", "enqueue", "dequeue", "toggle", "notify", "broadcast", "trigger", "run", "rerun", "execute", "restart",
		"reboot", "rotate", "generate", "regenerate", "invite", "redeem", "consume", "dispatch", "replay", "retry", "launch", "vote",
	}

	// A summary reads by more words than a name, and some of the writing words begin it as nouns: "Updates since a date".
	telling   = []string{"return", "give", "display", "obtain", "provide", "load", "report", "tell", "print", "see", "check", "validate", "verify"}
	ambiguous = []string{"update", "set", "edit", "upload", "invite", "start", "stop", "generate", "refresh", "purchase", "apply", "register", "clear"}
	fillers   = []string{
		"this", "the", "endpoint", "call", "method", "operation", "api", "route", "action", "will", "can", "may", "be", "is", "used", "to", "use",
		"it", "you", "lets", "allows", "async", "and", "then",
	}
	determiners = []string{
		"a", "an", "the", "all", "this", "that", "one", "every", "each", "your", "its", "it", "them", "everything", "several", "some", "any", "new",
	}
)

// isVerb reports whether a word says what a call does. The first one that does so tells: the reset in getResetToken is a noun.
func isVerb(word string) bool {
	return slices.Contains(writing, word) || slices.Contains(reading, word)
}

// begins returns the first word of a text if it is one of the verbs.
func begins(text string, verbs []string) string {
	if list := words(text); len(list) > 0 && slices.Contains(verbs, list[0]) {
		return list[0]
	}
	return ""
}

// opening returns the first words of a sentence from the one that may be its verb: "Starts a recount", "This call deletes everything".
func opening(sentence string) []string {
	list := words(sentence)
	const early = 8
	for i, word := range list[:min(len(list), early)] {
		if !slices.Contains(fillers, word) && (!strings.HasSuffix(word, "ly") || len(word) <= len("only")) {
			return list[i:]
		}
	}
	return nil
}

// does returns the verb of a sentence that says that a call writes. Where the call's name says that it reads, a word that is a noun as
// often has to be followed by what it is done to.
func does(sentence string, nameReads bool) string {
	list := opening(sentence)
	if len(list) == 0 {
		return ""
	}
	verb := stem(list[0])
	isNoun := slices.Contains(writingNouns, verb) || nameReads && slices.Contains(ambiguous, verb)
	followed := len(list) > 1 && slices.Contains(determiners, list[1])
	if isWriting := slices.Contains(writing, verb) || slices.Contains(writingNouns, verb); isWriting && (!isNoun || followed) {
		return list[0]
	}
	return ""
}

// tells reports whether a sentence says that a call reads.
func tells(sentence string) bool {
	list := opening(sentence)
	return len(list) > 0 && slices.Contains(slices.Concat(reading, readingNouns, telling), stem(list[0]))
}

// stem takes the third person away: starts, pushes, notifies.
func stem(word string) string {
	known := func(verb string) bool {
		return isVerb(verb) || slices.Contains(slices.Concat(writingNouns, readingNouns, telling), verb)
	}
	for _, verb := range []string{
		word, strings.TrimSuffix(word, "s"), strings.TrimSuffix(word, "es"), strings.TrimSuffix(word, "ies") + "y",
	} {
		if known(verb) {
			return verb
		}
	}
	return word
}
