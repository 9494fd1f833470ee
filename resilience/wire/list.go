package wire

import (
	"bytes"
	"reflect"
)

// A Raw is an answer's part as it was sent, to be read later. It is nil where there is none.
type Raw []byte

// UnmarshalJSON keeps a copy of data. It never fails.
func (r *Raw) UnmarshalJSON(data []byte) error { return alone(r, data) }

// MarshalJSON returns the part as it was sent, null for none.
func (r Raw) MarshalJSON() ([]byte, error) {
	if r == nil {
		return []byte("null"), nil
	}
	return r, nil
}

func (r *Raw) decode(d *decoder, depth int) bool {
	raw := d.value(depth)
	*r = bytes.Clone(raw)
	return raw != nil
}

// A List is a list that some answers write otherwise: one entry without the brackets, or null, "" or {} for none.
type List[T any] []T

// UnmarshalJSON never fails: entries that cannot be read are zero.
func (l *List[T]) UnmarshalJSON(data []byte) error { return alone(l, data) }

func (l *List[T]) decode(d *decoder, depth int) bool {
	*l = nil
	how := shapeOf(reflect.TypeFor[T]())
	read := func(i int) bool {
		var zero T
		*l = append(*l, zero)
		return d.as(how, reflect.ValueOf(&(*l)[i]).Elem(), depth+1)
	}
	if d.space() == '[' {
		*l = List[T]{}
		return d.list(depth, read)
	}
	if empty, ok := d.none("{}"); empty || !ok {
		return ok
	}
	return read(0)
}

// A Maybe is a part of an answer that may be missing. Platforms write that in several ways: null, {}, [], "", or not at all.
type Maybe[T any] struct{ Value *T }

// Get returns the part and whether there is one.
func (m Maybe[T]) Get() (*T, bool) { return m.Value, m.Value != nil }

// OrZero returns the part, or its zero value where there is none: for reading on without a look at each step.
func (m Maybe[T]) OrZero() T {
	if m.Value == nil {
		var zero T
		return zero
	}
	return *m.Value
}

// OrZero returns what v points to, or the zero value for nil: what [Maybe.OrZero] is in objects that are answered, for those that are sent
// as well.
func OrZero[T any](v *T) T { return Maybe[T]{v}.OrZero() }

// IsZero reports whether there is none, for the JSON option omitzero.
func (m Maybe[T]) IsZero() bool { return m.Value == nil }

// MarshalJSON writes the part, null for none.
func (m Maybe[T]) MarshalJSON() ([]byte, error) { return Marshal(m.Value) }

// UnmarshalJSON never fails: what cannot be read at all is none.
func (m *Maybe[T]) UnmarshalJSON(data []byte) error { return alone(m, data) }

func (m *Maybe[T]) decode(d *decoder, depth int) bool {
	m.Value = nil
	if empty, ok := d.none("{}", "[]"); empty || !ok {
		return ok
	}
	value, mark := new(T), len(d.faults)
	if !d.into(reflect.ValueOf(value).Elem(), depth) {
		return false
	}
	if len(d.faults) == mark || d.faults[mark] != "" {
		m.Value = value
	}
	return true
}

// none looks at the next value and skips it if it means that there is nothing: null, "" or one of the given empty ones.
func (d *decoder) none(also ...string) (empty, ok bool) {
	first := d.space()
	if first == '{' || first == '[' {
		peek := d.scanner
		peek.pos++
		for _, form := range also {
			if form[0] == first && peek.accept(form[1]) {
				d.scanner = peek
				return true, true
			}
		}
		return false, true
	}
	peek := d.scanner
	raw := peek.value(0)
	if raw == nil {
		return false, false
	}
	if isNothing(raw, also[0]) {
		d.scanner = peek
		return true, true
	}
	return false, true
}
