package alibaba1688test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A product is a made-up offer. Prices of the cross-border search are text.
type product struct {
	id             int64
	subject, trans string
	price          string
}

func products() []product {
	return []product{
		{554456348334, "饼干 原味", "biscuits, plain", "10"},
		{554456348335, "饼干 巧克力", "biscuits, chocolate", "12.5"},
		{554456348336, "饼干 芝麻", "biscuits, sesame", "11"},
		{554456348337, "连衣裙 红", "dress, red", "59"},
		{554456348338, "连衣裙 蓝", "dress, blue", "61"},
	}
}

// search answers in the double wrapper of the cross-border calls.
func (s *Server) search(form url.Values, _ time.Time) resiliencetest.Answer {
	var query struct {
		Keyword   string `json:"keyword"`
		BeginPage int    `json:"beginPage"`
		PageSize  int    `json:"pageSize"`
	}
	if err := json.Unmarshal([]byte(form.Get("offerQueryParam")), &query); err != nil || query.Keyword == "" {
		a := resiliencetest.JSON(http.StatusOK, wrap(false, "400", "offerQueryParam needs a keyword", nil))
		a.Code = "400"
		return a
	}
	page, size := max(1, query.BeginPage), max(1, query.PageSize)
	found := []map[string]any{}
	for _, p := range products() {
		if strings.Contains(p.subject, query.Keyword) || strings.Contains(p.trans, query.Keyword) {
			found = append(found, map[string]any{
				"offerId": p.id, "subject": p.subject, "subjectTrans": p.trans, "priceInfo": map[string]string{"price": p.price},
			})
		}
	}
	from := min(len(found), (page-1)*size)
	return resiliencetest.JSON(http.StatusOK, wrap(true, "200", "", map[string]any{
		"totalRecords": len(found), "totalPage": (len(found) + size - 1) / size, "pageSize": size, "currentPage": page,
		"data": found[from:min(len(found), from+size)],
	}))
}

func wrap(success bool, code, message string, result any) map[string]any {
	return map[string]any{"result": map[string]any{"success": success, "code": code, "message": message, "result": result}}
}
