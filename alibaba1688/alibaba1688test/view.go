package alibaba1688test

import (
	"strconv"
	"strings"
	"time"
)

// view is an order as the platform writes it: the list has base data only, the detail all. Amounts are yuan, but for discounts.
func (o *order) view(detail bool) map[string]any {
	view := map[string]any{"baseInfo": o.baseInfo(), "productItems": o.productItems(), "tradeTerms": []any{o.tradeTerm()}}
	if !detail {
		return view
	}
	r := o.receiver
	logistics := map[string]any{
		"address": r.Address, "area": r.Area, "areaCode": r.District, "city": r.City, "contactPerson": r.FullName, "mobile": r.Mobile,
		"province": r.Province, "telephone": r.Phone, "zip": r.PostCode, "town": r.Town,
	}
	if !o.shipped.IsZero() {
		logistics["logisticsItems"] = []any{map[string]any{
			"id": o.id + orderStep - 1, "deliveredTime": compact(o.shipped), "logisticsCode": o.logisticsID(), "type": "0",
			"status": o.lineStatus(), "gmtCreate": compact(o.shipped), "gmtModified": compact(o.shipped), "carriage": yuan(postFee),
			"logisticsCompanyId": carrierID, "logisticsCompanyNo": "MADEUP", "logisticsCompanyName": carrier, "logisticsBillNo": o.bill,
			"subItemIds": o.subItems(),
		}}
	}
	view["nativeLogistics"] = logistics
	view["orderRateInfo"] = map[string]any{"buyerRateStatus": 5, "sellerRateStatus": 5}
	view["orderBizInfo"] = map[string]any{"odsCyd": false, "creditOrder": false}
	view["guaranteesTerms"] = []any{}
	view["extAttributes"] = []any{}
	view["fromEncryptOrder"] = false
	return view
}

const (
	carrier   = "made-up express"
	carrierID = 7
)

func (o *order) baseInfo() map[string]any {
	uid, _ := strconv.ParseInt(memberUID, 10, 64)
	seller := o.lines[0].offer.SupplierID
	info := map[string]any{
		"id": o.id, "idOfStr": o.idstr(), "status": o.status, "businessType": o.kind, "flowTemplateCode": o.flow, "currency": "RMB",
		"totalAmount": yuan(o.total()), "sumProductPayment": yuan(goods(o.lines)), "shippingFee": yuan(postFee), "couponFee": 0,
		"discount": 0, "refund": 0, "refundPayment": 0, "tradeType": "50060", "tradeTypeCode": "assureTrade",
		"tradeTypeDesc": "担保交易", "payTimeout": 432000, "overSeaOrder": false, "sellerOrder": false,
		"buyerID": MemberID, "buyerLoginId": loginID, "buyerUserId": uid, "sellerID": seller, "sellerLoginId": "made-up-" + seller[4:],
		"buyerFeedback": o.message, "remark": o.remark, "closeReason": o.closeReason,
		"receiverInfo": map[string]any{
			"toFullName": o.receiver.FullName, "toMobile": o.receiver.Mobile, "toPhone": o.receiver.Phone, "toPost": o.receiver.PostCode,
			"toArea":         strings.TrimSpace(strings.Join([]string{o.receiver.Province, o.receiver.City, o.receiver.Area, o.receiver.Address}, " ")),
			"toDivisionCode": o.receiver.District,
		},
	}
	for name, t := range map[string]time.Time{
		"createTime": o.created, "modifyTime": o.modified, "payTime": o.paid, "allDeliveredTime": o.shipped, "receivingTime": o.received,
		"confirmedTime": o.received, "completeTime": o.done,
	} {
		if !t.IsZero() {
			info[name] = compact(t)
		}
	}
	if !o.stopped.IsZero() {
		info["closeOperateType"] = "CLOSE_TRADE_BY_BUYER"
	}
	return info
}

func (o *order) productItems() []any {
	items := []any{}
	for i, l := range o.lines {
		id := o.lineID(i)
		items = append(items, map[string]any{
			"subItemID": id, "subItemIDString": strconv.FormatInt(id, 10), "productID": l.offer.ID, "skuID": l.offer.SKU,
			"specId": l.offer.SpecID, "name": l.offer.Subject, "price": yuan(l.offer.Price), "quantity": l.quantity,
			"itemAmount": yuan(l.amount()), "refund": 0, "entryDiscount": 0, "unit": "件", "sort": i + 1, "quantityFactor": 1,
			"status": o.status, "statusStr": o.status, "logisticsStatus": o.logisticsStatus(), "gmtCreate": compact(o.created),
			"gmtModified": compact(o.modified), "gmtPayExpireTime": o.created.In(china()).AddDate(0, 0, 5).Format(time.DateTime),
			"productImgUrl": []string{"https://img.example/" + strconv.FormatInt(l.offer.ID, 10) + ".jpg"}, "skuInfos": []any{},
			"guaranteesTerms": []any{},
		})
	}
	return items
}

func (o *order) lineID(i int) int64 { return o.id + 1 + int64(i) }

func (o *order) subItems() string {
	ids := make([]string, len(o.lines))
	for i := range o.lines {
		ids[i] = strconv.FormatInt(o.lineID(i), 10)
	}
	return strings.Join(ids, ",")
}

// logisticsStatus is 1 not shipped, 2 shipped, 3 received, 8 no shipment yet.
func (o *order) logisticsStatus() int {
	switch {
	case !o.received.IsZero():
		return 3
	case !o.shipped.IsZero():
		return 2
	case !o.paid.IsZero():
		return 1
	default:
		return 8
	}
}

func (o *order) tradeTerm() map[string]any {
	term := map[string]any{"phase": o.id, "phasAmount": yuan(o.total()), "payStatus": "1", "payWay": "1", "cardPay": false, "expressPay": false}
	switch {
	case !o.received.IsZero():
		term["payStatus"] = "6"
	case !o.paid.IsZero():
		term["payStatus"] = "2"
	case !o.stopped.IsZero():
		term["payStatus"] = "8"
	}
	if !o.paid.IsZero() {
		term["payTime"] = compact(o.paid)
	}
	return term
}

func (o *order) logisticsID() string { return "LP" + o.idstr()[4:] }

func (o *order) lineStatus() string {
	if o.received.IsZero() {
		return "TRANSPORT"
	}
	return "SIGN"
}

// shipment is how a shipped order looks to the logistics call.
func (o *order) shipment() map[string]any {
	send, lines := []any{}, []any{}
	for i, l := range o.lines {
		send = append(send, map[string]any{
			"goodName": l.offer.Subject, "quantity": strconv.FormatFloat(l.quantity, 'f', -1, 64), "unit": "件", // text here
		})
		lines = append(lines, map[string]any{
			"logisticsOrderId": o.id + orderStep - 1, "logisticsId": o.logisticsID(), "tradeOrderId": o.id,
			"tradeOrderItemId": o.lineID(i), "description": "", "quantity": l.quantity, "unit": "件", "productName": l.offer.Subject,
		})
	}
	r := o.receiver
	return map[string]any{
		"logisticsId": o.logisticsID(), "logisticsBillNo": o.bill, "orderEntryIds": o.subItems(), "status": o.lineStatus(),
		"logisticsCompanyId": strconv.Itoa(carrierID), "logisticsCompanyName": carrier, "remarks": "", "serviceFeature": "",
		"gmtSystemSend": compact(o.shipped), "sendGoods": send, "logisticsOrderGoods": lines,
		"receiver": map[string]any{
			"receiverName": r.FullName, "receiverPhone": r.Phone, "receiverMobile": r.Mobile, "receiverProvince": r.Province,
			"receiverCity": r.City, "receiverCounty": r.Area, "receiverAddress": r.Address,
		},
		"sender": map[string]any{"senderName": "made-up supplier", "senderProvince": "浙江省", "senderCity": "杭州市"},
	}
}
