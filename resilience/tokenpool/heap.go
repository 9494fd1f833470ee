package tokenpool

// A heapItem knows its place in a heap, so that it can be moved and taken out: 0 means not in it.
type heapItem[T any] interface {
	less(T) bool
	place() *int
}

// A heap keeps the least item first.
type heap[T heapItem[T]] []T

// fix puts x where it belongs, whether it is new or its key has changed.
func (h *heap[T]) fix(x T) {
	if *x.place() == 0 {
		*h = append(*h, x)
		*x.place() = len(*h)
	}
	i := *x.place() - 1
	if !h.up(i) {
		h.down(i)
	}
}

func (h *heap[T]) remove(x T) {
	i := *x.place() - 1
	if i < 0 {
		return
	}
	last := len(*h) - 1
	h.swap(i, last)
	var zero T
	(*h)[last] = zero
	*h = (*h)[:last]
	*x.place() = 0
	if i < last && !h.up(i) {
		h.down(i)
	}
}

func (h heap[T]) swap(i, j int) {
	h[i], h[j] = h[j], h[i]
	*h[i].place(), *h[j].place() = i+1, j+1
}

func (h heap[T]) up(i int) (moved bool) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h[i].less(h[parent]) {
			break
		}
		h.swap(i, parent)
		i, moved = parent, true
	}
	return moved
}

func (h heap[T]) down(i int) {
	for {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(h); child++ {
			if h[child].less(h[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		h.swap(i, least)
		i = least
	}
}
