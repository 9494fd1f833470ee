package wire

import (
	"encoding"
	"encoding/json"
	"reflect"
	"strings"
	"sync"
)

// A shape is the way in which a type is read.
type shape uint8

const (
	isOther shape = iota // by encoding/json
	isTolerant
	isJSON // json.Unmarshaler
	isText // encoding.TextUnmarshaler
	isPointer
	isStruct
	isSlice
	isMap
	isAny
	isString
	isInt
	isUint
	isFloat
	isBool
)

func shapeOf(t reflect.Type) shape {
	pointer := reflect.PointerTo(t)
	switch {
	case t.Kind() == reflect.Pointer:
		return isPointer
	case t.PkgPath() == "" && t.Kind() != reflect.Struct: // an unnamed type has methods only through what it embeds
	case pointer.Implements(reflect.TypeFor[tolerant]()):
		return isTolerant
	case pointer.Implements(reflect.TypeFor[json.Unmarshaler]()):
		return isJSON
	case pointer.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()):
		return isText
	}
	return plainShape(t)
}

func plainShape(t reflect.Type) shape {
	switch t.Kind() { //nolint:exhaustive // encoding/json judges the rest
	case reflect.Struct:
		return isStruct
	case reflect.Slice:
		if t.Elem().Kind() != reflect.Uint8 { // bytes are base64
			return isSlice
		}
	case reflect.Map:
		if t.Key().Kind() == reflect.String && !t.Key().Implements(reflect.TypeFor[encoding.TextMarshaler]()) {
			return isMap
		}
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return isAny
		}
	case reflect.String:
		return isString
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return isInt
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return isUint
	case reflect.Float32, reflect.Float64:
		return isFloat
	case reflect.Bool:
		return isBool
	}
	return isOther
}

// A memberField is a field of a struct as JSON names it.
type memberField struct {
	name  string
	index []int
	shape shape
}

// in returns the field in v, making embedded pointers on the way.
func (f *memberField) in(v reflect.Value) reflect.Value {
	if len(f.index) == 1 {
		return v.Field(f.index[0])
	}
	for _, i := range f.index {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(i)
	}
	return v
}

// structs remembers the fields of types. It is a memory of what never changes: reflection is too slow to ask it for each answer.
var structs sync.Map // reflect.Type -> map[string]*memberField

func fieldsOf(t reflect.Type) map[string]*memberField {
	if known, ok := structs.Load(t); ok {
		return known.(map[string]*memberField)
	}
	fields := map[string]*memberField{}
	collect(t, nil, fields)
	structs.Store(t, fields)
	return fields
}

// collect notes the fields of t, those of embedded structs after its own: the one that lies higher wins.
func collect(t reflect.Type, index []int, fields map[string]*memberField) {
	type embedded struct {
		t     reflect.Type
		index []int
	}
	var deeper []embedded
	for i := range t.NumField() {
		f := t.Field(i)
		tag := f.Tag.Get("json")
		name, _, _ := strings.Cut(tag, ",")
		path := append(append([]int(nil), index...), i)
		if inner, ok := embeddedStruct(f); ok && name == "" {
			deeper = append(deeper, embedded{inner, path})
			continue
		}
		if !f.IsExported() || tag == "-" {
			continue
		}
		if name == "" {
			name = f.Name
		}
		if fields[name] == nil {
			fields[name] = &memberField{name, path, shapeOf(f.Type)}
		}
	}
	for _, e := range deeper {
		collect(e.t, e.index, fields)
	}
}

// embeddedStruct returns the struct whose fields f lends to its parent.
func embeddedStruct(f reflect.StructField) (reflect.Type, bool) {
	if !f.Anonymous || f.Tag.Get("json") == "-" {
		return nil, false
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		if !f.IsExported() { // cannot be made
			return nil, false
		}
		t = t.Elem()
	}
	return t, t.Kind() == reflect.Struct && shapeOf(t) == isStruct
}
