package source

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A refusals is what the spec says of the fields of its answers, to compare x-envelope and x-errors with.
type refusals struct {
	good, bad side
	values    map[string][]string // of an answer that is no success: the enum of a path
	open      map[string]bool     // a path that some such answer has without an enum
	deepest   int                 // how many steps a path has at most
}

// A side is what the answers that are a success have, or those that are none.
type side struct {
	answers int
	has     map[string]int      // how many of them have a path
	seen    map[*yaml.Node]bool // their schemas
}

func newSide() side { return side{has: map[string]int{}, seen: map[*yaml.Node]bool{}} }

// compareErrors says where x-envelope and x-errors speak of what the spec does not know.
func (c *converter) compareErrors() {
	if c.draft || c.overlay == nil {
		return
	}
	if envelope := c.top("x-envelope"); envelope != nil {
		r := c.refusals(envelope)
		c.comparePaths(r, envelope)
		c.compareCodes(r, texts(c.get(envelope, "code")))
	}
}

// comparePaths looks for the paths of x-envelope in the answers of the spec, of every status: one that has it is enough.
func (c *converter) comparePaths(r *refusals, envelope *yaml.Node) {
	for _, key := range envelopePaths {
		paths := texts(c.get(envelope, key))
		for _, n := range paths {
			if n.Value != "" && !r.has(n.Value) {
				c.tellPath(r, key, n, paths)
			}
		}
	}
}

// envelopePaths are the keys of x-envelope that say where answers have something.
var envelopePaths = []string{"code", "subcode", "message", "request_id", "success"}

// tellPath speaks of a path of x-envelope that no answer has. It must be a slip where it nearly is one that most answers have, which
// the same key does not name too. Else the spec may be silent about errors, so that it is only noted; a spec with our extensions inside it
// is not meant to tell.
func (c *converter) tellPath(r *refusals, key string, path *yaml.Node, beside []*yaml.Node) {
	meant := r.slip(path.Value)
	if slices.ContainsFunc(beside, func(n *yaml.Node) bool { return n.Value == meant }) {
		meant = ""
	}
	const text = "x-envelope.%s %q is in no answer of the spec"
	switch {
	case meant != "":
		c.fault(path.Line, spec.Suggestion(meant, []string{meant}, ""), text, key, path.Value)
	case c.overlay != nil && len(r.good.has)+len(r.bad.has) > 0:
		c.notes.say(path.Line, fmt.Sprintf(text+": %s", key, path.Value, r.meant(path.Value)))
	}
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

func (c *converter) refusals(envelope *yaml.Node) *refusals {
	r := &refusals{good: newSide(), bad: newSide(), values: map[string][]string{}, open: map[string]bool{}, deepest: 3}
	for _, key := range envelopePaths {
		for _, n := range texts(c.get(envelope, key)) {
			r.deepest = max(r.deepest, strings.Count(n.Value, ".")+1)
		}
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
	at := &r.bad
	if strings.HasPrefix(answer.key, "2") {
		at = &r.good
	}
	for _, media := range c.pairs(c.get(c.target(answer.value), "content")) {
		schema := c.target(c.get(media.value, "schema"))
		if schema == nil || at.seen[schema] || !spec.MayBeJSON(spec.MediaType(media.key)) || c.kind(schema) != kindObject {
			continue
		}
		at.seen[schema] = true
		at.answers++
		c.fieldsOf(r, at, schema, "", r.deepest)
	}
}

func (c *converter) fieldsOf(r *refusals, at *side, schema *yaml.Node, before string, levels int) {
	if c.kind(schema) != kindObject || levels == 0 {
		return
	}
	for _, f := range c.gather(schema).fields {
		path, value := before+f.key, c.target(f.value)
		at.has[path]++
		if at == &r.bad {
			c.valuesOf(r, path, value)
		}
		c.fieldsOf(r, at, value, path+".", levels-1)
	}
}

func (c *converter) valuesOf(r *refusals, path string, value *yaml.Node) {
	said := c.united(value)
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

// has reports whether some answer has a path.
func (r *refusals) has(path string) bool { return r.good.has[path]+r.bad.has[path] > 0 }

// slip is the path of most answers, of one side, that another one can only be a slip for; empty for none. What a few answers have is
// their business: node is no slip for the code of errors that the spec does not describe.
func (r *refusals) slip(path string) string {
	var common []string
	for _, at := range []side{r.bad, r.good} {
		for known, times := range at.has {
			if 2*times > at.answers {
				common = append(common, known)
			}
		}
	}
	slices.Sort(common)
	return spec.Misspelt(path, common)
}

// meant is the path of an answer that another one probably means: one with the same last word, or the nearest. Those of refusals come
// first, if the spec describes any.
func (r *refusals) meant(path string) string {
	from, what := r.bad.has, "its errors have "
	if len(from) == 0 {
		from, what = r.good.has, "it describes no errors, and its answers have "
	}
	known := slices.Sorted(maps.Keys(from))
	last := path[strings.LastIndex(path, ".")+1:]
	for _, k := range known {
		if k[strings.LastIndex(k, ".")+1:] == last {
			return fmt.Sprintf("did you mean %q?", k)
		}
	}
	const most = 8
	listed := strings.Join(known[:min(len(known), most)], ", ")
	if len(known) > most {
		listed += ", ..."
	}
	return spec.Suggestion(path, known, what+listed)
}
