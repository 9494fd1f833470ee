// Command alibaba1688 places an order and reads it back.
//
//	go run ./alibaba1688                                   # against a fake on loopback
//	go run ./alibaba1688 -key KEY -secret SECRET -order ID # reads an order from 1688 itself and places nothing
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"strconv"

	"github.com/dujiang-go/dujiang/alibaba1688"
	"github.com/dujiang-go/dujiang/alibaba1688/alibaba1688test"
	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/stack"
)

func main() {
	key := flag.String("key", "", "an AppKey; without one a fake answers")
	secret := flag.String("secret", "", "the AppKey's secret")
	refresh := flag.String("refresh", "", "the member's refresh token; apps of a single user need none")
	order := flag.Int64("order", 0, "the order to read")
	flag.Parse()
	appKey := alibaba1688.AppKey{Key: *key, Secret: resilience.Secret(*secret), RefreshToken: resilience.Secret(*refresh)}
	if err := run(context.Background(), appKey, *order); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, key alibaba1688.AppKey, order int64) error {
	var opts []stack.Option
	fake := key.Key == ""
	if fake {
		srv, err := alibaba1688test.NewLoopback()
		if err != nil {
			return err
		}
		defer srv.Close()
		fmt.Println("no -key: a fake at", srv.URL(), "answers")
		opts, key = srv.Options(), srv.RefreshingAppKey()
	}
	client, err := alibaba1688.New(append(opts, alibaba1688.WithAppKey(key))...)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()

	if fake {
		if order, err = place(ctx, client); err != nil {
			return err
		}
	}
	got, err := client.Orders.Get(ctx, &alibaba1688.OrdersGetRequest{WebSite: "1688", OrderID: order})
	if err != nil {
		return err
	}
	base := got.Result.OrZero().BaseInfo.OrZero()
	fmt.Println("order", base.IDOfStr, base.Status, base.TotalAmount, "yuan, placed", base.CreateTime.Format("2006-01-02 15:04"))
	return nil
}

// place creates an order. A creation whose answer was lost is looked for by the caller's own number and not made again.
func place(ctx context.Context, client *alibaba1688.Client) (int64, error) {
	const number = "shop-1"
	created, err := client.Orders.CreateCross(ctx, &alibaba1688.OrdersCreateCrossRequest{
		Flow: "general", OutOrderID: new(number), AddressParam: &alibaba1688.FastAddress{FullName: new("demo")},
		CargoParamList: []alibaba1688.FastCargo{{OfferID: new(alibaba1688test.OfferID), Quantity: new(2.0)}},
	})
	if errors.Is(err, resilience.ErrUnknownOutcome) {
		found, err := client.Orders.List(ctx, &alibaba1688.OrdersListRequest{OutOrderID: new(number)})
		if err != nil {
			return 0, err
		}
		if len(found.Result) == 0 {
			return 0, errors.New("the order was not placed: try again")
		}
		return found.Result[0].BaseInfo.OrZero().ID, nil
	}
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(created.Result.OrZero().OrderID, 10, 64)
}
