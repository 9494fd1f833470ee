package source_test

import (
	"slices"
	"strings"
	"testing"
)

func TestServers(t *testing.T) {
	const rest = "paths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n"
	start := "openapi: 3.0.3\ninfo: {title: A, version: '1'}\n"
	for _, c := range []struct{ name, servers, want string }{
		{"none", "", ""}, {"relative", "servers: [{url: /v1}]\n", ""}, {"plain", "servers: [{url: 'http://a.example'}]\n", ""},
		{"the first of them", "servers: [{url: /}, {url: 'https://a.example/v1/'}, {url: 'https://b.example'}]\n", "https://a.example/v1"},
		{"a user", "servers: [{url: 'https://me:word@a.example'}, {url: 'https://b.example'}]\n", "https://b.example"},
		{"a variable that is not said", "servers: [{url: 'https://a.example/{version}'}]\n", ""},
		{"one without default", "servers: [{url: 'https://a.example/{v}', variables: {v: {enum: [a, b]}}}]\n", ""},
		{"an empty default", "servers: [{url: 'https://{v}a.example', variables: {v: {default: ''}}}, {url: 'https://b.example'}]\n", "https://b.example"},
		{"variables", "servers: [{url: 'https://{x}.example:{port}/', variables: {x: {default: eu}, port: {default: '8443'}}}]\n", "https://eu.example:8443"},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc, _, faults := load(t, map[string]string{"acme.yaml": start + c.servers + rest})
			if len(faults) > 0 || doc.BaseURL != c.want {
				t.Errorf("got %q and %v, want %q", doc.BaseURL, faults, c.want)
			}
		})
	}
	over := "x-platform: acme\nserver: https://c.example/\noperations: {a: {x-sdk: {service: A, method: B}, x-resilience: {scope: read, group: none, idempotent: true}}}\n"
	if doc, _, faults := load(t, map[string]string{"acme.yaml": start + rest, "acme.overlay.yaml": over}); len(faults) > 0 || doc.BaseURL != "https://c.example" {
		t.Errorf("got %q and %v, want the overlay's server", doc.BaseURL, faults)
	}
	_, _, faults := load(t, map[string]string{"acme.yaml": start + rest, "acme.overlay.yaml": strings.Replace(over, "server: https://c.example/\n", "", 1)})
	if want := "acme.yaml:1: no server of the spec is an absolute https address: add server: https://... to the overlay"; !slices.Equal(faults, []string{want}) {
		t.Errorf("got %v, want %s", faults, want)
	}
	open := strings.Replace(start, "}\n", "}\nservers: [{url: 'https://a.example/{version}'}] #\n", 1)
	check(t, map[string]string{"acme.yaml": open + rest, "acme.overlay.yaml": strings.Replace(over, "server: https://c.example/\n", "", 1)},
		[]string{"no server of the spec is an absolute https address whose variables have defaults: add server: https://... to the overlay"})
	check(t, map[string]string{"acme.yaml": start + rest, "acme.overlay.yaml": strings.Replace(over, "https://c.example/", "https://me:word@c.example #", 1)},
		[]string{`server url of "c.example" holds a user or password: write https://host, or https://host/path; who calls is the business of a security scheme`})
	check(t, map[string]string{"acme.yaml": start + rest, "acme.overlay.yaml": strings.Replace(over, "https://c.example/", "'https://c.example/{version}' #", 1)},
		[]string{`server url "https://c.example/{version}" has a variable that nothing fills: write the address with its variables filled in`})
}
