package wire

import (
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// maxMissing bounds how many fields Complete names.
const maxMissing = 20

// Complete records the required fields inside v that are not set: those with the tag wire:"required" of an object, of the entries of a
// list or map, and of what they hold, by their dotted path from name. A number and a flag are always set. A list or map of dates must
// hold dates: one that is not set would travel as an empty text.
func (e *Encoder) Complete(name string, v any) {
	var l lacks
	l.look(reflect.ValueOf(v), 0)
	if name != "" {
		l.under(name, 0)
	}
	for _, path := range l {
		e.Missing(path)
	}
}

// lacks are the paths, from the value that is looked at, of what is not set in it.
type lacks []string

func (l *lacks) look(v reflect.Value, depth int) {
	if depth > maxDepth || len(*l) >= maxMissing { // what holds itself is encoding/json's to refuse
		return
	}
	switch v.Kind() { //nolint:exhaustive // the others hold nothing
	case reflect.Pointer:
		if !v.IsNil() {
			l.look(v.Elem(), depth+1)
		}
	case reflect.Slice:
		for i := range v.Len() {
			mark := len(*l)
			l.entry(v.Index(i), depth+1)
			if len(*l) > mark {
				l.under(strconv.Itoa(i), mark)
			}
		}
	case reflect.Map:
		keys := v.MapKeys()
		slices.SortFunc(keys, func(a, b reflect.Value) int { return strings.Compare(a.String(), b.String()) })
		for _, key := range keys {
			mark := len(*l)
			l.entry(v.MapIndex(key), depth+1)
			l.under(key.String(), mark)
		}
	case reflect.Struct:
		for _, d := range demandsOf(v.Type()) {
			l.lookAt(d, v.Field(d.index), depth)
		}
	}
}

// entry looks at what a list or map holds. A date there is the whole entry.
func (l *lacks) entry(v reflect.Value, depth int) {
	if v.Kind() == reflect.Struct && isUnset(v) {
		*l = append(*l, "")
		return
	}
	l.look(v, depth)
}

func (l *lacks) lookAt(d demand, f reflect.Value, depth int) {
	mark := len(*l)
	switch {
	case d.required && isUnset(f):
		*l = append(*l, d.name)
	case d.deep:
		l.look(f, depth+1)
		l.under(d.name, mark)
	}
}

// under puts name before the paths since mark, on the way up from the value called name. The empty path is that value itself.
func (l *lacks) under(name string, mark int) {
	for i := mark; i < len(*l); i++ {
		if (*l)[i] == "" {
			(*l)[i] = name
		} else {
			(*l)[i] = name + "." + (*l)[i]
		}
	}
}

// isUnset reports whether a required field was left open. An empty text and an empty list are: nobody can tell them from forgotten ones.
func isUnset(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Map:
		return v.IsNil()
	case reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		date, ok := reflect.TypeAssert[interface{ IsZero() bool }](v)
		return ok && date.IsZero()
	default:
		return false
	}
}

// A demand is a field that must be set, or that may hold such fields.
type demand struct {
	index          int
	name           string
	required, deep bool
}

// demands remembers the demands of types, as structs does the fields.
var demands sync.Map // reflect.Type -> []demand

func demandsOf(t reflect.Type) []demand {
	if known, ok := demands.Load(t); ok {
		return known.([]demand)
	}
	var out []demand
	for i := range t.NumField() {
		f := t.Field(i)
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		d := demand{i, name, f.Tag.Get("wire") == "required", holdsStructs(f.Type)}
		if f.IsExported() && name != "" && f.Tag.Get("json") != "-" && (d.required || d.deep) {
			out = append(out, d)
		}
	}
	demands.Store(t, out)
	return out
}

// holdsStructs reports whether a field may hold structs, however deep in lists: a type of lists of itself never does.
func holdsStructs(t reflect.Type) bool {
	const deepest = 16
	for range deepest {
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			t = t.Elem()
		default:
			return t.Kind() == reflect.Struct
		}
	}
	return false
}
