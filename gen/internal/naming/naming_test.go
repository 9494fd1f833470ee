package naming_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode"

	"github.com/dujiang-go/dujiang/gen/internal/naming"
)

func TestExported(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"screen_name", "ScreenName"},
		{"idstr", "IDStr"},
		{"id", "ID"},
		{"_id", "ID"},
		{"ids", "IDs"},
		{"user_ids", "UserIDs"},
		{"uid", "UID"},
		{"url_long", "URLLong"},
		{"imageUrl", "ImageURL"},
		{"idOfStr", "IDOfStr"},
		{"subItemIDString", "SubItemIDString"},
		{"subItemIDs", "SubItemIDs"},
		{"isRealName", "IsRealName"},
		{"textLength", "TextLength"},
		{"oauth2/access_token", "OAuth2AccessToken"},
		{"appKey", "AppKey"},
		{"openid", "OpenID"},
		{"alibaba.trade.get.buyerView", "AlibabaTradeGetBuyerView"},
		{"cgi-bin/message/send", "CgiBinMessageSend"},
		{"2/statuses/share", "X2StatusesShare"},
		{"customer-fn-create", "CustomerFnCreate"},
		{"3GPPFoo", "X3GPPFoo"},
		{"type", "Type"},
		{"1st", "X1st"},
		{"isOnePsale", "IsOnePsale"},
		{"HTTPServer", "HTTPServer"},
		{"sales7d", "Sales7d"},
		{"promotionURL", "PromotionURL"},
		{"name\u6f14", "Name\u6f14"},
		{"\u6f14\u793a", "X\u6f14\u793a"},
		{"\u6f14Name", "X\u6f14Name"},
		{"\u00e9tat_civil", "\u00c9tatCivil"},
		{"stra\u00dfe", "Stra\u00dfe"},
		{"\u0661st", "X\u0661st"},
	} {
		t.Run(c.in, func(t *testing.T) {
			got, ok := naming.Exported(c.in)
			if !ok || got != c.want {
				t.Errorf("Exported(%q): got %q, %v, want %q", c.in, got, ok, c.want)
			}
		})
	}
}

func TestExportedOfNothing(t *testing.T) {
	for _, in := range []string{"", "_", "...", "\u3010\u3011", "\xff"} {
		if got, ok := naming.Exported(in); ok {
			t.Errorf("Exported(%q): got %q, want none", in, got)
		}
	}
}

func TestUnexported(t *testing.T) {
	for in, want := range map[string]string{
		"UserTimeline": "userTimeline", "IDs": "ids", "URLLong": "urlLong", "Type": "typeValue", "OfferQueryParam": "offerQueryParam", "X": "x",
	} {
		if got := naming.Unexported(in); got != want {
			t.Errorf("Unexported(%q): got %q, want %q", in, got, want)
		}
	}
}

func TestVerbatim(t *testing.T) {
	for in, want := range map[string]string{
		"nameClash": "_nameClash", "name_clash": "_name_clash", "a-b": "_a_U2D_b", "": "_", "_": "__", "\u6f14 ": "_\u6f14_U20_",
	} {
		if got := naming.Verbatim(in); got != want || !naming.IsExported("X"+got) {
			t.Errorf("Verbatim(%q): got %q, want %q", in, got, want)
		}
	}
}

func TestLatin(t *testing.T) {
	for in, want := range map[string]string{"name": "name", "\u6f14 / demo": "  / demo", "\u6f14": " "} {
		if got := naming.Latin(in); got != want {
			t.Errorf("Latin(%q): got %q, want %q", in, got, want)
		}
	}
}

func FuzzExported(f *testing.F) {
	for _, seed := range []string{"screen_name", "IDs", "\u6f14", "1st", "a-b", "_", "subItemIDString"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got, ok := naming.Exported(in)
		if ok != strings.ContainsFunc(in, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			t.Errorf("Exported(%q) says %v", in, ok)
		}
		if spelled := "X" + naming.Verbatim(in); !naming.IsExported(spelled) {
			t.Errorf("Verbatim(%q): %q is no exported Go name", in, spelled)
		}
		if ok && !naming.IsExported(got) {
			t.Errorf("Exported(%q): got %q, which is no exported Go name", in, got)
		}
	})
}

// TestIsTag: encoding/json itself says which names it takes.
func TestIsTag(t *testing.T) {
	for _, name := range []string{
		"name", "a-b", "a.b", "ids[]", "$ref", "类", "名称", "1st", "_", "-", " ", "a b", "x~y{}", "é", "e\u0301",
		"it's", "名称（中文）", "a·b", "😀", `a"b`, "a`b", `a\\b`, "a,b", "a\nb", "",
	} {
		tag := reflect.StructTag(fmt.Sprintf("json:%q", name+","))
		written := reflect.New(reflect.StructOf([]reflect.StructField{{Name: "F", Type: reflect.TypeFor[int](), Tag: tag}})).Interface()
		text, err := json.Marshal(written)
		if err != nil {
			t.Fatal(err)
		}
		var fields map[string]int
		if err := json.Unmarshal(text, &fields); err != nil {
			t.Fatal(err)
		}
		if _, want := fields[name]; naming.IsTag(name) != want {
			t.Errorf("%q: got %v, and encoding/json writes %s", name, naming.IsTag(name), text)
		}
	}
}
