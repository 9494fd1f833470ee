package weibotest

import "github.com/dujiang-go/dujiang/resilience/resiliencetest"

// A page is what a listing call asks for.
type page struct {
	since, max    int64 // ids: larger than since, at most max; 0 means all
	count, number int64
}

// page reads the parameters that all listings share; false means that one is no number.
func (r *request) page(size, most int64) (page, bool) {
	var p page
	good := true
	for _, v := range []struct {
		name     string
		to       *int64
		fallback int64
	}{{"since_id", &p.since, 0}, {"max_id", &p.max, 0}, {"count", &p.count, size}, {"page", &p.number, 1}} {
		n, ok := r.number(v.name, v.fallback)
		*v.to, good = n, good && ok
	}
	if p.count < 1 {
		p.count = size
	}
	p.count = min(p.count, most) // larger ones are cut silently
	p.number = max(1, p.number)
	return p, good
}

// cut returns the page's items of all, which come newest first, and the id of the item after them, 0 at the end.
func cutPage[T any](p page, all []T, id func(T) int64) (items []T, next int64) {
	items = []T{}
	skip := (p.number - 1) * p.count
	for _, item := range all {
		if id(item) <= p.since || (p.max > 0 && id(item) > p.max) {
			continue
		}
		if skip > 0 {
			skip--
			continue
		}
		if int64(len(items)) == p.count {
			return items, id(item)
		}
		items = append(items, item)
	}
	return items, 0
}

// frame answers a listing. total counts what there is, also what cannot be had.
func frame(list string, items []map[string]any, total int, next int64) map[string]any {
	return map[string]any{
		list: items, "previous_cursor": 0, "next_cursor": next, "total_number": total, "hasvisible": false,
	}
}

func ok(v any) resiliencetest.Answer { return resiliencetest.JSON(200, v) }
