package alibaba1688test

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// maxOrderPage is the largest page of the order list; no document names it, public code stops there.
const maxOrderPage = 50

func (s *Server) listOrders(r *request) resiliencetest.Answer {
	number, size, good := 1, 20, true
	for name, to := range map[string]*int{"page": &number, "pageSize": &size} {
		if text := r.value(name); text != "" {
			n, err := strconv.Atoi(text)
			*to, good = n, good && err == nil && n > 0
		}
	}
	if !good {
		return r.refuse("400", "page and pageSize are numbers from 1")
	}
	match, problem := filter(r)
	if problem != "" {
		return r.refuse("400", problem)
	}
	found := []any{}
	for _, o := range slices.Backward(s.orders) {
		if o.app == r.app && match(o) {
			found = append(found, o.view(false))
		}
	}
	return ok(map[string]any{
		"result": page(found, number, min(size, maxOrderPage)), "totalRecord": len(found), "errorCode": nil, "errorMessage": nil,
	})
}

// filter reads which orders a list is to have; the text says what is wrong with the parameters.
func filter(r *request) (match func(*order) bool, problem string) {
	created, problem1 := span(r, "createStartTime", "createEndTime")
	modified, problem2 := span(r, "modifyStartTime", "modifyEndTime")
	var ids []int64
	if text := r.value("orderIds"); text != "" {
		if err := json.Unmarshal([]byte(text), &ids); err != nil {
			return nil, "orderIds is no JSON array of numbers"
		}
	}
	is := func(name, value string) bool { return r.value(name) == "" || r.value(name) == value }
	return func(o *order) bool {
		named := r.value("productName") == "" || slices.ContainsFunc(o.lines, func(l line) bool {
			return strings.Contains(l.offer.Subject, r.value("productName"))
		})
		return is("orderStatus", o.status) && is("outOrderId", o.out) && is("sellerMemberId", o.lines[0].offer.SupplierID) &&
			created(o.created) && modified(o.modified) && named && (len(ids) == 0 || slices.Contains(ids, o.id))
	}, problem1 + problem2
}

// span reads two bounds, both included.
func span(r *request, from, to string) (in func(time.Time) bool, problem string) {
	var bounds [2]time.Time
	for i, name := range []string{from, to} {
		text := r.value(name)
		if text == "" {
			continue
		}
		var err error
		if bounds[i], err = parseCompact(text); err != nil {
			return nil, name + " is no date of the form yyyyMMddHHmmssSSSZ. "
		}
	}
	return func(t time.Time) bool {
		t = t.Truncate(time.Millisecond) // what the platform's dates show
		return (bounds[0].IsZero() || !t.Before(bounds[0])) && (bounds[1].IsZero() || !t.After(bounds[1]))
	}, ""
}

// own returns the order that a call of its app asks for, nil if there is none.
func (s *Server) own(r *request, id string) *order {
	o := s.order(id)
	if o == nil || o.app != r.app {
		return nil
	}
	return o
}

// refuseOrder says that there is no such order. The platform's own code for it is not documented.
func (r *request) refuseOrder() resiliencetest.Answer { return r.refuse("400_3", "订单不存在") }

func (s *Server) getOrder(r *request) resiliencetest.Answer {
	o := s.own(r, r.value("orderId"))
	if o == nil {
		return r.refuseOrder()
	}
	view := o.view(true)
	if fields := r.value("includeFields"); fields != "" && !slices.Contains(strings.Split(fields, ","), "NativeLogistics") {
		delete(view, "nativeLogistics")
	}
	return ok(map[string]any{"result": view, "success": "true", "errorCode": nil, "errorMessage": nil})
}

func (s *Server) cancelOrder(r *request) resiliencetest.Answer {
	o := s.own(r, r.value("tradeID"))
	switch {
	case o == nil:
		return r.refuseOrder()
	case !slices.Contains([]string{"buyerCancel", "sellerGoodsLack", "other"}, r.value("cancelReason")):
		return r.refuse("400", "cancelReason is none of buyerCancel, sellerGoodsLack, other")
	case o.status != StatusWaitBuyerPay:
		return r.refuse("400_4", "only unpaid orders can be cancelled, this one is "+o.status)
	case r.call.Time.Sub(o.created) < 10*time.Second:
		return r.refuse("CLOSE_ORDER_TOO_FAST", "订单创建10秒内不能关闭")
	}
	o.status, o.closeReason, o.remark = StatusCancel, r.value("cancelReason"), r.value("remark")
	o.modified, o.stopped = r.call.Time, r.call.Time
	return ok(map[string]any{"success": true, "errorCode": nil, "errorMessage": nil})
}

func (s *Server) logisticsInfos(r *request) resiliencetest.Answer {
	o := s.own(r, r.value("orderId"))
	if o == nil {
		return r.refuseOrder()
	}
	shipments := []any{}
	if !o.shipped.IsZero() {
		shipments = append(shipments, o.shipment())
	}
	return ok(map[string]any{"result": shipments, "success": true, "errorCode": nil, "errorMessage": nil})
}
