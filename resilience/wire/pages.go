package wire

import (
	"context"
	"fmt"
	"iter"
)

// Pages walks through pages that are linked by cursors. next gets "" for the first page, to which no cursor is sent, and returns the
// page's items with the cursor of the following page. The walk ends when that cursor is empty or "0" (the platforms' word for none),
// or when a page without items has the cursor that was sent. Any other cursor that comes back would lead in a circle: it is an error
// after the page's items. An error is yielded once, with T's zero value, and ends the walk. No page is asked for before its items are
// needed.
func Pages[T any](
	ctx context.Context, next func(ctx context.Context, cursor string) (items []T, nextCursor string, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		used := map[string]bool{}
		for cursor := ""; ; {
			items, following, err := next(ctx, cursor)
			if !emit(items, err, yield) || following == "" || following == "0" || len(items) == 0 && following == cursor {
				return
			}
			if used[following] {
				emit[T](nil, fmt.Errorf("the platform gave the cursor %.60q twice: its pages go in a circle, and those behind are not read", following), yield)
				return
			}
			used[following] = true
			cursor = following
		}
	}
}

// NumberedPages walks through pages that are counted from first, mostly 1. The walk ends after a page without items, or when next
// says that there are no more. Errors are as in [Pages].
func NumberedPages[T any](
	ctx context.Context, first int, next func(ctx context.Context, page int) (items []T, more bool, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for page := first; ; page++ {
			items, more, err := next(ctx, page)
			if !emit(items, err, yield) || !more || len(items) == 0 {
				return
			}
		}
	}
}

// Offsets walks through a list by offset: next gets the number of items seen so far, 0 at first. The walk ends after a page without
// items, or when next says that there are no more. Errors are as in [Pages].
func Offsets[T any](
	ctx context.Context, next func(ctx context.Context, offset int) (items []T, more bool, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for offset := 0; ; {
			items, more, err := next(ctx, offset)
			if !emit(items, err, yield) || !more || len(items) == 0 {
				return
			}
			offset += len(items)
		}
	}
}

// emit yields a page, or its error, and reports whether to go on.
func emit[T any](items []T, err error, yield func(T, error) bool) bool {
	if err != nil {
		var none T
		yield(none, err)
		return false
	}
	for _, item := range items {
		if !yield(item, nil) {
			return false
		}
	}
	return true
}
