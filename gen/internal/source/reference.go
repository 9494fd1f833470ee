package source

import (
	"errors"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// reference returns the text of a $ref; nil for a schema that says more, in OpenAPI 3.1: that is an allOf of both.
func (s *files) reference(n *yaml.Node) *yaml.Node {
	ref := s.written(n)
	if ref == nil || !s.saysMore(n) {
		return ref
	}
	if s.joins {
		return nil
	}
	s.ignored[follow(n)] = true
	return ref
}

// saying are the keys of a schema that hold beside a $ref. Its type is not among them: beside a $ref it only says the same again.
var saying = []string{
	"properties", "required", "items", "minItems", "minLength", "format", "enum", "const", "additionalProperties", "patternProperties", "allOf", "oneOf", "anyOf",
}

// saysMore reports whether a schema says anything beside its $ref. A required that is a flag is that of a parameter.
func (s *files) saysMore(n *yaml.Node) bool {
	return slices.ContainsFunc(s.pairs(n), func(p pair) bool {
		value := follow(p.value)
		return slices.Contains(saying, p.key) && value != nil && (p.key != "required" || value.Kind == yaml.SequenceNode)
	})
}

// written returns the text of a $ref, whatever stands beside it.
func (s *files) written(n *yaml.Node) *yaml.Node {
	if ref := s.get(n, "$ref"); ref != nil && ref.Kind == yaml.ScalarNode {
		return ref
	}
	return nil
}

// target returns what n refers to in the end, or n if it is no reference. It is nil, with a fault, where nothing stands there.
func (s *files) target(n *yaml.Node) *yaml.Node {
	n = follow(n)
	for range maxChain {
		ref := s.reference(n)
		if ref == nil {
			return n
		}
		if n = s.resolve(ref); n == nil {
			return nil
		}
	}
	s.fault(n.Line, "refer to a definition", "a reference leads to itself")
	return nil
}

// resolve takes one step. What leads nowhere is said once.
func (s *files) resolve(ref *yaml.Node) *yaml.Node {
	from := s.fileOf(ref)
	address, pointer, _ := strings.Cut(ref.Value, "#")
	to, ok := s.open(from, address, ref)
	if !ok {
		return nil
	}
	key := to.key + "#" + pointer
	if n, known := s.found[key]; known {
		return n
	}
	s.found[key] = nil // for one that leads through itself
	n := s.walk(to, pointer, ref)
	s.found[key] = n
	return n
}

// open returns the file that a reference names, which is from itself for none.
func (s *files) open(from *file, address string, ref *yaml.Node) (*file, bool) {
	if address == "" {
		return from, from.root != nil
	}
	key, remote, ok := s.locate(from, address, ref)
	if !ok {
		return nil, false
	}
	if f, known := s.byKey[key]; known {
		return f, f.root != nil
	}
	s.byKey[key] = &file{key: key} // a second reference to what cannot be read is silent
	if len(s.byName) >= maxFiles {
		s.fault(ref.Line, "join some of them", "the spec has more than %d files", maxFiles)
		return nil, false
	}
	read, name, cure := s.read, filepath.Join(s.dir, filepath.FromSlash(key)), "correct the path, which counts from the folder of this file"
	if remote {
		read, name, cure = s.fetch, key, "correct the address, or copy the file beside the spec"
	}
	data, err := read(key)
	if err != nil {
		s.fault(ref.Line, cure, "$ref %q cannot be read: %v", ref.Value, cause(err))
		return nil, false
	}
	s.adopt(key, name, data)
	return s.byKey[key], s.byKey[key].root != nil
}

// cause drops the path from an error, which the fault names already.
func cause(err error) error {
	if at, ok := errors.AsType[*os.PathError](err); ok {
		return at.Err
	}
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}

func (s *files) locate(from *file, address string, ref *yaml.Node) (key string, remote, ok bool) {
	to, err := url.Parse(address)
	if err != nil {
		s.fault(ref.Line, "write a path or an address", "$ref %q cannot be read", ref.Value)
		return "", false, false
	}
	base, err := url.Parse(from.key)
	far := err == nil && isRemote(base)
	if far {
		to = base.ResolveReference(to)
	}
	switch {
	case isRemote(to) && !s.remote:
		s.fault(ref.Line, "copy the file beside the spec, or allow it with -allow-remote", "$ref %q leads to another machine", ref.Value)
		return "", false, false
	case isRemote(to):
		return to.String(), true, true
	case far || to.Scheme != "" || to.Host != "":
		s.fault(ref.Line, "write a path or an https address", "$ref %q is neither", ref.Value)
		return "", false, false
	}
	key = path.Join(path.Dir(from.key), to.Path)
	if !filepath.IsLocal(filepath.FromSlash(key)) {
		s.fault(ref.Line, "keep all files of a spec below the folder of its first", "$ref %q leads out of the spec's folder", ref.Value)
		return "", false, false
	}
	return key, false, true
}

func isRemote(u *url.URL) bool { return (u.Scheme == "https" || u.Scheme == "http") && u.Host != "" }

// walk follows a JSON pointer from the top of a file, through references on the way.
func (s *files) walk(in *file, pointer string, ref *yaml.Node) *yaml.Node {
	const cure = "correct it: the part after # is a path such as #/components/schemas/User"
	if text, err := url.PathUnescape(pointer); err == nil {
		pointer = text
	}
	n := follow(in.root)
	if pointer == "" || pointer == "/" {
		return n
	}
	if !strings.HasPrefix(pointer, "/") {
		s.fault(ref.Line, cure, "$ref %q names an anchor", ref.Value)
		return nil
	}
	for step := range strings.SplitSeq(pointer[1:], "/") {
		step = spec.Unescape(step)
		next := s.step(n, step)
		if from := s.written(n); next == nil && from != nil {
			next = s.step(s.target(s.resolve(from)), step)
		}
		if next == nil {
			s.fault(ref.Line, s.suggest(n, step, cure), "unresolved $ref %q", ref.Value)
			return nil
		}
		n = next
	}
	return n
}

func (s *files) step(n *yaml.Node, step string) *yaml.Node {
	if n = follow(n); n == nil {
		return nil
	}
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(step); err == nil && i >= 0 && i < len(n.Content) {
			return follow(n.Content[i])
		}
		return nil
	}
	return s.get(n, step)
}

func (s *files) suggest(n *yaml.Node, step, otherwise string) string {
	var names []string
	for _, p := range s.pairs(n) {
		names = append(names, p.key)
	}
	return spec.Suggestion(step, names, otherwise)
}
