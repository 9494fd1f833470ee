package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// What a spec may take, so that neither a mistake nor malice fills memory or time.
const (
	maxSize   = 64 << 20 // bytes of all files
	maxFiles  = 2000
	maxChain  = 100 // references to references
	fetchTime = 30 * time.Second
)

// files are the files of one spec. Each node of their trees knows its file by its line, which is numbered over all of them.
type files struct {
	root   *os.Root // the folder of the spec: nothing outside it is read, whatever a reference or a link says
	dir    string
	remote bool
	size   int64
	byKey  map[string]*file
	byName map[string]*file
	lines  spec.Lines
	faults []spec.Fault

	pairsOf map[*yaml.Node][]pair
	index   map[*yaml.Node]map[string]*yaml.Node
	found   map[string]*yaml.Node // what a reference leads to
	joins   bool                  // what stands beside a $ref holds too: OpenAPI 3.1
	ignored map[*yaml.Node]bool   // references beside which something stands that does not hold
}

// A file is one of them.
type file struct {
	key  string // slash path below the folder, or URL
	root *yaml.Node
}

// A pair is a key of a mapping and its value.
type pair struct {
	key   string
	line  int
	value *yaml.Node
}

func openFiles(path string, remote bool) (*files, error) {
	dir := filepath.Dir(path)
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, spec.Unreadable("the spec's folder", dir, "-spec", err)
	}
	return &files{
		root: root, dir: dir, remote: remote, byKey: map[string]*file{}, byName: map[string]*file{},
		pairsOf: map[*yaml.Node][]pair{}, index: map[*yaml.Node]map[string]*yaml.Node{}, found: map[string]*yaml.Node{}, ignored: map[*yaml.Node]bool{},
	}, nil
}

func (s *files) close() { _ = s.root.Close() }

func (s *files) fault(line int, cure, format string, args ...any) {
	s.faults = append(s.faults, s.lines.Fault(line, cure, format, args...))
}

// main reads the spec itself; nil where it is neither YAML nor JSON, with faults.
func (s *files) main(name string) (*yaml.Node, error) {
	data, err := s.read(name)
	if err != nil {
		return nil, spec.Unreadable("the spec", filepath.Join(s.dir, name), "-spec", err)
	}
	return s.adopt(name, filepath.Join(s.dir, name), data), nil
}

// adopt makes a tree of data and numbers its lines. No node may have a number of the next file: what it refers to would be looked up there.
func (s *files) adopt(key, name string, data []byte) *yaml.Node {
	root, faults := spec.Tree(name, data)
	base := s.lines.Add(name, max(bytes.Count(data, []byte{'\n'}), lastLine(root))+2)
	s.faults = append(s.faults, faults...)
	f := &file{key, root}
	s.byKey[key], s.byName[name] = f, f
	if root != nil {
		shift(root, base)
	}
	return root
}

// lastLine is the largest line of a tree. The YAML reader counts some texts, as those in UTF-16, otherwise than by their line feeds.
func lastLine(n *yaml.Node) int {
	if n == nil {
		return 0
	}
	last := n.Line
	for _, c := range n.Content {
		last = max(last, lastLine(c))
	}
	return last
}

func shift(n *yaml.Node, by int) {
	n.Line += by
	for _, c := range n.Content {
		shift(c, by)
	}
}

func (s *files) read(name string) ([]byte, error) {
	name = filepath.FromSlash(name)
	info, err := s.root.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, errors.New("it is no file") // to open a pipe would wait for its writer
	}
	f, err := s.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	return s.limited(f)
}

// limited reads what the files before have left of maxSize.
func (s *files) limited(from io.Reader) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(from, maxSize-s.size+1))
	if err != nil {
		return nil, err
	}
	if s.size += int64(len(data)); s.size > maxSize {
		return nil, fmt.Errorf("all files of the spec together have more than %d bytes, which is taken for a mistake", maxSize)
	}
	return data, nil
}

func (s *files) fetch(address string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), fetchTime)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the answer is %s", resp.Status)
	}
	return s.limited(resp.Body)
}

func (s *files) fileOf(n *yaml.Node) *file {
	name, _ := s.lines.Place(n.Line)
	return s.byName[name]
}

// follow takes a YAML alias to what it stands for.
func follow(n *yaml.Node) *yaml.Node {
	for range maxChain {
		if n == nil || n.Kind != yaml.AliasNode {
			return n
		}
		n = n.Alias
	}
	return nil
}

// pairs lists a mapping's keys, those of merged mappings (<<) last.
func (s *files) pairs(n *yaml.Node) []pair {
	n = follow(n)
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	if known, ok := s.pairsOf[n]; ok {
		return known
	}
	s.pairsOf[n] = nil // what merges itself merges nothing
	seen := map[string]int{}
	var out, merged []pair
	for i := 0; i+1 < len(n.Content); i += 2 {
		key, value := n.Content[i], n.Content[i+1]
		switch first, twice := seen[key.Value]; {
		case key.Kind == yaml.ScalarNode && key.Tag == "!!merge":
			merged = append(merged, s.merge(value)...)
		case key.Kind != yaml.ScalarNode:
			s.fault(key.Line, "write a plain word", "a key is not text")
		case twice:
			s.fault(key.Line, "keep one of them", "key %q stands at line %s already", key.Value, s.lines.Text(first, key.Line))
		default:
			seen[key.Value] = key.Line
			out = append(out, pair{key.Value, key.Line, value})
		}
	}
	for _, p := range merged {
		if _, ok := seen[p.key]; !ok {
			seen[p.key] = p.line
			out = append(out, p)
		}
	}
	s.pairsOf[n] = out
	return out
}

func (s *files) merge(n *yaml.Node) []pair {
	if n = follow(n); n == nil || n.Kind != yaml.SequenceNode {
		return s.pairs(n)
	}
	var out []pair
	seen := map[string]bool{}
	for _, part := range n.Content {
		for _, p := range s.pairs(part) {
			if !seen[p.key] {
				seen[p.key] = true
				out = append(out, p)
			}
		}
	}
	return out
}

// get returns what stands under key; nil for nothing.
func (s *files) get(n *yaml.Node, key string) *yaml.Node {
	p, _ := s.pair(n, key)
	return p.value
}

// large is the number of keys from which a mapping gets an index.
const large = 24

func (s *files) pair(n *yaml.Node, key string) (pair, bool) {
	n = follow(n)
	list := s.pairs(n)
	if len(list) > large {
		return s.indexed(n, list, key)
	}
	for _, p := range list {
		if p.key == key {
			p.value = follow(p.value)
			return p, p.value != nil
		}
	}
	return pair{}, false
}

func (s *files) indexed(n *yaml.Node, list []pair, key string) (pair, bool) {
	index, ok := s.index[n]
	if !ok {
		index = make(map[string]*yaml.Node, len(list))
		for _, p := range list {
			index[p.key] = p.value
		}
		s.index[n] = index
	}
	value := follow(index[key])
	if value == nil {
		return pair{}, false
	}
	return pair{key, value.Line, value}, true
}

// text returns the text under key; empty for none.
func (s *files) text(n *yaml.Node, key string) string {
	if v := s.get(n, key); v != nil && v.Kind == yaml.ScalarNode && v.Tag != "!!null" {
		return v.Value
	}
	return ""
}

// list returns the entries of a sequence.
func list(n *yaml.Node) []*yaml.Node {
	if n = follow(n); n == nil || n.Kind != yaml.SequenceNode {
		return nil
	}
	return n.Content
}
