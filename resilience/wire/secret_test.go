package wire_test

import (
	"encoding/json"
	"fmt"
	"html"
	"math/rand/v2"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/dujiang-go/dujiang/resilience/wire"
)

// echoes are the ways in which one sign comes back.
var echoes = []func(sign string) string{
	func(sign string) string { return sign },
	url.QueryEscape,
	url.PathEscape,
	html.EscapeString,
	func(sign string) string { return strings.ToLower(url.QueryEscape(sign)) },
	func(sign string) string {
		var b strings.Builder
		for _, c := range []byte(sign) {
			fmt.Fprintf(&b, "%%%02x", c)
		}
		return b.String()
	},
	func(sign string) string {
		text, _ := json.Marshal(sign)
		return string(text[1 : len(text)-1])
	},
	func(sign string) string { text := strconv.QuoteToASCII(sign); return text[1 : len(text)-1] },
	func(sign string) string { return fmt.Sprintf("&#%d;", []rune(sign)[0]) },
	func(sign string) string { return fmt.Sprintf("&#x%X;", []rune(sign)[0]) },
	func(sign string) string { // as ASP.NET writes JSON
		if r := []rune(sign)[0]; r < 0x10000 {
			return fmt.Sprintf(`\u%04X`, r)
		}
		return sign
	},
	func(sign string) string {
		if strings.Contains(`/"\`, sign) {
			return `\` + sign
		}
		return sign
	},
}

// TestMaskText: a secret does not come back, however each of its signs is escaped, and what stands around it stays.
func TestMaskText(t *testing.T) {
	signs := strings.Split(`aZ09-._~+/=&%<>"'\ ;#u密😀é`, "")
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var secret, echo strings.Builder
		for range 4 + rnd.IntN(12) {
			sign := signs[rnd.IntN(len(signs))]
			secret.WriteString(sign)
			at := rnd.IntN(len(echoes))
			if sign == "Z" && at == 4 {
				at = 0 // what is in lower case there is another text
			}
			echo.WriteString(echoes[at](sign))
		}
		// A secret's last sign may be a part of an escape itself, so what follows begins with a sign that none ends with.
		text := "bad key [" + echo.String() + "] of {} 你好"
		if got := wire.MaskText(text, "unused", secret.String()); got != "bad key [REDACTED] of {} 你好" {
			t.Fatalf("secret %q, echoed as %q: got %q", secret.String(), text, got)
		}
	}
}

func TestMaskTextOfSeveral(t *testing.T) {
	tests := []struct {
		name, text, want string
		secrets          []string
	}{
		{"the longer one of two that begin alike", "key-1234-long key-1234!", "REDACTED REDACTED!", []string{"key-1234", "key-1234-long"}},
		{"one inside another", "abc12345xyz", "REDACTED", []string{"12345", "abc12345xyz"}},
		{"twice, side by side", "tok1tok1", "REDACTEDREDACTED", []string{"tok1"}},
		{"a word of the mask", "REDA and more", "REDACTED and more", []string{"REDA", "ACTED"}},
		{"short ones are no secrets", "abc def", "abc def", []string{"abc", ""}},
		{"cut in the middle", "tok", "tok", []string{"tok1"}},
		{"no text", "", "", []string{"tok1"}},
		{"bytes that are no text", "a\xff\xfe\xfd\xfcb %FF%fe\xfd%FC", "aREDACTEDb REDACTED", []string{"\xff\xfe\xfd\xfc"}},
		{"escapes that are cut or broken", `%2 %zz \u00 \u00zz \x2 &#43 &#x; &; \`, `%2 %zz \u00 \u00zz \x2 &#43 &#x; &; \`, []string{"++++", "====", `\\\\`}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := wire.MaskText(tt.text, tt.secrets...); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	// Signs with two readings each have as many as 2 to their number together.
	many := strings.Repeat(`\`, 200)
	if got := wire.MaskText(many+many+"x", many); strings.Count(got, `\`) > 200 {
		t.Errorf("got %q", got)
	}
}
