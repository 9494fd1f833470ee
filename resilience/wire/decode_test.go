package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand"
	"net/netip"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"time"
	"unicode/utf8"

	"github.com/dujiang-go/dujiang/resilience"
	"github.com/dujiang-go/dujiang/resilience/wire"
	"github.com/google/go-cmp/cmp"
)

func decode[T any](t *testing.T, body string) T {
	t.Helper()
	var out T
	faults, err := wire.Decode([]byte(body), &out)
	if err != nil || faults != nil {
		t.Fatalf("Decode(%s): faults %q, %v", body, faults, err)
	}
	return out
}

// A post's id goes through everything that a program does with it.
func TestIDsStayExact(t *testing.T) {
	const id, body = "5012345678901234567", `{"id":5012345678901234567,"idstr":"5012345678901234567","mid":"5012345678901234567"}`
	type post struct {
		ID    int64   `json:"id"`
		IDStr string  `json:"idstr"`
		MID   wire.ID `json:"mid"`
	}
	p := decode[post](t, body)
	if got := fmt.Sprintf("%d %s %s", p.ID, p.IDStr, p.MID); got != id+" "+id+" "+id {
		t.Errorf("struct: got %s", got)
	}
	if n, err := p.MID.Int64(); err != nil || n != p.ID {
		t.Errorf("ID.Int64: got %d, %v, want %d", n, err, p.ID)
	}
	for _, name := range []string{"id", "idstr", "mid"} {
		generic := decode[map[string]any](t, body)
		if got := fmt.Sprint(generic[name]); got != id {
			t.Errorf("map of any, %s: logged as %s", name, got)
		}
		cached, err := json.Marshal(generic)
		if err != nil {
			t.Fatal(err)
		}
		again := decode[map[string]wire.ID](t, string(cached))
		r := build(t, "https://api.example", opShow, &resilience.Request{Query: pairs(name, wire.Text(again[name]))})
		if got := r.URL.RawQuery; got != name+"="+id {
			t.Errorf("sent on as %s", got)
		}
	}
	for _, short := range []string{`{"id":5012345678901234567}`, `{"mid":5012345678901234567}`, `{"mid":"5012345678901234567"}`} {
		p := decode[post](t, short)
		if p.ID != 5012345678901234567 && p.MID != id {
			t.Errorf("%s: got %+v", short, p)
		}
	}
	if got := decode[any](t, id); got != json.Number(id) {
		t.Errorf("any: got %v of %T", got, got)
	}
}

type inner struct {
	A wire.Int `json:"a"`
	B string   `json:"b"`
}

type everything struct {
	Int     int64               `json:"int"`
	Small   int8                `json:"small"`
	Uint    uint32              `json:"uint"`
	Float   float64             `json:"float"`
	Bool    bool                `json:"bool"`
	Text    string              `json:"text"`
	Pointer *int64              `json:"pointer"`
	Struct  inner               `json:"struct"`
	Deep    *inner              `json:"deep"`
	List    []inner             `json:"list"`
	Map     map[string]inner    `json:"map"`
	Any     any                 `json:"any"`
	Bytes   []byte              `json:"bytes"`
	Array   [2]int              `json:"array"`
	Time    time.Time           `json:"time"`
	Addr    netip.Addr          `json:"addr"`
	Raw     json.RawMessage     `json:"raw"`
	Part    wire.Raw            `json:"part"`
	Single  wire.List[inner]    `json:"single"`
	Maybe   wire.Maybe[inner]   `json:"maybe"`
	Flag    wire.Bool           `json:"flag"`
	Date    wire.RubyTime       `json:"date"`
	Skipped string              `json:"-"`
	Numbers map[string]wire.Int `json:"numbers"`
}

func TestDecodeIsPatient(t *testing.T) {
	tests := []struct {
		name, body string
		want       everything
	}{
		{"numbers as text", `{"int":"5012345678901234567","small":"-3","uint":"7","float":"1.5"}`,
			everything{Int: 5012345678901234567, Small: -3, Uint: 7, Float: 1.5}},
		{"whole numbers with a point", `{"int":5.0,"small":1e2}`, everything{Int: 5, Small: 100}},
		{"truth as number and text", `{"bool":1,"flag":"false"}`, everything{Bool: true}},
		{"text as number and truth", `{"text":12.50}`, everything{Text: "12.50"}},
		{"null everywhere", `{"int":null,"bool":null,"text":null,"pointer":null,"struct":null,"deep":null,"list":null,"map":null,"any":null,` +
			`"time":null,"single":null,"maybe":null,"flag":null,"date":null,"array":null,"bytes":null,"small":null,"uint":null,"float":null}`,
			everything{}},
		{"empty text for nothing", `{"int":"","float":"","bool":"","struct":"","list":"","map":"","single":"","maybe":"","date":"","addr":"","uint":""}`,
			everything{}},
		{"empty list for an object", `{"struct":[],"map":[],"maybe":[]}`, everything{}},
		{"empty list with blanks", `{"struct":[ ],"maybe":[ ]}`, everything{}},
		{"empty object for a list", `{"list":{},"single":{ }}`, everything{}},
		{"one entry without brackets", `{"single":{"a":1}}`, everything{Single: wire.List[inner]{{A: 1}}}},
		{"unknown fields", `{"brand_new":{"a":[1,2,{"b":null}]},"int":1}`, everything{Int: 1}},
		{"other spelling is another name", `{"INT":1,"Int":2}`, everything{}},
		{"escaped name", `{"i\u006et":3}`, everything{Int: 3}},
		{"the last of several", `{"int":1,"int":2,"list":[{"a":1},{"a":2}],"list":[{"b":"x"}]}`, everything{Int: 2, List: []inner{{B: "x"}}}},
		{"types of others", `{"time":"2024-01-01T00:00:00Z","addr":"203.0.113.9","raw":{"x": 1},"array":[1,2],"bytes":"AQI="}`,
			everything{Time: time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC), Addr: netip.MustParseAddr("203.0.113.9"),
				Raw: json.RawMessage(`{"x": 1}`), Array: [2]int{1, 2}, Bytes: []byte{1, 2}}},
		{"pointers and maps", `{"pointer":5,"deep":{"a":1},"map":{"k":{"b":"v"}},"numbers":{"x":"1","y":2}}`,
			everything{Pointer: new(int64(5)), Deep: &inner{A: 1}, Map: map[string]inner{"k": {B: "v"}},
				Numbers: map[string]wire.Int{"x": 1, "y": 2}}},
		{"parts kept as sent", `{"part": {"b" : 1}}`, everything{Part: wire.Raw(`{"b" : 1}`)}},
		{"no name for it", `{"-":"x","Skipped":"x"}`, everything{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got everything
			faults, err := wire.Decode([]byte(tt.body), &got)
			if err != nil || faults != nil {
				t.Fatalf("faults %q, %v", faults, err)
			}
			if diff := cmp.Diff(tt.want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnreadableFieldsAreNamedAndTheRestIsRead(t *testing.T) {
	body := `{"int":"many","small":300,"uint":-1,"float":"1e999","bool":"maybe","text":{"x":1},"pointer":[1],"struct":"s","deep":7,` +
		`"list":[{"a":1,"b":"one"},{"a":{},"b":"two"},5,{"a":[1],"b":[]}],"map":{"k":{"a":"x"},"":{"a":{}}},"bytes":"!","array":[1,"x"],` +
		`"time":"yesterday","addr":"nowhere","single":[{"a":1},7],"maybe":{"a":{},"b":"kept"},"flag":{},"date":"today",` +
		`"numbers":{"x":{},"y":3}}`
	var got everything
	faults, err := wire.Decode([]byte(body), &got)
	if err != nil {
		t.Fatal(err)
	}
	wantFaults := []string{
		"int", "small", "uint", "float", "bool", "text", "pointer", "struct", "deep", "list.1.a", "list.2", "list.3.a", "list.3.b",
		"map.k.a", `map."".a`, "bytes", "array", "time", "addr", "single.1", "maybe.a", "flag", "date", "numbers.x",
	}
	if diff := cmp.Diff(wantFaults, faults); diff != "" {
		t.Errorf("faults (-want +got):\n%s", diff)
	}
	want := everything{
		List: []inner{{1, "one"}, {0, "two"}, {}, {}}, Map: map[string]inner{"k": {}, "": {}}, Single: wire.List[inner]{{A: 1}, {}},
		Maybe: wire.Maybe[inner]{Value: &inner{B: "kept"}}, Numbers: map[string]wire.Int{"x": 0, "y": 3},
		Pointer: new(int64), Deep: &inner{}, Array: [2]int{1, 0},
	}
	if diff := cmp.Diff(want, got, cmp.Comparer(func(a, b netip.Addr) bool { return a == b })); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	body := `{"list":[` + strings.Repeat(`{"a":{}},`, 10_000) + `{"b":"last"}]}`
	var got everything
	faults, err := wire.Decode([]byte(body), &got)
	if err != nil || len(faults) != 100 || got.List[10_000].B != "last" {
		t.Errorf("got %d faults of %d entries, %v, want 100 and all entries", len(faults), len(got.List), err)
	}
}

// A list answer that shrinks to [] is an empty one; a list with entries where an object is due is another answer.
func TestListInThePlaceOfAnObject(t *testing.T) {
	type reposts struct {
		Reposts []inner  `json:"reposts"`
		Next    wire.Int `json:"next_cursor"`
		Total   int64    `json:"total_number"`
	}
	const usual = `{"reposts":[],"hasvisible":false,"previous_cursor":0,"next_cursor":0,"total_number":0}`
	for _, body := range []string{`[]`, ` [ ] `, usual} {
		if got := decode[reposts](t, body); len(got.Reposts) != 0 || got.Next != 0 || got.Total != 0 {
			t.Errorf("%s: got %+v, want nothing", body, got)
		}
	}
	var out reposts
	if _, err := wire.Decode([]byte(`[1,2,3]`), &out); err == nil || err.Error() != "the answer is a list of 3, want an object" {
		t.Errorf("got %v, want an error that says so", err)
	}
}

func TestTopOfAnotherKind(t *testing.T) {
	tests := []struct {
		body string
		out  any
		says string
	}{
		{`{"a":1}`, new([]inner), "the answer is an object, want a list"},
		{`"sorry"`, new(inner), "the answer is text, want an object"},
		{`12`, new(map[string]int), "the answer is 12, want an object"},
		{`{}`, new(int), "the answer is an object, want int"},
		{`{} x`, new(inner), "not JSON at byte 3 of 4"},
		{`{"a":1,}`, new(inner), "not JSON at byte 7 of 8"},
		{``, new(inner), "not JSON at byte 0 of 0"},
		{strings.Repeat(`[`, 100_000), new(any), "not JSON"},
		{strings.Repeat(`{"next":`, 100_000), new(recursive), "not JSON"},
		{`{}`, inner{}, "want a pointer"},
		{`{}`, nil, "want a pointer"},
		{`{}`, (*inner)(nil), "want a pointer"},
	}
	for _, tt := range tests {
		if _, err := wire.Decode([]byte(tt.body), tt.out); err == nil || !strings.Contains(err.Error(), tt.says) {
			t.Errorf("%.20s into %T: got %v, want an error that says %q", tt.body, tt.out, err, tt.says)
		}
	}
}

type recursive struct {
	Next *recursive           `json:"next"`
	List wire.List[recursive] `json:"list"`
	More wire.Maybe[recursive]
}

func TestRecursiveTypes(t *testing.T) {
	got := decode[recursive](t, `{"next":{"list":[{"next":{}}]},"More":{"next":{}}}`)
	if got.Next.List[0].Next == nil || got.More.Value.Next == nil {
		t.Errorf("got %+v, want all levels", got)
	}
}

type base struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
}

type Extra struct {
	Note string `json:"note"`
	Name string `json:"name"`
}

func TestEmbeddedStructs(t *testing.T) {
	type named struct {
		base
		*Extra
		Tagged Extra  `json:"tagged"`
		Name   string `json:"name"`
	}
	got := decode[named](t, `{"id":7,"name":"own","note":"n","tagged":{"note":"t"}}`)
	want := named{base: base{ID: 7}, Extra: &Extra{Note: "n"}, Tagged: Extra{Note: "t"}, Name: "own"}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(named{})); diff != "" {
		t.Errorf("answer (-want +got):\n%s", diff)
	}
	if got := decode[named](t, `{"id":7}`); got.Extra != nil {
		t.Error("an embedded pointer was made for nothing")
	}
	type dated struct{ wire.RubyTime }
	if got := decode[dated](t, `"Tue May 31 17:46:55 +0800 2011"`); got.Year() != 2011 {
		t.Errorf("got %v, want 2011", got)
	}
	anonymous := decode[struct {
		In struct {
			A wire.Int `json:"a"`
		} `json:"in"`
	}](t, `{"in":{"a":"5"}}`)
	if anonymous.In.A != 5 {
		t.Errorf("got %v, want 5", anonymous.In.A)
	}
}

func TestThreeNamesOfOneSpelling(t *testing.T) {
	type clash struct {
		One   string `json:"name_clash"`
		Two   string `json:"NameClash"`
		Three string `json:"nameClash"`
	}
	if got := decode[clash](t, `{"name_clash":"a","NameClash":"b","nameClash":"c"}`); got != (clash{"a", "b", "c"}) {
		t.Errorf("got %+v, want a, b and c apart", got)
	}
}

func TestOddBytesInText(t *testing.T) {
	type person struct {
		OpenID    string `json:"openid"`
		Nickname  string `json:"nickname"`
		Subscribe int64  `json:"subscribe_time"`
	}
	control := decode[person](t, "{\"openid\":\"o1\",\"nickname\":\"\x14demo\x07name\",\"subscribe_time\":1386216882}")
	if control != (person{"o1", "\x14demo\x07name", 1386216882}) {
		t.Errorf("control bytes: got %+v", control)
	}
	gbk := decode[person](t, "{\"nickname\":\"\xCF\xB5\xCD\xB3\xD5\x5C\",\"openid\":\"o1\"}")
	if gbk.Nickname != "\xCF\xB5\xCD\xB3\xD5\x5C" || gbk.OpenID != "o1" {
		t.Errorf("another charset: got %+v", gbk)
	}
	escapes := decode[person](t, `{"nickname":"\"\\\/\b\f\n\r\t\u4eca\ud83d\ude00\ud83dx\q\u12"}`)
	if want := "\"\\/\b\f\n\r\t今😀\uFFFDxq\uFFFD12"; escapes.Nickname != want {
		t.Errorf("escapes: got %q, want %q", escapes.Nickname, want)
	}
}

// Texts of one answer share memory: each must stay what it was, whatever came after it.
func TestTextsStayApart(t *testing.T) {
	var want struct {
		Names []string          `json:"names"`
		IDs   []wire.ID         `json:"ids"`
		Map   map[string]string `json:"map"`
		Last  wire.String       `json:"last"`
	}
	want.Map = map[string]string{}
	for i := range 300 {
		text := strings.Repeat(string(rune('a'+i%26)), i%90)
		want.Names = append(want.Names, text)
		want.IDs = append(want.IDs, wire.ID(fmt.Sprint(1000+i)))
		want.Map[fmt.Sprint("key ", i)] = text + "\n" + text
	}
	want.Last = "the end"
	body, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	got := want
	got.Names, got.IDs, got.Map, got.Last = nil, nil, nil, ""
	faults, err := wire.Decode(body, &got)
	clear(body) // no text may point into it
	if err != nil || faults != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("faults %q, %v: %s", faults, err, cmp.Diff(want, got))
	}
}

// Members come in any order, twice, and between unknown ones.
func TestMembersInAnyOrder(t *testing.T) {
	type abc struct{ A, B, C int64 }
	for body, want := range map[string]abc{
		`{"A":1,"B":2,"C":3}`:              {1, 2, 3},
		`{"C":3,"B":2,"A":1}`:              {1, 2, 3},
		`{"B":2,"C":3,"A":1}`:              {1, 2, 3},
		`{"x":0,"A":1,"y":0,"C":3,"z":{}}`: {1, 0, 3},
		`{"A":1,"A":4,"B":2,"A":5}`:        {5, 2, 0},
		`{"C":3,"C":4,"x":9}`:              {0, 0, 4},
	} {
		if got := decode[abc](t, body); got != want {
			t.Errorf("%s: got %v, want %v", body, got, want)
		}
	}
}

func TestDecodeIntoWhatIsNotEmpty(t *testing.T) {
	got := everything{List: []inner{{A: 9, B: "old"}, {B: "old"}}, Single: wire.List[inner]{{B: "old"}}, Maybe: wire.Maybe[inner]{Value: &inner{}}}
	if _, err := wire.Decode([]byte(`{"list":[{"a":1}],"single":null,"maybe":{}}`), &got); err != nil {
		t.Fatal(err)
	}
	kept := []inner{{A: 1}}
	if _, err := wire.Decode([]byte(`[]`), &kept); err != nil || len(kept) != 0 {
		t.Errorf("an empty list into %v: %v", kept, err)
	}
	if diff := cmp.Diff([]inner{{A: 1}}, got.List); diff != "" || got.Single != nil || got.Maybe.Value != nil {
		t.Errorf("got %+v, want nothing of the old\n%s", got, diff)
	}
}

// plain is what encoding/json and Decode must read alike.
type plain struct {
	I   int64             `json:"i"`
	I8  int8              `json:"i8"`
	U   uint64            `json:"u"`
	F   float64           `json:"f"`
	F32 float32           `json:"f32"`
	B   bool              `json:"b"`
	S   string            `json:"s"`
	P   *string           `json:"p"`
	PP  **int             `json:"pp"`
	L   []string          `json:"l"`
	LL  [][]int           `json:"ll"`
	M   map[string]*plain `json:"m"`
	N   *plain            `json:"n"`
	Y   []byte            `json:"y"`
	A   [3]int16          `json:"a"`
	X   struct{ Z string }
}

func TestDecodeReadsAsTheStandardLibrary(t *testing.T) {
	check := func(seed int64) bool {
		value, ok := quick.Value(reflect.TypeFor[plain](), rand.New(rand.NewSource(seed)))
		if !ok {
			t.Fatal("no value")
		}
		text, err := json.Marshal(value.Interface())
		if err != nil {
			t.Fatal(err)
		}
		var want, got plain
		if err := json.Unmarshal(text, &want); err != nil {
			t.Fatal(err)
		}
		faults, err := wire.Decode(text, &got)
		if err != nil || faults != nil {
			t.Errorf("seed %d: faults %q, %v", seed, faults, err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("seed %d: %s", seed, cmp.Diff(want, got))
		}
		return !t.Failed()
	}
	for seed := range int64(300) {
		if !check(seed) {
			return
		}
	}
}

// The oracle is encoding/json with exact numbers.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		userJSON, `{"a":[1,2.5e3,"x",null,true,{"b":{}}]}`, `[]`, `"\ud83d\ude00\ud83d"`, `{"id":5012345678901234567}`, `-0`, `1e5`, `{"":1,"a":2,"a":3}`,
		`{"list":[{"a":{}}],"maybe":[],"single":{"a":"1"},"date":"Tue May 31 17:46:55 +0800 2011"}`, "{\"text\":\"\xd5\\\"}", `{"a":1}x`, `nul`, `[1,]`,
		strings.Repeat("[", 1500), `{"int":9223372036854775808,"small":"128","uint":-0,"float":1e400}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var typed everything
		faults, err := wire.Decode(body, &typed)
		for _, fault := range faults {
			if fault == "" || err != nil {
				t.Errorf("fault %q beside %v", fault, err)
			}
		}
		var got any
		_, err = wire.Decode(body, &got)
		if !utf8.Valid(body) || len(body) > 900 || bytes.HasPrefix(body, []byte("\xef\xbb\xbf")) {
			return
		}
		var want any
		dec := json.NewDecoder(bytes.NewReader(body))
		dec.UseNumber()
		if !json.Valid(body) || dec.Decode(&want) != nil {
			return
		}
		if err != nil {
			t.Fatalf("valid JSON: %v", err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %#v, want %#v", got, want)
		}
	})
}
