// Package shapes has one declaration of each kind.
package shapes

import (
	"io"
	"time"
)

// Wait and the rest are constants.
const (
	Wait       = 3 * time.Second
	Name       = "shapes"
	unexported = 1
)

// A Color is a constant's own type.
type Color uint8

// The colors.
const (
	Red Color = iota
	Green
)

// String returns the color's name.
func (c Color) String() string { return Name }

// ErrNone is a variable.
var ErrNone error

// A Ring is a generic struct.
type Ring[T any] struct {
	Limit int `json:"limit"`
	io.Reader
	stamps [unexported]T
}

// Push has a pointer receiver.
func (r *Ring[T]) Push(x T, more ...T) (n int, err error) { r.stamps[0] = x; return len(more), nil }

func (r *Ring[T]) pop() T { return r.stamps[0] }

// A Store is an interface.
type Store interface {
	io.Closer
	Get(key string) (Ring[int], bool)
	pop() int
}

// An Option is a func.
type Option func(*Ring[int]) error

// Text is an alias.
type Text = string

// Keys is a generic func.
func Keys[K comparable, V any](m map[K]V) []K { return nil }
