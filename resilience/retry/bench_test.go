package retry_test

import (
	"context"
	"net/http"
	"testing"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/retry"
)

// A steady is a job whose outcomes repeat without an allocation of its own.
type steady struct {
	outcomes []retry.Outcome
	out      retry.Outcome
}

func (s *steady) Attempt(n int) *retry.Outcome {
	s.out = s.outcomes[min(n, len(s.outcomes))-1]
	return &s.out
}

func (s *steady) Gate() error { return nil }

func TestHappyPathAllocatesNothing(t *testing.T) {
	r := retry.New(retry.Config{})
	job := &steady{outcomes: []retry.Outcome{departed(resilience.OK)}}
	c, deadline := call(read), time.Now().Add(time.Hour)
	if got := testing.AllocsPerRun(1000, func() { r.Do(t.Context(), c, deadline, job) }); got != 0 {
		t.Errorf("got %v allocations, want 0", got)
	}
}

func BenchmarkDo(b *testing.B) {
	ctx := context.Background()
	throttled := departed(resilience.Throttled)
	throttled.Err = apiError(read, resilience.Throttled, 1)
	for _, bb := range []struct {
		name     string
		outcomes []retry.Outcome
	}{
		{"first try", []retry.Outcome{departed(resilience.OK)}},
		{"one repeat by another credential", []retry.Outcome{throttled, departed(resilience.OK)}},
		{"refused by class", []retry.Outcome{departed(resilience.Invalid)}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			r := retry.New(retry.Config{})
			job := &steady{outcomes: bb.outcomes}
			c, deadline := call(read), time.Now().Add(time.Hour)
			b.ReportAllocs()
			for b.Loop() {
				r.Do(ctx, c, deadline, job)
			}
		})
	}
}

// A canned transport answers with its statuses in turn.
type canned struct {
	statuses []int
	n        int
	resp     http.Response
}

func (c *canned) RoundTrip(*http.Request) (*http.Response, error) {
	c.resp.StatusCode = c.statuses[c.n%len(c.statuses)]
	c.n++
	return &c.resp, nil
}

// BenchmarkByHand is what a program without this package would do: a retryablehttp client, a request a call, a canned answer.
func BenchmarkByHand(b *testing.B) {
	for _, bb := range []struct {
		name     string
		statuses []int
	}{
		{"first try", []int{http.StatusOK}},
		{"one repeat at once", []int{http.StatusTooManyRequests, http.StatusOK}},
	} {
		b.Run(bb.name, func(b *testing.B) {
			client := retryablehttp.NewClient()
			client.Logger = nil
			client.Backoff = func(time.Duration, time.Duration, int, *http.Response) time.Duration { return 0 }
			client.HTTPClient = &http.Client{
				Transport: &canned{statuses: bb.statuses, resp: http.Response{Header: http.Header{}, Body: http.NoBody}},
			}
			ctx := context.Background()
			b.ReportAllocs()
			for b.Loop() {
				req, err := retryablehttp.NewRequestWithContext(ctx, http.MethodGet, "http://platform.invalid/things/show", nil)
				if err != nil {
					b.Fatal(err)
				}
				resp, err := client.Do(req)
				if err != nil {
					b.Fatal(err)
				}
				_ = resp.Body.Close()
			}
		})
	}
}
