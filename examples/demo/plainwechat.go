package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/dujiang-go/dujiang/wechat/wechattest"
)

// A plainWechat calls with net/http alone.
type plainWechat struct {
	srv       *wechattest.Server
	token     string
	transport *http.Transport
}

func newPlainWechat(t *testing.T, srv *wechattest.Server) *plainWechat {
	client := wechatClient(t, srv)
	defer func() { _ = client.Close() }()
	got, err := client.Auth.StableToken(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return &plainWechat{srv: srv, token: got.AccessToken.Reveal(), transport: srv.Transport()}
}

func (p *plainWechat) close() { p.transport.CloseIdleConnections() }

// send sends a message and takes HTTP 200 for success.
func (p *plainWechat) send(ctx context.Context, content string) error {
	body := fmt.Sprintf(`{"touser":%q,"msgtype":"text","text":{"content":%q}}`, follower, content)
	answer, err := p.call(ctx, http.MethodPost, "/cgi-bin/message/custom/send?", body)
	if err == nil && answer.status != http.StatusOK {
		err = fmt.Errorf("HTTP %d", answer.status)
	}
	return err
}

func (p *plainWechat) look(ctx context.Context) (plainAnswer, error) {
	return p.call(ctx, http.MethodGet, "/cgi-bin/user/info?openid="+follower+"&", "")
}

// A plainAnswer is what a program may look at.
type plainAnswer struct {
	status, code int
	wait         time.Duration // Retry-After
}

func (p *plainWechat) call(ctx context.Context, method, address, body string) (a plainAnswer, err error) {
	req, err := http.NewRequestWithContext(ctx, method, p.srv.URL()+address+"access_token="+p.token, strings.NewReader(body))
	if err != nil {
		return a, err
	}
	resp, err := p.transport.RoundTrip(req)
	if err != nil {
		return a, err
	}
	defer func() { _ = resp.Body.Close() }()
	var envelope struct {
		Code int `json:"errcode"`
	}
	_ = json.NewDecoder(resp.Body).Decode(&envelope) // a gateway's page has none
	a = plainAnswer{status: resp.StatusCode, code: envelope.Code}
	if seconds, err := strconv.Atoi(resp.Header.Get("Retry-After")); err == nil {
		a.wait = time.Duration(seconds) * time.Second
	}
	return a, nil
}
