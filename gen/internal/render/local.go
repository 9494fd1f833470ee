package render

import (
	"go/types"
	"slices"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// local are the names that generated functions use themselves.
var local = []string{
	"context", "iter", "strconv", "strings", "time", "resilience", "wire",
	"ctx", "cursor", "e", "err", "n", "offset", "opts", "out", "page", "r", "req", "s", "v",
}

// localName is the name of a local variable for an exported Go name: one that hides nothing which the code around it needs.
func localName(exported string) string {
	name := naming.Unexported(exported)
	if types.Universe.Lookup(name) != nil || slices.Contains(local, name) {
		return name + "Value"
	}
	return name
}
