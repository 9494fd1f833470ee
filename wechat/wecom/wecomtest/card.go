package wecomtest

// items is a list in a part of a message.
type items struct {
	path   string
	least  int
	most   int    // 0 means no limit
	size   string // the refusal of a wrong length
	fields []field
}

func (r *request) itemsFault(part any, list items) string {
	all := listAt(part, list.path)
	if len(all) < list.least || (list.most > 0 && len(all) > list.most) {
		return list.size
	}
	for _, item := range all {
		if code := r.fault(item, list.fields); code != "" {
			return code
		}
	}
	return ""
}

// cardLists returns the lists of a template card. Only the kinds that ask something need buttons or options; the rest may have none.
func cardLists() []items {
	return []items{
		{path: "vertical_content_list", most: 4, size: "42036", fields: []field{{path: "title", code: "42033"}}},
		{path: "horizontal_content_list", most: 6, size: "42035", fields: []field{{path: "keyname", code: "42027"}}},
		{path: "jump_list", most: 3, size: "42042"},
		{path: "button_list", most: 6, size: "40058", fields: []field{{path: "text", code: "40063"}}},
		{path: "select_list", most: 3, size: "42047", fields: []field{
			{path: "question_key", code: "42043"}, {path: "title", code: "42033"},
		}},
		{path: "action_menu.action_list", most: 3, size: "40058", fields: []field{
			{path: "key", code: "40063"}, {path: "text", code: "40063"},
		}},
		{path: "checkbox.option_list", most: 20, size: "42037", fields: []field{
			{path: "id", code: "40063"}, {path: "text", code: "40063"},
		}},
	}
}

// interactive reports whether a kind of card asks something: its sender needs a task id and gets a code for the answer.
func interactive(cardType string) bool {
	switch cardType {
	case "button_interaction", "vote_interaction", "multiple_interaction":
		return true
	}
	return false
}

// cardFault returns the code that a template card is refused with, "" if it is good.
func (r *request) cardFault(card map[string]any) string {
	kind := textAt(card, "card_type")
	switch {
	case !interactive(kind) && kind != "text_notice" && kind != "news_notice":
		return "42031"
	case interactive(kind) && !given(card, "task_id"):
		return "42014"
	}
	for _, part := range []struct{ name, needs, code string }{
		{"main_title", "title", "42033"}, {"emphasis_content", "title", "42033"}, {"card_image", "url", "42044"},
		{"checkbox", "question_key", "42043"}, {"source", "icon_url", "42044"}, {"submit_button", "text", "40063"},
	} {
		if given(card, part.name) && !given(card, part.name+"."+part.needs) {
			return part.code
		}
	}
	for _, list := range cardLists() {
		if code := r.itemsFault(card, list); code != "" {
			return code
		}
	}
	return r.cardLinksFault(card)
}

// cardLinksFault returns the code that a card is refused with for what it leads to, "" if that is good.
func (r *request) cardLinksFault(card map[string]any) string {
	if given(card, "card_action") {
		if code := linkFault(dig(card, "card_action")); code != "" {
			return code
		}
	}
	for _, jump := range listAt(card, "jump_list") {
		if code := linkFault(jump); code != "" {
			return code
		}
	}
	for _, row := range listAt(card, "horizontal_content_list") {
		if kind, _ := intAt(row, "type"); kind != attachment {
			continue
		}
		if code := r.fault(row, []field{{path: "media_id", code: "42029", media: "file"}}); code != "" {
			return code
		}
	}
	return ""
}

// attachment is the type of a row that shows an uploaded file.
const attachment = 2

// linkFault returns the code that an action is refused with, "" if it is good: it does nothing, opens a page or a mini program.
func linkFault(action any) string {
	kind, isNumber := intAt(action, "type")
	switch {
	case !isNumber && given(action, "type"), kind < 0, kind > 2:
		return "42045"
	case kind == 1 && !given(action, "url"):
		return "42028"
	case kind == 2 && !given(action, "appid"):
		return "42030"
	}
	return ""
}
