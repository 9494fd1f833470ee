package alibaba1688test_test

import (
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dujiang-go/dujiang/alibaba1688/alibaba1688test"
	"github.com/dujiang-go/dujiang/resilience"
)

// The calls, below the base address and without the AppKey.
const (
	list      = "/param2/1/com.alibaba.trade/alibaba.trade.getBuyerOrderList/"
	detail    = "/param2/1/com.alibaba.trade/alibaba.trade.get.buyerView/"
	preview   = "/param2/1/com.alibaba.trade/alibaba.createOrder.preview/"
	fast      = "/param2/1/com.alibaba.trade/alibaba.trade.fastCreateOrder/"
	cross     = "/param2/1/com.alibaba.trade/alibaba.trade.createCrossOrder/"
	cancel    = "/param2/1/com.alibaba.trade/alibaba.trade.cancel/"
	logistics = "/param2/1/com.alibaba.logistics/alibaba.trade.getLogisticsInfos.buyerView/"
	search    = "/param2/1/com.alibaba.fenxiao.crossborder/product.search.keywordQuery/"
	getToken  = "/param2/1/system.oauth2/getToken/"
	postpone  = "/param2/1/system.oauth2/postponeToken/"
	clock     = "/param2/1/system/currentTime/"
)

// A caller calls the fake with plain net/http, as somebody who read the platform's documents would.
type caller struct {
	t      testing.TB
	client *http.Client
	base   string
	key    string
	secret string
	token  string
	method string
}

func newCaller(t testing.TB, srv *alibaba1688test.Server) *caller {
	t.Helper()
	return &caller{t, &http.Client{Transport: srv.Transport()}, srv.URL(), alibaba1688test.AppKey, alibaba1688test.AppSecret,
		alibaba1688test.AccessToken, http.MethodPost}
}

// with returns a caller that differs in one thing.
func (c *caller) with(change func(*caller)) *caller {
	other := *c
	change(&other)
	return &other
}

func (c *caller) as(token string) *caller { return c.with(func(c *caller) { c.token = token }) }

// An answer is what came back. Numbers in body keep their digits.
type answer struct {
	status int
	body   any
}

func (a answer) field(path string) any {
	v := a.body
	for name := range strings.SplitSeq(path, ".") {
		switch at := v.(type) {
		case map[string]any:
			v = at[name]
		case []any:
			i := 0
			if _, err := fmt.Sscan(name, &i); err != nil || i >= len(at) {
				return nil
			}
			v = at[i]
		default:
			return nil
		}
	}
	return v
}

func (a answer) text(path string) string { return fmt.Sprint(a.field(path)) }

func (a answer) len(path string) int {
	v, _ := a.field(path).([]any)
	return len(v)
}

// code returns what the answer refuses the call with, "" on success.
func (a answer) code() string {
	for _, path := range []string{"error_code", "errorCode", "code", "result.code", "error"} {
		if v, _ := a.field(path).(string); v != "" && v != "200" {
			return v
		}
	}
	return ""
}

// call signs and sends a call; params are "name=value".
func (c *caller) call(path string, params ...string) answer {
	c.t.Helper()
	form := pairs(params)
	if c.token != "" && !form.Has("access_token") {
		form.Set("access_token", c.token)
	}
	form.Set("_aop_timestamp", fmt.Sprint(time.Now().UnixMilli()))
	form.Set("_aop_signature", signature(c.secret, strings.TrimPrefix(path, "/")+c.key, form))
	return c.send(path+c.key, form)
}

func (c *caller) send(path string, form url.Values) answer {
	c.t.Helper()
	a, err := c.try(path, form)
	if err != nil {
		c.t.Fatalf("%s: %v", path, err)
	}
	return a
}

func (c *caller) try(path string, form url.Values) (answer, error) {
	var body io.Reader
	if c.method == http.MethodGet {
		path += "?" + form.Encode()
	} else {
		body = strings.NewReader(form.Encode())
	}
	req, err := http.NewRequestWithContext(context.Background(), c.method, c.base+path, body)
	if err != nil {
		return answer{}, err
	}
	if body != nil {
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=UTF-8")
	}
	resp, err := c.client.Do(req)
	if err != nil {
		return answer{}, err
	}
	defer func() { _ = resp.Body.Close() }()
	a := answer{status: resp.StatusCode}
	dec := json.NewDecoder(resp.Body)
	dec.UseNumber()
	return a, dec.Decode(&a.body)
}

// signature is the published rule, written once more.
func signature(secret, path string, form url.Values) string {
	var joined []string
	for name := range form {
		joined = append(joined, name+form.Get(name))
	}
	slices.Sort(joined)
	mac := hmac.New(sha1.New, []byte(secret))
	_, _ = io.WriteString(mac, path+strings.Join(joined, ""))
	return fmt.Sprintf("%X", mac.Sum(nil))
}

func pairs(list []string) url.Values {
	values := url.Values{}
	for _, pair := range list {
		name, value, _ := strings.Cut(pair, "=")
		values.Add(name, value)
	}
	return values
}

func start(t *testing.T, opts ...alibaba1688test.Option) (*alibaba1688test.Server, *caller) {
	t.Helper()
	srv := alibaba1688test.NewServer(opts...)
	t.Cleanup(srv.Close)
	return srv, newCaller(t, srv)
}

func check(t *testing.T, what string, got, want any) {
	t.Helper()
	if diff := cmp.Diff(fmt.Sprint(want), fmt.Sprint(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

const address = `addressParam={"fullName":"收货人","mobile":"13000000000","provinceText":"浙江省","cityText":"杭州市","address":"1号"}`

// cargo is one of the first goods and two of the second: 12.50 + 2 x 12.55 yuan.
func cargo() string {
	return fmt.Sprintf(`cargoParamList=[{"offerId":%d,"specId":"%032x","quantity":1},{"offerId":%d,"quantity":2}]`,
		alibaba1688test.OfferID, alibaba1688test.OfferID, alibaba1688test.OfferID+1)
}

// order creates an order and returns its id.
func (c *caller) order(out string) string {
	c.t.Helper()
	got := c.call(cross, "flow=general", "outOrderId="+out, "message=for "+out, address, cargo())
	if got.code() != "" {
		c.t.Fatalf("create: %v", got.body)
	}
	return got.field("result.orderId").(string)
}

func TestOrderGoesThroughItsStates(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)

		before := c.call(preview, address, cargo())
		check(t, "preview speaks fen", []any{before.text("orderPreviewResuslt.0.sumPayment"), before.text("orderPreviewResuslt.0.sumCarriage"),
			before.text("orderPreviewResuslt.0.sumPaymentNoCarriage"), before.field("success")}, []any{4360, 600, 3760, true})
		check(t, "but for its lines", []any{before.text("orderPreviewResuslt.0.cargoList.1.amount"),
			before.text("orderPreviewResuslt.0.cargoList.1.finalUnitPrice"), before.text("orderPreviewResuslt.0.cargoList.1.offerId")},
			[]any{25.1, 12.55, 554456348335})
		check(t, "a preview creates nothing", len(srv.Orders()), 0)

		created := c.call(cross, "flow=general", "outOrderId=shop-1", address, cargo())
		id := created.field("result.orderId").(string)
		check(t, "created", []any{id, created.text("result.totalSuccessAmount"), created.text("result.postFee"), created.field("success")},
			[]any{"2352424230582342934", 4360, 600, true})

		get := func() answer { return c.call(detail, "webSite=1688", "orderId="+id) }
		now := get()
		check(t, "success is a text", now.field("success"), "true")
		check(t, "ids as number and text", []any{now.text("result.baseInfo.id"), now.field("result.baseInfo.idOfStr")}, []any{id, id})
		check(t, "detail speaks yuan", []any{now.text("result.baseInfo.totalAmount"), now.text("result.baseInfo.shippingFee"),
			now.text("result.productItems.1.itemAmount"), now.text("result.productItems.1.price")}, []any{43.6, 6, 25.1, 12.55})
		check(t, "createTime", now.field("result.baseInfo.createTime"), "20000101080000000+0800")
		check(t, "line ids", []any{now.text("result.productItems.1.subItemID"), now.field("result.productItems.1.subItemIDString")},
			[]any{"2352424230582342936", "2352424230582342936"})
		check(t, "no shipment", c.call(logistics, "webSite=1688", "orderId="+id).len("result"), 0)

		steps := []struct {
			name   string
			step   func(string) error
			status string
			field  string
		}{
			{"created", func(string) error { return nil }, "waitbuyerpay", "createTime"},
			{"paid", srv.Pay, "waitsellersend", "payTime"},
			{"shipped", srv.Ship, "waitbuyerreceive", "allDeliveredTime"},
			{"received", srv.Receive, "success", "receivingTime"},
		}
		for i, tt := range steps {
			time.Sleep(time.Hour)
			if err := tt.step(id); err != nil {
				t.Fatal(err)
			}
			got := get()
			check(t, tt.name, []any{got.field("result.baseInfo.status"), srv.Orders()[0].Status}, []any{tt.status, tt.status})
			if i > 0 {
				check(t, tt.name+" at", got.field("result.baseInfo."+tt.field), fmt.Sprintf("20000101%02d0000000+0800", 9+i))
			}
			if err := tt.step(id); i > 0 && err == nil {
				t.Errorf("%s a second time: got no error", tt.name)
			}
		}
		shipped := c.call(logistics, "webSite=1688", "orderId="+id)
		check(t, "shipment", []any{shipped.field("success"), shipped.field("result.0.status"), shipped.field("result.0.orderEntryIds"),
			shipped.field("result.0.sendGoods.1.quantity"), shipped.field("result.0.receiver.receiverName")},
			[]any{true, "SIGN", "2352424230582342935,2352424230582342936", "2", "收货人"})
		check(t, "native logistics", get().field("result.nativeLogistics.logisticsItems.0.logisticsBillNo"), shipped.field("result.0.logisticsBillNo"))
		without := c.call(detail, "webSite=1688", "orderId="+id, "includeFields=RateDetail")
		check(t, "only the blocks asked for", without.field("result.nativeLogistics"), nil)
		if srv.Pay("7") == nil {
			t.Error("Pay of no order: got no error")
		}
	})
}

func TestCancel(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		id := c.order("shop-1")
		do := func() answer {
			return c.call(cancel, "webSite=1688", "tradeID="+id, "cancelReason=buyerCancel", "remark=no need")
		}
		time.Sleep(10*time.Second - time.Nanosecond)
		early := do()
		check(t, "less than ten seconds", []any{early.status, early.field("success"), early.field("errorCode")}, []any{200, false, "CLOSE_ORDER_TOO_FAST"})
		time.Sleep(time.Nanosecond)
		check(t, "ten seconds", do().field("success"), true)
		got := c.call(detail, "webSite=1688", "orderId="+id)
		check(t, "cancelled", []any{got.field("result.baseInfo.status"), got.field("result.baseInfo.closeReason"), got.field("result.baseInfo.remark")},
			[]any{"cancel", "buyerCancel", "no need"})
		check(t, "again", do().code(), "400_4")
		if srv.Pay(id) == nil {
			t.Error("Pay of a cancelled order: got no error")
		}
	})
}

func TestOrderList(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		var ids []string
		for i := range 25 {
			ids = append(ids, c.order(fmt.Sprint("shop-", i)))
			time.Sleep(time.Second)
		}
		if err := srv.Pay(ids[3]); err != nil {
			t.Fatal(err)
		}
		outs := func(params ...string) string {
			t.Helper()
			got := c.call(list, params...)
			names := []string{}
			for i := range got.len("result") {
				at := slices.Index(ids, got.field(fmt.Sprintf("result.%d.baseInfo.idOfStr", i)).(string))
				names = append(names, fmt.Sprint(at))
			}
			return fmt.Sprintf("%s of %s", strings.Join(names, " "), got.text("totalRecord"))
		}
		tests := []struct {
			name   string
			params []string
			want   string
		}{
			{"first page", nil, "24 23 22 21 20 19 18 17 16 15 14 13 12 11 10 9 8 7 6 5 of 25"},
			{"second page", []string{"page=2"}, "4 3 2 1 0 of 25"},
			{"small pages", []string{"page=9", "pageSize=3"}, "0 of 25"},
			{"past the end", []string{"page=10", "pageSize=3"}, " of 25"},
			{"by own number", []string{"outOrderId=shop-7"}, "7 of 1"},
			{"by unknown number", []string{"outOrderId=shop-99"}, " of 0"},
			{"by status", []string{"orderStatus=waitsellersend"}, "3 of 1"},
			{"by ids", []string{"orderIds=[" + ids[5] + "," + ids[9] + "]"}, "9 5 of 2"},
			{"by creation", []string{"createStartTime=20000101080004000+0800", "createEndTime=20000101080006000+0800"}, "6 5 4 of 3"},
			{"by change", []string{"modifyStartTime=20000101080024500+0800"}, "3 of 1"},
			{"by name", []string{"productName=饼干 2", "pageSize=1"}, "24 of 25"},
			{"by another name", []string{"productName=台灯"}, " of 0"},
			{"by seller", []string{"sellerMemberId=b2b-2000000001", "pageSize=1"}, "24 of 25"},
			{"by another seller", []string{"sellerMemberId=b2b-2000000002"}, " of 0"},
		}
		for _, tt := range tests {
			time.Sleep(time.Second)
			check(t, tt.name, outs(tt.params...), tt.want)
		}
		for _, bad := range []string{"page=0", "pageSize=x", "createStartTime=2000-01-01", "orderIds=7"} {
			got := c.call(list, bad)
			check(t, bad, []any{got.status, got.field("errorCode"), got.field("success")}, []any{200, "400", nil})
		}
		srv.AddApp("1000002", "another-secret")
		if err := srv.AddToken("other-token", "1000002"); err != nil {
			t.Fatal(err)
		}
		other := c.with(func(c *caller) { c.key, c.secret, c.token = "1000002", "another-secret", "other-token" })
		check(t, "another app's orders", other.call(list).text("totalRecord"), 0)
		check(t, "another app's order", other.call(detail, "webSite=1688", "orderId="+ids[0]).code(), "400_3")
	})
}

func TestCreateOrders(t *testing.T) {
	srv, c := start(t, alibaba1688test.Unlimited())
	got := c.call(fast, "flow=general", "message=quick", address, cargo())
	check(t, "fastCreateOrder", []any{got.field("success"), got.field("result.orderId"), got.text("result.totalSuccessAmount"),
		got.text("result.postFee"), got.len("result.failedOfferList")}, []any{true, "2352424230582342934", 4360, 600, 0})
	again := c.call(fast, "flow=general", "message=quick", address, cargo())
	check(t, "the same again is another order", again.field("result.orderId"), "2352424230582343034")
	check(t, "orders", len(srv.Orders()), 2)
	check(t, "message", srv.Orders()[1].Message, "quick")

	partly := c.call(cross, "flow=general", address,
		fmt.Sprintf(`cargoParamList=[{"offerId":%d,"quantity":1},{"offerId":7,"quantity":1}]`, alibaba1688test.OfferID))
	check(t, "partly failed", []any{partly.field("success"), partly.text("result.totalSuccessAmount"), partly.field("result.failedOfferList.0.offerId"),
		partly.field("result.failedOfferList.0.errorCode")}, []any{true, 1850, "7", "400_2"})

	lines := strings.Repeat(fmt.Sprintf(`{"offerId":%d,"quantity":1},`, alibaba1688test.OfferID), 51)
	many := c.call(cross, "flow=general", address, "cargoParamList=["+strings.TrimSuffix(lines, ",")+"]")
	check(t, "51 goods are two orders", []any{many.field("result.orderId"), many.field("result.totalSuccessAmount"),
		many.field("result.postFee"), many.len("result.orderList"), many.text("result.orderList.1.orderAmmount")}, []any{"", nil, nil, 2, 1850})
	check(t, "51 goods at once", c.call(fast, "flow=general", address, "cargoParamList=["+strings.TrimSuffix(lines, ",")+"]").code(), "400")

	before := len(srv.Orders())
	bad := []struct{ name, address, cargo, code string }{
		{"address is no JSON", "addressParam=here", cargo(), "400"},
		{"address is empty", "addressParam={}", cargo(), "400_1"},
		{"goods are no JSON", address, "cargoParamList=x", "400"},
		{"no goods", address, "cargoParamList=[]", "400"},
		{"unknown goods", address, `cargoParamList=[{"offerId":7,"quantity":1}]`, "400_2"},
		{"another SKU", address, fmt.Sprintf(`cargoParamList=[{"offerId":%d,"specId":"x","quantity":1}]`, alibaba1688test.OfferID), "400_2"},
		{"none of them", address, fmt.Sprintf(`cargoParamList=[{"offerId":%d,"quantity":0}]`, alibaba1688test.OfferID), "400"},
		{"two suppliers", address, fmt.Sprintf(`cargoParamList=[{"offerId":%d,"quantity":1},{"offerId":%d,"quantity":1}]`,
			alibaba1688test.OfferID, alibaba1688test.OfferID+9), "400"},
	}
	for _, tt := range bad {
		for _, call := range []struct{ path, code string }{{fast, "code"}, {cross, "code"}, {preview, "errorCode"}} {
			got := c.call(call.path, "flow=general", tt.address, tt.cargo)
			check(t, tt.name, []any{got.status, got.field("success"), got.field(call.code)}, []any{200, false, tt.code})
		}
	}
	check(t, "nothing was created", len(srv.Orders()), before)
}

func TestSearch(t *testing.T) {
	srv, c := start(t, alibaba1688test.Unlimited())
	find := func(q string) answer { return c.call(search, "offerQueryParam="+q) }
	got := find(`{"keyword":"饼干","beginPage":2,"pageSize":4,"country":"en"}`)
	check(t, "second page", []any{got.text("result.result.totalRecords"), got.text("result.result.totalPage"), got.text("result.result.currentPage"),
		got.len("result.result.data"), got.field("result.success"), got.field("result.code")}, []any{9, 3, 2, 4, true, "200"})
	check(t, "an offer", []any{got.text("result.result.data.0.offerId"), got.field("result.result.data.0.subject"), got.field("result.result.data.0.priceInfo.price")},
		[]any{alibaba1688test.OfferID + 4, "饼干 5号", "12.7"})
	check(t, "in English", find(`{"keyword":"Desk"}`).text("result.result.totalRecords"), 9)
	check(t, "everything", find(`{}`).text("result.result.totalRecords"), len(srv.Offers()))
	check(t, "past the end", find(`{"keyword":"cup","beginPage":9}`).len("result.result.data"), 0)
	check(t, "dearest first", find(`{"sort":"{\"price\":\"desc\"}"}`).field("result.result.data.0.subjectTrans"), "dress no. 9")
	check(t, "between prices", find(`{"priceStart":"12.5","priceEnd":"12.55"}`).text("result.result.totalRecords"), 2)
	check(t, "of a category", find(`{"categoryId":3}`).text("result.result.totalRecords"), 9)
	for _, bad := range []string{"x", `{"beginPage":0}`, `{"pageSize":-1}`, `{"priceStart":"cheap"}`, `{"sort":"price"}`} {
		got := find(bad)
		check(t, bad, []any{got.status, got.field("result.success"), got.field("result.code")}, []any{200, false, "400"})
	}
}

func TestGatewayRefusals(t *testing.T) {
	srv, c := start(t)
	if err := srv.AddToken("other-token", "1000002"); err == nil {
		t.Error("AddToken for an unknown AppKey: got no error")
	}
	srv.AddApp("1000002", "another-secret")
	if err := srv.AddToken("other-token", "1000002"); err != nil {
		t.Fatal(err)
	}
	signed := func(change func(url.Values)) answer {
		form := url.Values{"access_token": {c.token}, "a": {"1"}}
		form.Set("_aop_signature", signature(c.secret, strings.TrimPrefix(list, "/")+c.key, form))
		change(form)
		return c.send(list+c.key, form)
	}
	tests := []struct {
		name   string
		answer answer
		code   string
		text   string
	}{
		{"no signature", signed(func(f url.Values) { f.Del("_aop_signature") }), "gw.SignatureMissing", "Signature is missing"},
		{"lower-case signature", signed(func(f url.Values) { f.Set("_aop_signature", strings.ToLower(f.Get("_aop_signature"))) }),
			"gw.SignatureInvalid", "Invalid signature"},
		{"two signatures", signed(func(f url.Values) { f.Add("_aop_signature", "OLD") }), "gw.SignatureInvalid", "Invalid signature"},
		{"a parameter that is not signed", signed(func(f url.Values) { f.Set("b", "2") }), "gw.SignatureInvalid", "Invalid signature"},
		{"another value", signed(func(f url.Values) { f.Set("a", "2") }), "gw.SignatureInvalid", "Invalid signature"},
		{"another secret", c.with(func(c *caller) { c.secret = "x" }).call(list), "gw.SignatureInvalid", "Invalid signature"},
		{"no token", c.as("").call(list), "401", "Request need user authorized, path: /openapi" + list + c.key},
		{"unknown token", c.as("x").call(list), "401", "Request need user authorized, path: /openapi" + list + c.key},
		{"another app's token", c.as("other-token").call(list), "401", "Request need user authorized, path: /openapi" + list + c.key},
		{"no AppKey", c.with(func(c *caller) { c.key = "" }).call(list), "gw.AppKeyMissing", "AppKey is missing in the path"},
		{"unknown AppKey", c.with(func(c *caller) { c.key = "7" }).call(list), "gw.AppKeyNotFound", "AppKey is not found: 7"},
		{"unknown call", c.call("/param2/1/com.alibaba.trade/alibaba.trade.nothing/"), "gw.APIUnsupported",
			"Api is not supported, path: /openapi/param2/1/com.alibaba.trade/alibaba.trade.nothing/1000001"},
		{"another version", c.call("/param2/2/com.alibaba.trade/alibaba.trade.cancel/"), "gw.APIUnsupported",
			"Api is not supported, path: /openapi/param2/2/com.alibaba.trade/alibaba.trade.cancel/1000001"},
		{"namespace and name joined", c.call("/param2/1/com.alibaba.trade.alibaba.trade.cancel/"), "gw.APIUnsupported",
			"Api is not supported, path: /openapi/param2/1/com.alibaba.trade.alibaba.trade.cancel/1000001"},
		{"order detail without webSite", c.call(detail, "orderId=1"), "gw.ParamMissing", "Missing argument, argumentName: webSite"},
		{"order detail without orderId", c.call(detail, "webSite=1688"), "gw.ParamMissing", "Missing argument, argumentName: orderId"},
	}
	for path, required := range map[string][]string{
		preview: {address, cargo()}, fast: {"flow=general", address, cargo()}, cross: {"flow=general", address, cargo()},
		cancel: {"webSite=1688", "tradeID=1", "cancelReason=other"}, logistics: {"orderId=1", "webSite=1688"}, search: {"offerQueryParam={}"},
	} {
		// Limits are not what this is about.
		srv2, c2 := start(t, alibaba1688test.Unlimited())
		for i, missing := range required {
			name, _, _ := strings.Cut(missing, "=")
			tests = append(tests, struct {
				name   string
				answer answer
				code   string
				text   string
			}{path + " without " + name, c2.call(path, slices.Delete(slices.Clone(required), i, i+1)...), "gw.ParamMissing",
				"Missing argument, argumentName: " + name})
		}
		check(t, "orders created by refused calls", len(srv2.Orders()), 0)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			check(t, "answer", []any{tt.answer.status, tt.answer.field("error_code"), tt.answer.field("error_message")}, []any{400, tt.code, tt.text})
			if id, _ := tt.answer.field("request_id").(string); id == "" {
				t.Error("request_id is empty")
			}
		})
	}
}

func TestBusinessRefusals(t *testing.T) {
	_, c := start(t)
	id := c.order("shop-1")
	tests := []struct {
		name    string
		answer  answer
		code    string
		success any
	}{
		{"no such order", c.call(detail, "webSite=1688", "orderId=7"), "400_3", "false"},
		{"shipments of no order", c.call(logistics, "webSite=1688", "orderId=7"), "400_3", false},
		{"cancel no order", c.call(cancel, "webSite=1688", "tradeID=7", "cancelReason=other"), "400_3", false},
		{"cancel for no reason", c.call(cancel, "webSite=1688", "tradeID="+id, "cancelReason=mood"), "400", false},
	}
	for _, tt := range tests {
		check(t, tt.name, []any{tt.answer.status, tt.answer.field("errorCode"), tt.answer.field("success")}, []any{200, tt.code, tt.success})
	}
}

// TestSignatureVectors sends the published example and others through the fake's own check.
func TestSignatureVectors(t *testing.T) {
	tests := []struct {
		name, signature string
		params          map[string]string
	}{
		{"published", "33E54F4F7B989E3E0E912D3FBD2F1A03CA7CCE88", map[string]string{"b": "2", "a": "1"}},
		{"raw text", "D03BB70A2D565A25C98A50F9B47CDE19AD76D051", map[string]string{
			"keywords": "连衣裙 A+B&C=50%", "page": "1", "_aop_timestamp": "1700000000000", "access_token": "tok-A"}},
		{"token and time", "462325631331EE5629E1DBDFE381E694395798F5", map[string]string{
			"b": "2", "a": "1", "access_token": "tok-A", "_aop_timestamp": "1700000000000"}},
	}
	srv, c := start(t)
	srv.AddApp("1000000", "test123")
	for _, tt := range tests {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			t.Run(tt.name+" "+method, func(t *testing.T) {
				form := url.Values{"_aop_signature": {tt.signature}}
				for name, value := range maps.All(tt.params) {
					form.Set(name, value)
				}
				got := c.with(func(c *caller) { c.method = method }).send(clock+"1000000", form)
				if got.status != 200 {
					t.Errorf("got %d %v, want 200", got.status, got.body)
				}
				form.Set("_aop_signature", "69152734E1BCF4496610DF032D7013A53411B848") // over the encoded text
				if got := c.with(func(c *caller) { c.method = method }).send(clock+"1000000", form); got.code() != "gw.SignatureInvalid" {
					t.Errorf("wrong signature: got %v, want gw.SignatureInvalid", got.body)
				}
			})
		}
	}
	// Names are joined with values before they are sorted: orderId1 comes before orderz.
	srv.AddApp("1234567", "made-up-secret")
	form := url.Values{"order": {"z"}, "orderId": {"1"}}
	path := "param2/1/system/currentTime/1234567"
	byPieces := signature("made-up-secret", path, form)
	form.Set("_aop_signature", byPieces)
	check(t, "sort trap", c.send("/"+path, form).status, 200)
}

func TestClock(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		time.Sleep(1234 * time.Millisecond)
		check(t, "currentTime", c.call(clock).body, "20000101080001234+0800")
		check(t, "currentTimeMillis, unsigned", c.send("/param2/1/system/currentTimeMillis/1000001", nil).body, "946684801234")
	})
}

func TestTokens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		c := newCaller(t, srv)
		ask := func(params ...string) answer {
			form := pairs(append([]string{"client_id=1000001", "client_secret=made-up-secret"}, params...))
			for name, values := range form { // a later value replaces
				form[name] = values[len(values)-1:]
			}
			return c.send(getToken+c.key, form)
		}
		code, err := srv.Grant(alibaba1688test.AppKey)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := srv.Grant("7"); err == nil {
			t.Error("Grant for an unknown AppKey: got no error")
		}
		refusals := []struct{ name, param, word string }{
			{"secret", "client_secret=x", "invalid_client"},
			{"another app's id", "client_id=7", "invalid_client"},
			{"code", "code=x", "invalid_grant"},
			{"grant", "grant_type=password", "unsupported_grant_type"},
		}
		for _, tt := range refusals {
			got := ask("grant_type=authorization_code", "code="+code, tt.param)
			check(t, tt.name, []any{got.status, got.field("error")}, []any{400, tt.word})
		}
		check(t, "no grant_type", ask("code="+code).field("error_message"), "Missing argument, argumentName: grant_type")

		got := ask("grant_type=authorization_code", "need_refresh_token=true", "redirect_uri=default", "code="+code)
		check(t, "token", []any{got.field("expires_in"), got.field("refresh_token_timeout"), got.field("memberId"), got.field("aliId")},
			[]any{"36000", "20000702080000000+0800", alibaba1688test.MemberID, "1000000000001"})
		access, refresh := got.field("access_token").(string), got.field("refresh_token").(string)
		check(t, "a code is good once", ask("grant_type=authorization_code", "code="+code).field("error"), "invalid_grant")
		check(t, "it works", c.as(access).call(list).code(), "")

		time.Sleep(alibaba1688test.TokenLife - time.Nanosecond)
		check(t, "before ten hours are over", c.as(access).call(list).code(), "")
		time.Sleep(time.Nanosecond)
		check(t, "after ten hours", c.as(access).call(list).code(), "401")
		check(t, "the lasting token", c.call(list).code(), "")

		renewed := ask("grant_type=refresh_token", "refresh_token="+refresh)
		check(t, "refresh keeps the refresh token", []any{renewed.field("refresh_token"), renewed.field("expires_in")}, []any{nil, "36000"})
		access2 := renewed.field("access_token").(string)
		check(t, "new token", []any{access2 != access, c.as(access2).call(list).code()}, []any{true, ""})
		check(t, "by the other path", c.send("/http/1/system.oauth2/getToken/1000001", pairs([]string{"client_id=1000001",
			"client_secret=made-up-secret", "grant_type=refresh_token", "refresh_token=" + alibaba1688test.RefreshToken})).text("expires_in"), 36000)
		srv.Expire(access2)
		check(t, "expired", c.as(access2).call(list).code(), "401")

		time.Sleep(100 * 24 * time.Hour)
		late, err := srv.Grant(alibaba1688test.AppKey)
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Minute)
		check(t, "a code ages", ask("grant_type=authorization_code", "code="+late).field("error"), "invalid_grant")
		longer := c.send(postpone+c.key, pairs([]string{"client_id=1000001", "client_secret=made-up-secret",
			"refresh_token=" + refresh, "access_token=" + alibaba1688test.AccessToken}))
		newer := longer.field("refresh_token").(string)
		check(t, "postponed", []any{newer != refresh, longer.field("expires_in")}, []any{true, "36000"})
		for name, form := range map[string][]string{
			"401":            {"access_token=x"},
			"invalid_client": {"access_token=" + alibaba1688test.AccessToken, "client_id=1000001", "client_secret=x"},
			"invalid_grant":  {"access_token=" + alibaba1688test.AccessToken, "refresh_token=x"},
		} {
			check(t, "postpone", c.send(postpone+c.key, pairs(form)).code(), name)
		}
		time.Sleep(83 * 24 * time.Hour)
		check(t, "old refresh token", ask("grant_type=refresh_token", "refresh_token="+refresh).field("error"), "invalid_grant")
		check(t, "new refresh token", ask("grant_type=refresh_token", "refresh_token="+newer).code(), "")
		srv.Expire(newer)
		check(t, "ended", ask("grant_type=refresh_token", "refresh_token="+newer).field("error"), "invalid_grant")
		if err := srv.AddRefreshToken("mine", alibaba1688test.AppKey); err != nil {
			t.Fatal(err)
		}
		check(t, "given", ask("grant_type=refresh_token", "refresh_token=mine").code(), "")
	})
}

func TestFaults(t *testing.T) {
	op := func(path string) *resilience.Operation {
		return &resilience.Operation{Platform: "alibaba1688", HTTPMethod: "POST", Path: path + "{appKey}"}
	}
	srv, c := start(t, alibaba1688test.Unlimited())
	forms := []struct {
		path, code string
		status     int
		body       string
	}{
		{list, "gw.APIACLDecline", 400, `map[error_code:gw.APIACLDecline error_message:AppKey is not allowed(acl) exception: request_id:made-up-request-000001]`},
		{list, "500", 200, `map[errorCode:500 errorMessage:made-up text of 500]`},
		{detail, "500_1", 200, `map[errorCode:500_1 errorMessage:made-up text of 500_1 success:false]`},
		{cross, "500", 200, `map[code:500 message:made-up text of 500 success:false]`},
		{search, "500", 200, `map[result:map[code:500 message:made-up text of 500 success:false]]`},
		{preview, "500", 200, `map[errorCode:500 errorMsg:made-up text of 500 success:false]`},
		{cancel, "401", 400, `map[error_code:401 error_message:Request need user authorized exception: request_id:made-up-request-000002]`},
		{getToken, "invalid_grant", 400, `map[error:invalid_grant error_description:made-up text of invalid_grant]`},
	}
	for _, tt := range forms {
		srv.Fail(op(tt.path), alibaba1688test.Fault{Code: tt.code})
		got := c.call(tt.path)
		check(t, tt.path, []any{got.status, got.body}, []any{tt.status, tt.body})
	}
	srv.Fail(op(cross), alibaba1688test.Fault{Code: "gw.NoUsageLeftError", Text: "as it is said"})
	check(t, "text", c.call(cross).field("error_message"), "as it is said")
	check(t, "faults create nothing", len(srv.Orders()), 0)

	srv.Fail(op(cross), alibaba1688test.Fault{CutAfter: true})
	form := pairs([]string{"flow=general", "outOrderId=lost", address, cargo(), "access_token=" + c.token})
	form.Set("_aop_signature", signature(c.secret, strings.TrimPrefix(cross, "/")+c.key, form))
	if _, err := c.try(cross+c.key, form); !errors.Is(err, io.EOF) {
		t.Errorf("cut after acting: got %v, want EOF", err)
	}
	check(t, "the order is there", c.call(list, "outOrderId=lost").text("totalRecord"), 1)

	srv.Fail(nil, alibaba1688test.Fault{Status: 500, Body: "{}", Rate: 1})
	check(t, "outage", []any{c.call(list).status, c.call(search).status}, []any{500, 500})
	srv.Heal(nil)
	check(t, "healed", c.call(list).code(), "")

	calls := srv.Calls(op(cross))
	last := calls[len(calls)-1]
	check(t, "calls", []any{len(calls), last.App, last.Credential, last.Acted}, []any{3, "1000001", "made-up-acce…", true})
	check(t, "by the platform's path", len(srv.Calls(&resilience.Operation{Path: "/openapi" + cross + "{appKey}"})), 3)
	check(t, "all", len(srv.Calls(nil)), srv.Log().Count(""))
	unknown := op("/param2/1/com.alibaba.trade/alibaba.trade.own/")
	c.call("/param2/1/com.alibaba.trade/alibaba.trade.own/")
	check(t, "an operation that the fake does not know", len(srv.Calls(unknown)), 1)
}

func TestLoopback(t *testing.T) {
	srv, err := alibaba1688test.NewLoopback()
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	check(t, "over a socket", newCaller(t, srv).call(list).text("totalRecord"), 0)
	if srv.Listener() != nil {
		t.Error("Listener on loopback: got one, want nil")
	}
}

func TestWrongMediaType(t *testing.T) {
	_, c := start(t)
	form := url.Values{"access_token": {c.token}}
	form.Set("_aop_signature", signature(c.secret, strings.TrimPrefix(list, "/")+c.key, form))
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.base+list+c.key+"?"+form.Encode(), strings.NewReader("{}"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := c.client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	check(t, "status", resp.StatusCode, 400)
}
