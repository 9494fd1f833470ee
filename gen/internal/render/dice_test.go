package render_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// A dice makes specs.
type dice struct {
	chance *rand.Rand
	path   string // of the operation that is being made
}

func newDice(seed uint64) *dice {
	return &dice{chance: rand.New(rand.NewPCG(seed, 1))}
}

type object = map[string]any

func (d *dice) roll(n int) int { return d.chance.IntN(n) }

func (d *dice) one(of ...string) string { return of[d.roll(len(of))] }

// seldom is true for one roll in n.
func (d *dice) seldom(n int) bool { return d.roll(n) == n-1 }

// name is a name that is hard on Go, or any text.
func (d *dice) name() string {
	if d.seldom(200) {
		return string([]rune{rune(d.roll(128)), rune(d.roll(128)), rune(d.roll(0x3000)), rune(d.roll(128))})
	}
	return d.one("id", "name", "page", "items", "total", "next", "cursor", "type", "err", "ctx", "r", "e", "s", "v", "out", "ok", "req", "opts", "new",
		"len", "string", "nil", "func", "map", "wire", "time", "strconv", "resilience", "a-b", "a_c", "aB2", "1st", "encode", "caller",
		"a.d", "x y", "$top", "user_ids", "IDs", "URL", "utf8", "tokens", "Client", "operations", "commas", "true", "iota", "any")
}

// word is a Go name of a service or method.
func (d *dice) word() string {
	return d.one("A", "B", "AB", "List", "ListAll", "Get", "Request", "Result", "Item", "Value", "New", "String", "Encode", "Caller", "Op", "BC")
}

func (d *dice) document() object {
	doc := object{
		"openapi": "3.0.3", "info": object{"title": d.one("Acme", "a", "ACME API"), "version": "1"}, "x-platform": "acme",
		"servers": []any{object{"url": "https://api.acme.example/v1"}},
		"x-quotas": object{
			"windows": object{d.one("hour", "time", "string", "nil", "map"): object{"limit": 5, "per": "1h", "key": d.one("credential", "account", "credential", "source", "app", "app", "account", "recipient"), "source": "s"}},
		},
		"x-envelope": object{"code": []any{"code"}},
		"x-errors":   object{"1": object{"class": "throttled", "name": d.word()}, "2*": object{"class": "rejected"}},
		"components": object{"schemas": d.schemas(), "securitySchemes": object{"user": object{"type": "http", "scheme": "bearer"}}},
	}
	quotas := doc["x-quotas"].(object)
	quotas["groups"] = object{"all": slices.Sorted(maps.Keys(quotas["windows"].(object)))}
	paths, counted := object{}, false
	for i := range 1 + d.roll(3) {
		d.path = fmt.Sprintf("/p%d", i)
		method := d.one("get", "post", "put", "delete")
		op := d.operation(i, method)
		paths[d.path] = object{method: op}
		counted = counted || op["x-resilience"].(object)["group"] == "all"
	}
	if !counted { // a group that is that of no operation is a fault
		delete(doc, "x-quotas")
	}
	doc["paths"] = paths
	return doc
}

func (d *dice) schemas() object {
	out := object{}
	for i := range 4 {
		name := fmt.Sprintf("S%d", i)
		switch d.roll(8) {
		case 0:
			out[name] = d.enum()
		case 1:
			out[name] = d.schema(2)
		case 2:
			out[name] = object{"allOf": []any{d.ref(), d.fields(1)}}
		default:
			out[name] = d.fields(2)
		}
	}
	return out
}

func (d *dice) ref() object {
	return object{"$ref": fmt.Sprintf("#/components/schemas/S%d", d.roll(4))}
}

func (d *dice) enum() object {
	if d.seldom(3) {
		return object{"type": "integer", "format": d.one("int32", "int64", "number-or-text"), "enum": []any{d.roll(3), 7}}
	}
	if d.seldom(8) {
		return object{"type": "string", "format": "date-time", "enum": []any{"2026-01-01T00:00:00Z", "soon"}}
	}
	return object{"type": "string", "enum": []any{d.one("a", "", "-a", "1"), d.one("b", " ", "+b", "b c", "2", "b-c", "B", "名")}}
}

func (d *dice) scalar() object {
	switch d.roll(8) {
	case 0:
		return object{"type": "integer", "format": d.one("int64", "int32", "number-or-text", "unix-time")}
	case 1:
		return object{"type": "number", "format": d.one("double", "float", "number-or-text")}
	case 2:
		return object{"type": "boolean"}
	case 3:
		return object{"type": "boolean", "format": "bool-or-text"}
	case 4:
		return object{"type": "string", "format": d.one("id", "text-or-number", "ruby-time", "local-time", "compact-time", "date", "date-time", "uuid", d.one("id", "id", "secret", "binary", "pipe-list"))}
	case 5:
		return d.one2(
			object{"type": "string", "enum": []any{d.one("one", "a\"b", "\\", "`", "1")}},
			d.one2(object{"type": "boolean", "enum": []any{true}}, object{"type": "number", "format": "double", "enum": []any{d.roll(2)}}),
		)
	case 6:
		return d.ref()
	default:
		return object{"type": "string"}
	}
}

func (d *dice) schema(depth int) object {
	if depth == 0 {
		return d.scalar()
	}
	switch d.roll(9) {
	case 0:
		return object{"type": "array", "minItems": 1, "items": d.schema(depth - 1)}
	case 1:
		return object{"type": "array", "format": "object-or-list", "items": d.schema(depth - 1), "minItems": 1}
	case 2:
		return object{"type": "object", "additionalProperties": d.schema(depth - 1)}
	case 3:
		return d.fields(depth - 1)
	case 4:
		return object{}
	case 5:
		return object{"allOf": []any{d.ref()}}
	default:
		s := d.scalar()
		if s["$ref"] == nil && d.seldom(4) {
			s["description"] = d.one("a text", "A text.", "two\nlines", "# head", "*/ end", "名")
		}
		return s
	}
}

func (d *dice) fields(depth int) object {
	props, required := object{}, []any{}
	for range 1 + d.roll(4) {
		name := d.name()
		s := d.schema(depth)
		if d.seldom(6) {
			s["x-go-name"] = "F" + d.word()
		}
		if d.seldom(8) {
			s["deprecated"] = true
		}
		if s["$ref"] == nil && d.seldom(6) {
			s["nullable"] = true
		}
		props[name] = s
		if d.seldom(3) {
			required = append(required, name)
		}
	}
	out := object{"type": "object", "properties": props}
	if len(required) > 0 {
		out["required"] = required
	}
	return out
}

func (d *dice) operation(i int, method string) object {
	op := object{
		"operationId": fmt.Sprintf("op%d", i), "summary": d.one("does it", "Does it.", "做"),
		"x-sdk":        object{"service": d.word(), "method": d.word()},
		"x-resilience": d.policy(),
		"parameters":   d.parameters(),
		"responses":    object{"200": d.response()},
	}
	if method != "get" && d.roll(3) > 0 {
		op["requestBody"] = d.body()
	}
	if d.seldom(3) {
		d.paginate(op)
	}
	if d.seldom(4) {
		op["deprecated"] = true
	}
	return op
}

func (d *dice) policy() object {
	out := object{"scope": d.one("read", "write"), "group": d.one("none", "none", "all"), "idempotent": d.seldom(2)}
	if d.seldom(20) {
		out["partial"] = []any{d.name()}
	}
	if d.seldom(6) {
		out["timeout"] = d.one("5s", "1500ms", "1ns", "2h")
	}
	return out
}

func (d *dice) parameters() []any {
	out := []any{}
	for range d.roll(4) {
		p := object{"name": d.name(), "in": d.one("query", "query", "query", "header", "path"), "schema": d.schema(d.roll(2))}
		switch p["in"] {
		case "header":
			p["name"], p["schema"] = "X-"+p["name"].(string), d.scalar()
			if d.seldom(3) {
				p["schema"] = object{"type": "array", "minItems": 1, "items": p["schema"]}
			}
		case "path":
			p["schema"] = d.scalar()
		}
		if p["in"] == "path" {
			p["required"] = true
			d.path += "/{" + p["name"].(string) + "}"
		} else if d.seldom(3) {
			p["required"] = true
		}
		if p["in"] == "query" && d.seldom(3) {
			p["explode"] = false
		}
		switch d.roll(16) {
		case 0:
			p["x-recipient"], p["schema"] = true, object{"type": "string"}
		case 1:
			p["x-from"], p["schema"] = "credential", object{"type": "string"}
		case 2:
			p["x-recipient"] = true
		}
		out = append(out, p)
	}
	return out
}

func (d *dice) body() object {
	schema := d.fields(1)
	if d.seldom(3) {
		schema = d.ref()
	}
	kind := d.one("application/json", "application/x-www-form-urlencoded", "multipart/form-data")
	media := object{"schema": schema}
	if props, ok := schema["properties"].(object); ok && kind == "multipart/form-data" && d.seldom(2) {
		props["file"] = object{"type": "string", "format": "binary"}
	} else if ok && kind != "application/json" && d.seldom(6) {
		media["encoding"] = object{slices.Sorted(maps.Keys(props))[0]: object{"style": "form", "explode": false}}
	}
	return object{"content": object{kind: media}}
}

func (d *dice) response() object {
	binary := object{"schema": object{"type": "string", "format": "binary"}}
	switch d.roll(8) {
	case 0:
		return object{"description": "done"}
	case 1:
		return object{"description": "done", "content": object{"image/png": binary}}
	case 2:
		return object{"description": "done", "content": object{"image/png": binary, "application/json": object{"schema": d.schema(2)}}}
	case 3:
		return object{"description": "done", "content": object{"application/json": object{"schema": d.schema(2)}}}
	default:
		return object{"description": "done", "content": object{"application/json": object{"schema": d.one2(d.ref(), d.fields(2))}}}
	}
}

func (d *dice) one2(a, b object) object {
	if d.seldom(2) {
		return a
	}
	return b
}

// paginate gives an operation pages: what they go by is put where it should be, at any depth.
func (d *dice) paginate(op object) {
	style := d.one("page", "cursor", "offset")
	pages := object{"style": style}
	number := func() object { return object{"type": "integer", "format": d.one("int64", "int32", "number-or-text")} }
	mark := number()
	if style == "cursor" {
		mark = d.scalar()
	}
	var where string
	where, mark = d.wrapped("mark", mark)
	op["parameters"] = append(op["parameters"].([]any), object{"name": "mark", "in": "query", "required": d.seldom(2), "schema": mark})
	pages["param"] = where
	if d.seldom(2) {
		size := number()
		pages["size"], size = d.wrapped("size", size)
		pages["count"] = 20
		op["parameters"] = append(op["parameters"].([]any), object{"name": "size", "in": "query", "required": d.seldom(2), "schema": size})
	}
	answer := object{}
	for _, part := range []struct {
		name   string
		schema object
		always bool
	}{
		{"items", object{"type": "array", "items": d.schema(1)}, true}, {"next", d.scalar(), style == "cursor"}, {"total", number(), false},
		{"pages", number(), false},
	} {
		if !part.always && d.roll(3) > 0 {
			continue
		}
		pages[part.name], answer[part.name] = d.wrapped(part.name, part.schema)
	}
	op["x-pagination"] = pages
	op["responses"] = object{"200": object{"description": "done", "content": object{"application/json": object{
		"schema": object{"type": "object", "properties": answer},
	}}}}
}

// wrapped puts a schema deeper, and returns the path to it.
func (d *dice) wrapped(path string, s object) (string, object) {
	inner := ""
	for range d.roll(3) {
		name := d.name()
		s, inner = object{"type": "object", "properties": object{name: s}}, "."+name+inner
	}
	return path + inner, s
}
