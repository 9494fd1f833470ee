package alibaba1688_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/alibaba1688"
	"github.com/dujiang-go/dujiang/alibaba1688/alibaba1688test"
	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/resiliencetest"
)

func newClient(t testing.TB, srv *alibaba1688test.Server, key alibaba1688.AppKey) *alibaba1688.Client {
	t.Helper()
	client, err := alibaba1688.New(append(srv.Options(), alibaba1688.WithAppKey(key))...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close()
		srv.Close()
	})
	return client
}

func cross(n int) *alibaba1688.OrdersCreateCrossRequest {
	return &alibaba1688.OrdersCreateCrossRequest{
		Flow: "general", OutOrderID: new(fmt.Sprint("shop-", n)), AddressParam: &alibaba1688.FastAddress{FullName: new("演示 <a&b>")},
		CargoParamList: []alibaba1688.FastCargo{{OfferID: new(int64(554456348334)), Quantity: new(2.0)}},
	}
}

func place(t *testing.T, c *alibaba1688.Client, n int) int64 {
	t.Helper()
	got, err := c.Orders.CreateCross(t.Context(), cross(n))
	if err != nil {
		t.Fatal(err)
	}
	id, err := strconv.ParseInt(got.Result.OrZero().OrderID, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func state(t *testing.T, c *alibaba1688.Client, id int64) string {
	t.Helper()
	got, err := c.Orders.Get(t.Context(), &alibaba1688.OrdersGetRequest{WebSite: "1688", OrderID: id})
	if err != nil {
		t.Fatal(err)
	}
	base := got.Result.OrZero().BaseInfo.OrZero()
	if base.ID != id || base.IDOfStr != fmt.Sprint(id) {
		t.Errorf("ids %d and %s, want %d", base.ID, base.IDOfStr, id)
	}
	return base.Status
}

// calls makes each operation once; a new operation without a row fails the test.
var calls = map[*resilience.Operation]func(t *testing.T, c *alibaba1688.Client, srv *alibaba1688test.Server){
	alibaba1688.OpOrdersList: func(t *testing.T, c *alibaba1688.Client, _ *alibaba1688test.Server) {
		for n := range 5 {
			place(t, c, n)
		}
		walked := 0
		for order, err := range c.Orders.ListAll(t.Context(), &alibaba1688.OrdersListRequest{PageSize: new(int64(2))}) {
			if err != nil {
				t.Fatal(err)
			}
			if order.BaseInfo.OrZero().ID == 0 {
				t.Error("an order without its id")
			}
			walked++
		}
		got, err := c.Orders.List(t.Context(), &alibaba1688.OrdersListRequest{OutOrderID: new("shop-3")})
		if walked != 5 || err != nil || len(got.Result) != 1 {
			t.Errorf("walked over %d orders and found %+v, %v, want 5 and the one by its number", walked, got, err)
		}
	},
	alibaba1688.OpOrdersGet: func(t *testing.T, c *alibaba1688.Client, srv *alibaba1688test.Server) {
		id := place(t, c, 1)
		for _, step := range []struct {
			move func(string) error
			want string
		}{{srv.Pay, "waitsellersend"}, {srv.Ship, "waitbuyerreceive"}, {srv.Receive, "success"}} {
			if err := step.move(fmt.Sprint(id)); err != nil {
				t.Fatal(err)
			}
			if got := state(t, c, id); got != step.want {
				t.Errorf("state %s, want %s", got, step.want)
			}
		}
	},
	alibaba1688.OpOrdersPreview: func(t *testing.T, c *alibaba1688.Client, _ *alibaba1688test.Server) {
		got, err := c.Orders.Preview(t.Context(), &alibaba1688.OrdersPreviewRequest{
			AddressParam: cross(1).AddressParam, CargoParamList: cross(1).CargoParamList,
		})
		if err != nil || len(got.OrderPreviewResuslt) != 1 || got.OrderPreviewResuslt[0].SumPayment != 3100 {
			t.Errorf("got %+v, %v, want 3100 fen", got, err)
		}
	},
	alibaba1688.OpOrdersFastCreate: func(t *testing.T, c *alibaba1688.Client, _ *alibaba1688test.Server) {
		got, err := c.Orders.FastCreate(t.Context(), &alibaba1688.OrdersFastCreateRequest{
			Flow: "general", AddressParam: cross(1).AddressParam, CargoParamList: cross(1).CargoParamList,
		})
		if err != nil || got.Result.OrZero().OrderID == "" {
			t.Errorf("got %+v, %v, want an order", got, err)
		}
	},
	alibaba1688.OpOrdersCreateCross: func(t *testing.T, c *alibaba1688.Client, srv *alibaba1688test.Server) {
		id := place(t, c, 1)
		if got := state(t, c, id); got != "waitbuyerpay" {
			t.Errorf("state %s, want waitbuyerpay", got)
		}
		sent := srv.Calls(alibaba1688.OpOrdersCreateCross)[0].Params.Get("addressParam")
		if sent != `{"fullName":"演示 <a&b>"}` {
			t.Errorf("the address travelled as %s", sent)
		}
	},
	alibaba1688.OpOrdersCancel: func(t *testing.T, c *alibaba1688.Client, _ *alibaba1688test.Server) {
		id := place(t, c, 1)
		req := &alibaba1688.OrdersCancelRequest{WebSite: "1688", TradeID: id, CancelReason: "buyerCancel"}
		_, err := c.Orders.Cancel(t.Context(), req)
		if e, ok := errors.AsType[*resilience.APIError](err); !ok || e.Code != alibaba1688.CodeCloseOrderTooFast || !errors.Is(err, resilience.ErrRejected) {
			t.Errorf("at once: got %v, want CLOSE_ORDER_TOO_FAST", err)
		}
		time.Sleep(10 * time.Second)
		if got, err := c.Orders.Cancel(t.Context(), req); err != nil || !bool(got.Success) || state(t, c, id) != "cancel" {
			t.Errorf("after 10 s: got %+v, %v", got, err)
		}
	},
	alibaba1688.OpLogisticsInfos: func(t *testing.T, c *alibaba1688.Client, srv *alibaba1688test.Server) {
		id := place(t, c, 1)
		if err := errors.Join(srv.Pay(fmt.Sprint(id)), srv.Ship(fmt.Sprint(id))); err != nil {
			t.Fatal(err)
		}
		got, err := c.Logistics.Infos(t.Context(), &alibaba1688.LogisticsInfosRequest{WebSite: "1688", OrderID: id})
		if err != nil || len(got.Result) != 1 || got.Result[0].LogisticsBillNo == "" {
			t.Errorf("got %+v, %v, want one shipment", got, err)
		}
	},
	alibaba1688.OpProductsKeywordSearch: func(t *testing.T, c *alibaba1688.Client, _ *alibaba1688test.Server) {
		got, err := c.Products.KeywordSearch(t.Context(), &alibaba1688.ProductsKeywordSearchRequest{
			OfferQueryParam: &alibaba1688.KeywordOfferQueryParam{Keyword: new("饼干"), BeginPage: new(int64(1)), PageSize: new(int64(2)), Country: new("en")},
		})
		if err != nil {
			t.Fatal(err)
		}
		page := got.Result.OrZero().Result.OrZero()
		if page.TotalRecords != 9 || len(page.Data) != 2 || page.Data[0].OfferID != 554456348334 {
			t.Errorf("got %+v, want the first two of nine", page)
		}
	},
	alibaba1688.OpOAuthGetToken: func(t *testing.T, c *alibaba1688.Client, srv *alibaba1688test.Server) {
		code, err := srv.Grant(alibaba1688test.AppKey)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.OAuth.GetToken(t.Context(), &alibaba1688.OAuthGetTokenRequest{
			GrantType: "authorization_code", Code: new(code), RedirectURI: new("https://shop.example"), NeedRefreshToken: new(true),
		})
		if err != nil || got.AccessToken == "" || got.ExpiresIn != 36000 || got.RefreshToken == "" {
			t.Errorf("got %+v, %v, want a token for ten hours", got, err)
		}
		if s := fmt.Sprintf("%+v", got); strings.Contains(s, got.AccessToken.Reveal()) {
			t.Errorf("the token prints: %s", s)
		}
	},
	alibaba1688.OpOAuthPostponeToken: func(t *testing.T, c *alibaba1688.Client, _ *alibaba1688test.Server) {
		got, err := c.OAuth.PostponeToken(t.Context(), &alibaba1688.OAuthPostponeTokenRequest{AccessToken: alibaba1688test.AccessToken})
		if err != nil || got.RefreshToken == "" {
			t.Errorf("got %+v, %v, want a refresh token", got, err)
		}
	},
}

func TestEveryOperation(t *testing.T) {
	for _, op := range alibaba1688.Operations() {
		t.Run(op.ID, func(t *testing.T) {
			call := calls[op]
			if call == nil {
				t.Fatal("no test calls it")
			}
			synctest.Test(t, func(t *testing.T) {
				srv := alibaba1688test.NewServer()
				call(t, newClient(t, srv, srv.AppKey()), srv)
				if len(srv.Calls(op)) == 0 {
					t.Error("the call did not arrive")
				}
			})
		})
	}
}

// TestLostOrderIsPlacedOnce: the platform places the order and the answer is lost.
func TestLostOrderIsPlacedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		client := newClient(t, srv, srv.AppKey())
		srv.Fail(alibaba1688.OpOrdersCreateCross, alibaba1688test.Fault{CutAfter: true})
		_, err := client.Orders.CreateCross(t.Context(), cross(1), resilience.WithKey("shop-1"))
		e, ok := errors.AsType[*resilience.APIError](err)
		if !ok || !errors.Is(err, resilience.ErrUnknownOutcome) || e.Key != "shop-1" {
			t.Errorf("got %v, want ErrUnknownOutcome with the key", err)
		}
		got, err := client.Orders.List(t.Context(), &alibaba1688.OrdersListRequest{OutOrderID: new("shop-1")})
		if err != nil || len(got.Result) != 1 {
			t.Errorf("found %+v, %v, want the order once", got, err)
		}
	})
}

// TestFetchedTokensAreRenewed: a day of calls by a refresh token, and one token that ends before its time.
func TestFetchedTokensAreRenewed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		client := newClient(t, srv, srv.RefreshingAppKey())
		for hour := range 24 {
			if hour == 5 {
				used := srv.Calls(alibaba1688.OpOrdersList)
				srv.Expire(used[len(used)-1].Params.Get("access_token"))
			}
			if _, err := client.Orders.List(t.Context(), nil); err != nil {
				t.Fatalf("hour %d: %v", hour, err)
			}
			time.Sleep(time.Hour)
		}
		if n := len(srv.Calls(alibaba1688.OpOAuthGetToken)); n < 3 || n > 5 {
			t.Errorf("%d token requests in a day, want 3 to 5", n)
		}
	})
}

// TestLimitsOfANewKey: many callers at once, slow dials, a day of hunger within the windows.
func TestLimitsOfANewKey(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		srv.Listener().SetDialDelay(300 * time.Millisecond)
		client := newClient(t, srv, srv.AppKey())
		ctx, cancel := context.WithTimeout(t.Context(), 11*time.Minute)
		defer cancel()
		done := make(chan int)
		for range 30 {
			go func() {
				n := 0
				for ctx.Err() == nil {
					_, err := client.Orders.List(ctx, nil, resilience.WithTier(resilience.Sync))
					if err == nil {
						n++
						continue
					}
					if _, theirs := errors.AsType[*resilience.APIError](err); theirs {
						t.Errorf("the platform refused: %v", err)
					}
					time.Sleep(time.Second)
				}
				done <- n
			}()
		}
		served := 0
		for range 30 {
			served += <-done
		}
		times := resiliencetest.Times(srv.Calls(nil))
		if got := resiliencetest.MaxInAnyWindow(times, time.Second); got > 20 {
			t.Errorf("%d calls in a second, want at most 20", got)
		}
		if got := resiliencetest.MaxInAnyWindow(times, 5*time.Minute); got > 900 {
			t.Errorf("%d calls in five minutes, want at most 900", got)
		}
		if served < 2600 {
			t.Errorf("%d calls served in 11 minutes, want nearly 2,700", served)
		}
	})
}

func Example() {
	srv := alibaba1688test.NewServer() // a fake 1688 in memory; leave it and its options out to call 1688 itself
	defer srv.Close()
	client, err := alibaba1688.New(append(srv.Options(), alibaba1688.WithAppKey(srv.AppKey()))...)
	if err != nil {
		log.Fatal(err)
	}
	defer func() { _ = client.Close() }()

	ctx := context.Background()
	created, err := client.Orders.CreateCross(ctx, &alibaba1688.OrdersCreateCrossRequest{
		Flow: "general", OutOrderID: new("shop-1"), AddressParam: &alibaba1688.FastAddress{FullName: new("demo")},
		CargoParamList: []alibaba1688.FastCargo{{OfferID: new(int64(554456348334)), Quantity: new(2.0)}},
	})
	if errors.Is(err, resilience.ErrUnknownOutcome) {
		// It may have been placed: look for it before placing it again.
		found, err := client.Orders.List(ctx, &alibaba1688.OrdersListRequest{OutOrderID: new("shop-1")})
		fmt.Println(found, err)
		return
	}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(created.Result.OrZero().OrderID, created.Result.OrZero().TotalSuccessAmount, "fen")
	// Output: 2352424230582342934 3100 fen
}
