package wecomtest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// A document is a JSON object that was sent. Numbers in it are json.Number.
type document struct {
	fields map[string]any
	broken bool // it is no JSON object; fields holds what came before the fault
}

// readDocument reads as the platform does: what stands before a fault counts.
func readDocument(body []byte) document {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	d := document{fields: map[string]any{}, broken: true}
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		return d
	}
	for dec.More() {
		key, err := dec.Token()
		name, isText := key.(string)
		var value any
		if err != nil || !isText || dec.Decode(&value) != nil {
			return d
		}
		d.fields[name] = value
	}
	if _, err := dec.Token(); err != nil {
		return d
	}
	_, err := dec.Token()
	d.broken = !errors.Is(err, io.EOF)
	return d
}

// dig returns the value at a dotted path below v, nil if there is none.
func dig(v any, path string) any {
	for name := range strings.SplitSeq(path, ".") {
		object, _ := v.(map[string]any)
		v = object[name]
	}
	return v
}

func textAt(v any, path string) string {
	text, _ := dig(v, path).(string)
	return text
}

func listAt(v any, path string) []any {
	list, _ := dig(v, path).([]any)
	return list
}

// intAt returns an integer; false if there is none.
func intAt(v any, path string) (int, bool) {
	number, _ := dig(v, path).(json.Number)
	n, err := number.Int64()
	return int(n), err == nil
}

// given reports whether there is something at the path.
func given(v any, path string) bool {
	value := dig(v, path)
	return value != nil && value != ""
}
