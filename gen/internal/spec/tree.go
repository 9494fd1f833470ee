package spec

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Tree reads YAML or JSON. It returns nil and at least one fault for what is neither.
func Tree(file string, data []byte) (*yaml.Node, []Fault) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	var fault *Fault
	if trimmed := bytes.TrimSpace(data); len(trimmed) > 0 && trimmed[0] == '{' {
		root, line, err := jsonTree(data)
		if err == nil {
			return root, nil
		}
		// What begins like JSON may still be YAML.
		fault = &Fault{file, line, "not JSON: " + strings.TrimPrefix(err.Error(), "json: "), "correct the JSON"}
	}
	var root yaml.Node
	ends := lineEnds(data)
	if err := yaml.Unmarshal(data, &root); err != nil {
		if fault != nil && strings.EqualFold(filepath.Ext(file), ".json") {
			return nil, []Fault{*fault}
		}
		return nil, syntax(file, err, ends)
	}
	ends.correct(&root)
	if len(root.Content) == 0 {
		return nil, []Fault{{file, 1, "the spec is empty", "write an OpenAPI 3.0 document"}}
	}
	return root.Content[0], nil
}

var syntaxLine = regexp.MustCompile(`line (\d+): (.*)`)

// syntax turns the YAML reader's error into faults.
func syntax(file string, err error, ends yamlLines) []Fault {
	texts := []string{strings.TrimPrefix(err.Error(), "yaml: ")}
	if several, ok := errors.AsType[*yaml.TypeError](err); ok {
		texts = several.Errors
	}
	var out []Fault
	for _, text := range texts {
		line := 1
		if m := syntaxLine.FindStringSubmatch(text); m != nil {
			line, _ = strconv.Atoi(m[1])
			text = m[2]
		}
		out = append(out, Fault{file, max(1, ends.line(line)), "not YAML: " + text, "correct the YAML"})
	}
	return out
}

// maxNesting is the deepest JSON that is read, as deep as the YAML reader goes.
const maxNesting = 10_000

// A jsonReader makes nodes of JSON. YAML is nearly, and not quite, a superset of it: surrogate pairs and long keys are no YAML.
type jsonReader struct {
	data    []byte
	decoder *json.Decoder
	line    int
	counted int // bytes whose line ends are in line
	open    []*yaml.Node
}

// jsonTree returns the line at which an error is.
func jsonTree(data []byte) (root *yaml.Node, line int, err error) {
	r := &jsonReader{data: data, decoder: json.NewDecoder(bytes.NewReader(data)), line: 1}
	r.decoder.UseNumber()
	for {
		token, err := r.decoder.Token()
		if errors.Is(err, io.EOF) && root != nil && len(r.open) == 0 {
			return root, 0, nil
		}
		if err != nil {
			return nil, r.lineOf(err), err
		}
		r.count(int(r.decoder.InputOffset()))
		n := r.take(token)
		switch {
		case n == nil: // the end of a list or mapping
		case len(r.open) > maxNesting:
			return nil, r.line, errors.New("nested too deep")
		case root == nil:
			root = n
		case len(r.open) == 0 || n == r.open[0]:
			return nil, r.line, errors.New("something follows the document")
		}
	}
}

// take puts a token into the tree; nil for one that ends something.
func (r *jsonReader) take(token json.Token) *yaml.Node {
	n := &yaml.Node{Line: r.line, Kind: yaml.ScalarNode}
	switch v := token.(type) {
	case json.Delim:
		if v == '}' || v == ']' {
			r.open = r.open[:len(r.open)-1]
			return nil
		}
		n.Kind, n.Tag, n.Style = yaml.MappingNode, "!!map", yaml.FlowStyle
		if v == '[' {
			n.Kind, n.Tag = yaml.SequenceNode, "!!seq"
		}
		r.add(n)
		r.open = append(r.open, n)
		return n
	case string:
		n.Tag, n.Value, n.Style = "!!str", v, yaml.DoubleQuotedStyle
	case json.Number:
		n.Tag, n.Value = "!!int", v.String()
		if strings.ContainsAny(n.Value, ".eE") {
			n.Tag = "!!float"
		}
	case bool:
		n.Tag, n.Value = "!!bool", strconv.FormatBool(v)
	default:
		n.Tag, n.Value = "!!null", "null"
	}
	r.add(n)
	return n
}

func (r *jsonReader) add(n *yaml.Node) {
	if len(r.open) > 0 {
		holder := r.open[len(r.open)-1]
		holder.Content = append(holder.Content, n)
	}
}

func (r *jsonReader) count(to int) {
	r.line += bytes.Count(r.data[r.counted:to], []byte{'\n'})
	r.counted = to
}

func (r *jsonReader) lineOf(err error) int {
	if bad, ok := errors.AsType[*json.SyntaxError](err); ok {
		if at := int(bad.Offset); at >= r.counted && at <= len(r.data) {
			r.count(at)
		}
	}
	return r.line
}
