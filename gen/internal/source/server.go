package source

import (
	"net/url"
	"strings"

	"go.yaml.in/yaml/v3"
)

// servers takes the overlay's server, or the first absolute https address.
func (c *converter) servers(out *mapping) {
	at, open := c.root.Line, false
	if p, ok := c.pair(c.root, "servers"); ok {
		at = p.line
		c.base, open = c.address(p.value)
		if len(list(p.value)) > 1 && (c.overlay == nil || c.overlay.server == nil) {
			c.note(at, oneServer)
		}
	}
	chosen := c.base
	if c.overlay != nil && c.overlay.server != nil {
		at, chosen = c.overlay.server.Line, c.overlay.server.Value
	}
	if chosen == "" && c.draft {
		return
	}
	if chosen == "" {
		why := "no server of the spec is an absolute https address"
		if open {
			why += " whose variables have defaults"
		}
		c.fault(at, "add server: https://... to the overlay", "%s", why)
		chosen = "https://server.invalid"
	}
	server := c.mapping(at)
	server.text("url", chosen, at)
	out.set("servers", at, c.sequence(at, server.node))
}

// address returns the first absolute https address of a list of servers, empty for none, and whether one has variables that nothing
// fills. An address without them would be another's, and one with a password is nobody's to keep in code.
func (c *converter) address(servers *yaml.Node) (found string, open bool) {
	for _, n := range list(servers) {
		text := c.text(n, "url")
		for _, v := range c.pairs(c.get(n, "variables")) {
			value := c.text(v.value, "default")
			if value == "" || !strings.Contains(text, "{"+v.key+"}") {
				continue
			}
			c.note(v.line, serverVars)
			text = strings.ReplaceAll(text, "{"+v.key+"}", value)
		}
		if strings.ContainsAny(text, "{}") {
			open = true
			continue
		}
		u, err := url.Parse(text)
		if err == nil && u.Scheme == "https" && u.Host != "" && u.User == nil && u.RawQuery == "" && u.Fragment == "" {
			return strings.TrimSuffix(text, "/"), false
		}
	}
	return "", open
}

// elsewhere reports whether a path or operation goes to another server than the document's.
func (c *converter) elsewhere(n *yaml.Node) bool {
	servers := c.get(n, "servers")
	if len(list(servers)) == 0 {
		return false
	}
	for _, one := range list(servers) {
		if strings.TrimSuffix(c.text(one, "url"), "/") == c.base && c.base != "" {
			return false
		}
	}
	address, _ := c.address(servers)
	return c.base == "" || address != c.base
}
