package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A refusals is what the spec says of the fields of its answers, to compare an overlay's x-envelope and x-errors with.
type refusals struct {
	anywhere map[string]bool     // dotted paths in answers of any kind
	paths    map[string]bool     // those in answers that are no success
	values   map[string][]string // the enum of a path
	open     map[string]bool     // a path that some answer has without an enum
	seen     map[*yaml.Node]bool // schemas of refusals
	good     map[*yaml.Node]bool // schemas of successes
}

// compareErrors notes where x-envelope and x-errors speak of what the spec does not know. The spec may be wrong, so that it is no fault.
func (c *converter) compareErrors() {
	if c.overlay == nil || c.draft {
		return
	}
	envelope := c.top("x-envelope")
	if envelope == nil {
		return
	}
	r := c.refusals()
	if len(r.paths) == 0 {
		return // it describes no errors
	}
	for _, key := range []string{"code", "subcode", "message", "request_id", "success"} {
		for _, n := range texts(c.get(envelope, key)) {
			if path := n.Value; path != "" && !r.anywhere[path] {
				c.notes.say(n.Line, fmt.Sprintf("x-envelope.%s %q is in no answer of the spec: %s", key, path, r.meant(path)))
			}
		}
	}
	c.compareCodes(r, texts(c.get(envelope, "code")))
}

// top returns what the overlay says at its top, or else the spec.
func (c *converter) top(key string) *yaml.Node {
	for _, p := range c.overlay.platform {
		if p.key == key {
			return c.merged(key, c.get(c.root, key), p.value)
		}
	}
	return c.get(c.root, key)
}

// compareCodes compares the rows of x-errors with the enum of the code, if all answers that have a code say its values.
func (c *converter) compareCodes(r *refusals, paths []*yaml.Node) {
	var known []string
	for _, n := range paths {
		if r.open[n.Value] {
			return
		}
		known = append(known, r.values[n.Value]...)
	}
	if len(known) == 0 {
		return
	}
	for _, row := range c.pairs(c.top("x-errors")) {
		code, isPrefix := strings.CutSuffix(row.key, "*")
		fits := func(value string) bool { return value == code || isPrefix && strings.HasPrefix(value, code) }
		if row.key == "" || slices.ContainsFunc(known, fits) {
			continue
		}
		const most = 8
		listed := strings.Join(known[:min(len(known), most)], ", ")
		if len(known) > most {
			listed += ", ..."
		}
		c.notes.say(row.line, fmt.Sprintf("code %q of x-errors is none of those that the spec lists: %s", row.key,
			spec.Suggestion(code, known, "they are "+listed)))
	}
}

// texts are the plain values of a list, or the one that stands in its place.
func texts(n *yaml.Node) []*yaml.Node {
	if n = follow(n); n != nil && n.Kind == yaml.ScalarNode {
		return []*yaml.Node{n}
	}
	var out []*yaml.Node
	for _, one := range list(n) {
		if one = follow(one); one != nil && one.Kind == yaml.ScalarNode {
			out = append(out, one)
		}
	}
	return out
}

func (c *converter) refusals() *refusals {
	r := &refusals{
		map[string]bool{}, map[string]bool{}, map[string][]string{}, map[string]bool{}, map[*yaml.Node]bool{}, map[*yaml.Node]bool{},
	}
	for _, item := range c.pairs(c.target(c.get(c.root, "paths"))) {
		for _, op := range c.pairs(c.target(item.value)) {
			if !spec.IsMethod(op.key) {
				continue
			}
			for _, answer := range c.pairs(c.target(c.get(c.target(op.value), "responses"))) {
				c.refusal(r, answer)
			}
		}
	}
	return r
}

func (c *converter) refusal(r *refusals, answer pair) {
	good := strings.HasPrefix(answer.key, "2")
	for _, media := range c.pairs(c.get(c.target(answer.value), "content")) {
		schema := c.target(c.get(media.value, "schema"))
		seen := r.seen
		if good {
			seen = r.good
		}
		if schema == nil || seen[schema] || !spec.IsJSON(spec.MediaType(media.key)) {
			continue
		}
		seen[schema] = true
		const deepest = 3
		c.fieldsOf(r, schema, "", good, deepest)
	}
}

func (c *converter) fieldsOf(r *refusals, schema *yaml.Node, before string, good bool, levels int) {
	if c.kind(schema) != kindObject || levels == 0 {
		return
	}
	for _, f := range c.gather(schema).fields {
		path, value := before+f.key, c.target(f.value)
		r.anywhere[path] = true
		if !good {
			r.paths[path] = true
			c.valuesOf(r, path, value)
		}
		c.fieldsOf(r, value, path+".", good, levels-1)
	}
}

func (c *converter) valuesOf(r *refusals, path string, value *yaml.Node) {
	said := c.scalarOf(value, c.kind(value))
	values := texts(c.get(said, "enum"))
	if v := c.get(said, "const"); v != nil {
		values = texts(v)
	}
	if len(values) == 0 {
		r.open[path] = true
	}
	for _, v := range values {
		if !slices.Contains(r.values[path], v.Value) {
			r.values[path] = append(r.values[path], v.Value)
		}
	}
}

// meant is the path of a refusal that another one probably means: one with the same last word, or the nearest.
func (r *refusals) meant(path string) string {
	known := slices.Sorted(maps.Keys(r.paths))
	last := path[strings.LastIndex(path, ".")+1:]
	for _, k := range known {
		if k[strings.LastIndex(k, ".")+1:] == last {
			return fmt.Sprintf("did you mean %q?", k)
		}
	}
	const most = 8
	return spec.Suggestion(path, known, "its errors have "+strings.Join(known[:min(len(known), most)], ", "))
}
