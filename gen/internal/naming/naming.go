// Package naming turns the platforms' names into Go names: the same name gives the same result whatever stands beside it, so that a
// spec that grows renames nothing.
package naming

import (
	"fmt"
	"go/token"
	"strings"
	"unicode"
	"unicode/utf8"
)

// initialisms are the words that are written otherwise than with one capital letter.
var initialisms = map[string]string{
	"api": "API", "apis": "APIs", "appid": "AppID", "appkey": "AppKey", "cpu": "CPU", "css": "CSS", "csv": "CSV", "dns": "DNS",
	"eof": "EOF", "gif": "GIF", "gps": "GPS", "guid": "GUID", "html": "HTML", "http": "HTTP", "https": "HTTPS", "id": "ID", "ids": "IDs",
	"idstr": "IDStr", "ip": "IP", "ips": "IPs", "json": "JSON", "jpg": "JPG", "mid": "MID", "mids": "MIDs", "oauth": "OAuth",
	"oauth2": "OAuth2", "openid": "OpenID", "openids": "OpenIDs", "pdf": "PDF", "png": "PNG", "qps": "QPS", "rsa": "RSA", "sdk": "SDK",
	"sku": "SKU", "skus": "SKUs", "sms": "SMS", "spu": "SPU", "sql": "SQL", "ssl": "SSL", "tls": "TLS", "ttl": "TTL", "uid": "UID",
	"uids": "UIDs", "ui": "UI", "unionid": "UnionID", "uri": "URI", "uris": "URIs", "url": "URL", "urls": "URLs", "utf8": "UTF8",
	"uuid": "UUID", "vip": "VIP", "xml": "XML",
}

// Exported returns the exported Go name for a name on the wire: words are what separators and changes from small to capital letters
// part, initialisms are written as Go does, and what has no capital form gets an X before it: a leading digit, a letter of most
// alphabets. It is false for a name without a letter or digit, from which no Go name can be made.
//
//	screen_name -> ScreenName, idstr -> IDStr, imageUrl -> ImageURL, subItemIDString -> SubItemIDString, 1st -> X1st, \u540d -> X\u540d
func Exported(name string) (string, bool) {
	var b strings.Builder
	for _, word := range words(name) {
		b.WriteString(capitalized(word))
	}
	out := b.String()
	if out == "" {
		return "", false
	}
	if first, _ := utf8.DecodeRuneInString(out); !unicode.IsUpper(first) {
		out = "X" + out
	}
	return out, true
}

// Latin is what of a name can be typed on every keyboard: its letters and digits of ASCII, with blanks for all other letters.
func Latin(name string) string {
	return strings.Map(func(r rune) rune {
		if r >= utf8.RuneSelf {
			return ' '
		}
		return r
	}, name)
}

// Verbatim spells a name as it is on the wire, for the end of a Go name: two names are never spelled alike, unless somebody means it.
//
//	nameClash -> _nameClash, a-b -> _a_U2D_b
func Verbatim(name string) string {
	var b strings.Builder
	b.WriteByte('_')
	for _, r := range name {
		if isWord(r) || r == '_' {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_U%02X_", r)
		}
	}
	return b.String()
}

// Unexported returns the Go name of a local variable for an exported Go name, never a keyword.
//
//	UserTimeline -> userTimeline, IDs -> ids, URLLong -> urlLong
func Unexported(exported string) string {
	parts := words(exported)
	if len(parts) == 0 {
		return "x"
	}
	out := strings.ToLower(parts[0]) + strings.TrimPrefix(exported, parts[0])
	if token.IsKeyword(out) {
		out += "Value"
	}
	return out
}

// IsExported reports whether name can be the name of an exported Go declaration as it is.
func IsExported(name string) bool {
	return token.IsIdentifier(name) && token.IsExported(name)
}

// HidesService reports whether the generated client has a method of that name, behind which the service could not be reached.
func HidesService(name string) bool { return name == "Do" || name == "Stack" || name == "Close" }

// IsTag reports whether name can stand in a JSON tag of Go: encoding/json takes other names for none and goes by that of the field,
// without a word.
func IsTag(name string) bool {
	return name != "" && !strings.ContainsFunc(name, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r)
	})
}

func capitalized(word string) string {
	if special, ok := initialisms[strings.ToLower(word)]; ok {
		return special
	}
	first, size := utf8.DecodeRuneInString(word)
	return string(unicode.ToUpper(first)) + word[size:]
}

// words splits a name: "subItemIDString" is sub, Item, ID, String. Only the letters and digits that Go takes in a name are kept.
func words(name string) []string {
	var out []string
	runes := []rune(name)
	start := -1
	flush := func(end int) {
		if start >= 0 {
			out = append(out, split(runes[start:end])...)
		}
		start = -1
	}
	for i, r := range runes {
		if !isWord(r) {
			flush(i)
			continue
		}
		if start < 0 {
			start = i
		}
	}
	flush(len(runes))
	return out
}

// split parts a run of letters and digits at changes of case.
func split(run []rune) []string {
	var out []string
	start := 0
	for i := 1; i < len(run); i++ {
		if boundary(run, start, i) {
			out = append(out, string(run[start:i]))
			start = i
		}
	}
	return append(out, string(run[start:]))
}

// boundary reports whether a word begins at i: after a small letter or a digit, or as the last capital of a run of them, which belongs
// to the small letters that follow. The s of a plural initialism (IDs) does not count as such.
func boundary(run []rune, start, i int) bool {
	if !unicode.IsUpper(run[i]) {
		return false
	}
	if !unicode.IsUpper(run[i-1]) {
		return true
	}
	if i+1 >= len(run) || !unicode.IsLower(run[i+1]) {
		return false
	}
	_, plural := initialisms[strings.ToLower(string(run[start:i+2]))]
	return !plural
}

// isWord reports whether Go takes r in a name, but for the low line.
func isWord(r rune) bool { return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) }
