package wire_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // the child processes' zones

	"github.com/dujiang-go/dujiang/resilience/wire"
)

type dates struct {
	Ruby    wire.RubyTime    `json:"ruby"`
	Local   wire.LocalTime   `json:"local"`
	Compact wire.CompactTime `json:"compact"`
	Day     wire.CompactTime `json:"day"`
	Unix    wire.UnixTime    `json:"unix"`
}

const datesJSON = `{"ruby":"Tue May 31 17:46:55 +0800 2011","local":"2019-06-22 20:00:00","compact":"20240101120000123+0800",` +
	`"day":"20240102","unix":1698796800}`

func (d dates) utc() string {
	var out []string
	for _, at := range []time.Time{d.Ruby.Time, d.Local.Time, d.Compact.Time, d.Day.Time, d.Unix.Time} {
		out = append(out, at.UTC().Format(time.RFC3339Nano))
	}
	return strings.Join(out, " ")
}

const datesUTC = "2011-05-31T09:46:55Z 2019-06-22T12:00:00Z 2024-01-01T04:00:00.123Z 2024-01-01T16:00:00Z 2023-11-01T00:00:00Z"

func TestDates(t *testing.T) {
	got := decode[dates](t, datesJSON)
	if got.utc() != datesUTC {
		t.Errorf("got %s, want %s", got.utc(), datesUTC)
	}
	again, err := json.Marshal(got)
	if err != nil || string(again) != datesJSON {
		t.Errorf("written back as %s, %v, want %s", again, err, datesJSON)
	}
	var plain dates
	if err := json.Unmarshal([]byte(datesJSON), &plain); err != nil || plain != got {
		t.Errorf("by encoding/json: got %v, %v, want the same", plain, err)
	}
	text := got.Ruby.Text() + got.Local.Text() + got.Compact.Text() + got.Day.Text() + got.Unix.Text()
	if want := "Tue May 31 17:46:55 +0800 2011" + "2019-06-22 20:00:00" + "20240101120000123+0800" + "20240102" + "1698796800"; text != want {
		t.Errorf("as parameters: got %s, want %s", text, want)
	}
	key, err := json.Marshal(map[wire.LocalTime]int{got.Local: 1})
	if err != nil || string(key) != `{"2019-06-22 20:00:00":1}` {
		t.Errorf("as a key: got %s, %v", key, err)
	}
}

// A date without a zone belongs to the platform, not to the host.
func TestDatesOnOtherHosts(t *testing.T) {
	if os.Getenv("WIRE_DATES") != "" { // this is the other host
		t.Log("DATES", decode[dates](t, datesJSON).utc(), time.Local)
		return
	}
	for _, zone := range []string{"America/New_York", "Asia/Shanghai", "UTC"} {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.v", "-test.run=^TestDatesOnOtherHosts$")
		cmd.Env = append(os.Environ(), "WIRE_DATES=1", "TZ="+zone, "LANG=zh_CN.UTF-8", "LC_ALL=zh_CN.UTF-8")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", zone, err, out)
		}
		if !strings.Contains(string(out), "DATES "+datesUTC+" "+zone+"\n") {
			t.Errorf("%s: got %s, want %s in that zone", zone, out, datesUTC)
		}
	}
}

func TestDatesOfOtherForms(t *testing.T) {
	tests := []struct {
		name, body string
		want       string // of all five
	}{
		{"zone of its own", `{"ruby":"Wed Jan 04 18:36:27 -0500 2012"}`, "2012-01-04T23:36:27Z - - - -"},
		{"compact without milliseconds but with a zone", `{"compact":"20240101120000+0800"}`, "- - 2024-01-01T04:00:00Z - -"},
		{"compact without a zone", `{"compact":"20240101120000"}`, "- - 2024-01-01T04:00:00Z - -"},
		{"compact with milliseconds and no zone", `{"compact":"20240101120000123"}`, "- - 2024-01-01T04:00:00.123Z - -"},
		{"compact as a number", `{"day":20240102}`, "- - - 2024-01-01T16:00:00Z -"},
		{"compact in another zone", `{"compact":"20240101120000000+0000"}`, "- - 2024-01-01T12:00:00Z - -"},
		{"seconds as text", `{"unix":"1698796800"}`, "- - - - 2023-11-01T00:00:00Z"},
		{"nothing", `{"ruby":"","local":null,"compact":"","day":null,"unix":0}`, "- - - - -"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := strings.ReplaceAll(decode[dates](t, tt.body).utc(), "0001-01-01T00:00:00Z", "-")
			if got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestUnreadableDatesAreZero(t *testing.T) {
	var got dates
	body := `{"ruby":"2019-06-22 20:00:00","local":"soon","compact":"2024","day":"20241399","unix":"soon"}`
	faults, err := wire.Decode([]byte(body), &got)
	if err != nil || strings.Join(faults, " ") != "ruby local compact day unix" {
		t.Errorf("got the faults %q, %v, want all five", faults, err)
	}
	if got != (dates{}) {
		t.Errorf("got %v, want zero dates", got)
	}
	text, err := json.Marshal(got)
	if want := `{"ruby":"","local":"","compact":"","day":"","unix":0}`; err != nil || string(text) != want {
		t.Errorf("zero dates are written as %s, %v, want %s", text, err, want)
	}
	if faults, err := wire.Decode(text, &got); err != nil || faults != nil {
		t.Errorf("read back: faults %q, %v", faults, err)
	}
	for _, body := range []string{`{"compact":"20240101120000000+08"}`, `{"compact":"20240101120000xyz"}`, `{"compact":{}}`, `{"compact":"2024010112"}`} {
		if faults, err := wire.Decode([]byte(body), &got); err != nil || len(faults) != 1 {
			t.Errorf("%s: got the faults %q, %v, want one", body, faults, err)
		}
	}
}

func TestUnixTimeWritesANumber(t *testing.T) {
	text, err := wire.UnixTime{Time: time.Unix(1698796800, 5)}.MarshalText()
	if err != nil || string(text) != "1698796800" {
		t.Errorf("got %s, %v, want 1698796800", text, err)
	}
	ruby, err := wire.RubyTime{Time: time.Unix(0, 0).UTC()}.MarshalText()
	if err != nil || string(ruby) != "Thu Jan 01 00:00:00 +0000 1970" {
		t.Errorf("got %s, %v", ruby, err)
	}
	compact, err := wire.CompactTime{Time: time.Unix(0, 0).UTC()}.MarshalText()
	if err != nil || string(compact) != "19700101000000000+0000" {
		t.Errorf("got %s, %v", compact, err)
	}
}
