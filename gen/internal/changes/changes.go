// Package changes says what another run of gen means for the users of a package that it wrote before: which policies of calls are others,
// what their code has to change, and what has come.
//
// It reads Go alone, and not the specs: an old one is mostly gone, and what callers see of two specs is the Go that was made of them.
package changes

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
)

// maxShown bounds what is named of one kind: the first tell where to look, the compiler tells the rest.
const maxShown = 8

// Between compares the Go files of a package and of those in folders inside it, by name, as they were and as they are. It returns no line
// where users need not know anything. A file with an error in it counts as far as it can be read.
func Between(was, is map[string][]byte) (lines []string) {
	if maps.EqualFunc(was, is, bytes.Equal) {
		return nil
	}
	before, after := read(was), read(is)
	for _, dir := range slices.Sorted(maps.Keys(before)) {
		old, now := before[dir], after[dir]
		if now == nil {
			lines = append(lines, fmt.Sprintf("callers must change: package %s is gone", old.name))
			continue
		}
		c := compare(old, now)
		lines = append(lines, line("calls of "+now.name+" are treated otherwise now: ", c.policies)...)
		lines = append(lines, line("callers of "+now.name+" must change: ", c.losses)...)
		if text := c.gains(); text != "" {
			lines = append(lines, now.name+" has "+text)
		}
	}
	return lines
}

// line names the first of several things.
func line(what string, texts []string) []string {
	if len(texts) == 0 {
		return nil
	}
	text := strings.Join(texts[:min(len(texts), maxShown)], "; ")
	if more := len(texts) - maxShown; more > 0 {
		text += fmt.Sprintf("; ... and %d more", more)
	}
	return []string{what + text}
}

// read lists what the packages export, by folder. A name that has just got a hand-written declaration beside the generated one, which goes
// now, was the generated one.
func read(files map[string][]byte) map[string]*api {
	out := map[string]*api{}
	names := slices.SortedFunc(maps.Keys(files), func(a, b string) int {
		made := func(name string) int { return map[bool]int{true: 1}[strings.HasSuffix(name, ".gen.go")] }
		return cmp.Or(cmp.Compare(made(a), made(b)), strings.Compare(a, b))
	})
	for _, name := range names {
		dir := path.Dir(name)
		if out[dir] == nil {
			out[dir] = newAPI()
		}
		out[dir].file(name, files[name])
	}
	for _, a := range out {
		a.promote()
	}
	return out
}

// A comparison is what is different about a package.
type comparison struct {
	was, is          *api
	policies, losses []string
	calls            int             // that have come
	fresh            map[string]int  // other names that have come, by what they are
	told             map[string]bool // names that say nothing more, since their call came, went or has another name
}

func compare(was, is *api) *comparison {
	c := &comparison{was: was, is: is, fresh: map[string]int{}, told: map[string]bool{}}
	if was.name != is.name {
		c.losses = append(c.losses, fmt.Sprintf("package %s is %s", was.name, is.name))
	}
	c.compareCalls()
	c.compareNames()
	return c
}

// compareCalls finds each call again by its id, or by method and path where the id is another.
func (c *comparison) compareCalls() {
	partner, found := map[*call]*call{}, map[*call]bool{}
	for _, key := range []func(*call) string{(*call).id, (*call).place} {
		free := map[string]*call{}
		for _, now := range c.is.calls {
			if !found[now] {
				free[key(now)] = now
			}
		}
		for _, old := range c.was.calls {
			if now := free[key(old)]; now != nil && partner[old] == nil && !found[now] {
				partner[old], found[now] = now, true
			}
		}
	}
	for _, old := range c.was.calls {
		now := partner[old]
		if now != nil {
			c.policies = append(c.policies, differences(old, now)...)
		}
		switch {
		case c.is.names[old.method()] != nil: // of the same name, whatever it calls
		case now == nil:
			c.losses = append(c.losses, old.method()+" is gone")
			c.tell(old)
		default:
			c.losses = append(c.losses, old.method()+" is "+now.method()+" now")
			c.tell(old, now)
		}
	}
	for _, now := range c.is.calls {
		if !found[now] {
			c.calls++
			c.tell(now)
		}
	}
}

// tell marks what goes with calls: it is named by their methods.
func (c *comparison) tell(calls ...*call) {
	for _, one := range calls {
		for _, name := range one.names() {
			c.told[name] = true
		}
		if service := one.text("Service"); !c.same(service + "Service") { // the first of its calls, or the last
			c.told[service+"Service"], c.told["Client."+service] = true, true
		}
	}
}

func (c *comparison) compareNames() {
	keys := slices.SortedFunc(maps.Keys(c.was.names), func(a, b string) int {
		return cmp.Or(cmp.Compare(c.was.names[a].kind, c.was.names[b].kind), strings.Compare(a, b))
	})
	for _, key := range keys {
		old, now := c.was.names[key], c.is.names[key]
		switch {
		case c.told[key], c.told[old.of], old.of != "" && !c.same(old.of):
		case now == nil:
			c.losses = append(c.losses, key+" is gone")
		default:
			c.losses = append(c.losses, old.changed(key, now)...)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(c.is.names)) {
		now := c.is.names[key]
		switch {
		case c.was.names[key] != nil, c.told[key], c.told[now.of], now.of != "" && !c.same(now.of):
		case now.required:
			c.losses = append(c.losses, key+" is new and required")
		default:
			c.fresh[kinds[now.kind]]++
		}
	}
}

// same reports whether a type is there still, so that its members count.
func (c *comparison) same(of string) bool {
	was, is := c.was.names[of], c.is.names[of]
	return was != nil && is != nil && was.text == is.text
}

// gains counts what has come.
func (c *comparison) gains() string {
	var words []string
	count := func(n int, what string) {
		switch {
		case n == 1:
			words = append(words, "1 new "+what)
		case n > 1:
			words = append(words, fmt.Sprintf("%d new %ss", n, what))
		}
	}
	count(c.calls, "call")
	for _, what := range kinds {
		count(c.fresh[what], what)
	}
	return strings.Join(words, ", ")
}
