package plan_test

import (
	"strings"
	"testing"
)

// TestObjectLints: what a field or an object says that Go would send or read otherwise.
func TestObjectLints(t *testing.T) {
	const (
		noTag = " holds a character that no JSON tag of Go can, so that it would travel under another name: " +
			"check it: letters, digits and signs such as _ - . $ are possible"
		isRedacted = "is a secret inside JSON, where it would be sent as REDACTED: send it as a form field or query parameter of its own, " +
			"or drop the format"
		holdsMore = "properties and additionalProperties in one object: no Go type holds both: " +
			"keep one of them, or take the type out for an object that can hold anything"
		noCommas = " is no list of text or numbers, which commas could part: drop explode: it travels as JSON text"
		noMethod = " is that of the method that sends the request: add x-go-name"
		street   = "        street: {type: string}\n"
		page     = "schema: {type: integer, format: int32}}\n"
		name     = "                name: {type: string}\n"
		address  = "    Address:\n"
	)
	for _, c := range []struct {
		name, old, broken string
		want              []string
	}{
		{"quote in a name", street, `        "it's": {type: string} #` + "\n", []string{"property it's" + noTag}},
		{"brackets of another alphabet", street, "        名称（中文）: {type: string, x-go-name: Title} #\n", []string{"property 名称（中文）" + noTag}},
		{"control character in a form", name, "                \"name\\a\": {type: string} #\n" + name, []string{"field name\a holds a control character: check it: no platform uses such names"}},
		{"secrets in a list of a form", name, "                name: {type: array, minItems: 1, items: {type: string, format: secret}} #\n",
			[]string{"field name " + isRedacted}},
		{"secrets in a map of a query", page, "schema: {type: object, additionalProperties: {type: string, format: secret}}} #\n",
			[]string{"parameter page " + isRedacted}},
		{"files in a list", name, "                name: {type: array, minItems: 1, items: {type: string, format: binary}} #\n",
			[]string{"field name is a file inside JSON: use it in multipart/form-data, or as the whole answer"}},
		{"commas between objects", page, "explode: false, schema: {type: array, items: {$ref: '#/components/schemas/Address'}}} #\n",
			[]string{`"page"` + noCommas}},
		{"commas in an object", page, "explode: false, schema: {$ref: '#/components/schemas/Address'}} #\n", []string{`"page"` + noCommas}},
		{"a property and others", street, street + "      additionalProperties: {type: string} #\n", []string{holdsMore}},
		{"a property and anything else", street, street + "      additionalProperties: true #\n", []string{holdsMore}},
		{"a map as a part", address, "    More:\n      allOf:\n        - {$ref: '#/components/schemas/Address'}\n" +
			"        - {type: object, additionalProperties: {type: string}} #\n" + address, []string{holdsMore}},
		{"a map with a name as a part", address, "    Words: {type: object, additionalProperties: {type: string}}\n" +
			"    More:\n      allOf:\n        - {$ref: '#/components/schemas/Address'}\n        - {$ref: '#/components/schemas/Words'} #\n" + address,
			[]string{holdsMore}},
		{"a form and others", "              required: [name, tags]\n", "              required: [name, tags]\n              additionalProperties: {} #\n",
			[]string{holdsMore}},
		{"a part that requires what is not there", address, "    More:\n      allOf:\n        - {$ref: '#/components/schemas/Address'}\n" +
			"        - {required: [stret]} #\n" + address,
			[]string{`required names "stret", which is no property: add it to properties, or take it out of required`}},
		{"more required of the only part than it has", address, "    More: {allOf: [{$ref: '#/components/schemas/Address'}], required: [stret]} #\n" + address,
			[]string{`required names "stret", which is no property: add it to properties, or take it out of required`}},
		{"a field named like a method", street, "        marshalJSON: {type: string} #\n", []string{"Go name MarshalJSON of property marshalJSON" + noMethod}},
		{"one value that is no flag", name, "                name: {type: boolean, enum: [maybe]} #\n",
			[]string{`the one value "maybe" of "name" is no boolean: write true or false`}},
		{"one value that is no rate", street, "        street: {type: number, format: double, enum: [.nan]} #\n      required: [street]\n",
			[]string{`the one value ".nan" of "street" is no number: write a number`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(sound, c.old) {
				t.Fatalf("the sound spec lacks %q", c.old)
			}
			checkFaults(t, strings.Replace(sound, c.old, c.broken, 1), c.want)
		})
	}
}
