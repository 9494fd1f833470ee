package wire

import (
	"bytes"
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// maxFaults bounds what one answer can report.
const maxFaults = 100

// Decode reads an answer into out, a pointer. It differs from encoding/json where the platforms do:
//
//   - A field that cannot be read is left zero and its dotted path ("list.3.createtime") is among faults; the rest is read.
//   - Numbers and booleans are also read from text, and text from numbers and booleans, if nothing is lost. Numbers stay exact:
//     in an any they are json.Number.
//   - null, "" and, where an object is due, [] mean that there is nothing; so does {} where a list is due.
//   - Names match exactly: name_clash, nameClash and NameClash are three fields.
//   - Raw control bytes and bytes of other charsets inside text are kept.
//
// Unknown fields are ignored. It is an error if body is not JSON, or not the kind of value that out is for; out is then of no use.
func Decode(body []byte, out any) (faults []string, err error) {
	return new(decoder).read(body, out)
}

// read is Decode, once for a decoder.
func (d *decoder) read(body []byte, out any) (faults []string, err error) {
	target := reflect.ValueOf(out)
	if target.Kind() != reflect.Pointer || target.IsNil() {
		return nil, fmt.Errorf("decode into %T: want a pointer that is not nil", out)
	}
	d.data = bytes.TrimPrefix(body, []byte(byteOrderMark))
	if !d.into(target.Elem(), 0) || !d.end() {
		return nil, fmt.Errorf("%w at byte %d of %d", errNotJSON, d.pos, len(d.data))
	}
	if len(d.faults) > 0 && d.faults[0] == "" {
		return nil, fmt.Errorf("the answer is %s, want %s", describe(d.data), expected(target.Elem().Type()))
	}
	return d.faults, nil
}

var errNotJSON = errors.New("not JSON")

// describe names the kind of a JSON value for people.
func describe(data []byte) string {
	s := scanner{data: data}
	switch s.space() {
	case '{':
		return "an object"
	case '[':
		count := 0
		s.items(0, func(int) bool { count++; return s.value(1) != nil })
		return "a list of " + strconv.Itoa(count)
	case '"':
		return "text"
	default:
		return string(data[s.pos:min(len(data), s.pos+20)])
	}
}

func expected(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Slice, reflect.Array:
		return "a list"
	default:
		return t.String()
	}
}

// tolerant types read their value themselves. decode consumes one value of d and reports whether it was JSON; what is JSON but cannot
// be read is a fault of d.
type tolerant interface {
	decode(d *decoder, depth int) bool
}

// A decoder reads one answer. Its methods report whether the text is JSON as far as they went.
type decoder struct {
	scanner
	faults []string // paths from the value being read; "" is that value itself
	block  strings.Builder
}

// maxBlock bounds how much one text that is kept keeps alive of others.
const maxBlock = 256

// keep returns a copy of text. Short ones share an allocation: answers hold many.
func (d *decoder) keep(text []byte) string {
	if len(text) > maxBlock/4 {
		return string(text)
	}
	if d.block.Cap()-d.block.Len() < len(text) {
		d.block = strings.Builder{}
		d.block.Grow(min(maxBlock, len(text)+len(d.data)-d.pos)) // no more texts can come than there are bytes
	}
	start := d.block.Len()
	d.block.Write(text)
	return d.block.String()[start:]
}

// fault records that the value just read is not of the kind that is due.
func (d *decoder) fault() {
	if len(d.faults) < maxFaults {
		d.faults = append(d.faults, "")
	}
}

// under puts name before the paths of the faults since mark, on the way up from the value called name.
func (d *decoder) under(name string, mark int) {
	if name == "" {
		name = `""`
	}
	for i := mark; i < len(d.faults); i++ {
		if d.faults[i] == "" {
			d.faults[i] = name
		} else {
			d.faults[i] = name + "." + d.faults[i]
		}
	}
}

// into reads one value into v, which is addressable.
func (d *decoder) into(v reflect.Value, depth int) bool {
	return d.as(shapeOf(v.Type()), v, depth)
}

func (d *decoder) as(how shape, v reflect.Value, depth int) bool {
	if depth > maxDepth {
		return false
	}
	switch how {
	case isTolerant:
		return v.Addr().Interface().(tolerant).decode(d, depth)
	case isPointer:
		return d.pointer(v, depth)
	case isStruct:
		return d.structure(v, depth)
	case isSlice:
		return d.slice(v, depth)
	case isMap:
		return d.mapping(v, depth)
	case isAny:
		x, ok := d.generic(depth)
		if ok {
			setAny(v, x)
		}
		return ok
	default:
		raw := d.value(depth)
		if raw != nil && !d.scalar(how, v, raw) {
			d.fault()
		}
		return raw != nil
	}
}

func setAny(v reflect.Value, x any) {
	if x == nil {
		v.SetZero()
		return
	}
	v.Set(reflect.ValueOf(x))
}

func (d *decoder) pointer(v reflect.Value, depth int) bool {
	if d.space() == 'n' {
		v.SetZero()
		return d.literal("null")
	}
	if v.IsNil() {
		v.Set(reflect.New(v.Type().Elem()))
	}
	return d.into(v.Elem(), depth)
}

func (d *decoder) structure(v reflect.Value, depth int) bool {
	if d.space() != '{' {
		return d.nothing(depth, "[]")
	}
	fields, next := layoutOf(v.Type()), 0
	return d.members(depth, func(key []byte) bool {
		f := fields.find(key, &next)
		if f == nil {
			return d.value(depth+1) != nil
		}
		mark := len(d.faults)
		if !d.as(f.shape, f.in(v), depth+1) {
			return false
		}
		if len(d.faults) > mark {
			d.under(f.name, mark)
		}
		return true
	})
}

// nothing skips a value of another kind than is due. Platforms write "nothing" in several ways: null, "", and the given one.
func (d *decoder) nothing(depth int, also string) bool {
	raw := d.value(depth)
	if raw == nil {
		return false
	}
	if !isNothing(raw, also) {
		d.fault()
	}
	return true
}

func isNothing(raw []byte, also string) bool {
	text := string(raw)
	if text == "null" || text == `""` || text == also {
		return true
	}
	return len(raw) > 2 && raw[0] == also[0] && len(bytes.TrimSpace(raw[1:len(raw)-1])) == 0
}

// list walks through the array that begins here and numbers the faults of its entries.
func (d *decoder) list(depth int, read func(i int) bool) bool {
	return d.items(depth, func(i int) bool {
		mark := len(d.faults)
		ok := read(i)
		if len(d.faults) > mark {
			d.under(strconv.Itoa(i), mark)
		}
		return ok
	})
}

func (d *decoder) slice(v reflect.Value, depth int) bool {
	if d.space() != '[' {
		v.SetZero()
		return d.nothing(depth, "{}")
	}
	v.SetLen(0)
	how := shapeOf(v.Type().Elem())
	ok := d.list(depth, func(i int) bool {
		if i == v.Cap() {
			v.Grow(max(firstRoom, i)) // most lists are short
		}
		v.SetLen(i + 1)
		v.Index(i).SetZero()
		return d.as(how, v.Index(i), depth+1)
	})
	if ok && v.IsNil() { // an empty list is not a missing one
		v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	}
	return ok
}

// firstRoom is how many entries of a list there is room for at first.
const firstRoom = 4

func (d *decoder) mapping(v reflect.Value, depth int) bool {
	if d.space() != '{' {
		v.SetZero()
		return d.nothing(depth, "[]")
	}
	t := v.Type()
	if v.IsNil() {
		v.Set(reflect.MakeMap(t))
	}
	how := shapeOf(t.Elem())
	return d.members(depth, func(key []byte) bool {
		elem := reflect.New(t.Elem()).Elem()
		name, mark := string(key), len(d.faults)
		if !d.as(how, elem, depth+1) {
			return false
		}
		d.under(name, mark)
		v.SetMapIndex(reflect.ValueOf(name).Convert(t.Key()), elem)
		return true
	})
}

// generic reads a value whose type nobody knows.
func (d *decoder) generic(depth int) (any, bool) {
	switch d.space() {
	case '{':
		object := map[string]any{}
		return object, d.members(depth, func(key []byte) (ok bool) {
			name := string(key)
			object[name], ok = d.generic(depth + 1)
			return ok
		})
	case '[':
		list := []any{}
		ok := d.list(depth, func(int) bool {
			item, ok := d.generic(depth + 1)
			list = append(list, item)
			return ok
		})
		return list, ok
	}
	raw := d.value(depth)
	if raw == nil {
		return nil, false
	}
	switch raw[0] {
	case '"':
		return unquote(raw), true
	case 't', 'f':
		return raw[0] == 't', true
	case 'n':
		return nil, true
	default:
		return json.Number(raw), true
	}
}

// scalar reads raw into v and reports whether it could.
func (d *decoder) scalar(how shape, v reflect.Value, raw []byte) bool {
	switch how {
	case isString:
		s, ok := d.textOf(raw)
		v.SetString(s)
		return ok
	case isInt:
		n, ok := intOf(raw)
		if ok = ok && !v.OverflowInt(n); ok {
			v.SetInt(n)
		}
		return ok
	case isUint:
		return setUint(v, raw)
	case isFloat:
		f, ok := floatOf(raw)
		v.SetFloat(f)
		return ok
	case isBool:
		b, ok := boolOf(raw)
		v.SetBool(b)
		return ok
	case isJSON:
		return v.Addr().Interface().(json.Unmarshaler).UnmarshalJSON(raw) == nil
	case isText:
		text, ok := textOf(raw)
		if !ok || text == "" {
			return ok
		}
		return v.Addr().Interface().(encoding.TextUnmarshaler).UnmarshalText([]byte(text)) == nil
	default:
		return json.Unmarshal(raw, v.Addr().Interface()) == nil
	}
}

func setUint(v reflect.Value, raw []byte) bool {
	text, ok := textOf(raw)
	if !ok || text == "" {
		return ok
	}
	n, err := strconv.ParseUint(strings.TrimSpace(text), 10, 64)
	if err != nil || v.OverflowUint(n) {
		return false
	}
	v.SetUint(n)
	return true
}
