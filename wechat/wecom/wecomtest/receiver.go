package wecomtest

import (
	"slices"
	"strconv"
	"strings"
)

// everybody addresses all who are visible; departments and tags beside it do not count.
const everybody = "@all"

// receivers is who a message is for, as far as the ids that it names can be found.
type receivers struct {
	members    []*member // who get it, each once
	unlicensed []string
	users      []string // unknown ones, in lower case
	parties    []string
	tags       []string
	known      bool // whether at least one id stands for somebody or for a group
}

func (p *people) receivers(message map[string]any) receivers {
	var to receivers
	users := ids(message, "touser")
	if slices.Equal(users, []string{everybody}) {
		to.known = true
		to.add(p.members...)
		return to
	}
	for _, id := range users {
		m := p.member(id)
		if m == nil {
			to.users = append(to.users, strings.ToLower(id))
			continue
		}
		to.known = to.known || m.licensed
		to.add(m)
	}
	for _, text := range ids(message, "toparty") {
		id, err := strconv.ParseInt(text, 10, 64)
		if err != nil || p.department(id) == nil {
			to.parties = append(to.parties, text)
			continue
		}
		to.known = true
		to.add(p.in(id)...)
	}
	for _, text := range ids(message, "totag") {
		id, err := strconv.ParseInt(text, 10, 64)
		tagged, found := p.tags[id]
		if err != nil || !found {
			to.tags = append(to.tags, text)
			continue
		}
		to.known = true
		to.add(tagged...)
	}
	return to
}

func (to *receivers) add(members ...*member) {
	for _, m := range members {
		id := strings.ToLower(m.id)
		switch {
		case !m.licensed && !slices.Contains(to.unlicensed, id):
			to.unlicensed = append(to.unlicensed, id)
		case m.licensed && !slices.Contains(to.members, m):
			to.members = append(to.members, m)
		}
	}
}

const separator = "|"

// ids returns the ids of a field that joins them.
func ids(message map[string]any, name string) []string {
	return slices.DeleteFunc(strings.Split(textAt(message, name), separator), func(id string) bool { return id == "" })
}

// receiversFault returns the code that a message's list of receivers is refused with, "" if it is good.
func receiversFault(message map[string]any) string {
	for _, name := range []string{"touser", "toparty", "totag"} {
		if _, isText := message[name].(string); message[name] != nil && !isText {
			return "40058"
		}
	}
	users, parties, tags := ids(message, "touser"), ids(message, "toparty"), ids(message, "totag")
	switch {
	case len(users)+len(parties)+len(tags) == 0:
		return "82001"
	case len(users) > 1000:
		return "40032"
	case len(parties) > 100:
		return "82002"
	case len(tags) > 100:
		return "82003"
	}
	return ""
}
