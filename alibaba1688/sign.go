package alibaba1688

import (
	"crypto/hmac"
	"crypto/sha1" //nolint:gosec // the platform's signature is HMAC-SHA1
	"encoding/hex"
	"slices"
	"strings"

	"github.com/dujiang-go/dujiang/resilience"
)

// The platform's own parameters.
const (
	paramToken     = "access_token"
	paramTimestamp = "_aop_timestamp"
	paramSignature = "_aop_signature"
)

// sign returns the signature of a call. path begins at the protocol ("param2/1/system/currentTime/1000000"); the parameters are those
// of query and form together, raw and not escaped. As in the published rule, name and value are joined first and the joined texts
// sorted: sorting by name alone differs where one name begins another.
func sign(path string, params []resilience.Param, secret resilience.Secret) string {
	joined := make([]string, 0, len(params))
	for _, p := range params {
		if p.Name != paramSignature {
			joined = append(joined, p.Name+p.Value)
		}
	}
	slices.Sort(joined)
	mac := hmac.New(sha1.New, []byte(secret.Reveal()))
	mac.Write([]byte(path))
	for _, text := range joined {
		mac.Write([]byte(text))
	}
	return strings.ToUpper(hex.EncodeToString(mac.Sum(nil)))
}
