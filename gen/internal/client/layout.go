package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// wide is how long a line of an example may be.
const wide = 120

// layOut brings JSON over lines of a bearable length: what fits on one stays there, with as many of its neighbours as do.
func layOut(text json.RawMessage, indent string) string {
	if len(indent)+len(text) <= wide {
		return string(text)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	begin, err := dec.Token()
	delim, ok := begin.(json.Delim)
	if err != nil || !ok {
		return string(text)
	}
	inner := indent + "  "
	line := inner
	var lines []string
	for dec.More() {
		entry, err := entryOf(dec, delim, inner)
		if err != nil {
			return string(text) // it was not JSON
		}
		if line != inner && len(line)+len(entry) >= wide || strings.Contains(entry, "\n") {
			lines, line = append(lines, line), inner
		}
		line += entry
		if dec.More() {
			line += ","
		}
	}
	lines = slices.DeleteFunc(append(lines, line), func(line string) bool { return line == inner })
	return delim.String() + "\n" + strings.Join(lines, "\n") + "\n" + indent + map[json.Delim]string{'{': "}", '[': "]"}[delim]
}

// entryOf reads the next member of an object or entry of a list.
func entryOf(dec *json.Decoder, in json.Delim, indent string) (string, error) {
	name := ""
	if in == '{' {
		key, err := dec.Token()
		if err != nil {
			return "", err
		}
		text, _ := key.(string)
		name = spec.Quoted(text) + ":"
	}
	var value json.RawMessage
	if err := dec.Decode(&value); err != nil {
		return "", err
	}
	return name + layOut(value, indent), nil
}
