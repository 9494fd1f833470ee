package spec

import (
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// part finds what a reference into components names; nil where nothing stands there.
func (r *reader) part(kind, name string) *yaml.Node {
	return r.partsOf(kind)[name]
}

// partsOf lists a part of components, once.
func (r *reader) partsOf(kind string) map[string]*yaml.Node {
	if parts, ok := r.parts[kind]; ok {
		return parts
	}
	parts := map[string]*yaml.Node{}
	if n := r.follow(r.child(r.child(r.root, "components"), kind)); n != nil && n.Kind == yaml.MappingNode {
		for i := len(n.Content) - 2; i >= 0; i -= 2 { // backwards, so that the first of two stays
			parts[n.Content[i].Value] = n.Content[i+1]
		}
	}
	if r.parts == nil {
		r.parts = map[string]map[string]*yaml.Node{}
	}
	r.parts[kind] = parts
	return parts
}

func (r *reader) child(n *yaml.Node, key string) *yaml.Node {
	n = r.follow(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// dereference returns what n refers to, or n itself if it is no reference.
func (r *reader) dereference(n *yaml.Node, kind, what string) *yaml.Node {
	for range maxDepth {
		ref := r.child(n, "$ref")
		if ref == nil {
			return n
		}
		target := r.text(ref, "$ref")
		name, ok := strings.CutPrefix(target.Value, "#/components/"+kind+"/")
		found := r.part(kind, Unescape(name))
		if !ok || found == nil {
			r.unresolved(target, kind)
			return nil
		}
		n = found
	}
	r.fault(n.Line, "refer to a definition", "%s refers to itself", what)
	return nil
}

func (r *reader) unresolved(target Text, kind string) {
	var names []string
	for _, name := range slices.Sorted(maps.Keys(r.partsOf(kind))) {
		names = append(names, "#/components/"+kind+"/"+name)
	}
	r.fault(target.Line, Suggestion(target.Value, names, "define it under components/"+kind+" of this file"),
		"unresolved $ref %q", target.Value)
}

// Unescape undoes the two escapes of a JSON pointer in one of its steps.
func Unescape(name string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
}
