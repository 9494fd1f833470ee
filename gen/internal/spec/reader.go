package spec

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"
)

// What a document may hold, so that no file can exhaust stack or time: aliases of aliases grow without bound.
const (
	maxDepth  = 200
	maxCopies = 10_000
)

// A reader walks a document and collects faults; it never gives up at one.
type reader struct {
	lines  Lines
	as     Manner
	root   *yaml.Node
	parts  map[string]map[string]*yaml.Node // of components, by kind and name
	depth  int
	copies int // made of what aliases stand for
	faults []Fault
}

func (r *reader) fault(line int, cure, format string, args ...any) {
	r.faults = append(r.faults, r.lines.Fault(line, cure, format, args...))
}

// A field is a key of a mapping and its value.
type field struct {
	line  int // of the key
	value *yaml.Node
}

// fields is a mapping whose keys were checked.
type fields map[string]field

// entry is a key and its value where the keys are the document's own words.
type entry struct {
	name  string
	line  int
	value *yaml.Node
}

// object reads a mapping that may hold only the known keys. A "-" before a known key marks one that is allowed and not used.
func (r *reader) object(n *yaml.Node, what string, known ...string) fields {
	out := fields{}
	names := make([]string, len(known))
	for i, k := range known {
		names[i] = strings.TrimPrefix(k, "-")
	}
	var unknown []entry
	for _, e := range r.entries(n, what) {
		if !slices.Contains(names, e.name) {
			r.fault(e.line, UnknownKey(e.name, names), "unknown key %q in %s", e.name, what)
			unknown = append(unknown, e)
			continue
		}
		out[e.name] = field{e.line, e.value}
	}
	for _, e := range unknown {
		meant := Misspelt(e.name, names)
		if _, given := out[meant]; meant != "" && !given {
			out[meant] = field{e.line, e.value} // so that nothing is said of what seems to be missing
		}
	}
	return out
}

// entries reads a mapping of free keys; those of merged mappings (<<) come last, where it has none of the name itself.
func (r *reader) entries(n *yaml.Node, what string) []entry {
	n = r.follow(n)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		r.fault(n.Line, "write it as key: value", "%s is not a mapping", what)
		return nil
	}
	var out, merged []entry
	seen := map[string]int{}
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := n.Content[i]
		if key.Tag == "!!merge" {
			merged = append(merged, r.merged(n.Content[i+1], what)...)
			continue
		}
		if key.Kind != yaml.ScalarNode {
			r.fault(key.Line, "write a plain word", "%s has a key that is not text", what)
			continue
		}
		if first, ok := seen[key.Value]; ok {
			r.fault(key.Line, "keep one of them", "key %q in %s stands at line %s already", key.Value, what, r.lines.Text(first, key.Line))
			continue
		}
		seen[key.Value] = key.Line
		out = append(out, entry{key.Value, key.Line, n.Content[i+1]})
	}
	for _, e := range merged {
		if _, ok := seen[e.name]; !ok {
			seen[e.name] = e.line
			out = append(out, e)
		}
	}
	return out
}

// merged reads what << brings: the keys of a mapping, or of several, of which the first holds.
func (r *reader) merged(n *yaml.Node, what string) []entry {
	leave, ok := r.deeper(n, what)
	defer leave()
	if !ok {
		return nil
	}
	parts := []*yaml.Node{n}
	if list := r.follow(n); list != nil && list.Kind == yaml.SequenceNode {
		parts = list.Content
	}
	var out []entry
	for _, part := range parts {
		out = append(out, r.entries(part, what)...)
	}
	return out
}

// list reads a sequence.
func (r *reader) list(n *yaml.Node, what string) []*yaml.Node {
	n = r.follow(n)
	if n == nil {
		return nil
	}
	if n.Kind != yaml.SequenceNode {
		r.fault(n.Line, "write it as [a, b]", "%s is not a list", what)
		return nil
	}
	return n.Content
}

// texts reads a sequence of texts, or a single text as a list of one.
func (r *reader) texts(n *yaml.Node, what string) []Text {
	n = r.follow(n)
	if n == nil {
		return nil
	}
	if n.Kind == yaml.ScalarNode {
		return []Text{{n.Value, n.Line}}
	}
	var out []Text
	for _, item := range r.list(n, what) {
		out = append(out, r.text(item, "an entry of "+what))
	}
	return out
}

// text reads a scalar as it is written.
func (r *reader) text(n *yaml.Node, what string) Text {
	n = r.follow(n)
	if n == nil {
		return Text{}
	}
	if n.Kind != yaml.ScalarNode {
		r.fault(n.Line, "write one value", "%s is not text", what)
		return Text{Line: n.Line}
	}
	if n.Tag == "!!null" {
		return Text{Line: n.Line}
	}
	return Text{n.Value, n.Line}
}

// word reads a text that must be one of the known.
func (r *reader) word(n *yaml.Node, what string, known []string) string {
	t := r.text(n, what)
	if t.Value != "" && slices.Contains(known, t.Value) {
		return t.Value
	}
	r.fault(t.Line, Suggestion(t.Value, known, "choose one of "+strings.Join(known, ", ")), "unknown %s %q", what, t.Value)
	return ""
}

func (r *reader) boolean(n *yaml.Node, what string) bool {
	t := r.text(n, what)
	v, err := strconv.ParseBool(t.Value)
	if err != nil || (t.Value != "true" && t.Value != "false") {
		r.fault(t.Line, "write true or false", "%s is %q", what, t.Value)
	}
	return v
}

// number reads a whole number of at least least.
func (r *reader) number(n *yaml.Node, what string, least int) int {
	t := r.text(n, what)
	v, err := strconv.Atoi(t.Value)
	if err != nil || v < least {
		r.fault(t.Line, fmt.Sprintf("write a whole number of %d or more", least), "%s is %q", what, t.Value)
		return least
	}
	return v
}

func (r *reader) duration(n *yaml.Node, what string) (d time.Duration, ok bool) {
	t := r.text(n, what)
	v, err := time.ParseDuration(t.Value)
	if err != nil {
		r.fault(t.Line, "write a span such as 30s, 5m or 1h", "%s is %q", what, t.Value)
	}
	return v, err == nil
}

// follow takes a YAML alias to what it stands for; nil where there have been too many.
func (r *reader) follow(n *yaml.Node) *yaml.Node {
	for range maxDepth {
		if n == nil || n.Kind != yaml.AliasNode {
			return n
		}
		if r.copies++; r.copies > maxCopies {
			if r.copies == maxCopies+1 {
				r.fault(n.Line, "write it out, or use $ref", "the document uses YAML aliases more than %d times", maxCopies)
			}
			return nil
		}
		n = n.Alias
	}
	return nil
}

// deeper bounds the nesting of what calls itself; it is undone by the function that it returns.
func (r *reader) deeper(n *yaml.Node, what string) (leave func(), ok bool) {
	if r.depth >= maxDepth {
		r.fault(n.Line, "use $ref for what contains itself", "%s is nested more than %d levels deep", what, maxDepth)
		return func() {}, false
	}
	r.depth++
	return func() { r.depth-- }, true
}
