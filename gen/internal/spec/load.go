package spec

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// maxSize is far above the largest spec; it keeps a wrong -spec from filling the memory.
const maxSize = 64 << 20

// ReadFile returns the text of the spec at path. Its errors say what is wrong with the file; what is wrong inside it are the faults of
// [Parse].
func ReadFile(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, Unreadable("the spec", path, "-spec", err)
	}
	if info.Size() > maxSize {
		return nil, fmt.Errorf("the spec %s has %d bytes: more than %d is taken for a mistake", path, info.Size(), maxSize)
	}
	data, err := os.ReadFile(path) //nolint:gosec // the file that the user names
	if err != nil {
		return nil, Unreadable("the spec", path, "-spec", err)
	}
	return data, nil
}

// Parse reads a spec, YAML or JSON. The document is as complete as its faults allow, and nil only if data is not YAML at all, or a spec
// of somebody else, that has none of our keys.
func Parse(file string, data []byte) (*Document, []Fault) {
	root, faults := Tree(file, data)
	if root == nil {
		return nil, faults
	}
	if isOfOthers(root) {
		return nil, []Fault{{file, root.Line, "the spec has none of our keys, such as x-sdk and x-resilience",
			"they stand in an overlay: give it with -overlay FILE; gen -init -spec " + file + " prints one"}}
	}
	var lines Lines
	lines.Add(file, bytes.Count(data, []byte{'\n'})+1)
	return Read(root, lines, Manner{})
}

// Unreadable says which file could not be read, and which flag named it.
func Unreadable(what, path, flag string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s %s does not exist: correct %s, a path that counts from the folder that gen runs in", what, path, flag)
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err // its path is said already
	}
	return fmt.Errorf("%s %s cannot be read: %w: correct %s", what, path, err, flag)
}

// isOfOthers reports whether a document is OpenAPI 3 and holds none of our keys, neither at its top nor in an operation.
func isOfOthers(root *yaml.Node) bool {
	var r reader
	if v := r.follow(r.child(root, "openapi")); v == nil || !strings.HasPrefix(v.Value, "3.") {
		return false
	}
	if hasOurs(r.follow(root), topKeys...) {
		return false
	}
	paths := r.follow(r.child(root, "paths"))
	if paths == nil {
		return false
	}
	for _, item := range paths.Content {
		if item = r.follow(item); item == nil || item.Kind != yaml.MappingNode {
			continue
		}
		for _, op := range item.Content {
			if hasOurs(r.follow(op), operationKeys...) {
				return false
			}
		}
	}
	return true
}

func hasOurs(n *yaml.Node, keys ...string) bool {
	if n == nil || n.Kind != yaml.MappingNode {
		return false
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i].Value; slices.Contains(keys, key) || Misspelt(key, keys) != "" {
			return true
		}
	}
	return false
}

// A Manner is how a tree is read.
type Manner struct {
	Foreign bool // a user's spec, which package source has brought to our form; names that clash are told apart by the planner
	Draft   bool // there is no overlay yet: what only our extensions say may be missing
	Partial bool // operations were left out for their faults, so that nothing is said of what none uses
}

// Read reads a tree whose lines are numbered as lines says.
func Read(root *yaml.Node, lines Lines, as Manner) (*Document, []Fault) {
	r := &reader{lines: lines, as: as}
	r.root = r.follow(root)
	doc := r.document()
	return doc, Sort(r.faults)
}

func (r *reader) document() *Document {
	file, _ := r.lines.Place(1)
	doc := &Document{File: file, Tags: map[string]string{}, Foreign: r.as.Foreign, lines: r.lines}
	r.refuseSwagger()
	root := r.object(r.root, "the document", "-swagger", "openapi", "info", "servers", "security", "tags", "-externalDocs", "paths", "components",
		"x-platform", "x-envelope", "x-errors", "x-quotas")
	r.version(root)
	r.info(doc, root)
	r.servers(doc, root)
	r.tags(doc, root)
	r.platform(doc, root)
	if f, ok := root["x-envelope"]; ok {
		doc.Envelope = r.envelope(f.value)
	}
	if f, ok := root["x-errors"]; ok {
		doc.Errors = r.errorRows(f.value, "x-errors")
	}
	if f, ok := root["x-quotas"]; ok {
		r.quotas(doc, f.value)
	}
	r.components(doc, root["components"].value)
	r.paths(doc, root)
	r.unusedGroups(doc)
	r.deadErrors(doc)
	doc.index()
	r.references(doc)
	return doc
}

// refuseSwagger: the older format says other things in other places.
func (r *reader) refuseSwagger() {
	if v := r.child(r.root, "swagger"); v != nil {
		r.fault(v.Line, ConvertSwagger, "Swagger %s is not read", r.text(v, "swagger").Value)
	}
}

// ConvertSwagger is the cure for a Swagger 2.0 document.
const ConvertSwagger = "convert it to OpenAPI 3 first, with swagger2openapi, openapi-format or editor.swagger.io"

func (r *reader) version(root fields) {
	f, ok := root["openapi"]
	if !ok && r.child(r.root, "swagger") != nil {
		return // said already
	}
	if !ok {
		r.fault(1, "write openapi: 3.0.3", "the document does not say its OpenAPI version")
		return
	}
	if v := r.text(f.value, "openapi"); !strings.HasPrefix(v.Value, "3.0.") {
		r.fault(v.Line, "write openapi: 3.0.3; 3.1 says some things otherwise", "OpenAPI version %q is not 3.0", v.Value)
	}
}

func (r *reader) info(doc *Document, root fields) {
	f, ok := root["info"]
	if !ok {
		r.fault(1, "add info: {title: ..., version: ...}", "the document has no info")
		return
	}
	info := r.object(f.value, "info", "title", "version", "description", "-termsOfService", "-contact", "-license")
	if t, ok := info["title"]; ok {
		doc.Title = r.text(t.value, "info.title").Value
	}
	if t, ok := info["description"]; ok {
		doc.Description = r.prose(t.value, "info.description")
	}
	for _, key := range []string{"title", "version"} {
		if g, ok := info[key]; !ok || r.text(g.value, "info."+key).Value == "" {
			r.fault(f.line, "add "+key, "info has no %s", key)
		}
	}
}

func (r *reader) servers(doc *Document, root fields) {
	f, ok := root["servers"]
	if !ok && r.as.Draft {
		return
	}
	if !ok {
		r.fault(1, "add servers: [{url: https://...}]", "the document has no servers, so nothing says where the calls go")
		return
	}
	servers := r.list(f.value, "servers")
	if len(servers) != 1 {
		r.fault(f.line, "keep the one that the calls go to", "there are %d servers", len(servers))
	}
	for i, n := range servers {
		server := r.object(n, "a server", "url", "-description", "-variables")
		u := r.text(server["url"].value, "a server's url")
		if i > 0 {
			continue
		}
		doc.BaseURL = strings.TrimSuffix(u.Value, "/")
		r.serverAddress(u.Value, max(u.Line, f.line))
	}
}

// serverAddress finds what no call can go to. An address that cannot be parsed is not said again: it may hold a password.
func (r *reader) serverAddress(text string, line int) {
	const cure = "write https://host, or https://host/path"
	switch at, err := url.Parse(text); {
	case err != nil:
		r.fault(line, cure, "server url is no https address")
	case at.User != nil:
		r.fault(line, cure+"; who calls is the business of a security scheme", "server url of %q holds a user or password", at.Host)
	case at.Scheme != "https" || at.Host == "" || at.RawQuery != "" || at.Fragment != "":
		r.fault(line, cure, "server url %q is no https address", text)
	case strings.ContainsAny(text, "{}"):
		r.fault(line, "write the address with its variables filled in", "server url %q has a variable that nothing fills", text)
	}
}

func (r *reader) tags(doc *Document, root fields) {
	f, ok := root["tags"]
	if !ok {
		return
	}
	for _, n := range r.list(f.value, "tags") {
		tag := r.object(n, "a tag", "name", "description", "-externalDocs")
		if d, ok := tag["description"]; ok {
			doc.Tags[r.text(tag["name"].value, "a tag's name").Value] = r.text(d.value, "a tag's description").Value
		}
	}
}

var platformName = regexp.MustCompile(`^[a-z][a-z0-9-]*$`)

func (r *reader) platform(doc *Document, root fields) {
	f, ok := root["x-platform"]
	if !ok && r.as.Draft {
		return
	}
	if !ok {
		r.fault(1, "add x-platform: name, in small letters and digits", "the document has no x-platform")
		return
	}
	name := r.text(f.value, "x-platform")
	if !platformName.MatchString(name.Value) {
		r.fault(name.Line, "change it to a name of small letters, digits and hyphens, such as acme or my-shop", "x-platform is %q", name.Value)
	}
	doc.Platform = name.Value
}

// components reads what other parts refer to. Parameters, bodies and responses are read where they are used.
func (r *reader) components(doc *Document, n *yaml.Node) {
	if n == nil {
		return
	}
	parts := r.object(n, "components",
		"schemas", "parameters", "requestBodies", "responses", "securitySchemes", "-examples", "-headers", "-links")
	if f, ok := parts["securitySchemes"]; ok {
		for _, e := range r.entries(f.value, "securitySchemes") {
			doc.Schemes = append(doc.Schemes, r.scheme(e))
		}
	}
	if f, ok := parts["schemas"]; ok {
		for _, e := range r.entries(f.value, "schemas") {
			s := r.schema(e.value, "schema "+e.name)
			s.Name, s.Line = e.name, e.line
			doc.Schemas = append(doc.Schemas, s)
		}
	}
}

// scheme reads a security scheme. What it may hold is for the authorizer to judge, not for the reader.
func (r *reader) scheme(e entry) *Scheme {
	s := &Scheme{Line: e.line, Name: e.name}
	n := r.dereference(e.value, "securitySchemes", "the security scheme")
	for key, to := range map[string]*string{"type": &s.Type, "in": &s.In, "name": &s.Param, "scheme": &s.Scheme, "description": &s.Doc} {
		if v := r.child(n, key); v != nil {
			*to = r.text(v, "securitySchemes."+e.name+"."+key).Value
		}
	}
	s.Scheme = strings.ToLower(s.Scheme)
	return s
}
