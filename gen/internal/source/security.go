package source

import (
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/dujiang-go/dujiang/gen/internal/spec"
)

// A scheme is a security scheme of the spec.
type scheme struct {
	name string
	line int
	in   string // of an apiKey: header or query
	key  string // of an apiKey: the name of the header or parameter
	kind string // what the client has for it: key, or authorization for what the Authorization header carries; empty for nothing
}

const (
	keyScheme           = "key"
	authorizationScheme = "authorization"
)

func (c *converter) securitySchemes(components *mapping) {
	c.schemes = map[string]*scheme{}
	all := c.target(c.get(c.target(c.get(c.root, "components")), "securitySchemes"))
	if all == nil {
		return
	}
	made := c.mapping(all.Line)
	for _, p := range c.pairs(all) {
		n := c.target(p.value)
		if n == nil {
			continue
		}
		out := c.mapping(n.Line)
		out.copyText(n, "type", "in", "name", "scheme", "description")
		made.add(p.key, p.line, out.node)
		c.schemes[p.key] = c.scheme(p, n)
	}
	components.set("securitySchemes", all.Line, made.node)
}

func (c *converter) scheme(p pair, n *yaml.Node) *scheme {
	s := &scheme{name: p.key, line: p.line}
	switch c.text(n, "type") {
	case "apiKey":
		s.in, s.key = c.text(n, "in"), c.text(n, "name")
		if s.in == "query" && s.key != "" || s.in == "header" && spec.IsHeaderName(s.key) {
			s.kind = keyScheme
		}
	case "http":
		if slices.Contains([]string{"bearer", "basic"}, strings.ToLower(c.text(n, "scheme"))) {
			s.kind = authorizationScheme
		}
	case "oauth2", "openIdConnect":
		s.kind = authorizationScheme
	}
	return s
}

// isNameless reports whether a scheme is a key that the client could send if only the spec said how it is called.
func (s *scheme) isNameless() bool { return s.kind == "" && (s.in == "header" || s.in == "query") }

// writes reports whether the client writes a parameter or header itself, of a credential of the scheme.
func (s *scheme) writes(in, name string) bool {
	switch {
	case s == nil:
		return false
	case s.kind == authorizationScheme:
		return in == "header" && strings.EqualFold(name, "Authorization")
	default:
		return s.in == in && (s.key == name || in == "header" && strings.EqualFold(s.key, name))
	}
}

// A demand is one of the choices of what authorizes an operation: schemes that it wants at once.
type demand struct {
	names   []pair
	schemes []*scheme // that the client can use
}

// demands lists the choices, and finds a name that nothing defines.
func (c *converter) demands(n *yaml.Node) (all []demand, unknown *pair) {
	for _, choice := range list(n) {
		d := demand{names: c.pairs(choice)}
		for _, p := range d.names {
			switch s := c.schemes[p.key]; {
			case s == nil:
				unknown = &p
			case s.kind != "":
				d.schemes = append(d.schemes, s)
			}
		}
		all = append(all, d)
	}
	return all, unknown
}

// security settles on one of the choices: one scheme that the client can use, else several at once, else those of several that it can.
func (c *converter) security(out *mapping, op *operation, n *yaml.Node, line int) {
	all, unknown := c.demands(n)
	if unknown != nil {
		c.authorize(out, unknown.key, unknown.line, line) // package spec says that nothing defines it
		return
	}
	chosen := -1
	for _, fits := range []func(demand) bool{
		func(d demand) bool { return len(d.schemes) == 1 && len(d.names) == 1 },
		func(d demand) bool { return len(d.schemes) > 0 && len(d.schemes) == len(d.names) },
		func(d demand) bool { return len(d.schemes) > 0 },
	} {
		if chosen < 0 {
			chosen = slices.IndexFunc(all, fits)
		}
	}
	if chosen < 0 {
		out.set("security", line, c.sequence(line))
		if !c.tellNameless(all) && slices.ContainsFunc(all, func(d demand) bool { return len(d.names) > 0 }) {
			c.note(line, noScheme)
		}
		return
	}
	if len(all) > 1 {
		c.note(line, oneScheme)
	}
	c.combine(op, all[chosen], line)
	c.authorize(out, op.security.name, all[chosen].names[0].line, line)
}

func (c *converter) authorize(out *mapping, scheme string, at, line int) {
	requirement := c.mapping(at)
	requirement.add(scheme, at, c.sequence(at))
	out.set("security", line, c.sequence(line, requirement.node))
}

// combine makes one scheme the credential, that of the Authorization header if there is one, and of the other keys fields of the request.
func (c *converter) combine(op *operation, d demand, line int) {
	op.security = d.schemes[0]
	for i, s := range d.schemes[1:] {
		switch twin := s.twin(d.schemes[:i+1]); {
		case twin != nil:
			c.tellTwins(op, twin, s, line)
		case s.kind == keyScheme:
			op.keys = append(op.keys, s)
		default:
			op.keys, op.security = append(op.keys, op.security), s
		}
	}
	if len(op.keys) > 0 {
		c.note(line, severalSchemes)
	}
	if len(d.schemes) < len(d.names) && !c.tellNameless([]demand{d}) {
		c.note(line, partScheme)
	}
}

// twin returns the scheme among others that writes to the same place; nil for none.
func (s *scheme) twin(others []*scheme) *scheme {
	in, name := s.place()
	if i := slices.IndexFunc(others, func(o *scheme) bool { return o.writes(in, name) }); i >= 0 {
		return others[i]
	}
	return nil
}

// place is where the client writes a credential of the scheme.
func (s *scheme) place() (in, name string) {
	if s.kind == authorizationScheme {
		return "header", "Authorization"
	}
	return s.in, s.key
}

// tellTwins says of two schemes that only one of them could be sent.
func (c *converter) tellTwins(op *operation, first, second *scheme, line int) {
	in, name := second.place()
	switch {
	case c.draft:
		c.note(line, twinSchemes)
	case second.kind == authorizationScheme && first.kind == authorizationScheme:
		c.fault(line, "write skip: true for it in the overlay",
			"operation %s wants the schemes %s and %s at once, and both are the Authorization header", op.id, first.name, second.name)
	default:
		c.fault(second.line, "correct that in the spec, or write skip: true for the operation in the overlay",
			"operation %s wants several schemes at once, of which %s and %s both write the %s %s", op.id, first.name, second.name,
			map[string]string{"header": "header", "query": "query parameter"}[in], name)
	}
}

// tellNameless says of keys that could be sent, if only the spec said how they are called.
func (c *converter) tellNameless(all []demand) bool {
	found := false
	for _, d := range all {
		for _, p := range d.names {
			if s := c.schemes[p.key]; s.isNameless() {
				found = true
				if !c.draft {
					c.fault(s.line, "name it in the spec, or write skip: true for the operations that it authorizes",
						"the key of security scheme %s has no name that a %s can have", s.name,
						map[string]string{"header": "header", "query": "parameter"}[s.in])
				}
			}
		}
	}
	return found
}

// keyParameter is the field of a request that a scheme beside the credential's becomes.
func (c *converter) keyParameter(s *scheme, line int) *yaml.Node {
	p := c.mapping(line)
	p.text("name", s.key, line)
	p.text("in", s.in, line)
	p.text("required", "true", line)
	p.text("description", "the key of security scheme "+s.name, line)
	p.set("schema", line, c.secret(line))
	return p.node
}

// secret is the schema of a text that is not to be printed.
func (c *converter) secret(line int) *yaml.Node {
	out := c.plainText(line)
	out.text("format", "secret", line)
	return out.node
}
