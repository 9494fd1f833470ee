package plan_test

import (
	"strings"
	"testing"
)

// TestPagesThatSayTooMuchOrTooLittle: what is not gone by is a fault, as is a first page that nothing is sure of.
func TestPagesThatSayTooMuchOrTooLittle(t *testing.T) {
	const method, param = "      x-sdk: {service: Users, method: Show}", "{name: page, in: query, schema: {type: integer, format: int32}}"
	const fromZero = "x-pagination counts from 1, and parameter page from 0 by what the spec says of it: " +
		"write first: 0, or first: 1 if that is the first page all the same"
	for _, tt := range []struct {
		name, pages string
		param       string // in place of the usual one
		want        []string
	}{
		{"next of numbered pages", "{style: page, param: page, items: friends, next: id}", "",
			[]string{"x-pagination.next says nothing about pages of style page: drop it"}},
		{"pages of an offset", "{style: offset, param: page, items: friends, pages: id}", "",
			[]string{"x-pagination.pages says nothing about pages of style offset: drop it"}},
		{"first of an offset", "{style: offset, param: page, first: 0, items: friends}", "",
			[]string{"x-pagination.first says nothing about pages of style offset: drop it"}},
		{"total of a cursor", "{style: cursor, param: page, items: friends, next: id, total: id}", "",
			[]string{"x-pagination.total says nothing about pages of style cursor: drop it"}},
		{"two counts", "{style: page, param: page, items: friends, pages: id, total: id, size: page, count: 2}", "",
			[]string{"x-pagination has both total and pages: keep one of them"}},
		{"a total alone", "{style: page, param: page, items: friends, total: id}", "", nil},
		{"a size alone", "{style: page, param: page, items: friends, size: page}", "", []string{"x-pagination has one of size and count: " +
			"write both: size names the parameter, count what it is set to"}},
		{"more than there may be", "{style: page, param: page, items: friends, size: page, count: 1000}",
			"{name: page, in: query, schema: {type: integer, format: int32, maximum: 100}}",
			[]string{`x-pagination.count is 1000, and the maximum of "page" is 100: write count: 100 or less`}},
		{"as many as there may be", "{style: page, param: page, items: friends, size: page, count: 100}",
			"{name: page, in: query, schema: {type: integer, format: int32, maximum: 100}}", nil},
		{"a first page below 0", "{style: page, param: page, first: -1, items: friends}", "",
			[]string{`x-pagination.first is "-1": write a whole number of 0 or more`}},
		{"pages of 0", "{style: page, param: page, items: friends}", "{name: page, in: query, schema: {type: integer, format: int32, default: 0}}",
			[]string{fromZero}},
		{"pages of 0, in words", "{style: page, param: page, items: friends}",
			"{name: page, in: query, description: a zero-based index, schema: {type: integer, format: int32}}", []string{fromZero}},
		{"an offset of 0", "{style: offset, param: page, items: friends}", "{name: page, in: query, schema: {type: integer, format: int32, default: 0}}", nil},
		{"pages of 0 that are said", "{style: page, param: page, first: 0, items: friends}",
			"{name: page, in: query, schema: {type: integer, format: int32, minimum: 0}}", nil},
		{"pages of 1 that are said", "{style: page, param: page, first: 1, items: friends}",
			"{name: page, in: query, schema: {type: integer, format: int32, minimum: 0}}", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			text := strings.Replace(sound, method, "      x-pagination: "+tt.pages+" #\n"+method, 1)
			if tt.param != "" {
				text = strings.Replace(text, param, tt.param, 1)
			}
			checkFaults(t, text, tt.want)
		})
	}
}
