package wire

import (
	"strconv"
	"strings"
)

// Commas joins the entries of the list called name with commas, as the platforms' comma lists travel. An entry that holds a comma itself
// is a fault: it would arrive as two.
func (e *Encoder) Commas(name string, entries []string) string {
	for i, entry := range entries {
		if strings.Contains(entry, ",") {
			e.fault(`entry ` + strconv.Itoa(i) + ` of list "` + name + `" holds a comma, which parts its entries`)
		}
	}
	return strings.Join(entries, ",")
}
