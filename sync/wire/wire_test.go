// SPDX-License-Identifier: Apache-2.0

package wire_test

import (
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"

	"boardd/sync/wire"
)

// contractGame has every field of section 3 of the contract, spelled by hand.
const contractGame = `{"schema":1,"game":"g1","variant":"chess","options":{"takeback":"free"},
"seats":{"white":"north","black":"south"},"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
"moves":["e2e4"],"san":["e4"],"fen":"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1","turn":"black","check":false,
"outcome":"","reason":"","legal":["e7e5"],"clock":{"white_ms":1000,"black_ms":2000,"running":"black"},
"wood":{"ply":0,"state":"executing","squares":[{"square":"e2","deck":"lower","want":["P"],"see":2}],"choices":[]},
"later":{"unknown":[1,2,3]}}`

func TestGameIsReadAndWrittenBack(t *testing.T) {
	g, err := wire.DecodeGame([]byte(contractGame))
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	var want, got map[string]any
	if err := json.Unmarshal([]byte(contractGame), &want); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(out, &got); err != nil {
		t.Fatal(err)
	}
	delete(want, "later")
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
}

func TestNothingIsNullButTheClock(t *testing.T) {
	g := wire.Game{Wood: wire.Wood{Squares: []wire.Touch{{Square: "e2"}}}}
	out, err := json.Marshal(&g)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(out), "null"); n != 1 || !strings.Contains(string(out), `"clock":null`) {
		t.Errorf("got %s, want null for the clock alone", out)
	}
	out, err = json.Marshal(wire.Health{})
	if err != nil || strings.Contains(string(out), "null") {
		t.Errorf("health: got %s, %v, want no null", out, err)
	}
}

func TestOptionsTakeTextNumbersAndTruth(t *testing.T) {
	c, err := wire.DecodeCommand([]byte(`{"id":"1","do":"new","variant":"chess","options":{"a":"x","b":true,"c":3},"clock":null}`))
	if err != nil {
		t.Fatal(err)
	}
	if want := (wire.Options{"a": "x", "b": "true", "c": "3"}); !reflect.DeepEqual(c.Options, want) {
		t.Errorf("got %v, want %v", c.Options, want)
	}
}

// refused is a message that must be refused, and a word that the error must contain.
type refused struct{ name, payload, want string }

func TestGamesThatAreRefused(t *testing.T) {
	with := func(old, new string) string {
		if !strings.Contains(contractGame, old) {
			t.Fatalf("%s is not in the sample", old)
		}
		return strings.Replace(contractGame, old, new, 1)
	}
	checkRefused(t, func(p []byte) error { _, err := wire.DecodeGame(p); return err }, []refused{
		{"empty", ``, "object"},
		{"list", `[]`, "object"},
		{"null", `null`, "object"},
		{"cut", contractGame[:100], "breaks off"},
		{"trailing", contractGame + "{}", `"{}" stands behind it`},
		{"not UTF-8", with("g1", "g\xff"), "UTF-8"},
		{"deep", with(`[1,2,3]`, strings.Repeat("[", 50)+strings.Repeat("]", 50)), "deeper than 8"},
		{"long", with(`[1,2,3]`, `"`+strings.Repeat("x", wire.MaxGame)+`"`), "at most 524288"},
		{"other schema", with(`"schema":1`, `"schema":2`), "this version reads 1"},
		{"no id", with(`"game":"g1"`, `"game":""`), "game: missing"},
		{"line feed in the id", with(`"g1"`, `"g\n1"`), "cannot be printed"},
		{"moves no list", with(`["e2e4"]`, `"e2e4"`), `field "moves" is a text, want a list`},
		{"move", with(`["e2e4"]`, `["<b>e4"]`), `moves[0]: "<b>e4"`},
		{"seat", with(`"south"`, `"So uth"`), "seats.black"},
		{"san", with(`["e4"]`, `["e4","e5"]`), "2 entries for 1 move"},
		{"outcome", with(`"outcome":""`, `"outcome":"2-0"`), `"1/2-1/2"`},
		{"clock", with(`1000`, `-1`), "clock.white_ms"},
		{"wood", with(`executing`, `burning`), "wood.state"},
		{"touch", with(`"square":"e2"`, `"square":"e9"`), "no square"},
		{"too many moves", with(`["e2e4"]`, `["e2e4"`+strings.Repeat(`,"e2e4"`, wire.MaxPlies)+`]`), "at most 12000"},
	})
}

func TestCommandsThatAreRefused(t *testing.T) {
	checkRefused(t, func(p []byte) error { _, err := wire.DecodeCommand(p); return err }, []refused{
		{"unknown word", `{"id":"1","do":"explode"}`, `allowed are "new", "move"`},
		{"no word", `{"id":"1"}`, `allowed are "new"`},
		{"move without move", `{"id":"1","do":"move"}`, "needs a coordinate move"},
		{"setup without start", `{"id":"1","do":"setup"}`, "needs a stack FEN"},
		{"clock kind", `{"id":"1","do":"new","clock":{"kind":"sand","initial_ms":1}}`, `"hourglass"`},
		{"clock without time", `{"id":"1","do":"new","clock":{"kind":"fischer"}}`, "clock.initial_ms"},
		{"seats", `{"id":"1","do":"new","seats":{"white":"north"}}`, "seats.black"},
		{"id a number", `{"id":1,"do":"flip"}`, `field "id" is a number, want a text in double quotes`},
		{"plies a text", `{"id":"1","do":"takeback","plies":"2"}`, `field "plies" is a text, want a whole number`},
		{"half a ply", `{"id":"1","do":"takeback","plies":1.5}`, `field "plies" is a number 1.5, want a whole number`},
		{"clock a list", `{"id":"1","do":"new","clock":[]}`, `field "clock" is a list, want an object`},
		{"options a list", `{"id":"1","do":"new","options":[]}`, `field "options" is no object`},
		{"no quotes", `{"id":"1",do:"flip"}`, `'d' cannot stand at byte 11, behind "{\"id\":\"1\","`},
		{"no end", `{"id":"1","do":"flip"`, "it breaks off"},
		{"long", `{"id":"1","do":"flip","x":"` + strings.Repeat("x", wire.MaxCommand) + `"}`, "at most 16384"},
	})
}

func checkRefused(t *testing.T, decode func([]byte) error, cases []refused) {
	t.Helper()
	for _, c := range cases {
		err := decode([]byte(c.payload))
		if err == nil {
			t.Errorf("%s: taken", c.name)
		} else if !strings.Contains(err.Error(), c.want) || len(err.Error()) > 2000 {
			t.Errorf("%s: got error %.300q, want one that holds %q", c.name, err, c.want)
		}
	}
}

func TestRefusedCommandKeepsItsID(t *testing.T) {
	for _, payload := range []string{`{"id":"a7","do":"explode"}`, `{"id":"a7","do":7}`} {
		c, err := wire.DecodeCommand([]byte(payload))
		if err == nil || c.ID != "a7" {
			t.Errorf("%s: got id %q, error %v, want id a7 and an error", payload, c.ID, err)
		}
	}
}

func TestTopics(t *testing.T) {
	for _, leaf := range wire.Leaves() {
		board, got, err := wire.ParseTopic(wire.Topic("north-2", leaf))
		if err != nil || board != "north-2" || got != leaf {
			t.Errorf("%s: got %q %q %v", leaf, board, got, err)
		}
	}
	for _, bad := range []string{
		"", "boardd", "boardd/v1/", "boardd/v1/north", "boardd/v1/north/", "boardd/v1/north/nothing",
		"boardd/v1/north/game/x",
		"boardd/v2/north/game", "boardd/v1/North/game", "boardd/v1/#", "boardd/v1/+/game", "boardd/v1//game",
		"boardd/v1/" + strings.Repeat("n", 33) + "/game",
	} {
		if board, leaf, err := wire.ParseTopic(bad); err == nil {
			t.Errorf("%q: taken as %q %q", bad, board, leaf)
		}
	}
}

func TestCommandWordsAreDocumented(t *testing.T) {
	source, err := os.ReadFile("command.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range wire.CommandWords() {
		if n := strings.Count(string(source), `"`+word+`"`); n != 1 {
			t.Errorf("word %q is spelled %d times in command.go, want once", word, n)
		}
	}
}
