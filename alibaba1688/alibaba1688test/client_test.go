package alibaba1688test_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/dujiang-go/dujiang/alibaba1688"
	"github.com/dujiang-go/dujiang/alibaba1688/alibaba1688test"
)

// TestOptions hands the fake's options to a real client, with the lasting token and with the refresh token.
func TestOptions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		srv := alibaba1688test.NewServer()
		defer srv.Close()
		for _, key := range []alibaba1688.AppKey{srv.AppKey(), srv.RefreshingAppKey()} {
			client, err := alibaba1688.New(append(srv.Options(), alibaba1688.WithAppKey(key))...)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				got, err := client.Orders.List(t.Context(), &alibaba1688.OrdersListRequest{})
				if err != nil || got.TotalRecord != 0 {
					t.Errorf("got %+v, %v, want an empty list", got, err)
				}
				time.Sleep(alibaba1688test.TokenLife)
			}
			if err := client.Close(); err != nil {
				t.Error(err)
			}
		}
		check(t, "lists", len(srv.Calls(alibaba1688.OpOrdersList)), 4)
		check(t, "tokens fetched", len(srv.Calls(alibaba1688.OpOAuthGetToken)), 2)
	})
}
