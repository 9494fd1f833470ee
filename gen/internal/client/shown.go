package client

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// shown returns the first of the examples that the schema can take.
func (e *sampler) shown(s *spec.Schema, examples []string, path string) (text string, ok bool) {
	for _, one := range examples {
		if one == "" || len(one) > e.left {
			continue
		}
		e.left -= len(one)
		if text, ok = e.fit(s, json.RawMessage(one), path); ok {
			return text, true
		}
	}
	return "", false
}

// fit returns a value that the spec shows, as the answer of a success: false where it is not of the schema's shape. What inside it is not
// is made of the schema.
func (e *sampler) fit(s *spec.Schema, value json.RawMessage, path string) (text string, ok bool) {
	s = e.plain(s)
	begin := value[0]
	switch {
	case begin == '{' && s.Type == "array" && s.Format != "object-or-list", begin == '[' && s.Type != "array" && s.Type != "":
		return "", false
	case begin == '{' && (s.Type == "" || s.Type == "object" || s.Type == "array"):
		if s.Type == "array" {
			return e.fit(s.Items, value, path)
		}
		return e.fitObject(s, value, path)
	case begin == '[' && len(s.Properties)+len(s.AllOf) == 0:
		return e.fitList(s, value, path)
	case begin == '{', begin == '[', s.Type == "object", s.Type == "array", len(s.Properties)+len(s.AllOf) > 0:
		return "null", string(value) == "null" && s.Nullable
	default:
		return e.fitScalar(s, string(value), path)
	}
}

// plain is the schema behind references and names for others. Of what is not known, anything is possible.
func (e *sampler) plain(s *spec.Schema) *spec.Schema {
	nullable := false
	for range deepest * deepest {
		if s = e.doc.Resolve(s); s == nil {
			break
		}
		nullable = nullable || s.Nullable
		if len(s.AllOf) == 1 && len(s.Properties) == 0 {
			s = s.AllOf[0]
			continue
		}
		if nullable && !s.Nullable {
			named := *s
			named.Nullable = true
			return &named
		}
		return s
	}
	return &spec.Schema{}
}

// fitObject keeps the members that are shown, in their order, but for what would make another answer of it.
func (e *sampler) fitObject(s *spec.Schema, value json.RawMessage, path string) (string, bool) {
	props, _ := e.doc.Properties(s)
	known := make(map[string]*spec.Schema, len(props))
	for _, p := range props {
		known[p.Name] = p.Schema
	}
	var members []string
	seen := map[string]bool{}
	add := func(name, text string, ok bool) {
		if seen[name] = true; ok {
			members = append(members, spec.Quoted(name)+":"+text)
		}
	}
	eachMember(value, func(name string, inner json.RawMessage) {
		at := join(path, name)
		if e.leaveOut(at) {
			return
		}
		of := known[name]
		if of == nil {
			of = s.Values
		}
		text, ok := e.fit(of, inner, at)
		if !ok || text == "null" && e.decides(at) {
			text, ok = e.value(of, at, 1)
		}
		add(name, text, ok)
	})
	for _, p := range props {
		if at := join(path, p.Name); !seen[p.Name] && e.decides(at) && !e.leaveOut(at) {
			text, ok := e.value(p.Schema, at, 1)
			add(p.Name, text, ok)
		}
	}
	return "{" + strings.Join(members, ",") + "}", true
}

// decides reports whether an answer is a success by what stands at a path, or inside.
func (e *sampler) decides(path string) bool {
	return slices.ContainsFunc(slices.Concat(e.doc.Envelope.Code, e.doc.Envelope.Success), func(at string) bool {
		return at == path || strings.HasPrefix(at, path+".")
	})
}

func (e *sampler) fitList(s *spec.Schema, value json.RawMessage, path string) (string, bool) {
	if path == e.empty && path != "" {
		return "[]", true
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(value, &entries); err != nil {
		return "", false
	}
	var out []string
	for _, entry := range entries {
		text, ok := e.fit(s.Items, entry, path)
		if !ok {
			return "", false
		}
		out = append(out, text)
	}
	return "[" + strings.Join(out, ",") + "]", true
}

// fitScalar takes a number for a text, as YAML reads one without quotes.
func (e *sampler) fitScalar(s *spec.Schema, value, path string) (string, bool) {
	kind := s.Type
	if kind == "" && strings.HasPrefix(value, `"`) {
		kind = "string"
	}
	if text, ok := e.decided(kind, path); ok {
		return text, true
	}
	if value == "null" {
		return value, s.Nullable || s.Type == ""
	}
	text := value
	if err := json.Unmarshal([]byte(value), &text); err != nil && s.Type == "string" {
		value = spec.Quoted(text)
	}
	if len(s.Enum) > 0 && !slices.ContainsFunc(s.Enum, func(t spec.Text) bool { return t.Value == text }) {
		return "", false
	}
	return value, hasType(s, value, text)
}

// hasType reports whether a value, which as a text is text, is of the type and format of s.
func hasType(s *spec.Schema, value, text string) bool {
	var err error
	switch s.Type {
	case "integer":
		_, err = strconv.ParseInt(value, 10, 64)
	case "number":
		_, err = strconv.ParseFloat(value, 64)
	case "boolean":
		return value == "true" || value == "false"
	case "string":
		if s.Format == "date-time" && len(s.Enum) == 0 {
			_, err = time.Parse(time.RFC3339, text)
		}
	}
	return err == nil
}

// parts are the fields that the parts of an allOf show, those of a later one before those of an earlier.
func (e *sampler) parts(s *spec.Schema) map[string]string {
	out := map[string]string{}
	for _, part := range s.AllOf {
		if part = e.doc.Resolve(part); part == nil {
			continue
		}
		for _, text := range part.Examples[:min(1, len(part.Examples))] {
			eachMember(json.RawMessage(text), func(name string, value json.RawMessage) { out[name] = string(value) })
		}
	}
	return out
}

// eachMember goes through an object; other JSON has no members.
func eachMember(object json.RawMessage, do func(name string, value json.RawMessage)) {
	dec := json.NewDecoder(bytes.NewReader(object))
	if begin, err := dec.Token(); err != nil || begin != json.Delim('{') {
		return
	}
	for dec.More() {
		key, err := dec.Token()
		name, ok := key.(string)
		var value json.RawMessage
		if err != nil || !ok || dec.Decode(&value) != nil {
			return
		}
		do(name, value)
	}
}

// entries counts what the list at a dotted path holds; 1 where there is none.
func entries(text, path string) int {
	value := json.RawMessage(text)
	for name := range strings.SplitSeq(path, ".") {
		var object map[string]json.RawMessage
		if json.Unmarshal(value, &object) != nil || object[name] == nil {
			return 1
		}
		value = object[name]
	}
	var list []json.RawMessage
	if json.Unmarshal(value, &list) != nil {
		return 1
	}
	return len(list)
}
