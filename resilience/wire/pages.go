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

// CountedPages walks through pages that are counted from first, mostly 1, of a list whose length the platform says: next returns a
// page's items, how many items the page was asked for, and how many there are in all, 0 where the answer does not say. The walk ends
// when that many items were seen. Until that many were due, an empty page is not the last, since platforms leave out what the caller
// may not see; behind them, and where nothing is said, it is. So neither a platform that gives smaller pages than it is asked for nor
// one that counts more than it gives loses items or is asked for ever. Errors are as in [Pages].
func CountedPages[T any](
	ctx context.Context, first int, next func(ctx context.Context, page int) (items []T, size, total int, err error),
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		seen := 0
		for page := first; ; page++ {
			items, size, total, err := next(ctx, page)
			if !emit(items, err, yield) {
				return
			}
			seen += len(items)
			due := size > 0 && total > 0 && page-first < (total-1)/size // there are pages behind this one
			if total > 0 && seen >= total || len(items) == 0 && !due {
				return
			}
		}
	}
}

// More reports whether there is more behind the first done of all items or pages, for what [NumberedPages] and [Offsets] are told. An
// answer whose all is 0 does not say: then only an empty page is the end.
func More(done, all int) bool { return all <= 0 || done < all }

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
