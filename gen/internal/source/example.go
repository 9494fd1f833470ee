package source

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// The bounds of an example that is taken over: what a fake answers is read by people, and stands in its code.
const (
	maxExample  = 16 << 10 // bytes
	deepExample = 60       // values inside each other
	maxShowings = 40       // schemas that are asked for one
)

// shown takes over the values that a schema shows, the best first: a list of JSON texts, which is how package spec reads them of a foreign
// document.
func (c *converter) shown(out *mapping, n *yaml.Node) {
	left := maxShowings
	texts := c.showing(n, c.kind(n), &left)
	made := make([]*yaml.Node, len(texts))
	for i, text := range texts {
		made[i] = c.scalar(text, n.Line)
	}
	if len(made) > 0 {
		out.set("example", n.Line, c.sequence(n.Line, made...))
	}
}

// showing asks a schema for its values, then what it is made of. An object is asked for itself, or for its alternatives where it has
// nothing else: what a part of it shows is not the whole.
func (c *converter) showing(n *yaml.Node, k kind, left *int) []string {
	if *left--; *left < 0 {
		return nil
	}
	candidates := []*yaml.Node{c.get(n, "example")}
	if several := list(c.get(n, "examples")); len(several) > 0 {
		candidates = append(candidates, several[0])
	}
	if v := c.get(n, "default"); k.isScalar() && v != nil && v.Value != "" {
		candidates = append(candidates, v)
	}
	var out []string
	for _, v := range candidates {
		if text, ok := exampleText(v, k == kindText); ok {
			out = append(out, text)
		}
	}
	if len(out) > 0 {
		return out
	}
	parts := c.parts(n)
	if k == kindObject || k == kindAny {
		if len(parts) > 0 || c.get(n, "properties") != nil {
			return nil
		}
	}
	alternatives, _ := c.alternatives(n)
	for _, part := range append(slices.Clip(parts), alternatives...) {
		for _, one := range []*yaml.Node{part, c.target(part)} { // beside a reference 3.1 may show one
			if out := c.showing(one, k, left); one != nil && len(out) > 0 {
				return out
			}
		}
	}
	return nil
}

// showPart keeps what a part of a plain value or a list shows. Of an object it would not be the whole.
func (c *converter) showPart(out *mapping, part *yaml.Node) {
	if k := c.kind(part); k != kindArray && !k.isScalar() {
		return
	}
	for _, key := range []string{"example", "examples", "default"} {
		if p, ok := c.pair(part, key); ok && !out.has(key) {
			out.add(key, p.line, p.value)
		}
	}
}

// mediaExample takes over what a media type shows of a whole answer: its example, or the first of its examples that stands in the spec.
func (c *converter) mediaExample(out *mapping, media *yaml.Node) {
	v := c.get(media, "example")
	for _, one := range c.pairs(c.target(c.get(media, "examples"))) {
		if v != nil {
			break
		}
		v = c.get(c.target(one.value), "value")
	}
	if text, ok := exampleText(v, false); ok {
		out.set("example", v.Line, c.sequence(v.Line, c.scalar(text, v.Line)))
	}
}

// exampleText writes a value as JSON, which as a text is what stands there, with quotes or without. It is false for null, which shows
// nothing, and for what is no JSON or too large.
func exampleText(n *yaml.Node, asText bool) (string, bool) {
	n = follow(n)
	if n == nil || n.ShortTag() == "!!null" {
		return "", false
	}
	if asText && n.Kind == yaml.ScalarNode {
		text := spec.Quoted(n.Value)
		return text, len(text) <= maxExample
	}
	var b strings.Builder
	ok := writeJSON(&b, n, deepExample)
	return b.String(), ok
}

func writeJSON(b *strings.Builder, n *yaml.Node, depth int) bool {
	n = follow(n)
	if n == nil || depth == 0 || b.Len() > maxExample {
		return false
	}
	switch n.Kind {
	case yaml.SequenceNode:
		b.WriteByte('[')
		for i, one := range n.Content {
			if i > 0 {
				b.WriteByte(',')
			}
			if !writeJSON(b, one, depth-1) {
				return false
			}
		}
		b.WriteByte(']')
	case yaml.MappingNode:
		b.WriteByte('{')
		if !writeMembers(b, n, map[string]bool{}, depth-1) {
			return false
		}
		b.WriteByte('}')
	default:
		text, ok := jsonScalar(n)
		b.WriteString(text)
		return ok && b.Len() <= maxExample
	}
	return b.Len() <= maxExample
}

// writeMembers writes those that are not written yet, the merged ones last. Nothing is a fault in an example.
func writeMembers(b *strings.Builder, n *yaml.Node, written map[string]bool, depth int) bool {
	n = follow(n)
	if n == nil || depth <= 0 {
		return false
	}
	var merged []*yaml.Node
	for i := 0; n.Kind == yaml.MappingNode && i+1 < len(n.Content); i += 2 {
		key, value := follow(n.Content[i]), n.Content[i+1]
		switch {
		case key == nil || key.Kind != yaml.ScalarNode:
			return false
		case key.Tag == "!!merge":
			merged = append(merged, value)
			continue
		case written[key.Value]:
			continue
		}
		if len(written) > 0 {
			b.WriteByte(',')
		}
		written[key.Value] = true
		b.WriteString(spec.Quoted(key.Value) + ":")
		if !writeJSON(b, value, depth) {
			return false
		}
	}
	for _, one := range merged {
		all := list(one)
		if all == nil {
			all = []*yaml.Node{one}
		}
		for _, from := range all {
			if !writeMembers(b, from, written, depth-1) {
				return false
			}
		}
	}
	return true
}

func jsonScalar(n *yaml.Node) (string, bool) {
	switch n.ShortTag() {
	case "!!null", "!!bool", "!!int", "!!float":
	default:
		return spec.Quoted(n.Value), true
	}
	if json.Valid([]byte(n.Value)) && n.Value[0] != '"' {
		return n.Value, true // a number keeps its digits
	}
	var v any
	if err := n.Decode(&v); err != nil {
		return "", false
	}
	text, err := json.Marshal(v)
	return string(text), err == nil
}
