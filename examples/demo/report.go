package main

import (
	"fmt"
	"io"
	"strings"
)

// A report prints what the fakes counted.
type report struct {
	out    io.Writer
	kept   int
	broken int
}

func (r *report) line(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format+"\n", args...) }

func (r *report) header() {
	r.line("dujiang: typed clients of Weibo, 1688, WeChat and WeCom behind one resilience middleware.")
	r.line("Fake platforms with the documented quotas answer, misbehave and count; the figures below are theirs, not the clients'.")
	r.line("Time is virtual. \"textbook\" is the usual algorithm (per-token cooldown, token bucket, simple breaker, retry on errors)")
	r.line("against the same fake.")
}

func (r *report) scene(title string) {
	r.line("")
	r.line("%s", title)
	r.line("%s", strings.Repeat("-", len(title)))
}

// A verdict is one promise with what was counted.
type verdict struct {
	promise  string
	dujiang  string
	textbook string
	kept     bool
}

func (r *report) verdict(v verdict) {
	mark := "kept  "
	if v.kept {
		r.kept++
	} else {
		mark = "BROKEN"
		r.broken++
	}
	r.line("%s  %s", mark, v.promise)
	r.line("          dujiang   %s", v.dujiang)
	if v.textbook != "" {
		r.line("          textbook  %s", v.textbook)
	}
}

func (r *report) sum() {
	r.line("")
	r.line("%d promises kept, %d broken", r.kept, r.broken)
}
