package wecomtest_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

func TestUser(t *testing.T) {
	srv, c := start(t)
	got := c.get(pathUser, "userid=U1")
	check(t, "fields", slices.Sorted(maps.Keys(got.body.(map[string]any))), strings.Fields(
		"address alias avatar biz_mail department direct_leader email english_name errcode errmsg extattr external_position "+
			"external_profile gender is_leader_in_dept main_department mobile name open_userid order position qr_code status telephone "+
			"thumb_avatar userid"))
	check(t, "values", []any{got.field("userid"), got.field("department"), got.field("is_leader_in_dept"), got.field("direct_leader")},
		[]any{"u1", []any{2}, []any{1}, []any{}})
	if _, isText := got.field("gender").(string); !isText {
		t.Errorf("gender: got %T, want text", got.field("gender"))
	}
	if _, isNumber := got.field("status").(json.Number); !isNumber {
		t.Errorf("status: got %T, want a number", got.field("status"))
	}
	check(t, "attributes", []any{got.field("extattr.attrs.1.web.url"), got.field("external_profile.external_attr.2.miniprogram.appid")},
		[]any{"https://app.example/page", "wx0000000000000001"})
	check(t, "leader", c.get(pathUser, "userid=u2").field("direct_leader"), []any{"u1"})
	srv.AddMember("Wang", 3, true)
	check(t, "added", c.get(pathUser, "userid=wang").field("userid"), "Wang")
	srv.AddMember("wang", 7, true)
	check(t, "moved", c.get(pathUser, "userid=wang").text("main_department"), 7)
	check(t, "unknown", c.get(pathUser, "userid=nobody").code(), 60111)
	check(t, "missing", c.get(pathUser).code(), 41009)
}

func TestDepartments(t *testing.T) {
	srv, c := start(t)
	ids := func(query ...string) any {
		var ids []any
		for _, d := range c.get(pathDepartments, query...).field("department").([]any) {
			ids = append(ids, d.(map[string]any)["id"])
		}
		return ids
	}
	check(t, "all", ids(), []any{1, 2, 3})
	check(t, "below", ids("id=2"), []any{2, 3})
	check(t, "leaf", ids("id=3"), []any{3})
	srv.AddMember("u9", 12, true)
	check(t, "added", ids(), []any{1, 2, 3, 12})
	check(t, "its leader", c.get(pathDepartments, "id=12").field("department.0.department_leader"), []any{"u9"})
	srv.AddMember("u9", 1, true)
	check(t, "nobody left", c.get(pathDepartments, "id=12").field("department.0.department_leader"), []any{})
	check(t, "entry", c.get(pathDepartments, "id=3").field("department.0"), m{
		"department_leader": []any{"u3"}, "id": 3, "name": "部门 3", "name_en": "department 3", "order": 99999997, "parentid": 2,
	})
	check(t, "unknown", c.get(pathDepartments, "id=9").code(), 60003)
	check(t, "no number", c.get(pathDepartments, "id=x").code(), 60123)
	check(t, "empty on errors", c.get(pathDepartments, "id=9").field("department"), []any{})
}
