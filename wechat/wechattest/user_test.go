package wechattest_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

func TestUserInfo(t *testing.T) {
	bubble(t, func(t *testing.T, srv *wechattest.Server, c *caller) {
		srv.AddUser("o9", false, "nine")
		got := c.info()
		check(t, "follower", got.body, map[string]any{
			"subscribe": 1, "openid": follower, "unionid": "made-up-unionid-000000000001", "nickname": "用户 1", "sex": 0,
			"language": "zh_CN", "city": "", "province": "", "country": "", "headimgurl": "https://pic.example/head/1",
			"subscribe_time": 946684800, "subscribe_scene": "ADD_SCENE_QR_CODE", "remark": "", "groupid": 0, "tagid_list": []any{},
			"qr_scene": 0, "qr_scene_str": "",
		})
		if _, isNumber := got.field("subscribe").(json.Number); !isNumber {
			t.Errorf("subscribe: got %T, want a number", got.field("subscribe"))
		}
		check(t, "language", c.get(pathInfo, "openid="+follower, "lang=en").field("language"), "en")
		check(t, "who does not follow", c.get(pathInfo, "openid=o9").body, map[string]any{"subscribe": 0, "openid": "o9"})
		check(t, "unknown", c.get(pathInfo, "openid=o8").code(), "40003")
		check(t, "none", c.get(pathInfo).code(), "41009")
		time.Sleep(time.Minute)
		srv.AddUser("o9", true, "<九> & \"more\"")
		srv.AddUser(follower, true, "renamed")
		nine := c.get(pathInfo, "openid=o9")
		check(t, "follows now", []any{nine.text("subscribe"), nine.text("subscribe_time"), nine.field("nickname")},
			[]any{1, 946684860, `<九> & "more"`})
		check(t, "renamed", []any{c.info().field("nickname"), c.info().text("subscribe_time")}, []any{"renamed", 946684800})
		srv.AddUser(follower, false, "")
		check(t, "follows no more", c.info().text("subscribe"), 0)
	})
}

func TestUserList(t *testing.T) {
	srv, c := start(t, wechattest.WithPageSize(2))
	srv.AddUser("o9", false, "does not follow")
	srv.AddUser("o6", true, "six")
	var all []string
	next, pages := "", 0
	for {
		page := c.get(pathList, "next_openid="+next)
		check(t, "total", page.text("total"), 6)
		openids, _ := page.field("data.openid").([]any)
		check(t, "count", page.text("count"), len(openids))
		for _, openid := range openids {
			all = append(all, openid.(string))
		}
		next = page.field("next_openid").(string)
		pages++
		if next == "" {
			break
		}
		check(t, "the last of the page", next, all[len(all)-1])
	}
	check(t, "pages", pages, 3)
	want := []string{}
	for n := 1; n <= 5; n++ {
		want = append(want, fmt.Sprintf("o%025d", n))
	}
	check(t, "followers", all, append(want, "o6"))
	check(t, "behind the last", c.get(pathList, "next_openid=o6").raw, `{"count":0,"next_openid":"","total":6}`)
	check(t, "behind nobody", c.get(pathList, "next_openid=o7").code(), "40003")
}

func TestPageSize(t *testing.T) {
	for _, opts := range [][]wechattest.Option{nil, {wechattest.WithPageSize(0)}} {
		srv, c := start(t, opts...)
		for n := range 10_000 {
			srv.AddUser(fmt.Sprint("more-", n), true, "")
		}
		page := c.get(pathList)
		check(t, "first page", []any{page.text("total"), page.text("count"), page.text("next_openid")}, []any{10005, 10000, "more-9994"})
		page = c.get(pathList, "next_openid=more-9994")
		check(t, "second page", []any{page.text("count"), page.text("next_openid"), page.text("data.openid.4")}, []any{5, "", "more-9999"})
	}
}

func TestNoFollowers(t *testing.T) {
	srv, c := start(t)
	for _, openid := range c.get(pathList).field("data.openid").([]any) {
		srv.AddUser(openid.(string), false, "")
	}
	got := c.get(pathList)
	check(t, "nobody", []any{got.text("total"), got.field("data")}, []any{0, nil})
	if keys := slices.Sorted(keysOf(got.body)); slices.Contains(keys, "data") {
		t.Errorf("data: got it in %v, want it absent", keys)
	}
}

func keysOf(body any) func(func(string) bool) {
	return func(yield func(string) bool) {
		for name := range body.(map[string]any) {
			if !yield(name) {
				return
			}
		}
	}
}
