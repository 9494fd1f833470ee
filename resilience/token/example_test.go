package token_test

import (
	"context"
	"fmt"
	"log"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/token"
)

func ExampleCache() {
	fetched := 0
	cache, err := token.New(token.Config{
		Name: "acme",
		Fetch: func(_ context.Context, _ *resilience.Credential, _ resilience.Secret) (token.Token, error) {
			fetched++
			value := resilience.Secret(fmt.Sprintf("tok-%d", fetched))
			return token.Token{Value: value, Expires: time.Now().Add(2 * time.Hour)}, nil
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	defer cache.Close()

	ctx, cred := context.Background(), &resilience.Credential{ID: "shop-1", Account: "shop"}
	first, err := cache.Token(ctx, cred)
	if err != nil {
		log.Fatal(err)
	}
	second, err := cache.Renew(ctx, cred, first) // the platform has refused the first
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(first, second, first == second, fetched)
	// Output: REDACTED REDACTED false 2
}
