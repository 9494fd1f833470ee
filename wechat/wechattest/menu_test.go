package wechattest_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestMenu(t *testing.T) {
	srv, c := start(t)
	if srv.Menu() != nil {
		t.Errorf("got %s before a menu was made", srv.Menu())
	}
	const click = `{"type":"click","name":"a","key":"k"}`
	long := func(n int) string { return strings.Repeat("x", n) }
	parent := func(children string) string { return `{"name":"p","sub_button":[` + children + `]}` }
	button := func(kind, name, more string) string { return fmt.Sprintf(`{"type":%q,"name":%q%s}`, kind, name, more) }
	tests := []struct {
		name, buttons, code string
	}{
		{"one", click, ""},
		{"three", click + "," + click + "," + click, ""},
		{"none", "", "40016"},
		{"four", click + "," + click + "," + click + "," + click, "40016"},
		{"no button at all", "1,2", "40018"},
		{"name of 16 bytes", button("click", "今日今日今x", `,"key":"k"`), ""},
		{"name of 17 bytes", button("click", "今日今日今xy", `,"key":"k"`), "40018"},
		{"no name", button("click", "", `,"key":"k"`), "40018"},
		{"unknown type", button("dance", "a", ""), "40017"},
		{"neither type nor children", `{"name":"a"}`, "40017"},
		{"no key", button("click", "a", ""), "40019"},
		{"key of 128 bytes", button("click", "a", `,"key":"`+long(128)+`"`), ""},
		{"key of 129 bytes", button("click", "a", `,"key":"`+long(129)+`"`), "40019"},
		{"no url", button("view", "a", ""), "40020"},
		{"url of 1024 bytes", button("view", "a", `,"url":"`+long(1024)+`"`), ""},
		{"url of 1025 bytes", button("view", "a", `,"url":"`+long(1025)+`"`), "40020"},
		{"mini program", button("miniprogram", "a", `,"url":"u","appid":"wx9","pagepath":"p"`), ""},
		{"mini program without url", button("miniprogram", "a", `,"appid":"wx9","pagepath":"p"`), "40020"},
		{"mini program without appid", button("miniprogram", "a", `,"url":"u","pagepath":"p"`), "40166"},
		{"mini program without page", button("miniprogram", "a", `,"url":"u","appid":"wx9"`), "40165"},
		{"media", button("media_id", "a", `,"media_id":"m"`), ""},
		{"media without id", button("view_limited", "a", ""), "41006"},
		{"article", button("article_id", "a", `,"article_id":"r"`), ""},
		{"article without id", button("article_view_limited", "a", ""), "40101"},
		{"empty list of children", button("click", "a", `,"key":"k","sub_button":[]`), ""},
		{"one child", parent(click), ""},
		{"five children", parent(strings.Repeat(click+",", 4) + click), ""},
		{"six children", parent(strings.Repeat(click+",", 5) + click), "40023"},
		{"parent without children", parent(""), "40023"},
		{"long name of a parent", `{"name":"` + long(17) + `","sub_button":[` + click + `]}`, "40018"},
		{"grandchildren", parent(parent(click)), "40022"},
		{"child's name of 60 bytes", parent(button("click", long(60), `,"key":"k"`)), ""},
		{"child's name of 61 bytes", parent(button("click", long(61), `,"key":"k"`)), "40025"},
		{"child's type", parent(button("dance", "a", "")), "40024"},
		{"child's key", parent(button("click", "a", `,"key":"`+long(129)+`"`)), "40026"},
		{"child's url", parent(button("view", "a", `,"url":"`+long(1025)+`"`)), "40027"},
	}
	last := ""
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := `{ "button": [` + tt.buttons + `] }`
			check(t, "code", c.post(pathMenu, body).code(), tt.code)
			if tt.code == "" {
				last = body
			}
			check(t, "the last accepted menu", string(srv.Menu()), last)
		})
	}
	check(t, "no buttons", c.post(pathMenu, `{}`).code(), "40016")
}
