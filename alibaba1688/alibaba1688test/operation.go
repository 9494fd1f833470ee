package alibaba1688test

import (
	"net/http"
	"strings"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

// An operation is one call that the fake knows. The table is written from the platform's documents, not from our spec, so that a
// mistake in the spec shows.
type operation struct {
	name, call  string // call: protocol/version/namespace/name
	open        bool   // unsigned
	uncounted   bool
	needsToken  bool
	shape       shape
	textSuccess bool // success is "true" or "false"
	required    []string
	act         func(*Server, *request) resiliencetest.Answer
}

func operations() []operation {
	const trade = "param2/1/com.alibaba.trade/"
	return []operation{
		{name: "alibaba.trade.getBuyerOrderList", call: trade + "alibaba.trade.getBuyerOrderList", needsToken: true, shape: errorOnly,
			act: (*Server).listOrders},
		{name: "alibaba.trade.get.buyerView", call: trade + "alibaba.trade.get.buyerView", needsToken: true, textSuccess: true,
			required: []string{"webSite", "orderId"}, act: (*Server).getOrder},
		{name: "alibaba.createOrder.preview", call: trade + "alibaba.createOrder.preview", needsToken: true, shape: successErrorMsg,
			required: []string{"addressParam", "cargoParamList"}, act: (*Server).previewOrder},
		{name: "alibaba.trade.fastCreateOrder", call: trade + "alibaba.trade.fastCreateOrder", needsToken: true,
			shape: successCodeMessage, required: []string{"flow", "addressParam", "cargoParamList"}, act: (*Server).fastCreateOrder},
		{name: "alibaba.trade.createCrossOrder", call: trade + "alibaba.trade.createCrossOrder", needsToken: true,
			shape: successCodeMessage, required: []string{"flow", "addressParam", "cargoParamList"}, act: (*Server).createCrossOrder},
		{name: "alibaba.trade.cancel", call: trade + "alibaba.trade.cancel", needsToken: true,
			required: []string{"webSite", "tradeID", "cancelReason"}, act: (*Server).cancelOrder},
		{name: "alibaba.trade.getLogisticsInfos.buyerView", needsToken: true,
			call:     "param2/1/com.alibaba.logistics/alibaba.trade.getLogisticsInfos.buyerView",
			required: []string{"orderId", "webSite"}, act: (*Server).logisticsInfos},
		{name: "product.search.keywordQuery", call: "param2/1/com.alibaba.fenxiao.crossborder/product.search.keywordQuery",
			needsToken: true, shape: doubleWrapper, required: []string{"offerQueryParam"}, act: (*Server).keywordQuery},
		{name: "getToken", call: "param2/1/system.oauth2/getToken", open: true, uncounted: true,
			required: []string{"grant_type", "client_id", "client_secret"}, act: (*Server).getToken},
		{name: "getToken", call: "http/1/system.oauth2/getToken", open: true, uncounted: true,
			required: []string{"grant_type", "client_id", "client_secret"}, act: (*Server).getToken},
		{name: "postponeToken", call: "param2/1/system.oauth2/postponeToken", open: true, uncounted: true,
			required: []string{paramToken}, act: (*Server).postponeToken},
		{name: "currentTime", call: "param2/1/system/currentTime", uncounted: true, act: (*Server).currentTime},
		{name: "currentTimeMillis", call: "param2/1/system/currentTimeMillis", open: true, uncounted: true,
			act: (*Server).currentTimeMillis},
	}
}

func operationOf(call string) *operation {
	for _, op := range operations() {
		if op.call == call {
			return &op
		}
	}
	return nil
}

// operationAt returns the operation of a request's path, nil if there is none.
func operationAt(path string) *operation {
	a, _ := parse(path)
	return operationOf(a.call)
}

// target returns where a path leads to.
func (s *Server) target(path string) (address, *operation) {
	a, _ := parse(path)
	return a, operationOf(a.call)
}

func nameOf(r *http.Request) string {
	a, good := parse(r.URL.Path)
	if op := operationOf(a.call); op != nil {
		return op.name
	}
	if !good {
		return ""
	}
	return a.call
}

// opName returns how the fake calls op: "" for nil, which stands for all. The method does not matter: each call may be made by GET and
// by POST.
func opName(op *resilience.Operation) string {
	if op == nil {
		return ""
	}
	call := strings.TrimPrefix(strings.TrimPrefix(op.Path, root), "/")
	call = strings.TrimSuffix(call, "/{appKey}")
	if known := operationOf(call); known != nil {
		return known.name
	}
	return call
}

func (s *Server) currentTime(r *request) resiliencetest.Answer { return ok(compact(r.call.Time)) }

func (s *Server) currentTimeMillis(r *request) resiliencetest.Answer {
	return ok(r.call.Time.UnixMilli())
}

// china is the zone of the platform's dates.
func china() *time.Location { return time.FixedZone("CST", 8*60*60) }

// compact is how the platform writes dates: yyyyMMddHHmmssSSSZ.
func compact(t time.Time) string {
	return strings.Replace(t.In(china()).Format("20060102150405.000-0700"), ".", "", 1)
}

// parseCompact reads such a date. Go cannot read milliseconds without a dot before them.
func parseCompact(text string) (time.Time, error) {
	if len(text) > 14 {
		text = text[:14] + "." + text[14:]
	}
	return time.Parse("20060102150405.000-0700", text)
}
