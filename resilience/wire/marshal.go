package wire

import (
	"fmt"
	"reflect"
	"sync"
)

// Marshal writes v as JSON in the form in which requests travel: <, > and & stay as they are. Generated types that write themselves call
// it. The errors are those of encoding/json, and one for a value that holds itself: that package looks for such values too, but not
// beyond a type that writes itself, which it would follow until the stack is full.
func Marshal(v any) ([]byte, error) {
	if isEndless(reflect.ValueOf(v), 0) {
		return nil, fmt.Errorf("a value of %T holds itself, or others more than %d deep", v, maxDepth)
	}
	return rawJSON(v)
}

// isEndless reports whether v holds values deeper than any that was meant.
func isEndless(v reflect.Value, depth int) bool {
	if !v.IsValid() || !mayBeEndless(v.Type()) {
		return false
	}
	if depth > maxDepth {
		return true
	}
	switch v.Kind() { //nolint:exhaustive // the others hold nothing
	case reflect.Pointer, reflect.Interface:
		return isEndless(v.Elem(), depth+1)
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if isEndless(v.Index(i), depth+1) {
				return true
			}
		}
	case reflect.Map:
		for entries := v.MapRange(); entries.Next(); {
			if isEndless(entries.Value(), depth+1) {
				return true
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if isWritten(v.Type().Field(i)) && isEndless(v.Field(i), depth+1) {
				return true
			}
		}
	}
	return false
}

// isWritten reports whether a field may be a part of JSON.
func isWritten(f reflect.StructField) bool {
	return (f.IsExported() || f.Anonymous) && f.Tag.Get("json") != "-"
}

// endless remembers of types whether their values may hold values of their own type, as structs does the fields.
var endless sync.Map // reflect.Type -> bool

// mayBeEndless reports whether values of a type may hold others of the same type, as a tree does, or anything at all.
func mayBeEndless(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map, reflect.Struct:
	default:
		return false
	}
	if known, ok := endless.Load(t); ok {
		return known.(bool)
	}
	may := returns(t, map[reflect.Type]bool{})
	endless.Store(t, may)
	return may
}

// returns reports whether a way through what t holds comes to a type again that it has left from; open are those on the way here, false
// for those that lead nowhere.
func returns(t reflect.Type, open map[reflect.Type]bool) bool {
	if onTheWay, seen := open[t]; seen {
		return onTheWay
	}
	open[t] = true
	defer func() { open[t] = false }()
	switch t.Kind() { //nolint:exhaustive // the others hold nothing
	case reflect.Interface:
		return true
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return returns(t.Elem(), open)
	case reflect.Struct:
		for f := range t.Fields() {
			if isWritten(f) && returns(f.Type, open) {
				return true
			}
		}
	}
	return false
}
