package source

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// A joining is how several schemas of one thing belong together.
type joining uint8

const (
	together joining = iota // parts of an allOf: each of them holds
	oneOf                   // alternatives: one of them holds
)

// maxCompositions is how many schemas are made of several: alternatives that hold each other have no end.
const maxCompositions = 1000

// A composed schema is one that was made of several.
type composed struct {
	how   joining
	parts []*yaml.Node
	name  string // of the field that it is
}

// compose makes one schema of all that is said of a field. It is the first where all say the same, and otherwise made once for the same
// parts, so that what holds itself comes to an end.
func (c *converter) compose(how joining, name string, parts []*yaml.Node) *yaml.Node {
	made := len(c.compositions) - len(c.unions) // what the spec itself wraps has an end
	if made > maxCompositions {
		return parts[0]
	}
	if parts = c.distinctParts(how, parts); len(parts) == 1 {
		return parts[0]
	}
	key := c.compositionKey(how, parts)
	if known, ok := c.compositions[key]; ok {
		return known
	}
	if made == maxCompositions {
		c.fault(parts[0].Line, "skip the operations that use it", "what alternatives say of %q unfolds to more than %d schemas", cmp.Or(name, c.where), maxCompositions)
		c.made = maxNodes + 1 // nothing more is worth unfolding
	}
	typed, limits := c.parted(how, parts)
	out := c.mapping(parts[len(parts)-1].Line)
	c.compositions[key] = out.node
	c.madeOf[out.node] = composed{how, parts, name}
	c.describeParts(out, how, typed)
	switch {
	case c.areScalars(how, typed):
		c.composeScalar(out, how, typed, limits)
	case c.areAll(typed, kindArray):
		c.composeHeld(out, "array", "items", name, c.heldBy(typed, c.itemsOf))
		c.composeLeast(out, how, parts)
	case c.areAll(typed, kindMap):
		c.composeHeld(out, "object", "additionalProperties", name, c.heldBy(typed, c.mapValues))
	case c.areAll(typed, kindObject), how == together && c.areAll(typed, kindObject, kindMap):
		out.text("type", "object", out.node.Line)
		out.set(map[joining]string{together: "allOf", oneOf: "anyOf"}[how], out.node.Line, c.sequence(out.node.Line, parts...))
	case slices.ContainsFunc(typed, c.isSilent):
		delete(c.madeOf, out.node) // anything, and so nothing to dispute
	}
	delete(c.kinds, out.node) // of what was asked for it before it was there
	return out.node
}

// distinctParts are the parts that say something of their own.
func (c *converter) distinctParts(how joining, parts []*yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	targets, digests := map[*yaml.Node]bool{}, map[digest]bool{}
	add := func(n *yaml.Node) {
		target, said := c.target(n), c.digest(n, false)
		if !targets[target] && !digests[said] {
			out, targets[target], digests[said] = append(out, n), true, true
		}
	}
	for _, n := range parts {
		if made, ok := c.madeOf[n]; ok && made.how == how {
			for _, part := range made.parts {
				add(part)
			}
		} else if n = follow(n); how == oneOf || !c.isSilent(n) || c.isLimit(n) {
			add(n)
		}
	}
	if typed, _ := c.parted(how, out); len(typed) == 0 {
		return parts[:1]
	}
	return out
}

// parted are the parts that say a type, and those of an allOf that only limit it.
func (c *converter) parted(how joining, parts []*yaml.Node) (typed, limits []*yaml.Node) {
	for _, n := range parts {
		if how == together && c.isSilent(n) {
			limits = append(limits, n)
		} else {
			typed = append(typed, n)
		}
	}
	return typed, limits
}

// isLimit reports whether a part of an allOf that says no type says something that decides on the Go type, or on what may be sent.
func (c *converter) isLimit(n *yaml.Node) bool {
	n = c.target(n)
	least, format := c.text(n, "minItems"), c.text(n, "format")
	formats := slices.Concat(textFormats, numberFormats["integer"], numberFormats["number"], []string{"binary"})
	return least != "" && least != "0" || c.text(n, "minLength") == "0" || slices.Contains(formats, format) || len(list(c.get(n, "required"))) > 0
}

// isSilent reports whether a part of an allOf says nothing about the type.
func (c *converter) isSilent(n *yaml.Node) bool {
	n = c.target(n)
	types, _ := c.types(n)
	alternatives, _ := c.alternatives(n)
	return c.kind(n) == kindAny && len(types) == 0 && len(alternatives) == 0 && c.get(n, "type") == nil
}

func (c *converter) compositionKey(how joining, parts []*yaml.Node) string {
	words := make([]string, len(parts))
	for i, n := range parts {
		words[i] = fmt.Sprintf("%p", c.target(n))
	}
	slices.Sort(words)
	return fmt.Sprint(how, words)
}

// united is what a schema that is no object comes to with all that its parts say: those of an allOf, that of a $ref, a choice of one, and
// what stands beside them.
func (c *converter) united(n *yaml.Node) *yaml.Node {
	for range maxChain {
		n = c.target(n)
		next := c.unite(n)
		if next == n {
			break
		}
		n = next
	}
	return n
}

func (c *converter) unite(n *yaml.Node) *yaml.Node {
	if made, known := c.unions[n]; known {
		return made
	}
	k := c.kind(n)
	parts, choice := c.parts(n), []string{"oneOf", "anyOf"}
	if alternatives, _ := c.alternatives(n); len(alternatives) == 1 {
		parts = append(slices.Clip(parts), alternatives...)
	} else {
		choice = nil
	}
	if len(parts) == 0 || k == kindObject {
		return n
	}
	c.unions[n] = n // of one that holds itself
	own := c.mapping(n.Line)
	for _, p := range c.pairs(n) {
		if p.key != "$ref" && p.key != "allOf" && !slices.Contains(choice, p.key) {
			own.add(p.key, p.line, p.value)
		}
	}
	parts = append(slices.Clip(parts), own.node)
	if k != kindAny {
		parts = slices.DeleteFunc(parts, func(part *yaml.Node) bool { return c.kind(part) == kindAny && !c.isSilent(part) })
	}
	if len(parts) > 0 {
		c.unions[n] = c.compose(together, "", parts)
	}
	return c.unions[n]
}

// describeParts takes over what is not the type.
func (c *converter) describeParts(out *mapping, how joining, parts []*yaml.Node) {
	count := func(is func(*yaml.Node) bool) int {
		n := 0
		for _, part := range parts {
			if is(part) {
				n++
			}
		}
		return n
	}
	for _, part := range parts {
		for _, n := range []*yaml.Node{c.target(part), part} {
			out.copyText(n, "description", "x-from", "x-go-name", "x-deprecated-reason")
			out.copyFlag(n, "x-recipient")
			c.showPart(out, n)
		}
	}
	// null is possible where each part of an allOf allows it, or one alternative; the other way round with what only the platform sets.
	nullable, readOnly := count(c.isNullable), count(c.isReadOnly)
	if nullable == len(parts) || how == oneOf && nullable > 0 {
		out.text("nullable", "true", out.node.Line)
	}
	if readOnly == len(parts) || how == together && readOnly > 0 {
		out.text("readOnly", "true", out.node.Line)
	}
	if count(func(n *yaml.Node) bool { return c.text(n, "deprecated") == "true" }) == len(parts) {
		out.text("deprecated", "true", out.node.Line)
	}
}

// areAll reports whether all parts are of these kinds.
func (c *converter) areAll(parts []*yaml.Node, kinds ...kind) bool {
	return !slices.ContainsFunc(parts, func(n *yaml.Node) bool { return !slices.Contains(kinds, c.kind(n)) })
}

// composeHeld writes a list or map of what the parts hold.
func (c *converter) composeHeld(out *mapping, typ, key, name string, held []*yaml.Node) {
	made := c.madeOf[out.node]
	out.text("type", typ, out.node.Line)
	if len(held) == 0 || made.how == oneOf && len(held) < len(made.parts) {
		return // one of anything
	}
	out.set(key, out.node.Line, c.compose(made.how, name, held))
}

// composeLeast writes how many entries a list must hold.
func (c *converter) composeLeast(out *mapping, how joining, parts []*yaml.Node) {
	lists := make([]*yaml.Node, len(parts))
	for i, part := range parts {
		lists[i] = c.united(part)
	}
	if how == together || !slices.ContainsFunc(lists, func(n *yaml.Node) bool { return c.text(n, "minItems") == "" }) {
		out.text("minItems", c.bound(how, lists, "minItems"), out.node.Line)
	}
}

// heldBy lists what the parts say that they hold.
func (c *converter) heldBy(parts []*yaml.Node, held func(*yaml.Node) *yaml.Node) []*yaml.Node {
	var out []*yaml.Node
	for _, part := range parts {
		if n := held(c.target(part)); n != nil {
			out = append(out, n)
		}
	}
	return out
}

// tellDisputed notes a field of which no Go type holds all that is said; false for another schema.
func (c *converter) tellDisputed(n *yaml.Node) bool {
	made, ok := c.madeOf[n]
	if !ok || c.muted > 0 {
		return ok
	}
	lines := make([]int, len(made.parts))
	for i, part := range made.parts {
		lines[i] = part.Line
	}
	slices.Sort(lines)
	lines = slices.Compact(lines)
	var also []string
	for _, line := range lines[1:] {
		also = append(also, c.lines.Text(line, lines[0]))
	}
	text := "%q is of types that exclude each other%s, and an allOf wants them all: it is read as anything (wire.Raw in answers, any in requests); correct one of them"
	if made.how == oneOf {
		text = "%q has no type that all its alternatives have%s: it is wire.Raw in answers and any in requests, where you give what the alternative wants"
	}
	where := ""
	if len(also) > 0 {
		where = " (see line " + strings.Join(also, ", ") + ")"
	}
	c.notes.say(lines[0], fmt.Sprintf(text, cmp.Or(made.name, c.where), where))
	return true
}
