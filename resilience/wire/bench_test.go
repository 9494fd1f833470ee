package wire_test

import (
	"context"
	"encoding/json"
	"net/http"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
)

const userJSON = `{"id":1000000001,"idstr":"1000000001","screen_name":"demo","name":"demo","province":11,"city":5,` +
	`"location":"北京 朝阳区","description":"只是一个例子","url":"https://blog.example/demo","profile_image_url":` +
	`"https://tva.example/crop/1.jpg","domain":"demo","gender":"m","followers_count":1204,"friends_count":447,"statuses_count":` +
	`2908,"favourites_count":0,"created_at":"Fri Aug 28 00:00:00 +0800 2009","following":false,"allow_all_act_msg":false,` +
	`"remark":"","geo_enabled":true,"verified":false,"allow_all_comment":true,"avatar_large":"https://tva.example/180/1.jpg",` +
	`"verified_reason":"","follow_me":false,"online_status":0,"bi_followers_count":215,"unknown":{"a":[1,2,3]}}`

type user struct {
	ID             int64         `json:"id"`
	IDStr          string        `json:"idstr"`
	ScreenName     string        `json:"screen_name"`
	Name           string        `json:"name"`
	Province       wire.Int      `json:"province"`
	City           wire.Int      `json:"city"`
	Location       string        `json:"location"`
	Description    string        `json:"description"`
	FollowersCount int64         `json:"followers_count"`
	StatusesCount  int64         `json:"statuses_count"`
	CreatedAt      wire.RubyTime `json:"created_at"`
	Following      bool          `json:"following"`
	Verified       wire.Bool     `json:"verified"`
	Remark         string        `json:"remark"`
}

type showRequest struct {
	UID        *int64
	ScreenName string
}

func (r *showRequest) Encode(e *wire.Encoder) {
	if r == nil {
		return
	}
	if r.UID != nil {
		e.Query("uid", wire.Text(*r.UID))
	}
	if r.ScreenName != "" {
		e.Query("screen_name", r.ScreenName)
	}
}

var opShow = &resilience.Operation{
	Platform: "acme", ID: "users/show", HTTPMethod: "GET", Path: "/2/users/show.json", Scope: resilience.Read, Idempotent: true,
}

var acme = &wire.Envelope{Code: []string{"error_code"}, Message: []string{"error"}, RequestID: []string{"request"}}

// canned is a chain that makes the attempt's request, classifies the body and sends nothing.
type canned struct {
	body     []byte
	envelope *wire.Envelope
}

func (c canned) Do(ctx context.Context, call *resilience.Call) (*resilience.Response, error) {
	if _, err := wire.NewOutgoing("https://api.example", call.Op, &call.Request).HTTP(ctx); err != nil {
		return nil, err
	}
	v := c.envelope.Classify(call.Op, nil, 200, nil, c.body, time.Time{})
	return &resilience.Response{Status: 200, Body: c.body, Class: v.Rule.Class}, nil
}

func BenchmarkDo(b *testing.B) {
	chain := canned{[]byte(userJSON), acme}
	b.ReportAllocs()
	for b.Loop() {
		if _, err := wire.Do[user](b.Context(), chain, opShow, &showRequest{UID: new(int64(1000000001))}, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClassify(b *testing.B) {
	body := []byte(userJSON)
	b.SetBytes(int64(len(body)))
	b.ReportAllocs()
	for b.Loop() {
		acme.Classify(opShow, nil, 200, http.Header{}, body, time.Time{})
	}
}

func BenchmarkDecode(b *testing.B) {
	body := []byte(userJSON)
	b.Run("ours", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			var u user
			if faults, err := wire.Decode(body, &u); err != nil || faults != nil {
				b.Fatal(faults, err)
			}
		}
	})
	b.Run("encoding-json", func(b *testing.B) {
		b.SetBytes(int64(len(body)))
		b.ReportAllocs()
		for b.Loop() {
			var u user
			if err := json.Unmarshal(body, &u); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkHTTP(b *testing.B) {
	req := &resilience.Request{Form: []resilience.Param{{Name: "status", Value: "今天 https://shop.example/?a=1&b=2"}}}
	op := &resilience.Operation{Platform: "acme", ID: "statuses/share", HTTPMethod: "POST", Path: "/2/statuses/share.json"}
	b.ReportAllocs()
	for b.Loop() {
		o := wire.NewOutgoing("https://api.example", op, req)
		if _, err := o.HTTP(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}
