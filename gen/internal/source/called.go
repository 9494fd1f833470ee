package source

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// called is what a schema is called that the document gives no name: short where no other is, and else long, so that none has the name of
// another once the spec has grown. Neither depends on who refers to it.
type called struct{ short, long string }

func (a called) with(end string) called { return called{a.short + end, a.long + end} }

// reserve keeps the names that the document itself gives to its schemas. What is but another name of a schema gives it none.
func (c *converter) reserve() {
	schemas := c.get(c.target(c.get(c.root, "components")), "schemas")
	entries := c.pairs(c.target(schemas))
	for i, p := range entries {
		if n := follow(p.value); n != nil && n != p.value { // a YAML alias is a schema of its own that says the same
			apart := *n
			apart.Line = p.line
			entries[i].value = &apart
		}
		c.names[goName(p.key)] = true
	}
	for _, refers := range []bool{false, true} {
		for _, p := range entries {
			if n := c.target(p.value); n != nil && c.defined[n] == "" && (c.reference(p.value) != nil) == refers {
				c.defined[n] = p.key
			}
		}
	}
}

func goName(name string) string {
	if out, ok := naming.Exported(name); ok {
		return out
	}
	return name
}

// mark keeps what the schemas inside one of the document are called after where they stand.
func (c *converter) mark(n *yaml.Node, name string) {
	n = follow(n)
	if n == nil || c.marks[n] != "" || c.reference(n) != nil {
		return
	}
	c.marks[n] = name
	for _, p := range c.pairs(c.get(n, "properties")) {
		step, _ := naming.Exported(p.key)
		c.mark(p.value, name+step)
	}
	c.mark(c.get(n, "items"), name+"Item")
	c.mark(c.get(n, "additionalProperties"), name+"Value")
	for _, key := range []string{"allOf", "oneOf", "anyOf"} {
		for _, part := range list(c.get(n, key)) {
			c.mark(part, name)
		}
	}
}

// nameComponents gives all components their names: those of the document have theirs.
func (c *converter) nameComponents(parts []*component) {
	alike := map[string]int{}
	for _, part := range parts {
		if !part.own {
			alike[goName(part.called.short)]++
		}
	}
	for _, part := range parts {
		part.name = part.called.short
		if !part.own {
			if alike[goName(part.name)] > 1 || c.names[goName(part.name)] {
				part.name = part.called.long
			}
			for i := 2; c.names[goName(part.name)]; i++ {
				part.name = part.called.long + strconv.Itoa(i)
			}
			c.names[goName(part.name)] = true
		}
		for _, ref := range part.refs {
			ref.Value = refStart + strings.NewReplacer("~", "~0", "/", "~1").Replace(part.name)
		}
	}
}

// maxWords is how many schemas one that is made of several is called after.
const maxWords = 3

// calledInside is what a schema is called that stands where it is used and holds itself: after the schema in which it stands, or those of
// which it is made. Otherwise it is called after the place where it is used.
func (c *converter) calledInside(n *yaml.Node, otherwise string) called {
	made, ok := c.madeOf[n]
	if !ok {
		otherwise = cmp.Or(c.marks[n], otherwise)
		return called{otherwise, otherwise}
	}
	words := make([]called, len(made.parts))
	for i, part := range made.parts {
		if c.reference(part) != nil {
			words[i] = c.calledBy(part)
		} else if name := c.marks[follow(part)]; name != "" {
			words[i] = called{name, name}
		} else {
			return called{otherwise, otherwise}
		}
	}
	slices.SortFunc(words, func(a, b called) int { return strings.Compare(a.long, b.long) })
	words = slices.Compact(words)
	out, and := words[0], map[joining]string{together: "And", oneOf: "Or"}[made.how]
	for i, word := range words[1:] {
		if i+1 == maxWords {
			return out.with(and + "More")
		}
		out = called{out.short + and + word.short, out.long + and + word.long}
	}
	return out
}

// calledBy makes names for what a reference leads to: that of the document, or the last word of the path to it, and all of the path.
func (c *converter) calledBy(n *yaml.Node) called {
	target := c.target(n)
	if name := c.defined[target]; name != "" {
		return called{goName(name), goName(name)}
	}
	ref := c.reference(n)
	for range maxChain {
		next := c.reference(c.resolve(ref))
		if next == nil {
			break
		}
		ref = next
	}
	_, pointer, _ := strings.Cut(ref.Value, "#")
	address := ""
	if f := c.fileOf(target); f != nil && f != c.fileOf(c.root) {
		address = f.key
	}
	out := called{short: lastName(address + "#" + pointer)}
	words := []string{strings.TrimSuffix(address, path.Ext(address))}
	for word := range strings.SplitSeq(pointer, "/") {
		if word = spec.Unescape(word); word != "components" && word != "schemas" && word != "properties" {
			words = append(words, word)
		}
	}
	out.long, _ = naming.Exported(strings.Join(words, " "))
	return out
}

// lastName makes a name of a reference: of the last word of its pointer that is the author's own, or of its file.
func lastName(ref string) string {
	address, pointer, _ := strings.Cut(ref, "#")
	words := strings.Split(pointer, "/")
	for _, word := range slices.Backward(words) {
		switch word = spec.Unescape(word); word {
		case "", "schema", "items", "properties", "content", "allOf", "oneOf", "anyOf", "additionalProperties", "$defs", "definitions", "components",
			"schemas":
		default:
			if name, ok := naming.Exported(word); ok && !isWhole(word) {
				return name
			}
		}
	}
	base := path.Base(address)
	if name, ok := naming.Exported(strings.TrimSuffix(base, path.Ext(base))); ok {
		return name
	}
	return "Schema"
}
