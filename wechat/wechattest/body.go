package wechattest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"unicode/utf8"
)

// An object is a JSON object of a request. What is not there, or of another kind, reads as nothing: names must be spelt exactly.
type object map[string]any

// parse returns the object that a body holds, false if it holds none or more.
func parse(body []byte) (object, bool) {
	if !utf8.Valid(body) {
		return nil, false
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var v map[string]any
	if err := dec.Decode(&v); err != nil || v == nil {
		return nil, false
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, false
	}
	return v, true
}

// read parses the body of a POST and returns the code of what is wrong with it, "" if nothing is.
func (r *request) read() string {
	if len(r.call.Body) == 0 {
		return "44002"
	}
	if r.op.form {
		return ""
	}
	if escaped(r.call.Body) {
		return "40033"
	}
	var ok bool
	if r.body, ok = parse(r.call.Body); !ok {
		return "47001"
	}
	return ""
}

// escaped reports whether JSON writes a character as backslash-u. A backslash that is itself escaped begins none.
func escaped(body []byte) bool {
	for i := 0; i < len(body)-1; i++ {
		if body[i] != '\\' {
			continue
		}
		i++
		if body[i] == 'u' {
			return true
		}
	}
	return false
}

func (o object) has(name string) bool { return o[name] != nil }

func (o object) text(name string) string {
	text, _ := o[name].(string)
	return text
}

func (o object) flag(name string) bool {
	flag, _ := o[name].(bool)
	return flag
}

// number returns an integer, 0 if there is none.
func (o object) number(name string) int64 {
	number, _ := o[name].(json.Number)
	n, _ := number.Int64()
	return n
}

func (o object) object(name string) object {
	inner, _ := o[name].(map[string]any)
	return inner
}

// objects returns a list of objects; what is no object in it counts as an empty one.
func (o object) objects(name string) []object {
	list, _ := o[name].([]any)
	inner := make([]object, len(list))
	for i, item := range list {
		inner[i], _ = item.(map[string]any)
	}
	return inner
}
