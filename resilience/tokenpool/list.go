package tokenpool

// A list is a queue whose elements know their neighbours: any of them leaves in constant time.
type list[T any] struct {
	first, last *node[T]
	n           int
}

// A node ties a value into at most one list.
type node[T any] struct {
	value      T
	prev, next *node[T]
	in         *list[T]
}

func (l *list[T]) push(n *node[T]) {
	n.in, n.prev, n.next = l, l.last, nil
	if l.last == nil {
		l.first = n
	} else {
		l.last.next = n
	}
	l.last = n
	l.n++
}

// leave takes n out of the list that it is in, if any.
func (n *node[T]) leave() {
	l := n.in
	if l == nil {
		return
	}
	if n.prev == nil {
		l.first = n.next
	} else {
		n.prev.next = n.next
	}
	if n.next == nil {
		l.last = n.prev
	} else {
		n.next.prev = n.prev
	}
	l.n--
	n.in, n.prev, n.next = nil, nil, nil
}
