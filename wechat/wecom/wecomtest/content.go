package wecomtest

import "unicode/utf8"

// A field is something that a part of a message holds.
type field struct {
	path  string
	code  string // the refusal if it is missing; "" if it may be
	most  int    // bytes; 0 means that there is no limit, or that what is over it is cut
	over  string // the refusal if it is longer
	media string // it names an upload of this type
}

// What is longer is cut, not refused.
const (
	maxText  = 2048
	maxTitle = 128
)

// contentOf returns the fields of the parts that application and customer-service messages share; false if kind is none of them.
func contentOf(kind string) ([]field, bool) {
	switch kind {
	case "text":
		return []field{{path: "content", code: "44004"}}, true
	case "image", "voice", "video", "file":
		return []field{{path: "media_id", code: "41006", media: kind}}, true
	}
	return nil, false
}

// appContentOf returns the fields of a part of an application's message; false if the platform knows no such msgtype.
func appContentOf(kind string) ([]field, bool) {
	title := field{path: "title", code: "41016"}
	description := field{path: "description", code: "41033"}
	url := field{path: "url", code: "41010", most: 2048, over: "40039"}
	switch kind {
	case "textcard":
		return []field{title, description, url}, true
	case "markdown":
		return []field{{path: "content", code: "44004", most: maxText, over: "45002"}}, true
	case "miniprogram_notice":
		return []field{{path: "appid", code: "40063"}, {path: "page", code: "40063", most: 1024, over: "40039"}, title}, true
	case "interactive_taskcard":
		return []field{{path: "task_id", code: "42014"}, title, description, url}, true
	case "template_msg":
		return []field{{path: "template_id", code: "40063"}}, true
	case "news", "mpnews", "template_card": // what they hold stands in lists: see appContentFault
		return nil, true
	}
	return contentOf(kind)
}

// fault returns the code that a part is refused with for its fields, "" if they are good.
func (r *request) fault(part any, fields []field) string {
	for _, f := range fields {
		text := textAt(part, f.path)
		switch {
		case !given(part, f.path) && f.code != "":
			return f.code
		case !given(part, f.path):
			continue
		case f.most > 0 && len(text) > f.most:
			return f.over
		case f.media != "" && r.server.badMedia(text, f.media, r.now):
			return "40007"
		}
	}
	return ""
}

// appContentFault returns the code that the part of an application's message is refused with, "" if it is good.
func (r *request) appContentFault(kind string, part map[string]any) string {
	fields, known := appContentOf(kind)
	if !known || part == nil {
		return "40008"
	}
	if code := r.fault(part, fields); code != "" {
		return code
	}
	switch kind {
	case "news", "mpnews":
		return r.articlesFault(kind, listAt(part, "articles"))
	case "template_card":
		return r.cardFault(part)
	case "interactive_taskcard":
		return r.itemsFault(part, items{path: "btn", least: 1, size: "40063", fields: []field{
			{path: "key", code: "40063"}, {path: "name", code: "40063"},
		}})
	case "template_msg":
		return r.itemsFault(part, items{path: "content_item", fields: pair()})
	case "miniprogram_notice":
		return r.itemsFault(part, items{path: "content_item", most: 10, size: "40058", fields: pair()})
	}
	return ""
}

// pair is what a row of a table holds.
func pair() []field { return []field{{path: "key", code: "40063"}, {path: "value", code: "40063"}} }

func (r *request) articlesFault(kind string, articles []any) string {
	switch {
	case len(articles) == 0:
		return "40063"
	case len(articles) > 8:
		return "45008"
	}
	fields := []field{{path: "title", code: "41016"}, {path: "url", most: 2048, over: "40039"}}
	if kind == "mpnews" {
		fields = append(fields,
			field{path: "content", code: "44004", most: 666 << 10, over: "45002"}, field{path: "author", most: 64, over: "45032"},
			field{path: "thumb_media_id", code: "41006", media: "image"})
	}
	for _, article := range articles {
		if code := r.fault(article, fields); code != "" {
			return code
		}
		// A news article leads to a page or into a mini program.
		if kind == "news" && !given(article, "url") && (!given(article, "appid") || !given(article, "pagepath")) {
			return "41010"
		}
	}
	return ""
}

// firstText returns what is read first of a part.
func firstText(part map[string]any) string {
	if articles := listAt(part, "articles"); len(articles) > 0 {
		return cut(textAt(articles[0], "title"), maxTitle)
	}
	if text := textAt(part, "content"); text != "" {
		return cut(text, maxText)
	}
	for _, path := range []string{
		"media_id", "title", "main_title.title", "sub_title_text", "template_id", "head_content", "name", "userid", "link_url",
	} {
		if text := textAt(part, path); text != "" {
			return cut(text, maxTitle)
		}
	}
	return ""
}

// cut cuts a text to at most n bytes, never inside a character.
func cut(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for n > 0 && !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
