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

// shapes remembers the shapes of types. It is a memory of what never changes: reflection is too slow to ask it for each answer.
var shapes sync.Map // reflect.Type -> shape

func shapeOf(t reflect.Type) shape {
	switch {
	case t.Kind() == reflect.Pointer:
		return isPointer
	case t.PkgPath() == "" && t.Kind() != reflect.Struct: // an unnamed type has methods only through what it embeds
		return plainShape(t)
	}
	if known, ok := shapes.Load(t); ok {
		return known.(shape)
	}
	s := namedShape(t)
	shapes.Store(t, s)
	return s
}

func namedShape(t reflect.Type) shape {
	pointer := reflect.PointerTo(t)
	switch {
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

// A layout is the fields of a struct.
type layout struct {
	fields []*memberField // in the order of the type
	byName map[string]*memberField
}

// find returns the field called name, nil if there is none. next is the place of the field behind the one that was found last: an
// answer's order is mostly that of the type.
func (l *layout) find(name []byte, next *int) *memberField {
	if *next < len(l.fields) && l.fields[*next].name == string(name) {
		*next++
		return l.fields[*next-1]
	}
	f := l.byName[string(name)]
	if f != nil {
		*next = f.place + 1
	}
	return f
}

// A memberField is a field of a struct as JSON names it.
type memberField struct {
	name  string
	place int // among the fields of its layout
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

// structs remembers the fields of types, as shapes does.
var structs sync.Map // reflect.Type -> *layout

func layoutOf(t reflect.Type) *layout {
	if known, ok := structs.Load(t); ok {
		return known.(*layout)
	}
	l := &layout{byName: map[string]*memberField{}}
	l.collect(t, nil)
	structs.Store(t, l)
	return l
}

// collect notes the fields of t, those of embedded structs after its own: the one that lies higher wins.
func (l *layout) collect(t reflect.Type, index []int) {
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
		if l.byName[name] == nil {
			l.byName[name] = &memberField{name, len(l.fields), path, shapeOf(f.Type)}
			l.fields = append(l.fields, l.byName[name])
		}
	}
	for _, e := range deeper {
		l.collect(e.t, e.index)
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
