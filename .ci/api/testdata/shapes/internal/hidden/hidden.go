// Package hidden is of no use to others.
package hidden

// Seen is not to be listed.
const Seen = 1
