package source

import (
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

// A place is where a schema stands, as far as it decides on what is possible there.
type place uint8

const (
	inAnswer place = iota // in JSON
	inParameter
	inForm
	inMultipart // a field of the body
)

// maxDepth is how deep schemas may stand inside each other.
const maxDepth = 150

// component registers a schema that is referred to, under a name like the one wished.
func (c *converter) component(source *yaml.Node, wish string) *component {
	if part, ok := c.components[source]; ok {
		return part
	}
	name := c.defined[source]
	if name == "" {
		name = wish
		for i := 2; c.names[name]; i++ {
			name = wish + strconv.Itoa(i)
		}
		c.names[name] = true
	}
	part := &component{name: name, source: source}
	c.components[source], c.named[name] = part, part
	return part
}

// lastName makes a name of a reference: of the last word of its pointer that is the author's own, or of its file.
func lastName(ref string) string {
	address, pointer, _ := strings.Cut(ref, "#")
	words := strings.Split(pointer, "/")
	for _, word := range slices.Backward(words) {
		switch word = strings.NewReplacer("~1", "/", "~0", "~").Replace(word); word {
		case "", "schema", "items", "properties", "content", "allOf", "oneOf", "anyOf", "additionalProperties", "$defs", "definitions", "components", "schemas":
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

const refStart = "#/components/schemas/"

func (c *converter) refer(part *component, line int) *yaml.Node {
	out := c.mapping(line)
	out.text("$ref", refStart+strings.NewReplacer("~", "~0", "/", "~1").Replace(part.name), line)
	return out.node
}

// schema converts a schema where it stands.
func (c *converter) schema(n *yaml.Node, at place) *yaml.Node {
	n = follow(n)
	if n == nil || n.Kind != yaml.MappingNode || c.full() { // true and false are schemas too
		return c.mapping(max(1, lineOf(n))).node
	}
	ref := c.reference(n)
	if ref == nil {
		return c.inline(n, at)
	}
	target := c.target(n)
	if target == nil || target.Kind != yaml.MappingNode {
		return c.mapping(n.Line).node
	}
	if at == inMultipart && c.isFile(target) || at == inParameter && c.isScalar(target) || at >= inForm && c.kind(target) == kindArray {
		return c.inline(target, at)
	}
	out := &mapping{c.refer(c.component(target, lastName(ref.Value)), n.Line), c}
	out.copyText(n, "description", "x-deprecated-reason")
	out.copyFlag(n, "deprecated")
	return out.node
}

func lineOf(n *yaml.Node) int {
	if n == nil {
		return 1
	}
	return n.Line
}

// isScalar: a parameter takes what is a plain value as it is, so that it does not get a type only for a limit on its size.
func (c *converter) isScalar(n *yaml.Node) bool {
	k := c.kind(n)
	return (k == kindText || k == kindInteger || k == kindNumber || k == kindBoolean) && c.get(n, "enum") == nil
}

func (c *converter) isFile(n *yaml.Node) bool {
	return c.text(n, "format") == "binary" || c.get(n, "contentMediaType") != nil && c.get(n, "contentEncoding") == nil
}

// inline converts a schema that is no reference.
func (c *converter) inline(n *yaml.Node, at place) *yaml.Node {
	out := c.mapping(n.Line)
	if c.depth >= maxDepth {
		c.fault(n.Line, "use $ref for what contains itself", "a schema is nested more than %d levels deep", maxDepth)
		return out.node
	}
	c.depth++
	defer func() { c.depth-- }()
	if c.told[n] {
		c.muted++ // what is written out twice is told once
		defer func() { c.muted-- }()
	}
	c.told[n] = true
	c.vendor(n, "x-from", "x-recipient", "x-go-name", "x-enum-varnames", "x-deprecated-reason")
	c.described(out, n)
	switch k := c.kind(n); k {
	case kindObject:
		c.object(out, n)
	case kindMap:
		c.values(out, n)
	case kindArray:
		c.array(out, n, at)
	case kindAny:
		c.anything(n)
	default:
		c.plain(out, n, k, at)
	}
	return out.node
}

func (c *converter) described(out *mapping, n *yaml.Node) {
	out.copyText(n, "description", "x-deprecated-reason", "x-from")
	out.copyFlag(n, "deprecated", "nullable", "x-recipient")
	if name := c.text(n, "x-go-name"); naming.IsExported(name) {
		out.copyText(n, "x-go-name")
	}
	_, byType := c.types(n)
	_, byChoice := c.alternatives(n)
	if (byType || byChoice) && !out.has("nullable") {
		out.text("nullable", "true", n.Line)
	}
}

// anything tells of choices that have no Go type. A schema that says nothing is meant as anything.
func (c *converter) anything(n *yaml.Node) {
	types, _ := c.types(n)
	alternatives, _ := c.alternatives(n)
	said := c.get(n, "type")
	switch {
	case len(types) > 1 || len(alternatives) > 1:
		c.note(n.Line, anyType)
	case said != nil && said.Kind == yaml.ScalarNode && said.Value != "null" && len(types) == 0:
		c.note(said.Line, oddType)
	}
}

// scalarOf finds the schema that says what a plain value is: itself, or a part of it.
func (c *converter) scalarOf(n *yaml.Node, k kind) *yaml.Node {
	for range maxChain {
		n = c.target(n)
		if types, _ := c.types(n); len(types) > 0 {
			return n
		}
		next := (*yaml.Node)(nil)
		alternatives, _ := c.alternatives(n)
		if len(alternatives) > 1 {
			return n
		}
		for _, part := range append(list(c.get(n, "allOf")), alternatives...) {
			if c.kind(part) == k {
				next = part
				break
			}
		}
		if next == nil {
			return n
		}
		n = next
	}
	return n
}

// plain converts a text, a number or a boolean.
func (c *converter) plain(out *mapping, n *yaml.Node, k kind, at place) {
	said := c.scalarOf(n, k)
	word := map[kind]string{kindText: "string", kindInteger: "integer", kindNumber: "number", kindBoolean: "boolean"}[k]
	out.text("type", word, n.Line)
	types, _ := c.types(said)
	alternatives, _ := c.alternatives(said)
	mixed := k == kindText && (len(types) > 1 || len(types) == 0 && c.hasNumber(alternatives))
	format := c.text(said, "format")
	switch {
	case mixed:
		c.note(n.Line, textOrNumber)
		out.text("format", "text-or-number", n.Line)
		return
	case k == kindInteger || k == kindNumber:
		c.numberFormat(out, said, word, format)
	case k == kindText:
		c.textFormat(out, said, format, at)
		if c.text(said, "minLength") == "0" {
			out.copyText(said, "minLength")
		}
	case format != "":
		c.note(said.Line, oddFormat)
	}
	c.enum(out, n, said, word)
}

func (c *converter) hasNumber(alternatives []*yaml.Node) bool {
	for _, one := range alternatives {
		if k := c.kind(one); k == kindInteger || k == kindNumber {
			return true
		}
	}
	return false
}

var (
	numberFormats = map[string][]string{"integer": {"int64", "int32"}, "number": {"double", "float"}}
	textFormats   = []string{"byte", "date", "date-time", "email", "hostname", "ipv4", "ipv6", "password", "uri", "uuid"}
)

func (c *converter) numberFormat(out *mapping, n *yaml.Node, word, format string) {
	known := numberFormats[word]
	switch {
	case contains(known, format):
		out.copyText(n, "format")
		return
	case format == "":
		c.note(n.Line, plainNumber)
	default:
		c.note(n.Line, oddFormat)
	}
	out.text("format", known[0], n.Line)
}

func (c *converter) textFormat(out *mapping, n *yaml.Node, format string, at place) {
	switch {
	case c.isFile(n) && at == inMultipart:
		out.text("format", "binary", n.Line)
	case format == "binary":
		c.note(n.Line, fileInJSON)
	case contains(textFormats, format):
		out.copyText(n, "format")
	case format != "":
		c.note(n.Line, oddFormat)
	}
}

// enum takes values over that a constant can have. A const is an enum of one.
func (c *converter) enum(out *mapping, n, said *yaml.Node, word string) {
	values := c.get(said, "enum")
	if values == nil {
		values = c.get(n, "enum")
	}
	all := list(values)
	if v := c.get(said, "const"); v != nil {
		all = []*yaml.Node{v}
	}
	if len(all) == 0 {
		return
	}
	if word != "string" && word != "integer" && !isConstant(all, word) {
		c.note(all[0].Line, oddEnum)
		return
	}
	var made []*yaml.Node
	seen := map[string]bool{}
	for _, v := range all {
		v = follow(v)
		if v == nil || v.Kind != yaml.ScalarNode || v.ShortTag() == "!!null" || seen[v.Value] {
			continue
		}
		if word == "integer" && !isWhole(v.Value) {
			c.note(v.Line, oddEnum)
			return
		}
		seen[v.Value] = true
		made = append(made, c.scalar(v.Value, v.Line))
	}
	if len(made) == 0 {
		return
	}
	out.set("enum", all[0].Line, c.sequence(all[0].Line, made...))
	if names := list(c.get(said, "x-enum-varnames")); len(names) == len(made) && len(made) == len(all) {
		out.set("x-enum-varnames", all[0].Line, c.sequence(all[0].Line, names...))
	}
}

// isConstant reports whether the values of numbers or flags are one, which requests can send by themselves.
func isConstant(values []*yaml.Node, word string) bool {
	if len(values) != 1 || follow(values[0]) == nil {
		return false
	}
	text := follow(values[0]).Value
	if word == "boolean" {
		return text == "true" || text == "false"
	}
	n, err := strconv.ParseFloat(text, 64)
	return err == nil && !math.IsInf(n, 0) && !math.IsNaN(n)
}

func (c *converter) array(out *mapping, n *yaml.Node, at place) {
	n = c.arrayOf(n)
	out.text("type", "array", n.Line)
	items := c.get(n, "items")
	switch {
	case at == inMultipart && items != nil && c.isFile(c.target(items)):
		c.note(n.Line, filesAtOnce)
		out.text("type", "string", n.Line)
		out.text("format", "binary", n.Line)
		return
	case items == nil || items.Kind != yaml.MappingNode:
		c.note(n.Line, oddItems)
		out.set("items", n.Line, c.mapping(n.Line).node)
	case c.holder != "" && c.reference(items) == nil && c.kind(items) == kindObject:
		out.set("items", n.Line, c.refer(c.component(items, c.holder+"Item"), items.Line))
	default:
		out.set("items", n.Line, c.schema(items, inAnswer))
	}
	if v := c.text(n, "minItems"); isWhole(v) && !strings.HasPrefix(v, "-") {
		out.copyText(n, "minItems")
	}
}

// arrayOf finds the part of an allOf or a choice of one that is the list.
func (c *converter) arrayOf(n *yaml.Node) *yaml.Node {
	for range maxChain {
		if types, _ := c.types(n); len(types) > 0 {
			return n
		}
		alternatives, _ := c.alternatives(n)
		found := false
		for _, part := range append(list(c.get(n, "allOf")), alternatives...) {
			if c.kind(part) == kindArray {
				n, found = c.target(part), true
				break
			}
		}
		if !found {
			return n
		}
	}
	return n
}

// values converts an object without fields: a map, if it says of what.
func (c *converter) values(out *mapping, n *yaml.Node) {
	for range maxChain {
		next := (*yaml.Node)(nil)
		if c.get(n, "additionalProperties") == nil && c.get(n, "patternProperties") == nil {
			alternatives, _ := c.alternatives(n)
			for _, part := range append(list(c.get(n, "allOf")), alternatives...) {
				if c.kind(part) == kindMap {
					next = c.target(part)
				}
			}
		}
		if next == nil {
			break
		}
		n = next
	}
	out.text("type", "object", n.Line)
	if alternatives, _ := c.alternatives(n); c.withFields(alternatives) {
		c.note(n.Line, anyType)
	}
	values := c.get(n, "additionalProperties")
	if values == nil || values.Kind != yaml.MappingNode {
		values = nil
		if patterns := c.pairs(c.get(n, "patternProperties")); len(patterns) == 1 {
			values = patterns[0].value
		}
	}
	if values == nil {
		return
	}
	if c.holder != "" && c.reference(values) == nil && c.kind(values) == kindObject {
		out.set("additionalProperties", n.Line, c.refer(c.component(follow(values), c.holder+"Value"), values.Line))
		return
	}
	out.set("additionalProperties", n.Line, c.schema(values, inAnswer))
}
