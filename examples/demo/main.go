// Command demo shows the typed clients living through throttles, bans, outages and lost answers, beside the textbook's way of doing
// the same. Fake platforms in memory answer and count; time is virtual, so that hours are exact and pass at once.
//
//	go run ./demo
//
// It ends with exit code 1 if a promise is broken.
package main

import (
	"os"
	"testing"
	"testing/synctest"
)

func main() {
	r := &report{out: os.Stdout}
	r.header()
	// Virtual time (testing/synctest) is to be had inside a test, and testing.Main runs one in a plain program.
	scene := func(name string, play func(*testing.T, *report)) testing.InternalTest {
		return testing.InternalTest{Name: name, F: func(t *testing.T) {
			play(t, r)
			if r.broken > 0 {
				t.Fail()
			}
		}}
	}
	scenes := []testing.InternalTest{
		scene("Weibo", sceneWeibo), scene("1688", sceneTrade), scene("WeChat", sceneWechat),
		{Name: "Sum", F: func(*testing.T) { r.sum() }},
	}
	testing.Main(func(string, string) (bool, error) { return true, nil }, scenes, nil, nil)
}

// inBubble plays a part of a scene from the same virtual moment, with goroutines and clocks of its own.
func inBubble(t *testing.T, part func(t *testing.T)) { synctest.Test(t, part) }
