package alibaba1688test

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// A wish is what the calls that create or preview orders have in common.
type wish struct {
	receiver receiver
	lines    []line
	failed   []map[string]any // goods that cannot be had
}

// wish reads address and goods. An answer refuses them.
func (s *Server) wish(r *request) (wish, *resiliencetest.Answer) {
	var w wish
	refuse := func(code, text string) (wish, *resiliencetest.Answer) { return wish{}, new(r.refuse(code, text)) }
	if err := json.Unmarshal([]byte(r.value("addressParam")), &w.receiver); err != nil {
		return refuse("400", "addressParam is no JSON object of the documented fields")
	}
	if w.receiver.AddressID == 0 && w.receiver.FullName == "" {
		return refuse("400_1", "addressParam: want an addressId, or a fullName and an address")
	}
	var cargo []struct {
		OfferID  int64   `json:"offerId"`
		SpecID   string  `json:"specId"`
		Quantity float64 `json:"quantity"`
	}
	if err := json.Unmarshal([]byte(r.value("cargoParamList")), &cargo); err != nil {
		return refuse("400", "cargoParamList is no JSON array of the documented fields")
	}
	if len(cargo) == 0 {
		return refuse("400", "cargoParamList is empty")
	}
	for _, c := range cargo {
		o := s.offer(c.OfferID, c.SpecID)
		switch {
		case o == nil:
			w.failed = append(w.failed, map[string]any{
				"offerId": strconv.FormatInt(c.OfferID, 10), "specId": c.SpecID, "errorCode": "400_2", "errorMessage": "商品已下架",
			})
		case c.Quantity <= 0 || math.IsInf(c.Quantity, 0):
			return refuse("400", fmt.Sprintf("cargoParamList: quantity %v of offer %d", c.Quantity, c.OfferID))
		case len(w.lines) > 0 && w.lines[0].offer.SupplierID != o.SupplierID:
			return refuse("400", "cargoParamList: goods of more than one supplier")
		default:
			w.lines = append(w.lines, line{offer: o, quantity: c.Quantity})
		}
	}
	if len(w.lines) == 0 {
		return refuse("400_2", "none of the goods can be ordered")
	}
	return w, nil
}

func (s *Server) previewOrder(r *request) resiliencetest.Answer {
	w, refusal := s.wish(r)
	if refusal != nil {
		return *refusal
	}
	cargo := []any{}
	for _, l := range w.lines {
		cargo = append(cargo, map[string]any{
			"amount": yuan(l.amount()), "finalUnitPrice": yuan(l.offer.Price), "specId": l.offer.SpecID, "skuId": l.offer.SKU,
			"offerId": l.offer.ID, "resultCode": "200", "message": "", "cargoPromotionList": []any{},
		})
	}
	for _, f := range w.failed {
		id, _ := strconv.ParseInt(fmt.Sprint(f["offerId"]), 10, 64)
		cargo = append(cargo, map[string]any{"offerId": id, "resultCode": f["errorCode"], "message": f["errorMessage"]})
	}
	flow := r.value("flow")
	if flow == "" {
		flow = "general"
	}
	fen := goods(w.lines) // this call speaks fen, but for its lines
	return ok(map[string]any{
		"success": true, "errorCode": nil, "errorMsg": nil, "postFeeByDescOfferList": []any{}, "consignOfferList": []any{},
		"orderPreviewResuslt": []any{map[string]any{
			"discountFee": 0, "tradeModeNameList": []string{"assureTrade", "alipay"}, "status": true, "taoSampleSinglePromotion": false,
			"sumPayment": fen + postFee, "sumCarriage": postFee, "sumPaymentNoCarriage": fen, "additionalFee": 0, "flowFlag": flow,
			"resultCode": "200", "message": "", "cargoList": cargo, "shopPromotionList": []any{},
			"tradeModelList": []any{map[string]any{"tradeWay": "assureTrade", "name": "担保交易", "tradeType": "50060", "opSupport": true}},
			"payChannelList": []any{}, "payChannelInfos": []any{},
		}},
	})
}

func (s *Server) fastCreateOrder(r *request) resiliencetest.Answer {
	w, refusal := s.wish(r)
	if refusal != nil {
		return *refusal
	}
	if len(w.lines) > maxLines {
		return r.refuse("400", fmt.Sprintf("cargoParamList: %d goods, at most %d", len(w.lines), maxLines))
	}
	o := s.place(r, w, w.lines, "cn")
	return ok(map[string]any{
		"success": true, "code": "200", "message": "",
		"result": map[string]any{
			"orderId": o.idstr(), "totalSuccessAmount": o.total(), "postFee": postFee, "failedOfferList": failed(w),
		},
	})
}

// createCrossOrder places one order, or several if there are too many goods for one. Then the fields of the one are empty.
func (s *Server) createCrossOrder(r *request) resiliencetest.Answer {
	w, refusal := s.wish(r)
	if refusal != nil {
		return *refusal
	}
	var placed []*order
	for lines := range slices.Chunk(w.lines, maxLines) {
		placed = append(placed, s.place(r, w, lines, "cb"))
	}
	result := map[string]any{"success": true, "code": "200", "message": "", "failedOfferList": failed(w)}
	if len(placed) == 1 {
		o := placed[0]
		result["orderId"], result["totalSuccessAmount"], result["postFee"] = o.idstr(), o.total(), postFee
		return ok(map[string]any{"success": true, "code": "200", "message": "", "result": result})
	}
	list := []any{}
	for _, o := range placed {
		list = append(list, map[string]any{
			"orderId": o.idstr(), "postFee": postFee, "orderAmmount": o.total(), "success": true, "resultCode": "200", "message": "",
			"discount": 0, "payChannel": "alipay", "mergePay": false, "chooseFreeFreight": false,
		})
	}
	result["orderId"], result["totalSuccessAmount"], result["postFee"], result["orderList"] = "", nil, nil, list
	return ok(map[string]any{"success": true, "code": "200", "message": "", "result": result})
}

func failed(w wish) []map[string]any {
	if w.failed == nil {
		return []map[string]any{}
	}
	return w.failed
}

// place makes an order. Nothing keeps two alike apart: the platform has no check for doubled ones.
func (s *Server) place(r *request, w wish, lines []line, kind string) *order {
	now := r.call.Time
	o := &order{
		id: firstOrder + int64(len(s.orders))*orderStep, out: r.value("outOrderId"), flow: r.value("flow"), message: r.value("message"),
		kind: kind, app: r.app, receiver: w.receiver, lines: lines, status: StatusWaitBuyerPay, created: now, modified: now,
	}
	s.orders = append(s.orders, o)
	return o
}
