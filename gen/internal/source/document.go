package source

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A converter makes of a foreign document, in several files and either version, one that package spec reads: what it does not know is
// not taken over, what it would refuse is rewritten, and each definition that is referred to becomes one of components.
type converter struct {
	*files
	notes   *notes
	draft   bool
	overlay *overlay
	base    string // the server's address
	made    int    // nodes
	depth   int

	root         *yaml.Node
	schemes      map[string]*scheme     // security schemes
	seen         map[string]int         // operation ids and places of the spec, and their lines
	recipientsOf map[string][]spec.Text // by the place of an operation: what the overlay says of who gets it
	given        map[string]bool        // places of operations that the overlay of a draft has
	wanting      []*operation           // operations that the overlay lacks
	doubles      []string               // places of those that have no id of their own since another has it
	sent         map[*yaml.Node]bool    // schemas of requests whose limits are noted
	defined      map[*yaml.Node]string
	names        map[string]bool       // Go names of components that are taken
	marks        map[*yaml.Node]string // what the schemas inside components are called after their place
	components   map[*yaml.Node]*component
	named        map[string]*component
	holder       called                // the component that is being converted, as long as nothing inside it has a name
	spot         string                // where the conversion is, as the name of an object that stands there
	where        string                // the same in the words of the spec
	opened       map[*yaml.Node]string // schemas that are being converted where they stand, and where that is
	gathered     map[*yaml.Node]*gathering
	compositions map[string]*yaml.Node // schemas made of several, by what they are made of
	madeOf       map[*yaml.Node]composed
	loose        map[*yaml.Node]*yaml.Node // plain values without their enum
	beside       map[*yaml.Node]*yaml.Node // the references of schemas that say more than one
	mapped       map[*yaml.Node]*yaml.Node // texts with the names of alternatives, by their discriminators
	unions       map[*yaml.Node]*yaml.Node // what schemas come to with all their parts
	excluded     map[*yaml.Node]int        // plain values without one that all parts allow, and a line that says so
	digests      map[digested]digest       // of schemas that were compared
	kinds        map[*yaml.Node]kind
	nulls        map[*yaml.Node]bool // schemas that allow null
	told         map[*yaml.Node]bool // schemas whose changes are noted
	undo         []func()            // forgets what was told and shared with the operation that is being converted
	muted        int                 // above 0 while nothing is noted
	shared       map[*yaml.Node]*sharedNode
}

// A sharedNode is a parameter or response that several operations refer to. It stands in the tree more than once.
type sharedNode struct {
	nodes  []*yaml.Node
	size   int
	fine   bool
	spread bool // of a parameter
}

func newConverter(f *files, draft bool) *converter {
	return &converter{
		files: f, notes: newNotes(), draft: draft, seen: map[string]int{}, given: map[string]bool{}, recipientsOf: map[string][]spec.Text{}, sent: map[*yaml.Node]bool{},
		defined: map[*yaml.Node]string{}, names: map[string]bool{}, marks: map[*yaml.Node]string{},
		components: map[*yaml.Node]*component{}, named: map[string]*component{}, kinds: map[*yaml.Node]kind{}, told: map[*yaml.Node]bool{},
		shared: map[*yaml.Node]*sharedNode{}, opened: map[*yaml.Node]string{}, gathered: map[*yaml.Node]*gathering{},
		compositions: map[string]*yaml.Node{}, madeOf: map[*yaml.Node]composed{}, loose: map[*yaml.Node]*yaml.Node{}, beside: map[*yaml.Node]*yaml.Node{},
		mapped: map[*yaml.Node]*yaml.Node{}, digests: map[digested]digest{},
		nulls: map[*yaml.Node]bool{}, unions: map[*yaml.Node]*yaml.Node{}, excluded: map[*yaml.Node]int{},
	}
}

func (c *converter) note(line int, what change) {
	if c.muted == 0 {
		c.notes.add(line, what)
	}
}

// noteField is note for what is told with the field where the conversion is.
func (c *converter) noteField(line int, what change) {
	if c.muted == 0 {
		c.notes.addField(line, what, c.where)
	}
}

// recognise reports whether root is OpenAPI 3.0 or 3.1.
func (c *converter) recognise(root *yaml.Node) bool {
	root = follow(root)
	if root == nil || root.Kind != yaml.MappingNode {
		c.fault(1, "name an OpenAPI 3 document", "the spec is not a mapping")
		return false
	}
	if p, ok := c.pair(root, "swagger"); ok {
		c.fault(p.value.Line, spec.ConvertSwagger, "Swagger %s is not read", p.value.Value)
		return false
	}
	v, ok := c.pair(root, "openapi")
	if !ok {
		c.fault(root.Line, "name an OpenAPI 3 document, which begins with openapi: 3.0.3 or the like", "the spec does not say its OpenAPI version")
		return false
	}
	if !strings.HasPrefix(v.value.Value, "3.0") && !strings.HasPrefix(v.value.Value, "3.1") {
		c.fault(v.value.Line, "bring it as 3.0 or 3.1", "OpenAPI version %q is not known", v.value.Value)
		return false
	}
	c.joins = strings.HasPrefix(v.value.Value, "3.1")
	return true
}

func (c *converter) document(root *yaml.Node) *yaml.Node {
	c.root = follow(root)
	line := c.root.Line
	out := c.mapping(line)
	out.text("openapi", "3.0.3", line)
	c.vendor(c.root, spec.TopKeys()...)
	c.platform(out)
	c.info(out)
	c.servers(out)
	c.tags(out)
	c.reserve()
	components := c.mapping(line)
	c.securitySchemes(components)
	c.paths(out)
	c.unused()
	c.compareErrors()
	c.finish(components, out.at("paths"))
	for n := range c.ignored {
		c.note(n.Line, besideRef)
	}
	out.set("components", line, components.node)
	return out.node
}

// vendor finds misspelt keys of ours; other extensions are nobody's business here.
func (c *converter) vendor(n *yaml.Node, ours ...string) {
	for _, p := range c.pairs(n) {
		if !strings.HasPrefix(p.key, "x-") {
			continue
		}
		for _, key := range ours {
			letters := 2
			if len(key) < len("x-errors") {
				letters = 1 // of a short word most neighbours are words of their own
			}
			if spec.Near(p.key, key, letters) && !slices.Contains(ours, p.key) {
				c.fault(p.line, "did you mean \""+key+"\"?", "unknown key %q", p.key)
			}
		}
	}
}

func (c *converter) platform(out *mapping) {
	for _, key := range spec.TopKeys() {
		if p, ok := c.pair(c.root, key); ok {
			out.set(key, p.line, p.value)
		}
	}
	if c.overlay == nil {
		return
	}
	for _, p := range c.overlay.platform {
		out.set(p.key, p.line, c.merged(p.key, out.at(p.key), p.value))
	}
	if !out.has("x-platform") {
		c.fault(c.overlay.line, "add x-platform: name, in small letters and digits", "the overlay has no x-platform")
		out.text("x-platform", "platform", c.overlay.line)
	}
}

func (c *converter) info(out *mapping) {
	p, ok := c.pair(c.root, "info")
	if !ok {
		p = pair{"info", c.root.Line, nil}
	}
	info := c.mapping(p.line)
	info.copyText(p.value, "title", "version", "description")
	for key, otherwise := range map[string]string{"title": "The platform", "version": "0"} {
		if v := info.at(key); v == nil || v.Value == "" {
			info.text(key, otherwise, p.line)
		}
	}
	out.set("info", p.line, info.node)
}

// tags documents services, which are called after them.
func (c *converter) tags(out *mapping) {
	p, ok := c.pair(c.root, "tags")
	if !ok {
		return
	}
	var made []*yaml.Node
	seen := map[string]bool{}
	for _, n := range list(p.value) {
		name, ok := naming.Exported(naming.Latin(c.text(n, "name")))
		n = follow(n)
		if !ok || seen[name] || c.text(n, "description") == "" {
			continue
		}
		seen[name] = true
		tag := c.mapping(n.Line)
		tag.text("name", name, n.Line)
		tag.copyText(n, "description")
		made = append(made, tag.node)
	}
	out.set("tags", p.line, c.sequence(p.line, made...))
}
