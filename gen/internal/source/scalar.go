package source

import (
	"math"
	"slices"
	"strconv"

	"go.yaml.in/yaml/v3"
)

// plain converts a text, a number or a boolean.
func (c *converter) plain(out *mapping, n *yaml.Node, k kind, at place) {
	said := c.united(n)
	word := map[kind]string{kindText: "string", kindInteger: "integer", kindNumber: "number", kindBoolean: "boolean"}[k]
	out.text("type", word, n.Line)
	format := c.text(said, "format")
	switch {
	case k == kindText && c.isMixed(said):
		c.note(n.Line, textOrNumber)
		out.text("format", "text-or-number", n.Line)
		return
	case k == kindInteger || k == kindNumber:
		c.numberFormat(out, said, word, format)
		out.copyText(said, "default", "maximum") // they tell how large pages are
	case k == kindText:
		c.textFormat(out, said, format, at)
		if c.text(said, "minLength") == "0" {
			out.copyText(said, "minLength")
		}
	case format != "":
		c.note(said.Line, oddFormat)
	}
	c.enum(out, said, word)
}

// isMixed reports whether what a text is made of allows numbers too.
func (c *converter) isMixed(n *yaml.Node) bool {
	types, _ := c.types(n)
	alternatives, _ := c.alternatives(n)
	return len(types) > 1 || len(types) == 0 && c.kind(n) == kindText && c.hasNumber(alternatives)
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
	case slices.Contains(known, format):
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
	case slices.Contains(textFormats, format):
		out.copyText(n, "format")
	case format != "":
		c.note(n.Line, oddFormat)
	}
}

// enumOf lists the values of a plain one, as far as they are known. A const is an enum of one.
func (c *converter) enumOf(n *yaml.Node) []*yaml.Node {
	if v := c.get(n, "const"); v != nil {
		return []*yaml.Node{v}
	}
	return list(c.get(n, "enum"))
}

// knownValues are those of a plain value, as far as they are known.
func (c *converter) knownValues(n *yaml.Node) []*yaml.Node { return c.enumOf(c.united(n)) }

// enum takes values over that a constant can have.
func (c *converter) enum(out *mapping, said *yaml.Node, word string) {
	all := c.enumOf(said)
	if line := c.excluded[said]; line > 0 {
		c.note(line, noValue)
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

// isWhole reports whether text is a whole number.
func isWhole(text string) bool {
	_, err := strconv.ParseInt(text, 10, 64)
	return err == nil
}
