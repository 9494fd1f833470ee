package bench_test

import (
	"net/http"
	"testing"

	"github.com/silenceper/wechat/v2/cache"
	"github.com/silenceper/wechat/v2/officialaccount"
	"github.com/silenceper/wechat/v2/officialaccount/config"
	"github.com/silenceper/wechat/v2/util"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// newSilenceper returns a client of github.com/silenceper/wechat that sends through rt. All clients of that package send through one
// http.Client, a variable: tests that use it are not parallel.
func newSilenceper(tb testing.TB, rt http.RoundTripper, stable bool) *officialaccount.OfficialAccount {
	tb.Helper()
	before := util.DefaultHTTPClient
	tb.Cleanup(func() { util.DefaultHTTPClient = before })
	util.DefaultHTTPClient = &http.Client{Transport: rt}
	return officialaccount.NewOfficialAccount(&config.Config{
		AppID: wechattest.AppID, AppSecret: wechattest.AppSecret, Cache: cache.NewMemory(), UseStableAK: stable,
	})
}
