package source_test

import (
	"slices"
	"strings"
	"testing"
)

// TestSecurity: one scheme of those that are offered, and the keys that are wanted besides.
func TestSecurity(t *testing.T) {
	const schemes = `components: {securitySchemes: {tls: {type: mutualTLS}, cookie: {type: apiKey, in: cookie, name: c}, key: {type: apiKey, in: header, name: k}, more: {type: apiKey, in: query, name: m},
  basic: {type: http, scheme: Basic}, digest: {type: http, scheme: digest}, oauth: {type: oauth2, flows: {}}, open: {type: openIdConnect, openIdConnectUrl: x}}}
`
	for _, c := range []struct{ security, want string }{
		{"[]", ""}, {"[{}]", ""}, {"[{key: []}]", "key"}, {"[{}, {oauth: [read]}]", "oauth"}, {"[{tls: []}, {basic: []}, {key: []}]", "basic"},
		{"[{cookie: []}]", ""}, {"[{digest: []}]", ""}, {"[{key: [], open: []}]", "open, then k"}, {"[{key: [], open: []}, {oauth: []}]", "oauth"},
		{"[{key: [], more: []}]", "key, then m"}, {"[{tls: [], basic: []}]", "basic"}, {"[{tls: [], basic: []}, {key: [], more: []}]", "key, then m"},
	} {
		t.Run(c.security, func(t *testing.T) {
			text := head + "security: " + c.security + "\npaths: {/a: {get: {operationId: a, responses: {'200': {description: ok}}}}}\n" + schemes
			doc, _, faults := load(t, map[string]string{"acme.yaml": text})
			if len(faults) > 0 {
				t.Fatal(faults)
			}
			var got strings.Builder
			got.WriteString(doc.Operations[0].Auth.Value)
			for _, p := range doc.Operations[0].Params {
				if got.WriteString(", then " + p.Name); !p.Required || p.Schema.Format != "secret" {
					t.Errorf("%s is no secret that each call needs", p.Name)
				}
			}
			if got.String() != c.want {
				t.Errorf("got %q, want %q", got.String(), c.want)
			}
		})
	}
}

// TestSecurityLints: what no client can send is refused where it is used, and nowhere else. A draft is written all the same, so that the
// operation can be skipped.
func TestSecurityLints(t *testing.T) {
	const over = "x-platform: acme\noperations:\n  a: {x-sdk: {service: A, method: A}, x-resilience: {scope: read, group: none, idempotent: true}}\n" +
		"  b: {x-sdk: {service: A, method: B}, x-resilience: {scope: read, group: none, idempotent: true}}\n"
	text := func(security, schemes string) string {
		return head + "paths:\n  /a:\n    get: {operationId: a, security: " + security + ", responses: {'200': {description: ok}}}\n" +
			"  /b:\n    get: {operationId: b, security: [], responses: {'200': {description: ok}}}\ncomponents:\n  securitySchemes:\n" + schemes
	}
	for _, c := range []struct {
		name, security, schemes string
		want                    []string
	}{
		{"a key without a name", "[{k: []}]", "    k: {type: apiKey, in: header} #\n",
			[]string{"the key of security scheme k has no name that a header can have: name it in the spec, or write skip: true for the operations that it authorizes"}},
		{"a header with a blank", "[{k: [], t: []}]", "    k: {type: apiKey, in: header, name: X Key} #\n    t: {type: http, scheme: bearer}\n",
			[]string{"the key of security scheme k has no name that a header can have: name it in the spec, or write skip: true for the operations that it authorizes"}},
		{"one that another can stand for", "[{k: []}, {t: []}]", "    k: {type: apiKey, in: query}\n    t: {type: http, scheme: bearer}\n", nil},
		{"one that nothing uses", "[]", "    k: {type: apiKey, in: query}\n", nil},
		{"two of the Authorization header", "[{t: [], u: []}] #\n     ", "    t: {type: http, scheme: bearer}\n    u: {type: http, scheme: basic}\n",
			[]string{"operation a wants the schemes t and u at once, and both are the Authorization header: write skip: true for it in the overlay"}},
		{"two of one query parameter", "[{k: [], t: [], l: []}]",
			"    k: {type: apiKey, in: query, name: key}\n    t: {type: http, scheme: bearer}\n    l: {type: apiKey, in: query, name: key} #\n",
			[]string{"operation a wants several schemes at once, of which k and l both write the query parameter key: " +
				"correct that in the spec, or write skip: true for the operation in the overlay"}},
		{"two of one header", "[{k: [], l: []}]", "    k: {type: apiKey, in: header, name: X-Key}\n    l: {type: apiKey, in: header, name: x-key} #\n",
			[]string{"operation a wants several schemes at once, of which k and l both write the header x-key: " +
				"correct that in the spec, or write skip: true for the operation in the overlay"}},
		{"a key in the Authorization header", "[{t: [], k: []}]", "    t: {type: http, scheme: bearer}\n    k: {type: apiKey, in: header, name: authorization} #\n",
			[]string{"operation a wants several schemes at once, of which t and k both write the header authorization: " +
				"correct that in the spec, or write skip: true for the operation in the overlay"}},
		{"one place in the query, one in the headers", "[{k: [], l: []}]", "    k: {type: apiKey, in: header, name: key}\n    l: {type: apiKey, in: query, name: key}\n", nil},
		{"two names in the query", "[{k: [], l: []}]", "    k: {type: apiKey, in: query, name: key}\n    l: {type: apiKey, in: query, name: Key}\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			spec := text(c.security, c.schemes)
			check(t, map[string]string{"acme.yaml": spec, "acme.overlay.yaml": over}, c.want)
			clean, _ := marked(spec)
			skipped := strings.Replace(over, "a: {x-sdk", "a: {skip: true, x-sdk", 1)
			if _, _, faults := load(t, map[string]string{"acme.yaml": clean, "acme.overlay.yaml": skipped}); len(faults) > 0 {
				t.Errorf("skipped: got %v", faults)
			}
			if _, _, faults := load(t, map[string]string{"acme.yaml": clean}); len(faults) > 0 {
				t.Errorf("as a draft: got %v", faults)
			}
		})
	}
}

// TestParametersOfSchemes: what a scheme of the operation itself fills in is no parameter, and what only looks like one of another's is.
func TestParametersOfSchemes(t *testing.T) {
	const rest = `responses: {"200": {description: ok}}, parameters: [{name: key, in: query, schema: {type: string}}, {name: Key, in: query, schema: {type: string}},
      {name: x-app, in: header, schema: {type: string}}, {name: Authorization, in: header, schema: {type: string}}, {name: Accept, in: header, schema: {type: string}}]
components: {securitySchemes: {q: {type: apiKey, in: query, name: key}, h: {type: apiKey, in: header, name: X-App}, t: {type: oauth2, flows: {}}}}
`
	for security, want := range map[string][]string{
		"[]":               {"query key", "query Key", "header x-app", "header Authorization"},
		"[{q: []}]":        {"query Key", "header x-app", "header Authorization"},
		"[{h: []}]":        {"query key", "query Key", "header Authorization"},
		"[{t: []}]":        {"query key", "query Key", "header x-app"},
		"[{t: [], h: []}]": {"query key", "query Key", "header X-App"},
	} {
		body := strings.Replace(rest, "]\ncomponents", "]}}}\ncomponents", 1)
		doc, _, faults := load(t, map[string]string{"acme.yaml": head + "paths: {/a: {get: {operationId: a, security: " + security + ", " + body})
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		var got []string
		for _, p := range doc.Operations[0].Params {
			got = append(got, p.In+" "+p.Name)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %v, want %v", security, got, want)
		}
	}
}
