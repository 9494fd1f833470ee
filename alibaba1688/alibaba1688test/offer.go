package alibaba1688test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// OfferID is the first of the made-up goods: biscuits of the first supplier.
const OfferID = int64(554456348334)

// An Offer is one of the made-up goods. Those of one kind come from one supplier.
type Offer struct {
	ID           int64
	SpecID       string // of its only SKU
	SKU          int64
	Subject      string // in Chinese
	SubjectTrans string // in English
	Price        int    // of one, in fen
	SupplierID   string // member id
	category     int64
}

// Offers returns the goods that the fake sells: five kinds from five suppliers, nine of each.
func (s *Server) Offers() []Offer { return slices.Clone(s.goods) }

func catalogue() []Offer {
	kinds := []struct {
		zh, en string
		fen    int
	}{{"饼干", "biscuits", 1250}, {"连衣裙", "dress", 8900}, {"杯子", "cup", 640}, {"背包", "backpack", 5575}, {"台灯", "desk lamp", 4300}}
	var all []Offer
	for k, kind := range kinds {
		for n := range 9 {
			i := int64(len(all))
			all = append(all, Offer{
				ID: OfferID + i, SpecID: fmt.Sprintf("%032x", OfferID+i), SKU: 4000000000000 + i,
				Subject: fmt.Sprintf("%s %d号", kind.zh, n+1), SubjectTrans: fmt.Sprintf("%s no. %d", kind.en, n+1),
				Price: kind.fen + 5*n, SupplierID: fmt.Sprintf("b2b-20000000%02d", k+1), category: int64(k + 1),
			})
		}
	}
	return all
}

// offer returns the goods of an id and, if it is given, a SKU.
func (s *Server) offer(id int64, spec string) *Offer {
	i := slices.IndexFunc(s.goods, func(o Offer) bool { return o.ID == id && (spec == "" || o.SpecID == spec) })
	if i < 0 {
		return nil
	}
	return &s.goods[i]
}

// maxSearchPage is the largest page of a search.
const maxSearchPage = 50

func (s *Server) keywordQuery(r *request) resiliencetest.Answer {
	q := struct {
		Keyword    string          `json:"keyword"`
		BeginPage  int             `json:"beginPage"`
		PageSize   int             `json:"pageSize"`
		Sort       string          `json:"sort"` // JSON text inside the JSON
		PriceStart string          `json:"priceStart"`
		PriceEnd   string          `json:"priceEnd"`
		Category   json.RawMessage `json:"categoryId"`
	}{BeginPage: 1, PageSize: 20}
	if err := json.Unmarshal([]byte(r.value("offerQueryParam")), &q); err != nil {
		return r.refuse("400", "offerQueryParam is no JSON object of the documented fields")
	}
	from, to, err := prices(q.PriceStart, q.PriceEnd)
	if err != nil || q.BeginPage < 1 || q.PageSize < 1 {
		return r.refuse("400", "offerQueryParam: beginPage, pageSize and prices are positive numbers")
	}
	word := strings.ToLower(q.Keyword)
	found := slices.DeleteFunc(s.Offers(), func(o Offer) bool {
		return !strings.Contains(o.Subject, q.Keyword) && !strings.Contains(strings.ToLower(o.SubjectTrans), word) ||
			float64(o.Price) < from || float64(o.Price) > to ||
			len(q.Category) > 0 && strings.Trim(string(q.Category), `"`) != strconv.FormatInt(o.category, 10)
	})
	if !sortOffers(found, q.Sort) {
		return r.refuse("400", `offerQueryParam: sort is JSON text such as {"price":"asc"}`)
	}
	size := min(q.PageSize, maxSearchPage)
	data := []any{}
	for _, o := range page(found, q.BeginPage, size) {
		data = append(data, o.found())
	}
	return ok(map[string]any{"result": map[string]any{
		"success": true, "code": "200", "message": "操作成功",
		"result": map[string]any{
			"totalRecords": len(found), "totalPage": (len(found) + size - 1) / size, "pageSize": size, "currentPage": q.BeginPage,
			"data": data,
		},
	}})
}

// prices returns the bounds of a search in fen; they come in yuan, as text.
func prices(start, end string) (from, to float64, err error) {
	to = 1e9
	if start != "" {
		if from, err = strconv.ParseFloat(start, 64); err != nil {
			return 0, 0, err
		}
	}
	if end != "" {
		to, err = strconv.ParseFloat(end, 64)
	}
	return from * 100, to * 100, err
}

// sortOffers sorts by price as the JSON text says, and reports whether it could be read.
func sortOffers(offers []Offer, text string) bool {
	if text == "" {
		return true
	}
	var by map[string]string
	if err := json.Unmarshal([]byte(text), &by); err != nil {
		return false
	}
	switch by["price"] {
	case "asc":
		slices.SortStableFunc(offers, func(a, b Offer) int { return cmp.Compare(a.Price, b.Price) })
	case "desc":
		slices.SortStableFunc(offers, func(a, b Offer) int { return cmp.Compare(b.Price, a.Price) })
	}
	return true
}

// page cuts page number, counted from 1, out of all.
func page[T any](all []T, number, size int) []T {
	from := min(len(all), (number-1)*size)
	return all[from:min(len(all), from+size)]
}

// found is an offer as a search writes it: prices are text, in yuan.
func (o *Offer) found() map[string]any {
	yuan := yuanText(o.Price)
	return map[string]any{
		"offerId": o.ID, "subject": o.Subject, "subjectTrans": o.SubjectTrans,
		"imageUrl":  fmt.Sprintf("https://img.example/%d.jpg", o.ID),
		"priceInfo": map[string]any{"price": yuan, "consignPrice": yuan}, "repurchaseRate": "10%", "monthSold": 100,
		"isJxhy": false, "isOnePsale": true, "sellerIdentities": []string{"tp_member"}, "offerIdentities": []string{}, "tradeScore": "5.0",
		"topCategoryId": o.category, "isPatentProduct": false, "isSelect": false, "minOrderQuantity": 1,
		"createDate": "2024-01-01 12:00:00", "modifyDate": "2024-06-01 12:00:00",
		"sellerDataInfo":            map[string]any{"tradeMedalLevel": "5", "tpYear": 3},
		"productSimpleShippingInfo": map[string]any{"shippingTimeGuarantee": "shipIn48Hours"},
	}
}

// yuanText writes fen as yuan, without needless zeros.
func yuanText(fen int) string { return strconv.FormatFloat(yuan(fen), 'f', -1, 64) }

func yuan(fen int) float64 { return float64(fen) / 100 }
