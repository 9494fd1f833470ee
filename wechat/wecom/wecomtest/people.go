package wecomtest

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// people is who can be written to.
type people struct {
	members     []*member
	departments []*department
	tags        map[int64][]*member
}

type member struct {
	id         string
	department int64
	licensed   bool
}

type department struct{ id, parent int64 }

func newPeople() people {
	p := people{departments: []*department{{1, 0}, {2, 1}, {3, 2}}, tags: map[int64][]*member{}}
	for i, department := range []int64{2, 2, 3, 3, 1} {
		p.members = append(p.members, &member{id: fmt.Sprintf("u%d", i+1), department: department, licensed: true})
	}
	p.tags[1] = slices.Clone(p.members[:2])
	return p
}

// AddMember adds a member to a department, or changes the one with the userid. A department that is not there is added below
// department 1. A member without licence is visible, but messages do not reach it.
func (s *Server) AddMember(userid string, departmentID int64, licensed bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.people.department(departmentID) == nil {
		s.people.departments = append(s.people.departments, &department{departmentID, 1})
	}
	if m := s.people.member(userid); m != nil {
		m.department, m.licensed = departmentID, licensed
		return
	}
	s.people.members = append(s.people.members, &member{id: userid, department: departmentID, licensed: licensed})
}

// AddTag adds members to a tag, which is made if it is not there. Members that are not there are left out.
func (s *Server) AddTag(id int64, userids ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	tagged := s.people.tags[id]
	for _, userid := range userids {
		if m := s.people.member(userid); m != nil && !slices.Contains(tagged, m) {
			tagged = append(tagged, m)
		}
	}
	s.people.tags[id] = tagged
}

func (p *people) member(userid string) *member {
	i := slices.IndexFunc(p.members, func(m *member) bool { return strings.EqualFold(m.id, userid) })
	if i < 0 {
		return nil
	}
	return p.members[i]
}

func (p *people) department(id int64) *department {
	i := slices.IndexFunc(p.departments, func(d *department) bool { return d.id == id })
	if i < 0 {
		return nil
	}
	return p.departments[i]
}

// below reports whether the department is the one with the id or below it.
func (p *people) below(d *department, id int64) bool {
	for ; d != nil; d = p.department(d.parent) {
		if d.id == id {
			return true
		}
	}
	return false
}

// in returns the members of a department and of those below it.
func (p *people) in(id int64) []*member {
	var found []*member
	for _, m := range p.members {
		if p.below(p.department(m.department), id) {
			found = append(found, m)
		}
	}
	return found
}

// leader returns the member who leads a department: the first one in it; nil if nobody is.
func (p *people) leader(id int64) *member {
	i := slices.IndexFunc(p.members, func(m *member) bool { return m.department == id })
	if i < 0 {
		return nil
	}
	return p.members[i]
}

func (s *Server) getUser(r *request) resiliencetest.Answer {
	userid := r.query.Get("userid")
	if userid == "" {
		return r.refuse("41009")
	}
	m := s.people.member(userid)
	if m == nil {
		return r.refuse("60111")
	}
	return r.ok(s.people.profile(m))
}

// profile is a member as the platform writes it.
func (p *people) profile(m *member) map[string]any {
	leads, leaders := 0, []string{}
	if leader := p.leader(m.department); leader == m {
		leads = 1
	} else {
		leaders = append(leaders, leader.id)
	}
	at := func(place string) string { return "https://pic.example/" + place + "/" + m.id + ".png" }
	return map[string]any{
		"userid": m.id, "open_userid": "woAJ2made-up-" + m.id, "name": "成员 " + m.id, "english_name": "member " + m.id,
		"alias": m.id, "email": m.id + "@mail.example", "biz_mail": m.id + "@corp.example", "mobile": "+86 00000000000",
		"telephone": "020-000000", "gender": "1", "address": "广州", "position": "tester", "department": []int64{m.department},
		"order": []int64{1}, "is_leader_in_dept": []int{leads}, "main_department": m.department, "direct_leader": leaders,
		"avatar": at("0"), "thumb_avatar": at("100"), "qr_code": at("qr"), "status": 1, "external_position": "tester",
		"extattr": map[string]any{"attrs": []any{textAttribute(), webAttribute()}},
		"external_profile": map[string]any{
			"external_corp_name": "made-up corp", "wechat_channels": map[string]any{"nickname": "made-up channel", "status": 1},
			"external_attr": []any{textAttribute(), webAttribute(), map[string]any{
				"type": 2, "name": "mini program",
				"miniprogram": map[string]any{"appid": "wx0000000000000001", "pagepath": "/index", "title": "shop"},
			}},
		},
	}
}

func textAttribute() map[string]any {
	return map[string]any{"type": 0, "name": "floor", "text": map[string]any{"value": "3"}}
}

func webAttribute() map[string]any {
	return map[string]any{"type": 1, "name": "page", "web": map[string]any{"title": "page", "url": "https://app.example/page"}}
}

func (s *Server) listDepartments(r *request) resiliencetest.Answer {
	root := int64(1)
	if text := r.query.Get("id"); text != "" {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			return r.refuse("60123")
		}
		root = id
	}
	if s.people.department(root) == nil {
		return r.refuse("60003")
	}
	list := []map[string]any{}
	for _, d := range slices.SortedFunc(slices.Values(s.people.departments), byID) {
		if s.people.below(d, root) {
			list = append(list, s.people.entry(d))
		}
	}
	return r.ok(map[string]any{"department": list})
}

func byID(a, b *department) int { return cmp.Compare(a.id, b.id) }

// entry is a department as the platform writes it.
func (p *people) entry(d *department) map[string]any {
	leaders := []string{}
	if leader := p.leader(d.id); leader != nil {
		leaders = append(leaders, leader.id)
	}
	return map[string]any{
		"id": d.id, "name": fmt.Sprint("部门 ", d.id), "name_en": fmt.Sprint("department ", d.id), "parentid": d.parent,
		"order": 100_000_000 - d.id, "department_leader": leaders,
	}
}
