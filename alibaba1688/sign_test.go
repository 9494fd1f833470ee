package alibaba1688

import (
	"math/rand/v2"
	"testing"

	"github.com/dujiang-go/dujiang/resilience"
)

const (
	timePath = "param2/1/system/currentTime/1000000"
	testKey  = "test123"
	ownKey   = "made-up-secret"
)

// signatures holds the platform's published example and vectors that were computed with two other implementations.
var signatures = []struct {
	name, path, secret string
	params             []resilience.Param
	want               string
}{
	{
		name: "the published example", path: timePath, secret: testKey,
		params: []resilience.Param{{Name: "b", Value: "2"}, {Name: "a", Value: "1"}},
		want:   "33E54F4F7B989E3E0E912D3FBD2F1A03CA7CCE88",
	},
	{
		name: "an order", path: "param2/1/com.alibaba.trade/alibaba.trade.get.buyerView/1234567", secret: ownKey,
		params: []resilience.Param{
			{Name: "webSite", Value: "1688"}, {Name: "orderId", Value: "202512345678901234"},
			{Name: "_aop_timestamp", Value: "1735689600000"}, {Name: "access_token", Value: "00000000-1111-2222-3333-444444444444"},
		},
		want: "0EDEC2BBE1F5CE67E5ECB078F5703CCDCAD00BE3",
	},
	{
		name: "Chinese text in JSON", path: "param2/1/com.alibaba.fenxiao.crossborder/product.search.keywordQuery/1234567", secret: ownKey,
		params: []resilience.Param{
			{Name: "offerQueryParam", Value: `{"keyword":"饼干","beginPage":1,"pageSize":20,"country":"en"}`},
			{Name: "_aop_timestamp", Value: "1735689600000"}, {Name: "access_token", Value: "00000000-1111-2222-3333-444444444444"},
		},
		want: "0B5627DC8400D83BC9CB1FE291EB5E4D2544C103",
	},
	{
		name: "one name begins another", path: "param2/1/test/sort/1234567", secret: ownKey,
		params: []resilience.Param{{Name: "order", Value: "z"}, {Name: "orderId", Value: "1"}},
		want:   "56332D3FEBC416585157492FCB80392E66C46005",
	},
	{
		name: "a push message has no path", secret: ownKey,
		params: []resilience.Param{{
			Name:  "message",
			Value: `{"data":{"orderId":202512345678901234},"gmtBorn":1735689600000,"msgId":210239,"type":"ORDER_BUYER_VIEW_ORDER_PAY","userInfo":"b2b-1234567"}`,
		}},
		want: "F7607A07628E123E9A7AD2F570581A7BFF79B432",
	},
	{
		name: "raw text is signed, not the escaped one", path: timePath, secret: testKey,
		params: []resilience.Param{
			{Name: "keywords", Value: "连衣裙 A+B&C=50%"}, {Name: "page", Value: "1"},
			{Name: "_aop_timestamp", Value: "1700000000000"}, {Name: "access_token", Value: "tok-A"},
		},
		want: "D03BB70A2D565A25C98A50F9B47CDE19AD76D051",
	},
	{
		name: "a stale signature is no part of the text", path: timePath, secret: testKey,
		params: []resilience.Param{
			{Name: "b", Value: "2"}, {Name: "a", Value: "1"}, {Name: "_aop_signature", Value: "OLD"},
			{Name: "access_token", Value: "tok-A"}, {Name: "_aop_timestamp", Value: "1700000000000"},
		},
		want: "462325631331EE5629E1DBDFE381E694395798F5",
	},
	{
		name: "first attempt", path: timePath, secret: testKey,
		params: []resilience.Param{{Name: "b", Value: "2"}, {Name: "access_token", Value: "tok-A"}, {Name: "_aop_timestamp", Value: "1700000000000"}},
		want:   "695FBD9E11ED917A1FA4FEC41322512D4B8A8F7E",
	},
	{
		name: "second attempt, new token, half a second later", path: timePath, secret: testKey,
		params: []resilience.Param{{Name: "b", Value: "2"}, {Name: "access_token", Value: "tok-B"}, {Name: "_aop_timestamp", Value: "1700000000500"}},
		want:   "DB5EA14B874F42F514B466EA2E875C1A7CE8C8CD",
	},
}

func TestSign(t *testing.T) {
	for _, test := range signatures {
		t.Run(test.name, func(t *testing.T) {
			for range 1000 { // in any order of the parameters
				rand.Shuffle(len(test.params), func(i, j int) { test.params[i], test.params[j] = test.params[j], test.params[i] })
				if got := sign(test.path, test.params, resilience.Secret(test.secret)); got != test.want {
					t.Fatalf("got %s, want %s", got, test.want)
				}
			}
		})
	}
}

func BenchmarkSign(b *testing.B) {
	b.ReportAllocs()
	test := signatures[1]
	for b.Loop() {
		sign(test.path, test.params, resilience.Secret(test.secret))
	}
}
